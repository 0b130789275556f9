"""Plan to Report: the one loop over trials. Nothing raises out of it."""

import time
from collections.abc import Sequence

import msgspec

from gate import __version__
from gate.advice import held_back
from gate.judgement import Judgement, Named, unjudged
from gate.oracle import Need, names
from gate.plan import Plan, Planned
from gate.recorded import Recorded
from gate.report import Outcome, Report, TaskReport, Verdict
from gate.scoring import settled
from gate.task import State, Task
from gate.trajectory import joined
from gate.waiver import Waivers


def run(plan: Plan) -> Report:
    """Judge every task in scope; the report holds them all, in manifest order."""
    started, clock = time.monotonic(), _utc_now()
    waivers = Waivers(plan.allow)
    tasks = tuple(_Run(plan, planned, waivers).report() for planned in plan.tasks)
    left_out = sum(verdict.kind == "no_commands" for task in tasks for verdict in task.verdicts)
    return Report(
        tasks=tasks,
        notices=(*plan.notices, *waivers.notices),
        change=plan.change,
        judge=plan.judge,
        enforce=plan.policy.enforce,
        empty_fails=plan.policy.on_empty == "fail",
        version=__version__,
        repeat=plan.repeat,
        started=clock,
        seconds=time.monotonic() - started,
        left_out=left_out,
    )


def _utc_now() -> str:
    """The time in UTC as a report has it: `YYYY-MM-DDThh:mm:ss`."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())


class _Run:
    """One task of a run."""

    def __init__(self, plan: Plan, planned: Planned, waivers: Waivers) -> None:
        self._plan, self._planned = plan, planned
        self._judgement = Judgement(plan, planned, waivers)

    def report(self) -> TaskReport:
        planned = self._planned
        verdicts = planned.verdicts
        if planned.in_scope and (planned.problem or (planned.task is None and not planned.verdicts)):
            verdicts = (
                *verdicts,
                Verdict(oracle="task", name="task", outcome=Outcome.ERROR, reason=planned.problem, kind=planned.kind),
            )
        elif planned.in_scope and planned.task is not None:
            verdicts = (*verdicts, *self._verdicts(planned.task))
            verdicts += held_back(self._plan.policy.judges, verdicts)
        return TaskReport(
            id=planned.id,
            in_scope=planned.in_scope,
            scope=planned.scope,
            verdicts=verdicts,
            notices=tuple(self._judgement.notices),
            path=planned.path,
            line=planned.line,
            unread=planned.unread,
            bundled=planned.bundled,
            unknown_tools=self._judgement.unknown_tools,
        )

    def _verdicts(self, task: Task) -> list[Verdict]:
        """Every verdict of the task, after its score where it has one.

        Under `state: head` an oracle that needs no recording is asked once, every other one once a recording.

        One that joins recordings is asked once of all of them.
        """
        named = names(task.oracles)
        if task.setup and not self._plan.commands:
            reason = "its workspace is made ready by commands, and this run starts none"
            return unjudged(named, reason, "no_commands", outcome=Outcome.SKIP)
        recordings = self._planned.recordings
        shared: list[Verdict] = []
        if task.state is State.HEAD:
            alone = [(name, oracle) for name, oracle in named if Need.RECORDING not in oracle.needs]
            joint = [(name, oracle) for name, oracle in named if oracle.joins_recordings]
            named = [pair for pair in named if pair not in alone and pair not in joint]
            for group, recorded in ((alone, None), (joint, _joined(recordings))):
                shared += self._fit(group, self._judgement.trial(group, recorded)) if group else []
            for recorded in () if named or joint else recordings:
                self._judgement.trial((), recorded)  # no oracle looks at it, and what it is worth is told all the same
        runs = []
        for recorded in (recordings or (None,)) if named else ():
            suffix = f"[{recorded.path}]" if recorded and len(recordings) > 1 else ""
            found = self._judgement.trial([(name + suffix, oracle) for name, oracle in named], recorded)
            runs.append(self._fit(named, found))
        return self._settled(task, settled(runs, shared, task.scoring))

    def _settled(self, task: Task, verdicts: list[Verdict]) -> list[Verdict]:
        """The verdicts as those of all recordings together."""
        recordings = self._planned.recordings
        paths = [recorded.path for recorded in recordings]
        if not task.must_fail and len(paths) < 2 and task.pass_at is None and task.pass_all is None:
            return verdicts
        from gate import series  # most tasks have one recording

        if task.must_fail:
            return series.caught(verdicts, paths)
        if task.pass_at is not None or task.pass_all is not None:
            rated = not self._planned.bundled
            return series.settled(verdicts, paths, at=task.pass_at, all_of=task.pass_all, rated=rated)
        told = None if self._planned.bundled else series.notice(verdicts, paths)
        self._judgement.notices += [told] if told else []
        return verdicts

    def _fit(self, named: Named, verdicts: list[Verdict]) -> list[Verdict]:
        """The verdicts without those of oracles whose control does not hold: they count for nothing."""
        unfit = self._planned.unfit
        if not unfit:
            return verdicts
        return [
            msgspec.structs.replace(verdict, outcome=Outcome.ERROR, reason=unfit[name], kind="control")
            if name in unfit and verdict.outcome is not Outcome.SKIP
            else verdict
            for (name, _), verdict in zip(named, verdicts, strict=True)
        ]


def _joined(recordings: Sequence[Recorded]) -> Recorded | None:
    """All recordings of a task as one; one that cannot be read is the problem of the whole."""
    if len(recordings) < 2:
        return recordings[0] if recordings else None
    broken = next((recorded for recorded in recordings if recorded.problem), None)
    if broken is not None:
        return broken
    whole = joined([recorded.trajectory for recorded in recordings if recorded.trajectory])
    first = recordings[0]
    return Recorded(path=first.path, trajectory=whole, elsewhere=first.elsewhere)
