"""What one oracle says of a trial: all that it yields, and why it could not judge. Nothing raises out of it."""

import msgspec

from gate.errors import CannotJudge, GateError, bug
from gate.oracle import Oracle, Trial, type_name
from gate.report import Evidence, Finding, Severity


class Answer(msgspec.Struct, frozen=True):
    """Findings and evidence in the order in which they came; `reason` is why there are no more, empty at the end."""

    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""
    kind: str = ""


def answer(oracle: Oracle, trial: Trial, *, called: str) -> Answer:
    """Ask an oracle, which may be a plugin's: whatever it does becomes words, in which it is `called` so."""
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
                raise CannotJudge(f"the oracle {type_name(oracle)} yields {seen!r:.80}, expected a Finding or Evidence")
    except GateError as error:
        reason, kind = error.message, error.kind
    except KeyError as error:
        missing = any(isinstance(name, str) and name not in trial.after for name in error.args[:1])
        reason = f"{called} looks at {error}, and there is no such file" if missing else bug(error)
        kind = "file_not_found" if missing else "bug"
    except (Exception, SystemExit) as error:  # a plugin that leaves must not take the other verdicts along
        reason, kind = bug(error), "bug"
    return Answer(tuple(findings), tuple(evidence), reason, kind)


def _checked(finding: Finding) -> Finding:
    """The finding of an oracle whose author may have written the severity as plain text."""
    try:
        return msgspec.structs.replace(finding, severity=Severity(finding.severity))
    except ValueError:
        words = ", ".join(severity.value for severity in Severity)
        raise CannotJudge(f"the severity {finding.severity!r:.80} is none of {words}", kind="bug") from None
