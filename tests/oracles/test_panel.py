"""`panel`: several models score the run, and agree or do not."""

from typing import Any

import pytest

from gate.errors import CannotJudge
from gate.grading.opinion import Aggregation
from gate.oracle import Trial
from gate.oracles.panel import Panel, Weighed
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree
from tests.judges import scoring
from tests.oracles.talks import says


def _trial(told: Any, *steps: Step) -> Trial:
    tree = MemoryTree({})
    recording = Trajectory(format="test", steps=(Step(number=1, message="done"),))
    return Trial(before=tree, after=tree, replayed=False, trajectory=recording, consultant=scoring(told))


TWO_OF_THREE = {"a": 5, "b": 3, "c": 1}
WEIGHED = (Weighed(name="works", weight=3), Weighed(name="tidy", required=True, pass_threshold=0.4))


@pytest.mark.parametrize(
    ("oracle", "told", "message"),
    [
        pytest.param(
            Panel(models=("a", "b", "c")), TWO_OF_THREE,
            "2 of 3 models reach 0.5, more than half expected (judged by a, b, c, not deterministic)", id="two of three",
        ),
        pytest.param(
            Panel(models=("a", "c"), aggregation=Aggregation.MEAN), TWO_OF_THREE,
            "mean 0.50 of 1, at least 0.5 expected (judged by a, c, not deterministic)", id="the mean",
        ),
        pytest.param(
            Panel(models=("a",), criteria=WEIGHED, aggregation=Aggregation.MIN, overall_threshold=0.8),
            {"a": {"works": 5, "tidy": 3}},
            "min 0.88 of 1, at least 0.8 expected (judged by a, not deterministic)", id="weights",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: Panel, told: Any, message: str) -> None:
    assert says(oracle, _trial(told)) == [message]


@pytest.mark.parametrize(
    ("oracle", "told", "messages"),
    [
        pytest.param(
            Panel(models=("a", "c")), TWO_OF_THREE,
            ["error judged: 1 of 2 models reach 0.5, more than half expected (judged by a, c, not deterministic)"],
            id="a tie",
        ),
        pytest.param(
            Panel(models=("a", "b", "c"), aggregation=Aggregation.MEDIAN, overall_threshold=0.6), TWO_OF_THREE,
            ["error judged: median 0.50 of 1, at least 0.6 expected (judged by a, b, c, not deterministic)"], id="the median",
        ),
        pytest.param(
            Panel(models=("a",), criteria=WEIGHED, aggregation=Aggregation.MEAN), {"a": {"works": 5, "tidy": 2}},
            ["error judged: required tidy: mean 0.25 of 1, at least 0.4 expected (judged by a, not deterministic)"],
            id="one that is required",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: Panel, told: Any, messages: list[str]) -> None:
    assert says(oracle, _trial(told)) == messages


def test_every_reason_is_told() -> None:
    [evidence] = Panel(models=("a", "b"), rubric=("It works.",)).judge(_trial({"a": 5, "b": 4}))
    assert evidence.details == "a, 1: 5 so\nb, 1: 4 so"


def test_one_model_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(CannotJudge, match=r"the score of 'overall' is 9\.0, expected 1 to 5$"):
        says(Panel(models=("a", "b")), _trial({"a": 5, "b": 9}))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({"models": ()}, "Expected `models` with at least one name, none of them empty", id="no model"),
        pytest.param(
            {"models": ("a",), "criteria": (Weighed(name="x"), Weighed(name="x"))},
            "Expected names of `criteria` that differ and are not empty", id="a criterion twice",
        ),
    ],
)  # fmt: skip
def test_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Panel(**parameters)
