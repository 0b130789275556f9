"""One change must not own both the judge and what is judged: who says that this one may all the same."""

from collections.abc import Container, Sequence

import msgspec

from gate.changes.diff import Change
from gate.github import Event
from gate.integrity.codeowners import owners
from gate.path import several
from gate.plan import Planned
from gate.policy import Separate, Separation
from gate.report import Finding, Outcome, Severity, Verdict
from gate.scope import Patterns
from gate.source import Source

NAME = "separate_judge"


class Together(msgspec.Struct, frozen=True, kw_only=True):
    """Files of the judge and of the product that one change touches."""

    judge: tuple[str, ...]
    product: tuple[str, ...]


class Separated(msgspec.Struct, frozen=True, kw_only=True):
    """What follows: a finding for the report, and under `error` a verdict that fails, as a task of its own."""

    findings: tuple[Finding, ...] = ()
    planned: tuple[Planned, ...] = ()


def together(change: Change | None, held: Sequence[Container[str]], recordings: Patterns) -> Together:
    """Which of the judge's files a change touches, and what else; `recordings` belong to neither.

    The judge's is what any of `held` holds: the base's judge, and the head's.
    """
    paths = change.paths if change is not None and not change.everything else ()
    judge = tuple(path for path in paths if any(path in one for one in held))
    return Together(
        judge=judge,
        product=tuple(path for path in paths if path not in judge and not recordings.match(path)),
    )


def found(policy: Separation, both: Together, *, event: Event | None, base: Source) -> Separated:
    """What the policy says of such a change. `base` holds the CODEOWNERS file that counts."""
    if policy.level is Separate.OFF or not both.judge or not both.product:
        return Separated()
    why = _override(policy, both, event, base)
    if why:
        message = f"{_told(both)} That is allowed here: {why}."
        return Separated(findings=(_finding(both, message, Severity.NOTICE, "judge_override"),))
    advice = (
        "Send the judge's files in a change of their own; in a pull request the label "
        f"{policy.label!r} or their owner's approval allows both"
    )
    message = f"{_told(both)} {advice}."
    if policy.level is Separate.WARNING:
        return Separated(findings=(_finding(both, message, Severity.WARNING, "judge_together"),))
    finding = _finding(both, message, Severity.ERROR, "judge_together")
    verdict = Verdict(oracle=NAME, name=NAME, outcome=Outcome.FAIL, findings=(finding,), kind="judge_together")
    return Separated(
        planned=(Planned(id=NAME, in_scope=True, scope="`policy.separate_judge: error`", verdicts=(verdict,)),)
    )


def _told(both: Together) -> str:
    return f"This change touches the judge ({several(both.judge)}) and what it judges ({several(both.product)})."


def _finding(both: Together, message: str, severity: Severity, kind: str) -> Finding:
    return Finding(
        severity=severity,
        kind=kind,
        message=message,
        path=both.judge[0],
        details="\n".join((*both.judge, *both.product)),
    )


def _override(policy: Separation, both: Together, event: Event | None, base: Source) -> str:
    """Who says that this change may do both, in words; empty where nobody does."""
    if event is None:
        return ""
    if policy.label in event.labels:
        return f"the pull request has the label {policy.label!r}"
    approval = _approval(event)
    if approval is None:
        return ""
    owned = owners(base)
    wanted = [owned.of(path) for path in both.judge]
    mine = f"@{approval}".lower()
    if wanted and all(mine in map(str.lower, several) for several in wanted):
        return f"{approval}, who owns {several(both.judge)}, approved this head"
    return ""


class _User(msgspec.Struct, frozen=True):
    login: str


class _Review(msgspec.Struct, frozen=True):
    state: str
    user: _User
    commit_id: str | None = None


class _Request(msgspec.Struct, frozen=True):
    user: _User


class _Reviewed(msgspec.Struct, frozen=True):
    review: _Review
    pull_request: _Request


def _approval(event: Event) -> str | None:
    """Who approved the very head that is judged, and is not its author; a team cannot be told from the event."""
    try:
        found = msgspec.convert(event.payload, _Reviewed)
    except msgspec.ValidationError:
        return None
    review, login = found.review, found.review.user.login
    approved = review.state.lower() == "approved" and review.commit_id == event.head_sha
    return login if approved and login != found.pull_request.user.login else None
