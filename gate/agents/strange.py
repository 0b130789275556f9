"""Lines of types that a reader does not know: they are left out, and each type is said once."""

from collections.abc import Iterator

from gate.trajectory import Dropped


class Strange:
    """The lines of a recording whose type is not known, by that type."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}

    def add(self, kind: str, line: int) -> None:
        """Count one more."""
        self._lines.setdefault(kind, []).append(line)

    def dropped(self) -> Iterator[Dropped]:
        """What to say of them: of each type the first line, and how many more there are."""
        for kind, lines in self._lines.items():
            more = f"{lines[0]} and {len(lines) - 1} more are" if len(lines) > 1 else f"{lines[0]} is"
            reason = f"line {more} of the type {kind[:40]!r}, which this reader does not know"
            yield Dropped(line=lines[0], reason=reason)
