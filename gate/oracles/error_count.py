"""`error_count`: the agent met no more errors than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Counted
from gate.transcript import Transcript


class ErrorCount(Counted, frozen=True):
    """The agent met no more errors than allowed.

    Counted are calls that the recording marks as failed, and errors that the agent's harness recorded of itself (an
    overloaded model, an aborted session) where the format has them. A call whose outcome is not recorded is none.


    `max` is the most that is allowed, `min` the least that is expected, if anything. Without `min` nothing done at all
    keeps the limit, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    noun: ClassVar[tuple[str, str]] = ("error", "errors")

    def measure(self, seen: Transcript) -> float | None:
        """The errors."""
        return len(seen.errors)
