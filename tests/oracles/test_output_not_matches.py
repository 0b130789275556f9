"""`output_not_matches`: the last thing said does not match a regular expression of JavaScript."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.output_not_matches import OutputNotMatches
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import NOTHING, said, says, talk


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(NOTHING, "The output does not match 'sorry|cannot'", id="nothing was done"),
        pytest.param(talk(said("done")), "The output does not match 'sorry|cannot'", id="it does not"),
    ],
)
def test_passes(trial: Trial, message: str) -> None:
    assert says(OutputNotMatches(pattern=JsPattern("sorry|cannot")), trial) == [message]


def test_fails() -> None:
    oracle = OutputNotMatches(pattern=JsPattern("sorry|cannot"))
    assert says(oracle, talk(said("I cannot."))) == ["error output: The output matches 'sorry|cannot'"]


def test_a_pattern_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        says(OutputNotMatches(pattern=JsPattern("(")), NOTHING)


def test_it_holds_untouched_unless_turned_round() -> None:
    assert OutputNotMatches(pattern=JsPattern("a")).holds_untouched
    assert not OutputNotMatches(pattern=JsPattern("a"), negate=True).holds_untouched
