"""Where a task's recordings come from: files of the head, git notes, Entire's checkpoints, or what the caller gives."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from gate.entry import Origin
from gate.errors import NothingLeft, SourceError, TaskError
from gate.git import Git
from gate.github import credentials
from gate.history import History
from gate.recorded import Recorded, read
from gate.recording import Recording
from gate.review import Review
from gate.scope import Patterns, is_glob, placed
from gate.source import LARGEST, Source, open_stream
from gate.task import Environment, Folder, Inline, State, Task


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The recordings of a task; `silence` is why there is none, `pending` that there cannot be one before a commit."""

    recordings: tuple[Recorded, ...] = ()
    silence: str = ""
    pending: bool = False


class Recordings:
    """The recordings of a review, each read once, however many tasks share it."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._read: dict[str, Recorded] = {}
        self._kept: dict[Origin, Found] = {}

    def of(self, named: str | Origin | None, task: Task, folder: str) -> Found:
        """A task's recordings. TaskError where there is nothing to replay, and so nothing to judge."""
        given = self._review.asked.recordings
        if given:
            return Found(recordings=tuple(self._once(path, partial(self._given, path)) for path in given))
        if named is None:
            found = Found(silence="the task names no recording (`trajectory`)")
        elif isinstance(named, Origin):
            found = self._of_commits(named)
        else:
            found = self._of_head(named, task, folder)
        fixture = (
            isinstance(task.workspace, Inline | Folder | Environment) and task.finished is None and named is not None
        )
        replayed = named is None and task.state is State.REPLAY
        if not found.recordings and not found.pending and (fixture or replayed):
            raise self._nothing(named, task, found)
        return found

    def _nothing(self, named: str | Origin | None, task: Task, found: Found) -> TaskError:
        if named is None:
            reason = "a task with `state: replay` needs a `trajectory`; name its recording"
            return TaskError(f"{task.place}: {reason}", kind="no_recording")
        reason = f"`trajectory`: {found.silence}, so there is nothing to judge"
        return NothingLeft(f"{task.place}: {reason}", kind="no_recording")

    def _of_head(self, pattern: str, task: Task, folder: str) -> Found:
        """Files of the head: those that the change brings, or for a fixture all that match."""
        review = self._review
        fixture = isinstance(task.workspace, Inline | Folder | Environment)
        place = placed(folder, pattern)
        paths = list(self._matching(place, fixture=fixture))
        if paths:
            return Found(recordings=tuple(self._once(path, partial(_from, review.head, path)) for path in paths))
        if fixture:
            return Found(silence=f"{pattern} matches no file in {review.head.label}")
        return Found(silence=f"this change adds or modifies no recording at {pattern}")

    def _matching(self, pattern: str, *, fixture: bool) -> Iterator[str]:
        review = self._review
        if not fixture and review.change is not None:
            matcher = Patterns([pattern])
            gone = {entry.old_id for entry in review.change.entries if entry.status == "D"}
            yield from sorted(
                entry.path
                for entry in review.change.entries
                # A rename, or another mode, brings no recording.
                if entry.status != "D" and entry.new_id not in (entry.old_id, *gone) and matcher.match(entry.path)
            )
        elif is_glob(pattern):
            yield from filter(Patterns([pattern]).match, review.head.paths())
        elif review.head.exists(pattern) or _is_odd(review.head, pattern):
            yield pattern

    def _given(self, path: str) -> Recorded:
        place = self._review.folder / Path(path)
        return read(Recording(partial(open_stream, place), path), path, elsewhere=True)

    def _once(self, path: str, reads: Callable[[], Recorded]) -> Recorded:
        if path not in self._read:
            self._read[path] = reads()
        return self._read[path]

    def _of_commits(self, origin: Origin) -> Found:
        if origin not in self._kept:
            self._kept[origin] = self._looked_up(origin)
        return self._kept[origin]

    def _looked_up(self, origin: Origin) -> Found:
        review, history = self._review, self._review.history
        noun = "git notes" if origin.ref else "checkpoints"
        if review.git is None:
            return Found(silence=f"{noun} need a git repository, and here is none")
        if history.pending:
            return Found(silence=f"the change is not committed yet, and {noun} belong to commits", pending=True)
        if not history.commits:
            return Found(silence=f"there is no commit under review, and {noun} belong to commits")
        read_all = partial(_notes, origin.ref) if origin.ref else partial(_checkpoints, origin.branch)
        found = read_all(history, review.git)
        if history.problem:
            gap = Recorded(
                path=origin.ref or origin.branch, problem=history.problem, kind="history_missing", elsewhere=True
            )
            return Found(recordings=(*found.recordings, gap))
        return found


def _is_odd(source: Source, path: str) -> bool:
    """Whether something lies there that is no file: to read it says what it is."""
    try:
        source.read(path, limit=1)
    except SourceError as error:
        return error.kind != "not_found"
    return True


def _from(source: Source, path: str) -> Recorded:
    try:
        return read(source.read(path, limit=LARGEST), path)
    except SourceError as error:
        return Recorded(path=path, problem=error.message, kind=error.kind)


def _notes(ref: str, history: History, git: Git) -> Found:
    """The notes of the commits under a ref: a tree of files named by commit, perhaps cut into folders."""
    tip = git.resolve(ref)
    if tip is None:
        if git.on_origin(ref, credentials()) is False:
            return Found(silence=f"no commit of this change has a note in {ref}: there is no such ref")
        depth = "--depth=1 " if git.is_shallow else ""
        problem = f"{ref} is not in this clone; run `git fetch {depth}origin {ref}:{ref}` first"
        return Found(recordings=(Recorded(path=ref, problem=problem, kind="notes_missing", elsewhere=True),))
    tree = git.tree(tip)
    places = {path.replace("/", ""): path for path in tree.paths()}
    recordings = []
    for commit in history.commits:
        if commit.id in places:
            label = f"{ref}:{commit.id[:12]}"
            try:
                data = Source(label, tree).read(places[commit.id], limit=LARGEST)
            except SourceError as error:
                recordings.append(Recorded(path=label, problem=error.message, kind=error.kind, elsewhere=True))
            else:
                recordings.append(read(data, label, elsewhere=True))
    return Found(
        recordings=tuple(recordings), silence="" if recordings else f"no commit of this change has a note in {ref}"
    )


def _checkpoints(branch: str, history: History, git: Git) -> Found:
    from gate import checkpoint  # only a manifest that names them has recordings there

    found = checkpoint.transcripts(checkpoint.named(history), branch, git)
    recordings = tuple(
        Recorded(path=part.label, problem=part.problem, kind=part.kind, elsewhere=True)
        if part.problem
        else read(part.data, part.label, elsewhere=True)
        for part in found
    )
    silence = "" if recordings else f"no commit of this change carries `{checkpoint.TRAILER}`"
    return Found(recordings=recordings, silence=silence)
