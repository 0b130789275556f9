"""A line of a Claude Code session as far as its steps need it; what most of its bytes are is not taken apart."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gate.agents.claude import LOOKS, SHELLS
from gate.jsontext import decode
from gate.recording import Recording
from gate.trajectory import Choice


class Usage(msgspec.Struct):
    """What an answer of the model cost, as recorded."""

    input_tokens: Any = None
    cache_creation_input_tokens: Any = None
    cache_read_input_tokens: Any = None
    output_tokens: Any = None


class Message(msgspec.Struct):
    """A message: its content is as recorded."""

    id: Any = None
    content: Any = None
    usage: Usage | None = None

    @property
    def tokens(self) -> tuple[int | None, int | None]:
        """How many tokens were read, from a cache or not, and how many written."""
        usage = self.usage
        if usage is None:
            return None, None
        read = (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens)
        out = usage.output_tokens
        return sum([count for count in read if type(count) is int]), out if type(out) is int else None


class Entry(msgspec.Struct, rename="camel"):
    """One line that holds steps or results.

    `raw` and `streamed` are the structured result of a tool as it stands in a session or in the stream, not yet
    decoded.
    """

    type: Any = None
    message: Message = msgspec.field(default_factory=Message)
    cwd: Any = None
    version: Any = None
    timestamp: Any = None
    is_sidechain: Any = False
    is_meta: Any = False
    is_compact_summary: Any = False
    agent_id: Any = None
    parent_call: Any = msgspec.field(default=None, name="parent_tool_use_id")
    raw: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw, name="toolUseResult")
    streamed: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw, name="tool_use_result")

    @property
    def agent(self) -> str:
        """The name of the sub-agent; empty for the main agent."""
        if self.is_sidechain:
            return str(self.agent_id or "sidechain")
        return str(self.parent_call or "")


class _Whole(Entry):
    """A line that had to be decoded whole, with the structured result that it holds."""

    result: Any = None


class _Interrupted(msgspec.Struct):
    """What tells of any tool that it was stopped."""

    interrupted: Any = None


_NO_RESULT = msgspec.Raw()
_decode = msgspec.json.Decoder(Entry).decode
_decode_brief = msgspec.json.Decoder(_Interrupted).decode


def entry(number: int, line: bytes, recording: Recording) -> Entry | None:
    """The entry of a line; None where the line cannot be read, which the first look has said."""
    try:
        found = _decode(line)
        if found.type != "progress":
            return found
    except (msgspec.DecodeError, RecursionError):
        pass
    record = recording.record(number, line, [])
    return _of(record) if record is not None else None


def _of(record: Mapping[str, Any]) -> Entry:
    """The entry of a decoded line."""
    if record["type"] == "progress":  # a sub-agent's message in the main file, as some versions wrote it
        data = record["data"]
        record = {**record, **data["message"], "agentId": data.get("agentId"), "isSidechain": True}
    message = record["message"]
    usage = message.get("usage")
    return _Whole(
        type=record["type"],
        message=Message(
            message.get("id"),
            message.get("content"),
            Usage(**{key: usage.get(key) for key in Usage.__struct_fields__}) if isinstance(usage, dict) else None,
        ),
        cwd=record.get("cwd"),
        version=record.get("version"),
        timestamp=record.get("timestamp"),
        is_sidechain=record.get("isSidechain"),
        is_meta=record.get("isMeta"),
        is_compact_summary=record.get("isCompactSummary"),
        agent_id=record.get("agentId"),
        parent_call=record.get("parent_tool_use_id"),
        result=record.get("toolUseResult", record.get("tool_use_result")),
    )


def result_of(told: Entry, *, whole: bool) -> Any:
    """The structured result that a line holds; only whether it was interrupted, unless `whole`.

    RecordingError where it is no JSON.
    """
    if isinstance(told, _Whole):
        return told.result
    raw = told.raw if told.raw != _NO_RESULT else told.streamed
    if raw == _NO_RESULT:
        return None
    if not whole:
        try:
            return {"interrupted": _decode_brief(raw).interrupted}
        except (msgspec.DecodeError, RecursionError):
            return None  # a text, or a list
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return decode(bytes(raw))


def passes(block: Mapping[str, Any], line: bytes, choice: Choice) -> bool:
    """Whether a call is a command or only looks at files, and is not wanted."""
    tool, arguments = str(block.get("name")), block.get("input")
    if tool in SHELLS:
        text = arguments.get("command") if isinstance(arguments, dict) else None
        if not isinstance(text, str) or (choice.command and choice.command(text)):
            return False
    elif tool not in LOOKS:
        return False
    return not (choice.line and choice.line(line))


class _Input(msgspec.Struct, gc=False):
    """The arguments of a call as far as they hold a command."""

    command: Any = None


class _Asked(msgspec.Struct, gc=False):
    """A call as far as it holds a command."""

    input: _Input | None = None


class _Asking(msgspec.Struct, gc=False):
    """A message as far as its calls hold commands."""

    content: list[_Asked] | None = None


class _Brief(msgspec.Struct, gc=False):
    """A line as far as its calls hold commands."""

    message: _Asking | None = None


_decode_commands = msgspec.json.Decoder(_Brief).decode


def wants(line: bytes, choice: Choice, *, commands: bool) -> bool:
    """Whether any call of a line is wanted, all of which are commands or only look at files."""
    if choice.line and choice.line(line):
        return True
    if choice.command is None or not commands:
        return False
    try:
        message = _decode_commands(line).message
    except (msgspec.DecodeError, RecursionError):
        return True
    calls = message.content or () if message else ()
    texts = [call.input.command for call in calls if call.input and type(call.input.command) is str]
    return any(map(choice.command, texts))


def text_of(answer: Mapping[str, Any] | None) -> str:
    """What the model was told by a result."""
    content = answer.get("content") if answer else ""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
