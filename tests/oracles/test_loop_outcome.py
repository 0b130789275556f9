"""`loop_outcome`: a loop, or none."""

import pytest

from gate.oracle import Trial
from gate.oracles.loop_outcome import LoopOutcome
from tests.oracles.talks import NOTHING, says, shell, talk

LOOP = talk(shell("a", "1"), shell("a", "2"), shell("a", "3"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            LoopOutcome(max_acceptable_retries=0), NOTHING, "No call was made again, 0 are acceptable", id="nothing was done"
        ),
        pytest.param(
            LoopOutcome(max_acceptable_retries=2), LOOP, "bash was called again 2 times in a row, 2 are acceptable",
            id="just so many",
        ),
        pytest.param(
            LoopOutcome(max_acceptable_retries=1, should_loop=True), LOOP,
            "bash was called again 2 times in a row, 1 are acceptable", id="a loop that is expected",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: LoopOutcome, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            LoopOutcome(max_acceptable_retries=1), LOOP,
            "error loop: bash was called again 2 times in a row, 1 are acceptable", id="a loop",
        ),
        pytest.param(
            LoopOutcome(max_acceptable_retries=2, should_loop=True), LOOP,
            "error no_loop: bash was called again 2 times in a row, 2 are acceptable: no loop, where one is expected",
            id="no loop, where one is expected",
        ),
        pytest.param(
            LoopOutcome(max_acceptable_retries=0, should_loop=True), NOTHING,
            "error no_loop: No call was made again, 0 are acceptable: no loop, where one is expected",
            id="nothing was done",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: LoopOutcome, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_a_loop_that_is_expected_does_not_hold_untouched() -> None:
    assert LoopOutcome(max_acceptable_retries=1).holds_untouched
    assert not LoopOutcome(max_acceptable_retries=1, should_loop=True).holds_untouched
