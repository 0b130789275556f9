"""Unified diffs: every hunk exactly in its place, or an explanation."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.edit import Move, Replace
from gate.editing.unified import Diffed, FileDiff, Hunk, parse, patched
from gate.errors import CannotApply, RecordingError


def hunks(text: str) -> tuple[Hunk, ...]:
    (file,) = parse(text)
    return file.hunks


def test_what_a_diff_says() -> None:
    text = (
        "\ndiff --git a/x y.py b/x y.py\nindex 0000000..0000000 100644\n--- a/x y.py\n+++ b/x y.py\t2026\n"
        "@@ -2,2 +2,3 @@ def f():\n a\n-b\n+c\n+d\n"
        "diff --git a/dev/null b/n\ncreate file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+--- n\n"
    )
    assert parse(text) == (
        FileDiff("x y.py", "x y.py", (Hunk(1, ((b" ", b"a\n"), (b"-", b"b\n"), (b"+", b"c\n"), (b"+", b"d\n"))),)),
        FileDiff("/dev/null", "n", (Hunk(0, ((b"+", b"--- n\n"),)),)),
    )


def test_a_diff_without_a_header() -> None:
    assert parse("@@ -1 +1 @@\n-a\n+b\n") == (FileDiff("", "", (Hunk(0, ((b"-", b"a\n"), (b"+", b"b\n"))),)),)


@pytest.mark.parametrize("text", ["", "no diff", "Binary files a/x and b/x differ\n", "--- a/x\n+++ b/x\n"])
def test_no_hunks(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    ("before", "diff", "after"),
    [
        pytest.param(b"a\nb\nc\n", "@@ -2 +2 @@\n-b\n+x\n", b"a\nx\nc\n", id="one line"),
        pytest.param(b"a\nb\n", "@@ -1,0 +2 @@\n+x\n", b"a\nx\nb\n", id="added behind the first"),
        pytest.param(b"a\n", "@@ -0,0 +1 @@\n+x\n", b"x\na\n", id="added before the first"),
        pytest.param(b"", "@@ -0,0 +1,2 @@\n+x\n+y\n", b"x\ny\n", id="an empty file"),
        pytest.param(None, "@@ -0,0 +1 @@\n+x\n", b"x\n", id="no file"),
        pytest.param(b"a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", b"", id="nothing left"),
        pytest.param(b"a\nb\nc\n", "@@ -1 +1 @@\n-a\n+x\n@@ -3 +3 @@\n-c\n+y\n", b"x\nb\ny\n", id="two hunks"),
        pytest.param(b"a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n", b"a\r\nc\r\n", id="crlf"),
        pytest.param(
            b"a\rb\n\xe2\x80\xa8c\n", "@@ -1,2 +1,2 @@\n a\rb\n-\u2028c\n+d\n", b"a\rb\nd\n", id="only lf ends a line"
        ),
        pytest.param(
            b"a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", b"a\nb\n", id="an end is added"
        ),
        pytest.param(
            b"a\nb\n",
            "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
            b"a\nb",
            id="an end is taken away",
        ),
        pytest.param(b"a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", b"a\n\nc\n", id="a blank line without its mark"),
        pytest.param(b"a\nb", "@@ -2 +2 @@\n-b\n+c", b"a\nc", id="no mark and no end: as it was"),
    ],
)
def test_in_place(before: bytes | None, diff: str, after: bytes) -> None:
    assert patched(before, hunks(diff)) == after


@pytest.mark.parametrize(
    ("before", "diff", "after"),
    [
        pytest.param(b"a\nb\n", "@@ -1,3 +1,4 @@\n a\n b\n+c\n \n", b"a\nb\nc\n", id="the end as a line"),
        pytest.param(b"a\nb\n", "@@ -1,3 +1,2 @@\n a\n b\n-\n", b"a\nb", id="taken away"),
        pytest.param(b"a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+\n", b"a\nb\n", id="added"),
        pytest.param(b"a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", b"a\nb\nc", id="not there"),
    ],
)
def test_tools_that_count_the_nothing_behind_the_last_end(before: bytes, diff: str, after: bytes) -> None:
    assert patched(before, hunks(diff)) == after


@pytest.mark.parametrize(
    ("before", "diff", "message"),
    [
        pytest.param(
            b"x\na\nb\n",
            "@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
            "the recorded diff does not fit at line 1; nearest is line 2: 'a'",
            id="a line further down",
        ),
        pytest.param(
            b"a\nbc d\n",
            "@@ -1,2 +1,2 @@\n a\n-bc e\n+c\n",
            "the recorded diff does not fit at line 2; nearest is line 2: 'bc d'",
            id="another line",
        ),
        pytest.param(
            b"a\r\n",
            "@@ -1 +1 @@\n-a\n+b\n",
            "the recorded diff does not fit at line 1; only the line ends differ from line 1 on: CRLF in the file, LF in "
            "what is looked for",
            id="crlf",
        ),
        pytest.param(
            b"a\n",
            "@@ -4,0 +5 @@\n+b\n",
            "the recorded diff does not fit at line 5; the file has 1 lines",
            id="behind the end",
        ),
        pytest.param(None, "@@ -1 +1 @@\n-a\n+b\n", "there is no such file", id="no file"),
    ],
)
def test_out_of_place(before: bytes | None, diff: str, message: str) -> None:
    with pytest.raises(CannotApply) as error:
        patched(before, hunks(diff))
    assert error.value.message == message


@pytest.mark.parametrize(
    ("diff", "problem"),
    [
        pytest.param(
            "@@ -1,2 +1,2 @@\n a\n",
            "line 3: expected more lines of the hunk, found its end",
            id="cut off behind a line",
        ),
        pytest.param("@@ -1,2 +1,2 @@\n a", "line 3: expected more lines of the hunk, found its end", id="cut off"),
        pytest.param(
            "@@ -1 +1 @@\nx\n", "line 2: expected a line that begins with a space, `+` or `-`, found 'x'", id="no mark"
        ),
        pytest.param(
            "@@ -1 +1,2 @@\n-a\n-b\n+c\n+d\n",
            "line 4: expected as many lines as the head of the hunk says, found '+c'",
            id="counts",
        ),
        pytest.param(
            "@@ class A:\n-a\n",
            "line 1: expected `@@ -LINE,COUNT +LINE,COUNT @@`, found '@@ class A:'",
            id="no numbers",
        ),
        pytest.param(
            "@@ -1111111111111111 +1 @@\n",
            "line 1: expected `@@ -LINE,COUNT +LINE,COUNT @@`, found '@@ -1111111111111111 +1 @@'",
            id="a number beyond any file",
        ),
    ],
)
def test_what_is_no_diff(diff: str, problem: str) -> None:
    with pytest.raises(RecordingError) as error:
        parse(diff)
    assert error.value.message == f"the diff cannot be read: {problem}"
    assert error.value.kind == "diff_syntax"


def test_the_diff_goes_before_the_call() -> None:
    edit = Diffed(path="a", hunks=hunks("@@ -1 +1 @@\n-a\n+b\n"), edit=Replace(path="a", old=b"a", new=b"c"))
    assert edit.apply(b"a\n") == b"b\n"
    assert edit.apply(b"x a\n") == b"x c\n"  # the diff does not fit here, the call does
    assert edit.written == b"b\n"
    with pytest.raises(CannotApply, match=r"^the old text is not in the file"):
        edit.apply(b"x\n")


def test_a_diff_alone() -> None:
    moved = Move(path="a", to="b", edit=Diffed(path="a", hunks=hunks("@@ -1 +1 @@\n-a\n+b\n")))
    assert moved.apply(b"a\n") == b"b\n"
    assert moved.written == b"b\n"
    with pytest.raises(CannotApply, match=r"^the recorded diff does not fit at line 1"):
        moved.apply(b"x\n")


_TEXT = st.lists(st.sampled_from(["a", "b", "", "-x", "+y", "\\ z", "@@ -1 +1 @@", "c\r", "\u2028"]), max_size=9)


@given(_TEXT, _TEXT, st.integers(0, 3), st.booleans())
def test_a_diff_of_two_texts_makes_one_of_the_other(old: list[str], new: list[str], context: int, end: bool) -> None:
    """As difflib writes it, with git's mark where the last line has no end."""
    before, after = ("\n".join(lines) + "\n" * (end and bool(lines)) for lines in (old, new))
    diff = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(_lines(before), _lines(after), "a/f", "b/f", n=context)
    )
    found = parse(diff)
    assert patched(before.encode(), found[0].hunks if found else ()) == after.encode()


def _lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
