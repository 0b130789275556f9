"""`all_of`: every inner oracle holds."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Oracle
from gate.oracles.all_of import AllOf
from tests.oracles.inner import Fails, Holds, Stuck, trial
from tests.oracles.talks import says


def _all(*oracles: Oracle) -> AllOf:
    return AllOf(oracles=oracles)  # type: ignore[arg-type] # every oracle is an Inner


def test_passes() -> None:
    assert says(_all(Holds(), Holds(name="second")), trial()) == ["inner: all is well", "second: all is well"]


@pytest.mark.parametrize(
    ("oracle", "messages"),
    [
        pytest.param(_all(Holds(), Fails()), ["inner: all is well", "error : inner #2: not good"], id="one fails"),
        pytest.param(_all(Stuck(), Fails(name="f")), ["error : f: not good"], id="whatever cannot be judged"),
    ],
)
def test_fails(oracle: AllOf, messages: list[str]) -> None:
    assert says(oracle, trial()) == messages


def test_one_that_cannot_judge_is_an_error() -> None:
    with pytest.raises(CannotJudge, match=r"^inner #2: nobody knows$"):
        says(_all(Holds(), Stuck()), trial())


@pytest.mark.parametrize(
    ("oracle", "holds"),
    [
        pytest.param(_all(Stuck(), Stuck()), True, id="all do"),
        pytest.param(_all(Stuck(), Holds()), False, id="one does not"),
    ],
)
def test_whether_it_holds_untouched(oracle: AllOf, *, holds: bool) -> None:
    assert oracle.holds_untouched is holds
