"""What a model's pass is worth on its own."""

import pytest

from gate.advice import held_back
from gate.policy import Judges
from gate.report import Outcome, Verdict


def _verdict(oracle: str, outcome: Outcome = Outcome.PASS) -> Verdict:
    return Verdict(oracle=oracle, name=oracle, outcome=outcome, deterministic=oracle not in ("prompt", "panel"))


HELD = (
    "only models passed this task (prompt), and their verdicts are not deterministic; add an oracle that is, or say "
    "`judges: binding` in the policy"
)


@pytest.mark.parametrize(
    "verdicts",
    [
        pytest.param([_verdict("test_must_pass"), _verdict("prompt")], id="a proof beside it"),
        pytest.param([_verdict("prompt", Outcome.FAIL)], id="it failed anyway"),
        pytest.param([_verdict("prompt", Outcome.SKIP)], id="it was not asked"),
        pytest.param([_verdict("explained")], id="no model at all"),
        pytest.param([], id="nothing at all"),
    ],
)
def test_nothing_is_held_back(verdicts: list[Verdict]) -> None:
    assert held_back(Judges.ADVISORY, verdicts) == ()


@pytest.mark.parametrize(
    "verdicts",
    [
        pytest.param([_verdict("prompt")], id="alone"),
        pytest.param([_verdict("prompt"), _verdict("test_must_pass", Outcome.SKIP)], id="the proof was skipped"),
        pytest.param([_verdict("prompt"), _verdict("explained")], id="beside whose work it is"),
    ],
)
def test_models_alone_are_held_back(verdicts: list[Verdict]) -> None:
    [verdict] = held_back(Judges.ADVISORY, verdicts)
    assert (verdict.outcome, verdict.name, verdict.reason) == (Outcome.ERROR, "judges", HELD)


def test_they_are_binding_where_the_policy_says_so() -> None:
    assert held_back(Judges.BINDING, [_verdict("prompt")]) == ()
