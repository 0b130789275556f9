"""`error_count`: failed calls and errors of the harness."""

import pytest

from gate.oracle import Trial
from gate.oracles.error_count import ErrorCount
from gate.trajectory import Ok, SystemEvent
from tests.oracles.talks import NOTHING, said, says, shell, talk

RUN = talk(
    shell("ls", ok=Ok.NO),
    shell("ls", ok=Ok.UNKNOWN),
    said("done"),
    events=(SystemEvent(kind="error", text="overloaded"),),
)


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(RUN, "2 errors, at most 2 errors allowed", id="a call and the harness"),
        pytest.param(NOTHING, "0 errors, at most 2 errors allowed", id="nothing was done"),
    ],
)
def test_passes(trial: Trial, message: str) -> None:
    assert says(ErrorCount(max=2), trial) == [message]


def test_fails() -> None:
    assert says(ErrorCount(max=1), RUN) == ["error too_many: 2 errors, at most 1 error allowed"]
