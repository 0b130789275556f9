"""AgentBench's call: a folder of task documents, one recording, perhaps a gate manifest; every task is in scope."""

import os
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate import disk
from gate.asked import Asked
from gate.catalogue import Catalogue
from gate.errors import ManifestError, SourceError, TaskError
from gate.formats import agentbench
from gate.groundwork import inline
from gate.oracle import Oracle
from gate.plan import Plan, Planned
from gate.recorded import Recorded, read, remarks
from gate.report import Finding, Severity
from gate.shape import nearest_name
from gate.source import Source, open_file

if TYPE_CHECKING:
    from gate.review import Review


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What was passed: the folder of tasks, the recording (None: none is replayed), and the gate manifest, as typed."""

    tasks: str
    trajectory: str | None
    manifest: str | None = None


class _Disk:
    """Task documents as they lie on the disk."""

    label = "the disk"

    def __init__(self, folder: Path) -> None:
        self._folder = os.fspath(folder)

    def read(self, path: str) -> bytes:
        return open_file(os.path.join(self._folder, path))

    def names(self, folder: str) -> list[str]:
        return disk.listed(Path(self._folder, folder))


class _Base:
    """Task documents as the judge's revision holds them; paths are relative to the started folder."""

    def __init__(self, source: Source, review: "Review") -> None:
        self._source, self._review = source, review
        self.label = source.label

    def read(self, path: str) -> bytes:
        return self._source.read(self._review.place(path))

    def names(self, folder: str) -> list[str]:
        prefix = self._review.place(folder) + "/"
        below = (path[len(prefix) :] for path in self._source.paths() if path.startswith(prefix))
        return [name for name in below if "/" not in name]


def plan(call: Call, asked: Asked, folder: Path, review: "Review | None", plugins: Sequence[type[Oracle]] = ()) -> Plan:
    """The plan of such a call.

    With a review (in CI, or when a base was named) the documents come from the judge's revision, otherwise from the
    disk. The recording always comes from the disk: it is what the caller names.
    """
    files: _Disk | _Base = _Disk(folder)
    notices: list[Finding] = []
    if review is not None:
        bench = review.bench(asked.judge, review.place(call.manifest or call.tasks))
        files, notices = _Base(bench.source, review), list(bench.notices)
    names, said = _names(call, files)
    notices += [Finding(severity=Severity.NOTICE, kind="manifest", message=text) for text in said]
    recordings = () if call.trajectory is None else (_recording(call.trajectory, folder),)
    drafting = _Drafting(files, Catalogue(plugins), recordings)
    drafts = (drafting.planned(posixpath.join(call.tasks, name), name) for name in names)
    planned = [task for task in drafts if task is not None]
    planned = list(_told_apart(planned))
    ids = [task.id for task in planned]
    unknown = [name for name in asked.only if name not in ids]
    if unknown:
        raise ManifestError(f"there is no task {unknown[0]!r} in {call.tasks}{nearest_name(unknown[0], ids)}")
    return Plan(
        tasks=tuple(task for task in planned if not asked.only or task.id in asked.only),
        change=f"every task of {call.tasks}{f', replaying {call.trajectory}' if call.trajectory else ''}",
        judge=files.label,
        commands=asked.commands,
        notices=tuple(notices),
    )


def _told_apart(tasks: list[Planned]) -> Iterator[Planned]:
    """The tasks; one whose id stands above already cannot be told apart in a report, and is its own error."""
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen and not task.problem:
            problem = f"{task.path}: a task {task.id!r} stands in another document; ids must differ"
            yield msgspec.structs.replace(task, problem=problem, kind="duplicate")
        else:
            yield task
        seen.add(task.id)


def _names(call: Call, files: _Disk | _Base) -> tuple[list[str], list[str]]:
    """The documents to judge, relative to the folder of tasks, and what is to be said about their choice."""
    if call.manifest is not None:
        found = agentbench.GateManifest(call.manifest, files.read)
        notices = found.notices
        named = found.trajectory
        if named and call.trajectory and posixpath.basename(named) != posixpath.basename(call.trajectory):
            notices.append(f"{call.manifest} was written for {named}; {call.trajectory} is replayed, as asked")
        return list(found.files), notices
    try:
        names = sorted(name for name in files.names(call.tasks) if name.endswith((".json", ".yaml", ".yml")))
    except (SourceError, OSError) as error:
        raise ManifestError(f"the folder of tasks cannot be read: {error}", kind="not_found") from None
    if not names:
        raise ManifestError(f"there is no task document (*.json, *.yaml) in {call.tasks}", kind="no_tasks")
    return names, []


def _recording(path: str, folder: Path) -> Recorded:
    try:
        return read(open_file(folder / path), path)
    except SourceError as error:
        return Recorded(path=path, problem=error.message, kind=error.kind)


class _Drafting:
    """Reads one document after the other; what is said of the recordings is said of every task."""

    def __init__(self, files: _Disk | _Base, catalogue: Catalogue, recordings: tuple[Recorded, ...]) -> None:
        self._files, self._catalogue, self._recordings = files, catalogue, recordings
        self._remarks = tuple(remarks(recordings))

    def planned(self, path: str, name: str) -> Planned | None:
        """The task of a document, or why it cannot be judged; None for a gate manifest among the documents."""
        scope = "every task of the folder is judged"
        try:
            data = self._files.read(path)
            if agentbench.is_manifest(data):
                return None
            task = agentbench.read_task(data, path, self._catalogue)
            start = inline.tree(task.workspace, task)  # type: ignore[arg-type] # AgentBench's are always inline
        except (SourceError, TaskError) as error:
            unread = "the task document cannot be read: " if isinstance(error, SourceError) else ""
            return Planned(
                id=name.rpartition(".")[0],
                in_scope=True,
                scope=scope,
                path=path,
                line=1,
                problem=unread + error.message,
                kind=error.kind,
                unread=True,
            )
        said = [Finding(severity=Severity.NOTICE, kind="task", message=text, path=path) for text in task.notices]
        return Planned(
            id=task.id,
            in_scope=True,
            scope=scope,
            path=path,
            line=task.line,
            task=task,
            recordings=self._recordings,
            start=start,
            notices=(*said, *self._remarks),
        )
