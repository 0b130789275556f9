"""A Claude Code session as a whole: what must be known of all its lines before its steps can be told in order."""

import functools
import re
from typing import Any

import msgspec

from gate.agents.bookmarks import Bookmarks, digest
from gate.agents.branches import Branches
from gate.agents.claude import LOOKS, SHELLS
from gate.agents.outline import Block, Line, Message, decode, loosely
from gate.agents.strange import Strange
from gate.jsontext import shown
from gate.recording import Recording
from gate.trajectory import Dropped, SystemEvent

TALK = ("user", "assistant")
"""Types of the lines that hold steps and results."""

LOOK, SHELL, OTHER = 1, 2, 4
"""Kinds of work in a line: calls that only look at files; commands; any other call, and what always must be read."""

SAID, JOINED, JOINS = 8, 16, 32
"""More kinds: text; text that goes with a later line; a call, or more text, that goes with text before it."""

ANSWER, EASY = 64, 128
"""Answers to calls: to any, and to those that are LOOK or SHELL."""

_TITLES = frozenset(["agent-color", "agent-name", "agent-setting", "ai-title", "custom-title", "summary", "tag"])
_STATES = frozenset(["last-prompt", "mode", "permission-mode", "pr-link", "queue-operation", "worktree-state"])
_COPIES = frozenset(["attachment", "attribution-snapshot", "content-replacement", "file-history-snapshot"])
_SIGNS = frozenset(["progress", "system", "result", "stream_event", "tool_progress", "keep_alive", "auth_status"])
_ASIDE = frozenset(["prompt_suggestion", "rate_limit_event", "task-summary", "tool_use_summary"])
_CONTROL = frozenset(["control_request", "control_response", "control_cancel_request"])
SKIPPED = _TITLES | _STATES | _COPIES | _SIGNS | _ASIDE | _CONTROL
"""Types of the lines that hold neither."""

_WORKTREE = r".*?[\\/]\.(?:claude[\\/])?worktrees[\\/][^\\/]+"
_EDITED = b'"structuredPatch"'  # stands in the result of an editing tool
_RESTORES_FILES = 2  # the first major version whose rewind puts files back


_EVENTS = {"compact_boundary": "compaction", "microcompact_boundary": "compaction", "api_error": "error"}


class _Latest(msgspec.Struct):
    """The newest step of an agent: its message, its number, and the bookmarks of its text while it is nothing else."""

    message: Any
    number: int
    text: list[int] | None = None


class Session:
    """What must be known of the whole file before its steps can be told one after the other."""

    def __init__(self, recording: Recording) -> None:
        self.marks = Bookmarks()
        """The lines that hold steps or answers, by kinds of work."""
        self.apart: set[int] = set()
        """The bookmarks of calls whose text stands before a step of another agent; all of these are read always."""
        self.repeats: set[tuple[int, int]] = set()
        """The calls that stand there a second time: their line, and their place in the message."""
        self.directory: str | None = None
        self.aside: str | None = None
        self._cwd = ""
        self.roots: dict[str, None] = {}
        self.version = ""
        self.model = ""
        self.agents: set[str] = set()
        self.events: list[SystemEvent] = []
        self._steps = 0
        self._called: dict[int, bool] = {}
        self._waiting: dict[str, int] = {}
        self._latest: dict[str, _Latest] = {}
        self._branches = Branches()
        self._dropped: list[Dropped] = []
        self._strange = Strange()
        self._survey(recording)

    @property
    def unanswered(self) -> dict[str, int]:
        """The ids of the calls that no later line answers."""
        return self._waiting

    def _survey(self, recording: Recording) -> None:
        place, marks, look = 0, self.marks, self._look
        for number, line in recording.lines():
            try:
                seen = decode(line)
            except (msgspec.DecodeError, RecursionError):
                seen = self._loosely(number, line, recording)
            before = self._steps
            kinds = look(number, seen, line)
            if kinds:
                marks.add(number, place, kinds, before)
            place += len(line)

    def _loosely(self, number: int, line: bytes, recording: Recording) -> Line:
        """A line that the fast decoder refuses."""
        record = recording.record(number, line, self._dropped, harmless=_is_harmless)
        if record is None:
            return Line(type="")
        seen = loosely(record)
        if seen.type in TALK and seen.message is None:
            reason = f"line {number} has a message of an unknown shape: {shown(record.get('message'))}"
            self._dropped.append(Dropped(line=number, reason=reason, grave=True))
        return seen

    def _look(self, number: int, seen: Line, line: bytes) -> int:
        """The kinds of work in a line; what it says of the whole is noted."""
        if seen.data is not None and (kinds := self._progress(number, seen, line)):
            return kinds
        mark = None
        if type(seen.uuid) is str:
            mark = self._branches.new(seen.uuid)
            if mark is None:
                return 0
        aside = bool(seen.is_sidechain or seen.parent_call)
        if aside:
            self.agents.add(str(seen.agent_id or seen.parent_call or "sidechain"))
        if seen.cwd != self._cwd or seen.version != self.version or not self.model:
            self._place(seen, aside=aside)
        kind, message = seen.type, seen.message
        kinds = self._work(number, message, kind, seen, line) if message is not None else 0
        if mark is not None and not aside and seen.parent_uuid is not msgspec.UNSET:
            self._branch(mark, number, seen, answers=kinds >= ANSWER)
        if kind in TALK:
            return kinds
        kind = str(kind)
        if kind and kind not in SKIPPED:
            self._strange.add(kind, number)
        if kind == "system" and (event := _EVENTS.get(str(seen.subtype))) and not aside:
            self.events.append(SystemEvent(kind=event, line=number))
        return 0

    def _progress(self, number: int, seen: Line, line: bytes) -> int:
        """The kinds of work in a sub-agent's message that a progress line holds; none where it holds none."""
        data = seen.data
        if data is None or data.type != "agent_progress" or data.message is None or data.message.type not in TALK:
            return 0
        told = data.message.message
        if told is None:
            return 0
        self.agents.add(str(data.agentId))
        seen.agent_id, seen.is_sidechain = data.agentId, True
        return OTHER | self._work(number, told, data.message.type, seen, line)

    def _work(self, number: int, message: Message, kind: Any, seen: Line, line: bytes) -> int:
        """The kinds of work in a message; its calls, answers and steps are counted."""
        content, kinds = message.content, 0
        said = type(content) is str and not content.isspace() and content != ""
        for at, block in enumerate(content) if type(content) is list else ():
            what = block.type
            if what == "tool_result":
                kinds |= self._answer(number, str(block.tool_use_id), line)
            elif what == "tool_use":
                kinds |= self._call((number, at), block, message, seen, asked=kind == "assistant")
                said = said and kind != "assistant"
            elif what == "text" and type(block.text) is str and block.text.strip():
                said = True
        if said and kind == "assistant":
            kinds |= SAID | self._step(message.id, seen.agent, text=True)
        elif said and kind == "user" and not (seen.agent or seen.is_meta or seen.is_compact_summary):
            kinds |= OTHER | self._step(None, "", text=True)  # it may begin a turn, and goes with nothing
        return kinds

    def _answer(self, number: int, key: str, line: bytes) -> int:
        called = self._waiting.pop(key, None)
        if called is None and digest(key) not in self._called:
            reason = f"line {number} answers a call that is not in the recording"
            self._dropped.append(Dropped(line=number, reason=reason, grave=_EDITED in line))
        return ANSWER if called is None or called == OTHER else EASY

    def _call(self, place: tuple[int, int], block: Block, message: Message, seen: Line, *, asked: bool) -> int:
        key, name = str(block.id), str(block.name)
        mark = digest(key)
        if not asked:
            self._called.setdefault(mark, False)
            return 0
        if self._called.get(mark):
            self.repeats.add(place)
            return 0
        shell = name in SHELLS and block.input is not None and type(block.input.command) is str
        kind = SHELL if shell else LOOK if name in LOOKS else OTHER
        self._called[mark] = True
        self._waiting[key] = kind
        return kind | self._step(message.id, seen.agent, text=False)

    def _step(self, message: Any, agent: str, *, text: bool) -> int:
        """Count a step, unless it goes with the text before it: JOINS."""
        latest, index = self._latest.get(agent), len(self.marks)
        if latest is None or latest.text is None or latest.message is None or latest.message != message:
            self._steps += 1
            self._latest[agent] = _Latest(message, self._steps, [index] if text else None)
            return 0
        apart = latest.number != self._steps
        if apart:
            self.apart.add(index)
        kinds = self.marks.kinds
        for before in latest.text:
            kinds[before] |= JOINED | (OTHER if apart or kinds[before] & ~(SAID | JOINED | JOINS) else 0)
        latest.text = [*latest.text, index] if text else None
        return JOINS

    def _place(self, line: Line, *, aside: bool) -> None:
        version = line.version or line.stream_version
        self.version = version if type(version) is str else self.version
        if not self.model and line.message and type(line.message.model) is str and line.message.model[:1] != "<":
            self.model = line.message.model
        if type(line.cwd) is not str or not line.cwd or line.cwd == self._cwd:
            return
        if aside:
            self.aside = self.aside or line.cwd
            return
        self._cwd = line.cwd
        self.directory = self.directory or line.cwd
        moved = re.match(_WORKTREE, line.cwd)
        if moved and not self.directory.startswith(moved[0]):
            self.roots[moved[0]] = None

    def _branch(self, mark: int, number: int, seen: Line, *, answers: bool) -> None:
        kind = seen.type
        work = kind == "assistant" or answers or seen.is_compact_summary or seen.subtype == "compact_boundary"
        parent = seen.parent_uuid or seen.logical_parent_uuid
        self._branches.add(
            mark,
            parent if type(parent) is str else None,
            line=number,
            session=seen.session_id,
            prompt=kind == "user" and not work and not seen.is_meta,
            work=bool(work),
        )

    def rewound(self) -> tuple[range, ...]:
        """The lines that a person went back to before, with the files put back."""
        major = self.version.partition(".")[0]
        return self._branches.rewound() if major.isdecimal() and int(major) >= _RESTORES_FILES else ()

    def left_out(self) -> tuple[Dropped, ...]:
        """The lines that hold no step, though they should or may."""
        return tuple(sorted((*self._dropped, *self._strange.dropped()), key=lambda part: part.line))


@functools.cache
def _harmless() -> re.Pattern[bytes]:
    return re.compile(rb'"type": ?"(?:' + b"|".join(sorted(name.encode() for name in SKIPPED)) + rb')"')


def _is_harmless(line: bytes) -> bool:
    return b"tool_use" not in line and b"tool_result" not in line and bool(_harmless().search(line))
