"""Goose's sessions: exported, as older versions kept them, or as `goose run` prints them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

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
from gate.agents.goose import edits_of
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_READS = frozenset(["tree", "analyze", "read_image", "image_processor", "list_windows", "screen_capture", "read"])
_TALK = frozenset(["todo_write", "todo_read", "todo__todo_write", "todo__todo_read", "load", "load_skill"])
_AGENTS = ("delegate", "execute_task", "create_task")
_EDITORS = ("text_editor", "edit", "write")
_CODE = ("execute_typescript", "code_execution__execute", "code_execution__execute_code")
_STREAM = ("notification", "error", "complete", "model_change")
_BLOCKS = ("toolRequest", "toolResponse")
_EXIT = re.compile(r"Command exited with code (-?\d+)\s*\Z")


class Goose(Reader):
    """Goose's sessions: `goose session export --format json`, older session files (`.jsonl`), and `stream-json`.

    The developer extension's tools are replayed: `text_editor` (write, str_replace also with a diff, insert,
    undo_edit) as it writes files, with LF ends and one at the end; the newer `write` and `edit` byte for byte. `shell`
    is a command. A result with `status` error or `isError` is a failure. `undo_edit` takes back every edit since the
    last replacement or insertion in that file. A sub-agent's own session is another recording: without it, a call to
    one makes the replay incomplete, as does code that the agent ran and that may have called tools itself.

    *Unverified*: built from goose's public sources, without a real session that edits files.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session with a working directory and messages, or messages with goose's requests and responses."""
        first = sample.first
        if "working_dir" in first and ("conversation" in first or "message_count" in first or "description" in first):
            return True
        return any(_is_gooses(given.member(record, "message") or record) for record in sample.records)

    def read(self, recording: Recording) -> Trajectory:
        """The whole session, since an `undo_edit` takes back earlier steps."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        trajectory = conversation.trajectory(self.name, recording.path, unverified=True)
        return msgspec.structs.replace(trajectory, steps=_undone(trajectory.steps))


def _is_gooses(message: Mapping[str, Any]) -> bool:
    return "role" in message and any(block.get("type") in _BLOCKS for block in given.objects(message.get("content")))


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    for line, record in _records(recording, dropped):
        if "working_dir" in record:
            model = given.word(given.member(record, "model_config"), "model_name")
            yield About(directory=given.word(record, "working_dir") or None, agent="goose", model=model)
        agent = given.word(record, "id") or "subagent" if record.get("session_type") == "sub_agent" else ""
        message = record.get("message", record)
        messages = record.get("conversation", [message])
        for said in given.objects(messages):
            if isinstance(said.get("content"), list) and "role" in said:
                yield from _said(line, said, agent)
            elif "working_dir" not in said and said.get("type") not in _STREAM:
                dropped.append(Dropped(line=line, reason=f"line {line} holds no message of goose", grave=True))


def _records(recording: Recording, dropped: list[Dropped]) -> Iterable[tuple[int, dict[str, Any]]]:
    document = Sample(recording).document
    if isinstance(document, dict) and "conversation" in document:
        return [(0, document)]
    return recording.records(dropped)


def _said(line: int, message: Mapping[str, Any], agent: str) -> Iterator[Event]:
    blocks = given.objects(message.get("content"))
    time = message.get("created")
    text = given.spoken([block for block in blocks if block.get("type") == "text"])
    if message.get("role") == "user" and text.strip():
        yield speech(line, text, str(time))
    made = [
        _made(block, f"{line}.{number}") for number, block in enumerate(blocks) if block.get("type") == "toolRequest"
    ]
    said = text if message.get("role") == "assistant" else ""
    yield from answer(Step(number=0, line=line, agent=agent, message=said, time=str(time or "")), made)
    for block in blocks:
        if block.get("type") == "toolResponse":
            yield _result(line, block)


def _made(block: Mapping[str, Any], place: str) -> Made:
    call = given.member(block, "toolCall")
    value = given.member(call, "value") or call or block
    name = given.word(value, "name") or "a call that cannot be read"
    return Made(str(block.get("id") or place), name, value.get("arguments"), block)


def _result(line: int, block: Mapping[str, Any]) -> Result:
    result = block.get("toolResult")
    value = result.get("value") if isinstance(result, dict) else result
    status = result.get("status") if isinstance(result, dict) else None
    failed = status == "error" or given.member(result, "value").get("isError") is True
    content = value.get("content") if isinstance(value, dict) else value
    text = given.spoken([part for part in content if _is_for_the_model(part)] if isinstance(content, list) else content)
    return Result(
        id=str(block.get("id")),
        ok=Ok.NO if failed else Ok.YES if status == "success" else Ok.UNKNOWN,
        line=line,
        text=text or given.word(result, "error"),
        detail=given.member(value, "structuredContent").get("exit_code"),
    )


def _is_for_the_model(part: Any) -> bool:
    audience = given.member(part, "annotations").get("audience") or (
        part.get("audience") if isinstance(part, dict) else 0
    )
    return not isinstance(audience, list) or "assistant" in audience


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    name, arguments = call.step.tool.removeprefix("developer__"), call.step.arguments
    if name in _EDITORS:
        return Deed(edits=edits_of(name, arguments) or ())
    if name == "shell":
        said = result.text if result else ""
        command = Command(
            text=given.text(arguments, "command"),
            directory=about.directory,
            exit_code=_exit_code(result),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    if name.endswith(_AGENTS):
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    if name in _CODE:
        return Deed(lost=Lost("it ran code that may have called other tools", "code"))
    known = name in _READS | _TALK or name.startswith(("platform__", "extensionmanager__", "chatrecall__"))
    return Deed() if known else UNKNOWN


def _exit_code(result: Result | None) -> int | None:
    if result is None:
        return None
    told = _EXIT.search(result.text)
    return result.detail if type(result.detail) is int else int(told[1]) if told else None


def _undone(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps, with every edit marked that an `undo_edit` took back; writing a file is not remembered by the tool."""
    done = list(steps)
    edited: dict[str, list[int]] = {}
    for index, step in enumerate(done):
        if step.ok is Ok.NO or not step.tool.endswith("text_editor"):
            continue
        if step.arguments.get("command") == "undo_edit":
            known = edited.get(str(step.arguments.get("path")), [])
            remembered = [at for at in known if done[at].arguments.get("command") != "write"]
            for at in known[known.index(remembered[-1]) :] if remembered else ():
                done[at] = msgspec.structs.replace(done[at], undone=True)
                known.remove(at)
            if not remembered:
                lost = Lost("the edit that it takes back is not in the recording", "replay_mismatch")
                done[index] = msgspec.structs.replace(step, lost=lost)
        for edit in step.edits:
            edited.setdefault(edit.path, []).append(index)
    return tuple(done)
