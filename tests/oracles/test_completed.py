"""`completed`: the agent came to an end, without an error, and said something."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.completed import Completed
from gate.trajectory import Ok, SystemEvent
from tests.oracles.talks import LOST, NOTHING, called, said, says, shell, talk, user

PASSED = "The agent came to an end without an error"


@pytest.mark.parametrize(
    "trial",
    [
        pytest.param(talk(user("x"), shell("ls", ok=Ok.NO), said("done")), id="a failed call is no error"),
        pytest.param(talk(said("I hand in"), called("submit")), id="it handed in"),
    ],
)
def test_passes(trial: Trial) -> None:
    assert says(Completed(), trial) == [PASSED]


@pytest.mark.parametrize(
    ("trial", "messages"),
    [
        pytest.param(NOTHING, ["error no_output: The agent said nothing"], id="nothing was done"),
        pytest.param(
            talk(user("x"), said("I look"), shell("ls")),
            ["error not_ended: The recording stops before the agent was done"], id="cut off at a call",
        ),
        pytest.param(
            talk(user("x"), said("a"), user("y")),
            ["error not_ended: The recording stops before the agent was done"], id="a prompt without an answer",
        ),
        pytest.param(
            talk(user("x")),
            ["error no_output: The agent said nothing", "error not_ended: The recording stops before the agent was done"],
            id="a prompt alone",
        ),
        pytest.param(
            talk(said("a"), events=(SystemEvent(kind="error", text="overloaded"),)),
            ["error error: The agent's harness met an error: overloaded"], id="an error of the harness",
        ),
    ],
)  # fmt: skip
def test_fails(trial: Trial, messages: list[str]) -> None:
    assert says(Completed(), trial) == messages


def test_a_lost_part_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(Completed(), talk(said("a"), dropped=(LOST,)))
