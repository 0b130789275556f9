"""A lane: what one agent made of a bundle's tasks, a finished folder or a recording for each, and the plan to judge it.

The candidate and the control are lanes of the same bundle.
"""

import os
import posixpath
import stat
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec

from gate.asked import Asked
from gate.bundles.contents import Contents, opened
from gate.bundles.provenance import UNKNOWN, Provenance
from gate.bundles.seal import MANIFEST, PIN
from gate.catalogue import Catalogue
from gate.command import Interpreter
from gate.custody import Custody, environment_of
from gate.errors import NothingLeft, SourceError, TaskError, UsageError
from gate.formats import bundle as format_of
from gate.git import Git
from gate.judge import Bench
from gate.path import printable
from gate.plan import Plan, Planned
from gate.policy import Require
from gate.recorded import Recorded, read, remarks
from gate.recording import Recording
from gate.report import Finding, Severity
from gate.review import Review
from gate.source import DiskTree, open_file, open_stream
from gate.task import State
from gate.tree import SYMLINK, Subtree, Tree

NAME = "{name}"
"""Stands for the task's name in a pattern of recordings."""


class Lane(msgspec.Struct, frozen=True, kw_only=True):
    """Where the results of one agent lie: `workspaces` holds a finished folder for each task, or `recordings` is a path
    with `{name}` in it."""

    workspaces: str | None = None
    recordings: str | None = None

    @property
    def named(self) -> str:
        """What was typed."""
        return self.workspaces if self.workspaces is not None else self.recordings or ""

    def of(self, name: str) -> str:
        """The path of one task's result, as typed."""
        if self.workspaces is not None:
            return posixpath.join(self.workspaces, name)
        return (self.recordings or "").replace(NAME, name)


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle ready to judge lanes: `drift` from the pinned environment, and `gaps` before a rate.

    `bench` is the revision that it is read from, None for the files as they lie on this machine.
    """

    contents: Contents
    folder: Path
    python: str | None
    drift: tuple[str, ...]
    gaps: tuple[str, ...]
    bench: Bench | None = None


class Workspace(DiskTree):
    """A finished workspace on disk, which knows of empty folders too."""

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder of this name; links are not followed."""
        try:
            with self._parent(path) as (name, folder):
                return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        except (KeyError, OSError):
            return False


def exam(
    named: str,
    folder: Path,
    *,
    require: Require | None,
    python: str | None,
    review: Review | None = None,
    needs_pin: bool = True,
) -> Exam:
    """A bundle, verified. BundleError where it, or the machine, is not what it should be.

    `folder` is where relative paths start. With a review the bundle is read from the judge's revision, otherwise from
    this machine. `needs_pin` is for `environment_of`.
    """
    place = folder / named
    bench, tree = None, DiskTree(place)
    if review is not None:
        inside = review.place(named)
        bench = review.bench(review.asked.judge, f"{inside}/{MANIFEST}")
    elif not named or not place.is_dir():
        raise UsageError(f"{named or repr(named)}: there is no such folder; expected a bundle's", kind="not_found")
    label = named.rstrip("/") or named
    contents = opened(tree if bench is None else Subtree(bench.source.tree, inside), label)
    drift, gaps = environment_of(
        contents, require=require, python=python, read_lock=partial(lock, place), needs_pin=needs_pin
    )
    return Exam(contents=contents, folder=folder, python=python, drift=drift, gaps=gaps, bench=bench)


def lock(place: Path, name: str) -> bytes:
    """The bytes of a lock file that a bundle in `place` names. SourceError where it cannot be read."""
    return open_file(os.path.join(place, name))


def plan(exam: Exam, lane: Lane, asked: Asked, *, reason: str | None = None) -> Plan:
    """The plan of one lane: every task of the bundle is in scope, and one without a result is its own error.

    `reason` is what `provenance` says, where that is known already.
    """
    contents = exam.contents
    _check(lane, len(contents.tasks))
    said, catalogue = contents.said(), Catalogue()
    tasks = [_planned(exam, lane, name, tuple(said[name]), catalogue) for name in contents.tasks]
    reason = provenance(exam, lane) if reason is None else reason
    standing = Custody(
        place=contents.label,
        digest=contents.digest,
        tasks=len(contents.tasks),
        drift=exam.drift,
        gaps=(*exam.gaps, *([reason] if reason else [])),
    )
    return Plan(
        tasks=tuple(task for task in tasks if not asked.only or task.id in asked.only),
        change=f"every task of {contents.label}, {'finished in' if lane.workspaces else 'replaying'} {lane.named}",
        judge=exam.bench.source.label if exam.bench is not None else "the disk",
        commands=asked.commands,
        python=None if exam.python is None else Interpreter(exam.python, "`--python`"),
        notices=(*(exam.bench.notices if exam.bench else ()), standing.finding, *_strangers(exam, lane)),
    )


def _check(lane: Lane, tasks: int) -> None:
    if not lane.named:
        raise UsageError(
            "the place of the results is empty; expected a folder, or the path of recordings", kind="usage"
        )
    if lane.workspaces is None and tasks > 1 and NAME not in lane.named:
        reason = f"expected {NAME} in the path of recordings, for the name of each of the {tasks} tasks"
        raise UsageError(f"{lane.named}: {reason}", kind="usage")


def _planned(exam: Exam, lane: Lane, name: str, said: tuple[str, ...], catalogue: Catalogue) -> Planned:
    contents = exam.contents
    path = f"{contents.label}/tasks/{name}/prompt.md"
    scope = "every task of the bundle is judged"
    draft = Planned(id=name, in_scope=True, scope=scope, path=path, line=1, bundled=True)
    try:
        task = format_of.read(contents, name, catalogue)
        if lane.workspaces is not None:
            task = msgspec.structs.replace(task, state=State.HEAD)
            draft = msgspec.structs.replace(draft, head=_finished(exam, lane, name))
        else:
            draft = msgspec.structs.replace(draft, recordings=(_recorded(exam, lane.of(name)),))
    except TaskError as error:
        unread = not isinstance(error, NothingLeft)
        return msgspec.structs.replace(draft, problem=error.message, kind=error.kind, unread=unread)
    notices = (
        *(Finding(severity=Severity.NOTICE, kind="task", message=text, path=path) for text in said),
        *remarks(draft.recordings),
    )
    return msgspec.structs.replace(draft, task=task, start=Subtree(contents.task(name), "fixtures"), notices=notices)


def _finished(exam: Exam, lane: Lane, name: str) -> Tree:
    """The folder of one task. TaskError where there is none, or a link in its place."""
    above, place = DiskTree(exam.folder / (lane.workspaces or "")), lane.of(name)
    if above.mode(name) == SYMLINK:
        raise NothingLeft(f"{place} is a symbolic link, and links are not followed; expected a folder", kind="is_link")
    if not (above.folder / name).is_dir():
        raise NothingLeft(f"there is no folder {place}, so the task has no end state to judge", kind="no_workspace")
    return Workspace(above.folder / name)


def _recorded(exam: Exam, path: str) -> Recorded:
    place = exam.folder / path
    if not place.exists():
        raise NothingLeft(f"there is no recording {path}, so there is nothing to judge", kind="no_recording")
    return read(Recording(partial(open_stream, place), path), path, elsewhere=True)


def _strangers(exam: Exam, lane: Lane) -> Iterator[Finding]:
    """A notice for folders of the lane that belong to no task."""
    if lane.workspaces is None:
        return
    try:
        found = {path.partition("/")[0] for path in DiskTree(exam.folder / lane.workspaces).paths() if "/" in path}
    except (SourceError, OSError) as error:
        raise UsageError(f"{lane.workspaces}: the workspaces cannot be read: {error}", kind="not_found") from None
    others = sorted(found.difference(exam.contents.tasks))
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        message = f"{lane.workspaces} holds {printable(others[0])}{more}, which is no task of {exam.contents.label}."
        yield Finding(severity=Severity.NOTICE, kind="stranger", message=message)


def provenance(exam: Exam, lane: Lane) -> str:
    """Why nothing shows that the bundle was pinned before this lane was run; empty where the commits show it."""
    git = Git.discover(exam.folder)
    if git is None:
        return UNKNOWN
    with git:
        places = {name: _inside(git, exam.folder / lane.of(name)) for name in exam.contents.tasks}
        bundle = _inside(git, exam.folder / exam.contents.label)
        head = git.resolve("HEAD")
        if bundle is None or None in places.values():
            return "the bundle and the results do not lie in one repository, so no commit shows which came first"
        commit = exam.bench.commit if exam.bench is not None else None
        found = Provenance(git, place=bundle, judge=commit or head, head=head)
        if found.reason or head is None:
            return found.reason
        disk, committed = DiskTree(git.top), git.tree(head)
        for name in (MANIFEST, PIN) if commit is None else ():
            path = posixpath.join(bundle, name)
            if path in disk and _differing(disk, committed, [path]):
                return f"{exam.contents.label}/{name} is not as it was committed"
        results = {place: name for name, place in places.items() if place is not None}
        return _came_later(found, git, head, results, folders=lane.workspaces is not None)


def _came_later(found: Provenance, git: Git, head: str, results: Mapping[str, str], *, folders: bool) -> str:
    """`results` are the names of the tasks by the places of what came of them."""
    disk, committed = DiskTree(git.top), git.tree(head)
    for place in results:
        one, other = Subtree(disk, place), Subtree(committed, place)
        paths = sorted({*DiskTree(git.top / place).paths(), *other.paths()}) if (git.top / place).is_dir() else []
        differing = _differing(one, other, paths) if folders else None
        if differing is not None:
            file = printable(f"{place}/{differing}")
            how = "not as it was committed" if differing in other else "in no commit yet"
            return f"{file} is {how}, so nothing shows that the bundle came first"
        if not folders and _differing(disk, committed, [place]):
            return f"{printable(place)} is in no commit yet, so nothing shows that the bundle was pinned before it"
    if folders:
        return found.of_folders({place: f"tasks/{name}/fixtures" for place, name in results.items()})
    return found.of_files(results, committed)


def _differing(one: Tree, other: Tree, paths: list[str]) -> str | None:
    """The first of the paths at which the two trees do not hold the same bytes; None where there is none."""
    for path in paths:
        try:
            if path not in one or path not in other or one.read(path) != other.read(path):
                return path
        except (KeyError, SourceError):
            return path
    return None


def _inside(git: Git, place: Path) -> str | None:
    """A place on disk, relative to the checkout; None outside of it."""
    whole = Path(os.path.abspath(place))
    return whole.relative_to(git.top).as_posix() if whole.is_relative_to(git.top) else None
