"""Whether the policy wants a recording of this change, and what follows where there is none."""

import re
from collections.abc import Iterator
from itertools import chain

import msgspec

from gate.checkpoint import TRAILER
from gate.entry import Origin
from gate.github import Event
from gate.history import Commit, History
from gate.plan import Planned
from gate.policy import Everyone, Policy, Whose
from gate.report import Evidence, Finding, Outcome, Verdict

NAME = "recording"


class Demand(msgspec.Struct, frozen=True, kw_only=True):
    """What the policy asks of this change: `why` is empty where it asks nothing.

    `problem` is why that cannot be told, `open` why it cannot be told yet, which is no fault.
    """

    why: str = ""
    problem: str = ""
    open: str = ""


def demand(policy: Policy, history: History, event: Event | None, *, ci: bool) -> Demand:
    """What the policy asks. What one list finds is enough; what cannot be read is a problem only if no list finds."""
    wanted = policy.require_recording
    if isinstance(wanted, Everyone):
        return Demand(why="`require_recording: all`")
    if not isinstance(wanted, Whose):
        return Demand()
    labels = _labels(event) if wanted.labels else ()
    why = next(chain(_by_commits(wanted, history), _by_labels(wanted, labels or ())), "")
    if why:
        return Demand(why=why)
    if (wanted.authors or wanted.trailers) and history.problem:
        return Demand(problem=history.problem)
    if labels is None and event is not None:
        return Demand(problem="the event's payload does not tell the labels of the pull request")
    if labels is None and ci:
        return Demand(problem="no event tells the labels of the pull request (`GITHUB_EVENT_NAME`)")
    if (wanted.authors or wanted.trailers) and history.pending:
        return Demand(open="nothing is committed yet, so that nobody knows authors and trailers")
    if labels is None:
        return Demand(open="only a pull request's event tells its labels")
    return Demand()


def _by_commits(wanted: Whose, history: History) -> Iterator[str]:
    people = [_glob(pattern) for pattern in wanted.authors]
    trailers = [_trailer(entry) for entry in wanted.trailers]
    for commit in history.commits:
        for person in commit.people:
            if any(_is(person, pattern) for pattern in people):
                yield f"`authors` of `require_recording` names {person}, who made the commit {commit.id[:12]}"
        for name, value in _lines(commit):
            if any(one.fullmatch(name) and other.fullmatch(value) for one, other in trailers):
                yield f"`trailers` of `require_recording` names {name}, and the commit {commit.id[:12]} has it"


def _lines(commit: Commit) -> Iterator[tuple[str, str]]:
    return ((trailer.name, trailer.value) for trailer in commit.trailers)


class _Label(msgspec.Struct, frozen=True):
    name: str


class _Labelled(msgspec.Struct, frozen=True):
    labels: tuple[_Label, ...]


def _labels(event: Event | None) -> tuple[str, ...] | None:
    """The pull request's labels, none for an event that is not about one; None where nobody tells them."""
    if event is None:
        return None
    if "pull_request" not in event.payload:
        return ()
    try:
        request = msgspec.convert(event.payload["pull_request"], _Labelled)
    except msgspec.ValidationError:
        return None
    return tuple(label.name for label in request.labels)


def _by_labels(wanted: Whose, labels: tuple[str, ...]) -> Iterator[str]:
    patterns = [_glob(pattern) for pattern in wanted.labels]
    for name in labels:
        if any(pattern.fullmatch(name) for pattern in patterns):
            yield f"`labels` of `require_recording` names {name}, a label of the pull request"


def _is(person: str, pattern: re.Pattern[str]) -> bool:
    name, _, address = person.removesuffix(">").partition("<")
    return any(map(pattern.fullmatch, (person, name.strip(), address)))


def _trailer(entry: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    name, colon, value = entry.partition(":")
    return _glob(name.strip()), _glob(value.strip() if colon else "*")


def _glob(pattern: str) -> re.Pattern[str]:
    """Only `*` and `?` are special: the brackets of `devin-ai-integration[bot]` are part of its name."""
    words = {"*": ".*", "?": "."}
    return re.compile("".join(words.get(letter) or re.escape(letter) for letter in pattern), re.IGNORECASE | re.DOTALL)


def verdict(asked: Demand, planned: Planned, named: str | Origin | None, *, pending: bool) -> Verdict | None:
    """What the demand says of one task, which names its recordings by `named`; None where it says nothing.

    `pending` is that the change is not committed yet, so that what belongs to its commits cannot be there.
    """
    draft = Verdict(oracle=NAME, name=NAME, outcome=Outcome.PASS)
    replace = msgspec.structs.replace
    if asked == Demand():
        return None
    whole = [recorded for recorded in planned.recordings if not recorded.problem]
    if whole:
        why = f": {asked.why}" if asked.why else ""
        return replace(draft, evidence=(Evidence(message=f"There is a recording, {whole[0].path}{why}."),))
    if asked.problem:
        reason = f"whether a recording is required cannot be told: {asked.problem}"
        return replace(draft, outcome=Outcome.ERROR, reason=reason, kind="requirement")
    if asked.open:
        reason = f"whether a recording is required cannot be told yet: {asked.open}"
        return replace(draft, outcome=Outcome.SKIP, reason=reason, kind="requirement")
    if planned.recordings:
        broken = planned.recordings[0]
        return replace(draft, outcome=Outcome.ERROR, reason=broken.problem, kind=broken.kind)
    if pending and isinstance(named, Origin):
        return replace(draft, outcome=Outcome.SKIP, reason=planned.silence, kind="no_recording")
    finding = Finding(
        message=f"A recording is required and missing: {asked.why}; {planned.silence or planned.problem}. "
        f"{_remedy(named)}, or give one with `gate run --recording FILE`.",
        path=planned.path,
        line=planned.line,
        kind="missing_recording",
    )
    return replace(draft, outcome=Outcome.FAIL, findings=(finding,), kind="missing_recording")


def _remedy(named: str | Origin | None) -> str:
    if named is None:
        return "Name where its recordings lie with `trajectory` in the manifest"
    if isinstance(named, str):
        return f"Add the agent's recording to the change, at {named}"
    if named.ref:
        return f"Add it with `git notes --ref={named.ref} add -F FILE COMMIT` and push {named.ref}"
    return f"Commit with Entire enabled, so that the commit carries `{TRAILER}`"
