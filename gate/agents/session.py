"""A Claude Code session as a whole: what must be known of all its lines before its steps can be told in order."""

import re
from typing import Any

import msgspec

from gate.agents.branches import Branches
from gate.jsontext import shown
from gate.recording import Recording
from gate.trajectory import Dropped

TALK = ("user", "assistant")
"""Types of the lines that hold steps and results."""

ANSWERS = 2
"""Marks a line that holds results and nothing else."""

_TITLES = frozenset(["agent-color", "agent-name", "agent-setting", "ai-title", "custom-title", "summary", "tag"])
_STATES = frozenset(["last-prompt", "mode", "permission-mode", "pr-link", "queue-operation", "worktree-state"])
_COPIES = frozenset(["attachment", "attribution-snapshot", "content-replacement", "file-history-snapshot"])
_SIGNS = frozenset(["progress", "system", "result", "stream_event", "tool_progress", "keep_alive", "auth_status"])
_ASIDE = frozenset(["prompt_suggestion", "rate_limit_event", "task-summary", "tool_use_summary"])
_CONTROL = frozenset(["control_request", "control_response", "control_cancel_request"])
SKIPPED = _TITLES | _STATES | _COPIES | _SIGNS | _ASIDE | _CONTROL
"""Types of the lines that hold neither."""

_HARMLESS = re.compile(rb'"type": ?"(?:' + b"|".join(sorted(name.encode() for name in SKIPPED)) + rb')"')
_WORKTREE = re.compile(r".*?[\\/]\.(?:claude[\\/])?worktrees[\\/][^\\/]+")
_EDITED = b'"structuredPatch"'  # stands in the result of an editing tool
_RESTORES_FILES = 2  # the first major version whose rewind puts files back


class _Block(msgspec.Struct, gc=False):
    """What the survey needs of a part of a message."""

    type: Any = None
    tool_use_id: Any = None
    id: Any = None


class _Message(msgspec.Struct):
    """What the survey needs of a message."""

    content: list[_Block] | str | None = None
    model: Any = None


class _Inner(msgspec.Struct):
    """A message of a sub-agent, as a progress line holds it."""

    type: Any = None
    message: _Message | None = None


class _Data(msgspec.Struct):
    """What a progress line tells."""

    type: Any = None
    agentId: Any = None  # noqa: N815 - as recorded
    message: _Inner | None = None


class _Line(msgspec.Struct, rename="camel"):
    """What the survey needs of a line."""

    type: Any = None
    subtype: Any = None
    uuid: Any = None
    parent_uuid: Any = msgspec.UNSET
    logical_parent_uuid: Any = None
    session_id: Any = None
    is_sidechain: Any = False
    is_meta: Any = False
    is_compact_summary: Any = False
    agent_id: Any = None
    parent_call: Any = msgspec.field(default=None, name="parent_tool_use_id")
    cwd: Any = None
    version: Any = None
    stream_version: Any = msgspec.field(default=None, name="claude_code_version")
    message: _Message | None = None
    data: _Data | None = None
    told: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw, name="toolUseResult")
    streamed: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw, name="tool_use_result")


_FIELDS = {
    recorded: name
    for recorded, name in zip(_Line.__struct_encode_fields__, _Line.__struct_fields__, strict=True)
    if name not in ("message", "data", "told", "streamed")
}
_decode_line = msgspec.json.Decoder(_Line).decode


def _message(message: Any) -> _Message | None:
    """What the survey needs of a decoded message; parts of it that are no objects hold nothing."""
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        content = [_Block(part.get("type"), part.get("tool_use_id"), part.get("id")) for part in parts]
    return _Message(content if isinstance(content, list | str) else None, message.get("model"))


class Session:
    """What must be known of the whole file before its steps can be told one after the other."""

    def __init__(self) -> None:
        self.wanted = bytearray()
        """For each line whether it holds steps or results; ANSWERS where it holds nothing but results."""
        self.directory: str | None = None
        self.aside: str | None = None
        self._cwd = ""
        self.roots: dict[str, None] = {}
        self.version = ""
        self.model = ""
        self.agents: set[str] = set()
        self.answered: set[str] = set()
        self._called: set[str] = set()
        self._branches = Branches()
        self._seen: set[str] = set()
        self._dropped: list[Dropped] = []
        self._strange: dict[str, list[int]] = {}

    def add(self, number: int, line: bytes, recording: Recording) -> None:
        """Look at one line."""
        try:
            seen = _decode_line(line)
        except (msgspec.DecodeError, RecursionError):
            record = recording.record(number, line, self._dropped, harmless=_is_harmless)
            seen = self._loosely(number, record) if record is not None else _Line(type="")
        self.wanted.append(self._wants(number, seen))

    def _loosely(self, number: int, record: dict[str, Any]) -> _Line:
        """A line that the fast decoder refuses: what of it can be understood."""
        line = _Line(**{_FIELDS[key]: record[key] for key in record if key in _FIELDS})
        line.message = _message(record.get("message"))
        data = record.get("data")
        inner = data.get("message") if isinstance(data, dict) else None
        if isinstance(data, dict) and isinstance(inner, dict):
            told = _Inner(inner.get("type"), _message(inner.get("message")))
            line.data = _Data(data.get("type"), data.get("agentId"), told)
        if line.type in TALK and line.message is None:
            reason = f"line {number} has a message of an unknown shape: {shown(record.get('message'))}"
            self._dropped.append(Dropped(line=number, reason=reason, grave=True))
        return line

    def _wants(self, number: int, line: _Line) -> int:
        inner = line.data.message if line.data and line.data.type == "agent_progress" else None
        if inner and inner.type in TALK and inner.message:
            self.agents.add(str(line.data.agentId) if line.data else "")
            self._pair(number, inner.message, line)
            return True
        if type(line.uuid) is str:
            if line.uuid in self._seen:
                return False
            self._seen.add(line.uuid)
        aside = bool(line.is_sidechain or line.parent_call)
        if aside:
            self.agents.add(str(line.agent_id or line.parent_call or "sidechain"))
        self._place(line, aside=aside)
        answers = self._pair(number, line.message, line) if line.message else False
        if not aside and type(line.uuid) is str and line.parent_uuid is not msgspec.UNSET:
            self._branch(number, line, answers=answers)
        kind = str(line.type)
        if kind and kind not in TALK and kind not in SKIPPED:
            self._strange.setdefault(kind, []).append(number)
        return _mark(line.message) if line.type in TALK and line.message is not None else False

    def _pair(self, number: int, message: _Message, line: _Line) -> bool:
        """Notes the calls that a message makes and those that it answers; whether it answers one."""
        content = message.content
        answers = False
        for block in content if type(content) is list else ():
            if block.type == "tool_use":
                self._called.add(str(block.id))
            elif block.type == "tool_result":
                answers = True
                if str(block.tool_use_id) not in self._called:
                    reason = f"line {number} answers a call that is not in the recording"
                    edited = any(_EDITED in bytes(told) for told in (line.told, line.streamed))
                    self._dropped.append(Dropped(line=number, reason=reason, grave=edited))
                self.answered.add(str(block.tool_use_id))
        return answers

    def _place(self, line: _Line, *, aside: bool) -> None:
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
        moved = _WORKTREE.match(line.cwd)
        if moved and not self.directory.startswith(moved[0]):
            self.roots[moved[0]] = None

    def _branch(self, number: int, line: _Line, *, answers: bool) -> None:
        compacted = line.is_compact_summary or line.subtype == "compact_boundary"
        work = line.type == "assistant" or answers or bool(compacted)
        parent = line.parent_uuid or line.logical_parent_uuid
        self._branches.add(
            line.uuid,
            parent if type(parent) is str else None,
            line=number,
            session=str(line.session_id),
            prompt=line.type == "user" and not work and not line.is_meta,
            work=work,
        )

    def rewound(self) -> tuple[range, ...]:
        """The lines that a person went back to before, with the files put back."""
        major = self.version.partition(".")[0]
        return self._branches.rewound() if major.isdecimal() and int(major) >= _RESTORES_FILES else ()

    def left_out(self) -> tuple[Dropped, ...]:
        """The lines that hold no step, though they should or may."""
        for kind, numbers in self._strange.items():
            lines = (
                f"line {numbers[0]} is" if len(numbers) == 1 else f"line {numbers[0]} and {len(numbers) - 1} more are"
            )
            reason = f"{lines} of the type {kind[:40]!r}, which this reader does not know"
            self._dropped.append(Dropped(line=numbers[0], reason=reason))
        self._strange.clear()
        return tuple(sorted(self._dropped, key=lambda part: part.line))


def _mark(message: _Message) -> int:
    content = message.content
    only = type(content) is list and content and all(block.type == "tool_result" for block in content)
    return ANSWERS if only else 1


def _is_harmless(line: bytes) -> bool:
    return b"tool_use" not in line and b"tool_result" not in line and bool(_HARMLESS.search(line))
