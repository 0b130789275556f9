"""`assistant_contains_tool_output`: the agent says what a tool told it."""

from collections.abc import Iterator

from gate.grading.behaviour import Behaviour, chosen, quoted, strays
from gate.oracle import Trial
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding


class AssistantContainsToolOutput(Behaviour, frozen=True, kw_only=True):
    """The agent repeats, after a tool has told it, a value from the tool's result.

    `pattern` is a regular expression of JavaScript that is searched for in the results of the tools whose names one of
    `tools` (regular expressions, not anchored) matches. Its first group, or all of it where it has none, is the value.
    One of the values must stand, as it is, in a message that the agent that a person spoke with wrote after that
    result. Of each result the first match counts. It fails where no result matches.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    tools: tuple[JsPattern, ...]
    pattern: JsPattern

    def __post_init__(self) -> None:
        """Refuse what can never hold."""
        super().__post_init__()
        if not self.tools:
            raise ValueError("Expected `tools` with at least one pattern")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Take the values from the results, and look for them in what was said later."""
        self.pattern.check()
        seen = self.seen(trial)
        yield from strays(seen)
        told: list[tuple[str, int]] = []
        for call in chosen(seen.calls, self.tools):
            match = self.pattern.search(call.result) if call.answered else None
            value = (match.group(1) if match.re.groups else match.group()) if match else None
            if value:
                told.append((value, call.step))
        for value, step in told:
            later = (answer for answer in seen.answers if answer.number > step and answer.agent == seen.lead)
            if any(value in text for answer in later for text in answer.texts):
                yield Evidence(message=f"The agent said {quoted(value)}, which a tool had told it")
                return
        if told:
            values = ", ".join(quoted(value) for value, _ in told[:5])
            yield Finding(message=f"The agent never said what a tool had told it: {values}", kind="not_repeated")
        else:
            yield Finding(
                message=f"No result of {', '.join(self.tools)} matches {quoted(self.pattern)}", kind="no_result"
            )
