"""Scripts that the manifest's judge command names: read from where the judge is read, and never from the checkout."""

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gate.errors import ManifestError, SourceError
from gate.manifest import Manifest
from gate.path import fold, is_text, printable
from gate.report import Finding, Severity
from gate.review import Review
from gate.source import Source
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, Tree

MOST_FILES = 200
"""How many files the folder of a script may have to be laid out as a whole."""

MOST_BYTES = 4 * 1024 * 1024
"""How many bytes they may have together."""

_OF_THE_CASE = ("evidence", "repo")


class Scripts(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge command finds in its folder besides the evidence, by paths relative to the manifest's folder.

    `files` are the judge's files that follow, relative to the checkout: also those that the head brings into a folder
    that is laid out as a whole.
    """

    tree: Tree | None = None
    files: tuple[str, ...] = ()
    notices: tuple[Finding, ...] = ()


def find(manifest: Manifest, source: Source, review: Review) -> Scripts:
    """The scripts of a manifest's judge command, as `source` has them, each with the folder that it stands in.

    A script in the manifest's own folder comes alone. ManifestError for a word that leads into the checkout past the
    source, and for a script that cannot be read.
    """
    laid = _Laid(manifest, source, review)
    for number, word in enumerate(manifest.judge.command if manifest.judge else ()):
        for path in _paths(word):
            laid.word(path, program=number == 0)
    tree = MemoryTree(laid.files, modes=laid.modes) if laid.files else None
    return Scripts(tree=tree, files=tuple(laid.named()), notices=tuple(laid.notices))


def brought(manifest: Manifest | None, review: Review) -> Scripts:
    """The scripts that the head's manifest names; one that cannot be used there is said and ends nothing."""
    if manifest is None:
        return Scripts()
    try:
        return msgspec.structs.replace(find(manifest, review.head, review), notices=())
    except ManifestError as error:
        message = f"This change leaves the judge broken: {error.message}. Once merged, nothing is judged."
        return Scripts(notices=(_finding(manifest, message, Severity.WARNING, "judge_broken"),))


def _paths(word: str) -> tuple[str, ...]:
    """What of a word may be a path: the word, and what `--option=` is given."""
    value = word.partition("=")[2] if word.startswith("-") else ""
    return (word, value) if value else (word,)


class _Laid:
    def __init__(self, manifest: Manifest, source: Source, review: Review) -> None:
        self.files: dict[str, bytes] = {}
        self.modes: dict[str, int] = {}
        self.notices: list[Finding] = []
        self._manifest, self._source, self._review = manifest, source, review
        self._folders: dict[str, bool] = {}

    def word(self, word: str, *, program: bool) -> None:
        """Lay out the file that a word names, if it names one."""
        self._refuse_past_the_source(word)
        path = posixpath.normpath(word)
        if (program and "/" not in word) or not _is_inside(path) or not self._source.exists(self._place(path)):
            return  # a bare name is a program of the machine
        if fold(path.partition("/")[0]) in _OF_THE_CASE:
            raise self._problem(f"{printable(word)} would lie in the folder of what is judged; keep it in another one")
        try:
            self._lay(path, self._source.read(self._place(path), limit=MOST_BYTES))
        except SourceError as error:
            raise self._problem(f"the script cannot be read: {error.message}") from None
        folder = posixpath.dirname(path)
        if folder and folder not in self._folders:
            self._folders[folder] = self._lay_folder(folder)
            if not self._folders[folder]:
                more = f"more than {MOST_FILES} files or {MOST_BYTES} bytes"
                message = f"`judge.command`: the folder {printable(folder)} has {more}, so the judge command finds "
                told = f"{message}{printable(path)} alone of it."
                self.notices.append(_finding(self._manifest, told, Severity.NOTICE, "judge_script"))

    def named(self) -> Iterator[str]:
        """Every file that was laid out, relative to the checkout, and what the head has beside them."""
        yield from map(self._place, self.files)
        if self._source is not self._review.head:
            whole = tuple(f"{self._place(folder)}/" for folder, complete in self._folders.items() if complete)
            known = {self._place(path) for path in self.files}
            if whole:
                paths = self._review.head.tree.paths()
                yield from (path for path in paths if path.startswith(whole) and path not in known)

    def _lay(self, path: str, data: bytes) -> None:
        self.files[path] = data
        self.modes[path] = EXECUTABLE if self._source.tree.mode(self._place(path)) == EXECUTABLE else REGULAR

    def _lay_folder(self, folder: str) -> bool:
        """Lay out the folder with what is below it; nothing, and false, where that is too much."""
        found: dict[str, bytes] = {}
        left = MOST_BYTES
        for path in self._below(folder):
            try:
                data = self._source.read(self._place(path), limit=left)
            except SourceError:  # more than what is left
                return False
            found[path] = data
            left -= len(data)
            if len(found) > MOST_FILES:
                return False
        for path, data in found.items():
            self._lay(path, data)
        return True

    def _below(self, folder: str) -> Iterator[str]:
        """The plain files of a folder of the source; links lead anywhere, and compiled code is nobody's source."""
        tree, start = self._source.tree, self._place(folder)
        for path in tree.paths():
            if path.startswith(f"{start}/") and tree.mode(path) not in (SYMLINK, SUBMODULE):
                inside = path[len(start) :]
                if "/__pycache__/" not in inside:
                    yield folder + inside

    def _place(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._manifest.folder, path))

    def _refuse_past_the_source(self, word: str) -> None:
        if not is_text(word):
            return
        top = self._review.top
        leads_in = _is_below(Path(word), top) if Path(word).is_absolute() else self._climbs_in(word, top)
        if leads_in:
            raise self._problem(
                f"{printable(word)} leads into the checkout, where the change under review writes; expected a path "
                f"relative to {self._manifest.path} and without `..`, so that the file is read from the base"
            )

    def _climbs_in(self, word: str, top: Path) -> bool:
        """Whether a relative path with `..` names something of the checkout."""
        if ".." not in word.split("/"):
            return False
        place = self._place(word)
        there = self._source.exists(place) or self._review.head.exists(place)
        return _is_inside(place) and (there or os.path.lexists(top / place))

    def _problem(self, why: str) -> ManifestError:
        return ManifestError(f"{self._manifest.path}: `judge.command`: {why}", kind="judge_script")


def _is_inside(path: str) -> bool:
    return is_text(path) and not path.startswith(("/", "../")) and path not in (".", "..")


def _is_below(path: Path, top: Path) -> bool:
    """Whether an absolute path lies in the folder, as it is written or where its links lead."""
    whole = Path(os.path.normpath(path))
    places = {path, *path.parents, whole, *whole.parents, *(end := path.resolve()).parents, end}
    return any(_is_same(place, top) for place in places)


def _is_same(place: Path, top: Path) -> bool:
    try:
        return place.samefile(top)
    except OSError:  # nothing is there, or the name is none
        return False


def _finding(manifest: Manifest, message: str, severity: Severity, kind: str) -> Finding:
    return Finding(severity=severity, kind=kind, message=message, path=manifest.path)
