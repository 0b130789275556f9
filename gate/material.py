"""What a task is judged on: its start tree, the head's tree, and the recordings that belong to this change."""

import posixpath

import msgspec

from gate import recording
from gate.errors import PathRefused, RecordingError, SourceError, TaskError
from gate.path import confined
from gate.plan import Recorded
from gate.review import Review
from gate.scope import Patterns, is_glob
from gate.source import Source
from gate.task import Folder, Inline, State, Task
from gate.tree import MemoryTree, Subtree, Tree


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """Two whole trees, the folder in them that is the workspace, and that folder's place in the checkout."""

    start: Tree
    head: Tree | None
    folder: str = ""
    checkout: str | None = None


def trees(review: Review, judge: Source, task: Task, folder: str) -> Ground:
    """The trees of a task, whose manifest lies in `folder`. TaskError where its workspace cannot be had."""
    start = task.workspace
    if isinstance(start, Inline):
        return Ground(start=inline(start, task), head=None)
    if isinstance(start, Folder):
        place = posixpath.normpath(posixpath.join(folder, start.dir))
        tree = Subtree(judge.tree, "" if place == "." else place)
        if place.startswith("..") or next(iter(tree.paths()), None) is None:
            raise TaskError(
                f"{task.path}:{task.line}: `workspace.dir`: there is no file in {start.dir} in {judge.label}",
                kind="workspace",
            )
        head = Subtree(review.head.tree, "" if place == "." else place)
        return Ground(start=tree, head=head, checkout=place)
    if review.git is None:
        raise TaskError(
            f"{task.path}:{task.line}: `workspace: {{git: {start.git}}}` needs a git repository, and here is none",
            kind="workspace",
        )
    if start.git == "base":
        return Ground(start=review.start(), head=review.head.tree, folder=folder, checkout=folder)
    commit = review.git.resolve(start.git)
    if commit is None:
        raise TaskError(
            f"{task.path}:{task.line}: `workspace.git`: {start.git!r} names no commit here; expected `base` or one",
            kind="workspace",
        )
    return Ground(start=review.git.tree(commit), head=review.head.tree, folder=folder, checkout=folder)


def inline(start: Inline, task: Task) -> MemoryTree:
    """The files written in a task, as a tree. TaskError for a path that no workspace may hold."""
    try:
        return MemoryTree(
            {confined(name): text.encode("utf-8", "surrogateescape") for name, text in start.files.items()}
        )
    except PathRefused as error:
        raise TaskError(f"{task.path}:{task.line}: `workspace.files`: {error.message}", kind=error.kind) from None
    except UnicodeEncodeError:
        raise TaskError(
            f"{task.path}:{task.line}: `workspace.files`: half of a surrogate pair is no text", kind="json_surrogate"
        ) from None


class Recordings:
    """The recordings of a review, each read once, however many tasks share it."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._read: dict[str, Recorded] = {}

    def of(self, pattern: str | None, task: Task, folder: str) -> tuple[tuple[Recorded, ...], str]:
        """A task's recordings, and why there is none. TaskError where a replay has nothing to replay."""
        replayed = task.state is State.REPLAY
        fixture = isinstance(task.workspace, Inline | Folder)
        where = f"{task.path}:{task.line}" if task.line else str(task.path)
        if pattern is None:
            if replayed:
                raise TaskError(
                    f"{where}: a task with `state: replay` needs a `trajectory`; name its recording",
                    kind="no_recording",
                )
            return (), "the task names no recording (`trajectory`)"
        found = self._matching(posixpath.normpath(posixpath.join(folder, pattern)), fixture=fixture)
        if found:
            return tuple(self.read_head(path) for path in found), ""
        if fixture:
            raise TaskError(
                f"{where}: `trajectory`: {pattern} matches no file in {self._review.head.label}", kind="no_recording"
            )
        return (), f"this change adds or modifies no recording at {pattern}"

    def _matching(self, pattern: str, *, fixture: bool) -> list[str]:
        """Paths of the head: those that the change brings, or for a fixture all that match."""
        review = self._review
        if fixture or review.change is None:
            if not is_glob(pattern):
                return [pattern] if review.head.exists(pattern) else []
            matcher = Patterns([pattern])
            return [path for path in review.head.paths() if matcher.match(path)]
        matcher = Patterns([pattern])
        return sorted(
            entry.path for entry in review.change.entries if entry.status != "D" and matcher.match(entry.path)
        )

    def read_head(self, path: str) -> Recorded:
        """A recording of the head, read."""
        if path not in self._read:
            try:
                data = self._review.head.read(path)
            except SourceError as error:
                self._read[path] = Recorded(path=path, problem=error.message, kind=error.kind)
            else:
                self._read[path] = read(data, path)
        return self._read[path]


def read(data: bytes, path: str) -> Recorded:
    """A recording's bytes, read, or the reason why they could not be."""
    try:
        return Recorded(path=path, trajectory=recording.read(data, path))
    except RecordingError as error:
        return Recorded(path=path, problem=error.message, kind=error.kind)
