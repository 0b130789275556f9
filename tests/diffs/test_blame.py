"""Which step wrote each line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diffs.blame import Blame, Match, matches, split, standing

_CONTENT = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d"]), max_size=12).map(b"".join)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (None, []),
        (b"", []),
        (b"a", [b"a"]),
        (b"a\n", [b"a\n"]),
        (b"a\r\nb\rc\n\n", [b"a\r\n", b"b\rc\n", b"\n"]),
    ],
)
def test_split(content: bytes | None, lines: list[bytes]) -> None:
    assert split(content) == lines


def test_matches_around_a_change() -> None:
    old, new = split(b"a\nb\nc\nd\n"), split(b"a\nx\nc\ny\nd\n")
    assert list(matches(old, new)) == [Match(0, 0, 1), Match(2, 2, 1), Match(3, 4, 1)]


@given(_CONTENT, _CONTENT)
def test_matches_are_of_equal_lines_in_order(one: bytes, other: bytes) -> None:
    old, new = split(one), split(other)
    end = (0, 0)
    for match in matches(old, new):
        assert old[match.old : match.old + match.size] == new[match.new : match.new + match.size]
        assert (match.old, match.new) >= end
        assert match.old >= end[0]
        assert match.new >= end[1]
        end = (match.old + match.size, match.new + match.size)


def test_a_line_is_blamed_on_the_step_that_wrote_it() -> None:
    blame = Blame(b"a\nb\nc\n")
    blame.edit(b"a\nB\nc\n", 3)
    blame.edit(b"a\nB\nc\nd\ne\n", 5)
    blame.edit(b"a\nB\nd\ne\n", 7)
    assert blame.steps == [0, 3, 5, 5]


def test_a_new_file_is_the_step_s_and_a_deletion_leaves_nothing() -> None:
    blame = Blame(None)
    blame.edit(b"a\nb\n", 2)
    assert blame.steps == [2, 2]
    blame.edit(None, 4)
    assert blame.steps == []


@given(st.lists(_CONTENT, min_size=1, max_size=6))
def test_every_line_has_a_step(contents: list[bytes]) -> None:
    blame = Blame(contents[0])
    for step, content in enumerate(contents[1:], 1):
        blame.edit(content, step)
    assert len(blame.steps) == len(split(contents[-1]))
    assert all(0 <= step < len(contents) for step in blame.steps)


def test_long_stretches_without_anything_in_common_are_new() -> None:
    blame = Blame(b"".join(b"%d\n" % n for n in range(2100)))
    blame.edit(b"".join(b"x%d\n" % n for n in range(2100)), 1)
    assert set(blame.steps) == {1}


@given(_CONTENT, _CONTENT)
def test_a_line_that_is_still_there_stands_where_it_is(old: bytes, new: bytes) -> None:
    before, after = split(old), split(new)
    kept = {match.old + at: match.new + at for match in matches(before, after) for at in range(match.size)}
    for line in range(1, len(before) + 1):
        found = standing(before, after, line)
        assert 1 <= found <= max(1, len(after))
        assert found == kept.get(line - 1, found - 1) + 1


def test_a_line_that_is_there_very_often_starts_no_match() -> None:
    old, new = ([b"\n" if at % 2 else b"%s%d\n" % (name, at) for at in range(2000)] for name in (b"a", b"b"))
    old[500], new[500] = b"x\n", b"x\n"
    assert list(matches(old, new)) == [Match(499, 499, 3), Match(1999, 1999, 1)]
