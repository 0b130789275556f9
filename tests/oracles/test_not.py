"""`not`: an inner oracle does not hold."""

import pytest

from gate.catalogue import Catalogue
from gate.errors import CannotJudge
from gate.oracle import Oracle
from gate.report import Evidence
from tests.oracles.inner import Fails, Holds, Stuck, trial
from tests.oracles.talks import says


def _not(oracle: Oracle) -> Oracle:
    kind = Catalogue().find("not")
    assert kind is not None
    return kind(oracle=oracle)  # type: ignore[call-arg]


def test_passes_and_shows_what_was_found() -> None:
    assert list(_not(Fails(name="f")).judge(trial())) == [
        Evidence(message="It does not hold: f: not good", path="a.py", line=3, details="f: not good")
    ]


def test_fails() -> None:
    assert says(_not(Holds()), trial()) == ["error holds: It holds, and must not: inner: all is well"]


def test_what_the_other_cannot_judge_it_cannot_either() -> None:
    with pytest.raises(CannotJudge, match=r"^inner: nobody knows$"):
        says(_not(Stuck()), trial())


def test_it_holds_untouched_where_the_other_does_not() -> None:
    assert _not(Holds()).holds_untouched
    assert not _not(Stuck()).holds_untouched
