"""`output_not_contains`: the last thing said does not hold a text."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.output_not_contains import OutputNotContains
from tests.oracles.talks import LOST, NOTHING, said, says, talk


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(OutputNotContains(value="a"), NOTHING, "The output does not contain 'a'", id="nothing was done"),
        pytest.param(OutputNotContains(value="a"), talk(said("a"), said("b")), "The output does not contain 'a'", id="said before"),
        pytest.param(OutputNotContains(value="a", negate=True), talk(said("A")), "The output contains 'a'", id="turned round"),
    ],
)  # fmt: skip
def test_passes(oracle: OutputNotContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(OutputNotContains(value="a"), talk(said("A")), "error output: The output contains 'a'", id="it does"),
        pytest.param(
            OutputNotContains(value="a"), talk(said("A"), dropped=(LOST,)), "error output: The output contains 'a'",
            id="whatever is lost",
        ),
        pytest.param(
            OutputNotContains(value="a", negate=True), NOTHING,
            "error output: The output does not contain 'a': there is no output", id="turned round",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: OutputNotContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_a_lost_part_may_hold_it() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(OutputNotContains(value="a"), talk(said("b"), dropped=(LOST,)))


def test_it_holds_untouched_unless_turned_round() -> None:
    assert OutputNotContains(value="a").holds_untouched
    assert not OutputNotContains(value="a", negate=True).holds_untouched
