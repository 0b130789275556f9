"""Factory Droid's sessions and stream."""

import re
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
    Result,
    answer,
    speech,
)
from gate.editing import patch
from gate.editing.edit import Edit, TextReplace, Write
from gate.editing.text import encoded
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_READS = frozenset(["Read", "LS", "Grep", "Glob", "WebSearch", "FetchUrl", "ViewImage"])
_TALK = frozenset(
    ["TodoWrite", "AskUser", "Skill", "ExitSpecMode", "ProposeMission", "Kill Process", "Pipe Process Input"]
)
_EDITORS = ("Create", "Write", "Edit", "MultiEdit", "ApplyPatch")
_ASIDE = ("todo_state", "compaction_state", "session_end", "completion", "reasoning", "error", "settings")
_REMINDER = "<system-reminder>"
_EXIT = re.compile(r"exit code:? (-?\d+)|exited with code (-?\d+)")
_FAILED = ("Error:", "Error executing")
_MARKS = (b'"tool_use"', b'"tool_result"', b'"tool_call"')


class FactoryDroid(Reader):
    """Factory Droid's session files (`~/.factory/sessions/*.jsonl`), and the stream that `droid exec` prints.

    Create writes a file, Edit and MultiEdit replace text that stands exactly once (or everywhere with `change_all`),
    ApplyPatch applies a patch; Execute is a command. A result with `is_error`, or whose text begins with "Error:", is a
    failure. A sub-agent's (Task) session is another file: without it the replay is incomplete.

    *Unverified*: built from public sources, without a real session that edits files.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session's first line, messages that hold calls, or the stream's calls, which name the tool."""
        return any(_is_droids(record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for what is answered, then one for each use of `steps`."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path, unverified=True)


def _is_droids(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind == "message":
        blocks = given.objects(given.member(record, "message").get("content"))
        return any(block.get("type") in ("tool_use", "tool_result") for block in blocks)
    return (kind == "session_start" and "id" in record) or (kind == "tool_call" and "toolName" in record)


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    for line, record in recording.records(dropped, harmless=_holds_no_call):
        kind, time = record.get("type"), str(record.get("timestamp") or "")
        if kind in ("session_start", "system"):
            model = given.word(record, "model")
            yield About(directory=given.word(record, "cwd") or None, agent="Factory Droid", model=model)
        elif kind == "message":
            message = given.member(record, "message") or record
            if message.get("visibility") != "user_only":  # else it is a notice of the tool
                yield from _said(line, time, message)
        elif kind == "tool_call":
            raw = {"name": record.get("toolName"), "input": record.get("parameters")}
            made = Made(
                str(record.get("id") or f"call at {line}"), record.get("toolName"), record.get("parameters"), raw
            )
            yield from answer(Step(number=0, line=line, time=time), [made])
        elif kind == "tool_result":
            key = str(record.get("id"))
            yield _result(line, key, record.get("value"), record.get("isError"))
        elif kind not in _ASIDE:
            reason = f"line {line} is of the type {str(kind)[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason))


def _said(line: int, time: str, message: Mapping[str, Any]) -> Iterator[Event]:
    content = message.get("content", message.get("text"))
    blocks = given.objects(content) if not isinstance(content, str) else [{"type": "text", "text": content}]
    texts = [block for block in blocks if block.get("type") == "text"]
    text = given.spoken([one for one in texts if not given.word(one, "text").startswith(_REMINDER)])
    if message.get("role") == "user" and text.strip():
        yield speech(line, text, time)
    said = text if message.get("role") == "assistant" else ""
    made = [
        Made(str(block.get("id")), block.get("name"), block.get("input"), block)
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    yield from answer(Step(number=0, line=line, message=said, time=time), made)
    for block in blocks:
        if block.get("type") == "tool_result":
            key = given.word(block, "tool_use_id", "toolUseId")
            yield _result(line, key, block.get("content"), block.get("is_error", block.get("isError")))


def _result(line: int, key: str, content: Any, failed: Any) -> Result:
    text = given.spoken(content)
    bad = failed is True or text.startswith(_FAILED)
    return Result(id=key, ok=Ok.NO if bad else Ok.YES, line=line, text=text)


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    if tool in _EDITORS:
        return Deed(edits=tuple(_edits(tool, arguments)))
    if tool == "Execute":
        said = result.text if result else ""
        command = Command(
            text=given.text(arguments, "command"),
            directory=given.optional(arguments, "cwd") or about.directory,
            exit_code=_exit_code(result),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    if tool == "Task":
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    return Deed() if tool in _READS | _TALK else UNKNOWN


def _edits(tool: str, arguments: Mapping[str, Any]) -> Iterator[Edit]:
    if tool == "ApplyPatch":
        yield from patch.edits_of(given.text(arguments, "input", "patch"))
        return
    path = given.named(arguments, "file_path", "path")
    if tool in ("Create", "Write"):
        yield Write(path=path, content=encoded(given.text(arguments, "content")))
        return
    several = next((key for key in ("edits", "changes") if key in arguments), "")
    for part in given.parts(arguments, several) if several else [arguments]:
        yield TextReplace(
            path=path,
            old=encoded(given.text(part, "old_str", "old_string")),
            new=encoded(given.text(part, "new_str", "new_string")),
            all=part.get("change_all") is True or part.get("replace_all") is True,
        )


def _exit_code(result: Result | None) -> int | None:
    told = _EXIT.search(result.text) if result else None
    return int(told[1] or told[2]) if told else None


def _holds_no_call(line: bytes) -> bool:
    return not any(mark in line for mark in _MARKS)
