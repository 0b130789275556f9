"""`output_matches`: the last thing said matches a regular expression of JavaScript."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.output_matches import OutputMatches
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import NOTHING, said, says, talk


def _oracle(pattern: str, *, negate: bool = False) -> OutputMatches:
    return OutputMatches(pattern=JsPattern(pattern), negate=negate)


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(_oracle("d[o]ne"), talk(said("all done.")), "The output matches 'd[o]ne'", id="anywhere"),
        pytest.param(_oracle("(?i)DONE"), talk(said("done")), "The output matches '(?i)DONE'", id="a flag"),
        pytest.param(_oracle("^b$", negate=True), talk(said("a\nb")), "The output does not match '^b$'", id="anchored"),
    ],
)  # fmt: skip
def test_passes(oracle: OutputMatches, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            _oracle(".*"), NOTHING, "error output: The output does not match '.*': there is no output",
            id="nothing was done",
        ),
        pytest.param(_oracle("a"), talk(said("A")), "error output: The output does not match 'a'", id="case"),
        pytest.param(_oracle("a", negate=True), talk(said("a")), "error output: The output matches 'a'", id="turned round"),
    ],
)  # fmt: skip
def test_fails(oracle: OutputMatches, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    "trial", [pytest.param(NOTHING, id="nothing was done"), pytest.param(talk(said("a")), id="a run")]
)
def test_a_pattern_that_is_not_valid_is_an_error_whatever_was_said(trial: Trial) -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        says(_oracle("("), trial)
