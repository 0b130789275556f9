"""The review at hand: which repository, which change, which files are the head's and which the judge's."""

import functools
import posixpath
from pathlib import Path

from gate import github, history, judge, surroundings
from gate.asked import Asked
from gate.changes import change, occasion
from gate.changes.diff import Change
from gate.errors import ChangeError, ManifestError, UsageError
from gate.git import Git
from gate.history import History
from gate.manifest import NAME
from gate.policy import Judge
from gate.source import DiskTree, Source
from gate.tree import MemoryTree, Tree


class Review:
    """One change under review. Closes git's object reader at the end: use it as a context manager.

    `head` reads the head's files (index, commit, or the folder outside git), `start` is the base's tree.
    """

    judges = True
    """Whether anything is judged; false where files are only read."""

    def __init__(self, asked: Asked, folder: Path) -> None:
        occasion.admit(asked.change, asked.event)
        self.asked = asked
        self.folder = folder
        self.git = Git.discover(folder, github.workspace())
        self.change: Change | None = None
        self._base: str | None = None
        if self.git is None:
            if not asked.change.everything:
                raise ChangeError(
                    f"{folder} is in no git repository, so there is no change to judge; "
                    "run inside one, or pass `--diff all` to judge every task",
                    kind="no_repository",
                )
            self.head = Source("the folder", DiskTree(folder))
            return
        self.change = change.review(asked.change, self.git, asked.event)
        commit = self.change.head
        self.head = (
            Source(f"head {commit[:12]}", self.git.tree(commit)) if commit else Source("the index", self.git.index())
        )
        surroundings.judge(self.git.top, self.head.paths)

    @classmethod
    def of_working_tree(cls, asked: Asked, folder: Path, *, base: str | None = None) -> "Review":
        """A review of nothing but the files as they lie there: to check what somebody is writing.

        `base` is the revision at which a workspace starts that is this repository; without it, it has no file.
        """
        review = cls.__new__(cls)
        review.judges = False
        review.asked, review.folder, review.change = asked, folder, None
        review.git = Git.discover(folder, github.workspace())
        review._base = review.git.resolve(base) if review.git and base else None
        review.head = Source("the working tree", DiskTree(review.top))
        if review.git is not None:
            surroundings.judge(review.git.top, review.git.index().paths)
        return review

    def __enter__(self) -> "Review":
        return self

    def __exit__(self, *_: object) -> None:
        surroundings.judge(None)
        for git in (self.git, *self._others.values()):
            if git is not None:
                git.close()

    @functools.cached_property
    def _others(self) -> dict[Path, Git | None]:
        return {}

    def repository(self, folder: Path) -> Git | None:
        """The repository at a folder of this machine, open until the review ends; None where there is none."""
        if folder not in self._others:
            self._others[folder] = Git.discover(folder, other=True)
        return self._others[folder]

    @property
    def top(self) -> Path:
        """The folder that paths are relative to: the checkout's, or where the gate was started outside of git."""
        return self.git.top if self.git else self.folder

    @property
    def prefix(self) -> str:
        """The folder in which the gate was started, relative to the checkout."""
        return self.git.prefix.strip("/") if self.git else ""

    @property
    def description(self) -> str:
        """The change in a clause."""
        return self.change.description if self.change else "every task, outside of git"

    @functools.cached_property
    def history(self) -> History:
        """The commits of the change; read when first asked for, since most runs need none."""
        return history.read(self.change, self.git, self.asked.event)

    def start(self) -> Tree:
        """The tree at the change's base; the empty tree where there was nothing."""
        base = self.change.base if self.change else self._base
        return self.git.tree(base) if self.git and base else MemoryTree({})

    def place(self, path: str) -> str:
        """A path as typed in the started folder, relative to the checkout. UsageError when it lies outside."""
        top = self.top
        if Path(path).is_absolute():
            inside = Path(path).relative_to(top).as_posix() if Path(path).is_relative_to(top) else ".."
        else:
            inside = posixpath.normpath(posixpath.join(self.prefix, path))
        if inside.startswith("..") or posixpath.isabs(inside):
            raise UsageError(f"{path}: expected a path inside the repository {top}", kind="path_escape")
        return inside

    def bench(self, choice: Judge | None, manifest: str) -> judge.Bench:
        """Where the judge's files are read from. ChangeError where the head's would run beside our secrets."""
        event = self.asked.event
        if choice is Judge.HEAD and event is not None and event.privileged:
            raise ChangeError(
                f"`judge: head` under `{event.name}` is refused: the head's plugins would run with this repository's "
                "token and secrets at hand; leave the judge to the base, or let the workflow run `on: pull_request`",
                kind="unsafe_trigger",
            )
        if self.git is None or self.change is None:
            return judge.Bench(source=self.head, commit=None, from_head=True)
        return judge.find(
            git=self.git,
            change=self.change,
            head=self.head,
            choice=choice,
            ci=self.asked.change.ci,
            manifest=manifest,
        )

    def manifest_path(self) -> str:
        """The manifest's path: the one asked for, else the nearest `gate.yaml` at or above the started folder."""
        if self.asked.manifest is not None:
            return self.place(self.asked.manifest)
        folder = self.prefix
        places = [self.head, Source("", self.start())]
        if self.git is not None and self.change is not None and self.change.upstream is not None:
            places.append(Source("", self.git.tree(self.change.upstream)))
        while True:
            path = posixpath.join(folder, NAME)
            if any(place.exists(path) for place in places):
                return path
            if not folder:
                raise ManifestError(
                    f"there is no {NAME} in {self.head.label} nor in the base; {self._remedy()}", kind="no_manifest"
                )
            folder = posixpath.dirname(folder)

    def _remedy(self) -> str:
        if self.git is not None and NAME in DiskTree(self.git.top):
            return f"one lies here that git does not know yet: `git add {NAME}`"
        return "write one with `gate init --minimal` and add it to git, or name one with `--manifest`"
