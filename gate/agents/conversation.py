"""Conversations: calls of tools and their results, joined into steps whatever order a recording has them in."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gate.edit import Edit
from gate.errors import RecordingError
from gate.trajectory import Choice, Command, Dropped, Lost, Ok, Step, Trajectory, named_files

OBSERVED = 16 * 1024
"""How many characters of what a tool answered are kept."""

_ORPHANS_TOLD = 5


class Message(msgspec.Struct, frozen=True):
    """Somebody speaks; `step` has no tool."""

    step: Step


class Call(msgspec.Struct, frozen=True):
    """An agent calls a tool; `step` has the tool and its arguments, not yet what came of it."""

    id: str
    step: Step


PASSED = Step(number=0)
"""The step of a call that is passed over: it is counted, and not told."""


class Made(msgspec.Struct, frozen=True):
    """A call as an answer of a model holds it: whatever stands there as tool, arguments and the whole of it."""

    id: str
    tool: Any
    arguments: Any
    raw: Any = None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the call with this `id`; `detail` is whatever else the recording tells of it."""

    id: str
    ok: Ok
    line: int = 0
    text: str = ""
    detail: Any = None


class About(msgspec.Struct, kw_only=True):
    """What a recording says of itself; a later part of it adds what an earlier one left open."""

    directory: str | None = None
    start: str | None = None
    agent: str = ""
    model: str = ""
    roots: tuple[str, ...] = ()

    def add(self, other: "About") -> None:
        """Take over what is still open here."""
        self.directory = self.directory or other.directory
        self.start = self.start or other.start
        self.agent = self.agent or other.agent
        self.model = self.model or other.model
        self.roots = tuple(dict.fromkeys(self.roots + other.roots))


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """What a call did: edits and commands, or why that is not known; `arguments` are those that came later."""

    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    known: bool = True
    undone: bool = False
    lost: Lost | None = None
    arguments: Mapping[str, Any] | None = None


UNKNOWN = Deed(known=False)
"""A tool that the reader has never heard of."""

Event = Message | Call | Result | About
Act = Callable[[Call, Result | None, About], Deed]


class Conversation(Iterable[Step]):
    """The steps of a recording whose calls and results stand apart.

    `events` reads the recording from its beginning, each time it is called; what it leaves out it adds to the list.
    `act` says what a call did once its result is known; RecordingError is a call that does not say what it did. Steps
    come in the order of the calls; a call that stands twice counts once. Only the calls still waiting for their
    result are held. `survey` is a quicker `events` for the first look, which wants to know only what the recording
    says of itself, and which calls and results there are; a result that comes before its call need not be among them.
    `choose` is `events` for a choice of the steps: those passed over are calls of PASSED, without a result.
    """

    def __init__(
        self,
        events: Callable[[list[Dropped]], Iterable[Event]],
        act: Act,
        survey: Callable[[list[Dropped]], Iterable[Event]] | None = None,
        choose: Callable[[Choice], Iterable[Event]] | None = None,
    ) -> None:
        self._events = events
        self._choose = choose
        self._act = act
        self.about = About()
        self.empty = True
        dropped: list[Dropped] = []
        called: set[str] = set()
        answered: dict[str, int] = {}
        for event in (survey or events)(dropped):
            self.empty = False
            if type(event) is Call:
                called.add(event.id)
            elif type(event) is Result:
                answered.setdefault(event.id, event.line)
            elif type(event) is About:
                self.about.add(event)
        self._answered = frozenset(answered)
        self.dropped = (*dropped, *_orphans({key: line for key, line in answered.items() if key not in called}))

    def trajectory(self, format: str, path: str, *, unverified: bool = False) -> Trajectory:  # noqa: A002 - its field
        """The trajectory with these steps. RecordingError where there is nothing at all in the recording."""
        if self.empty:
            reason = self.dropped[0].reason if self.dropped else "it is empty"
            raise RecordingError(f"{path}: nothing of it can be read: {reason}".removeprefix(": "), kind="empty")
        return Trajectory(
            format=format,
            path=path,
            steps=self,
            agent=self.about.agent,
            model=self.about.model,
            directory=self.about.directory,
            roots=self.about.roots,
            start=self.about.start,
            dropped=self.dropped,
            unverified=unverified,
        )

    def __iter__(self) -> Iterator[Step]:
        return self.read()

    def chosen(self, choice: Choice) -> Iterable[Step]:
        """The steps as far as they are wanted, as in Trajectory."""
        return _Chosen(self, choice)

    def read(self, choice: Choice | None = None) -> Iterator[Step]:
        """The steps, read from the beginning."""
        events = self._choose(choice) if self._choose and choice else self._events([])
        return iter(_Steps(events, self._act, self.about, self._answered))


class _Chosen(Iterable[Step]):
    """A choice of the steps, read anew whenever it is iterated."""

    def __init__(self, conversation: Conversation, choice: Choice) -> None:
        self._conversation = conversation
        self._choice = choice

    def __iter__(self) -> Iterator[Step]:
        return self._conversation.read(self._choice)


class _Steps:
    """One pass over the events."""

    def __init__(self, events: Iterable[Event], act: Act, about: About, answered: frozenset[str]) -> None:
        self._events = events
        self._act = act
        self._about = about
        self._answered = answered
        self._number = 0
        self._turn = 0
        self._answer = 0
        self._answering = False
        self._waiting: deque[tuple[Call | Message, int, str]] = deque()
        self._results: dict[str, Result] = {}
        self._called: set[str] = set()
        self._told: set[str] = set()

    def __iter__(self) -> Iterator[Step]:
        for event in self._events:
            if type(event) is Message:
                self._turn += event.step.source == "user"
                self._waiting.append((event, self._turn, self._answered_in(event)))
            elif type(event) is Call and event.id not in self._called:
                self._called.add(event.id)
                self._waiting.append((event, self._turn, self._answered_in(event)))
            elif type(event) is Result and event.id not in self._told:
                self._answering = False
                self._results.setdefault(event.id, event)
            while self._waiting and self._ready(self._waiting[0][0]):
                yield from self._tell(*self._waiting.popleft())
        while self._waiting:
            yield from self._tell(*self._waiting.popleft())

    def _answered_in(self, event: Call | Message) -> str:
        """The model's answer of a call or message: what comes before a result or a prompt was said at once."""
        agent = event.step.source != "user"
        self._answer += agent and not self._answering
        self._answering = agent
        return str(self._answer) if agent else ""

    def _ready(self, head: Call | Message) -> bool:
        if type(head) is not Call or head.step is PASSED:
            return True
        return head.id not in self._answered or head.id in self._results

    def _tell(self, told: Call | Message, turn: int, answer: str) -> tuple[Step, ...]:
        self._number += 1
        return () if told.step is PASSED else (self._step(told, turn, answer),)

    def _step(self, told: Call | Message, turn: int, answer: str) -> Step:
        directory = told.step.directory or self._about.directory
        if type(told) is not Call:
            return msgspec.structs.replace(
                told.step, number=self._number, turn=turn, answer=answer, ok=Ok.YES, directory=directory
            )
        self._told.add(told.id)
        result = self._results.pop(told.id, None)
        ok = result.ok if result else Ok.UNKNOWN
        deed = self._deed(told, result, ok)
        arguments = told.step.arguments if deed.arguments is None else deed.arguments
        return msgspec.structs.replace(
            told.step,
            number=self._number,
            turn=turn,
            answer=answer,
            ok=ok,
            observation=cut(result.text) if result else "",
            directory=directory,
            edits=deed.edits,
            commands=deed.commands,
            known=deed.known,
            undone=deed.undone or told.step.undone,
            lost=deed.lost,
            arguments=arguments,
            names=() if deed.known else named_files(arguments),
        )

    def _deed(self, call: Call, result: Result | None, ok: Ok) -> Deed:
        try:
            return self._act(call, result, self._about)
        except RecordingError as error:
            return Deed(lost=None if ok is Ok.NO else Lost(error.message, error.kind))


def answer(said: Step, made: Sequence[Made]) -> Iterator[Message | Call]:
    """The calls of one answer; what it says and costs goes with the first of them, or alone where there is none."""
    if not made and said.message.strip():
        yield Message(said)
    for index, call in enumerate(made):
        step = msgspec.structs.replace(said, message="", tokens_in=None, tokens_out=None, cost=None) if index else said
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        tool = call.tool if isinstance(call.tool, str) else ""
        yield Call(call.id, msgspec.structs.replace(step, tool=tool, arguments=arguments, raw=call.raw))


def speech(line: int, text: str, time: Any = "") -> Message:
    """A person's prompt."""
    return Message(Step(number=0, line=line, source="user", message=text, time=time if isinstance(time, str) else ""))


def cut(said: str) -> str:
    """A text as far as steps keep it."""
    return said if len(said) <= OBSERVED else f"{said[:OBSERVED]}… [{len(said) - OBSERVED} more characters]"


def _orphans(lines: dict[str, int]) -> Iterator[Dropped]:
    for key, line in list(lines.items())[:_ORPHANS_TOLD]:
        place = f"line {line} holds" if line else "there is"
        yield Dropped(line=line, reason=f"{place} the result of {key[:60]!r}, a call that is not there", grave=True)
    if len(lines) > _ORPHANS_TOLD:
        more = f"{len(lines) - _ORPHANS_TOLD} more results are of calls that are not there"
        yield Dropped(line=0, reason=more, grave=True)
