"""Claude Code's tools: what a call and its result say about files."""

from typing import Any

import pytest

from gate.agents.claude import ClaudeReplace, ClaudeWrite, edits_of
from gate.agents.notebook import CellEdit
from gate.editing.edit import Edit, Write
from gate.errors import CannotApply, RecordingError


def replace(old: bytes, new: bytes, *, everywhere: bool = False, before: bytes | None = None) -> ClaudeReplace:
    return ClaudeReplace(path="/r/a", old=old, new=new, all=everywhere, before=before)


@pytest.mark.parametrize(
    ("edit", "content", "expected"),
    [
        pytest.param(replace(b"b", b""), b"a\nb\nc\n", b"a\nc\n", id="the line end goes too"),
        pytest.param(replace(b"b\n", b""), b"a\nb\n\nc\n", b"a\n\nc\n", id="one that is named goes alone"),
        pytest.param(replace(b" b", b""), b"a b", b"a", id="none to go"),
        pytest.param(replace(b" b", b""), b"a b\n", b"a", id="the last line end too"),
        pytest.param(replace(b" b", b""), b"a b\r\nc\r\n", b"ac\r\n", id="crlf too"),
        pytest.param(replace(b";", b"", everywhere=True), b"a;b;\nc;\n", b"a;bc", id="all: only where a line ends"),
        pytest.param(replace(b";", b"", everywhere=True), b"a;b;", b"ab", id="all: everywhere if no line ends"),
        pytest.param(replace(b"", b"x\n"), b" \n\n", b"x\n", id="white space counts as empty"),
        pytest.param(replace(b"", b"x\n"), None, b"x\n", id="a new file"),
        pytest.param(replace(b"a", b"b"), b"a\r\n", b"b\r\n", id="line ends are kept"),
        pytest.param(ClaudeWrite(path="a", content=b"x\ny\n"), b"a\r\nb\r\n", b"x\r\ny\r\n", id="old: crlf is kept"),
        pytest.param(ClaudeWrite(path="a", content=b"x\ny\n"), None, b"x\ny\n", id="old: a new file"),
    ],
)
def test_apply(edit: Edit, content: bytes | None, expected: bytes) -> None:
    assert edit.apply(content) == expected


def test_a_removed_text_must_still_stand_once() -> None:
    with pytest.raises(CannotApply, match="the old text is in the file 2 times, expected once"):
        replace(b"b", b"").apply(b"a b c\nb\n")


EDIT = {"file_path": "/r/a", "old_string": "o", "new_string": "n", "replace_all": False}


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "edits"),
    [
        pytest.param("Read", {"file_path": "/r/a"}, None, (), id="no editor"),
        pytest.param("Edit", EDIT, None, (replace(b"o", b"n"),), id="no result"),
        pytest.param("Edit", EDIT, "Error: x", (replace(b"o", b"n"),), id="a result in words"),
        pytest.param("Edit", EDIT | {"replace_all": True}, {}, (replace(b"o", b"n", everywhere=True),), id="all"),
        pytest.param(
            "Edit",
            EDIT | {"replace_all": True},
            {
                "filePath": "/r/a",
                "oldString": "o2",
                "newString": "n2",
                "replaceAll": False,
                "originalFile": "o2\n",
                "userModified": True,
            },
            (replace(b"o2", b"n2", before=b"o2\n"),),
            id="what the person made of it",
        ),
        pytest.param(
            "Edit",
            EDIT | {"old_string": ""},
            {"originalFile": ""},
            (replace(b"", b"n"),),
            id="an empty original is no file",
        ),
        pytest.param(
            "Edit",
            EDIT | {"old_string": '"o"', "new_string": 'say "n"\n\tand "m"'},
            {
                "oldString": "\u201co\u201d",
                "newString": 'say "n"\n\tand "m"',
                "structuredPatch": [{"lines": ["-x \u201co\u201d", "+x say \u201cn\u201d", "+  and \u201cm\u201d"]}],
            },
            (
                ClaudeReplace(
                    path="/r/a",
                    old="\u201co\u201d".encode(),
                    new="say \u201cn\u201d\n\tand \u201cm\u201d".encode(),
                ),
            ),
            id="curly quotes, as the patch shows them",
        ),
        pytest.param(
            "Edit",
            EDIT | {"old_string": '"o"', "new_string": '"n"'},
            {"oldString": "\u201co\u201d", "newString": '"n"', "structuredPatch": [{"lines": ['+"n"']}]},
            (replace("\u201co\u201d".encode(), b'"n"'),),
            id="straight quotes, as earlier versions wrote them",
        ),
        pytest.param(
            "MultiEdit",
            {
                "file_path": "/r/a",
                "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "4"}],
            },
            {"originalFileContents": "13"},
            (replace(b"1", b"2", before=b"13"), replace(b"3", b"4")),
            id="several",
        ),
        pytest.param(
            "MultiEdit",
            {"file_path": "/r/a", "edits": [{"old_string": "1", "new_string": "2"}]},
            {"edits": [{"old_string": "5", "new_string": "6", "replace_all": True}]},
            (replace(b"5", b"6", everywhere=True),),
            id="several, changed by the person",
        ),
        pytest.param(
            "Write",
            {"file_path": "/r/a", "content": "x"},
            {"type": "create", "content": "y"},
            (Write(path="/r/a", content=b"y"),),
            id="a file as it was written",
        ),
        pytest.param(
            "Write",
            {"file_path": "/r/a", "content": "\ud800"},
            None,
            (Write(path="/r/a", content="\ufffd".encode()),),
            id="half a pair",
        ),
        pytest.param(
            "NotebookEdit",
            {"notebook_path": "/r/n", "cell_id": "c", "new_source": "s", "cell_type": "code"},
            {"original_file": "{}", "updated_file": "[]", "cell_id": "c"},
            (CellEdit(path="/r/n", source="s", cell="c", type="code", new_id="c", before=b"{}", after=b"[]"),),
            id="a cell",
        ),
        pytest.param(
            "NotebookEdit",
            {"notebook_path": "/r/n", "cell_number": 2, "new_source": "s", "edit_mode": "insert"},
            None,
            (CellEdit(path="/r/n", source="s", cell="cell-1", mode="insert"),),
            id="a counted cell",
        ),
        pytest.param(
            "NotebookEdit",
            {"notebook_path": "/r/n", "cell_number": 0, "edit_mode": "delete"},
            None,
            (CellEdit(path="/r/n", cell="cell-0", mode="delete"),),
            id="a deleted cell",
        ),
    ],
)
def test_edits_of(tool: str, arguments: dict[str, Any], result: Any, edits: tuple[Edit, ...]) -> None:
    assert edits_of(tool, arguments, result) == edits


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("2.1.76", ClaudeWrite),
        ("1.0.51", ClaudeWrite),
        ("2.1.77", Write),
        ("3.0.0", Write),
        ("", Write),
        ("2.x", Write),
    ],
)
def test_line_ends_of_a_written_file_depend_on_the_version(version: str, kind: type[Edit]) -> None:
    (edit,) = edits_of("Write", {"file_path": "a", "content": ""}, None, version=version)
    assert type(edit) is kind


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        pytest.param("Edit", None, "input: expected an object, found null", id="no input"),
        pytest.param("Edit", '{"file_', "input: expected an object, found the text '{\"file_'", id="broken off"),
        pytest.param("Edit", {}, "input.file_path: expected text, found nothing", id="no path"),
        pytest.param(
            "Edit", EDIT | {"old_string": 5}, "input.old_string: expected text, found the number 5", id="no text"
        ),
        pytest.param(
            "MultiEdit",
            {"file_path": "a", "edits": ["x"]},
            "input.edits: expected a list of objects, found a list",
            id="edits",
        ),
        pytest.param("Write", {"file_path": "a"}, "input.content: expected text, found nothing", id="no content"),
        pytest.param(
            "NotebookEdit", {"notebook_path": "a"}, "input.new_source: expected text, found nothing", id="no source"
        ),
    ],
)
def test_unclear(tool: str, arguments: Any, message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        edits_of(tool, arguments, None)
    assert (caught.value.message, caught.value.kind) == (message, "broken_step")
