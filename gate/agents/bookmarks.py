"""Bookmarks in a large recording: which of its lines to come back to, so that all others are read once only."""

from collections.abc import Iterator
from itertools import compress

BITS = (1 << 60) - 1
"""The bits of a hash that `digest` keeps."""


class Bookmarks:
    """The lines that hold work: where each begins, what kinds of work it holds, and how many steps come before it.

    The kinds of work are bits, which the reader of a format gives their meaning.
    """

    def __init__(self) -> None:
        from array import array  # only a recording that is read needs it

        self.kinds = bytearray()
        """For each bookmark its kinds of work."""
        self.before = array("I")
        """For each bookmark how many steps come before its line."""
        self.lines = array("I")
        """For each bookmark the number of its line."""
        self._places = array("Q")

    def __len__(self) -> int:
        return len(self.kinds)

    def add(self, line: int, place: int, kinds: int, before: int) -> None:
        """Put one in: the line's number, and how many bytes come before it."""
        self.kinds.append(kinds)
        self.before.append(before)
        self.lines.append(line)
        self._places.append(place)

    def chosen(self, kinds: int) -> Iterator[tuple[int, int]]:
        """The bookmarks with any of these kinds: the index of each, and how many bytes come before its line."""
        wanted = self.kinds.translate(bytes(1 if bits & kinds else 0 for bits in range(256)))
        return compress(enumerate(self._places), wanted)


def digest(key: str) -> int:
    """What is kept of an id: a number that in practice no two of them share, in a third of the memory."""
    return hash(key) & BITS
