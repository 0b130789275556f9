"""Goose's sessions: three shapes, two generations of editing tools, and undone edits."""

import json
from typing import Any

import pytest

from gate.recordings.goose import Goose
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = Goose()
HEADER = {"working_dir": "/w", "description": "d", "message_count": 2}


def asks(name: str, arguments: Any, key: str = "c1") -> dict[str, Any]:
    value = {"name": name, "arguments": arguments}
    return {"type": "toolRequest", "id": key, "toolCall": {"status": "success", "value": value}}


def said(role: str, *content: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "created": 17, "content": list(content)}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words} | more


def answers(words: str = "ok", key: str = "c1", *, failed: bool = False, code: int | None = None) -> dict[str, Any]:
    value: dict[str, Any] = {"content": [text(words)], "isError": failed}
    if code is not None:
        value["structuredContent"] = {"stdout": words, "stderr": "", "exit_code": code}
    return {"type": "toolResponse", "id": key, "toolResult": {"status": "success", "value": value}}


def session(*pairs: tuple[str, Any], failed: bool = False) -> bytes:
    messages = []
    for number, (name, arguments) in enumerate(pairs):
        messages += [said("assistant", asks(name, arguments, f"c{number}"))]
        messages += [said("user", answers(key=f"c{number}", failed=failed))]
    return json.dumps({"id": "s", "working_dir": "/w", "session_type": "user", "conversation": messages}).encode()


def editor(command: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "developer__text_editor", {"command": command, "path": "/w/a.py"} | arguments


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        pytest.param(
            editor("write", file_text="a\r\nb"), b"", b"a\nb\n", id="written with lf ends, and one at the end"
        ),
        pytest.param(editor("str_replace", old_str="b", new_str="c"), b"a\r\nb", b"a\nc\n", id="replaced"),
        pytest.param(editor("str_replace", old_str='"b"', new_str="c"), "“b” \nx ".encode(), b"c\nx\n", id="alike"),
        pytest.param(
            editor("str_replace", old_str="b", new_str="c"), b"\xef\xbb\xbfb\n", b"c\n", id="the mark is lost"
        ),
        pytest.param(editor("insert", insert_line=0, new_str="x"), b"a\nb", b"x\na\nb\n", id="before the first line"),
        pytest.param(editor("insert", insert_line=-1, new_str="x"), b"a\nb\n", b"a\nb\nx\n", id="at the end"),
        pytest.param(editor("insert", insert_line="1", new_str="x\ny"), b"a\r\nb", b"a\nx\ny\nb\n", id="in between"),
        pytest.param(
            editor("str_replace", diff="--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n"),
            b"a\nb\n",
            b"c\nb\n",
            id="by a diff",
        ),
        pytest.param(editor("view"), b"a", b"a", id="looked at"),
        pytest.param(("write", {"path": "a.py", "content": "x\r"}), b"", b"x\r", id="the newer write"),
        pytest.param(("edit", {"path": "a.py", "before": "a\r\n", "after": ""}), b"a\r\nb", b"b", id="the newer edit"),
    ],
)
def test_an_edit(call: tuple[str, Any], before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, session(call), a_py=before)) == {"a.py": after}


@pytest.mark.parametrize(
    ("call", "before", "reason"),
    [
        pytest.param(
            editor("str_replace", old_str="b1", new_str=""),
            b"b2",
            "a.py: the old text is not in the file; nearest is line 1: 'b2'",
            id="not there",
        ),
        pytest.param(
            editor("str_replace", old_str="b", new_str=""),
            b"bb",
            "a.py: the old text is in the file 2 times, expected once",
            id="twice",
        ),
        pytest.param(
            editor("insert", insert_line=3, new_str="x"),
            b"a\n",
            "a.py: line 3 is not in a file of 1 lines",
            id="too far",
        ),
        pytest.param(editor("write"), b"", "arguments.file_text: expected text, found nothing", id="nothing to write"),
        pytest.param(
            editor("undo_edit"), b"", "the edit that it takes back is not in the recording", id="nothing to undo"
        ),
    ],
)
def test_an_edit_that_does_not_fit(call: tuple[str, Any], before: bytes, reason: str) -> None:
    assert rebuilt(READER, session(call), a_py=before).incomplete == (f"step 1: {reason}",)


def test_an_undone_edit() -> None:
    replaced, again = editor("str_replace", old_str="a", new_str="b"), editor("str_replace", old_str="b", new_str="c")
    assert whole(rebuilt(READER, session(replaced, again, editor("undo_edit")), a_py=b"a")) == {"a.py": b"b\n"}
    twice = session(replaced, again, editor("undo_edit"), editor("undo_edit"))
    assert whole(rebuilt(READER, twice, a_py=b"a")) == {"a.py": b"a"}
    written = session(replaced, editor("write", file_text="new"), editor("undo_edit"))
    assert whole(rebuilt(READER, written, a_py=b"a")) == {"a.py": b"a"}


def test_a_diff_of_several_files() -> None:
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+c\n--- /dev/null\n+++ b/sub/new.py\n@@ -0,0 +1 @@\n+x\n"
    call = editor("str_replace", diff=diff, path="/w")
    assert whole(rebuilt(READER, session(call), a_py=b"a\n")) == {"a.py": b"c\n", "sub/new.py": b"x\n"}


def test_older_session_files_and_the_stream() -> None:
    request, response = said("assistant", text("so"), asks(*editor("write", file_text="x"))), said("user", answers())
    older = lines(HEADER, said("user", text("do it")), request, response)
    stream = lines(*({"type": "message", "message": message} for message in (request, response)), {"type": "complete"})
    for data, directory in ((older, "/w"), (stream, None)):
        seen = told(READER, data)
        assert (seen.directory, seen.unverified, seen.dropped) == (directory, True, ())
        (step,) = calls(READER, data)
        assert (step.message, step.ok, step.observation) == ("so", Ok.YES, "ok")
    assert [step.turn for step in told(READER, older).steps] == [1, 1]
    assert whole(rebuilt(READER, older)) == {"a.py": b"x\n"}


@pytest.mark.parametrize(
    ("response", "code", "ok"),
    [
        pytest.param(answers("hi", code=0), 0, Ok.YES, id="well"),
        pytest.param(answers("no", failed=True, code=2), 2, Ok.NO, id="badly"),
        pytest.param(answers("no\n\nCommand exited with code 2", failed=True), 2, Ok.NO, id="in words"),
        pytest.param(answers("hi"), None, Ok.YES, id="not told"),
        pytest.param(
            {"type": "toolResponse", "id": "c1", "toolResult": {"status": "error", "error": "-32603: declined"}},
            None,
            Ok.NO,
            id="refused",
        ),
    ],
)
def test_a_command(response: dict[str, Any], code: int | None, ok: Ok) -> None:
    request = said("assistant", asks("developer__shell", {"command": "make"}))
    (step,) = calls(READER, lines(HEADER, request, said("user", response)))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, step.ok) == ("make", "/w", code, ok)
    assert command.output == step.observation != ""


def test_what_only_the_person_sees_is_left_out() -> None:
    parts = [text("short", annotations={"audience": ["assistant"]}), text("long", annotations={"audience": ["user"]})]
    response = {"type": "toolResponse", "id": "c1", "toolResult": {"status": "success", "value": parts}}
    (step,) = calls(READER, lines(HEADER, said("assistant", asks("tree", {})), said("user", response)))
    assert step.observation == "short"


def test_what_it_cannot_see_is_said() -> None:
    data = session(("summon__delegate", {}), ("execute_typescript", {"code": "…"}), ("github__save", {"path": "a.py"}))
    done = rebuilt(READER, data, a_py=b"")
    assert done.unknown == {"github__save": 1}
    assert done.incomplete == (
        "step 1: the recording of its sub-agent is not here, with any edit it made",
        "step 2: it ran code that may have called other tools",
        "step 3: a.py: the tool github__save is not known here, it may have changed this file",
    )
    assert rebuilt(READER, session(("summon__delegate", {}), failed=True)).incomplete == ()


def test_a_sub_agents_own_session() -> None:
    data = json.loads(session(("write", {"path": "a.py", "content": "x"}))) | {"session_type": "sub_agent"}
    assert [step.agent for step in calls(READER, json.dumps(data).encode())] == ["s"]


def test_broken_recordings() -> None:
    request = said(
        "assistant", asks(*editor("str_replace", old_str="a", new_str="b")), asks("shell", {"command": "x"}, "c2")
    )
    records = [HEADER, said("user", text("go")), request, said("user", answers(), answers(key="c2", code=1))]
    survives(READER, records)
    undone = [HEADER | {"conversation": [*records[1:], said("assistant", asks(*editor("undo_edit"), "c3"))]}]
    survives(READER, undone, document=True)
