"""Roo Code's conversations: how its editing tools find their places, and what its results say."""

import json
from typing import Any

import pytest

from gate.recordings.roo import Roo
from gate.trajectory import Ok
from tests.recordings.recorded import calls, rebuilt, survives, told, whole

READER = Roo()
SURROUNDINGS = (
    "<environment_details>\n# Current Mode\n<slug>code</slug>\n"
    "# Current Workspace Directory (/w) Files\na.py\n</environment_details>"
)
DONE = json.dumps({"path": "a.py", "operation": "modified", "notice": "…"}, separators=(",", ":"))
PROMPT = {"role": "user", "content": [{"type": "text", "text": f"<task>\nDo it\n</task>\n{SURROUNDINGS}"}]}


def native(tool: str, result: str = DONE, **arguments: Any) -> bytes:
    """A conversation with one call in blocks."""
    call = {"type": "tool_use", "id": "t1", "name": tool, "input": arguments}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": result}
    messages = [PROMPT, {"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]
    return json.dumps(messages).encode()


def xml(tool: str, result: str = DONE, **parameters: str) -> bytes:
    """A conversation with one call in XML."""
    inner = "".join(f"<{name}>{value}</{name}>\n" for name, value in parameters.items())
    call = {"role": "assistant", "content": [{"type": "text", "text": f"<{tool}>\n{inner}</{tool}>"}]}
    texts = [f"[{tool} for 'a.py'] Result:", result, SURROUNDINGS]
    answer = {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}
    return json.dumps([PROMPT, call, answer]).encode()


def diff(*pairs: tuple[str, str], line: int | None = None) -> str:
    named = f":start_line:{line}\n-------\n" if line else ""
    return "\n\n".join(f"<<<<<<< SEARCH\n{named}{old}=======\n{new}>>>>>>> REPLACE" for old, new in pairs)


@pytest.mark.parametrize(
    ("data", "before", "after"),
    [
        pytest.param(
            xml("write_to_file", path="a.py", content="\nx\n\n", line_count="2"), b"", b"x\n", id="written by xml"
        ),
        pytest.param(native("write_to_file", path="a.py", content="\nx\n"), b"", b"\nx\n", id="written"),
        pytest.param(
            native("write_to_file", path="a.py", content="1 | x\n2 |  y"), b"a\n", b"x\n y\n", id="with line numbers"
        ),
        pytest.param(
            native("write_to_file", path="a.py", content="```\nx\n```"), b"a\r\n", b"x\r\n", id="fenced, in crlf"
        ),
        pytest.param(
            xml("apply_diff", path="a.py", diff="\n" + diff(("b\n", "c\n"), line=2)), b"a\nb\n", b"a\nc\n", id="by xml"
        ),
        pytest.param(
            native("insert_content", path="a.py", line=2, content="x"), b"a\nb\n", b"a\nx\nb\n", id="inserted"
        ),
        pytest.param(
            xml("insert_content", path="a.py", line="0", content="\nx\n"), b"a\n", b"a\n\nx\n", id="at the end"
        ),
        pytest.param(native("insert_content", path="a.py", line=1, content="x"), b"a\r\n", b"x\r\na\r\n", id="in crlf"),
        pytest.param(
            xml("search_and_replace", path="a.py", search="a", replace="[$&]"), b"a b a", b"[a] b [a]", id="everywhere"
        ),
        pytest.param(
            xml("search_and_replace", path="a.py", search="A", replace="x", ignore_case="true", start_line="2"),
            b"a\na\n",
            b"a\nx\n",
            id="from a line on",
        ),
        pytest.param(
            native("search_and_replace", path="a.py", operations=[{"search": "a", "replace": "b"}]),
            b"a\n",
            b"b\n",
            id="operations",
        ),
        pytest.param(
            native("search_and_replace", file_path="a.py", old_string="a", new_string="$&", replace_all=True),
            b"a a",
            b"$& $&",
            id="as its alias",
        ),
        pytest.param(
            native("search_replace", file_path="/w/a.py", old_string="b", new_string="$$$`$'$1"),
            b"abc",
            b"a$ac$1c",
            id="a replacement of javascript's",
        ),
        pytest.param(
            native("edit", file_path="a.py", old_string="a\r\nb", new_string="c"), b"a\r\nb\r\n", b"c\r\n", id="edited"
        ),
        pytest.param(
            native("edit_file", file_path="a.py", old_string="a b", new_string="c"), b"a\t b", b"c", id="white space"
        ),
        pytest.param(
            native("edit_file", file_path="a.py", old_string="f( a )", new_string="c", expected_replacements=2),
            b"f(\na )f( a\n)",
            b"cc",
            id="by its words",
        ),
        pytest.param(
            native("apply_patch", patch="*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch"),
            b"a\n",
            b"b\n",
            id="patched",
        ),
    ],
)
def test_calls_do_what_roo_code_does(data: bytes, before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, data, a_py=before)) == {"a.py": after}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(native("write_to_file", path="a.py", content="x"), id="written"),
        pytest.param(native("insert_content", path="a.py", line=1, content="x"), id="inserted"),
        pytest.param(native("edit_file", file_path="a.py", old_string="", new_string="x"), id="edited"),
    ],
)
def test_a_file_is_made(data: bytes) -> None:
    assert whole(rebuilt(READER, data)) == {"a.py": b"x"}


@pytest.mark.parametrize(
    ("patch", "before", "after"),
    [
        pytest.param(diff(("b\n", "c\n")), b"a\nb\n", b"a\nc\n", id="no line"),
        pytest.param(diff(("b\n", "c\n"), line=1), b"b\nx\nx\nx\nb\n", b"c\nx\nx\nx\nb\n", id="the named line first"),
        pytest.param(diff(("b\n", "c\n"), line=1), b"a\nx\nb\n", b"a\nx\nc\n", id="near the named line"),
        pytest.param(diff(("b  c\n", "d\n")), b"  b c\n", b"  d\n", id="white space, and its indentation"),
        pytest.param(diff(("  b\n", "  c\n    d\n")), b"\tb\n", b"\tc\n\t  d\n", id="deeper lines stay deeper"),
        pytest.param(diff(("    b\n", "  c\n")), b"      b\n", b"    c\n", id="less deep lines too"),
        pytest.param(diff(("“b”\n", "c\n")), b'"b"\n', b"c\n", id="quotes"),
        pytest.param(diff(("b\n", "")), b"a\nb\nc\n", b"a\nc\n", id="removed"),
        pytest.param(diff(("2 | b\n", "2 | c\n")), b"a\nb\n", b"a\nc\n", id="with line numbers"),
        pytest.param(diff(("\\=======\n", "\\>>>>>>> REPLACE\n")), b"=======\n", b">>>>>>> REPLACE\n", id="escaped"),
        pytest.param(
            diff(("a\n", "x\ny\nz\n"), line=1) + "\n\n" + diff(("c\n", "C\n"), line=2),
            b"a\nc\nq\nq\nq\nc\nq\n",
            b"x\ny\nz\nC\nq\nq\nq\nc\nq\n",
            id="lines move with the blocks before them",
        ),
        pytest.param(diff(("b\n", "c\n")), b"a\r\nb\r\n", b"a\r\nc\r\n", id="crlf"),
    ],
)
def test_blocks_are_found_as_roo_code_finds_them(patch: str, before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, native("apply_diff", path="a.py", diff=patch), a_py=before)) == {"a.py": after}


def test_blocks_that_the_tool_left_out_are_left_out() -> None:
    patch = diff(("b\n", "c\n"), ("q\n", "r\n"))
    data = native(
        "apply_diff", f"But unable to apply all diff parts to file: /w/a.py. …\n{DONE}", path="a.py", diff=patch
    )
    assert whole(rebuilt(READER, data, a_py=b"a\nb\n")) == {"a.py": b"a\nc\n"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(
            native("apply_diff", path="a.py", diff=diff(("q\n", "r\n"), ("a\n", "b\n"))),
            "the searched text is not in the file; nothing there is like it",
            id="a block that is not there",
        ),
        pytest.param(
            native("apply_diff", path="a.py", diff=diff(("a\n", "b\n"), line=90)),
            "the searched text is not in the file; nearest is line 1: 'a'",
            id="too far from the named line",
        ),
        pytest.param(
            native("apply_diff", path="a.py", diff="x"),
            "arguments.diff: expected SEARCH/REPLACE blocks, found none",
            id="no block",
        ),
        pytest.param(
            native("edit", file_path="a.py", old_string="a", new_string="b"),
            "the old text is in the file 2 times, expected once",
            id="not unique",
        ),
        pytest.param(
            native("edit_file", file_path="a.py", old_string="a", new_string="b", expected_replacements=3),
            "the old text is not in the file 3 times",
            id="not often enough",
        ),
        pytest.param(
            native("edit_file", file_path="a.py", old_string="", new_string="b"),
            "the old text is empty, but there is such a file",
            id="nothing to replace",
        ),
        pytest.param(
            native("insert_content", path="a.py", line=9, content="x"),
            "line 9 is not in a file of 3 lines",
            id="no line",
        ),
        pytest.param(
            xml("search_and_replace", path="a.py", search="a", replace="b", use_regex="true"),
            "it replaced by a regular expression of JavaScript's, which is not run here",
            id="regular expression",
        ),
        pytest.param(
            native("new_task", "ok", mode="code", message="x"),
            "the recording of the task that it began is not here, with any edit it made",
            id="sub-task",
        ),
        pytest.param(
            native("edit", DONE[:-1] + ',"user_edits":"@@ …"}', file_path="a.py", old_string="a\n1", new_string="b"),
            "a person changed its text before it was saved; what was saved is not in the recording",
            id="changed by a person",
        ),
    ],
)
def test_what_cannot_be_replayed_is_told(data: bytes, reason: str) -> None:
    incomplete = rebuilt(READER, data, a_py=b"a\n1 a\n").incomplete
    assert [one.endswith(f": {reason}") for one in incomplete] == [True], incomplete


def test_the_file_that_a_result_shows_counts() -> None:
    words = (
        "The user made the following updates …, has been successfully saved to a.py. Here is the full, updated content "
        'of the file, including line numbers:\n\n<final_file_content path="a.py">\n1 | p\n2 |  q\n</final_file_content>'
    )
    data = xml("write_to_file", words, path="a.py", content="x")
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"p\n q\n"}


@pytest.mark.parametrize(
    ("result", "ok"),
    [
        pytest.param(DONE, Ok.YES, id="saved"),
        pytest.param(
            "<file_write_result>\n<path>a.py</path>\n<operation>created</operation>", Ok.YES, id="saved, in xml"
        ),
        pytest.param('{"status":"approved","feedback":"good"}\n' + DONE, Ok.YES, id="with a word from the person"),
        pytest.param('{"status":"denied","message":"…"}', Ok.NO, id="denied"),
        pytest.param('{"status":"error","error":"No match"}', Ok.NO, id="failed"),
        pytest.param("<error_details>\nNo sufficiently similar match\n</error_details>", Ok.NO, id="not found"),
        pytest.param("No changes needed for 'a.py'", Ok.NO, id="nothing to change"),
    ],
)
def test_the_words_of_a_result_say_whether_it_succeeded(result: str, ok: Ok) -> None:
    (step,) = calls(READER, native("write_to_file", result, path="a.py", content="x"))
    assert step.ok is ok


def test_a_command_has_its_directory_and_its_exit_code() -> None:
    said = "Command executed in terminal within working directory '/w/b'. Exit code: 3\nOutput:\nno"
    (step,) = calls(READER, native("execute_command", said, command="ls", cwd="b"))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, command.output) == ("ls", "b", 3, said)


def test_a_conversation_tells_what_it_is() -> None:
    trajectory = told(READER, native("read_file", "text", path="a.py"))
    assert (trajectory.format, trajectory.agent, trajectory.directory) == ("roo", "Roo Code", "/w")
    assert trajectory.unverified
    assert [(step.tool, step.known, step.ok) for step in trajectory.steps if step.tool] == [("read_file", True, Ok.YES)]


def test_a_damaged_recording_is_refused_or_read() -> None:
    data = json.loads(xml("apply_diff", path="a.py", diff=diff(("b\n", "c\n"), line=2)))
    for more in (
        native("insert_content", path="a.py", line=2, content="x"),
        native("edit_file", file_path="a.py", old_string="a", new_string="b"),
    ):
        data += json.loads(more)[1:]
    survives(READER, [data], document=True)
