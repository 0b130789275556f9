"""`transcript_not_matches`: none of the agent's messages matches a regular expression of JavaScript."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.transcript_not_matches import TranscriptNotMatches
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import LOST, NOTHING, said, says, talk

ORACLE = TranscriptNotMatches(pattern=JsPattern("a+"))


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(NOTHING, "The transcript does not match 'a+': the agent said nothing", id="nothing was done"),
        pytest.param(talk(said("b")), "The transcript does not match 'a+': 1 message", id="not said"),
    ],
)
def test_passes(trial: Trial, message: str) -> None:
    assert says(ORACLE, trial) == [message]


def test_fails() -> None:
    assert says(ORACLE, talk(said("a"), said("b"))) == ["error transcript: The transcript matches 'a+': message 1 of 2"]


def test_a_lost_part_may_hold_it() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(ORACLE, talk(said("b"), dropped=(LOST,)))


def test_it_holds_untouched() -> None:
    assert ORACLE.holds_untouched
