"""How strict a judge is, compared with another."""

import pytest

from gate.integrity import strictness
from gate.scoring import Scoring
from gate.task import Inline, Setup, State, Task

PLAIN = Task(id="a", workspace=Inline({}), oracles=(), state=State.REPLAY)


def task(**more: object) -> Task:
    return Task(**{"id": "a", "workspace": Inline({}), "oracles": (), "state": State.REPLAY, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "words", "weaker"),
    [
        (PLAIN, task(prompt="b"), "`prompt`", None),
        (PLAIN, task(rubric=("b",)), "`rubric`", None),
        (PLAIN, task(must_fail=True), "`must_fail`", None),
        (PLAIN, task(setup=(Setup(command="true"),)), "`setup`", None),
        (PLAIN, task(variables={"A": "b"}), "`variables`", None),
        (PLAIN, task(scoring=Scoring(weights={"a": 0})), "`scoring.weights`", None),
        (PLAIN, task(scoring=Scoring(named={"a": 0})), "`scoring.named`", None),
        (
            task(scoring=Scoring(threshold=0.9)),
            task(scoring=Scoring(threshold=0.1)),
            "`scoring.threshold` goes from 0.9 to 0.1",
            True,
        ),
        (
            task(scoring=Scoring(threshold=0.1)),
            task(scoring=Scoring(threshold=0.9)),
            "`scoring.threshold` goes from 0.1 to 0.9",
            False,
        ),
        (PLAIN, task(scoring=Scoring(threshold=0.9)), "`scoring.threshold` goes from nothing to 0.9", True),
        (task(scoring=Scoring(threshold=0.9)), PLAIN, "`scoring.threshold` goes from 0.9 to nothing", False),
    ],
)
def test_what_two_tasks_ask_differently(old: Task, new: Task, words: str, weaker: bool | None) -> None:
    (difference,) = strictness.of_tasks(old, new)
    assert (difference.words, difference.weaker) == (words, weaker)


@pytest.mark.parametrize(
    ("scope", "costly"),
    [
        (None, False),
        (["src/**", "**/test_*.py", "!a/b"], False),
        (["**/a/**/b"], False),
        (["**/a/**/a/**/b"], True),
        (["**/a/**/b/"], True),
        (["*a*b*c"], True),
        (["*/*/*/*/*/*/*"], True),
        (["a"] * 1001, True),
    ],
)
def test_a_scope_that_could_take_for_ever(scope: list[str] | None, costly: bool) -> None:
    assert strictness.is_costly(scope) is costly
