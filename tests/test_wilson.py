"""Wilson's interval against published values, and its invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wilson import interval


@pytest.mark.parametrize(
    ("passed", "trials", "low", "high"),
    [
        pytest.param(0, 0, 0.0, 1.0, id="nothing tried: anything may be"),
        pytest.param(0, 10, 0.0, 0.2775, id="none of ten"),
        pytest.param(10, 10, 0.7225, 1.0, id="ten of ten"),
        pytest.param(5, 10, 0.2366, 0.7634, id="half of ten"),
        pytest.param(81, 263, 0.2553, 0.3662, id="Newcombe's first example"),
        pytest.param(15, 148, 0.0624, 0.1605, id="Newcombe's second"),
        pytest.param(1, 29, 0.0061, 0.1718, id="Newcombe's fourth"),
    ],
)
def test_bounds(passed: int, trials: int, low: float, high: float) -> None:
    assert interval(passed, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("passed", "trials"), [(-1, 3), (4, 3), (0, -1)])
def test_what_cannot_be(passed: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"^{passed} of {trials} trials passed; expected a number from 0 to {trials}$"):
        interval(passed, trials)


@given(st.integers(0, 10_000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_holds_what_was_seen_and_mirrors(case: tuple[int, int]) -> None:
    passed, trials = case
    low, high = interval(passed, trials)
    assert 0.0 <= low <= high <= 1.0
    if trials:
        assert low <= passed / trials <= high
    mirrored = interval(trials - passed, trials)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
