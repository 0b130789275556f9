"""Pi's sessions: a header, and a tree of messages in the order in which they were written."""

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
from gate.agents.lookalike import lf
from gate.agents.pi import Pair, PiEdit
from gate.editing.edit import Write
from gate.editing.text import encoded
from gate.jsontext import decode
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Ok, Step, Trajectory

_READS = frozenset(["read", "grep", "find", "ls"])
_ASIDE = frozenset(
    "thinking_level_change compaction branch_summary custom custom_message label session_info".split()  # noqa: SIM905
)
_SILENT = frozenset(["branchSummary", "compactionSummary", "custom", "hookMessage"])
_EXIT = re.compile(r"Command exited with code (-?\d+)\s*\Z")
_BROKEN_OFF = ("error", "aborted")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")


class Pi(Reader):
    """Pi's session files (`~/.pi/agent/sessions/*/*.jsonl`), versions 1 to 3.

    `edit` replaces exact text that stands once in the file, or text that looks alike (quotes, dashes, white space at
    the ends of lines), and keeps the byte order mark and the line ends; `write` writes whole files; `bash`, also the
    person's own, is a command. `isError` says whether a call failed. The calls of an answer that broke off
    (`stopReason` error or aborted) were never run.

    The entries of a session form a tree, in which a person may go back to an earlier one and go on from there. Pi puts
    no files back then, so the edits of all branches count, in the order of the file.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session header with a working directory, or messages with pi's calls and results."""
        first = sample.first
        header = first.get("type") == "session" and "cwd" in first and "id" in first
        return header or any(_is_pis(record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for what is answered, then one for each use of `steps`."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path)


def _is_pis(record: Mapping[str, Any]) -> bool:
    message = given.member(record, "message")
    if record.get("type") != "message":
        return False
    called = any(block.get("type") == "toolCall" for block in given.objects(message.get("content")))
    return called or (message.get("role") == "toolResult" and "toolCallId" in message)


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    for line, record in recording.records(dropped, harmless=_holds_no_call):
        kind, message = record.get("type"), record.get("message")
        if kind == "session":
            yield About(directory=given.word(record, "cwd") or None, agent="pi", model=given.word(record, "modelId"))
        elif kind == "model_change":
            yield About(model=given.word(record, "modelId"))
        elif kind == "message" and isinstance(message, dict):
            yield from _said(line, given.word(record, "timestamp"), message, dropped)
        elif str(kind) not in _ASIDE:
            reason = f"line {line} is of the type {str(kind)[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason, grave=kind == "message"))


def _said(line: int, time: str, message: Mapping[str, Any], dropped: list[Dropped]) -> Iterator[Event]:
    role, content = message.get("role"), message.get("content")
    if role == "user":
        yield speech(line, given.spoken(content), time)
    elif role == "assistant":
        yield About(model=given.word(message, "model"))
        yield from _answered(line, time, message)
    elif role == "toolResult":
        failed = message.get("isError")
        ok = Ok.NO if failed is True else Ok.YES if failed is False else Ok.UNKNOWN
        yield Result(id=str(message.get("toolCallId")), ok=ok, line=line, text=given.spoken(content))
    elif role == "bashExecution":
        yield from _typed(line, time, message)
    elif str(role) not in _SILENT:
        reason = f"line {line} holds a message of {str(role)[:40]!r}, whom this reader does not know"
        dropped.append(Dropped(line=line, reason=reason))


def _answered(line: int, time: str, message: Mapping[str, Any]) -> Iterator[Event]:
    blocks, usage = given.objects(message.get("content")), given.member(message, "usage")
    said = Step(
        number=0,
        line=line,
        message=given.spoken([block for block in blocks if block.get("type") == "text"]),
        time=time,
        tokens_in=given.count(usage, "input", "cacheRead", "cacheWrite"),
        tokens_out=given.count(usage, "output"),
        cost=given.price(usage.get("cost"), "total"),
    )
    made = [
        Made(str(block.get("id")), block.get("name"), block.get("arguments"), block)
        for block in blocks
        if block.get("type") == "toolCall"
    ]
    yield from answer(said, made)
    why = message.get("stopReason")
    for call in made if why in _BROKEN_OFF else ():
        reason = f"the answer broke off ({given.word(message, 'errorMessage') or why}), it was never run"
        yield Result(id=call.id, ok=Ok.NO, line=line, text=reason)


def _typed(line: int, time: str, message: Mapping[str, Any]) -> Iterator[Event]:
    """A command that the person typed."""
    key, code = f"typed at {line}", message.get("exitCode")
    arguments = {"command": message.get("command")}
    yield Call(key, Step(number=0, line=line, source="user", tool="bash", arguments=arguments, time=time))
    ok = Ok.UNKNOWN if type(code) is not int else Ok.NO if code else Ok.YES
    yield Result(id=key, ok=ok, line=line, text=given.word(message, "output"), detail=code)


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    if tool == "write":
        return Deed(edits=(Write(path=_path(arguments), content=encoded(given.text(arguments, "content"))),))
    if tool == "edit":
        whole = result is None or "block(s)" not in result.text
        return Deed(edits=(PiEdit(path=_path(arguments), pairs=_pairs(arguments), whole=whole),))
    if tool == "bash":
        said = result.text if result else ""
        command = Command(
            text=given.text(arguments, "command"),
            directory=about.directory,
            exit_code=_exit_code(result),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    return Deed() if tool in _READS else UNKNOWN


def _path(arguments: Mapping[str, Any]) -> str:
    return _SPACES.sub(" ", given.named(arguments, "path", "file_path").removeprefix("@"))


def _pairs(arguments: Mapping[str, Any]) -> tuple[Pair, ...]:
    """The replacements of a call: a list of them, which some models write as text, or one."""
    edits = arguments.get("edits")
    if isinstance(edits, str):
        edits = decode(edits.encode("utf-8", "replace"))
    listed = given.parts({"edits": edits}, "edits") if edits else [arguments]
    return tuple(Pair(lf(given.text(part, "oldText")), lf(given.text(part, "newText"))) for part in listed)


def _exit_code(result: Result | None) -> int | None:
    if result is None or type(result.detail) is int:
        return result.detail if result else None
    told = _EXIT.search(result.text)
    return int(told[1]) if told else 0 if result.ok is Ok.YES else None


def _holds_no_call(line: bytes) -> bool:
    return line.endswith(b"\n") and not any(
        mark in line for mark in (b'"toolCall"', b'"toolResult"', b'"bashExecution"')
    )
