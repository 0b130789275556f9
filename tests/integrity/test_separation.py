"""One change that touches the judge and what it judges."""

from typing import Any

import pytest

from gate.changes.diff import Change, Entry
from gate.github import Event
from gate.holdings import recordings
from gate.integrity.separation import Together, found, together
from gate.manifest import read
from gate.policy import Separate, Separation
from gate.report import Finding, Outcome, Severity
from gate.source import Source
from gate.tree import MemoryTree

BOTH = Together(judge=("gate.yaml", "tasks/a.json"), product=("src/a.py",))
TOLD = "This change touches the judge (gate.yaml and 1 more) and what it judges (src/a.py)."
ADVICE = (
    " Send the judge's files in a change of their own; in a pull request the label 'gate: judge' or their owner's "
    "approval allows both."
)
HEAD = "1" * 40
OWNED = Source("base", MemoryTree({".github/CODEOWNERS": b"* @all\n/gate.yaml @Ann\n/tasks/ @ann @bob\n"}))
UNOWNED = Source("base", MemoryTree({}))


def approved(login: str = "ann", *, state: str = "approved", commit: str = HEAD, author: str = "agent") -> Event:
    payload: dict[str, Any] = {
        "review": {"state": state, "user": {"login": login}, "commit_id": commit},
        "pull_request": {"user": {"login": author}},
    }
    return Event(name="pull_request_review", payload=payload, head_sha=HEAD)


def test_it_is_a_warning_where_nothing_else_is_said() -> None:
    apart = found(Separation(), BOTH, event=None, base=UNOWNED)
    assert apart.planned == ()
    assert apart.findings == (
        Finding(
            severity=Severity.WARNING,
            kind="judge_together",
            message=TOLD + ADVICE,
            path="gate.yaml",
            details="gate.yaml\ntasks/a.json\nsrc/a.py",
        ),
    )


def test_it_fails_where_the_policy_says_so() -> None:
    apart = found(Separation(level=Separate.ERROR), BOTH, event=None, base=UNOWNED)
    (planned,) = apart.planned
    (verdict,) = planned.verdicts
    assert (planned.id, planned.in_scope, verdict.outcome) == ("separate_judge", True, Outcome.FAIL)
    assert [(finding.severity, finding.message) for finding in verdict.findings] == [(Severity.ERROR, TOLD + ADVICE)]
    assert apart.findings == ()


@pytest.mark.parametrize(
    ("level", "both"),
    [
        pytest.param(Separate.OFF, BOTH, id="off"),
        pytest.param(Separate.ERROR, Together(judge=(), product=("a",)), id="no file of the judge"),
        pytest.param(Separate.ERROR, Together(judge=("gate.yaml",), product=()), id="nothing else"),
    ],
)
def test_nothing_is_said(level: Separate, both: Together) -> None:
    apart = found(Separation(level=level), both, event=None, base=UNOWNED)
    assert (apart.findings, apart.planned) == ((), ())


@pytest.mark.parametrize(
    ("event", "base", "why"),
    [
        pytest.param(
            Event(name="pull_request", payload={}, labels=("x", "gate: judge")),
            UNOWNED,
            "the pull request has the label 'gate: judge'",
            id="label",
        ),
        pytest.param(approved(), OWNED, "ann, who owns gate.yaml and 1 more, approved this head", id="owner"),
    ],
)
def test_who_may_allow_it_is_recorded(event: Event, base: Source, why: str) -> None:
    apart = found(Separation(level=Separate.ERROR), BOTH, event=event, base=base)
    assert apart.planned == ()
    (finding,) = apart.findings
    assert (finding.kind, finding.severity) == ("judge_override", Severity.NOTICE)
    assert finding.message == f"{TOLD} That is allowed here: {why}."


@pytest.mark.parametrize(
    ("event", "base"),
    [
        pytest.param(Event(name="pull_request", payload={}, labels=("gate",)), OWNED, id="another label"),
        pytest.param(approved("bob"), OWNED, id="owner of one file alone"),
        pytest.param(approved("all"), OWNED, id="owner of the rest"),
        pytest.param(approved(), UNOWNED, id="nobody owns it"),
        pytest.param(approved(author="ann"), OWNED, id="its author"),
        pytest.param(approved(state="changes_requested"), OWNED, id="no approval"),
        pytest.param(approved(commit="2" * 40), OWNED, id="approval of another head"),
        pytest.param(Event(name="pull_request", payload={"review": 5}), OWNED, id="no review"),
    ],
)
def test_nobody_else_may(event: Event, base: Source) -> None:
    assert found(Separation(level=Separate.ERROR), BOTH, event=event, base=base).planned


def test_recordings_belong_to_neither() -> None:
    manifest = read(
        b"version: 1\ntasks: [{id: a, trajectory: 'rec/*.json', oracles: [{type: no_network}]}]\n", "deep/gate.yaml"
    )
    paths = ["deep/gate.yaml", "deep/rec/a.json", "rec/a.json", "src/a.py"]
    entries = tuple(
        Entry(path=path, status="M", old_mode=0o100644, new_mode=0o100644, old_id="", new_id="") for path in paths
    )
    change = Change(description="", base=None, head=None, entries=entries)
    expected = Together(judge=("deep/gate.yaml",), product=("rec/a.json", "src/a.py"))
    ours = recordings(manifest)
    assert together(change, (["deep/gate.yaml"], ["deep/other"]), ours) == expected
    assert together(None, (["deep/gate.yaml"],), ours) == Together(judge=(), product=())
