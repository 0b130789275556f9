"""One trial judged: every oracle asked, and what it says made a verdict. Nothing raises out of it."""

import functools
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from gate import deadline
from gate.answer import answer
from gate.errors import GateError, bug
from gate.mention import UnknownTool, ranked
from gate.oracle import Need, Oracle, Trial, type_name
from gate.plan import Plan, Planned
from gate.recorded import Recorded
from gate.report import Finding, Outcome, Severity, Verdict
from gate.waiver import Waivers

if TYPE_CHECKING:
    from gate.trial import Stage

Named = Sequence[tuple[str, Oracle]]
"""Oracles, each with a name that is unique within the task."""


@functools.cache  # to import it for each trial anew takes as long as to ask an oracle
def _stages() -> "type[Stage]":
    from gate.trial import Stage  # where no task is in scope, nothing is replayed or put on disk

    return Stage


class Judgement:
    """One task that is judged; `notices` are what its trials have to say beside the verdicts."""

    def __init__(self, plan: Plan, planned: Planned, waivers: Waivers) -> None:
        self._plan, self._planned, self._waivers = plan, planned, waivers
        self.notices: list[Finding] = list(planned.notices)
        self._unknown: dict[str, dict[str, int]] = {}

    def trial(self, named: Named, recorded: Recorded | None) -> list[Verdict]:
        """What every oracle says of one recording, or of none."""
        verdicts: list[Verdict] = []
        try:
            with deadline.heeding():
                stage = _stages()(self._plan, self._planned, recorded)
                self._tell(stage, recorded)
                if recorded is not None and stage.replay:
                    self._unknown[recorded.path] = stage.replay.unknown
                if self._plan.commands and any(Need.COMMANDS in oracle.needs for _, oracle in named):
                    self._tell_protected(stage)
                for name, oracle in named:
                    verdict = self._verdict(name, oracle, stage, recorded)
                    if deadline.is_up():  # a plugin may have caught what ends it, and be wrong
                        break
                    verdicts.append(verdict)
                    self._tell_absent(stage, oracle, verdict)
        except deadline.TimeUp:
            pass
        except Exception as error:
            kind = error.kind if isinstance(error, GateError) else "bug"
            return verdicts + unjudged(named[len(verdicts) :], _reason(error), kind)
        if len(verdicts) == len(named):
            return verdicts
        reason = f"{deadline.passed()} before this was judged"
        return verdicts + unjudged(named[len(verdicts) :], reason, "time_limit")

    @property
    def unknown_tools(self) -> tuple[UnknownTool, ...]:
        """The calls of tools that no reader knows, each recording's once, though it was judged with others too."""
        own = {recorded.path for recorded in self._planned.recordings} & self._unknown.keys()
        return ranked(sum((Counter(self._unknown[path]) for path in own or self._unknown), Counter()))

    def _tell(self, stage: "Stage", recorded: Recorded | None) -> None:
        """What the recording is worth as evidence, when the head's own tree is judged."""
        if recorded is None or stage.replayed:
            return
        sentences = (recorded.problem,) if recorded.problem else stage.replay.incomplete if stage.replay else ()
        if sentences:
            which = f" {recorded.path}" if recorded.elsewhere else ""
            much = "says nothing of the change" if recorded.problem else "explains the change only in part"
            notice = Finding(
                severity=Severity.NOTICE,
                kind="replay",
                path=None if recorded.elsewhere else recorded.path,
                message=f"The recording{which} {much}: {_first(sentences)}",
                details="\n".join(sentences),
            )
            if notice not in self.notices:
                self.notices.append(notice)

    def _tell_protected(self, stage: "Stage") -> None:
        """What commands find otherwise than the change has it."""
        self.notices += [notice for notice in stage.protected() if notice not in self.notices]

    def _tell_absent(self, stage: "Stage", oracle: Oracle, verdict: Verdict) -> None:
        """What was not there for a command that did not end well."""
        failed = verdict.outcome in (Outcome.FAIL, Outcome.ERROR)
        if self._plan.commands and failed and Need.COMMANDS in oracle.needs:
            self.notices += [notice for notice in stage.placeholders() if notice not in self.notices]

    def _verdict(self, name: str, oracle: Oracle, stage: "Stage", recorded: Recorded | None) -> Verdict:
        needs, reads = oracle.needs, stage.replayed and oracle.reads_tree
        depends = reads or Need.RECORDING in needs
        if Need.COMMANDS in needs and not self._plan.commands:
            return _unasked(oracle, name, "it runs a command, and this run starts none", "no_commands")
        if recorded is None and depends:
            return _unasked(oracle, name, self._planned.silence, "no_recording")
        if recorded is not None and recorded.problem and depends:
            return _unasked(oracle, name, recorded.problem, recorded.kind, outcome=Outcome.ERROR)
        if reads and stage.incomplete:
            return _incomplete(oracle, name, stage.incomplete, stage.replay.kind if stage.replay else "")
        return self._judged(oracle, name, stage.trial)

    def _judged(self, oracle: Oracle, name: str, trial: Trial) -> Verdict:
        called = type_name(oracle)
        started = time.monotonic()
        said = answer(oracle, trial, called=called)
        verdict = Verdict(
            oracle=called,
            name=name,
            outcome=Outcome.ERROR if said.reason else Outcome.PASS,
            evidence=said.evidence,
            reason=said.reason,
            kind=said.kind,
            seconds=time.monotonic() - started,
            deterministic=oracle.deterministic,
        )
        return self._weighed(verdict, said.findings) if said.findings else verdict

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


def unjudged(named: Named, reason: str, kind: str, *, outcome: Outcome = Outcome.ERROR) -> list[Verdict]:
    """A verdict without a judgement for each oracle, all for one reason."""
    return [
        Verdict(oracle=type_name(oracle), name=name, outcome=outcome, reason=reason, kind=kind)
        for name, oracle in named
    ]


def _first(sentences: Sequence[str]) -> str:
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return sentences[0] + more


def _unasked(oracle: Oracle, name: str, reason: str, kind: str, *, outcome: Outcome = Outcome.SKIP) -> Verdict:
    return Verdict(
        oracle=type_name(oracle),
        name=name,
        outcome=outcome,
        reason=reason,
        kind=kind,
        deterministic=oracle.deterministic,
    )


def _incomplete(oracle: Oracle, name: str, sentences: Sequence[str], kind: str) -> Verdict:
    reason = f"the recording cannot be replayed whole: {_first(sentences)}"
    finding = Finding(severity=Severity.NOTICE, message=sentences[0], details="\n".join(sentences), kind=kind)
    verdict = _unasked(oracle, name, reason, kind, outcome=Outcome.ERROR)
    return msgspec.structs.replace(verdict, findings=(finding,))


def _reason(error: BaseException) -> str:
    return error.message if isinstance(error, GateError) else bug(error)
