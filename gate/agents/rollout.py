"""A Codex rollout as a file: its lines as items, whichever version wrote them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.codex import SHELLS, text_of
from gate.jsontext import decode
from gate.recording import Recording
from gate.text import encoded
from gate.trajectory import Choice, Dropped

_ANSWERS = frozenset(
    [f"{kind}_output" for kind in ("function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call")]
)
OUTPUTS = _ANSWERS | {"tool_search_output"}
"""Types of items that answer a call."""

_SILENT = frozenset(
    ["reasoning", "ghost_snapshot", "compaction", "context_compaction", "additional_tools", "agent_message", "other"]
)
_LINES = frozenset(
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "inter_agent_communication"]
)
_HEAD = re.compile(
    rb'\{(?:"timestamp": ?"[^"]{0,40}", ?)?(?:"ordinal": ?\d+, ?)?"type": ?"(\w+)"'
    rb'(?:, ?"payload": ?\{"type": ?"(\w+)")?'
)
_THOUGHTS = frozenset(b"agent_reasoning" + more for more in (b"", b"_raw_content", b"_section_break"))
_SKIPPED = _THOUGHTS | {
    b"reasoning",
    b"agent_message",
    b"compacted",
    b"task_complete",
    b"web_search_end",
    b"mcp_tool_call_end",
}
_IDLE = frozenset(kind.decode() for kind in _SKIPPED)


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rollout.

    `kind` is the type of an item (`message`, `function_call`, …), `event:` and the type of an event, or that of a line
    (`session_meta`, `turn_context`). `bare` is an item of the first version, whose lines have no payload. `brief` is
    the line of an item of which only the ids have been read.
    """

    line: int
    kind: str
    payload: Mapping[str, Any]
    time: str = ""
    bare: bool = False
    brief: bytes = b""

    @property
    def whole(self) -> "Item":
        """The item with all of its payload."""
        record = decode(self.brief) if self.brief else None
        return (_item(self.line, record) if isinstance(record, dict) else None) or self


ENDS = {"event:patch_apply_end": "patch", "event:exec_command_end": "shell"}
"""Events that tell the outcome of a call, of a patch or of a command."""

TURNS = frozenset(["event:task_started", "event:turn_aborted", "event:user_message"])
"""Events at which no call of before is under way any more."""

PASSED_CALL = "passed"
"""The kind of a call that a choice passes over."""

_PLAIN = frozenset(["event:token_count", "event:thread_name_updated"])
_NOTHING = Item(line=0, kind="", payload={})
_SPOKEN = Item(line=0, kind="message", payload={})


def items(
    recording: Recording, dropped: list[Dropped], *, brief: bool = False, choice: Choice | None = None
) -> Iterator[Item]:
    """Every line that may hold work. Lines that hold none are left unread where their beginning tells.

    `brief` is for a first look: of calls, answers and outcomes only the ids are read, of messages nothing. With a
    `choice` that goes for answers and outcomes too; a call that changes no file and is not wanted is of kind PASSED.
    """
    strange: dict[str, list[int]] = {}
    for number, line in recording.lines():
        item = _glance(number, line) if brief else _choose(number, line, choice) if choice else None
        if item is None:
            if _holds_none(line):
                continue
            record = recording.record(number, line, dropped)
            item = _item(number, record) if record is not None else None
        if item is None or item is _NOTHING:
            continue
        if item.kind:
            yield item
        else:
            strange.setdefault(given.word(item.payload, "type"), []).append(number)
    for kind, lines in strange.items():
        more = f"{lines[0]} and {len(lines) - 1} more are" if len(lines) > 1 else f"{lines[0]} is"
        reason = f"line {more} of the type {kind[:40]!r}, which this reader does not know"
        dropped.append(Dropped(line=lines[0], reason=reason))


class _Ids(msgspec.Struct, gc=False, omit_defaults=True):
    """What a first look wants to know of a payload."""

    type: str | None = None
    call_id: str | None = None
    id: str | None = None


class _Line(msgspec.Struct, gc=False):
    """What a first look wants to know of a line."""

    type: str | None = None
    payload: _Ids | None = None


_decode = msgspec.json.Decoder(_Line).decode


def _glance(number: int, line: bytes) -> Item | None:
    """The item of a line as far as a first look needs it; None where the line must be read in full."""
    try:
        seen = _decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    ids = seen.payload
    if seen.type in _IDLE:
        return _NOTHING
    if ids is None or ids.type is None or seen.type not in ("response_item", "event_msg"):
        return None
    if ids.type in _IDLE:
        return _NOTHING
    kind = ids.type if seen.type == "response_item" else f"event:{ids.type}"
    if kind.endswith("_call") or kind in OUTPUTS or kind in ENDS or kind in TURNS:
        return Item(line=number, kind=kind, payload={"call_id": ids.call_id, "id": ids.id})
    return _SPOKEN if kind == "message" else _NOTHING if kind in _PLAIN else None


class _Shell(msgspec.Struct, gc=False):
    """The arguments of a shell call as far as they hold the command."""

    command: str | list[str] | None = None
    cmd: str | None = None


class _Asked(msgspec.Struct, gc=False):
    """What is wanted of a payload to choose by."""

    type: str | None = None
    call_id: str | None = None
    id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | None = None
    role: str | None = None


class _Chosen(msgspec.Struct, gc=False):
    """What is wanted of a line to choose by."""

    type: str | None = None
    payload: _Asked | None = None


_decode_chosen = msgspec.json.Decoder(_Chosen).decode
_decode_shell = msgspec.json.Decoder(_Shell).decode


def _choose(number: int, line: bytes, choice: Choice) -> Item | None:
    """The item of a line as far as a choice of steps needs it; None where the line must be read in full."""
    try:
        seen = _decode_chosen(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    asked = seen.payload
    if seen.type in _IDLE:
        return _NOTHING
    if asked is None or asked.type is None or seen.type not in ("response_item", "event_msg"):
        return None
    if asked.type in _IDLE:
        return _NOTHING
    if seen.type == "event_msg":
        kind = f"event:{asked.type}"
        return _NOTHING if kind in _PLAIN else _brief(number, kind, asked, line) if kind in ENDS else None
    if asked.type == "message" and asked.role in ("developer", "system"):
        return _NOTHING
    if asked.type in OUTPUTS:
        return _brief(number, asked.type, asked, line)
    if asked.type == "function_call" and _passes(asked, line, choice):
        return _brief(number, PASSED_CALL, asked, line)
    return None


def _brief(number: int, kind: str, asked: _Asked, line: bytes) -> Item:
    return Item(line=number, kind=kind, payload={"call_id": asked.call_id, "id": asked.id}, brief=line)


def _passes(asked: _Asked, line: bytes, choice: Choice) -> bool:
    """Whether a call is a command, changes no file by a patch, and is not wanted."""
    if asked.name not in SHELLS or asked.namespace or asked.arguments is None:
        return False
    try:
        shell = _decode_shell(encoded(asked.arguments))
    except (msgspec.DecodeError, RecursionError):
        return False
    words = shell.cmd if shell.command is None else shell.command
    if not words:
        return False
    text = text_of(words)
    if "atch" in text:  # `apply_patch`, `applypatch`, `*** Begin Patch`
        return False
    return not (choice.line and choice.line(line)) and not (choice.command and choice.command(text))


def _holds_none(line: bytes) -> bool:
    """Whether this whole line is of a type without work: most of a rollout's bytes are thoughts and repetitions."""
    head = _HEAD.match(line)
    if head is None or not line.endswith(b"}\n"):
        return False
    kind, inner = head.groups()
    return kind in _SKIPPED or (kind != b"session_meta" and inner in _SKIPPED)


def is_rollout(record: Mapping[str, Any]) -> bool:
    """Whether a line is one of a rollout."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        kind = given.word(record, "type")
        return kind in _LINES and (kind != "session_meta" or "id" in payload)
    return _is_first(record)


def _is_first(record: Mapping[str, Any]) -> bool:
    """Whether it is the first line of the first version: its session without a type."""
    return "type" not in record and {"id", "timestamp", "instructions"} <= record.keys()


def _item(number: int, record: Mapping[str, Any]) -> Item | None:
    """The item of a line; one of no kind where the type is not known, None where there is nothing in it."""
    kind, payload, time = record.get("type"), record.get("payload"), record.get("timestamp")
    time = time if type(time) is str else ""
    if type(kind) is not str or type(payload) is not dict:
        return _bare(number, record)
    if kind == "response_item":
        inner = given.word(payload, "type")
        return None if inner in _SILENT else Item(line=number, kind=_known(inner), payload=payload, time=time)
    if kind == "event_msg":
        return _event(number, payload, time)
    if kind in ("session_meta", "turn_context"):
        return Item(line=number, kind=kind, payload=payload, time=time)
    return None if kind in _LINES else Item(line=number, kind="", payload={"type": kind})


def _bare(number: int, record: Mapping[str, Any]) -> Item | None:
    """The item of a line without payload, as the first version wrote them."""
    kind = given.word(record, "type")
    if _is_first(record):
        return Item(line=number, kind="session_meta", payload=record, bare=True)
    if kind in _LINES or kind in _SILENT or "record_type" in record:
        return None
    return Item(line=number, kind=_known(kind), payload=record, bare=True)


def _known(kind: str) -> str:
    """The type of an item, or nothing. What is called a call is one, whatever it calls."""
    return kind if kind == "message" or kind in OUTPUTS or kind.endswith("_call") else ""


def _event(number: int, payload: Mapping[str, Any], time: str) -> Item | None:
    """The item of an event. Later versions wrap what was an event of its own into `item_completed`."""
    kind = given.word(payload, "type")
    if kind != "item_completed":
        return Item(line=number, kind=f"event:{kind}", payload=payload, time=time)
    inner = given.member(payload, "item")
    known = {"FileChange": "patch_apply_end", "CommandExecution": "exec_command_end", "UserMessage": "user_message"}
    kind = known.get(given.word(inner, "type"), "")
    inner = {"call_id": inner.get("id"), "success": inner.get("status") == "completed", **inner}
    return Item(line=number, kind=f"event:{kind}", payload=inner, time=time) if kind else None
