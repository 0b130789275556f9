"""Where a change lies: the files that it touches, and the stretches of lines in them. For display alone."""

import enum
from collections.abc import Mapping

import msgspec

CONTEXT = 3
"""Lines that a diff shows around a change, as git and GitHub do."""


class Filter(enum.StrEnum):
    """Which places of a change annotations stand at. It never changes a verdict."""

    ADDED = "added"
    """Lines that the change adds or modifies."""

    DIFF_CONTEXT = "diff_context"
    """These, and the lines that a diff shows around them."""

    FILE = "file"
    """Any line of a file that the change touches."""

    NOFILTER = "nofilter"
    """Any line of any file."""


class Extent(msgspec.Struct, frozen=True):
    """The files of a change, each with its stretches as first and last line of the head, from 1.

    A stretch that only removes lines has its last line before its first. A file whose stretches nobody asked for, or
    that is no text, has none.
    """

    files: Mapping[str, tuple[tuple[int, int], ...]]

    def holds(self, mode: Filter, path: str, line: int | None, end: int | None = None) -> bool:
        """Whether that place is one where annotations stand; a whole file (no line) is, when the change touches it."""
        if mode is Filter.NOFILTER:
            return True
        if path not in self.files:
            return False
        if mode is Filter.FILE or line is None:
            return True
        margin = CONTEXT if mode is Filter.DIFF_CONTEXT else 0
        last = max(line, end or line)
        return any(line <= to + margin and last >= first - margin for first, to in self.files[path])
