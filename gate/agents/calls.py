"""The calls and messages of a Claude Code session, in their order, as far as a choice of them goes."""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.claude import AGENTS, EDITORS, SHELLS
from gate.agents.entry import Entry, entry, passes, result_of, wants
from gate.agents.session import ANSWER, EASY, JOINED, JOINS, LOOK, OTHER, SAID, SHELL, Session
from gate.errors import RecordingError
from gate.recording import Recording
from gate.trajectory import Choice

_TELLING = EDITORS | SHELLS | AGENTS  # whose structured result says what the model was not told


class Call(msgspec.Struct):
    """One call of a tool, or one message, until its result is there."""

    number: int
    line: int
    entry: Entry
    agent: str
    turn: int
    source: str = "agent"
    message: Any = None
    text: str = ""
    block: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None
    result: Any = None
    tokens: tuple[int | None, int | None] = (None, None)
    done: bool = True
    told: bool = False
    passed: bool = False


def calls(recording: Recording, session: Session, choice: Choice | None) -> Iterator[Call]:
    """Every call and message, each with its result; of those that a choice leaves out some, marked as passed."""
    return _Reading(recording, session, choice).calls()


class _Reading:
    """One pass over the lines: calls in their order, each with the result that comes later, often out of order."""

    def __init__(self, recording: Recording, session: Session, choice: Choice | None) -> None:
        self._choice = choice
        self._kinds = 0
        self._line = b""
        self._number = 0
        self._recording = recording
        self._session = session
        self._waiting: deque[Call] = deque()
        self._open: dict[str, Call] = {}
        self._latest: dict[str, Call] = {}
        self._turn = 0

    def calls(self) -> Iterator[Call]:
        """Every call and message. One is held back, since the next line may belong to it."""
        waiting, marks = self._waiting, self._session.marks
        for index, line in self._lines():
            number = marks.lines[index]
            told = entry(number, line, self._recording)
            if told is None:
                continue
            self._kinds, self._line, self._number = marks.kinds[index], line, marks.before[index]
            self._take(number, told)
            while len(waiting) > 1 and waiting[0].done:
                yield self._tell()
        while waiting:
            yield self._tell()

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that are wanted, each with its bookmark."""
        choice, session = self._choice, self._session
        if choice is None:
            yield from self._recording.lines_at(session.marks.chosen(_ALL))
            return
        text: list[tuple[int, bytes]] = []  # it goes with a call that comes only now, if that is wanted
        for index, line in self._recording.lines_at(self._places(choice)):
            kinds = session.marks.kinds[index]
            if kinds & JOINED and not kinds & JOINS:
                text.clear()
            if not kinds & ~(SAID | JOINED | JOINS):
                text.append((index, line))
                continue
            if not kinds & (OTHER | ANSWER | EASY) and not wants(line, choice, commands=bool(kinds & SHELL)):
                continue
            if kinds & JOINS and index not in session.apart:
                yield from text
                text.clear()
            yield index, line

    def _places(self, choice: Choice) -> Iterator[tuple[int, int]]:
        """The lines that may be wanted; answers only while there are calls that wait for one."""
        kinds = self._session.marks.kinds
        for index, place in self._session.marks.chosen(_wanted(choice)):
            if self._open or kinds[index] & ~(ANSWER | EASY):
                yield index, place

    def _tell(self) -> Call:
        call = self._waiting.popleft()
        call.told = True
        return call

    def _take(self, number: int, told: Entry) -> None:
        content = told.message.content
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        said = []
        for at, block in enumerate(blocks) if isinstance(blocks, list) else ():
            kind = block.get("type") if isinstance(block, dict) else None
            if kind == "text" and isinstance(block.get("text"), str) and block["text"].strip():
                said.append(block["text"])
            elif kind == "tool_use" and told.type == "assistant":
                if (number, at) not in self._session.repeats:
                    self._call(number, told, block, "\n".join(said))
                said = []
            elif kind == "tool_result":
                self._result(told, block, blocks)
        if said:
            self._say(number, told, "\n".join(said))

    def _call(self, number: int, told: Entry, block: Mapping[str, Any], text: str) -> None:
        key = str(block.get("id"))
        call = self._new(number, told, text)
        call.line, call.block = number, block
        call.passed = self._choice is not None and passes(block, self._line, self._choice)
        call.done = call.passed or key in self._session.unanswered
        if not call.done:
            self._open[key] = call

    def _result(self, told: Entry, block: Mapping[str, Any], blocks: list[Any]) -> None:
        key = str(block.get("tool_use_id"))
        call = self._open.get(key)
        if call is None:
            return
        alone = len(blocks) == 1 or sum(1 for other in blocks if _is_result(other)) == 1
        try:
            # Of other tools it is a repetition of what the model was told, and many bytes.
            whole = call.block is not None and str(call.block.get("name")) in _TELLING
            result = result_of(told, whole=whole) if alone else None
        except RecordingError:
            return
        del self._open[key]
        call.answer, call.done, call.result = block, True, result

    def _say(self, number: int, told: Entry, text: str) -> None:
        if told.type == "assistant":
            self._new(number, told, text).done = not self._kinds & JOINED
        elif not (told.agent or told.is_meta or told.is_compact_summary):
            self._turn += not text.startswith("[Request interrupted")
            self._new(number, told, text).source = "user"

    def _new(self, number: int, told: Entry, text: str) -> Call:
        """A call, or the message before it that has been held back for it."""
        agent, message = told.agent, told.message
        latest = self._latest.get(agent)
        joins, self._kinds = self._kinds & JOINS, self._kinds & ~JOINS  # the first one of a line
        if joins and latest is not None and not latest.told:
            latest.text = "\n".join(filter(None, (latest.text, text)))
            latest.tokens = message.tokens
            return latest
        self._number += 1
        call = Call(self._number, number, told, agent, self._turn)
        call.message, call.text = message.id, text
        same = latest is not None and latest.message is not None and latest.message == message.id
        if latest is not None and same and not latest.told:
            latest.tokens = (None, None)  # they are the message's: its last call has them
        if not (same and latest is not None and latest.told):
            call.tokens = message.tokens
        self._waiting.append(call)
        self._latest[agent] = call
        return call


_ALL = 0xFF


def _wanted(choice: Choice) -> int:
    """The kinds of lines that are looked at for a choice."""
    if choice.line:
        return LOOK | SHELL | EASY | OTHER | ANSWER | JOINED
    return OTHER | ANSWER | JOINED | (SHELL | EASY if choice.command else 0)


def _is_result(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"
