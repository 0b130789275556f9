"""Conversations: calls of tools and their results, joined into steps whatever order a recording has them in."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gate.editing.edit import Edit
from gate.errors import RecordingError
from gate.mention import named_files
from gate.trajectory import Choice, Command, Dropped, Lost, Ok, Step, Trajectory

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


class Passed(msgspec.Struct, frozen=True):
    """So many steps are passed over here: they are counted, and not told."""

    count: int


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What a first look at a whole recording has found. `waits` says whether a call is followed by a result."""

    about: About
    waits: Callable[[str], bool]
    dropped: tuple[Dropped, ...] = ()
    empty: bool = False


Event = Message | Call | Result | About | Passed
Act = Callable[[Call, Result | None, About], Deed]


class Conversation(Iterable[Step]):
    """The steps of a recording whose calls and results stand apart.

    `events` reads the recording from its beginning, each time it is called; what it leaves out it adds to the list.
    `act` says what a call did once its result is known; RecordingError is a call that does not say what it did. Steps
    come in the order of the calls; a call that stands twice counts once. Only the calls still waiting for their
    result are held. `known` is what a quicker first look than `events` has found; a result before its call need not
    count there. `choose` is `events` for a choice of steps: those passed over come as Passed or PASSED, without result.
    """

    def __init__(
        self,
        events: Callable[[list[Dropped]], Iterable[Event]],
        act: Act,
        known: Known | None = None,
        choose: Callable[[Choice], Iterable[Event]] | None = None,
    ) -> None:
        self._events = events
        self._choose = choose
        self._act = act
        self._known = known or _known(events)
        self.about, self.empty, self.dropped = self._known.about, self._known.empty, self._known.dropped

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
        return _Chosen(lambda: self.read(choice))

    def read(self, choice: Choice | None = None) -> Iterator[Step]:
        """The steps, read from the beginning."""
        events = self._choose(choice) if self._choose and choice else self._events([])
        return iter(_Steps(events, self._act, self.about, self._known.waits))


class _Chosen(Iterable[Step]):
    """A choice of the steps, read anew whenever it is iterated."""

    def __init__(self, read: Callable[[], Iterator[Step]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Step]:
        return self._read()


class _Steps:
    """One pass over the events."""

    def __init__(self, events: Iterable[Event], act: Act, about: About, waits: Callable[[str], bool]) -> None:
        self._events = events
        self._act = act
        self._about = about
        self._waits = waits
        self._number = 0
        self._turn = 0
        self._answer = 0
        self._answering = False
        self._waiting: deque[tuple[Call | Message, int, int, str]] = deque()
        self._results: dict[str, Result] = {}
        self._called: set[str] = set()
        self._told: set[str] = set()

    def __iter__(self) -> Iterator[Step]:
        for event in self._events:
            if type(event) is Passed:
                self._number += event.count
            elif type(event) is Message:
                self._turn += event.step.source == "user"
                self._wait(event)
            elif type(event) is Call and event.id not in self._called:
                self._called.add(event.id)
                self._wait(event)
            elif type(event) is Result and event.id not in self._told:
                self._answering = False
                self._results.setdefault(event.id, event)
            while self._waiting and self._ready(self._waiting[0][0]):
                yield self._step(*self._waiting.popleft())
        while self._waiting:
            yield self._step(*self._waiting.popleft())

    def _wait(self, event: Call | Message) -> None:
        """Number it; what comes before a result or a prompt was said at once, as one answer of the model."""
        agent = event.step.source != "user"
        self._number += 1
        self._answer += agent and not self._answering
        self._answering = agent
        if event.step is not PASSED:
            self._waiting.append((event, self._turn, self._number, str(self._answer) if agent else ""))

    def _ready(self, head: Call | Message) -> bool:
        return type(head) is not Call or not self._waits(head.id) or head.id in self._results

    def _step(self, told: Call | Message, turn: int, number: int, answer: str) -> Step:
        directory = told.step.directory or self._about.directory
        if type(told) is not Call:
            return msgspec.structs.replace(
                told.step, number=number, turn=turn, answer=answer, ok=Ok.YES, directory=directory
            )
        self._told.add(told.id)
        result = self._results.pop(told.id, None)
        ok = result.ok if result else Ok.UNKNOWN
        deed = self._deed(told, result, ok)
        arguments = told.step.arguments if deed.arguments is None else deed.arguments
        return msgspec.structs.replace(
            told.step,
            number=number,
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


def _known(events: Callable[[list[Dropped]], Iterable[Event]]) -> Known:
    """What one pass over all events finds."""
    about, empty = About(), True
    dropped: list[Dropped] = []
    called: set[str] = set()
    answered: dict[str, int] = {}
    for event in events(dropped):
        empty = False
        if type(event) is Call:
            called.add(event.id)
        elif type(event) is Result:
            answered.setdefault(event.id, event.line)
        elif type(event) is About:
            about.add(event)
    dropped += orphans({key: line for key, line in answered.items() if key not in called})
    return Known(about=about, waits=frozenset(answered).__contains__, dropped=tuple(dropped), empty=empty)


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


def orphans(lines: Mapping[str, int]) -> Iterator[Dropped]:
    """What to say of results whose call is not there: their ids, and their lines (0: not by lines)."""
    for key, line in list(lines.items())[:_ORPHANS_TOLD]:
        place = f"line {line} holds" if line else "there is"
        yield Dropped(line=line, reason=f"{place} the result of {key[:60]!r}, a call that is not there", grave=True)
    if len(lines) > _ORPHANS_TOLD:
        more = f"{len(lines) - _ORPHANS_TOLD} more results are of calls that are not there"
        yield Dropped(line=0, reason=more, grave=True)
