"""What oracles on files share: the files that a glob selects, and where a text or a pattern stands in them."""

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from gate.errors import CannotJudge, PathRefused
from gate.oracle import Oracle, Trial
from gate.path import confined, printable
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding
from gate.tree import SUBMODULE, SYMLINK, Tree, follow

_MAGIC = frozenset("*?[{(\\")
_SHOWN = 5
_MOST = 20

Finder = Callable[[str], int | None]
"""Where in a text something begins, or None."""


def quoted(text: str) -> str:
    """A text as a message shows it, cut."""
    return repr(text if len(text) <= 100 else f"{text[:100]}…")


def text_finder(value: str) -> Finder:
    """Looks for a text as it is written."""
    return lambda text: place if (place := text.find(value)) >= 0 else None


def pattern_finder(pattern: JsPattern) -> Finder:
    """Looks for a match; CannotJudge at once where the pattern is not valid."""
    pattern.check()

    def find(text: str) -> int | None:
        found = pattern.search(text)
        return None if found is None else int(found.start())

    return find


class Files(Oracle, frozen=True, kw_only=True):
    """An oracle on the files that a glob selects; with `negate` it is turned round."""

    path: str
    negate: bool = False

    def __post_init__(self) -> None:
        """Refuse what names no file."""
        if not self.path.strip():
            raise ValueError("Expected `path` to name a file or a glob")

    @property
    def wants_absence(self) -> bool:
        """Whether it asks that something is not there."""
        return self.asserts_absence is not self.negate

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for an absence."""
        return self.wants_absence

    @property
    def is_literal(self) -> bool:
        """Whether it names one file, and is no glob."""
        return _MAGIC.isdisjoint(self.path)

    @property
    def selector(self) -> str:
        """The path or glob in normal form. CannotJudge for one that leads out of the workspace."""
        glob = self.path
        while glob.startswith("./"):
            glob = glob[2:].lstrip("/")
        glob = glob.rstrip("/") if glob.strip("/") else glob
        try:
            if glob.startswith("/") or ".." in glob.split("/"):
                confined(glob)
            if self.is_literal:
                confined(glob)
        except PathRefused as error:
            raise CannotJudge(f"`path`: {error.message}", kind=error.kind) from None
        return glob

    def selected(self, tree: Tree, *, folders: bool = False) -> list[str]:
        """The files that are selected, sorted; with `folders` folders too."""
        glob = self.selector
        if self.is_literal:
            there = glob in tree or (folders and tree.has_folder(glob))
            if not there:
                place = follow(tree, glob)
                there = place in tree or (folders and tree.has_folder(place))
            is_file = folders or tree.mode(glob) != SUBMODULE
            return [glob] if there and is_file and not (self.path.endswith("/") and glob in tree) else []
        match = _compiled(glob)
        names = dict.fromkeys(tree.paths()) if not folders else _with_folders(tree)
        if self.path.endswith("/"):
            names = {name: None for name in names if name not in tree}
        return [name for name in names if name == glob or match(name)]


class Existence(Files, frozen=True, kw_only=True):
    """An oracle on whether the selected files are there."""

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Look the files up; a finding for each that must not be there."""
        names = self.selected(trial.after, folders=True)
        shown = printable(self.path)
        if not self.wants_absence and names:
            found = "" if names == [self.path] else f": {named(names)}"
            yield Evidence(message=f"There is {shown}{found}", path=names[0])
        elif not self.wants_absence:
            yield Finding(message=f"There is no file {shown}", kind="file_missing")
        elif not names:
            yield Evidence(message=f"There is no file {shown}")
        for name in names[:_MOST] if self.wants_absence else ():
            which = "" if name == self.path else f" (it matches {shown})"
            yield Finding(message=f"File must not be there: {printable(name)}{which}", kind="file_forbidden", path=name)
        if self.wants_absence and len(names) > _MOST:
            yield Finding(message=f"{len(names) - _MOST} more files match {shown}", kind="file_forbidden")


class Contents(Files, frozen=True, kw_only=True):
    """An oracle on what stands in the selected files: it passes as soon as one of them holds what is looked for."""

    def searched(self, trial: Trial, find: Finder, verbs: tuple[str, str]) -> Iterator[Finding | Evidence]:
        """Search the files until it is found; all of them where it must not be."""
        names = self.selected(trial.after)
        most = _MOST if self.wants_absence else 1
        held = list(islice(_holding(trial.after, names, find, literal=self.is_literal), most))
        has, has_not = verbs
        shown = printable(self.path)
        if held and self.wants_absence:
            for name, line in held:
                yield Finding(message=f"{printable(name)} {has}", kind="content_forbidden", path=name, line=line)
        elif held:
            yield Evidence(message=f"{printable(held[0][0])} {has}", path=held[0][0], line=held[0][1])
        else:
            message = f"None of the {len(names)} files that match {shown} {has}"
            if not names:
                message = f"There is no file {shown}" + (f", so none {has}" if self.wants_absence else "")
            elif len(names) == 1:
                message = f"{printable(names[0])} {has_not}"
            path = names[0] if len(names) == 1 else None
            if self.wants_absence:
                yield Evidence(message=message, path=path)
            else:
                yield Finding(message=message, kind="content_missing" if names else "file_missing", path=path)


class Holds(Contents, frozen=True, kw_only=True):
    """An oracle on a text in the selected files."""

    value: str

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        super().__post_init__()
        if not self.value:
            raise ValueError("Expected `value` not to be empty: every file contains the empty text")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search the files for the text."""
        shown = quoted(self.value)
        yield from self.searched(trial, text_finder(self.value), (f"contains {shown}", f"does not contain {shown}"))


class Matches(Contents, frozen=True, kw_only=True):
    """An oracle on a match in the selected files."""

    pattern: JsPattern

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search the files for a match."""
        shown = quoted(self.pattern)
        yield from self.searched(trial, pattern_finder(self.pattern), (f"matches {shown}", f"does not match {shown}"))


def _holding(tree: Tree, names: Sequence[str], find: Finder, *, literal: bool) -> Iterator[tuple[str, int]]:
    """The files that hold it and the line where it first stands."""
    for name in names:
        text = _text(tree, name, literal=literal)
        place = None if text is None else find(text)
        if text is not None and place is not None:
            yield name, text.count("\n", 0, place) + 1


def _text(tree: Tree, name: str, *, literal: bool) -> str | None:
    """A file's text, with links followed; None for what is no file. A link that leads out is refused if it is named."""
    try:
        place = follow(tree, name)
    except PathRefused:
        if literal:
            raise
        return None
    if tree.mode(place) in (None, SUBMODULE, SYMLINK):
        return None
    return tree.read(place).decode("utf-8", "replace")


def named(names: Sequence[str]) -> str:
    """Some names in a row, as a message shows them."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(printable(name) for name in names[:_SHOWN]) + more


def _with_folders(tree: Tree) -> dict[str, None]:
    found: dict[str, None] = {}
    for path in tree.paths():
        at = path.find("/")
        while at >= 0:
            found[path[:at]] = None
            at = path.find("/", at + 1)
        found[path] = None
    return dict.fromkeys(sorted(found))


@functools.lru_cache(maxsize=256)  # a suite asks for the same few globs in task after task
def _compiled(glob: str) -> Callable[[str], Any]:
    import re

    from wcmatch import glob as wcglob  # 15 ms, and a literal path does without

    flags = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.CASE | wcglob.FORCEUNIX | wcglob.BRACE | wcglob.EXTGLOB
    try:
        included, _ = wcglob.translate(glob, flags=flags)
    except Exception as error:  # its own class for too many alternatives is private
        raise CannotJudge(f"`path`: the glob {quoted(glob)} cannot be used: {error}", kind="glob") from None
    return re.compile("|".join(f"(?:{expression})" for expression in included)).match
