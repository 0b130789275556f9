"""Who owns a file, as a CODEOWNERS file says; and a change that gives files of the judge other owners.

Patterns are those that GitHub documents: of gitignore's kind, without negation and classes; the last that matches
decides. A line that cannot be read is left out, as GitHub does.
"""

from collections.abc import Iterator

from gate.errors import SourceError
from gate.holdings import Holdings
from gate.judge import Bench
from gate.path import printable, several
from gate.report import Finding, Severity
from gate.review import Review
from gate.scope import Patterns, rooted
from gate.source import Source

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


def owners(source: Source) -> Owners:
    """The rules that count where these files are; none where there is no CODEOWNERS, or none that can be read."""
    for place in PLACES:
        if source.exists(place):
            try:
                return Owners(source.read(place).decode("utf-8", "replace"))
            except SourceError:
                break
    return Owners("")


def found(review: Review, bench: Bench, held: Holdings) -> tuple[Finding, ...]:
    """A warning where the change gives files of the judge other owners, who could allow what the base's do not."""
    change = review.change
    touched = [path for path in PLACES if change is not None and not change.everything and path in change.paths]
    if not touched or bench.from_head:
        return ()
    before, after = owners(Source("base", review.start())), owners(review.head)
    others = [place for place in held if _owned(before, place) != _owned(after, place)]
    if not others:
        return ()
    message = (
        f"This change gives {several(others)}, which the judge is made of, other owners in {printable(touched[0])}. "
        "Once merged, these may allow a change of the judge and of what it judges."
    )
    return (Finding(severity=Severity.WARNING, kind="judge_owners", message=message, path=touched[0]),)


def _owned(owners: Owners, place: str) -> tuple[tuple[str, ...], ...]:
    """Who owns a place, as a file and as a folder."""
    return owners.of(place), owners.of(f"{place}/file" if place else "file")


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
