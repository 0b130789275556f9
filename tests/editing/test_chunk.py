"""Where the lines of a patch stand: the ladder of matches, ends of lines and of files."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.chunk import Chunk, kept, rewritten
from gate.errors import CannotApply


def chunk(text: str, context: str | None = None, *, last: bool = False) -> Chunk:
    """A chunk from its lines: ` a|-b|+c`."""
    return Chunk(context=context, lines=tuple((line[0], line[1:]) for line in text.split("|")), last=last)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        pytest.param("a  b", "a  b", id="exact"),
        pytest.param("a \t", "a", id="white space behind"),
        pytest.param("\t a", "a", id="white space before"),
        pytest.param("say “a” — now", 'say "a" - now', id="typographic signs"),
        pytest.param("a\u00a0b\u3000c", "a b c", id="other spaces"),
        pytest.param("\u200aa", "a", id="white space of unicode is trimmed"),
    ],
)
def test_rungs(line: str, wanted: str) -> None:
    assert kept(f"x\n{line}\ny\n", [chunk(f"-{wanted}|+z")]) == "x\nz\ny\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        pytest.param("a\x1c", "a", id="a control character is no white space"),
        pytest.param("a  b", "a b", id="white space inside counts"),
        pytest.param("A", "a", id="case counts"),
        pytest.param("é", "e\u0301", id="composition counts"),
    ],
)
def test_no_rung(line: str, wanted: str) -> None:
    with pytest.raises(CannotApply):
        kept(f"{line}\n", [chunk(f"-{wanted}|+z")])


def test_the_first_rung_that_has_a_place_decides() -> None:
    assert kept(" a\nb\na\nb\n", [chunk("-a|-b|+z")]) == " a\nb\nz\n"


def test_all_lines_of_a_chunk_are_on_one_rung() -> None:
    assert kept("a\nb \na \nb\n", [chunk("-a|-b|+z")]) == "z\na \nb\n"


@pytest.mark.parametrize(
    ("text", "chunks", "expected"),
    [
        pytest.param("a\na\n", [chunk("-a|+b"), chunk("-a|+c")], "b\nc\n", id="each from behind the one before"),
        pytest.param("f\na\ng\na\n", [chunk("-a|+b", "g")], "f\na\ng\nb\n", id="a context line seeks forward"),
        pytest.param("g\na\ng\na\n", [chunk("-a|+b"), chunk("-a|+c", "g")], "g\nb\ng\nc\n", id="from there on"),
        pytest.param("a\nx\na\n", [chunk("-a|+b", last=True)], "a\nx\nb\n", id="at the end of the file"),
        pytest.param("a\n", [chunk("+b")], "a\nb\n", id="added lines alone go to the end"),
        pytest.param("a\nx\n", [chunk("+b", "a")], "a\nx\nb\n", id="wherever their context line is"),
        pytest.param("x\na\n", [chunk("+b"), chunk("-x|+y")], "y\na\nb\n", id="in the order of the file"),
        pytest.param("a", [chunk("-a|+b")], "b\n", id="the last line gets an end"),
        pytest.param("x\na", [chunk("-x|+y")], "y\na\n", id="also one that is not touched"),
        pytest.param("", [chunk("+a")], "a\n", id="an empty file"),
        pytest.param("a\n", [chunk("-a|- |+b".replace("- ", "-"))], "b\n", id="a blank line for the last line's end"),
        pytest.param("a\nb\n", [chunk("-a|-b")], "", id="nothing left"),
        pytest.param("x\na\n", [chunk("-a| ")], "x\n", id="a blank context line for the last line's end"),
        pytest.param("a\n", [chunk(" |+b")], "\nb\na\n", id="nothing but a blank line, where there is none"),
        pytest.param("a\n\n", [chunk("-a|+b")], "b\n\n", id="blank lines at the end"),
    ],
)
def test_places(text: str, chunks: list[Chunk], expected: str) -> None:
    assert kept(text, chunks) == expected


@pytest.mark.parametrize(
    ("text", "chunks", "keeping", "rewriting"),
    [
        pytest.param("a\r\nb\r\n", [chunk(" a|-b|+c")], "a\r\nc\r\n", "a\nc\n", id="crlf"),
        pytest.param("a\r\nb\r\nx\r\n", [chunk("-a|+c")], "c\r\nb\r\nx\r\n", "c\nb\r\nx\r\n", id="crlf elsewhere"),
        pytest.param("a\nb\r\n", [chunk("-b|+c|+d")], "a\nc\nd\n", "a\nc\nd\n", id="the first end decides"),
        pytest.param("“a”\nb\n", [chunk(' "a"|-b|+c')], "“a”\nc\n", '"a"\nc\n', id="a context line that is like it"),
        pytest.param("a \nb\n", [chunk(" a|-b|+c")], "a \nc\n", "a\nc\n", id="white space behind a context line"),
        pytest.param("a\n\n", [chunk("-a|+b")], "b\n\n", "b\n", id="a blank line at the end"),
        pytest.param("a\n\n", [chunk("+b")], "a\n\nb\n", "a\nb\n", id="added lines behind a blank one"),
        pytest.param("x\na\nb\n", [chunk("-b|+c"), chunk("-x|+y", last=True)], None, None, id="an end that is none"),
    ],
)
def test_keeping_and_rewriting(text: str, chunks: list[Chunk], keeping: str | None, rewriting: str | None) -> None:
    for work, expected in ((kept, keeping), (rewritten, rewriting)):
        if expected is None:
            with pytest.raises(CannotApply):
                work(text, chunks)
        else:
            assert work(text, chunks) == expected


@pytest.mark.parametrize(
    ("text", "chunks", "message"),
    [
        pytest.param(
            "alpha one\nbeta\n",
            [chunk("-alpha two|-beta|+c")],
            "the line 'alpha two' and 1 more of the patch is not in the file from line 1 on; "
            "nearest is line 1: 'alpha one'",
            id="lines",
        ),
        pytest.param(
            "a\nb\n",
            [chunk("-b|+c"), chunk("-a|+c")],
            "the line 'a' of the patch is not in the file from line 3 on; nearest is line 1: 'a'",
            id="a line that stands before",
        ),
        pytest.param(
            "x\na\na\n",
            [chunk("-a|-b")],
            "the line 'a' and 1 more of the patch is not in the file from line 1 on; nearest is line 2: 'a'",
            id="a second line that is another, at the end too",
        ),
        pytest.param(
            "a\n",
            [chunk("-a|+c", "def f():")],
            "the line 'def f():' of the patch is not in the file from line 1 on; nothing there is like it",
            id="a context line",
        ),
        pytest.param(
            "a\na\n",
            [chunk("-a|-a|+b"), chunk("-a|+c", last=True)],
            "the line 'a' of the patch is not in the file from line 3 on; nearest is line 1: 'a'",
            id="the end of the file stands before",
        ),
    ],
)
def test_messages(text: str, chunks: list[Chunk], message: str) -> None:
    with pytest.raises(CannotApply) as error:
        kept(text, chunks)
    assert error.value.message == message
    assert error.value.kind == "replay_mismatch"


def test_chunks_over_the_same_lines() -> None:
    """The end of the file may be sought before what an earlier chunk took, where the tool rewrites."""
    chunks = [chunk("-a|-b|+c"), chunk("-b|+d", last=True)]
    assert rewritten("x\na\nb\n", chunks) == "x\nc\n"
    with pytest.raises(CannotApply):
        kept("x\na\nb\n", chunks)


_LINES = st.lists(st.sampled_from(["a", "b", " a", "b ", "", "“c”", "\td"]), max_size=8)


@given(old=_LINES, new=_LINES, end=st.sampled_from(["\n", "\r\n"]))
def test_a_whole_file_becomes_another(old: list[str], new: list[str], end: str) -> None:
    """A chunk that takes every old line away and puts every new one there."""
    if not (old and new):
        return
    chunks = [Chunk(lines=tuple([("-", line) for line in old] + [("+", line) for line in new]))]
    assert kept("".join(line + end for line in old), chunks) == "".join(line + end for line in new)


@given(lines=_LINES, at=st.integers(0, 7), ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=8, max_size=8))
def test_other_lines_stay_as_they_are(lines: list[str], at: int, ends: list[str]) -> None:
    if at >= len(lines):
        return
    before = [line + end for line, end in zip(lines, ends, strict=False)]
    text = "".join(before)
    marks = tuple(("-" if number == at else " ", line) for number, line in enumerate(lines[: at + 1]))
    if any(line.endswith("\r") and other.startswith("\n") for line, other in pairwise(before)):
        return  # a lone CR and an LF from the next line are one end
    assert kept(text, [Chunk(lines=marks)]) == "".join(before[:at] + before[at + 1 :])
