"""`transcript_matches`: one of the agent's messages matches a regular expression of JavaScript."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.transcript_matches import TranscriptMatches
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import NOTHING, said, says, talk


@pytest.mark.parametrize(
    ("pattern", "trial", "message"),
    [
        pytest.param("^b$", talk(said("a"), said("b")), "The transcript matches '^b$': message 2 of 2", id="a message alone"),
        pytest.param("(?s)a.*b", talk(said("a"), said("b")), "The transcript matches '(?s)a.*b': 2 messages", id="all in a row"),
    ],
)  # fmt: skip
def test_passes(pattern: str, trial: Trial, message: str) -> None:
    assert says(TranscriptMatches(pattern=JsPattern(pattern)), trial) == [message]


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(
            NOTHING, "error transcript: The transcript does not match 'a+': the agent said nothing",
            id="nothing was done",
        ),
        pytest.param(
            talk(said("b")), "error transcript: The transcript does not match 'a+': 1 message", id="not said"
        ),
    ],
)  # fmt: skip
def test_fails(trial: Trial, message: str) -> None:
    assert says(TranscriptMatches(pattern=JsPattern("a+")), trial) == [message]


def test_a_pattern_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        says(TranscriptMatches(pattern=JsPattern("[")), NOTHING)
