"""Reads a manifest's tasks into a plan: the judge's files from the bench, recordings from the head."""

import posixpath
from collections.abc import Iterator

import msgspec

from gate import manifest, registry
from gate.catalogue import Catalogue
from gate.document import DocumentError, Path
from gate.errors import ManifestError, PluginError, SourceError, TaskError, UsageError
from gate.formats import agentbench
from gate.manifest import Entry, Judge, Manifest, Switch
from gate.material import Recordings, trees
from gate.oracle import Oracle
from gate.plan import Plan, Planned, Selection, select, state_of
from gate.report import Finding, Severity
from gate.review import Review
from gate.shape import nearest_name
from gate.task import Revision, State, Task


class Intake:
    """Reads a manifest's tasks and recordings for one review."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self._recordings = Recordings(review)
        path = review.manifest_path()
        self._bench = review.bench(review.asked.judge, path)
        self.manifest = self._manifest(path)
        if self.manifest.policy.judge is Judge.HEAD and not self._bench.from_head and review.asked.judge is None:
            self._bench = review.bench(Judge.HEAD, path)
            self.manifest = self._manifest(path)
        self.folder = self.manifest.folder
        self._judged = [path]
        self.catalogue = Catalogue([self._plugin(plugin) for plugin in self.manifest.plugins])

    def plan(self) -> Plan:
        """The whole plan. ManifestError, PluginError and UsageError end it; a broken task becomes its own error."""
        review, manifest = self._review, self.manifest
        planned = tuple(self._entries())
        ids = [task.id for task in planned]
        unknown = [name for name in review.asked.only if name not in ids]
        if unknown:
            raise UsageError(f"there is no task {unknown[0]!r} in {manifest.path}{nearest_name(unknown[0], ids)}")
        if review.asked.only:
            planned = tuple(task for task in planned if task.id in review.asked.only)
        change_notices = tuple(
            Finding(severity=Severity.NOTICE, kind="change", message=text)
            for text in (review.change.notices if review.change else ())
        )
        return Plan(
            tasks=planned,
            change=review.description,
            judge=self._bench.source.label,
            policy=manifest.policy,
            defaults=manifest.defaults,
            allow=manifest.allow,
            commands=review.asked.commands,
            python=self._python(),
            notices=(*self._bench.notices, *review.tampering(self._bench, self._judged), *change_notices),
        )

    def _manifest(self, path: str) -> Manifest:
        try:
            return manifest.read(self._bench.source.read(path), path)
        except SourceError as error:
            raise ManifestError(f"the manifest cannot be read: {error.message}", kind=error.kind) from None

    def _plugin(self, path: str) -> type[Oracle]:
        place = self._place(path)
        self._judged.append(place)
        try:
            code = self._bench.source.read(place)
        except SourceError as error:
            raise PluginError(f"a plugin cannot be read: {error.message}", kind=error.kind) from None
        name = posixpath.basename(place).removesuffix(".py").replace("-", "_")
        module = registry.from_source(f"gate_plugin.{name}", code, label=place)
        return registry.defined(module, Oracle)  # type: ignore[type-abstract]

    def _place(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.folder, path))

    def _python(self) -> str | None:
        """The interpreter that `python` means, as a path on this machine; None for the one running the gate."""
        named = self.manifest.defaults.python
        if named is None or "/" not in named:
            return named
        place = self._place(named)
        if place in self._review.head.tree:
            raise ManifestError(
                f"{self.manifest.path}: `defaults.python`: {named} is a file of the change itself; "
                "name an interpreter that the change cannot bring along",
                kind="python",
            )
        top = self._review.git.top if self._review.git else self._review.folder
        return posixpath.join(top.as_posix(), place)

    def _entries(self) -> Iterator[Planned]:
        review = self._review
        paths = review.change.paths if review.change else ()
        everything = review.change.everything if review.change else True
        seen: set[str] = set()
        for number, entry in enumerate(self.manifest.entries):
            selection = select(entry, paths, folder=self.folder, everything=everything)
            planned = self._planned(entry, selection, ("tasks", number))
            if planned.id in seen:
                planned = msgspec.structs.replace(
                    planned, problem=f"a task {planned.id!r} stands above; ids must differ", kind="duplicate"
                )
            seen.add(planned.id)
            yield planned

    def _planned(self, entry: Entry, selection: Selection, at: Path) -> Planned:
        path, line = self.manifest.path, self.manifest.line(at)
        fallback = entry.id or posixpath.basename(entry.task or "").rpartition(".")[0] or str(entry.task)
        draft = Planned(
            id=fallback,
            in_scope=selection.in_scope,
            scope=selection.reason,
            changed=selection.paths,
            path=path,
            line=line,
        )
        try:
            task = self._task(entry, at)
            draft = msgspec.structs.replace(draft, id=task.id, path=task.path, line=task.line)
            if not selection.in_scope and not self._review.asked.only:
                return draft
            state = state_of(entry.state, task)
            return self._ready(draft, msgspec.structs.replace(task, state=state), entry)
        except TaskError as error:
            notice = Finding(severity=Severity.WARNING, kind=error.kind, message=error.message, path=path, line=line)
            if not selection.in_scope:
                return msgspec.structs.replace(draft, notices=(notice,))
            return msgspec.structs.replace(draft, problem=error.message, kind=error.kind)

    def _task(self, entry: Entry, at: Path) -> Task:
        if entry.task is not None:
            place = self._place(entry.task)
            self._judged.append(place)
            try:
                return agentbench.read_task(self._bench.source.read(place), place, self.catalogue)
            except SourceError as error:
                raise TaskError(f"the task document cannot be read: {error.message}", kind=error.kind) from None
        document = self.manifest.document
        try:
            start = manifest.workspace(document, entry.workspace, (*at, "workspace"))
            oracles = self.catalogue.decode_all(document, entry.oracles, (*at, "oracles"))
        except DocumentError as error:
            raise ManifestError(f"{self.manifest.path}:{error.line}: {error.message}", kind=error.kind) from None
        return Task(
            id=entry.id or "",
            name=entry.name or "",
            description=entry.description or "",
            prompt=entry.prompt or "",
            tags=tuple(entry.tags or ()),
            workspace=start,
            oracles=oracles,
            state=State.HEAD if isinstance(start, Revision) else State.REPLAY,
            path=self.manifest.path,
            line=document.line(at),
        )

    def _ready(self, draft: Planned, task: Task, entry: Entry) -> Planned:
        """The draft with everything that a trial needs."""
        ground = trees(self._review, self._bench.source, task, self.folder)
        recordings, silence = self._recordings.of(entry.trajectory, task, self.folder)
        said = list(task.notices)
        if task.state is State.HEAD and recordings:
            explained = self.catalogue.find("explained")
            if entry.explained is Switch.OFF:
                said.append("`explained: off`: nobody asks whether the recording explains the change")
            elif explained and not any(isinstance(oracle, explained) for oracle in task.oracles):
                task = msgspec.structs.replace(task, oracles=(*task.oracles, explained()))
        notices = tuple(Finding(severity=Severity.NOTICE, kind="task", message=text, path=task.path) for text in said)
        return msgspec.structs.replace(
            draft,
            task=task,
            recordings=recordings,
            silence=silence,
            notices=notices,
            start=ground.start,
            head=ground.head,
            folder=ground.folder,
            checkout=ground.checkout,
        )
