"""`wall_time`: the run took no longer than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Threshold
from gate.oracle import Seconds
from gate.transcript import Transcript


class WallTime(Threshold, frozen=True, kw_only=True):
    """The run took no longer than allowed.

    It is measured from the first time that the recording holds to the last, so that what the last call took is no part
    of it. A recording without times is *error*. `max` is a number of seconds or text with a unit (`90s`, `2m`, `1h`),
    `min` the least that is expected, if anything. Without `min` nothing done at all keeps the limit, so a baseline
    says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    subject: ClassVar[str] = "how long the run took"

    max: Seconds
    min: Seconds | None = None

    def measure(self, seen: Transcript) -> float | None:
        """The seconds between the first recorded time and the last."""
        return seen.seconds

    def told(self, number: float) -> str:
        """The seconds."""
        return f"{number:.10g} s"
