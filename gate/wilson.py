"""Wilson's score interval: how far a rate that was seen in a few trials may be from the true one."""

import math

_Z = 1.959963984540054  # the normal distribution's quantile for 95 %, two-sided


def interval(passed: int, trials: int) -> tuple[float, float]:
    """The bounds, within 0 and 1, of the 95 % interval for `passed` of `trials`; (0, 1) where there was no trial.

    ValueError where `passed` is not between 0 and `trials`.
    """
    if not 0 <= passed <= trials:
        raise ValueError(f"{passed} of {trials} trials passed; expected a number from 0 to {trials}")
    if not trials:
        return 0.0, 1.0
    rate, square = passed / trials, _Z * _Z
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    half = _Z / (1 + square / trials) * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials))
    # At the ends the bound is exact in theory, and rounding must not say that what was seen cannot be.
    low = 0.0 if passed == 0 else max(0.0, middle - half)
    high = 1.0 if passed == trials else min(1.0, middle + half)
    return low, high
