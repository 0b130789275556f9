"""The Agent Client Protocol as a log: requests, responses and updates put together to tool calls."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.conversation import About, Call, Event, Message, Result, speech
from gate.errors import RecordingError
from gate.jsontext import decode
from gate.trajectory import Dropped, Ok, Step

WRITE = "fs/write_text_file"
TERMINAL = "terminal/create"

_STATUS = {"completed": Ok.YES, "failed": Ok.NO, "cancelled": Ok.NO}
_CHUNKS = ("agent_message_chunk", "user_message_chunk")
_THOUGHTS = ("agent_thought_chunk", "plan", "plan_update", "usage_update", "terminal_update", "terminal_output")
_SETTINGS = ("available_commands_update", "current_mode_update", "config_option_update", "session_info_update")
_ASKED = (WRITE, TERMINAL, "terminal/output", "terminal/wait_for_exit", "session/request_permission")


class Seen(msgspec.Struct):
    """What is known so far of one call, and what the log says of it until its end.

    `diffs` are the last ones shown. `written` are files that the client wrote for the agent meanwhile: their diffs are
    only for the eye.
    """

    key: str
    kind: str = "other"
    ok: Ok = Ok.UNKNOWN
    ended: bool = False
    arguments: Any = None
    locations: list[dict[str, Any]] = []
    diffs: list[dict[str, Any]] = []
    terminal: bool = False
    text: str = ""
    output: Any = None
    code: int | None = None
    written: set[str] = set()


class Log:
    """The lines of one log, both directions or only the agent's, read once."""

    def __init__(self) -> None:
        self._open: dict[str, Seen] = {}
        self._asked: dict[Any, tuple[str, Seen | None]] = {}
        self._terminals: dict[str, Seen] = {}
        self._chunks: list[str] = []
        self._speaker = ""
        self._line = 0

    def events(self, line: int, record: Mapping[str, Any], dropped: list[Dropped]) -> Iterator[Event]:
        """What one line tells."""
        message = unwrapped(record)
        if message is None:
            dropped.append(Dropped(line=line, reason=f"line {line} holds no JSON-RPC message"))
            return
        method, params = message.get("method"), given.member(message, "params")
        update = given.member(params, "update")
        if method == "session/update" and update.get("sessionUpdate") in _CHUNKS:
            yield from self._chunk(line, str(update["sessionUpdate"]), given.spoken(update.get("content")))
            return
        yield from self._spoken()
        self._line = line
        if method == "session/update":
            yield from self._update(line, params, update, dropped)
        elif isinstance(method, str):
            yield from self._request(line, method, params, message.get("id"))
        else:
            yield from self._response(line, message)

    def rest(self) -> Iterator[Event]:
        """What is left at the end of the log: calls whose end it does not tell."""
        yield from self._spoken()
        for seen in list(self._open.values()):
            yield self._result(seen, self._line)

    def _chunk(self, line: int, speaker: str, text: str) -> Iterator[Event]:
        if speaker != self._speaker:
            yield from self._spoken()
        if not self._chunks:
            self._line = line
        self._speaker = speaker
        self._chunks.append(text)

    def _spoken(self) -> Iterator[Event]:
        text, self._chunks = "".join(self._chunks), []
        if text.strip() and self._speaker == "user_message_chunk":
            yield speech(self._line, text)
        elif text.strip():
            yield Message(Step(number=0, line=self._line, message=text))

    def _update(
        self, line: int, params: Mapping[str, Any], update: Mapping[str, Any], dropped: list[Dropped]
    ) -> Iterator[Event]:
        kind = update.get("sessionUpdate")
        if kind in ("tool_call", "tool_call_update"):
            yield from self._call(line, f"{params.get('sessionId')}/{update.get('toolCallId')}", update)
        elif kind not in _THOUGHTS + _SETTINGS:
            reason = f"line {line} is an update of the kind {str(kind)[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason))

    def _call(self, line: int, key: str, update: Mapping[str, Any]) -> Iterator[Event]:
        seen = self._open.get(key)
        if seen is None:
            seen = self._open[key] = Seen(key)
            tool = given.word(given.member(update, "_meta", "claudeCode"), "toolName") or given.word(update, "kind")
            yield Call(key, Step(number=0, line=line, tool=tool or seen.kind, raw=dict(update)))
        self._add(seen, update)
        if seen.ended:
            yield self._result(seen, line)

    def _add(self, seen: Seen, update: Mapping[str, Any]) -> None:
        content = given.objects(update.get("content"))
        diffs = [part for part in content if part.get("type") == "diff"]
        seen.diffs = diffs or seen.diffs
        seen.text = given.spoken([part.get("content") for part in content]) or seen.text
        seen.terminal = seen.terminal or any(str(part.get("terminalId")) in self._terminals for part in content)
        seen.arguments = update.get("rawInput") or seen.arguments
        seen.locations = given.objects(update.get("locations")) or seen.locations
        seen.output = update.get("rawOutput") or seen.output
        seen.kind = given.word(update, "kind") or seen.kind
        seen.ok = _STATUS.get(str(update.get("status")), seen.ok)
        seen.ended = str(update.get("status")) in _STATUS

    def _request(self, line: int, method: str, params: Mapping[str, Any], asked: Any) -> Iterator[Event]:
        if "cwd" in params and method.startswith("session/"):
            yield About(directory=given.word(params, "cwd") or None)
        seen = None
        if method == "session/prompt":
            yield speech(line, given.spoken(params.get("prompt")))
        elif method in (WRITE, TERMINAL):
            seen = Seen(f"{method} at {line}", method, arguments=dict(params))
            self._open[seen.key] = seen
            for other in self._open.values() if method == WRITE else ():
                other.written = {*other.written, given.word(params, "path")}
            yield Call(seen.key, Step(number=0, line=line, tool=method, arguments=dict(params), raw=dict(params)))
        elif method == "session/request_permission":
            call = given.member(params, "toolCall")
            key = f"{params.get('sessionId')}/{call.get('toolCallId')}"
            told = {name: call[name] for name in call if name != "status"}
            if key in self._open or told.keys() > {"toolCallId"}:
                yield from self._call(line, key, told)
            seen = self._open.get(key)
        elif method.startswith("terminal/"):
            seen = self._terminals.get(str(params.get("terminalId")))
        if method in _ASKED and type(asked) in (int, str):
            self._asked[asked] = (method, seen)

    def _response(self, line: int, message: Mapping[str, Any]) -> Iterator[Event]:
        result, asked = message.get("result"), message.get("id")
        told = given.member(result)
        about = given.member(told, "agentInfo")
        if about:
            yield About(agent=f"{given.word(about, 'title', 'name')} {given.word(about, 'version')}".strip())
        method, seen = self._asked.get(asked, ("", None)) if type(asked) in (int, str) else ("", None)
        if seen is None or not _answers(method, message):
            return
        del self._asked[asked]
        if method == "session/request_permission":
            outcome = given.member(told, "outcome")
            refused = outcome.get("outcome") == "cancelled" or "reject" in given.word(outcome, "optionId")
            if refused:
                seen.ok = Ok.NO
                yield self._result(seen, line)
        elif method == TERMINAL and "terminalId" in told:
            self._terminals[str(told["terminalId"])] = seen
        else:
            status = given.member(told, "exitStatus") or told
            seen.code = given.count(status, "exitCode")
            seen.text = given.word(told, "output") or seen.text
            ended = method == WRITE or "error" in message or seen.code is not None
            if ended and seen.key in self._open:
                seen.ok = Ok.NO if "error" in message or seen.code else Ok.YES
                yield self._result(seen, line)

    def _result(self, seen: Seen, line: int) -> Result:
        self._open.pop(seen.key, None)
        output = seen.output if isinstance(seen.output, str) else given.spoken(seen.output)
        return Result(id=seen.key, ok=seen.ok, line=line, text=seen.text or output, detail=seen)


def unwrapped(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The JSON-RPC message that a record of a log is or holds, as an object or as text."""
    if "jsonrpc" in record:
        return dict(record)
    for value in record.values():
        if isinstance(value, str) and value.lstrip().startswith("{") and "jsonrpc" in value:
            try:
                value = decode(value.encode("utf-8", "replace"))
            except RecordingError:
                continue
        if isinstance(value, dict) and "jsonrpc" in value:
            return value
    return None


def _answers(method: str, message: Mapping[str, Any]) -> bool:
    """Whether a response has the shape of this request's: both sides count their requests from 1."""
    result = message.get("result")
    if "error" in message:
        return True
    if method == WRITE:
        return not result
    key = {"session/request_permission": "outcome", TERMINAL: "terminalId", "terminal/output": "output"}.get(method)
    return isinstance(result, dict) and (key or "exitCode") in result
