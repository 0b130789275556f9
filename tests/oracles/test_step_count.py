"""`step_count`: how many answers the model gave."""

import pytest

from gate.oracle import Trial
from gate.oracles.step_count import StepCount
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import NOTHING, called, said, says, shell, talk

RUN = talk(shell("ls", answer="1"), called("Read", answer="1"), called("Read", answer="2"), said("done", answer="3"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(StepCount(max=3), RUN, "3 steps, at most 3 steps allowed", id="calls made together are one"),
        pytest.param(StepCount(max=1, tools=(JsPattern("bash"),)), RUN, "1 step, at most 1 step allowed", id="of a tool"),
        pytest.param(StepCount(max=0), NOTHING, "0 steps, at most 0 steps allowed", id="nothing was done"),
    ],
)  # fmt: skip
def test_passes(oracle: StepCount, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(StepCount(max=2), "error too_many: 3 steps, at most 2 steps allowed", id="too many"),
        pytest.param(
            StepCount(max=1, tools=(JsPattern("Read"),)), "error too_many: 2 steps, at most 1 step allowed", id="of a tool"
        ),
    ],
)  # fmt: skip
def test_fails(oracle: StepCount, message: str) -> None:
    assert says(oracle, RUN) == [message]
