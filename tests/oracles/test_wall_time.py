"""`wall_time`: how long a run took."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Seconds, Trial
from gate.oracles.wall_time import WallTime
from tests.oracles.talks import NOTHING, said, says, talk, user

RUN = talk(user("x", time="2026-01-01T10:00:00Z"), said("a", time="2026-01-01T10:01:30Z"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(WallTime(max=Seconds(90)), RUN, "90 s, at most 90 s allowed", id="just so long"),
        pytest.param(
            WallTime(min=Seconds(60), max=Seconds(120)),
            RUN,
            "90 s, at least 60 s and at most 120 s allowed",
            id="between",
        ),
        pytest.param(WallTime(max=Seconds(1)), NOTHING, "0 s, at most 1 s allowed", id="nothing was done"),
    ],
)
def test_passes(oracle: WallTime, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(WallTime(max=Seconds(60)), RUN, "error too_many: 90 s, at most 60 s allowed", id="too long"),
        pytest.param(
            WallTime(min=Seconds(1), max=Seconds(9)), NOTHING, "error too_few: 0 s, at least 1 s expected", id="nothing was done"
        ),
    ],
)  # fmt: skip
def test_fails(oracle: WallTime, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_a_recording_without_times_is_an_error() -> None:
    with pytest.raises(CannotJudge, match=r"^the recording does not tell how long the run took$"):
        says(WallTime(max=Seconds(1)), talk(said("a")))


def test_only_a_limit_above_holds_untouched() -> None:
    assert WallTime(max=Seconds(1)).holds_untouched
    assert not WallTime(min=Seconds(1), max=Seconds(1)).holds_untouched


def test_limits_that_nothing_can_keep_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected `min` to be at most `max`$"):
        WallTime(min=Seconds(2), max=Seconds(1))
