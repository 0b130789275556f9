"""Golden and baseline controls: a task's own oracles asked of its reference solution, or of nothing done at all.

On golden input all of them must pass. On none they must fail: one that passes there checks nothing, unless it asserts
that something is absent.
"""

import time
from collections.abc import Sequence

import msgspec

from gate import deadline
from gate.command import Shell
from gate.golden import Control, Golden
from gate.grading.consultation import blind
from gate.groundwork.solution import Solved, Work, solve, unserved, wanting
from gate.judgement import Judgement
from gate.oracle import Oracle, names, type_name
from gate.plan import Plan, Planned
from gate.recorded import Recorded
from gate.report import Outcome, Verdict
from gate.scoring import Scoring, score
from gate.standing import Controlled, Proof, Standing
from gate.task import Revision, State, Task
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree, Subtree
from gate.waiver import Waivers

_Named = tuple[str, Oracle]


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """How controls are run: `graded` is whether oracles are asked at all.

    `rejects` makes it the control's problem that golden input does not serve an oracle; else that one is left out.
    """

    graded: bool = True
    rejects: bool = True


def run(plan: Plan, tasks: Sequence[Planned], control: Control, asking: Asking | None = None) -> list[Controlled]:
    """One control of every task. Nothing raises for one of them, and golden input of all is applied together."""
    ready = [_Control(plan, planned, control, asking or Asking()) for planned in tasks]
    able = [one for one in ready if not one.draft.problem and not one.draft.omitted]
    try:
        with deadline.heeding():
            solved = solve([one.work for one in able])
    except deadline.TimeUp as up:
        solved = [Solved(problem=f"{up} before this was judged", kind="time_limit") for _ in able]
    found = {id(one): each for one, each in zip(able, solved, strict=True)}
    return [one.controlled(found[id(one)]) if id(one) in found else one.draft for one in ready]


class _Control:
    """One control of one task."""

    def __init__(self, plan: Plan, planned: Planned, control: Control, asking: Asking) -> None:
        self._plan, self._planned, self._control, self._asking = plan, planned, control, asking
        self._task = planned.task
        self._golden = self._task.golden if self._task else None
        self._named: list[_Named] = names(self._task.oracles) if self._task else []
        # What joins recordings says whose work a change is, and a control is nobody's.
        self._asked = [(name, one) for name, one in self._named if one.control is None and not one.joins_recordings]
        self.draft = self._begun()

    def _begun(self) -> Controlled:
        """The control before anything is done: what is in its way, if anything."""
        planned, task = self._planned, self._task
        draft = Controlled(id=planned.id, control=self._control, graded=self._asking.graded)
        replace = msgspec.structs.replace
        if planned.problem or task is None:
            return replace(draft, problem=planned.problem or "there is no task", kind=planned.kind, readable=False)
        draft = replace(draft, prompt=task.prompt)
        commanded = self._golden.command if self._golden and self._control is Control.GOLDEN else None
        if self._control is Control.GOLDEN and self._golden is None:
            return replace(draft, problem="there is no golden input", kind="no_golden")
        if not self._plan.commands and (task.setup or commanded is not None):
            what = "its golden input is a command" if commanded is not None else "its workspace is made by commands"
            return replace(draft, omitted=f"{what}, and this run starts none")
        if self._control is Control.GOLDEN and self._asking.graded:
            oracles = [oracle for _, oracle in self._asked]
            problem = unserved(oracles, self._golden) if self._asking.rejects else ""
            return replace(draft, warnings=tuple(self._warnings()), problem=problem, kind="unserved" if problem else "")
        return draft

    def _warnings(self) -> list[str]:
        golden = self._golden or Golden()
        blinded = [name for name, oracle in self._asked if blind(oracle)]
        only = golden.command is not None and golden.patch is None and golden.trajectory is None
        said = []
        if only and blinded:
            said.append(
                f"golden input is a command alone, and what it does is no evidence of these graders: "
                f"{', '.join(blinded)}; give them `diff` or `repo` as evidence, or add a golden patch or trajectory"
            )
        dropped = golden.trajectory.dropped if golden.trajectory else ()
        strays = [part.reason for part in dropped if part.kind == "foreign_result"]
        return said + [f"a result is of the tool `unknown` and is not counted: {reason}" for reason in strays]

    @property
    def work(self) -> Work:
        """What is to be done with the start tree."""
        task, planned = self._whole, self._planned
        metrics = tuple(dict.fromkeys(path for oracle in task.oracles for path in oracle.metrics_paths))
        golden = self._golden or Golden()
        if self._control is Control.BASELINE:
            # An empty file lets assertions on values fail, where golden input would give them; without it they err.
            metrics = metrics if golden.custom_metrics is not None else self._absent_metrics()
            golden = Golden(custom_metrics={} if metrics else None)
        return Work(
            start=planned.start or MemoryTree({}),
            golden=golden,
            folder=planned.folder,
            metrics=metrics,
            shell=Shell(python=self._plan.python, variables=task.variables),
        )

    def _absent_metrics(self) -> tuple[str, ...]:
        """Where oracles that only want metrics to be absent look for them, and no other one does."""
        wanted = {path for _, oracle in self._asked if not oracle.holds_untouched for path in oracle.metrics_paths}
        absent = (path for _, oracle in self._asked if oracle.holds_untouched for path in oracle.metrics_paths)
        return tuple(path for path in dict.fromkeys(absent) if path not in wanted)

    @property
    def _whole(self) -> Task:
        if self._task is None:
            raise AssertionError("only a task that was read is controlled")
        return self._task

    def controlled(self, solved: Solved) -> Controlled:
        """The control's end, where its trees are there."""
        if solved.before is None or solved.after is None:
            return msgspec.structs.replace(self.draft, problem=solved.problem, kind=solved.kind)
        started = time.monotonic()
        trajectory = self._trajectory()
        proofs = self._proofs(solved, trajectory) if self._asking.graded else ()
        return msgspec.structs.replace(
            self.draft,
            proofs=proofs,
            score=self._score(proofs),
            seconds=time.monotonic() - started,
            before=Subtree(solved.before, self._planned.folder),
            after=Subtree(solved.after, self._planned.folder),
            trajectory=trajectory,
            document=self._golden.document if self._golden and self._control is Control.GOLDEN else None,
            printed=solved.printed,
            committed=isinstance(self._whole.workspace, Revision),
        )

    def _trajectory(self) -> Trajectory:
        """What stands for an agent's run: the reference one; else one that only shows the patch to a model."""
        golden = (self._golden or Golden()) if self._control is Control.GOLDEN else Golden()
        if golden.trajectory is not None:
            return golden.trajectory
        said = (golden.patch or b"").decode("utf-8", "replace")
        return Trajectory(format="atif", steps=(Step(number=1, source="agent", message=said),) if said else ())

    def _proofs(self, solved: Solved, trajectory: Trajectory) -> tuple[Proof, ...]:
        task, golden = self._whole, self._golden if self._control is Control.GOLDEN else None
        left = wanting([oracle for _, oracle in self._asked], golden) if self._control is Control.GOLDEN else ()
        asked = [(name, oracle) for name, oracle in self._asked if not any(oracle is each for each in left)]
        planned = msgspec.structs.replace(
            self._planned,
            control=self._control,
            start=solved.before,
            head=solved.after,
            checkout="",
            notices=(),
            task=msgspec.structs.replace(task, state=State.REPLAY, golden=golden, repeat=False),
        )
        recorded = Recorded(path=f"{self._control.value} trajectory", trajectory=trajectory, elsewhere=True)
        judgement = Judgement(self._plan, planned, Waivers(()))
        said = dict(zip((name for name, _ in asked), judgement.trial(asked, recorded), strict=True)) if asked else {}
        return tuple(
            self._proof(name, oracle, said.get(name)) for name, oracle in self._named if not oracle.joins_recordings
        )

    def _proof(self, name: str, oracle: Oracle, verdict: Verdict | None) -> Proof:
        draft = Proof(oracle=type_name(oracle), name=name, standing=Standing.LEFT_OUT, verdict=verdict)
        replace = msgspec.structs.replace
        if oracle.control is not None:
            return replace(draft, reason="`control: none`: it is meant to hold before and after")
        if verdict is None:
            return replace(draft, reason="it looks at a recording, and golden input has no trajectory for it")
        if verdict.outcome is Outcome.SKIP:
            return replace(draft, verdict=None, reason=verdict.reason)
        if verdict.outcome is Outcome.ERROR:
            return replace(draft, standing=Standing.ERROR)
        passed = verdict.outcome is Outcome.PASS
        if self._control is Control.GOLDEN:
            return replace(draft, standing=Standing.HOLDS if passed else Standing.FAILS)
        if passed:
            return replace(draft, standing=Standing.NOT_APPLICABLE if oracle.holds_untouched else Standing.TRIVIAL)
        return replace(draft, standing=Standing.HOLDS)

    def _score(self, proofs: Sequence[Proof]) -> float | None:
        """The weighted share of passes; what could not judge counts like what failed."""
        counted = [proof.verdict for proof in proofs if proof.verdict and proof.standing not in _UNCOUNTED]
        verdicts = [
            msgspec.structs.replace(verdict, outcome=Outcome.FAIL) if verdict.outcome is Outcome.ERROR else verdict
            for verdict in counted
        ]
        return score(verdicts, self._whole.scoring or Scoring())


_UNCOUNTED = (Standing.LEFT_OUT, Standing.NOT_APPLICABLE)
