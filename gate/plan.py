"""Manifest and change to Plan: every input read and checked before anything is judged."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from gate.document import Path, dotted
from gate.entry import Entry, Several
from gate.errors import TaskError
from gate.golden import Control
from gate.manifest import Manifest
from gate.oracle import Oracle
from gate.path import below
from gate.policy import Allow, Defaults, Policy
from gate.recorded import Recorded
from gate.report import Finding, Severity, Verdict
from gate.scope import Patterns
from gate.task import Environment, Inline, State, Task
from gate.tree import Tree

if TYPE_CHECKING:
    from gate.command import Interpreter
    from gate.consultant import Consultant


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One task of the plan: in or out of scope and why, and what it is judged on.

    `problem` is why the task cannot be judged, `unread` that it lies in the task itself as it is written. `bundled` is
    that the task is one of a bundle. `start` and `head` are whole trees, `folder` the one in them that oracles see as
    the workspace. `checkout` is that folder's place in the checkout, None where it has none. `changed` are the changed
    paths in scope, as the whole trees name them; `narrow` is that there is a scope, and not of everything. `silence` is
    why there is no recording.
    `verdicts` are those that planning has reached already. `control` says that the trees are those of a control, of
    which a recording only tells what was said and called. `controls` are to be run before the oracles are asked, and
    `unfit` is why the verdicts of some of these, by their names, cannot count.
    """

    id: str
    in_scope: bool
    scope: str
    task: Task | None = None
    recordings: tuple[Recorded, ...] = ()
    changed: tuple[str, ...] = ()
    narrow: bool = False
    silence: str = ""
    problem: str = ""
    kind: str = ""
    unread: bool = False
    bundled: bool = False
    notices: tuple[Finding, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    path: str | None = None
    line: int | None = None
    start: Tree | None = None
    head: Tree | None = None
    folder: str = ""
    checkout: str | None = None
    control: Control | None = None
    controls: tuple[Control, ...] = ()
    unfit: Mapping[str, str] = {}


class Fresh(msgspec.Struct, frozen=True, kw_only=True):
    """A task of the head, made ready, and its oracles that are new there or others than the base has."""

    planned: Planned
    oracles: tuple[Oracle, ...]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a run needs; nothing is read after it but blobs of trees that are already named."""

    tasks: tuple[Planned, ...]
    change: str
    judge: str
    policy: Policy = Policy()
    defaults: Defaults = Defaults()
    allow: tuple[Allow, ...] = ()
    commands: bool = True
    consultant: "Consultant | None" = None
    python: "Interpreter | None" = None
    notices: tuple[Finding, ...] = ()
    fresh: tuple[Fresh, ...] = ()
    repeat: str = ""

    @property
    def asks_for_proof(self) -> bool:
        """Whether oracles are to be proved before they are asked, or golden input is to be missed."""
        return self.policy.require_golden or bool(self.fresh) or any(task.controls for task in self.tasks)


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a task is in scope, the reason in words, and the changed paths that its scope meets."""

    in_scope: bool
    reason: str
    paths: tuple[str, ...] = ()


def select(entry: Entry, paths: tuple[str, ...], *, folder: str, everything: bool) -> Selection:
    """Whether an entry's scope meets one of the changed paths, which are relative to the checkout."""
    prefix = f"{folder}/" if folder else ""
    near = [path[len(prefix) :] for path in paths if path.startswith(prefix)]
    met = near if entry.scope is None else list(filter(Patterns(entry.scope).match, near))
    found = tuple(prefix + path for path in met)
    if everything:
        return Selection(in_scope=True, reason="every task is judged (--diff all)", paths=found)
    if found:
        why = "it has no scope, and the change touches" if entry.scope is None else "the change touches"
        return Selection(in_scope=True, reason=f"{why} {found[0]}", paths=found)
    if entry.scope is None:
        return Selection(in_scope=False, reason=f"the change touches nothing{f' in {folder}' if folder else ''}")
    if not paths:
        return Selection(in_scope=False, reason="no file is changed")
    changed = f"none of {len(paths)} changed file{'s' if len(paths) > 1 else ''} matches"
    return Selection(in_scope=False, reason=f"{changed} {', '.join(entry.scope)}")


def unmet(manifest: Manifest, trees: Iterable[Callable[[], Iterable[str]]]) -> Iterator[Finding]:
    """A notice for each scope that meets no path of any of the trees; a tree is listed where one before left some."""
    left = {at: Patterns(scope) for at, scope in _scopes(manifest)}
    for paths in trees:
        if left:
            every = [inner for path in paths() if (inner := below(path, manifest.folder)) is not None]
            left = {at: patterns for at, patterns in left.items() if patterns.first(every) is None}
    for at in left:
        reason = f"{manifest.place(at)}: `{dotted(at)}` matches no file of the repository"
        yield Finding(
            severity=Severity.NOTICE,
            kind="scope_unmet",
            message=f"{reason}: nothing is judged there until one comes.",
            path=manifest.path,
            line=manifest.line(at),
        )


def _scopes(manifest: Manifest) -> Iterator[tuple[Path, list[str]]]:
    for number, entry in enumerate(manifest.entries):
        named = entry.scopes if isinstance(entry, Several) else {}
        for name in ("", *named):
            scope = entry.of(name).scope
            if scope is not None:
                yield ("tasks", number, "scope", *([name] if name else [])), scope


def state_of(entry_state: State | None, task: Task) -> State:
    """Which tree the task's oracles look at; TaskError where the two do not go together."""
    state = entry_state or task.state
    if state is State.HEAD and isinstance(task.workspace, Inline | Environment):
        raise TaskError(
            f"{task.path or task.id}: `state: head` looks at the change's tree, but the workspace is written in the "
            "task; use `state: replay`, or `workspace: {git: base}`",
            kind="state",
        )
    return state
