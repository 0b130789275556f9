"""Two judges side by side: what became of the tasks, the oracles and the policy of the first one in the second."""

import functools
from collections.abc import Callable, Iterable, Iterator

import msgspec

from gate import holdings
from gate.desk import Drafted
from gate.entry import Entry, Origin, Switch
from gate.holdings import Holdings
from gate.integrity import strictness
from gate.integrity.roll import Judged, Roll
from gate.integrity.strictness import Difference, called
from gate.path import printable, several
from gate.report import Finding, Severity
from gate.review import Review
from gate.scope import Patterns, placed
from gate.task import Task


class Comparison:
    """What a change makes of the judge `base`; `review` tells which files it touches."""

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
        for place, broken in self._head.unsealed.items():
            if place not in self._base.unsealed:
                what = f"leaves the bundle {printable(place)} broken: {broken.reason.rstrip('.')}"
                message = f"This change {what}. Once merged, every run ends with exit 2."
                yield finding("judge_broken", message, broken.path)
        pairs = self._pairs
        for name, judged in self._base.tasks.items():
            if name in pairs:
                yield from self._of_pair(name, pairs[name])
            elif not self._head.is_unsealed(judged.entry.document):
                message = f"This change takes the task {name!r} away. Once merged, nobody judges it."
                yield finding("judge_removed", message, new.path)
        known = set(pairs.values())
        for name, judged in self._head.tasks.items():
            if name not in known:
                message = f"This change brings the task {name!r}, which judges from the merge on."
                yield finding("judge_added", message, *self._place(judged), severity=Severity.NOTICE)

    @functools.cached_property
    def _pairs(self) -> dict[str, str]:
        """The base's tasks that the head has, too, by their names there: by id, else by what they are.

        Several may lead to one of the head: to a document that is broken there.
        """
        base, head = self._base.tasks, self._head.tasks
        found = {name: name for name in base if name in head}
        for is_same in (_is_equal, _is_equal_but_asked_elsewhere, _is_in_one_document, _is_much_alike):
            for old, judged in base.items():
                fresh = (name for name in head if name not in found.values() and is_same(judged, head[name]))
                if old not in found and (new := next(fresh, None)) is not None:
                    found[old] = new
        for name, judged in head.items():
            if judged.draft.task is None and name not in base and judged.entry.document:
                lost = (old for old in base if old not in found)
                same = [old for old in lost if base[old].entry.document == judged.entry.document]
                found |= dict.fromkeys(same, name)
        return found

    def _of_pair(self, name: str, other: str) -> Iterator[Finding]:
        old, new = self._base.tasks[name], self._head.tasks[other]
        if new.draft.task is None:
            yield from self._of_task(name, old, new)
            return
        found = list(self._of_task(other, old, new))
        doings = []
        if other != name:
            doings.append(f"calls the task {name!r} {other!r}")
        if old.draft.path and new.draft.path and old.draft.path != new.draft.path:
            noun = "it" if doings else f"the task {name!r}"
            doings.append(f"moves {noun} from {printable(old.draft.path)} to {printable(new.draft.path)}")
        if doings:
            rest = ", and alters it" if found else "; nothing else of it differs"
            message = f"This change {' and '.join(doings)}{rest}."
            yield finding("judge_moved", message, *self._place(new), severity=Severity.NOTICE)
        yield from found

    def _place(self, judged: Judged, *keys: str | int) -> tuple[str, int | None]:
        """Where the head writes the task, or the part of it under the keys where that is written in the manifest."""
        written = self._head.manifest
        for end in range(len(keys), 0, -1):
            line = written.line_of(("tasks", judged.number, *keys[:end]))
            if line is not None:
                return written.path, line
        if judged.draft.path:
            return judged.draft.path, judged.draft.line
        return written.path, written.line(("tasks", judged.number))

    def _entry(self, judged: Judged, key: str) -> tuple[str, int | None]:
        """Where the head's manifest writes what its entry says of the task."""
        at, written = ("tasks", judged.number), self._head.manifest
        return written.path, written.line_of((*at, key)) or written.line(at)

    def _told(self, difference: Difference, head: str, path: str, line: int | None) -> Finding:
        kind = "judge_weakened" if difference.weaker else "judge_altered"
        severity = Severity.NOTICE if difference.weaker is False else Severity.WARNING
        return finding(kind, f"{head}: {difference.words}.", path, line, severity=severity)

    def _of_task(self, name: str, old: Judged, new: Judged) -> Iterator[Finding]:
        yield from self._of_entry(name, old.entry, new)
        if new.draft.task is None:
            if old.draft.task is not None:
                yield self._unread(name, new.draft, self._place(new))
            return
        if old.draft.task is not None:
            yield from self._of_oracles(name, old.draft.task, new)
            for difference in strictness.of_tasks(old.draft.task, new.draft.task):
                place = self._place(new, *difference.at)
                yield self._told(difference, f"This change alters the task {name!r}", *place)
        yield from self._of_belongings(name, old, new)

    def _of_belongings(self, name: str, old: Judged, new: Judged) -> Iterator[Finding]:
        """What became of the files that the task is read from besides its document, by the part of it that they are."""
        head = f"This change alters the task {name!r}"
        if old.entry.golden == new.entry.golden:  # else the entry has told it
            before, after = (one.draft.golden and one.draft.golden.references for one in (old, new))
            if before != after:
                words = "its golden input is another" if after else "its golden input is taken away"
                yield self._told(Difference(words, weaker=None if after else True), head, *self._place(new))
        left = sorted(self._touched_paths)
        for part, places in self._belongings(new, self._head).items():
            if places == self._belongings(old, self._base).get(part):
                for _, paths in Holdings(places).touched(left):
                    left = [path for path in left if path not in paths]
                    reads = Difference(f"`{part}` reads {several(paths)}, which it edits", weaker=None)
                    yield self._told(reads, head, paths[0], None)

    def _belongings(self, judged: Judged, side: Roll) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for item in holdings.of_task(judged.entry, judged.draft, side.manifest.folder):
            if item.part not in ("document", "oracles"):
                found.setdefault(item.part, []).append(item.place)
        return found

    def _unread(self, name: str, draft: Drafted, place: tuple[str, int | None]) -> Finding:
        plugins = [plugin for plugin in self._head.manifest.plugins if plugin not in self._base.manifest.plugins]
        if draft.kind == "unknown_oracle" and plugins:
            asks = f"This change has the task {name!r} ask an oracle of {plugins[0]}, which it brings"
            return finding("judge_altered", f"{asks}; it is not loaded here.", *place, severity=Severity.NOTICE)
        reason = f"{draft.problem.rstrip('?.')}. Once merged, it is an error."
        return finding("judge_broken", f"This change leaves the task {name!r} unreadable: {reason}", *place)

    def _of_oracles(self, name: str, old: Task, judged: Judged) -> Iterator[Finding]:
        """Equal oracles cancel out; of those left, the first of a type and name is compared with the first."""
        oracles = judged.draft.task.oracles if judged.draft.task else ()
        before = [oracle for oracle in old.oracles if oracle not in oracles]
        after = [oracle for oracle in oracles if oracle not in old.oracles]
        for oracle in before:
            twin = next((other for other in after if called(other) == called(oracle)), None)
            if twin is None:
                message = f"This change takes the oracle {called(oracle)} out of the task {name!r}."
                yield finding("judge_removed", message, *self._place(judged))
                continue
            after.remove(twin)
            for difference in strictness.of_oracles(oracle, twin):
                head = f"This change has {called(oracle)} of the task {name!r} ask otherwise"
                place = self._place(judged, "oracles", oracles.index(twin), *difference.at)
                yield self._told(difference, head, *place)
        for oracle in after:
            message = (
                f"This change brings the oracle {called(oracle)} into the task {name!r}; it judges from the merge on."
            )
            place = self._place(judged, "oracles", oracles.index(oracle))
            yield finding("judge_added", message, *place, severity=Severity.NOTICE)

    def _of_entry(self, name: str, old: Entry, judged: Judged) -> Iterator[Finding]:
        head, new = f"This change alters the task {name!r}", judged.entry
        yield from self._of_scope(name, old.scope, judged)
        if old.explained is Switch.ON and new.explained is Switch.OFF:
            yield self._told(Difference("`explained` is off now", weaker=True), head, *self._entry(judged, "explained"))
        if old.trajectory is not None and new.trajectory != old.trajectory:
            words = "it names no recording now" if new.trajectory is None else "its recordings come from elsewhere now"
            difference = Difference(words, weaker=True if new.trajectory is None else None)
            yield self._told(difference, head, *self._entry(judged, "trajectory"))
        for key in ("golden", "controls", "control", "state", "replay", "pass_at", "pass_all", "require"):
            before, after = getattr(old, key), getattr(new, key)
            if before != after:
                gone = not after and key in ("golden", "controls", "control")
                words = f"`{key}` is taken away" if gone else f"`{key}` is another"
                yield self._told(Difference(words, weaker=True if gone else None), head, *self._entry(judged, key))
        for path in self._lost_recordings(old):
            message = f"This change deletes {printable(path)}, a recording of the task {name!r}."
            yield finding("judge_recording", message, path)

    def _of_scope(self, name: str, old: list[str] | None, judged: Judged) -> Iterator[Finding]:
        new = judged.entry.scope
        if old == new:
            return
        place = self._entry(judged, "scope")
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
        yield finding("judge_narrowed", message, *place)

    @functools.cached_property
    def _touched_paths(self) -> frozenset[str]:
        return frozenset(self._review.change.paths if self._review.change else ())

    @functools.cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(self._below(self._touched_paths))

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
        patterns = Patterns([placed(self._base.manifest.folder, entry.trajectory)])
        for change in self._review.change.entries if self._review.change else ():
            if change.status == "D" and patterns.match(change.path):
                yield change.path


def _matches(scope: list[str] | None) -> Callable[[str], bool]:
    """Whether a scope meets a path; one that is not written meets every one."""
    return Patterns(scope).match if scope is not None else lambda _: True


def _is_equal(old: Judged, new: Judged) -> bool:
    """Whether the two differ in nothing but what they are called, and where they are written."""
    same = old.entry.scope == new.entry.scope and old.entry.trajectory == new.entry.trajectory
    return same and _is_equal_but_asked_elsewhere(old, new)


def _is_equal_but_asked_elsewhere(old: Judged, new: Judged) -> bool:
    one, other = old.draft.task, new.draft.task
    return one is not None and other is not None and _stripped(one) == _stripped(other)


def _is_in_one_document(old: Judged, new: Judged) -> bool:
    one, other = old.entry.task, new.entry.task
    return one is not None and one == other and new.draft.task is not None


def _is_much_alike(old: Judged, new: Judged) -> bool:
    """Whether they start alike, were asked alike, and have half of their oracles in common."""
    one, other = old.draft.task, new.draft.task
    if one is None or other is None or (one.workspace, one.prompt) != (other.workspace, other.prompt):
        return False
    common = sum(oracle in other.oracles for oracle in one.oracles)
    return common > 0 and 2 * common >= max(len(one.oracles), len(other.oracles))


def _stripped(task: Task) -> Task:
    """The task without what it is called and where it is written."""
    return msgspec.structs.replace(task, id="", name="", path=None, line=None, notices=())


def finding(
    kind: str, message: str, path: str, line: int | None = None, *, severity: Severity = Severity.WARNING
) -> Finding:
    """A finding on the judge."""
    return Finding(severity=severity, kind=kind, message=message, path=path, line=line)
