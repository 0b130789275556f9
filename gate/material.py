"""What a task is judged on: its start tree, and the head's tree or a finished folder of it."""

import posixpath
from collections.abc import Iterator

import msgspec

from gate import environment
from gate.command import Interpreter, Shell
from gate.errors import NothingLeft, TaskError
from gate.groundwork import inline
from gate.groundwork.preparation import Prepared
from gate.path import printable
from gate.recorded import Recorded
from gate.report import Finding, Severity
from gate.review import Review
from gate.source import Source
from gate.task import Environment, Folder, Inline, Revision, Task
from gate.tree import Placed, Subtree, Tree, differing


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """Two whole trees, the folder in them that is the workspace, and that folder's place in the checkout.

    `commit` is the one that the start tree is of, None where it is of none. `changed` are the paths that differ where
    that is not what the change says: under a finished folder.
    """

    start: Tree
    head: Tree | None
    folder: str = ""
    checkout: str | None = None
    commit: str | None = None
    changed: tuple[str, ...] | None = None


def trees(review: Review, judge: Source, task: Task, folder: str, *, python: Interpreter | None = None) -> Ground:
    """The trees of a task, whose manifest lies in `folder`. TaskError where its workspace cannot be had.

    Commands that make the workspace ready are run when somebody looks at it, with `python` for their interpreter.
    """
    ground = _start(review, judge, task, folder)
    if task.setup:
        shell = Shell(python=python, variables=task.variables)
        ground = msgspec.structs.replace(ground, start=Prepared(ground.start, task.setup, shell))
    return ground if task.finished is None else _finished(review, task, folder, ground)


def strangers(recordings: tuple[Recorded, ...], task: Task, ground: Ground) -> Iterator[Finding]:
    """A notice for each recording that started from another commit than the one it is replayed on."""
    if not isinstance(task.workspace, Revision):
        return
    for recorded in recordings:
        start = recorded.trajectory.start if recorded.trajectory else None
        if start and not (ground.commit or "").startswith(start):
            base = f"the commit {ground.commit[:12]}" if ground.commit else "nothing"
            yield Finding(
                severity=Severity.NOTICE,
                kind="start",
                path=None if recorded.elsewhere else recorded.path,
                message=f"The recording {printable(recorded.path)} started from the commit {printable(start)[:12]}, "
                f"and the task from {base}: edits may meet other content.",
            )


def _start(review: Review, judge: Source, task: Task, folder: str) -> Ground:
    start = task.workspace
    if isinstance(start, Inline):
        return Ground(start=inline.tree(start, task), head=None)
    if isinstance(start, Environment):
        return Ground(start=environment.built(start, review, judge, task), head=None)
    if isinstance(start, Folder):
        place = _place(folder, start.dir)
        if place is None or _is_empty(Subtree(judge.tree, place)):
            raise _error(task, "workspace.dir", f"there is no file in {start.dir} in {judge.label}", kind="workspace")
        return Ground(start=Subtree(judge.tree, place), head=Subtree(review.head.tree, place), checkout=place)
    if review.git is None:
        raise TaskError(
            f"{task.place}: `workspace: {{git: {start.git}}}` needs a git repository, and here is none",
            kind="workspace",
        )
    if start.git == "base":
        commit = review.change.base if review.change else None
        return Ground(start=review.start(), head=review.head.tree, folder=folder, checkout=folder, commit=commit)
    commit = review.git.resolve(start.git)
    if commit is None:
        reason = f"{start.git!r} names no commit here; expected `base` or one"
        raise _error(task, "workspace.git", reason, kind="workspace")
    tree = review.git.tree(commit)
    return Ground(start=tree, head=review.head.tree, folder=folder, checkout=folder, commit=commit)


def _finished(review: Review, task: Task, folder: str, ground: Ground) -> Ground:
    """The ground with a folder of the head in the place of the head's own workspace."""
    named = task.finished or ""
    place = _place(folder, named)
    if place is None:
        raise _error(task, "state.dir", f"{named} leads out of the repository", kind="path_escape")
    end = Subtree(review.head.tree, place)
    if _is_empty(end):
        reason = f"there is no file in {named} in {review.head.label}"
        raise NothingLeft(f"{task.place}: `state.dir`: {reason}", kind="state")
    head = Placed(end, ground.folder)
    prefix = f"{ground.folder}/" if ground.folder else ""
    return Ground(
        start=ground.start,
        head=head,
        folder=ground.folder,
        checkout=place,
        commit=ground.commit,
        changed=tuple(prefix + path for path in differing(Subtree(ground.start, ground.folder), end)),
    )


def _place(folder: str, named: str) -> str | None:
    """A folder named in the manifest, relative to the checkout; "" for its top, None for one outside of it."""
    place = posixpath.normpath(posixpath.join(folder, named))
    if posixpath.isabs(place) or place == ".." or place.startswith("../"):
        return None
    return "" if place == "." else place


def _is_empty(tree: Tree) -> bool:
    return next(iter(tree.paths()), None) is None


def _error(task: Task, key: str, reason: str, *, kind: str) -> TaskError:
    return TaskError(f"{task.place}: `{key}`: {reason}", kind=kind)
