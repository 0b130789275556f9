"""SWE-agent's window tools: lines replaced, text replaced among what was shown, text inserted."""

import pytest

from gate.agents.window import LinesEdit, Window, WindowInsert, WindowReplace, shown_in
from gate.editing.edit import Edit
from gate.errors import CannotApply


def lines(first: int, last: int, *new: bytes, bash: bool = False) -> LinesEdit:
    return LinesEdit(path="/w/a", first=first, last=last, lines=new, bash=bash)


def replace(old: bytes, new: bytes, window: tuple[int, int] | None = None, *, whole: bool = False) -> WindowReplace:
    return WindowReplace(path="/w/a", old=old, new=new, all=whole, window=window and Window("/w/a", *window))


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        pytest.param(lines(2, 2, b"B"), b"a\nb\nc\n", b"a\nB\nc\n", id="one line"),
        pytest.param(lines(2, 3, b"B", b"", b"C"), b"a\nb\nc\nd\n", b"a\nB\n\nC\nd\n", id="two lines become three"),
        pytest.param(lines(2, 2), b"a\nb\nc\n", b"a\nc\n", id="none"),
        pytest.param(lines(2, 2, b""), b"a\nb\nc\n", b"a\nc\n", id="one empty line counts as none"),
        pytest.param(lines(1, 1, b"x"), b"", b"x", id="an empty file, and no line end is put"),
        pytest.param(lines(1, 9, b"x"), b"a\nb\n", b"x", id="beyond the end, the last line end goes too"),
        pytest.param(lines(3, 2, b"x"), b"a\nb\nc\n", b"a\nb\nx\nc\n", id="before a line"),
        pytest.param(lines(1, 1, b"x"), b"a\r\nb\r\n", b"x\nb\n", id="CRLF ends become LF"),
        pytest.param(lines(2, 2, b"B", bash=True), b"a\nb\nc\n", b"a\nB\nc\n", id="shell: one line"),
        pytest.param(lines(2, 2, bash=True), b"a\nb\nc\n", b"a\nc\n", id="shell: none"),
        pytest.param(lines(2, 2, b"", bash=True), b"a\nb\nc\n", b"a\n\nc\n", id="shell: an empty line is one"),
        pytest.param(lines(1, 9, b"x", bash=True), b"a\nb\n", b"x\n", id="shell: beyond the end"),
        pytest.param(lines(1, 1, b"x", bash=True), b"a\nb", b"x\nb\n", id="shell: the last line is ended"),
        pytest.param(lines(1, 1, b"x", bash=True), b"a\r\nb\r\n", b"x\nb\r\n", id="shell: CRLF ends stay"),
        pytest.param(lines(1, 1, bash=True), b"a\n", b"\n", id="shell: nothing left is an empty line"),
        pytest.param(lines(1, 1, b"x", bash=True), b"", b"x\n", id="shell: an empty file"),
        pytest.param(replace(b"a", b"b"), b"a\r\n", b"b\n", id="unique in the file"),
        pytest.param(replace(b"a", b"b", (2, 3)), b"a\na\nc\na\n", b"a\nb\nc\na\n", id="unique in the window"),
        pytest.param(replace(b"a\nb", b"", (2, 3)), b"x\na\nb\ny\n", b"x\ny\n", id="the whole window goes"),
        pytest.param(replace(b"a", b"b", (2, 2), whole=True), b"a\na\n", b"b\nb\n", id="all, not only what is shown"),
        pytest.param(WindowInsert(path="a", text=b"x\n", line=1), b"a\nb\n", b"a\nx\nb\n", id="insert after a line"),
        pytest.param(WindowInsert(path="a", text=b"x"), b"a\nb\n", b"a\nb\nx", id="insert at the end, no line end"),
        pytest.param(WindowInsert(path="a", text=b"x\n\n"), b"", b"x\n", id="insert in an empty file"),
        pytest.param(WindowInsert(path="a", text=b"x", line=-1), b"\na\n", b"x\na\n", id="insert before the first"),
        pytest.param(WindowInsert(path="a", text=b""), b"a\n", b"a\n", id="insert nothing"),
    ],
)
def test_applies(edit: Edit, before: bytes, after: bytes) -> None:
    assert edit.outcome(before) == after


@pytest.mark.parametrize(
    ("edit", "before", "message"),
    [
        (lines(1, 1, b"x"), None, "there is no such file"),
        (lines(0, 1, b"x", bash=True), b"a\n", "line 0 is none, lines count from 1"),
        (replace(b"a", b"b"), None, "there is no such file"),
        (replace(b"a", b"b"), b"a\na\n", "the old text was shown 2 times, expected once"),
        (replace(b"x y", b"b"), b"x z\n", "the old text is not in the file; nearest is line 1: 'x z'"),
        (
            replace(b"abc", b"b", (2, 3)),
            b"abc\nx\ny\n",
            "the old text is not in the lines 2 to 3 that were shown; nearest is line 1: 'abc'",
        ),
        (WindowInsert(path="a", text=b"x"), None, "there is no such file"),
    ],
)
def test_does_not_guess(edit: Edit, before: bytes | None, message: str) -> None:
    with pytest.raises(CannotApply) as caught:
        edit.outcome(before)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("observation", "window"),
    [
        ("[File: /w/a.py (3 lines total)]\n1:a\n2:b\n3:c", Window("/w/a.py", 1, 3)),
        ("[File: /w/a.py (30 lines total)]\r\n(10 more lines above)\r\n11:x\r\n(5 more lines below)", Window("/w/a.py", 11, 25)),
        ("[File: /w/a (1).py (9 lines total)]\n1:(4 more lines below)\n", Window("/w/a (1).py", 1, 9)),
        ("[File: /w/a.py (9 lines total)]\n1:b\n--\n[File: /w/a.py (8 lines total)]\n1:a", Window("/w/a.py", 1, 8)),
        ("1:[File: /w/a.py (9 lines total)]", None),
        ("", None),
    ],
)  # fmt: skip
def test_what_an_observation_shows(observation: str, window: Window | None) -> None:
    assert shown_in(observation) == window


def test_what_was_written_is_the_new_text() -> None:
    assert lines(1, 2, b"a", b"b").written == b"a\nb"
    assert replace(b"a", b"b").written == b"b"
    assert WindowInsert(path="a", text=b"x").written == b"x"
