"""`turn_count`: how many answers the agent that a person spoke with gave."""

import pytest

from gate.oracle import Trial
from gate.oracles.turn_count import TurnCount
from tests.oracles.talks import NOTHING, said, says, shell, talk

RUN = talk(shell("ls"), said("hm", agent="sub"), said("done"))


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(RUN, "2 turns, at most 2 turns allowed", id="without sub-agents"),
        pytest.param(NOTHING, "0 turns, at most 2 turns allowed", id="nothing was done"),
    ],
)
def test_passes(trial: Trial, message: str) -> None:
    assert says(TurnCount(max=2), trial) == [message]


def test_fails() -> None:
    assert says(TurnCount(max=1), RUN) == ["error too_many: 2 turns, at most 1 turn allowed"]
