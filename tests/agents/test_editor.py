"""The editor of SWE-agent and OpenHands: what it finds, what it writes, and what it says."""

from typing import Any

import pytest

from gate.agents.editor import OPENHANDS, OPENHANDS_TABS, SWE_AGENT, Editor, edits_of, outcome, resolved
from gate.editing.edit import Edit, Write
from gate.errors import CannotApply, RecordingError
from gate.trajectory import Ok, Step

SDK = Editor(strip=True)


def replace(old: str, new: str | None) -> dict[str, Any]:
    return {"command": "str_replace", "path": "/w/a.py", "old_str": old, "new_str": new}


def insert(line: int | str, text: str) -> dict[str, Any]:
    return {"command": "insert", "path": "/w/a.py", "insert_line": line, "new_str": text}


@pytest.mark.parametrize(
    ("editor", "arguments", "before", "after"),
    [
        pytest.param(SWE_AGENT, replace("b", "c"), b"a\tb\n\tx\n", b"a       c\n        x\n", id="all tabs go"),
        pytest.param(SWE_AGENT, replace("a\tb", "c\td"), b"a\tb\n", b"c       d\n", id="those of the texts too"),
        pytest.param(SWE_AGENT, replace("b", None), b"abc\n", b"ac\n", id="no new text"),
        pytest.param(SWE_AGENT, replace("b\nc", "B\nC"), b"a\r\nb\r\nc\r\n", b"a\nB\nC\n", id="CRLF ends become LF"),
        pytest.param(SWE_AGENT, replace("b", "B"), b"a\rb\rc", b"a\nB\nc", id="and so does a lone CR"),
        pytest.param(SWE_AGENT, replace("b", "x\r\ny"), b"abc\n", b"ax\r\nyc\n", id="a CR of the new text stays"),
        pytest.param(SWE_AGENT, replace("b", "é"), b"\xe9\xffb\n", b"\xe9\xff\xc3\xa9\n", id="bytes that are no UTF-8"),
        pytest.param(SWE_AGENT, replace("", "x"), b"", b"x", id="nothing in an empty file"),
        pytest.param(SWE_AGENT, insert(1, "x"), b"a\nb\n", b"a\nx\nb\n", id="insert"),
        pytest.param(SWE_AGENT, insert(0, "x\ny"), b"\ta\n", b"x\ny\n        a\n", id="insert first"),
        pytest.param(SWE_AGENT, insert(1, "x"), b"a", b"a\nx", id="insert last, without an end"),
        pytest.param(SWE_AGENT, insert(2, "x"), b"a\n", b"a\n\nx", id="insert after the last line end"),
        pytest.param(OPENHANDS, replace("b", "c"), b"a\tb\n", b"a\tc\n", id="tabs stay"),
        pytest.param(OPENHANDS, replace("\n b \n", "\n c \n"), b"a\nb\n", b"a\nc\n", id="stripped, the new text too"),
        pytest.param(SDK, replace("\n b \n", " c "), b"a\nb\n", b"a\n c \n", id="stripped, but not the new text"),
        pytest.param(OPENHANDS, insert(1, "x"), b"a\nb\n", b"a\nx\nb\n", id="insert a line"),
        pytest.param(OPENHANDS, insert(1, "x"), b"a", b"ax\n", id="a last line without an end is joined"),
        pytest.param(OPENHANDS, insert("2", "x\n"), b"a\nb\n", b"a\nb\nx\n\n", id="a number that is text"),
        pytest.param(OPENHANDS_TABS, replace("b", "c"), b"\ta\nb\n", b"        a\nc\n", id="the first versions"),
        pytest.param(OPENHANDS_TABS, insert(0, "\tx"), b"\ta\n", b"        x\n        a\n", id="inserting too"),
    ],
)
def test_applies(editor: Editor, arguments: dict[str, Any], before: bytes, after: bytes) -> None:
    (edit,) = edits_of(arguments, editor)
    assert edit.outcome(before) == after


@pytest.mark.parametrize(
    ("editor", "arguments", "before", "message"),
    [
        (
            SWE_AGENT,
            replace("def f(x):", "y"),
            b"a\ndef f(y):\n",
            "the old text is not in the file; nearest is line 2: 'def f(y):'",
        ),
        (SWE_AGENT, replace(" b", "y"), b"b\n", "the old text is not in the file; nearest is line 1: 'b'"),
        (OPENHANDS, replace("a", "y"), b"a\na\n", "the old text is in the file 2 times, expected once"),
        (OPENHANDS, replace(" ", "y"), b"a\n", "the old text is in the file 3 times, expected once"),
        (OPENHANDS, replace("a", "y"), None, "there is no such file"),
        (OPENHANDS, insert(0, "y"), None, "there is no such file"),
        (OPENHANDS, insert(2, "y"), b"a\n", "line 2 is not in a file of 1 lines"),
        (SWE_AGENT, insert(3, "y"), b"a\n", "line 3 is not in a file of 2 lines"),
        (OPENHANDS, insert(-1, "y"), b"a\n", "line -1 is not in a file of 1 lines"),
        (
            SWE_AGENT,
            {"command": "undo_edit", "path": "a"},
            b"a\n",
            "the edit that it takes back is not in the recording",
        ),
    ],
)
def test_does_not_guess(editor: Editor, arguments: dict[str, Any], before: bytes | None, message: str) -> None:
    (edit,) = edits_of(arguments, editor)
    with pytest.raises(CannotApply) as caught:
        edit.outcome(before)
    assert caught.value.message == message


def test_recorded_text_goes_before_what_the_replay_has() -> None:
    (edit,) = edits_of(replace("b", "c"), OPENHANDS, before=b"b\n")
    assert edit.outcome(b"something else\n") == b"c\n"
    assert edit.outcome(b"b\r\n") == b"c\n", "the file's own bytes where the text is the same"
    (edit,) = edits_of(replace("b", "c"), OPENHANDS, before=b"b\n", after=b"C\n")
    assert edit.outcome(b"b\n") == b"C\n"


def test_a_view_edits_nothing() -> None:
    assert edits_of({"command": "view", "path": "/w"}, OPENHANDS) == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "path: expected text, found nothing"),
        ({"command": "view it", "path": "a"}, "command: expected one of the editor's, found the text 'view it'"),
        ({"command": "create", "path": 1}, "path: expected text, found the number 1"),
        ({"command": "create", "path": "a"}, "file_text: expected text, found nothing"),
        ({"command": "create", "path": "a", "file_text": None}, "file_text: expected text, found nothing"),
        ({"command": "str_replace", "path": "a", "new_str": ""}, "old_str: expected text, found nothing"),
        (
            {"command": "insert", "path": "a", "new_str": "", "insert_line": "x"},
            "insert_line: expected a line number, found the text 'x'",
        ),
        ({"command": "insert", "path": "a", "new_str": ""}, "insert_line: expected a line number, found null"),
        (
            {"command": "insert", "path": "a", "new_str": "", "insert_line": True},
            "insert_line: expected a line number, found true",
        ),
        (
            {"command": "insert", "path": "a", "new_str": "", "insert_line": "1_0"},
            "insert_line: expected a line number, found the text '1_0'",
        ),
        (
            {"command": "insert", "path": "a", "new_str": "", "insert_line": 1.0},
            "insert_line: expected a line number, found the number 1.0",
        ),
    ],
)
def test_says_what_a_call_lacks(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        edits_of(arguments, OPENHANDS)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("words", "ok"),
    [
        ("The file /w/a.py has been edited. Here's the result of running `cat -n` on a snippet", Ok.YES),
        ("File created successfully at: /w/a.py\r\n", Ok.YES),
        ("Last edit to /w/a.py undone successfully. Here's the", Ok.YES),
        ("Warning: Failed to run pre-edit linter on a.py: x\nThe file /w/a.py has been edited. ", Ok.YES),
        ("Here's the files and directories up to 2 levels deep in /w", Ok.YES),
        ("No replacement was performed, old_str `x` did not appear verbatim in /w/a.py.", Ok.NO),
        ("No replacement was performed, old_str `\nThe file /w/a.py has been edited. ` did not appear", Ok.NO),
        ("ERROR:\nInvalid `path` parameter", Ok.NO),
        ("usage: str_replace_editor [-h]", Ok.NO),
        (" \n", Ok.UNKNOWN),
    ],
)
def test_hears_what_the_editor_says(words: str, ok: Ok) -> None:
    assert outcome(words) is ok


def _steps(*calls: dict[str, Any], editor: Editor = OPENHANDS, ok: Ok = Ok.YES) -> list[Step]:
    return [Step(number=n, ok=ok, edits=edits_of(call, editor)) for n, call in enumerate(calls, 1)]


UNDO = {"command": "undo_edit", "path": "/w/a.py"}
CREATE = {"command": "create", "path": "/w/a.py", "file_text": "new\n"}


def _replayed(steps: tuple[Step, ...], content: bytes | None) -> bytes | None:
    for step in steps:
        for edit in step.edits if step.ok is not Ok.NO and not step.undone else ():
            content = edit.outcome(content)
    return content


@pytest.mark.parametrize(
    ("editor", "calls", "before", "after"),
    [
        pytest.param(OPENHANDS, [replace("b", "c"), UNDO], b"b\n", b"b\n", id="one"),
        pytest.param(OPENHANDS, [replace("a", "b"), replace("b", "c"), UNDO], b"a\n", b"b\n", id="the last of two"),
        pytest.param(OPENHANDS, [replace("a", "b"), insert(0, "c"), UNDO, UNDO], b"a\n", b"a\n", id="both"),
        pytest.param(SWE_AGENT, [replace("a", "b"), UNDO], b"\ta\n", b"        a\n", id="the tabs are gone for good"),
        pytest.param(OPENHANDS, [CREATE, UNDO], None, b"new\n", id="a made file stays"),
        pytest.param(OPENHANDS, [CREATE, replace("new", "old"), UNDO], None, b"new\n", id="after it was made"),
    ],
)
def test_undoes(editor: Editor, calls: list[dict[str, Any]], before: bytes | None, after: bytes) -> None:
    assert _replayed(resolved(_steps(*calls, editor=editor)), before) == after


def test_an_undo_that_failed_undoes_nothing() -> None:
    steps = [*_steps(replace("b", "c")), *_steps(UNDO, ok=Ok.NO)]
    assert resolved(steps) == tuple(steps)


def test_undoes_what_was_done_to_the_same_file() -> None:
    other = {"command": "str_replace", "path": "/w/b.py", "old_str": "x", "new_str": "y"}
    steps = resolved(_steps(replace("b", "c"), other, UNDO))
    assert [step.undone for step in steps] == [True, False, False]


def test_a_recorded_text_after_an_undo_is_believed() -> None:
    steps = [*_steps(replace("b", "c")), Step(number=2, ok=Ok.YES, edits=edits_of(UNDO, SDK, after=b"B\n"))]
    assert resolved(steps) == tuple(steps)
    assert _replayed(tuple(steps), b"b\n") == b"B\n"


def test_what_was_written_is_the_new_text() -> None:
    calls = [replace("a", "b"), insert(0, "c"), CREATE, UNDO]
    edits: list[Edit] = [edit for call in calls for edit in edits_of(call, OPENHANDS)]
    assert [edit.written for edit in edits] == [b"b", b"c", b"new\n", b""]
    assert isinstance(edits[2], Write)
