"""`transcript_not_contains`: none of the agent's messages holds a text."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.transcript_not_contains import TranscriptNotContains
from tests.oracles.talks import LOST, NOTHING, said, says, talk


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(NOTHING, "The transcript does not contain 'a': the agent said nothing", id="nothing was done"),
        pytest.param(talk(said("b")), "The transcript does not contain 'a': 1 message", id="not said"),
        pytest.param(talk(said("b"), said("a", agent="sub")), "The transcript does not contain 'a': 1 message", id="by a sub-agent"),
    ],
)  # fmt: skip
def test_passes(trial: Trial, message: str) -> None:
    assert says(TranscriptNotContains(value="a"), trial) == [message]


def test_fails() -> None:
    expected = ["error transcript: The transcript contains 'a': message 1 of 2"]
    assert says(TranscriptNotContains(value="a"), talk(said("A"), said("b"), dropped=(LOST,))) == expected


def test_a_lost_part_may_hold_it() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(TranscriptNotContains(value="a"), talk(said("b"), dropped=(LOST,)))


def test_it_holds_untouched() -> None:
    assert TranscriptNotContains(value="a").holds_untouched
