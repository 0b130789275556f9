"""`any_of`: at least one inner oracle holds."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Oracle
from gate.oracles.any_of import AnyOf
from gate.report import Severity
from tests.oracles.inner import Fails, Holds, Leaves, Stuck, trial
from tests.oracles.talks import says


def _any(*oracles: Oracle) -> AnyOf:
    return AnyOf(oracles=oracles)  # type: ignore[arg-type] # every oracle is an Inner


@pytest.mark.parametrize(
    ("oracle", "messages"),
    [
        pytest.param(_any(Holds()), ["inner: all is well"], id="the only one"),
        pytest.param(_any(Fails(name="f"), Holds()), ["inner: all is well", "not f: not good"], id="one fails"),
        pytest.param(_any(Stuck(name="s"), Holds()), ["inner: all is well", "not s: nobody knows"], id="one cannot judge"),
        pytest.param(_any(Fails(severity=Severity.WARNING)), ["warning : inner: not good"], id="a finding that fails nothing"),
    ],
)  # fmt: skip
def test_passes(oracle: AnyOf, messages: list[str]) -> None:
    assert says(oracle, trial()) == messages


def test_fails_with_the_findings_of_all_at_their_places() -> None:
    oracle = _any(Fails(name="one"), Fails(name="two"))
    assert says(oracle, trial()) == ["error : one: not good", "error : two: not good"]
    assert [(seen.path, seen.line) for seen in oracle.judge(trial())] == [("a.py", 3), ("a.py", 3)]


def test_from_which_severity_on_it_fails_is_the_policys_to_say() -> None:
    assert says(_any(Fails(severity=Severity.WARNING)), trial(Severity.WARNING)) == ["warning : inner: not good"]
    with pytest.raises(CannotJudge):
        says(_any(Fails(severity=Severity.WARNING), Stuck()), trial(Severity.WARNING))


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(
            _any(Fails(name="f"), Stuck(name="s")), "none of 2 holds, and one could not judge: s: nobody knows",
            id="the one that cannot judge might have passed",
        ),
    ],
)  # fmt: skip
def test_cannot_judge(oracle: AnyOf, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        says(oracle, trial())
    assert caught.value.message == message


def test_one_that_leaves_takes_nobody_along() -> None:
    assert says(_any(Leaves(), Holds(name="h")), trial())[0] == "h: all is well"


def test_it_holds_untouched_where_one_does() -> None:
    assert _any(Stuck(), Holds()).holds_untouched
    assert not _any(Holds()).holds_untouched
