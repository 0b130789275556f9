"""Reads a manifest's tasks into a plan: the judge's files from the bench, recordings from the head."""

import functools
import posixpath
from collections.abc import Iterator, Sequence

import msgspec

from gate import holdings, interpreter, manifest, reference, registry, script
from gate.catalogue import Catalogue
from gate.command import Interpreter
from gate.consultant import Consultant
from gate.custody import of_bundles
from gate.desk import Desk, Drafted
from gate.drafting import Drafting
from gate.entry import Commands, Entry, Expected, Finished, Switch
from gate.errors import ManifestError, NothingLeft, PluginError, SourceError, TaskError, UsageError
from gate.holdings import Holdings
from gate.integrity import guard, novelty
from gate.manifest import Manifest
from gate.material import strangers, trees
from gate.oracle import Oracle
from gate.origin import Found, Recordings
from gate.plan import Plan, Planned, Selection, select, state_of
from gate.policy import Judge
from gate.recorded import Recorded, remarks
from gate.report import Finding, Severity, Verdict
from gate.requirement import demand, verdict
from gate.review import Review
from gate.scope import Patterns, placed
from gate.script import Scripts
from gate.shape import nearest_name
from gate.task import Folder, State, Task


class Intake:
    """Reads a manifest's tasks and recordings for one review.

    `manifest` is one that nobody has written down, `plugins` are oracle types beside those that a manifest names.
    """

    def __init__(
        self, review: Review, manifest: Manifest | None = None, *, plugins: Sequence[type[Oracle]] = ()
    ) -> None:
        self._review = review
        self._recordings = Recordings(review)
        path = manifest.path if manifest else review.manifest_path()
        self._bench = review.bench(review.asked.judge, path)
        self.manifest = manifest or self._manifest(path)
        if self.manifest.policy.judge is Judge.HEAD and not self._bench.from_head and review.asked.judge is None:
            self._bench = review.bench(Judge.HEAD, path)
            self.manifest = self._manifest(path)
        self.folder = self.manifest.folder
        self._plugins: list[str] = []
        self._owned: list[str] = []
        self.catalogue = Catalogue([*(self._plugin(plugin) for plugin in self.manifest.plugins), *plugins])
        self._desk = Desk(self._bench.source, self.catalogue, self.folder)
        self._desk.judge_model = review.asked.judge_model
        self._desk.judge_reasoning_effort = review.asked.judge_reasoning_effort

    def plan(self) -> Plan:
        """The whole plan. ManifestError, PluginError and UsageError end it; a broken task becomes its own error."""
        review, manifest = self._review, self.manifest
        pairs = list(self._entries())
        planned = self._required(pairs)
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
        scripts = script.find(manifest, self._bench.source, review)
        held = Holdings(
            (manifest.path, *self._desk.files, *self._owned),
            code=(*self._plugins, *scripts.files),
            recordings=holdings.recordings(manifest),
        )
        python = self._python
        guarded = guard.found(review, self._bench, manifest, held, self.catalogue)
        head = Desk(review.head, self.catalogue, self.folder)
        return Plan(
            tasks=(*planned, *guarded.planned),
            change=review.description,
            judge=self._bench.source.label,
            policy=manifest.policy,
            defaults=manifest.defaults,
            allow=manifest.allow,
            commands=review.asked.commands,
            consultant=self._consultant(scripts),
            python=python,
            fresh=tuple(novelty.fresh(review, guarded.tampered, head, python=python)),
            notices=(
                *self._bench.notices,
                *scripts.notices,
                *guarded.notices,
                *change_notices,
                *of_bundles(review, self._bench, self._desk, pairs, python=python.program if python else None),
            ),
        )

    def _consultant(self, scripts: Scripts) -> Consultant | None:
        """Who asks a model. What the change itself names gets no secrets of the CI."""
        named = self.manifest.judge
        if named is None:
            return None
        trusted = not (self._bench.from_head and self._review.asked.change.ci)
        return Consultant(
            command=tuple(named.command),
            seconds=120.0 if named.timeout is None else float(named.timeout),
            scripts=scripts.tree,
            variables=tuple(named.environment) if trusted else (),
            model=self._review.asked.judge_model or named.model,
            reasoning_effort=self._review.asked.judge_reasoning_effort or named.reasoning_effort,
        )

    def _manifest(self, path: str) -> Manifest:
        try:
            return manifest.read(self._bench.source.read(path), path)
        except SourceError as error:
            raise ManifestError(f"the manifest cannot be read: {error.message}", kind=error.kind) from None

    def _plugin(self, path: str) -> type[Oracle]:
        place = self._place(path)
        self._plugins.append(place)
        try:
            code = self._bench.source.read(place)
        except SourceError as error:
            raise PluginError(f"a plugin cannot be read: {error.message}", kind=error.kind) from None
        return registry.plugin(code, Oracle, label=place)  # type: ignore[type-abstract]

    def _place(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.folder, path))

    @functools.cached_property
    def _python(self) -> Interpreter | None:
        return interpreter.find(self.manifest, self._review)

    def _entries(self) -> Iterator[tuple[Entry, Planned]]:
        """Every task, with what the manifest's entry says of it. ManifestError tells the faults of all entries."""
        drafting = Drafting(self.manifest, self._desk)
        due = novelty.Due(self._review, self._bench, self.manifest, self._desk, python=self._python)
        seen: set[str] = set()
        faults: list[ManifestError] = []
        for number in range(len(self.manifest.entries)):
            try:
                drafts = list(drafting.tasks(number))
            except ManifestError as error:
                faults.append(error)
                continue
            for entry, draft in drafts:
                self._owned += (item.place for item in holdings.of_task(entry, draft, self.folder))
                planned = due.told(self._planned(entry, draft), self.manifest.entries[number], draft)
                if planned.id in seen:
                    planned = msgspec.structs.replace(
                        planned, problem=f"a task {planned.id!r} stands above; ids must differ", kind="duplicate"
                    )
                seen.add(planned.id)
                yield entry, planned
        if faults:
            raise ManifestError("\n".join(fault.message for fault in faults), kind=faults[0].kind)

    def _selected(self, entry: Entry) -> Selection:
        change = self._review.change
        everything = change is None or change.everything
        return select(entry, change.paths if change else (), folder=self.folder, everything=everything)

    def _planned(self, entry: Entry, drafted: Drafted) -> Planned:
        selection, task, path, line = self._selected(entry), drafted.task, drafted.path, drafted.line
        draft = Planned(
            id=task.id if task else drafted.name,
            in_scope=selection.in_scope,
            scope=selection.reason,
            changed=selection.paths,
            path=path,
            line=line,
            bundled=entry.bundle is not None,
        )
        try:
            if task is None:
                raise TaskError(drafted.problem, kind=drafted.kind)
            if not selection.in_scope and not self._review.asked.only:
                return draft
            finished = entry.state.dir if isinstance(entry.state, Finished) else None
            task = msgspec.structs.replace(
                task,
                state=State.HEAD if isinstance(entry.state, Finished) else state_of(entry.state, task),
                finished=finished,
                golden=None if drafted.golden is None else reference.read(drafted.golden, self._desk.read),
                must_fail=entry.control is Expected.MUST_FAIL,
                pass_at=entry.pass_at,
                pass_all=entry.pass_all,
            )
            return self._ready(draft, task, entry)
        except TaskError as error:
            notice = Finding(severity=Severity.WARNING, kind=error.kind, message=error.message, path=path, line=line)
            if not selection.in_scope:
                return msgspec.structs.replace(draft, notices=(notice,))
            unread = not isinstance(error, NothingLeft)
            return msgspec.structs.replace(draft, problem=error.message, kind=error.kind, unread=unread)

    def _ready(self, draft: Planned, task: Task, entry: Entry) -> Planned:
        """The draft with everything that a trial needs."""
        ground = trees(self._review, self._bench.source, task, self.folder, python=self._python)
        recorded = self._review.asked.recorded
        found = self._recordings.of(entry.trajectory, task, self.folder) if recorded else Found()
        task, said = self._explained(self._repeating(task, entry), entry, found.recordings)
        notices = (
            *said,
            *strangers(found.recordings, task, ground),
            *remarks(found.recordings),
        )
        return msgspec.structs.replace(
            draft,
            task=task,
            recordings=found.recordings,
            silence=found.silence,
            notices=notices,
            narrow=entry.scope is not None and not Patterns(entry.scope).match("\0"),
            changed=self._changed(draft, task, entry) if ground.changed is None else ground.changed,
            start=ground.start,
            head=ground.head,
            folder=ground.folder,
            checkout=ground.checkout,
        )

    def _explained(self, task: Task, entry: Entry, recordings: tuple[Recorded, ...]) -> tuple[Task, list[Finding]]:
        """The task with the oracle that is on by default, and what is to be said of it."""
        draft = Finding(severity=Severity.NOTICE, kind="task", message="", path=task.path)
        said = [msgspec.structs.replace(draft, message=text) for text in task.notices]
        explained = self.catalogue.find("explained")
        asked = explained is None or any(isinstance(oracle, explained) for oracle in task.oracles)
        if task.state is not State.HEAD or task.finished is not None or not recordings or asked or explained is None:
            return task, said
        if entry.explained is Switch.OFF:
            off = "`explained: off`: nobody asks whether the recording explains the change"
            said.append(msgspec.structs.replace(draft, kind="setting", message=off))
            return task, said
        return msgspec.structs.replace(task, oracles=(*task.oracles, explained())), said

    def _repeating(self, task: Task, entry: Entry) -> Task:
        """The task with what it says of recorded commands, and a word where they are not repeated all the same."""
        if entry.replay.commands is not Commands.REPEAT:
            return task
        why = ""
        if task.state is not State.HEAD:
            why = "the task is judged on its replay, of edits alone"
        elif not self._review.asked.commands:
            why = "this run starts no commands"
        said = (f"`replay: {{commands: repeat}}`: no command is repeated: {why}",) if why else ()
        return msgspec.structs.replace(task, repeat=not why, notices=(*task.notices, *said))

    def _changed(self, draft: Planned, task: Task, entry: Entry) -> tuple[str, ...]:
        """The changed paths in scope without the recordings themselves, which no agent writes by its tools."""
        recordings = Patterns([placed(self.folder, entry.trajectory)] if isinstance(entry.trajectory, str) else [])
        paths = [path for path in draft.changed if not recordings.match(path)]
        if isinstance(task.workspace, Folder):
            prefix = self._place(task.workspace.dir) + "/"
            paths = [path.removeprefix(prefix) for path in paths if prefix == "./" or path.startswith(prefix)]
        return tuple(paths)

    def _required(self, pairs: Sequence[tuple[Entry, Planned]]) -> tuple[Planned, ...]:
        """The tasks in scope with what the policy says of their recordings.

        A task that names none is asked only where no other one in scope does.
        """
        review, policy = self._review, self.manifest.policy
        if policy.require_recording is msgspec.UNSET or (review.change is None and review.git is not None):
            return tuple(task for _, task in pairs)
        asked = demand(policy, review.history, review.asked.event, ci=review.asked.change.ci)
        named = any(task.in_scope and entry.trajectory is not None for entry, task in pairs)
        return tuple(
            _with_verdict(task, verdict(asked, task, entry.trajectory, pending=review.history.pending))
            if task.in_scope and (entry.trajectory is not None or not named or task.recordings)
            else task
            for entry, task in pairs
        )


def _with_verdict(task: Planned, found: Verdict | None) -> Planned:
    unread = task.problem and task.kind != "no_recording"
    return task if found is None or unread else msgspec.structs.replace(task, verdicts=(found,))
