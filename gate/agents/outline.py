"""The outline of a Claude Code line: what a survey of the whole session needs of it."""

from typing import Any

import msgspec


class _Input(msgspec.Struct, gc=False):
    """What the survey needs of a call's arguments."""

    command: Any = None


class Block(msgspec.Struct, gc=False):
    """What the survey needs of a part of a message."""

    type: Any = None
    tool_use_id: Any = None
    id: Any = None
    name: Any = None
    text: Any = None
    input: _Input | None = None


class Message(msgspec.Struct, gc=False):
    """What the survey needs of a message."""

    id: Any = None
    content: list[Block] | str | None = None
    model: Any = None


class _Inner(msgspec.Struct, gc=False):
    """A message of a sub-agent, as a progress line holds it."""

    type: Any = None
    message: Message | None = None


class _Data(msgspec.Struct, gc=False):
    """What a progress line tells."""

    type: Any = None
    agentId: Any = None  # noqa: N815 - as recorded
    message: _Inner | None = None


class Line(msgspec.Struct, rename="camel", gc=False):
    """What the survey needs of a line."""

    parent_uuid: Any = msgspec.UNSET
    logical_parent_uuid: Any = None
    is_sidechain: Any = False
    cwd: Any = None
    session_id: Any = None
    version: Any = None
    agent_id: Any = None
    type: Any = None
    subtype: Any = None
    message: Message | None = None
    data: _Data | None = None
    is_meta: Any = False
    is_compact_summary: Any = False
    uuid: Any = None
    parent_call: Any = msgspec.field(default=None, name="parent_tool_use_id")
    stream_version: Any = msgspec.field(default=None, name="claude_code_version")

    @property
    def agent(self) -> str:
        """The name of the sub-agent; empty for the main agent."""
        if self.is_sidechain:
            return str(self.agent_id or "sidechain")
        return str(self.parent_call or "")


_FIELDS = {
    recorded: name
    for recorded, name in zip(Line.__struct_encode_fields__, Line.__struct_fields__, strict=True)
    if name not in ("message", "data")
}
decode = msgspec.json.Decoder(Line).decode
"""The outline of a line. msgspec.DecodeError or RecursionError where it must be taken apart with `loosely`."""


def loosely(record: dict[str, Any]) -> Line:
    """The outline of a decoded line that the quick decoder refuses: what of it can be understood."""
    line = Line(**{_FIELDS[key]: record[key] for key in record if key in _FIELDS})
    line.message = _message(record.get("message"))
    data = record.get("data")
    inner = data.get("message") if isinstance(data, dict) else None
    if isinstance(data, dict) and isinstance(inner, dict):
        told = _Inner(inner.get("type"), _message(inner.get("message")))
        line.data = _Data(data.get("type"), data.get("agentId"), told)
    return line


def _message(message: Any) -> Message | None:
    """What the survey needs of a decoded message; parts of it that are no objects hold nothing."""
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if isinstance(content, list):
        content = [_block(part) if isinstance(part, dict) else Block() for part in content]
    return Message(message.get("id"), content if isinstance(content, list | str) else None, message.get("model"))


def _block(part: dict[str, Any]) -> Block:
    given = part.get("input")
    block = Block(**{name: part.get(name) for name in ("type", "tool_use_id", "id", "name", "text")})
    block.input = _Input(given.get("command")) if isinstance(given, dict) else None
    return block
