"""Which recorded step wrote each line of a file, and which lines two contents share."""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO

import msgspec

_MOST = 4_000_000
"""Above this many pairs of lines two stretches are not compared line by line: all of the new one counts as new."""

_MOST_EQUAL = 200_000  # pairs of the same line, such as a blank one, before lines that are there often start no match


class Match(msgspec.Struct, frozen=True):
    """A stretch of `size` lines that stands at line `old` of one content and at line `new` of another, from 0."""

    old: int
    new: int
    size: int


def split(content: bytes | None) -> list[bytes]:
    """The lines of a content, ends kept, at LF only; no line for no content."""
    return BytesIO(content or b"").readlines()


def common_ends(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    """How many lines both begin with, and how many of those behind them both end with."""
    start = 0
    most = min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def matches(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Match]:
    """The stretches that both have, in order: the common beginning and end, and between them the longest matches.

    Where several of them would do, git may have chosen others; what `git diff` says, `linediff.changes` finds out.
    """
    start, end = common_ends(old, new)
    if start:
        yield Match(0, 0, start)
    middle = old[start : len(old) - end], new[start : len(new) - end]
    if middle[0] and middle[1] and len(middle[0]) * len(middle[1]) <= _MOST:
        import difflib  # only contents that differ in the middle need it

        often = frozenset(_often(*middle))
        matcher = difflib.SequenceMatcher(often.__contains__ if often else None, *middle, autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size:
                yield Match(start + block.a, start + block.b, block.size)
    if end:
        yield Match(len(old) - end, len(new) - end, end)


def _often(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    """The lines, most frequent first, without which few enough pairs are the same: `difflib` takes them one by one."""
    counts = Counter(old), Counter(new)
    pairs = {line: number * counts[1][line] for line, number in counts[0].items() if line in counts[1]}
    left = sum(pairs.values())
    for line in sorted(pairs, key=lambda line: pairs[line], reverse=True):
        if left <= _MOST_EQUAL:
            return
        left -= pairs[line]
        yield line


def standing(old: Sequence[bytes], new: Sequence[bytes], line: int) -> int:
    """Where line `line` of `old` stands in `new`, both from 1; where it is gone, the first line in its place.

    It is at least 1, and at most the number of lines of `new` where that has any.
    """
    place = 0
    for match in matches(old, new):
        if match.old > line - 1:
            break
        place = match.new + min(line - 1 - match.old, match.size)
    return max(1, min(place + 1, len(new)))


class Blame:
    """The step that wrote each line of one file; 0 where the line was there from the start.

    `steps` has one number a line of the content after the last edit.
    """

    def __init__(self, content: bytes | None) -> None:
        self._lines = split(content)
        self.steps = [0] * len(self._lines)

    def edit(self, content: bytes | None, step: int) -> None:
        """The file now has this content, and `step` made it so."""
        lines = split(content)
        steps = [step] * len(lines)
        for match in matches(self._lines, lines):
            steps[match.new : match.new + match.size] = self.steps[match.old : match.old + match.size]
        self._lines, self.steps = lines, steps
