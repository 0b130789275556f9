"""`tool_call_count`: the agent called tools no more often than allowed."""

from typing import ClassVar

from gate.grading.behaviour import Counted, chosen
from gate.patterns.jsregex import JsPattern
from gate.transcript import Transcript


class ToolCallCount(Counted, frozen=True):
    """The agent called tools no more often than allowed.

    Every call counts, those that failed and those of sub-agents too. `tools` are regular expressions of JavaScript, not
    anchored: with them only calls of tools whose name one of them matches are counted.


    `max` is the most that is allowed, `min` the least that is expected, if anything. Without `min` nothing done at all
    keeps the limit, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    noun: ClassVar[tuple[str, str]] = ("tool call", "tool calls")

    tools: tuple[JsPattern, ...] = ()

    def measure(self, seen: Transcript) -> float | None:
        """The calls of these tools."""
        return len(chosen(seen.calls, self.tools))
