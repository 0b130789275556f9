"""What oracles on an agent's words and calls share: the turns they look at, texts they search, limits they set."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar

import msgspec

from gate.errors import CannotJudge
from gate.oracle import Need, Oracle, Trial
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding, Severity
from gate.transcript import Call, Scope, Transcript

_SHOWN = 4000
Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number that is not negative."""


class Behaviour(Oracle, frozen=True, kw_only=True):
    """An oracle that looks at what was said and called, and at nothing else.

    `turn` narrows it to one turn, counted from 1 by what a person said (-1 is the last); `scope` widens that to the
    turns `until` it or `since` it.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.RECORDING})
    reads_tree: ClassVar[bool] = False

    turn: int | None = None
    scope: Scope | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        if self.scope is not None and self.turn is None:
            raise ValueError("Expected `turn` beside `scope`")

    def seen(self, trial: Trial) -> Transcript:
        """The part of the recording that is looked at. CannotJudge where there is no such turn."""
        return trial.transcript.narrowed(self.turn, self.scope or Scope.TURN)


def whole(seen: Transcript) -> Transcript:
    """The transcript; CannotJudge where a part of it could not be read, so that nothing is known to be absent."""
    if seen.gaps:
        raise CannotJudge(f"the recording could not be read whole: {seen.gaps[0]}", kind="dropped")
    return seen


def strays(seen: Transcript) -> Iterator[Finding]:
    """A warning for each result that cites a call of another step: its tool is unknown, and it is not counted."""
    for reason in seen.strays:
        message = f"A result is of the tool `unknown` and is not counted: {reason}"
        yield Finding(message=message, severity=Severity.WARNING, kind="foreign_result")


def chosen(calls: tuple[Call, ...], tools: tuple[JsPattern, ...]) -> tuple[Call, ...]:
    """The calls of tools whose name one of the patterns matches; all of them where there is no pattern."""
    for pattern in tools:
        pattern.check()
    return tuple(call for call in calls if not tools or any(pattern.search(call.tool) for pattern in tools))


def quoted(text: str) -> str:
    """A text as a message shows it, cut."""
    return repr(text if len(text) <= 100 else f"{text[:100]}…")


class Words(Behaviour, frozen=True, kw_only=True):
    """A text that is looked for, literally."""

    substring: str | None = None
    value: str | None = None
    case_sensitive: bool = False

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        super().__post_init__()
        if (self.substring is None) == (self.value is None):
            raise ValueError("Expected exactly one of `substring` and `value`")
        if not self.text:
            raise ValueError("Expected a text that is not empty: every text contains the empty one")

    @property
    def text(self) -> str:
        """What is looked for."""
        return self.substring or self.value or ""

    @property
    def verbs(self) -> tuple[str, str]:
        """That a text holds it, and that it does not, as a message says it."""
        return f"contains {quoted(self.text)}", f"does not contain {quoted(self.text)}"

    def finder(self) -> Callable[[str], bool]:
        """Whether a text holds it."""
        if self.case_sensitive:
            return lambda text: self.text in text
        wanted = self.text.lower()
        return lambda text: wanted in text.lower()


class Shape(Behaviour, frozen=True, kw_only=True):
    """A regular expression that is looked for."""

    pattern: JsPattern

    @property
    def verbs(self) -> tuple[str, str]:
        """That a text matches it, and that it does not, as a message says it."""
        return f"matches {quoted(self.pattern)}", f"does not match {quoted(self.pattern)}"

    def finder(self) -> Callable[[str], bool]:
        """Whether a text matches it. CannotJudge where the pattern is not valid."""
        self.pattern.check()
        return lambda text: bool(self.pattern.search(text))


def in_output(
    seen: Transcript, found: Callable[[str], bool], verbs: tuple[str, str], *, absent: bool
) -> Iterator[Finding | Evidence]:
    """Whether the last thing that the agent said holds what is looked for, or does not."""
    output = seen.output
    held = bool(output) and found(output)
    if absent and not held:
        whole(seen)
    message = f"The output {verbs[not held]}"
    if held is not absent:
        yield Evidence(message=message, details=output[:_SHOWN])
    else:
        why = "" if output else ": there is no output"
        yield Finding(message=message + why, kind="output", details=output[:_SHOWN])


def in_transcript(
    seen: Transcript, found: Callable[[str], bool], verbs: tuple[str, str], *, absent: bool
) -> Iterator[Finding | Evidence]:
    """Whether one of the agent's messages, or all of them in a row, hold what is looked for, or none does."""
    messages = seen.messages
    place = next((number for number, text in enumerate(messages, 1) if found(text)), None)
    held = place is not None or (len(messages) > 1 and found("\n".join(messages)))
    if absent and not held:
        whole(seen)
    many = "1 message" if len(messages) == 1 else f"{len(messages)} messages" if messages else "the agent said nothing"
    where = f"message {place} of {len(messages)}" if place else many
    message = f"The transcript {verbs[not held]}: {where}"
    details = messages[place - 1][:_SHOWN] if place else ""
    if held is not absent:
        yield Evidence(message=message, details=details)
    else:
        yield Finding(message=message, kind="transcript", details=details)


class Threshold(Behaviour, frozen=True, kw_only=True):
    """A measured number that has a limit above, `max`, and perhaps one below, `min`."""

    subject: ClassVar[str] = "it"
    """What is measured, for the sentence that the recording does not tell it."""

    max: float
    min: float | None = None

    def __post_init__(self) -> None:
        """Refuse limits that nothing can keep."""
        super().__post_init__()
        if self.min is not None and self.min > self.max:
            raise ValueError("Expected `min` to be at most `max`")

    @abstractmethod
    def measure(self, seen: Transcript) -> float | None:
        """The number; None where the recording does not tell."""
        raise NotImplementedError

    @abstractmethod
    def told(self, number: float) -> str:
        """The number with its unit."""
        raise NotImplementedError

    @property
    def holds_untouched(self) -> bool:
        """Nothing done is below every limit above; a limit below is what it breaks."""
        return not self.min

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Measure once."""
        seen = self.seen(trial)
        number = self.measure(seen)
        if number is None:
            raise CannotJudge(f"the recording does not tell {self.subject}", kind="not_recorded")
        if number > self.max:
            yield Finding(message=f"{self.told(number)}, at most {self.told(self.max)} allowed", kind="too_many")
        elif self.min is not None and number < self.min:
            yield Finding(message=f"{self.told(number)}, at least {self.told(self.min)} expected", kind="too_few")
        else:
            whole(seen)
            below = f"at least {self.told(self.min)} and " if self.min is not None else ""
            yield Evidence(message=f"{self.told(number)}, {below}at most {self.told(self.max)} allowed")


class Counted(Threshold, frozen=True, kw_only=True):
    """A threshold on a count."""

    max: Count
    min: Count | None = None

    noun: ClassVar[tuple[str, str]] = ("thing", "things")

    def told(self, number: float) -> str:
        """The number with its noun."""
        return f"{number:g} {self.noun[number != 1]}" if number < 1e6 else f"{int(number)} {self.noun[1]}"
