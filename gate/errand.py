"""The commands of a trial: each in a workspace of its own on disk, where protected files are as the base has them."""

import functools
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from gate import relocation, surroundings
from gate.command import Shell, copied, inside, without_old_links
from gate.oracle import Call, Place, Ran
from gate.plan import Plan, Planned
from gate.report import Finding, Severity
from gate.task import Revision, State
from gate.tree import MemoryTree, Overlay, Tree
from gate.workspace import collected, on_disk

if TYPE_CHECKING:
    from gate.integrity.protection import Restored


class Errands:
    """What is run for the oracles of one trial, which looks at the tree `after`."""

    def __init__(self, plan: Plan, planned: Planned, after: Tree) -> None:
        self._plan, self._planned, self._after = plan, planned, after

    def run(self, call: Call) -> Ran:
        """Run a call in a workspace of its own: what another one left there could be what it is judged by."""
        planned = self._planned
        start = planned.start or self._after
        tree = without_old_links(start, start) if call.untouched else self._judged
        prefix = f"{planned.folder}/" if planned.folder else ""
        over = {prefix + path: data for path, data in call.planted.items()}
        with ExitStack() as own:
            return self._started(call, own.enter_context(on_disk(Overlay(tree, over) if over else tree)), own)

    def _started(self, call: Call, place: Path, own: ExitStack) -> Ran:
        task, workspace = self._planned.task, place / self._planned.folder
        shell = Shell(python=self._plan.python, variables=task.variables if task else {})
        wants = call.beside is not None or call.collect
        files = call.beside(str(workspace)) if callable(call.beside) else call.beside or {}
        beside = own.enter_context(on_disk(MemoryTree(files))) if wants else None
        where = Place(workspace=str(workspace), beside=str(beside or ""))
        more = {"GATE_BESIDE": where.beside} if beside else {}
        more |= self._relocated(place, own)
        cwd = inside(workspace, call.sub_path, root=place) if call.sub_path else workspace
        variables = call.variables(where) if call.variables else {}
        done = shell.run(call.command, cwd=cwd, timeout=call.timeout, more={**more, **variables})
        return Ran(done, collected(beside, call.collect) if beside and call.collect else None)

    @property
    def _checkout(self) -> Path | None:
        """The checkout that the workspace is a copy of; None where it is none of one."""
        task = self._planned.task
        return surroundings.judged() if task is not None and isinstance(task.workspace, Revision) else None

    def _relocated(self, place: Path, own: ExitStack) -> dict[str, str]:
        """What lets Python import from the workspace what is installed from the checkout that it is a copy of."""
        checkout, task = self._checkout, self._planned.task
        if checkout is None or task is None:
            return {}
        folder = own.enter_context(on_disk(MemoryTree({relocation.NAME: relocation.module(checkout, place)})))
        named = task.variables.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), named]))}

    @functools.cached_property
    def put_back(self) -> "tuple[Restored, ...]":
        """The protected files that the change has otherwise; none where no commit with a file is the start."""
        task, planned = self._planned.task, self._planned
        if (
            task is None
            or task.state is State.REPLAY
            or planned.head is None
            or not isinstance(task.workspace, Revision)
        ):
            return ()
        start = planned.start or MemoryTree({})
        if next(iter(start.paths()), None) is None:
            return ()  # before the first commit there is nothing to be put back
        from gate.integrity.protection import Ground, restored  # only commands in a change of the repository need it

        ground = Ground(
            base=start,
            head=planned.head,
            folder=planned.folder,
            product=frozenset(planned.changed) if planned.narrow else frozenset(),
            installed=Shell(python=self._plan.python).has_module if self._plan.commands else lambda _: False,
        )
        return restored(self._plan.policy.protect, task, ground)

    def clause(self) -> str:
        """How the workspace of commands differs from the change."""
        if not self.put_back:
            return ""
        from gate.integrity.protection import clause  # as in `put_back`

        return clause(self.put_back)

    def protected(self) -> tuple[Finding, ...]:
        """What a report says of each of them, and of programs of the change itself that commands start."""
        from gate.integrity import protection, started  # as in `put_back`

        task, planned = self._planned.task, self._planned
        head = planned.head or MemoryTree({})
        found = (*(protection.told(item, head) for item in self.put_back), *self._copies())
        if task is None or task.state is State.REPLAY or planned.head is None:
            return found
        own = started.told(
            task.oracles,
            base=planned.start or MemoryTree({}),
            head=head,
            folder=planned.folder,
            product=frozenset(planned.changed),
            back=frozenset(item.path for item in self.put_back),
        )
        return (*found, *own)

    def _copies(self) -> Iterator[Finding]:
        """A warning where Python may import a copy of the checkout's package, whatever was judged."""
        checkout = self._checkout
        for name in copied(self._plan.python, checkout) if checkout else ():
            yield Finding(
                severity=Severity.WARNING,
                kind="installed_copy",
                message=f"{name} is installed from this checkout as a copy, which commands may test instead of what is "
                "judged; install it with `pip install -e`, whose files are taken from the workspace",
            )

    def placeholders(self) -> tuple[Finding, ...]:
        """What a report says of files that the workspace holds by their names alone."""
        from gate.placeholder import told  # only where a command failed

        return tuple(told(self._judged))

    @functools.cached_property
    def _judged(self) -> Tree:
        """The tree that is put on disk for commands: the judged one, with what is protected put back."""
        tree = without_old_links(self._after, self._planned.start or self._after)
        back = {item.path: item.data for item in self.put_back}
        return Overlay(tree, back, modes={item.path: item.mode for item in self.put_back}) if back else tree
