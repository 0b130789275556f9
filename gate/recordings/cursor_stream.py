"""What `cursor-agent --output-format stream-json` prints."""

from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.conversation import (
    OBSERVED,
    UNKNOWN,
    About,
    Call,
    Conversation,
    Deed,
    Event,
    Made,
    Message,
    Result,
    answer,
    speech,
)
from gate.agents.cursor import AGENTS, EDITORS, KNOWN, SHELLS, edits_of, plain_name
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_ASIDE = ("thinking", "result", "interaction_query", "error", "connection", "retry", "status")
_MARK = b'"tool_call"'


class CursorStream(Reader):
    """The events of Cursor's command line: `cursor-agent -p --output-format stream-json`.

    An edit is replayed from the whole file that its result shows (`afterFullFileContent`), else from the diff it shows,
    else from its arguments where they are complete. `success` in a result is success, `error`, `rejected` and any
    other is failure. Shell calls are commands. A sub-agent whose calls are in the result of its task counts; one whose
    calls are not, and that may have edited, makes the replay incomplete. Text printed in pieces counts once.

    *Unverified*: built from public sources, without a real stream that holds edits.
    """

    def recognises(self, sample: Sample) -> bool:
        """Cursor's first line, which names no tools as Claude Code's does, or one of its tool calls."""
        return any(_is_cursors(record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for which calls are completed, then one for each use of `steps`."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path, unverified=True)


def _is_cursors(record: Mapping[str, Any]) -> bool:
    if record.get("type") == "system" and record.get("subtype") == "init":
        return "tools" not in record and "permissionMode" in record
    return record.get("type") == "tool_call" and record.get("subtype") in ("started", "completed")


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    for line, record in recording.records(dropped, harmless=lambda data: _MARK not in data):
        kind, text = record.get("type"), given.spoken(given.member(record, "message").get("content"))
        if kind == "system":
            yield About(directory=given.word(record, "cwd") or None, agent="Cursor", model=given.word(record, "model"))
        elif kind == "user":
            yield speech(line, text)
        elif kind == "assistant":
            if (
                "model_call_id" in record or "timestamp_ms" not in record
            ):  # else it is a piece of what comes whole later
                yield Message(Step(number=0, line=line, message=text, time=_time(record)))
        elif kind == "tool_call":
            yield from _called(line, record, dropped)
        elif kind not in _ASIDE:
            reason = f"line {line} is of the type {str(kind)[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason))


def _called(line: int, record: Mapping[str, Any], dropped: list[Dropped]) -> Iterator[Event]:
    call = given.member(record, "tool_call")
    name, body = _body(call)
    key = given.word(record, "call_id") or given.word(call, "toolCallId") or f"{name} at {line}"
    if not name:
        dropped.append(Dropped(line=line, reason=f"line {line} holds a call of no tool", grave=True))
        return
    said = Step(number=0, line=line, time=_time(record))
    yield from answer(said, [Made(key, name, body.get("args", body), {name: body.get("args")})])
    if record.get("subtype") == "completed":
        yield _result(line, key, body)
        yield from _nested(line, key, body)


def _body(call: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool and what is told of its call: the one member that is named for a tool."""
    for name, body in call.items():
        if name.endswith("ToolCall") and isinstance(body, dict):
            return name.removesuffix("ToolCall"), body
    function = given.member(call, "function")
    return given.word(function, "name"), {"args": function.get("arguments"), "result": call.get("result")}


def _result(line: int, key: str, body: Mapping[str, Any]) -> Result:
    result = given.member(body, "result")
    success = given.member(result, "success") or given.member(result, "failure")
    code = success.get("exitCode")
    failed = (result and "success" not in result) or (type(code) is int and code != 0)
    streams = [success.get("interleavedOutput"), success.get("stdout"), success.get("stderr"), success.get("content")]
    refused = next((value for value in result.values() if isinstance(value, dict)), {})
    words = [text for text in streams if isinstance(text, str) and text][:2]
    return Result(
        id=key,
        ok=Ok.NO if failed else Ok.YES if result else Ok.UNKNOWN,
        line=line,
        text="\n".join(words) or given.word(refused, "message", "error", "reason", "errorMessage"),
        detail=body,
    )


def _nested(line: int, key: str, body: Mapping[str, Any]) -> Iterator[Event]:
    """The calls of a sub-agent, as far as the result of its task holds them."""
    success = given.member(body, "result", "success")
    agent = given.word(success, "agentId") or key
    for number, step in enumerate(given.objects(success.get("conversationSteps"))):
        call = given.member(step, "toolCall")
        name, inner = _body(call)
        if name:
            inner_key = given.word(call, "toolCallId") or f"{key}/{number}"
            made = Made(inner_key, name, inner.get("args", inner), {name: inner.get("args")})
            yield from answer(Step(number=0, line=line, agent=agent), [made])
            yield _result(line, inner_key, inner)


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = plain_name(call.step.tool), call.step.arguments
    body = result.detail if result else {}
    success = given.member(body, "result", "success")
    if tool in EDITORS:
        return Deed(edits=edits_of(tool, arguments, success))
    if tool in SHELLS:
        return Deed(commands=(_command(arguments, success, result, about),))
    if tool in AGENTS:
        return Deed(lost=_sub_agent(arguments, success))
    return Deed() if tool in KNOWN else UNKNOWN


def _command(arguments: Mapping[str, Any], success: Mapping[str, Any], result: Result | None, about: About) -> Command:
    code = success.get("exitCode", given.member(result.detail if result else {}, "result", "failure").get("exitCode"))
    return Command(
        text=given.text(arguments, "command"),
        directory=given.optional(arguments, "workingDirectory", "working_directory") or about.directory,
        exit_code=code if type(code) is int else None,
        output=result.text[:OBSERVED] if result else "",
    )


def _sub_agent(arguments: Mapping[str, Any], success: Mapping[str, Any]) -> Lost | None:
    """What is lost with a sub-agent: nothing where its calls are here, or where it only looks."""
    steps = given.objects(success.get("conversationSteps"))
    if any("toolCall" in step for step in steps) or "explore" in given.member(arguments, "subagentType"):
        return None
    return Lost("the calls of its sub-agent are not here, with any edit it made", "sub_agent")


def _time(record: Mapping[str, Any]) -> str:
    return str(record.get("timestamp_ms") or "")
