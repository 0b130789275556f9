"""Which lines of one text became which of another: the fewest changes, placed where git places them.

The fewest changes are found as in Myers' "An O(ND) difference algorithm"; a stretch of changes that could as well
stand a few lines up or down is then moved beside a change of the other side, or to where its indentation fits best
(`diff.indentHeuristic`, on in git since 2.14).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from gate.diffs.blame import common_ends

_FARTHEST = 256  # steps from either end before a middle is taken that need not be the best, as git does
_MOST_STEPS = 8_000_000  # some seconds: files of tens of thousands of lines in another order take more
_LONGEST_SLIDE = 100


class Change(NamedTuple):
    """Lines `old` to `old_end` became lines `new` to `new_end`, all counted from 0; either side may be empty."""

    old: int
    old_end: int
    new: int
    new_end: int


def changes(old: Sequence[bytes], new: Sequence[bytes], *, steps: int = _MOST_STEPS) -> list[Change]:
    """The stretches that differ, in order.

    After so many steps the rest is told apart by the lines that each side has once: the changes still lead from one
    text to the other, and may be more than git finds.
    """
    left, right = _Side(old), _Side(new)
    _mark(left, right, steps)
    left.group()
    right.group()
    left.slide(right)
    right.slide(left)
    return [
        Change(*one, *other)
        for one, other in zip(left.groups, right.groups, strict=True)
        if one[0] < one[1] or other[0] < other[1]
    ]


class _Side:
    """The lines of one text, and which of them are changed.

    `groups[k]` is the stretch of changed lines, often empty, behind the k-th line that both texts have.
    """

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.changed = [False] * len(lines)
        self.groups: list[tuple[int, int]] = []

    def group(self) -> None:
        start = 0
        for at, changed in enumerate(self.changed):
            if not changed:
                self.groups.append((start, at))
                start = at + 1
        self.groups.append((start, len(self.lines)))

    def slide(self, other: "_Side") -> None:
        """Move every stretch that can be moved to its best place."""
        number = 0
        while number < len(self.groups):
            start, end = self.groups[number]
            if start < end:
                number = self._settle(number, other)
            number += 1

    def _settle(self, number: int, other: "_Side") -> int:
        """Move one stretch, joining those that it meets; the number that it has afterwards."""
        size = -1
        while size != self._size(number):
            size = self._size(number)
            while self._up(number):
                number -= 1
            first, beside = number, number if other._size(number) else None
            while self._down(number):
                number += 1
                beside = number if other._size(number) else beside
        if beside is None and number > first:
            beside = self._best(first, number)
        while beside is not None and number > beside:
            self._up(number)
            number -= 1
        return number

    def _size(self, number: int) -> int:
        start, end = self.groups[number]
        return end - start

    def _up(self, number: int) -> bool:
        start, end = self.groups[number]
        if not number or self.lines[start - 1] != self.lines[end - 1]:
            return False
        self.groups[number - 1] = (self.groups[number - 1][0], end - 1)
        self.groups[number] = (end, end)
        return True

    def _down(self, number: int) -> bool:
        start, end = self.groups[number]
        if number + 1 >= len(self.groups) or self.lines[start] != self.lines[end]:
            return False
        self.groups[number + 1] = (start + 1, self.groups[number + 1][1])
        self.groups[number] = (start, start)
        return True

    def _best(self, first: int, last: int) -> int:
        """Of the places from `first` to `last`, where the stretch now is, the one whose edges look most natural."""
        start, end = self.groups[last]
        reach = min(last - first, end - start + 1, _LONGEST_SLIDE)
        best, least = last, (0, 0)
        for up in range(reach, -1, -1):
            one, other = self._edge(end - up), self._edge(start - up)
            score = one[0] + other[0], one[1] + other[1]
            if up == reach or 60 * ((score[0] > least[0]) - (score[0] < least[0])) + score[1] - least[1] <= 0:
                best, least = last - up, score
        return best

    def _edge(self, at: int) -> tuple[int, int]:
        """How deeply the line behind an edge is indented, and how unnatural an edge is there; low is good."""
        own = self._indent(at) if at < len(self.lines) else None
        above, blanks_above = self._next_indent(at - 1, -1)
        below, blanks_below = self._next_indent(at + 1, 1)
        badness = (above is None and not blanks_above) + 21 * (at >= len(self.lines))
        blanks_after = 0 if own is not None else 1 + blanks_below
        blank = blanks_above + blanks_after
        badness += 6 * blanks_after - 30 * blank
        indent = below if own is None else own
        if indent is not None and above is not None and indent != above:
            if indent > above:
                badness += 10 if blank else -4
            elif below is not None and below > indent:
                badness += 17 if blank else 24
            else:
                badness += 17 if blank else 23
        return (-1 if indent is None else indent), badness

    def _indent(self, at: int) -> int | None:
        """The width of the white space that begins a line; None for a line of nothing else."""
        width = 0
        for character in self.lines[at][:200]:
            if character == 9:
                width += 8 - width % 8
            elif character == 32:
                width += 1
            elif character not in b"\n\v\f\r":
                return width
        return None

    def _next_indent(self, at: int, step: int) -> tuple[int | None, int]:
        """The indentation of the nearest line that is not blank, and how many blank ones come before it."""
        blank = 0
        while 0 <= at < len(self.lines) and blank < 20:
            indent = self._indent(at)
            if indent is not None:
                return indent, blank
            blank += 1
            at += step
        return (0 if blank == 20 else None), blank


def _mark(left: _Side, right: _Side, steps: int) -> None:
    """Mark the lines that are not in the longest common subsequence."""
    start, end = common_ends(left.lines, right.lines)
    known: dict[Hashable, int] = {}
    numbered = [
        [(known.setdefault(side.lines[at], len(known)), at) for at in range(start, len(side.lines) - end)]
        for side in (left, right)
    ]
    shared = {line for line, _ in numbered[0]} & {line for line, _ in numbered[1]}
    kept = []
    for side, lines in zip((left, right), numbered, strict=True):
        kept.append([pair for pair in lines if pair[0] in shared])
        for line, at in lines:
            side.changed[at] = line not in shared
    _compare(left, right, kept, steps)


def _compare(left: _Side, right: _Side, kept: list[list[tuple[int, int]]], steps: int) -> None:
    """Mark what differs between numbered lines, halving the problem at the middle of a shortest way through it."""
    old, new = kept
    ones, others = [line for line, _ in old], [line for line, _ in new]
    waiting = [(0, len(ones), 0, len(others))]
    while waiting:
        low, high, start, end = waiting.pop()
        while low < high and start < end and ones[low] == others[start]:
            low, start = low + 1, start + 1
        while low < high and start < end and ones[high - 1] == others[end - 1]:
            high, end = high - 1, end - 1
        if low < high and start < end and steps > 0:
            x, y, taken = _middle(ones[low:high], others[start:end])
            steps -= 2 * taken * taken
            waiting += [(low, low + x, start, start + y), (low + x, high, start + y, end)]
            continue
        same = _once(ones[low:high], others[start:end]) if low < high and start < end else []
        for _, at in old[low:high]:
            left.changed[at] = True
        for _, at in new[start:end]:
            right.changed[at] = True
        for x, y in same:
            left.changed[old[low + x][1]] = right.changed[new[start + y][1]] = False


def _once(ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
    """The longest series of lines in the same order that each side has once, as in a patience diff."""
    counts = Counter(ones), Counter(others)
    places = {line: at for at, line in enumerate(others)}
    last: list[int] = []  # of the series of each length the smallest end, as a place in the others, and its pair
    pairs: list[tuple[int, int, int]] = []  # with the pair before it
    ends: list[int] = []
    for at, line in enumerate(ones):
        if counts[0][line] == 1 == counts[1][line]:
            length = bisect_left(last, places[line])
            last[length : length + 1] = [places[line]]
            ends[length : length + 1] = [len(pairs)]
            pairs.append((at, places[line], ends[length - 1] if length else -1))
    found: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        x, y, number = pairs[number]
        found.append((x, y))
    return found


def _middle(ones: Sequence[int], others: Sequence[int]) -> tuple[int, int, int]:
    """A point on a shortest way from the beginning to the end of both, neither empty; and the steps to it."""
    n, m = len(ones), len(others)
    delta = n - m
    forward, backward = {1: 0}, {delta - 1: n}
    for steps in range((n + m + 1) // 2 + 1):
        for k in range(steps, -steps - 1, -2):
            if k < -m or k > n:
                continue
            down = k == -steps or (k != steps and forward.get(k - 1, -1) < forward.get(k + 1, -1))
            x = forward.get(k + 1, 0) if down else forward.get(k - 1, -1) + 1
            y = x - k
            while 0 <= x < n and 0 <= y < m and ones[x] == others[y]:
                x, y = x + 1, y + 1
            forward[k] = x
            if delta % 2 and abs(k - delta) < steps and x >= backward.get(k, n + 1):
                return x, y, steps
        for k in range(delta + steps, delta - steps - 1, -2):
            if k < -m or k > n:
                continue
            left = k == delta + steps or (
                k != delta - steps and backward.get(k - 1, n + 1) < backward.get(k + 1, n + 1)
            )
            x = backward.get(k - 1, n) if left else backward.get(k + 1, n + 1) - 1
            y = x - k
            while 0 < x <= n and 0 < y <= m and ones[x - 1] == others[y - 1]:
                x, y = x - 1, y - 1
            backward[k] = x
            if not delta % 2 and abs(k) <= steps and x <= forward.get(k, -1):
                return x, y, steps
        if steps >= _FARTHEST:
            break
    k = max((k for k, x in forward.items() if x <= n and 0 <= x - k <= m), key=lambda k: 2 * forward[k] - k)
    return forward[k], forward[k] - k, steps
