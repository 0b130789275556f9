"""Which tasks' controls are due: those whose own files a change touches; and what is new in the judge of its head."""

from collections.abc import Iterator

import msgspec

from gate import holdings, manifest, material, reference
from gate.command import Interpreter
from gate.desk import Desk, Drafted
from gate.entry import Entry
from gate.errors import GateError, TaskError
from gate.golden import Control
from gate.holdings import Holdings
from gate.integrity.roll import Judged
from gate.integrity.tampering import Tampering
from gate.judge import Bench
from gate.manifest import Manifest
from gate.oracle import Oracle
from gate.plan import Fresh, Planned
from gate.policy import Controls
from gate.report import Finding, Severity
from gate.review import Review
from gate.source import Source
from gate.task import State, Task


class Due:
    """Says which controls a task's oracles are to be proved by in this run."""

    def __init__(
        self, review: Review, bench: Bench, judged: Manifest, desk: Desk, *, python: Interpreter | None
    ) -> None:
        self._review, self._manifest, self._desk, self._python = review, judged, desk, python
        change = review.change
        self._paths = frozenset(change.paths) if change is not None and not change.everything else frozenset[str]()
        self._other = self._entries(Source("base", review.start()) if bench.from_head else review.head)

    def _entries(self, other: Source) -> tuple[Entry, ...]:
        """The entries that the other side of the change has; where its manifest is the same, those of this one."""
        if self._manifest.path not in self._paths:
            return self._manifest.entries
        try:
            return manifest.read(other.read(self._manifest.path), self._manifest.path).entries
        except GateError:
            return ()

    def told(self, planned: Planned, entry: Entry, drafted: Drafted) -> Planned:
        """One task with the controls that are due, whose entry stands in the manifest as `entry`.

        A task out of scope whose own files the change touches is made ready for them, and for nothing else.
        """
        controls = () if drafted.task is None else self._controls(entry, drafted, in_scope=planned.in_scope)
        if not controls or planned.problem:
            return planned
        if planned.task is None:
            found = _ready(self._review, self._desk, drafted, self._manifest.folder, python=self._python)
            if found.problem:
                notice = Finding(
                    severity=Severity.WARNING,
                    kind=found.kind,
                    message=f"Unproved: {found.problem}",
                    path=planned.path,
                    line=planned.line,
                )
                return msgspec.structs.replace(planned, notices=(*planned.notices, notice))
            planned = msgspec.structs.replace(
                planned, task=found.task, start=found.start, folder=found.folder, checkout=found.checkout
            )
        return msgspec.structs.replace(planned, controls=controls)

    def _controls(self, entry: Entry, drafted: Drafted, *, in_scope: bool) -> tuple[Control, ...]:
        when = self._manifest.policy.controls
        if when is Controls.OFF or (when is Controls.ALL and not in_scope):
            return ()
        if when is Controls.CHANGED and not self._touched(entry, drafted):
            return ()
        return asked(entry, drafted)

    def _touched(self, entry: Entry, drafted: Drafted) -> bool:
        if not self._paths:
            return False
        own = holdings.of_task(entry, drafted, self._manifest.folder)
        held = Holdings(item.place for item in own if item.place != self._manifest.path)
        return entry not in self._other or any(path in held for path in self._paths)


def asked(entry: Entry, drafted: Drafted) -> tuple[Control, ...]:
    """The controls that an entry asks for; where it says nothing, both of them for a task with golden input."""
    if entry.controls is not None:
        return tuple(entry.controls)
    return () if drafted.golden is None else tuple(Control)


def fresh(review: Review, tampered: Tampering, desk: Desk, *, python: Interpreter | None) -> Iterator[Fresh]:
    """The tasks of the head whose oracles are new or others, each made ready to be proved; none where it is broken.

    None of the head's code is loaded for it: a task that asks an oracle of a plugin which the change brings is not
    among them. `desk` reads the head's files.
    """
    base, head = tampered.base, tampered.head
    if base is None or head is None:
        return
    paths = frozenset(review.change.paths) if review.change else frozenset[str]()
    for name, judged in head.tasks.items():
        task = judged.draft.task
        if task is None or base.manifest.policy.controls is Controls.OFF:
            continue
        twin = base.tasks.get(name) or next(
            (other for known, other in base.tasks.items() if known not in head.tasks and _same(other, judged)), None
        )
        oracles = _new(twin, judged, task, paths, head.manifest.folder)
        if oracles:
            planned = _ready(review, desk, judged.draft, head.manifest.folder, python=python)
            controls = asked(judged.entry, judged.draft)
            yield Fresh(planned=msgspec.structs.replace(planned, controls=controls), oracles=oracles)


def _same(one: Judged, other: Judged) -> bool:
    old, new = one.draft.task, other.draft.task
    return old is not None and new is not None and old.oracles == new.oracles


def _new(twin: Judged | None, judged: Judged, task: Task, paths: frozenset[str], folder: str) -> tuple[Oracle, ...]:
    """The oracles to be proved: new ones and those of an edited plugin; all where what proves them is another."""
    if twin is None or twin.draft.task is None:
        return task.oracles
    old = twin.draft.task
    own = holdings.of_task(judged.entry, judged.draft, folder)
    held = Holdings(item.place for item in own if item.part not in ("document", "oracles"))
    moved = any(path in held for path in paths)
    parts = ("workspace", "setup", "variables")
    proved = [draft.golden and draft.golden.references for draft in (twin.draft, judged.draft)]
    if moved or proved[0] != proved[1] or any(getattr(old, key) != getattr(task, key) for key in parts):
        return task.oracles
    edited = (not paths.isdisjoint(holdings.plugins([oracle])) for oracle in task.oracles)
    return tuple(one for one, other in zip(task.oracles, edited, strict=True) if other or one not in old.oracles)


def _ready(review: Review, desk: Desk, draft: Drafted, folder: str, *, python: Interpreter | None) -> Planned:
    """The task with its trees and its golden input, or the reason why it cannot be had."""
    task = draft.task
    planned = Planned(id=draft.name, in_scope=True, scope="the change brings it", path=draft.path, line=draft.line)
    if task is None:
        return msgspec.structs.replace(planned, problem=draft.problem, kind=draft.kind)
    try:
        golden = None if draft.golden is None else reference.read(draft.golden, desk.read)
        task = msgspec.structs.replace(task, golden=golden, state=State.REPLAY)
        ground = material.trees(review, desk.source, task, folder, python=python)
    except TaskError as error:
        return msgspec.structs.replace(planned, id=task.id, problem=error.message, kind=error.kind)
    return msgspec.structs.replace(
        planned,
        id=task.id,
        task=task,
        start=ground.start,
        folder=ground.folder,
        checkout=ground.checkout,
    )
