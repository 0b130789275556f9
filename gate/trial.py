"""Makes a trial ready: replays the recording, chooses the trees, and puts a workspace on disk when a command asks."""

import functools
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate.command import Shell, inside, without_old_links
from gate.errors import CannotJudge
from gate.oracle import Call, Place, Ran, Trial
from gate.placement import placed
from gate.plan import Plan, Planned, Recorded
from gate.replay import Replay, replay
from gate.report import Finding
from gate.task import Revision, State
from gate.trajectory import Trajectory
from gate.tree import MemoryTree, Overlay, Subtree, Tree
from gate.workspace import collected, on_disk

if TYPE_CHECKING:
    from gate.claims.claim import Claims
    from gate.explanation import Explainer, Explanation
    from gate.integrity.protection import Restored


class Stage:
    """Everything of one trial that has to be cleaned up afterwards: use it as a context manager."""

    def __init__(self, plan: Plan, planned: Planned, recorded: Recorded | None) -> None:
        self._plan = plan
        self._planned = planned
        self._stack = ExitStack()
        start = planned.start or MemoryTree({})
        trajectory = recorded.trajectory if recorded else None
        self.replayed = planned.task is not None and planned.task.state is State.REPLAY
        golden = planned.task.golden if planned.task else None
        self._explainer: Explainer | None = None
        self.replay: Replay | None = None
        if trajectory and planned.control is None:
            self.replay, trajectory = self._replay(trajectory, start)
        after = self.replay.tree if self.replayed and self.replay else planned.head or start
        self._after: Tree = after
        self.trial = Trial(
            before=Subtree(start, planned.folder),
            after=Subtree(after, planned.folder),
            replayed=self.replayed,
            trajectory=trajectory,
            replay=self.replay,
            runner=self._run if plan.commands else None,
            timeout=plan.defaults.seconds,
            folder=planned.folder,
            explain=lambda: self._explanation,
            claim=lambda: self._claims(trajectory, start),
            put_back=self._clause,
            committed=planned.task is not None and isinstance(planned.task.workspace, Revision),
            consultant=plan.consultant if plan.commands else None,
            fail_level=plan.policy.fail_level,
            prompt=planned.task.prompt if planned.task else "",
            golden_patch=golden.patch if golden else None,
            circular=planned.control is not None and (golden is None or golden.trajectory is None),
        )

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _replay(self, trajectory: Trajectory, start: Tree) -> tuple[Replay, Trajectory]:
        """Replay the recording; once more from the repository's top where the agent had started elsewhere in it."""
        planned, head = self._planned, self._planned.head or start
        whole = planned.task is not None and isinstance(planned.task.workspace, Revision)
        if not self.replayed:
            from gate.explanation import Explainer, explainer  # under a replay there is nothing to explain

            found = explainer(trajectory, start, head, folder=planned.folder) if whole else None
            self._explainer = found or Explainer(trajectory, start, head)
            return self._explainer.replay, self._explainer.trajectory
        first = replay(trajectory, start)
        moved = placed(trajectory, first, (start, head), planned.folder) if whole else None
        return (first, trajectory) if moved is None else (replay(moved, start), moved)

    @functools.cached_property
    def _explanation(self) -> "Explanation | None":
        """What the recording explains, by paths relative to the task's folder; None under a replay."""
        if self._explainer is None:
            return None
        task = self._planned.task
        repeats = self._plan.commands and task is not None and task.repeat
        limit = self._plan.defaults.seconds if repeats else None
        found = self._explainer.explain(self._planned.changed, repeat=limit)
        prefix = f"{self._planned.folder}/" if self._planned.folder else ""
        files = tuple(
            msgspec.structs.replace(file, path=file.path.removeprefix(prefix))
            for file in found.files
            if file.path.startswith(prefix)
        )
        return msgspec.structs.replace(found, files=files)

    def _claims(self, trajectory: Trajectory | None, start: Tree) -> "Claims":
        """What came of the outputs that the recording claims."""
        if trajectory is None or self.replay is None:
            raise CannotJudge("there is no recording of this task", kind="no_recording")
        from gate.claims.claim import claims  # with all that knows commands; only the oracle that asks needs it

        return claims(trajectory, start, self.replay)

    def _run(self, call: Call) -> Ran:
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
        cwd = inside(workspace, call.sub_path, root=place) if call.sub_path else workspace
        variables = call.variables(where) if call.variables else {}
        done = shell.run(call.command, cwd=cwd, timeout=call.timeout, more={**more, **variables})
        return Ran(done, collected(beside, call.collect) if beside and call.collect else None)

    @functools.cached_property
    def put_back(self) -> "tuple[Restored, ...]":
        """The protected files that the change has otherwise; none where no commit is the start."""
        task, planned = self._planned.task, self._planned
        if task is None or self.replayed or planned.head is None or not isinstance(task.workspace, Revision):
            return ()
        from gate.integrity.protection import Ground, restored  # only commands in a change of the repository need it

        ground = Ground(base=planned.start or MemoryTree({}), head=planned.head, folder=planned.folder)
        return restored(self._plan.policy.protect, task, ground)

    def _clause(self) -> str:
        """How the workspace of commands differs from the change."""
        if not self.put_back:
            return ""
        from gate.integrity.protection import clause  # as in `put_back`

        return clause(self.put_back)

    def protected(self) -> tuple[Finding, ...]:
        """What a report says of each of them."""
        from gate.integrity.protection import told  # as in `put_back`

        head = self._planned.head or MemoryTree({})
        return tuple(told(item, head) for item in self.put_back)

    @functools.cached_property
    def _judged(self) -> Tree:
        """The tree that is put on disk for commands: the judged one, with what is protected put back."""
        tree = without_old_links(self._after, self._planned.start or self._after)
        back = {item.path: item.data for item in self.put_back}
        return Overlay(tree, back, modes={item.path: item.mode for item in self.put_back}) if back else tree
