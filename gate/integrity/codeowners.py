"""Who owns a file, as a CODEOWNERS file says.

Patterns are those that GitHub documents: of gitignore's kind, without negation and classes; the last that matches
decides. A line that cannot be read is left out, as GitHub does.
"""

from collections.abc import Iterator

from gate.scope import Patterns, rooted

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks for it; the first that is there counts."""


class Owners:
    """The rules of one CODEOWNERS file."""

    def __init__(self, text: str) -> None:
        self._rules = list(_rules(text))

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a path as they are written (`@user`, `@org/team`, an address); none where nobody owns it."""
        for patterns, owners in reversed(self._rules):
            if patterns.match(path):
                return owners
        return ()


def _rules(text: str) -> Iterator[tuple[Patterns, tuple[str, ...]]]:
    for line in text.splitlines():
        words = line.partition(" #")[0].split()
        if words and not words[0].startswith(("#", "!")) and "[" not in words[0]:
            yield Patterns(_globs(words[0])), tuple(words[1:])


def _globs(pattern: str) -> list[str]:
    """One pattern in the form of ours: anchored, and a folder's name standing for all below it."""
    start = rooted(pattern)
    if pattern.endswith("/"):
        return [f"{start}/**"]
    anchored = "/" in pattern
    return [start] if anchored and f"/{start}".endswith("/*") else [start, f"{start}/**"]
