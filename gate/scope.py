"""Path patterns: anchored globs, compiled once and only when a path could match."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence

_MAGIC = frozenset("*?[\\")

Matcher = Callable[[str], object]


def is_glob(text: str) -> bool:
    """Whether `text` holds anything but a literal path."""
    return text.startswith("!") or not _MAGIC.isdisjoint(text)


def rooted(pattern: str) -> str:
    """A pattern as git's own files write one (`/a`, `b/c`, `name`), as ours; without a slash it holds anywhere."""
    return pattern.strip("/") if "/" in pattern.rstrip("/") else f"**/{pattern.strip('/')}"


def never(pattern: str, *, alone: bool = False, climbs: bool = False) -> str:
    """Why no path can match the pattern, and what to write in its place, in a clause; empty where one may.

    `alone` is for one that stands in no list, `climbs` for one that is brought into normal form before it is used.
    """
    glob = pattern.removeprefix("!")
    sign = pattern[: len(pattern) - len(glob)]
    if not glob:
        return f"{pattern!r} is empty, and no path is"
    if alone and sign:
        return f"{pattern!r} takes back what no pattern before it gave; write it without `!`"
    if glob.startswith("/"):
        return f"{pattern!r} is absolute, and no path is here; write `{sign}{glob.lstrip('/') or '**'}`"
    if glob[1:3] in (":/", ":\\") and glob[0].isalpha():
        return f"{pattern!r} names a drive, and no path does here; write it relative, with `/` between folders"
    if "\\" in glob and _is_windows(glob):
        slashed = pattern.replace("\\", "/")
        return f"{pattern!r} has a backslash, which is no `/` here; write `{slashed}`"
    if "{" in glob and _is_braced(glob):
        return f"{pattern!r} has braces, which are no pattern here; write one for each, or `[{{]` for a real brace"
    normal = glob if climbs else _normal(glob)
    if normal == glob:
        return ""
    if normal == ".." or normal.startswith("../"):
        return f"{pattern!r} leads out of the folder that it is relative to, where no path matches"
    return f"{pattern!r} is in no normal form, and paths are; write `{sign}{normal}`"


def unmatchable(patterns: Sequence[str]) -> Iterator[tuple[int | None, str]]:
    """What keeps patterns from matching: the place of one in the list, None for all of them, and a clause."""
    if not patterns:
        yield None, "an empty list matches nothing; leave the key out for every file"
    elif all(pattern.startswith("!") for pattern in patterns):
        yield None, "it only takes back, so nothing would ever match; begin with `**`"
    for number, pattern in enumerate(patterns):
        if why := never(pattern):
            yield number, why


def placed(folder: str, pattern: str) -> str:
    """A manifest's pattern from the top of the checkout, in normal form; `folder` is the manifest's."""
    return posixpath.normpath(posixpath.join(folder, f"{pattern}**" if pattern.endswith("/") else pattern))


def _normal(glob: str) -> str:
    inner = glob.removeprefix("./")
    if inner and {"", ".", ".."}.isdisjoint(inner.removesuffix("/").split("/")):
        return glob
    normal = posixpath.normpath(glob)
    return "**" if normal == "." else normal + "/" * glob.endswith("/")


def _is_windows(glob: str) -> bool:
    """Whether a backslash stands where one takes no meaning away, or before a star, which `[*]` does better."""
    import re  # only a pattern with a backslash needs it

    return re.search(r"\\(?:[\w.*]|$)", re.sub(r"\\\\", "", glob)) is not None


def _is_braced(glob: str) -> bool:
    import re  # only a pattern with a brace needs it

    bare = re.sub(r"\\.|\[[!^]?\]?[^\]]*\]", "", glob, flags=re.DOTALL)
    return re.search(r"\{[^{}]*(?:,|\.\.)[^{}]*\}", bare) is not None


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
