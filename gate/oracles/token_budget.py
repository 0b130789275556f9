"""`token_budget`: the agent used no more tokens than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Counted
from gate.transcript import Transcript


class TokenBudget(Counted, frozen=True):
    """The agent used no more tokens than allowed.

    Counted are the tokens that the model read and wrote in all its answers, sub-agents' too, as the recording tells
    them; what was read from a cache counts like the rest where the recording counts it so. A recording that tells
    no numbers is *error*.


    `max` is the most that is allowed, `min` the least that is expected, if anything. Without `min` nothing done at all
    keeps the limit, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    noun: ClassVar[tuple[str, str]] = ("token", "tokens")
    subject: ClassVar[str] = "how many tokens were used"

    def measure(self, seen: Transcript) -> float | None:
        """The tokens read and written."""
        used = seen.used
        return None if used is None else sum(used)
