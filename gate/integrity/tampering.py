"""What a change does to the judge that judges it: tasks, oracles, scopes and policy, before and after.

The head's judge is read, never asked, and none of its code is loaded: an oracle of a plugin that the change brings is
not known here, and the task that asks for it is told as one that cannot be read.
"""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from gate import judge, manifest
from gate.catalogue import Catalogue
from gate.desk import Desk, Drafted
from gate.drafting import Drafting
from gate.entry import Entry, Origin, Switch
from gate.errors import GateError, ManifestError, SourceError
from gate.integrity import strictness
from gate.integrity.strictness import Difference, called
from gate.manifest import Manifest
from gate.path import printable, several
from gate.report import Finding, Severity
from gate.review import Review
from gate.scope import Patterns
from gate.source import Source
from gate.task import Task


class Judged(msgspec.Struct, frozen=True):
    """One task as one side's manifest has it; `number` is its entry's."""

    number: int
    entry: Entry
    draft: Drafted


class Roll(msgspec.Struct, frozen=True):
    """Every task of one side's manifest, by id, and the files that it is written in."""

    manifest: Manifest
    tasks: Mapping[str, Judged]
    files: tuple[str, ...] = ()


class Tampering(msgspec.Struct, frozen=True):
    """What a change did to its judge; `files` are those of the judge that the head would bring.

    `base` and `head` are both sides' tasks, None where they were not compared.
    """

    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()
    base: Roll | None = None
    head: Roll | None = None


def found(review: Review, bench: judge.Bench, path: str, files: list[str], catalogue: Catalogue) -> Tampering:
    """What the change did to the judge of the manifest at `path`: its files, then what became of each task.

    Compared is what the change does to them since its base, not what their judge's revision got meanwhile. Nothing
    where the head judges itself, and nothing is read where none of the judge's files is touched.
    """
    if review.git is None or review.change is None:
        return Tampering()
    touched = judge.changed(bench, files, git=review.git, change=review.change)
    ahead = judge.moved(bench, files, git=review.git, change=review.change)
    if not touched:
        return Tampering(ahead)
    touched = (*ahead, *touched)
    base = _before(review, bench, path, catalogue)
    try:
        head = _roll(review.head, path, catalogue)
    except (ManifestError, SourceError) as error:
        gone = not review.head.exists(path)
        what = f"takes {path} away" if gone else f"leaves {path} broken: {error.message.rstrip('?.')}"
        removed = _finding("judge_removed", f"This change {what}. Once merged, nothing is judged.", path)
        return Tampering((*touched, removed))
    return Tampering((*touched, *_Comparison(base, head, review).findings()), head.files, base, head)


def _before(review: Review, bench: judge.Bench, path: str, catalogue: Catalogue) -> Roll:
    """The judge as the change found it; the one that judges where that is it, or the change found none."""
    if review.change is not None and not review.change.staged and bench.commit != review.change.base:
        with contextlib.suppress(ManifestError, SourceError):
            return _roll(Source("base", review.start()), path, catalogue)
    return _roll(bench.source, path, catalogue)


def _roll(source: Source, path: str, catalogue: Catalogue) -> Roll:
    """ManifestError or SourceError where the manifest cannot be read."""
    found = manifest.read(source.read(path), path)
    desk = Desk(source, catalogue, found.folder)
    drafting = Drafting(found, desk)
    tasks: dict[str, Judged] = {}
    for number in range(len(found.entries)):
        try:
            for entry, draft in drafting.tasks(number):
                tasks.setdefault(draft.task.id if draft.task else draft.name, Judged(number, entry, draft))
        except GateError as error:
            entry = found.entries[number]
            name = entry.id or entry.document or ""
            broken = Drafted(name=name, problem=error.message, kind=error.kind, path=path)
            tasks.setdefault(name, Judged(number, entry, broken))
    plugins = (desk.beside(found.folder, plugin) for plugin in found.plugins)
    return Roll(found, tasks, (path, *plugins, *desk.files))


class _Comparison:
    def __init__(self, base: Roll, head: Roll, review: Review) -> None:
        self._base, self._head, self._review = base, head, review

    def findings(self) -> Iterator[Finding]:
        """The manifest as a whole, then its tasks in the base's order, then the head's new ones."""
        old, new = self._base.manifest, self._head.manifest
        for difference in (
            *strictness.of_policies(old.policy, new.policy),
            *strictness.of_waivers(old.allow, new.allow),
        ):
            yield self._told(difference, "This change sets", new.path, new.line_of(difference.at))
        for difference in strictness.of_roots(old, new):
            yield self._told(difference, "This change alters", new.path, new.line_of(difference.at))
        moved = dict(self._moved())
        for name, judged in self._base.tasks.items():
            if name in self._head.tasks:
                yield from self._of_task(name, judged, self._head.tasks[name])
            elif name in moved:
                message = f"This change calls the task {name!r} {moved[name]!r}; nothing else of it differs."
                yield _finding("judge_moved", message, *self._place(moved[name]), severity=Severity.NOTICE)
            else:
                message = f"This change takes the task {name!r} away. Once merged, nobody judges it."
                yield _finding("judge_removed", message, new.path)
        for name in self._head.tasks:
            if name not in self._base.tasks and name not in moved.values():
                message = f"This change brings the task {name!r}, which judges from the merge on."
                yield _finding("judge_added", message, *self._place(name), severity=Severity.NOTICE)

    def _moved(self) -> Iterator[tuple[str, str]]:
        """Tasks that have another id and are the same otherwise."""
        fresh = [name for name in self._head.tasks if name not in self._base.tasks]
        for old in self._base.tasks:
            same = (new for new in fresh if self._alike(old, new))
            if old not in self._head.tasks and (new := next(same, None)) is not None:
                fresh.remove(new)
                yield old, new

    def _alike(self, old: str, new: str) -> bool:
        one, other = self._base.tasks[old], self._head.tasks[new]
        if one.draft.task is None or other.draft.task is None:
            return False
        return (
            _stripped(one.draft.task) == _stripped(other.draft.task)
            and one.entry.scope == other.entry.scope
            and one.entry.trajectory == other.entry.trajectory
        )

    def _place(self, name: str, *keys: str | int) -> tuple[str, int | None]:
        """Where the head writes the task, or the part of it under the keys where that is written in the manifest."""
        judged, written = self._head.tasks[name], self._head.manifest
        for end in range(len(keys), 0, -1):
            line = written.line_of(("tasks", judged.number, *keys[:end]))
            if line is not None:
                return written.path, line
        if judged.draft.path:
            return judged.draft.path, judged.draft.line
        return written.path, written.line(("tasks", judged.number))

    def _entry(self, name: str, key: str) -> tuple[str, int | None]:
        """Where the head's manifest writes what its entry says of the task."""
        at, written = ("tasks", self._head.tasks[name].number), self._head.manifest
        return written.path, written.line_of((*at, key)) or written.line(at)

    def _told(self, difference: Difference, head: str, path: str, line: int | None) -> Finding:
        kind = "judge_weakened" if difference.weaker else "judge_altered"
        severity = Severity.NOTICE if difference.weaker is False else Severity.WARNING
        return _finding(kind, f"{head}: {difference.words}.", path, line, severity=severity)

    def _of_task(self, name: str, old: Judged, new: Judged) -> Iterator[Finding]:
        place = self._place(name)
        yield from self._of_entry(name, old.entry, new.entry)
        if new.draft.task is None:
            if old.draft.task is not None:
                yield self._unread(name, new.draft, place)
            return
        if old.draft.task is not None:
            yield from self._of_oracles(name, old.draft.task, new.draft.task)
            for difference in strictness.of_tasks(old.draft.task, new.draft.task):
                yield self._told(
                    difference, f"This change alters the task {name!r}", *self._place(name, *difference.at)
                )

    def _unread(self, name: str, draft: Drafted, place: tuple[str, int | None]) -> Finding:
        plugins = [plugin for plugin in self._head.manifest.plugins if plugin not in self._base.manifest.plugins]
        if draft.kind == "unknown_oracle" and plugins:
            asks = f"This change has the task {name!r} ask an oracle of {plugins[0]}, which it brings"
            return _finding("judge_altered", f"{asks}; it is not loaded here.", *place, severity=Severity.NOTICE)
        reason = f"{draft.problem.rstrip('?.')}. Once merged, it is an error."
        return _finding("judge_broken", f"This change leaves the task {name!r} unreadable: {reason}", *place)

    def _of_oracles(self, name: str, old: Task, new: Task) -> Iterator[Finding]:
        """Equal oracles cancel out; of those left, the first of a type and name is compared with the first."""
        before = [oracle for oracle in old.oracles if oracle not in new.oracles]
        after = [oracle for oracle in new.oracles if oracle not in old.oracles]
        for oracle in before:
            twin = next((other for other in after if called(other) == called(oracle)), None)
            if twin is None:
                message = f"This change takes the oracle {called(oracle)} out of the task {name!r}."
                yield _finding("judge_removed", message, *self._place(name))
                continue
            after.remove(twin)
            for difference in strictness.of_oracles(oracle, twin):
                head = f"This change has {called(oracle)} of the task {name!r} ask otherwise"
                place = self._place(name, "oracles", new.oracles.index(twin), *difference.at)
                yield self._told(difference, head, *place)
        for oracle in after:
            message = (
                f"This change brings the oracle {called(oracle)} into the task {name!r}; it judges from the merge on."
            )
            place = self._place(name, "oracles", new.oracles.index(oracle))
            yield _finding("judge_added", message, *place, severity=Severity.NOTICE)

    def _of_entry(self, name: str, old: Entry, new: Entry) -> Iterator[Finding]:
        head = f"This change alters the task {name!r}"
        yield from self._of_scope(name, old.scope, new.scope)
        if old.explained is Switch.ON and new.explained is Switch.OFF:
            yield self._told(Difference("`explained` is off now", weaker=True), head, *self._entry(name, "explained"))
        if old.trajectory is not None and new.trajectory != old.trajectory:
            words = "it names no recording now" if new.trajectory is None else "its recordings come from elsewhere now"
            difference = Difference(words, weaker=True if new.trajectory is None else None)
            yield self._told(difference, head, *self._entry(name, "trajectory"))
        for key in ("golden", "controls", "control", "state", "replay", "pass_at", "pass_all"):
            before, after = getattr(old, key), getattr(new, key)
            if before != after:
                gone = not after and key in ("golden", "controls", "control")
                words = f"`{key}` is taken away" if gone else f"`{key}` is another"
                yield self._told(Difference(words, weaker=True if gone else None), head, *self._entry(name, key))
        for path in self._lost_recordings(old):
            message = f"This change deletes {printable(path)}, a recording of the task {name!r}."
            yield _finding("judge_recording", message, path)

    def _of_scope(self, name: str, old: list[str] | None, new: list[str] | None) -> Iterator[Finding]:
        if old == new:
            return
        place = self._entry(name, "scope")
        if strictness.is_costly(new):
            costly = Difference("its scope is another, and is not compared here", weaker=None)
            yield self._told(costly, f"This change alters the task {name!r}", *place)
            return
        before, after = (set(filter(_matches(scope), self._paths)) for scope in (old, new))
        lost = sorted(before - after)
        if not lost:
            wider = Difference("its scope is wider now", weaker=False)
            same = Difference("its scope is another, and meets the same files today", weaker=None)
            words = wider if after - before else same
            yield self._told(words, f"This change alters the task {name!r}", *place)
            return
        touched = [path for path in lost if path in self._touched]
        own = f", among them {printable(touched[0])} of this very change" if touched else ""
        message = f"This change narrows the scope of the task {name!r}: {several(lost)} would be out of it{own}."
        yield _finding("judge_narrowed", message, *place)

    @functools.cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(self._below(self._review.change.paths if self._review.change else ()))

    @functools.cached_property
    def _paths(self) -> list[str]:
        """Every file of either side, relative to the manifest's folder, as scopes see them."""
        return self._below({*self._review.start().paths(), *self._review.head.tree.paths()})

    def _below(self, paths: Iterable[str]) -> list[str]:
        folder = self._base.manifest.folder
        prefix = f"{folder}/" if folder else ""
        return [path[len(prefix) :] for path in paths if path.startswith(prefix)]

    def _lost_recordings(self, entry: Entry) -> Iterator[str]:
        if entry.trajectory is None or isinstance(entry.trajectory, Origin):
            return
        patterns = Patterns([entry.trajectory])
        folder = self._base.manifest.folder
        prefix = f"{folder}/" if folder else ""
        for change in self._review.change.entries if self._review.change else ():
            if change.status == "D" and change.path.startswith(prefix) and patterns.match(change.path[len(prefix) :]):
                yield change.path


def _matches(scope: list[str] | None) -> Callable[[str], bool]:
    """Whether a scope meets a path; one that is not written meets every one."""
    return Patterns(scope).match if scope is not None else lambda _: True


def _stripped(task: Task) -> Task:
    """The task without what it is called and where it is written."""
    return msgspec.structs.replace(task, id="", name="", path=None, line=None, notices=())


def _finding(
    kind: str, message: str, path: str, line: int | None = None, *, severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(severity=severity, kind=kind, message=message, path=path, line=line)
