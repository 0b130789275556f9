"""Whether a bundle was pinned before the run that it judges: by the commits that brought the two."""

from collections.abc import Iterable

from gate.bundles.seal import MANIFEST
from gate.git import Git
from gate.path import printable
from gate.tree import Tree

UNKNOWN = "there is no git history here to show that the bundle was pinned before the run"


class Provenance:
    """The commit that brought a bundle's manifest, and the commits after it.

    `place` is the bundle's folder, `judge` the commit that the bundle is read from, `head` the one that the judged
    files are read from. `reason` is why nothing can be shown at all; empty where it can.
    """

    def __init__(self, git: Git | None, *, place: str, judge: str | None, head: str | None) -> None:
        self.reason = ""
        self._git = git
        self._head = head or ""
        self._manifest = f"{place}/{MANIFEST}" if place else MANIFEST
        self._later: frozenset[str] = frozenset()
        if git is None:
            self.reason = UNKNOWN
        elif git.is_shallow:
            cut_off = "the history is cut off here (`fetch-depth`)"
            self.reason = f"{cut_off}, so nothing shows that the bundle was pinned before the run"
        elif judge is None or head is None:
            self.reason = f"{printable(self._manifest)} is not read from a commit, so nothing shows when it was written"
        else:
            self._find(git, judge)

    def _find(self, git: Git, judge: str) -> None:
        pinned = _lines(git.run("log", "-1", "--format=%H", judge, "--", f":(top,literal){self._manifest}"))
        if not pinned:
            self.reason = f"{printable(self._manifest)} is in no commit, so nothing shows when it was written"
            return
        self.commit = pinned[0]
        later = _lines(git.run("rev-list", "--ancestry-path", f"{self.commit}..{self._head}", "--"))
        self._later = frozenset(later)

    def of_files(self, paths: Iterable[str], tree: Tree) -> str:
        """Why these files of the head were not shown to come after the pin; empty where all did.

        The bytes are looked for, not the name: a recording that was there before, under whatever name, is found.
        """
        if self.reason or self._git is None:
            return self.reason
        blobs = {tree.blob(path): path for path in paths if path in tree}
        if not blobs:
            return ""
        wanted = [f"--find-object={blob}" for blob in blobs]
        options = ("--root", "-m", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--format=commit %H")
        brought: dict[str, list[str]] = {blob: [] for blob in blobs}
        commit = ""
        for line in _lines(self._git.run("log", *options, *wanted, self._head, "--")):
            if line.startswith("commit "):
                commit = line.removeprefix("commit ")
            elif line.startswith(":"):
                new = line.split(" ")[3]
                if new in brought:
                    brought[new].append(commit)
        return self._first((path, brought[blob]) for blob, path in blobs.items())

    def of_folders(self, places: Iterable[str]) -> str:
        """Why these folders of the head were not shown to come after the pin; empty where all did."""
        if self.reason or self._git is None:
            return self.reason
        run = self._git.run
        found = (
            (place, _lines(run("log", "--format=%H", self._head, "--", f":(top,literal){place}"))) for place in places
        )
        return self._first(found)

    def _first(self, brought: Iterable[tuple[str, list[str]]]) -> str:
        for path, commits in brought:
            if not commits:
                return f"{printable(path)} is in no commit yet, so nothing shows that the bundle was pinned before it"
            early = next((commit for commit in commits if commit not in self._later), None)
            if early is not None:
                return (
                    f"{printable(path)} came with the commit {early[:12]}, which does not come after the bundle's pin "
                    f"({self.commit[:12]})"
                )
        return ""


def _lines(output: bytes) -> list[str]:
    return [line for line in output.decode("utf-8", "replace").splitlines() if line]
