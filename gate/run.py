"""Plan to Report: the one loop over trials. Nothing raises out of it."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from gate import __version__, deadline
from gate.advice import held_back
from gate.catalogue import type_name
from gate.errors import CannotJudge, GateError, bug
from gate.oracle import Need, Oracle, Trial
from gate.plan import Plan, Planned, Recorded
from gate.report import Evidence, Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.scoring import Scoring, settled
from gate.task import State, Task
from gate.trajectory import joined
from gate.waiver import Waivers

if TYPE_CHECKING:
    from gate.trial import Stage


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
        self._plan, self._planned, self._waivers = plan, planned, waivers
        self._notices: list[Finding] = list(planned.notices)

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
            notices=tuple(self._notices),
            path=planned.path,
            line=planned.line,
        )

    def _verdicts(self, task: Task) -> list[Verdict]:
        """Every verdict of the task, after its score where it has one.

        Under `state: head` an oracle that needs no recording is asked once, every other one once a recording.

        One that joins recordings is asked once of all of them.
        """
        named = _named(task.oracles)
        if task.setup and not self._plan.commands:
            reason = "its workspace is made ready by commands, and this run starts none"
            return _unjudged(named, reason, "no_commands", outcome=Outcome.SKIP)
        recordings = self._planned.recordings
        shared: list[Verdict] = []
        if task.state is State.HEAD:
            alone = [(name, oracle) for name, oracle in named if Need.RECORDING not in oracle.needs]
            joint = [(name, oracle) for name, oracle in named if oracle.joins_recordings]
            named = [pair for pair in named if pair not in alone and pair not in joint]
            for group, recorded in ((alone, None), (joint, _joined(recordings))):
                shared += self._trial(group, recorded) if group else []
        runs = []
        for recorded in (recordings or (None,)) if named else ():
            suffix = f"[{recorded.path}]" if recorded and len(recordings) > 1 else ""
            runs.append(self._trial([(name + suffix, oracle) for name, oracle in named], recorded))
        return settled(runs, shared, task.scoring or Scoring())

    def _trial(self, named: Sequence[tuple[str, Oracle]], recorded: Recorded | None) -> list[Verdict]:
        from gate.trial import Stage  # where no task is in scope, nothing is replayed or put on disk

        verdicts: list[Verdict] = []
        try:
            with deadline.heeding(), Stage(self._plan, self._planned, recorded) as stage:
                self._tell(stage, recorded)
                if self._plan.commands and any(Need.COMMANDS in oracle.needs for _, oracle in named):
                    self._tell_protected(stage)
                for name, oracle in named:
                    verdict = self._verdict(name, oracle, stage, recorded)
                    if deadline.is_up():  # a plugin may have caught what ends it, and be wrong
                        break
                    verdicts.append(verdict)
        except deadline.TimeUp:
            pass
        except Exception as error:
            kind = error.kind if isinstance(error, GateError) else "bug"
            return verdicts + _unjudged(named[len(verdicts) :], _reason(error), kind)
        if len(verdicts) == len(named):
            return verdicts
        reason = f"{deadline.passed()} before this was judged"
        return verdicts + _unjudged(named[len(verdicts) :], reason, "time_limit")

    def _tell(self, stage: "Stage", recorded: Recorded | None) -> None:
        """What the recording is worth as evidence, when the head's own tree is judged."""
        if recorded is None or stage.replayed:
            return
        sentences = (recorded.problem,) if recorded.problem else stage.replay.incomplete if stage.replay else ()
        if sentences:
            which = f" {recorded.path}" if recorded.elsewhere else ""
            notice = Finding(
                severity=Severity.NOTICE,
                kind="replay",
                path=None if recorded.elsewhere else recorded.path,
                message=f"The recording{which} explains the change only in part: {_first(sentences)}",
                details="\n".join(sentences),
            )
            if notice not in self._notices:
                self._notices.append(notice)

    def _tell_protected(self, stage: "Stage") -> None:
        """What commands find otherwise than the change has it."""
        self._notices += [notice for notice in stage.protected() if notice not in self._notices]

    def _verdict(self, name: str, oracle: Oracle, stage: "Stage", recorded: Recorded | None) -> Verdict:
        draft = Verdict(oracle=type_name(oracle), name=name, outcome=Outcome.SKIP, deterministic=oracle.deterministic)
        if Need.COMMANDS in oracle.needs and not self._plan.commands:
            return msgspec.structs.replace(
                draft, reason="it runs a command, and this run starts none", kind="no_commands"
            )
        depends = Need.RECORDING in oracle.needs or (stage.replayed and oracle.reads_tree)
        if recorded is None and depends:
            return msgspec.structs.replace(draft, reason=self._planned.silence, kind="no_recording")
        if recorded is not None and recorded.problem and depends:
            return msgspec.structs.replace(draft, outcome=Outcome.ERROR, reason=recorded.problem, kind=recorded.kind)
        if stage.replayed and oracle.reads_tree and stage.replay and stage.replay.incomplete:
            return _incomplete(draft, stage.replay.incomplete, stage.replay.kind)
        return self._judged(draft, oracle, stage.trial)

    def _judged(self, draft: Verdict, oracle: Oracle, trial: Trial) -> Verdict:
        started = time.monotonic()
        findings: list[Finding] = []
        evidence: list[Evidence] = []
        reason = kind = ""
        try:
            for seen in oracle.judge(trial):
                if isinstance(seen, Finding):
                    findings.append(_checked(seen))
                elif isinstance(seen, Evidence):
                    evidence.append(seen)
                else:
                    raise CannotJudge(f"the oracle {draft.oracle} yields {seen!r:.80}, expected a Finding or Evidence")
        except GateError as error:
            reason, kind = error.message, error.kind
        except KeyError as error:
            missing = isinstance(error.args[0], str) and error.args[0] not in trial.after
            reason = f"{draft.oracle} looks at {error}, and there is no such file" if missing else _reason(error)
            kind = "file_not_found" if missing else "bug"
        except (Exception, SystemExit) as error:  # a plugin that leaves must not take the other verdicts along
            reason, kind = _reason(error), "bug"
        draft = msgspec.structs.replace(
            draft,
            outcome=Outcome.ERROR if reason else Outcome.PASS,
            evidence=tuple(evidence),
            reason=reason,
            kind=kind,
            seconds=time.monotonic() - started,
        )
        return self._weighed(draft, findings) if findings else draft

    def _weighed(self, draft: Verdict, findings: Sequence[Finding]) -> Verdict:
        """The verdict with what was found, which fails it where the policy says so and no waiver takes it out."""
        counted, waived = self._waivers.apply(draft.oracle, findings, self._planned.folder)
        level = self._plan.policy.fail_level
        failed = any(finding.severity.reaches(level) for finding in counted)
        return msgspec.structs.replace(
            draft,
            outcome=Outcome.FAIL if failed else draft.outcome,
            findings=tuple(self._located(finding) for finding in counted),
            waived=tuple(msgspec.structs.replace(item, finding=self._located(item.finding)) for item in waived),
            reason="" if failed else draft.reason,
            kind=counted[0].kind if failed else draft.kind,
        )

    def _located(self, finding: Finding) -> Finding:
        """The finding at its place in the checkout: a workspace written in a task has none but the task's own."""
        if finding.path is None:
            return finding
        if self._planned.checkout is None:
            return msgspec.structs.replace(finding, path=self._planned.path, line=self._planned.line, end_line=None)
        prefix = f"{self._planned.checkout}/" if self._planned.checkout not in ("", ".") else ""
        return msgspec.structs.replace(finding, path=prefix + finding.path)


def _unjudged(
    named: Sequence[tuple[str, Oracle]], reason: str, kind: str, *, outcome: Outcome = Outcome.ERROR
) -> list[Verdict]:
    return [
        Verdict(oracle=type_name(oracle), name=name, outcome=outcome, reason=reason, kind=kind)
        for name, oracle in named
    ]


def _checked(finding: Finding) -> Finding:
    """The finding of an oracle whose author may have written the severity as plain text."""
    try:
        return msgspec.structs.replace(finding, severity=Severity(finding.severity))
    except ValueError:
        words = ", ".join(severity.value for severity in Severity)
        raise CannotJudge(f"the severity {finding.severity!r:.80} is none of {words}", kind="bug") from None


def _first(sentences: Sequence[str]) -> str:
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return sentences[0] + more


def _incomplete(draft: Verdict, sentences: tuple[str, ...], kind: str) -> Verdict:
    finding = Finding(severity=Severity.NOTICE, message=sentences[0], details="\n".join(sentences), kind=kind)
    return msgspec.structs.replace(
        draft,
        outcome=Outcome.ERROR,
        reason=f"the recording cannot be replayed whole: {_first(sentences)}",
        kind=kind,
        findings=(finding,),
    )


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


def _named(oracles: Sequence[Oracle]) -> list[tuple[str, Oracle]]:
    """Every oracle with a name that is unique within the task."""
    counts: dict[str, int] = {}
    named = []
    for oracle in oracles:
        name = oracle.name or type_name(oracle)
        counts[name] = counts.get(name, 0) + 1
        named.append((name if counts[name] == 1 else f"{name} #{counts[name]}", oracle))
    return named


def _reason(error: BaseException) -> str:
    return error.message if isinstance(error, GateError) else bug(error)
