"""Whether a bundle was pinned before the run that it judges: by the commits that brought the two.

What counts is the content of a recording or a finished workspace, and not its name: a file that was there before, under
whatever name, is found by the id of its bytes.
"""

import posixpath
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from gate.bundles.seal import MANIFEST, PIN
from gate.errors import GitError
from gate.git import Git
from gate.path import printable
from gate.tree import Tree, blob_id

UNKNOWN = "there is no git history here to show that the bundle was pinned before the run"
_LOG = (
    *("--root", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--format=commit %H"),
    *("--no-show-signature", "--no-color", "--no-relative", "--ignore-submodules=none"),  # whatever is configured
)
_BATCH = 4_000
_MOST = 20_000
"""So many files of results are looked for in the history: each batch of them is one walk through all of it."""


class _Came(msgspec.Struct, frozen=True):
    """A commit that brought an object, and under which path."""

    commit: str
    path: str


class Provenance:
    """The commits that brought a bundle's manifest and its environment pin, and the commits after both.

    `place` is the bundle's folder, `judge` the commit that the bundle is read from, `head` the one that the judged
    files are read from. `reason` is why nothing can be shown at all; empty where it can.
    """

    def __init__(self, git: Git | None, *, place: str, judge: str | None, head: str | None) -> None:
        self.reason = ""
        self._git = git
        self._judge, self._head = judge or "", head or ""
        self._prefix = f"{place}/" if place not in ("", ".") else ""
        self._later: dict[str, frozenset[str]] = {}
        manifest = printable(f"{self._prefix}{MANIFEST}")
        if git is None:
            self.reason = UNKNOWN
        elif git.is_shallow:
            cut_off = "the history is cut off here (`fetch-depth`)"
            self.reason = f"{cut_off}, so nothing shows that the bundle was pinned before the run"
        elif judge is None or head is None:
            self.reason = f"{manifest} is not read from a commit, so nothing shows when it was written"
        else:
            for name in (MANIFEST, PIN):
                self._find(git, name)
            if not self._later:
                self.reason = f"{manifest} is in no commit, so nothing shows when it was written"

    def _find(self, git: Git, name: str) -> None:
        """Note the commit that wrote a file of the pin, with all that come after it; nothing where none did."""
        path = f":(top,literal){self._prefix}{name}"
        pinned = _lines(git.run("rev-list", "-1", self._judge, "--", path))
        if pinned and (name == MANIFEST or self._later) and pinned[0] not in self._later:
            later = _lines(git.run("rev-list", "--ancestry-path", f"{pinned[0]}..{self._head}", "--"))
            self._later[pinned[0]] = frozenset(later)

    def of_files(self, paths: Iterable[str], tree: Tree) -> str:
        """Why these files of the head were not shown to come after the pin; empty where all did."""
        if self.reason or self._git is None:
            return self.reason
        committed = self._git.tree(self._head)
        wanted: dict[str, str] = {}
        for path in paths:
            if path not in tree:
                continue
            if path not in committed or committed.blob(path) != tree.blob(path):
                return _in_no_commit(path)
            wanted.setdefault(tree.blob(path), path)
        return self._first(self._git, wanted, {})

    def of_folders(self, starts: Mapping[str, str]) -> str:
        """Why these folders of the head were not shown to come after the pin; empty where all did.

        `starts` are the folders of the bundle that the tasks began with, by the folder that came of each. What is still
        as it was there says nothing of when the rest was made, nor does an empty file; where there is nothing else, the
        folder as a whole is looked for.
        """
        if self.reason or self._git is None:
            return self.reason
        committed, judge = self._git.tree(self._head), self._git.tree(self._judge)
        paths, bundle = sorted(committed.paths()), sorted(judge.paths())
        own = {path.removeprefix(self._prefix): judge.blob(path) for path in _below(bundle, self._prefix)}
        empty = blob_id(b"", committed.algorithm)
        wanted: dict[str, str] = {}
        for place, start in starts.items():
            files = {committed.blob(path): path for path in _below(paths, f"{place}/")}
            if not files:
                return _in_no_commit(place)
            known = {judge.blob(path) for path in _below(bundle, f"{self._prefix}{start}/")} | {empty}
            new = {blob: path for blob, path in files.items() if blob not in known}
            for name, path in (new or self._folder(self._git, place, start)).items():
                wanted.setdefault(name, path)
        return self._first(self._git, wanted, own)

    def _folder(self, git: Git, place: str, start: str) -> dict[str, str]:
        """The folder as a whole, by its object id; nothing where it is what the task began with."""
        found = _tree_id(git, self._head, place)
        return {} if found == _tree_id(git, self._judge, f"{self._prefix}{start}") else {found: place}

    def _first(self, git: Git, wanted: Mapping[str, str], own: Mapping[str, str]) -> str:
        """What is wrong with the first of the wanted objects that was there too early; `own` are the bundle's files."""
        if len(wanted) > _MOST:
            return f"the results are {len(wanted)} files, and the commits of no more than {_MOST} are looked for"
        early: dict[str, _Came] = {}
        names = list(wanted)
        try:
            for start in range(0, len(names), _BATCH):
                for name, came in self._came(git, frozenset(names[start : start + _BATCH])):
                    if self._is_early(came) and not _is_own(name, came.path, own):
                        early[name] = _first(early.get(name, came), came, wanted[name])
        except GitError as error:
            return f"the history cannot be read: {error.message}"
        for name, path in wanted.items():
            if name in early:
                return self._told(path, early[name])
        return ""

    def _came(self, git: Git, names: Collection[str]) -> Iterator[tuple[str, _Came]]:
        """Every commit of the head's history that brought one of these objects under some path, the newest first."""
        found = git.run("log", *_LOG, *(f"--find-object={name}" for name in names), self._head, "--")
        commit, new = "", ""
        for part in found.decode("utf-8", "surrogateescape").split("\0"):
            text = part.lstrip("\n")
            if new:
                if new in names:
                    yield new, _Came(commit, part)
                new = ""
            elif text.startswith("commit "):
                commit = text.removeprefix("commit ")
            elif text.startswith(":"):
                new = text.split(" ")[3]

    def _is_early(self, came: _Came) -> bool:
        return any(came.commit not in later for later in self._later.values())

    def _told(self, path: str, came: _Came) -> str:
        pinned = next(pinned for pinned, later in self._later.items() if came.commit not in later)
        name = f" as {printable(came.path)}" if came.path != path else ""
        return (
            f"{printable(path)} came with the commit {came.commit[:12]}{name}, which does not come after the bundle's "
            f"pin ({pinned[:12]})"
        )


def _tree_id(git: Git, commit: str, path: str) -> str:
    listed = git.run("--literal-pathspecs", "ls-tree", "-d", "-z", "--full-tree", commit, "--", path)
    return listed.partition(b"\t")[0].decode().rpartition(" ")[2]


def _in_no_commit(path: str) -> str:
    return f"{printable(path)} is in no commit yet, so nothing shows that the bundle was pinned before it"


def _first(one: _Came, other: _Came, path: str) -> _Came:
    """Which of two came first: the log goes back in time; in one commit the one that is called more like the path."""
    if one.commit != other.commit:
        return other
    return max(one, other, key=lambda came: len(posixpath.commonprefix([came.path[::-1], path[::-1]])))


def _is_own(name: str, path: str, own: Mapping[str, str]) -> bool:
    """Whether the bundle itself brought an object: as a file that it still holds, wherever it lay then."""
    parts = path.split("/")
    return any(own.get("/".join(parts[at:])) == name for at in range(len(parts)))


def _below(paths: list[str], prefix: str) -> Iterator[str]:
    """Those of the sorted paths that begin so."""
    for at in range(bisect_left(paths, prefix), len(paths)):
        if not paths[at].startswith(prefix):
            return
        yield paths[at]


def _lines(output: bytes) -> list[str]:
    return [line for line in output.decode("utf-8", "replace").splitlines() if line]
