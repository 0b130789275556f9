"""Makes a trial ready: replays the recording, and chooses the trees."""

from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec

from gate.oracle import Call, Ran, Trial
from gate.path import below
from gate.plan import Plan, Planned
from gate.recorded import Recorded
from gate.replay import Replay, replay
from gate.report import Finding
from gate.task import Revision, State
from gate.trajectory import Trajectory
from gate.tree import MemoryTree, Subtree, Tree

if TYPE_CHECKING:
    from gate.claims.claim import Claims
    from gate.errand import Errands
    from gate.explanation import Explainer, Explanation


class Stage:
    """One trial, with what can be made ready of it before an oracle asks for more."""

    def __init__(self, plan: Plan, planned: Planned, recorded: Recorded | None) -> None:
        self._plan = plan
        self._planned = planned
        start = planned.start or MemoryTree({})
        trajectory = recorded.trajectory if recorded else None
        self.replayed = planned.task is not None and planned.task.state is State.REPLAY
        golden = planned.task.golden if planned.task else None
        self._explainer: Explainer | None = None
        self.replay: Replay | None = None
        if trajectory and planned.control is None:
            self.replay, trajectory = self._replay(trajectory, start)
        self.incomplete = self.replay.incomplete if self.replayed and self.replay else ()
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
            claim=partial(_claims, trajectory, start, self.replay) if trajectory and self.replay else None,
            put_back=lambda: self._errands.clause(),
            committed=planned.task is not None and isinstance(planned.task.workspace, Revision),
            consultant=plan.consultant if plan.commands else None,
            fail_level=plan.policy.fail_level,
            prompt=planned.task.prompt if planned.task else "",
            golden_patch=golden.patch if golden else None,
            circular=planned.control is not None and (golden is None or golden.trajectory is None),
        )

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
        if not whole:
            return first, trajectory
        from gate.placement import placed  # only a repository can be seen from one of its folders

        moved = placed(trajectory, first, (start, head), planned.folder)
        return (first, trajectory) if moved is None else (replay(moved, start), moved)

    @cached_property
    def _explanation(self) -> "Explanation | None":
        """What the recording explains, by paths relative to the task's folder; None under a replay."""
        if self._explainer is None:
            return None
        task = self._planned.task
        repeats = self._plan.commands and task is not None and task.repeat
        limit = self._plan.defaults.seconds if repeats else None
        found = self._explainer.explain(self._planned.changed, repeat=limit)
        inner = ((file, below(file.path, self._planned.folder)) for file in found.files)
        files = tuple(msgspec.structs.replace(file, path=path) for file, path in inner if path is not None)
        return msgspec.structs.replace(found, files=files)

    @cached_property
    def _errands(self) -> "Errands":
        from gate.errand import Errands  # with all that starts processes; most oracles ask for no command

        return Errands(self._plan, self._planned, self._after)

    def _run(self, call: Call) -> Ran:
        return self._errands.run(call)

    def protected(self) -> tuple[Finding, ...]:
        """What a report says of the files that commands find otherwise than the change has them."""
        return self._errands.protected()

    def placeholders(self) -> tuple[Finding, ...]:
        """What a report says of the files that commands find by their names alone."""
        return self._errands.placeholders()


def _claims(trajectory: Trajectory, start: Tree, known: Replay) -> "Claims":
    """What came of the outputs that the recording claims."""
    from gate.claims.claim import claims  # with all that knows commands; only the oracle that asks needs it

    return claims(trajectory, start, known)
