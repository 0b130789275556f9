"""`max_repeat`: the same call again and again."""

import pytest

from gate.errors import CannotJudge
from gate.grading.repetition import Same
from gate.oracle import Trial
from gate.oracles.max_repeat import MaxRepeat
from gate.patterns.jsregex import JsPattern
from tests.oracles.talks import LOST, NOTHING, STRAY, STRAY_WARNING, called, said, says, shell, talk


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(MaxRepeat(max=1), NOTHING, "At most 0 calls in a row are the same", id="nothing was done"),
        pytest.param(
            MaxRepeat(max=1), talk(shell("a", "1"), shell("a", "2")), "At most 1 calls in a row are the same",
            id="another result",
        ),
        pytest.param(
            MaxRepeat(max=1), talk(shell("a", ""), shell("b", "")), "At most 1 calls in a row are the same",
            id="no result, something else given",
        ),
        pytest.param(
            MaxRepeat(max=1), talk(shell("a"), called("Read"), shell("a")), "At most 1 calls in a row are the same",
            id="not in a row",
        ),
        pytest.param(
            MaxRepeat(max=1), talk(shell("a"), shell("a", agent="sub")), "At most 1 calls in a row are the same",
            id="by two agents",
        ),
        pytest.param(
            MaxRepeat(max=2), talk(shell("a"), said("hm"), shell("a")), "At most 2 calls in a row are the same",
            id="just so many",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: MaxRepeat, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            MaxRepeat(max=1), talk(shell("a"), shell("b"), shell("c", "other")),
            "error repeated: 2 calls of bash in a row are the same (calls 1 to 2), at most 1 allowed", id="by its result",
        ),
        pytest.param(
            MaxRepeat(max=2, match=Same.NAME), talk(shell("a", "1"), shell("b", "2"), shell("c", "3")),
            "error repeated: 3 calls of bash in a row are the same (calls 1 to 3), at most 2 allowed", id="by its tool",
        ),
        pytest.param(
            MaxRepeat(max=1, match=Same.NAME_ARGS), talk(shell("a", "1"), shell("a", "2")),
            "error repeated: 2 calls of bash in a row are the same (calls 1 to 2), at most 1 allowed",
            id="by what it was given",
        ),
        pytest.param(
            MaxRepeat(max=1, tools=(JsPattern("bash"),)), talk(shell("a"), called("Read"), shell("a")),
            "error repeated: 2 calls of bash in a row are the same (calls 1 to 3), at most 1 allowed",
            id="other tools end no row",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: MaxRepeat, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_a_lost_part_may_be_a_call() -> None:
    with pytest.raises(CannotJudge, match="could not be read whole"):
        says(MaxRepeat(max=1), talk(dropped=(LOST,)))


def test_a_stray_result_is_a_warning() -> None:
    assert says(MaxRepeat(max=1), talk(shell("a"), dropped=(STRAY,))) == [
        f"warning foreign_result: {STRAY_WARNING}",
        "At most 1 calls in a row are the same",
    ]


def test_it_holds_untouched() -> None:
    assert MaxRepeat(max=1).holds_untouched
