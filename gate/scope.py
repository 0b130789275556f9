"""Path patterns: anchored globs, compiled once and only when a path could match."""

from collections.abc import Callable, Iterable, Sequence

_MAGIC = frozenset("*?[\\")

Matcher = Callable[[str], object]


def is_glob(text: str) -> bool:
    """Whether `text` holds anything but a literal path."""
    return text.startswith("!") or not _MAGIC.isdisjoint(text)


def rooted(pattern: str) -> str:
    """A pattern as git's own files write one (`/a`, `b/c`, `name`), as ours; without a slash it holds anywhere."""
    return pattern.strip("/") if "/" in pattern.rstrip("/") else f"**/{pattern.strip('/')}"


class Patterns:
    """Path patterns of one scope.

    `*` and `?` stay within a folder, `**` crosses folders, `[ab]` is a class, names with a leading dot are names like
    others, `docs/` is all below that folder. A leading `!` takes back what earlier patterns matched: the last pattern
    that matches decides.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = tuple(patterns)
        self._rules = [_Rule(pattern) for pattern in reversed(self.patterns)]

    def match(self, path: str) -> bool:
        """Whether the path is in scope."""
        for rule in self._rules:
            if rule.match(path):
                return not rule.negated
        return False

    def first(self, paths: Iterable[str]) -> str | None:
        """The first of the paths that is in scope."""
        return next((path for path in paths if self.match(path)), None)


class _Rule:
    def __init__(self, pattern: str) -> None:
        self.negated = pattern.startswith("!")
        glob = pattern.removeprefix("!").removeprefix("./")
        glob += "**" if glob.endswith("/") else ""
        self._glob = glob
        ends = [glob.index(character) for character in _MAGIC if character in glob]
        self._prefix = glob[: min(ends, default=len(glob))]
        self._literal = not ends
        self._matcher: Matcher | None = None

    def match(self, path: str) -> bool:
        if self._literal:
            return path == self._prefix
        if not path.startswith(self._prefix):
            return False
        if self._matcher is None:
            self._matcher = _compile(self._glob)
        return self._matcher(path) is not None


def _compile(glob: str) -> Matcher:
    # Deferred: most runs of the hook decide by the literal start of the pattern alone, and wcmatch costs 15 ms.
    import re

    from wcmatch import glob as wcglob

    flags = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.CASE | wcglob.FORCEUNIX
    included, _ = wcglob.translate(glob, flags=flags)
    return re.compile("|".join(f"(?:{expression})" for expression in included)).match
