"""What an agent said and did, as graders see it: answers, calls with their results, turns, skills, metrics."""

import enum
import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.errors import CannotJudge
from gate.trajectory import Ok, SystemEvent

_SKILL_TOOLS = frozenset(["skill", "useskill", "activateskill", "loadskill", "invokeskill", "runskill"])
_SKILL_KEYS = ("skill", "skill_name", "skillName", "name", "command")
_SKILL_FILE = re.compile(r"(?:^|[\s'\"=/\\])([\w.-]+)[/\\]SKILL\.md\b")
_CUT = re.compile(r"… \[\d+ more characters\]$")
_CLOSING = frozenset(
    ["submit", "finish", "attemptcompletion", "taskcomplete", "completetask", "marktaskcomplete", "exit", "done"]
)


def uncut(text: str) -> str:
    """The lines of an output that are recorded here whole: without the one in which a reader has cut it."""
    return text.rpartition("\n")[0] if _CUT.search(text, max(0, len(text) - 60)) else text


class Scope(enum.StrEnum):
    """Which turns are looked at, seen from the one that `turn` names."""

    TURN = "turn"
    UNTIL = "until"
    SINCE = "since"


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a tool and its result.

    `number` counts the agent's calls from 1, `step` the answer that it stands in. `ok` is what the recording says of
    its success, `answered` whether a result of it is recorded at all. `paths` are the files of its edits.
    """

    number: int
    step: int
    turn: int
    tool: str
    agent: str = ""
    arguments: Mapping[str, Any] = {}
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    result: str = ""
    ok: Ok = Ok.UNKNOWN
    answered: bool = False
    known: bool = True

    @property
    def cut(self) -> bool:
        """Whether the result is recorded here in part: readers keep the beginning of a long one."""
        return bool(_CUT.search(self.result[-60:]))

    @property
    def given(self) -> str:
        """What the tool was given, as JSON in one line."""
        import json  # only oracles that look at arguments ask

        return json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"), default=str)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of the model: what it said, and the calls that it made together; `number` counts them from 1."""

    number: int
    turn: int
    agent: str = ""
    texts: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    times: tuple[str, ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a person said; `turn` counts from 1."""

    turn: int
    text: str
    time: str = ""


class Skill(msgspec.Struct, frozen=True):
    """A skill that the agent used: it called it, or read its SKILL.md."""

    name: str
    call: int


class Transcript(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A whole recording, or some turns of it.

    `lead` is the agent that a person spoke with; the others are its sub-agents. `strays` are results that cite a
    call of another step: they are nobody's and are not counted. `tells_events` says that the format has events.
    `gaps` say what of the recording could not be read.
    """

    answers: tuple[Answer, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    events: tuple[SystemEvent, ...] = ()
    tells_events: bool = False
    lead: str = ""
    strays: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    tokens: tuple[int, int] | None = None

    @property
    def empty(self) -> bool:
        """Whether nobody did or said anything, as in the baseline."""
        return not (self.answers or self.prompts or self.events)

    @property
    def turns(self) -> int:
        """How many prompts a person gave."""
        return max((prompt.turn for prompt in self.prompts), default=0)

    @functools.cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call in order, those of sub-agents among them."""
        return tuple(call for answer in self.answers for call in answer.calls)

    @functools.cached_property
    def messages(self) -> tuple[str, ...]:
        """What the agent said to the person, in order; what sub-agents said is no part of it."""
        return tuple(text for answer in self.answers if answer.agent == self.lead for text in answer.texts)

    @property
    def output(self) -> str:
        """The last thing that the agent said; empty where it said nothing."""
        messages = self.messages
        return messages[-1] if messages else ""

    @property
    def skills(self) -> tuple[Skill, ...]:
        """Every use of a skill, in order."""
        return tuple(Skill(name, call.number) for call in self.calls for name in _skills(call))

    @property
    def errors(self) -> tuple[str, ...]:
        """The errors that the agent's harness recorded, and the calls that failed."""
        failed = (f"call {call.number} ({call.tool}) failed" for call in self.calls if call.ok is Ok.NO)
        return (*self.harness_errors, *failed)

    @property
    def harness_errors(self) -> tuple[str, ...]:
        """The errors that the agent's harness recorded."""
        return tuple(event.text or "an error" for event in self.events if event.kind == "error")

    @property
    def used(self) -> tuple[int, int] | None:
        """Tokens read and written; zeros where nothing was done, None where the recording does not say."""
        counts = [(answer.tokens_in, answer.tokens_out) for answer in self.answers]
        if any(read is not None or written is not None for read, written in counts):
            return sum(read or 0 for read, _ in counts), sum(written or 0 for _, written in counts)
        return (0, 0) if not self.answers and self.tokens is None else self.tokens

    @property
    def seconds(self) -> float | None:
        """From the first recorded time to the last; 0 where nothing was done, None where there are no two times.

        What the last call took is no part of it: its end is not recorded in most formats.
        """
        told = (*(answer.times for answer in self.answers), (prompt.time for prompt in self.prompts))
        times = [moment for group in told for time in group if (moment := _moment(time)) is not None]
        if len(times) > 1:
            return max(times) - min(times)
        return None if self.answers else 0.0

    @property
    def ended(self) -> bool:
        """Whether the agent came to an end by itself: its last answer asks for nothing more, or hands its work in."""
        mine = [answer for answer in self.answers if answer.agent == self.lead]
        if not mine or (self.prompts and self.prompts[-1].turn > mine[-1].turn):
            return False
        return all(_plain(call.tool) in _CLOSING for call in mine[-1].calls)

    def narrowed(self, turn: int | None, scope: Scope = Scope.TURN) -> "Transcript":
        """The turn of this number alone, all until it, or all since it.

        Turns are counted from 1 by what a person said; -1 is the last. CannotJudge where the recording has no word of a
        person, or not that many; where nobody did anything at all it stays as it is.
        """
        if turn is None or self.empty:
            return self
        if not self.turns:
            raise CannotJudge("the recording has no word of a person, so it has no turns", kind="no_turns")
        wanted = turn if turn > 0 else self.turns + 1 + turn
        if not 1 <= wanted <= self.turns:
            have = "1 turn" if self.turns == 1 else f"{self.turns} turns"
            raise CannotJudge(f"the recording has {have}, and none of them is turn {turn}", kind="no_turn")
        first = 0 if scope is Scope.UNTIL else wanted
        last = self.turns if scope is Scope.SINCE else wanted
        return msgspec.structs.replace(
            self,
            answers=tuple(answer for answer in self.answers if first <= answer.turn <= last),
            prompts=tuple(prompt for prompt in self.prompts if first <= prompt.turn <= last),
            events=tuple(event for event in self.events if first <= event.turn <= last),
            tokens=self.tokens if (first, last) == (0, self.turns) else None,
        )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _skills(call: Call) -> Iterator[str]:
    if _plain(call.tool) in _SKILL_TOOLS:
        name = next((call.arguments[key] for key in _SKILL_KEYS if isinstance(call.arguments.get(key), str)), "")
        yield name.strip().removeprefix("/").partition(" ")[0]
    elif not call.paths:
        texts = [*call.commands, *(word for word in call.arguments.values() if isinstance(word, str))]
        yield from dict.fromkeys(name for text in texts for name in _SKILL_FILE.findall(text[:4096]))


def _moment(time: str) -> float | None:
    """A recorded time in seconds; None for one that is none. A time without a zone is taken as UTC."""
    from datetime import UTC, datetime  # only a limit on time asks

    try:
        if re.fullmatch(r"\d+(?:\.\d+)?", time):
            number = float(time)
            return number / 1000 if number > 1e11 else number
        found = datetime.fromisoformat(time.replace("Z", "+00:00"))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
