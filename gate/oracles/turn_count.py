"""`turn_count`: the agent took no more turns than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Counted
from gate.transcript import Transcript


class TurnCount(Counted, frozen=True):
    """The agent took no more turns than allowed.

    A turn is one answer of the model of the agent that a person spoke with; what its sub-agents did is one turn's work.


    `max` is the most that is allowed, `min` the least that is expected, if anything. Without `min` nothing done at all
    keeps the limit, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    noun: ClassVar[tuple[str, str]] = ("turn", "turns")

    def measure(self, seen: Transcript) -> float | None:
        """The answers of the agent that a person spoke with."""
        return sum(answer.agent == seen.lead for answer in seen.answers)
