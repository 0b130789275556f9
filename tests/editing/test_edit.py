"""What a recorded edit makes of a file, and what is said where it does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.edit import Delete, Edit, Insert, Move, Replace, TextReplace, Write
from gate.errors import CannotApply


def replace(old: bytes, new: bytes, *, everywhere: bool = False) -> Replace:
    return Replace(path="a", old=old, new=new, all=everywhere)


def text(old: bytes, new: bytes, *, before: bytes | None = None, after: bytes | None = None) -> TextReplace:
    return TextReplace(path="a", old=old, new=new, before=before, after=after)


@pytest.mark.parametrize(
    ("edit", "content", "expected"),
    [
        pytest.param(Write(path="a", content=b"new"), None, b"new", id="a new file"),
        pytest.param(Write(path="a", content=b""), b"old", b"", id="a file emptied"),
        pytest.param(replace(b"b", b"c"), b"abd", b"acd", id="one place"),
        pytest.param(replace(b"b", b"c", everywhere=True), b"bab", b"cac", id="every place"),
        pytest.param(
            replace(b"a", b"b" * 4097, everywhere=True), b"a" * 400, b"b" * 1_638_800, id="a little that becomes more"
        ),
        pytest.param(replace(b"a", b"b" * 3_000_000), b"a", b"b" * 3_000_000, id="much that the recording holds"),
        pytest.param(replace(b"", b"new"), None, b"new", id="no old text and no file"),
        pytest.param(replace(b"", b"new"), b"", b"new", id="no old text and an empty file"),
        pytest.param(replace(b"a\n", b"b\n"), b"a\r\na\n", b"a\r\nb\n", id="bytes are bytes"),
        pytest.param(text(b"a\nb", b"c\nd"), b"a\r\nb\r\n", b"c\r\nd\r\n", id="text in a file with crlf"),
        pytest.param(text(b"b", b"c"), b"a\r\nb\r\nc\n", b"a\r\nc\r\nc\r\n", id="text in a mixed file: most win"),
        pytest.param(text(b"a", b"b"), "\ufeffa".encode("utf-16-le"), "\ufeffb".encode("utf-16-le"), id="utf-16"),
        pytest.param(text(b"", b"a\n"), None, b"a\n", id="text that makes a file"),
        pytest.param(Insert(path="a", line=0, text=b"x\n"), b"a\nb\n", b"x\na\nb\n", id="before the first line"),
        pytest.param(Insert(path="a", line=2, text=b"x\n"), b"a\nb\n", b"a\nb\nx\n", id="after the last line"),
        pytest.param(Insert(path="a", line=1, text=b"x\n"), b"a\rb\nc\n", b"a\rb\nx\nc\n", id="a lone cr ends no line"),
        pytest.param(Delete(path="a"), b"a", None, id="deleted"),
        pytest.param(Move(path="a", to="b"), b"a", b"a", id="moved"),
    ],
)
def test_apply(edit: Edit, content: bytes | None, expected: bytes | None) -> None:
    assert edit.apply(content) == expected


@pytest.mark.parametrize(
    ("edit", "content", "message"),
    [
        pytest.param(
            replace(b"y = 4", b"z"),
            b"x = 1\ny = 2\n",
            "the old text is not in the file; nearest is line 2: 'y = 2'",
            id="not there",
        ),
        pytest.param(
            replace(b"\n  def ad(a):\n", b""),
            b"class A:\n  def add(a):\n    pass\n",
            "the old text is not in the file; nearest is line 2: 'def add(a):'",
            id="the first line with something on it counts",
        ),
        pytest.param(
            replace(b"entirely", b""),
            b"1\n2\n",
            "the old text is not in the file; nothing there is like it",
            id="nothing alike",
        ),
        pytest.param(
            replace(b"y = 2\r\nz", b""),
            b"x = 1\ny = 2\nz\n",
            "the old text is not in the file; only the line ends differ from line 2 on: LF in the file, CRLF in what is "
            "looked for",
            id="other line ends",
        ),
        pytest.param(
            replace(b"= 2\r\nz", b""),
            b"x = 1\ny = 2\nz\n",
            "the old text is not in the file; nearest is line 2: 'y = 2'",
            id="other line ends and less of the line",
        ),
        pytest.param(replace(b"a", b"b"), b"aa", "the old text is in the file 2 times, expected once", id="twice"),
        pytest.param(replace(b"", b"b"), b"a", "the old text is empty, but the file is not", id="no old text"),
        pytest.param(replace(b"a", b"b"), None, "there is no such file", id="no file to replace in"),
        pytest.param(text(b"a\r\nb", b""), None, "there is no such file", id="no file with text"),
        pytest.param(
            Insert(path="a", line=3, text=b""), b"a\n", "line 3 is not in a file of 1 lines", id="past the end"
        ),
        pytest.param(Insert(path="a", line=0, text=b""), None, "there is no such file", id="no file to insert in"),
        pytest.param(Delete(path="a"), None, "there is no such file", id="no file to delete"),
        pytest.param(Move(path="a", to="b"), None, "there is no such file", id="no file to move"),
    ],
)
def test_does_not_fit(edit: Edit, content: bytes | None, message: str) -> None:
    with pytest.raises(CannotApply) as caught:
        edit.apply(content)
    assert (caught.value.message, caught.value.kind) == (message, "replay_mismatch")


def test_a_little_that_would_become_a_lot() -> None:
    with pytest.raises(CannotApply) as caught:
        replace(b"a", b"b" * 4097, everywhere=True).apply(b"a" * 1025)
    assert (caught.value.message, caught.value.kind) == (
        "it repeats text to 4194304 bytes that no recording holds, more than the 2097152 that are kept",
        "expansion",
    )


@pytest.mark.parametrize(
    ("edit", "content", "expected"),
    [
        pytest.param(
            Replace(path="a", old=b"x", new=b"y", before=b"x", after=b"z"), b"?", b"z", id="the recorded content after"
        ),
        pytest.param(
            Replace(path="a", old=b"x", new=b"y", before=b"1x"), b"2x", b"1y", id="the recorded content before"
        ),
        pytest.param(Replace(path="a", old=b"x", new=b"y"), b"2x", b"2y", id="the file"),
        pytest.param(
            Replace(path="a", old=b"x", new=b"y", before=b"k = REDACTED\nx"),
            b"k = 1\nx",
            b"k = 1\ny",
            id="a content that was blacked out is not believed",
        ),
        pytest.param(
            Replace(path="a", old=b"x", new=b"y", before=b"REDACTED 1 x"),
            b"REDACTED 2 x",
            b"REDACTED 1 y",
            id="a mark that the file has itself is text",
        ),
        pytest.param(text(b"b", b"c", before=b"a\nb\n"), b"a\r\nb\r\n", b"a\r\nc\r\n", id="the same text, with crlf"),
        pytest.param(text(b"b", b"c", before=b"b\n"), b"a\r\nb\r\n", b"c\r\n", id="another text, in the file's ways"),
        pytest.param(text(b"b", b"c", before=b"b\n"), None, b"c\n", id="no file, but a content before"),
        pytest.param(text(b"b", b"c", after=b"d\n"), b"a\r\n", b"d\r\n", id="the text after, in the file's ways"),
        pytest.param(text(b"b", b"c", after=b"d\n"), None, b"d\n", id="the text after a file was made"),
    ],
)
def test_order_of_trust(edit: Edit, content: bytes | None, expected: bytes) -> None:
    assert edit.outcome(content) == expected


@pytest.mark.parametrize(
    ("edit", "written"),
    [
        (Write(path="a", content=b"1"), b"1"),
        (replace(b"1", b"2"), b"2"),
        (Insert(path="a", line=0, text=b"3"), b"3"),
        (Delete(path="a"), b""),
        (Move(path="a", to="b"), b""),
        (Edit(path="a", after=b"4"), b"4"),
    ],
)
def test_written(edit: Edit, written: bytes) -> None:
    assert edit.written == written


pieces = st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n"]), max_size=5).map(b"".join)


@given(pieces, pieces, pieces, pieces)
def test_a_replacement_changes_its_one_place_and_nothing_else(head: bytes, old: bytes, tail: bytes, new: bytes) -> None:
    content = head + old + tail
    if not old or content.find(old) != content.rfind(old):
        return
    assert replace(old, new).apply(content) == head + new + tail


@given(st.lists(st.sampled_from([b"", b"a", b"b\rc"])), st.data())
def test_an_insertion_adds_its_lines_and_nothing_else(lines: list[bytes], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(lines)))
    after = Insert(path="a", line=place, text=b"new\n").apply(b"".join(line + b"\n" for line in lines))
    assert after == b"".join(line + b"\n" for line in [*lines[:place], b"new", *lines[place:]])
