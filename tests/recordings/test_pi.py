"""Pi's sessions: what its editing tool takes for the same, and calls that were never run."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.pi import Pair, PiEdit
from gate.recordings.pi import Pi
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = Pi()
HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/w"}


def said(role: str, line: str = "e1", parent: str | None = None, **message: Any) -> dict[str, Any]:
    return {"type": "message", "id": line, "parentId": parent, "timestamp": "t", "message": {"role": role} | message}


def made(name: str, arguments: Any, key: str = "c1") -> dict[str, Any]:
    return {"type": "toolCall", "id": key, "name": name, "arguments": arguments}


def answer(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    usage = {"input": 1, "output": 2, "cacheRead": 10, "cacheWrite": 100, "cost": {"total": 0.5}}
    return said("assistant", content=list(blocks), model="m", usage=usage, stopReason="toolUse", **more)


def result(
    text: str = "Successfully replaced 1 block(s) in a.py.", key: str = "c1", *, failed: bool = False
) -> dict[str, Any]:
    return said("toolResult", toolCallId=key, toolName="edit", content=[{"type": "text", "text": text}], isError=failed)


def edit(arguments: dict[str, Any], text: str = "Successfully replaced 1 block(s) in a.py.") -> bytes:
    return lines(HEADER, answer(made("edit", {"path": "a.py"} | arguments)), result(text))


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        pytest.param("b", "c", b"a\nb\n", b"a\nc\n", id="exact"),
        pytest.param("a\nb", "c\nd", b"a\r\nb\r\n", b"c\r\nd\r\n", id="crlf stays"),
        pytest.param("a", "c", b"x\na\r\n", b"x\nc\n", id="the first line end decides"),
        pytest.param("a", "c", b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfc\n", id="so does a byte order mark"),
        pytest.param("it's", "so", "x \nit’s\n".encode(), b"x \nso\n", id="a quote that looks alike"),
        pytest.param("a\nb", "c", b"x \na  \nb\ny \n", b"x \nc\ny \n", id="white space at the ends of lines"),
        pytest.param("fi-x", "y", "ﬁ–x".encode(), b"y", id="other characters that look alike"),
        pytest.param("a", "c", b"a\xff\n", b"c\xef\xbf\xbd\n", id="what is not utf-8 is lost"),
        pytest.param("a\rb", "c", b"a\rb\n", b"c\n", id="a lone cr is a line end"),
    ],
)
def test_an_edit(old: str, new: str, before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, edit({"oldText": old, "newText": new}), a_py=before)) == {"a.py": after}


def test_until_2026_text_that_looks_alike_cost_the_whole_file_its_looks() -> None:
    data = edit({"oldText": "it's", "newText": "so"}, "Successfully replaced text in a.py.")
    assert whole(rebuilt(READER, data, a_py="x \nit’s “y”\n".encode())) == {"a.py": b'x\nso "y"\n'}


@pytest.mark.parametrize(
    ("edits", "before", "reason"),
    [
        pytest.param([("b", "c")], b"b b", "the old text is in the file 2 times, expected once", id="twice"),
        pytest.param([("", "c")], b"b", "the old text is empty", id="empty"),
        pytest.param([("ab", "1"), ("bc", "2")], b"abc", "two of the old texts overlap", id="overlap"),
        pytest.param(
            [("x1", "c")], b"x2\n", "the old text is not in the file; nearest is line 1: 'x2'", id="not there"
        ),
    ],
)
def test_an_edit_that_does_not_fit(edits: list[tuple[str, str]], before: bytes, reason: str) -> None:
    arguments = {"edits": [{"oldText": old, "newText": new} for old, new in edits]}
    assert rebuilt(READER, edit(arguments), a_py=before).incomplete == (f"step 1 (line 2): a.py: {reason}",)


def test_several_texts_are_looked_for_in_the_file_as_it_was() -> None:
    edits = [{"oldText": "a", "newText": "b"}, {"oldText": "b", "newText": "a"}, {"oldText": "“x", "newText": "y"}]
    assert whole(rebuilt(READER, edit({"edits": edits[:2]}), a_py=b"a\nb\n")) == {"a.py": b"b\na\n"}
    assert whole(rebuilt(READER, edit({"edits": edits}), a_py=b'a  \nb\n"x \nz \n')) == {"a.py": b"b\na\ny\nz \n"}
    as_text = '[{"oldText": "a", "newText": "b"}]'
    assert whole(rebuilt(READER, edit({"edits": as_text}), a_py=b"a  \n")) == {"a.py": b"b  \n"}


@given(st.lists(st.text("ab “”-–\u00a0", max_size=6), min_size=1, max_size=8), st.data())
def test_lines_that_no_text_touches_keep_their_looks(texts: list[str], data: st.DataObject) -> None:
    wanted = "@" + "".join(data.draw(st.lists(st.sampled_from("“”–x"), min_size=1, max_size=4)))
    at = data.draw(st.integers(0, len(texts)))
    texts.append("the tool gives up where the last line is all white space")
    before = "\n".join([*texts[:at], wanted + "  ", *texts[at:]])
    old = wanted.translate(str.maketrans("“”–", '""-'))
    done = PiEdit(path="a", pairs=(Pair(old, "new"),)).apply(before.encode())
    expected = "new  " if old == wanted else "new"
    assert done == "\n".join([*texts[:at], expected, *texts[at:]]).encode()


def test_write_and_paths() -> None:
    def write(path: str) -> bytes:
        return lines(HEADER, answer(made("write", {"path": path, "content": "x\r\n"})), result("ok"))

    for path in ("a.py", "@a.py", "/w/a.py"):
        assert whole(rebuilt(READER, write(path), a_py=b"")) == {"a.py": b"x\r\n"}
    assert [note.kind for note in rebuilt(READER, write("/elsewhere/a.py")).outside] == ["path_absolute"]


@pytest.mark.parametrize(
    ("text", "failed", "code"),
    [
        pytest.param("hi", False, 0, id="well"),
        pytest.param("no\n\nCommand exited with code 2", True, 2, id="badly"),
        pytest.param("\n\nCommand timed out after 5 seconds", True, None, id="at the limit"),
    ],
)
def test_a_command(text: str, failed: bool, code: int | None) -> None:
    (step,) = calls(READER, lines(HEADER, answer(made("bash", {"command": "make"})), result(text, failed=failed)))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, command.output) == ("make", "/w", code, text)
    assert step.ok is (Ok.NO if failed else Ok.YES)


def test_a_command_that_the_person_typed() -> None:
    data = lines(HEADER, said("bashExecution", command="make", output="hi", exitCode=2, cancelled=False))
    (step,) = calls(READER, data)
    assert (step.source, step.commands[0].text, step.commands[0].exit_code, step.ok) == ("user", "make", 2, Ok.NO)
    (step,) = calls(READER, lines(HEADER, said("bashExecution", command="make", output="")))
    assert (step.commands[0].exit_code, step.ok) == (None, Ok.UNKNOWN)


def test_calls_of_an_answer_that_broke_off_were_never_run() -> None:
    broken_off = answer(made("write", {"path": "a.py", "content": "x"})) | {}
    broken_off["message"] |= {"stopReason": "aborted", "errorMessage": "Request was aborted"}
    done = rebuilt(READER, lines(HEADER, broken_off), a_py=b"a")
    assert whole(done) == {"a.py": b"a"}
    (step,) = calls(READER, lines(HEADER, broken_off))
    assert (step.ok, step.observation) == (Ok.NO, "the answer broke off (Request was aborted), it was never run")


def test_a_call_without_a_result_is_applied_where_it_fits() -> None:
    data = lines(HEADER, answer(made("edit", {"path": "a.py", "oldText": "a", "newText": "b"})))
    done = rebuilt(READER, data, a_py=b"a")
    assert whole(done) == {"a.py": b"b"}
    assert [note.unknown for note in done.applied] == [True]


def test_results_come_in_any_order_and_every_branch_counts() -> None:
    one = answer(made("edit", {"path": "a.py", "oldText": "a", "newText": "b"}), made("read", {"path": "a.py"}, "c2"))
    other = said("user", "e9", "e0", content="go on")
    again = answer(made("edit", {"path": "a.py", "oldText": "b", "newText": "c"}, "c3"))
    data = lines(HEADER, one, result("x", "c2"), result(), other, again, result(key="c3"))
    assert whole(rebuilt(READER, data, a_py=b"a")) == {"a.py": b"c"}
    assert [(step.tool, step.line, step.turn) for step in told(READER, data).steps] == [
        ("edit", 2, 0),
        ("read", 2, 0),
        ("", 5, 1),
        ("edit", 6, 1),
    ]


def test_what_an_answer_says_and_costs_goes_with_its_first_call() -> None:
    seen = told(READER, lines(HEADER, answer({"type": "text", "text": "so"}, made("ls", {}), made("ls", {}, "c2"))))
    assert (seen.agent, seen.model, seen.directory) == ("pi", "m", "/w")
    first, second = seen.steps
    assert (first.message, first.tokens_in, first.tokens_out, first.cost) == ("so", 111, 2, 0.5)
    assert (second.message, second.tokens_in, second.cost) == ("", None, None)


@pytest.mark.parametrize("cost", [True, 10**400, None, {}], ids=["true", "too large", "null", "an object"])
def test_what_is_no_price_is_no_cost(cost: object) -> None:
    usage = {"input": True, "output": 2, "cost": {"total": cost}}
    (step,) = told(READER, lines(HEADER, said("assistant", content=[made("ls", {})], usage=usage))).steps
    assert (step.tokens_in, step.tokens_out, step.cost) == (None, 2, None)


def test_what_it_does_not_know_is_counted() -> None:
    records = [HEADER, {"type": "odd"}, said("ghost"), answer(made("todo", {"path": "a.py"})), result(key="lost")]
    done = rebuilt(READER, lines(*records), a_py=b"a")
    assert done.unknown == {"todo": 1}
    assert done.incomplete == (
        "step 1 (line 4): a.py: the tool todo is not known here, it may have changed this file",
        "line 5 holds the result of 'lost', a call that is not there; an edit or a result may be lost with it",
    )
    assert [part.reason for part in told(READER, lines(*records)).dropped[:2]] == [
        "line 2 is of the type 'odd', which this reader does not know",
        "line 3 holds a message of 'ghost', whom this reader does not know",
    ]


def test_broken_recordings() -> None:
    arguments = {"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}], "oldText": "a", "newText": "b"}
    survives(
        READER,
        [HEADER, answer(made("edit", arguments), made("bash", {"command": "ls"}, "c2")), result(), result(key="c2")],
    )


def test_the_real_session(cases: Path) -> None:
    data = (cases / "recordings" / "pi" / "large-session.jsonl").read_bytes()
    steps = calls(READER, data)
    assert len(steps) == 391
    assert sum(step.tool == "bash" for step in steps) == 192
    edits = [step for step in steps if step.tool in ("edit", "write")]
    assert len(edits) == 149
    # The index says that none failed: 18 have no result, since their answers broke off before they were run.
    assert sum(step.ok is Ok.NO for step in edits) == 18
    assert sum(step.ok is Ok.NO for step in steps if step.tool == "bash") == 19
    assert all(step.known and step.lost is None for step in steps)
    assert told(READER, data).directory == "/home/dev/workspaces/pi-mono"
