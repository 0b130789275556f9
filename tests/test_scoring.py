"""Scores of tasks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.report import Finding, Outcome, Severity, Verdict
from gate.scoring import Scoring, score, settled

FOUND = Finding(message="It is not there.")


def passed(name: str, oracle: str = "file_exists") -> Verdict:
    return Verdict(oracle=oracle, name=name, outcome=Outcome.PASS)


def failed(name: str, oracle: str = "file_exists") -> Verdict:
    return Verdict(oracle=oracle, name=name, outcome=Outcome.FAIL, findings=(FOUND,), kind="x")


def other(name: str, outcome: Outcome) -> Verdict:
    return Verdict(oracle="diff_empty", name=name, outcome=outcome, reason="why")


@pytest.mark.parametrize(
    ("verdicts", "scoring", "expected"),
    [
        pytest.param([passed("a"), failed("b")], Scoring(), 0.5, id="all the same"),
        pytest.param([passed("a"), failed("b", "diff_empty")], Scoring(weights={"file_exists": 3}), 0.75, id="by type"),
        pytest.param(
            [passed("a"), failed("b"), failed("c", "diff_empty")],
            Scoring(weights={"file_exists": 0.5, "diff_empty": 0.5}),
            0.25,
            id="a type shares its weight",
        ),
        pytest.param([passed("a"), failed("b")], Scoring(named={"a": 3}), 0.75, id="by name"),
        pytest.param([passed("a[r.json]"), failed("b")], Scoring(named={"a": 3}), 0.75, id="by name, of a recording"),
        pytest.param([passed("a"), other("b", Outcome.NOT_APPLICABLE)], Scoring(), 1.0, id="what says nothing"),
        pytest.param([other("b", Outcome.SKIP)], Scoring(), None, id="nothing was judged"),
        pytest.param([failed("a")], Scoring(weights={"file_exists": 0}), None, id="nothing counts"),
    ],
)
def test_the_score(verdicts: list[Verdict], scoring: Scoring, expected: float | None) -> None:
    assert score(verdicts, scoring) == expected


def told(verdicts: list[Verdict]) -> list[tuple[str, str, str]]:
    return [(verdict.name, verdict.outcome.value, verdict.message) for verdict in verdicts]


def test_a_failure_is_outweighed_and_says_so() -> None:
    found = settled([[passed("a"), failed("b")]], [], Scoring(threshold=0.5))
    assert told(found) == [
        ("a", "pass", ""),
        ("b", "pass", "Outweighed: It is not there."),
        ("score", "pass", "The score is 0.5 of 1, and the threshold 0.5; outweighed: b."),
    ]
    assert found[1].findings[0].severity is Severity.NOTICE


@pytest.mark.parametrize(
    ("verdicts", "message", "outcome"),
    [
        pytest.param(
            [passed("a"), failed("b")], "The score is 0.5 of 1, and the threshold 0.8; failed: b.", "fail", id="too low"
        ),
        pytest.param(
            [passed("a"), passed("c"), passed("d"), passed("e"), failed("b"), other("f", Outcome.ERROR)],
            "there is no score: f could not be judged",
            "error",
            id="an error is never outweighed",
        ),
        pytest.param(
            [passed("a"), passed("c"), passed("d"), passed("e"), failed("b"), other("f", Outcome.SKIP)],
            "there is no score: f was not asked",
            "skip",
            id="nor is what was not asked",
        ),
    ],
)
def test_a_failure_that_stays(verdicts: list[Verdict], message: str, outcome: str) -> None:
    found = settled([verdicts], [], Scoring(threshold=0.8))
    assert found[:-1] == verdicts
    assert told(found)[-1] == ("score", outcome, message)


def test_every_recording_has_its_own_score() -> None:
    runs = [[passed("a[1]"), failed("b[1]")], [failed("a[2]"), failed("b[2]")]]
    found = settled(runs, [], Scoring(threshold=0.5))
    assert [(verdict.name, verdict.outcome.value) for verdict in found] == [
        ("a[1]", "pass"),
        ("b[1]", "pass"),
        ("a[2]", "fail"),
        ("b[2]", "fail"),
        ("score[1]", "pass"),
        ("score[2]", "fail"),
    ]


@pytest.mark.parametrize(("second", "outcome"), [(passed("b[2]"), "pass"), (failed("b[2]"), "fail")])
def test_what_all_recordings_share_is_outweighed_by_all_of_them_or_not_at_all(second: Verdict, outcome: str) -> None:
    found = settled([[passed("b[1]")], [second]], [failed("a")], Scoring(threshold=0.5))
    assert (found[0].name, found[0].outcome.value) == ("a", outcome)


def test_what_the_gate_asks_itself_is_never_outweighed() -> None:
    found = settled([[passed("a"), failed("explained", "explained")]], [], Scoring(threshold=0.0))
    assert [(verdict.name, verdict.outcome.value) for verdict in found] == [
        ("explained", "fail"),
        ("a", "pass"),
        ("score", "pass"),
    ]


def test_without_a_threshold_all_must_pass() -> None:
    verdicts = [passed("a"), failed("b")]
    assert settled([verdicts], [], Scoring(weights={"file_exists": 1})) == verdicts


OUTCOMES: Any = st.lists(st.sampled_from(list(Outcome)), min_size=1, max_size=6)


@given(OUTCOMES, st.floats(0, 1))
def test_an_error_stays_whatever_the_threshold(outcomes: list[Outcome], threshold: float) -> None:
    verdicts = [
        Verdict(oracle="x", name=str(number), outcome=outcome, reason="", findings=(FOUND,))
        for number, outcome in enumerate(outcomes)
    ]
    found = settled([verdicts], [], Scoring(threshold=threshold))
    assert (Outcome.ERROR in outcomes) == any(verdict.outcome is Outcome.ERROR for verdict in found)
    assert [verdict.outcome for verdict in found].count(Outcome.FAIL) <= outcomes.count(Outcome.FAIL) + 1
