"""A Codex rollout as a file: its lines as items, whichever version wrote them."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.recording import Recording
from gate.trajectory import Dropped

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
_THOUGHTS = frozenset("agent_reasoning" + more for more in ("", "_raw_content", "_section_break"))
IDLE = _THOUGHTS | {
    "reasoning",
    "agent_message",
    "compacted",
    "task_complete",
    "web_search_end",
    "mcp_tool_call_end",
}
"""Types of lines, items and events that hold no work."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rollout.

    `kind` is the type of an item (`message`, `function_call`, …), `event:` and the type of an event, or that of a line
    (`session_meta`, `turn_context`). `bare` is an item of the first version, whose lines have no payload.
    """

    line: int
    kind: str
    payload: Mapping[str, Any]
    time: str = ""
    bare: bool = False


ENDS = {"event:patch_apply_end": "patch", "event:exec_command_end": "shell"}
"""Events that tell the outcome of a call, of a patch or of a command."""

TURNS = frozenset(["event:task_started", "event:turn_aborted", "event:user_message"])
"""Events at which no call of before is under way any more."""


def items(recording: Recording) -> Iterator[Item]:
    """Every line that may hold work. Lines that hold none are left unread where their beginning tells."""
    for number, line in recording.lines():
        if not holds_none(line) and (found := item(number, line, recording, [])) and found.kind:
            yield found


def item(number: int, line: bytes, recording: Recording, dropped: list[Dropped]) -> Item | None:
    """The item of a line; one of no kind where the type is not known, None where there is nothing in it.

    A line that cannot be read goes to `dropped`.
    """
    record = recording.record(number, line, dropped)
    return _item(number, record) if record is not None else None


def holds_none(line: bytes) -> bool:
    """Whether this whole line is of a type without work: most of a rollout's bytes are thoughts and repetitions."""
    head = _head()(line)
    if head is None or not line.endswith(b"}\n"):
        return False
    kind, inner = head.groups()
    return kind in _idle() or (kind != b"session_meta" and inner in _idle())


@functools.cache
def _head() -> Callable[[bytes], re.Match[bytes] | None]:
    return re.compile(
        rb'\{(?:"timestamp": ?"[^"]{0,40}", ?)?(?:"ordinal": ?\d+, ?)?"type": ?"(\w+)"'
        rb'(?:, ?"payload": ?\{"type": ?"(\w+)")?'
    ).match


@functools.cache
def _idle() -> frozenset[bytes]:
    return frozenset(kind.encode() for kind in IDLE)


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
