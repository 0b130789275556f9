"""`exit_success`: the agent said something."""

import pytest

from gate.oracle import Trial
from gate.oracles.exit_success import ExitSuccess
from tests.oracles.talks import NOTHING, said, says, shell, talk


def test_passes() -> None:
    assert says(ExitSuccess(), talk(said("a"), shell("ls"))) == ["The agent said something"]


@pytest.mark.parametrize(
    "trial", [pytest.param(NOTHING, id="nothing was done"), pytest.param(talk(shell("ls")), id="calls alone")]
)
def test_fails(trial: Trial) -> None:
    assert says(ExitSuccess(), trial) == ["error no_output: The agent said nothing"]
