"""Which lines changed: always a way from one text to the other, and a short one."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gate.diffs.linediff import Change, changes

_LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b" c\n"]), max_size=20)


@given(_LINES, _LINES, st.sampled_from([0, 3, 1000]))
def test_the_changes_lead_from_one_text_to_the_other(old: list[bytes], new: list[bytes], steps: int) -> None:
    made, at = [], 0
    for change in changes(old, new, steps=steps):
        made += old[at : change.old] + new[change.new : change.new_end]
        at = change.old_end
    assert made + old[at:] == new


def test_after_too_many_steps_lines_that_are_there_once_are_kept() -> None:
    old = [b"%d\n" % number for number in (1, 2, 3, 9, 4, 5, 9)]
    new = [b"%d\n" % number for number in (9, 4, 1, 9, 2, 3, 5, 7)]
    assert changes(old, new, steps=0) == [
        Change(0, 0, 0, 2),
        Change(1, 1, 3, 4),
        Change(3, 5, 6, 6),
        Change(6, 7, 7, 8),
    ]


@given(_LINES, _LINES)
def test_no_fewer_changes_would_do(old: list[bytes], new: list[bytes]) -> None:
    row = [0] * (len(new) + 1)
    for line in old:
        last = row
        row = [0]
        for at, other in enumerate(new):
            row.append(last[at] + 1 if line == other else max(row[at], last[at + 1]))
    changed = sum(change.old_end - change.old for change in changes(old, new))
    assert changed == len(old) - row[-1]


def test_a_new_function_is_not_torn_apart() -> None:
    old = [b"def a():\n", b"    pass\n", b"\n", b"def c():\n", b"    pass\n"]
    new = [*old[:3], b"def b():\n", b"    pass\n", b"\n", *old[3:]]
    assert changes(old, new) == [Change(3, 3, 3, 6)]


def test_a_block_begins_where_its_indentation_does() -> None:
    old = [b"{\n", b"  a\n", b"}\n", b"{\n", b"  c\n", b"}\n"]
    new = [*old[:3], b"{\n", b"  b\n", b"}\n", *old[3:]]
    assert changes(old, new) == [Change(3, 3, 3, 6)]


def test_long_texts_that_share_next_to_nothing_come_to_an_end() -> None:
    old = [b"%d\n" % (number % 97) for number in range(1500)]
    new = [b"%d\n" % (number * 7 % 89) for number in range(1500)]
    found = changes(old, new)
    kept = [line for change, after in pairwise(found) for line in old[change.old_end : after.old]]
    assert kept == [line for one, other in pairwise(found) for line in new[one.new_end : other.new]]
    assert len(kept) > 30
