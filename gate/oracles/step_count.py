"""`step_count`: the agent took no more steps than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Counted, chosen
from gate.patterns.jsregex import JsPattern
from gate.transcript import Transcript


class StepCount(Counted, frozen=True):
    """The agent took no more steps than allowed.

    A step is one answer of the model, sub-agents' too: what it said and the calls that it made together. Where a
    recording does not tell which calls were made together, each is a step. `tools` are regular expressions of
    JavaScript, not anchored: with them only steps that call such a tool are counted.


    `max` is the most that is allowed, `min` the least that is expected, if anything. Without `min` nothing done at all
    keeps the limit, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    noun: ClassVar[tuple[str, str]] = ("step", "steps")

    tools: tuple[JsPattern, ...] = ()

    def measure(self, seen: Transcript) -> float | None:
        """The answers of the model."""
        if not self.tools:
            return len(seen.answers)
        return len({call.step for call in chosen(seen.calls, self.tools)})
