"""Makes a trial ready: replays the recording, chooses the trees, and puts a workspace on disk when a command asks."""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate.command import Shell, inside, without_old_links
from gate.oracle import Beside, Place, Trial
from gate.placement import placed
from gate.plan import Plan, Planned, Recorded
from gate.process import Completed
from gate.replay import Replay, replay
from gate.task import Revision, State
from gate.trajectory import Trajectory
from gate.tree import MemoryTree, Subtree, Tree
from gate.workspace import on_disk

if TYPE_CHECKING:
    from gate.explanation import Explainer, Explanation


class Stage:
    """Everything of one trial that has to be cleaned up afterwards: use it as a context manager."""

    def __init__(self, plan: Plan, planned: Planned, recorded: Recorded | None) -> None:
        self._plan = plan
        self._planned = planned
        self._stack = ExitStack()
        self._place: Path | None = None
        start = planned.start or MemoryTree({})
        trajectory = recorded.trajectory if recorded else None
        self.replayed = planned.task is not None and planned.task.state is State.REPLAY
        self._explainer: Explainer | None = None
        self.replay: Replay | None
        self.replay, trajectory = self._replay(trajectory, start) if trajectory else (None, None)
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
            explain=self._explanation,
            committed=planned.task is not None and isinstance(planned.task.workspace, Revision),
            consultant=plan.consultant if plan.commands else None,
            prompt=planned.task.prompt if planned.task else "",
            golden_patch=planned.task.golden.patch if planned.task and planned.task.golden else None,
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

    @functools.cache  # noqa: B019 - a stage is gone after its trial
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

    def _run(
        self,
        command: str | Sequence[str],
        timeout: float,
        beside: Beside | None = None,
        *,
        sub_path: str = "",
        variables: Callable[[Place], Mapping[str, str]] | None = None,
    ) -> Completed:
        if self._place is None:
            tree = without_old_links(self._after, self._planned.start or self._after)
            self._place = self._stack.enter_context(on_disk(tree))
        task = self._planned.task
        shell = Shell(python=self._plan.python, variables=task.variables if task else {})
        workspace = self._place / self._planned.folder
        files = beside(str(workspace)) if callable(beside) else beside
        place = Place(
            workspace=str(workspace),
            beside="" if files is None else str(self._stack.enter_context(on_disk(MemoryTree(files)))),
        )
        more = {"GATE_BESIDE": place.beside} if beside is not None else {}
        cwd = inside(workspace, sub_path, root=self._place) if sub_path else workspace
        return shell.run(command, cwd=cwd, timeout=timeout, more={**more, **(variables(place) if variables else {})})
