"""Cursor's agent transcripts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.agents.conversation import UNKNOWN, About, Call, Conversation, Deed, Event, Made, Result, answer, speech
from gate.agents.cursor import AGENTS, EDITORS, KNOWN, SHELLS, edits_of, plain_name
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_QUERY = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)
_TIME = re.compile(r"<timestamp>(.*?)</timestamp>")
_WORKSPACE = re.compile(r"^Workspace Path: (\S.*?)\s*$", re.MULTILINE)
_MARK = b'"tool_use"'


class CursorTranscript(Reader):
    """Cursor's agent transcripts (`~/.cursor/projects/*/agent-transcripts/*.jsonl`), and those of sub-agents.

    StrReplace, Write, Delete and ApplyPatch are replayed, Shell is a command. The format has no results: whether a call
    succeeded is unknown, and an edit is applied where it fits. Older transcripts hold only what was said, no calls at
    all; that is told, since their edits are lost. Paths are absolute, and the working directory is not recorded unless
    the first prompt names it.

    *Unverified*: built from public sources and a single real edit.
    """

    def recognises(self, sample: Sample) -> bool:
        """Lines that are a role and a message of parts, and nothing else that other agents add."""
        records = [record for record in sample.records if record.get("type") != "turn_ended"]
        return bool(records) and all(_is_cursors(record) for record in records[:8])

    def read(self, recording: Recording) -> Trajectory:
        """One pass for what is there at all, then one for each use of `steps`."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path, unverified=True)


def _is_cursors(record: Mapping[str, Any]) -> bool:
    content = given.member(record, "message").get("content")
    known = record.keys() <= {"role", "message", "timestamp"}
    return known and record.get("role") in ("user", "assistant") and isinstance(content, list | str)


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    called = spoke = False
    yield About(agent="Cursor")
    for line, record in recording.records(dropped, harmless=lambda data: _MARK not in data):
        if record.get("type") == "turn_ended":
            continue
        message, role = given.member(record, "message"), record.get("role")
        content = message.get("content")
        blocks = given.objects(content)
        text = given.spoken(
            content if isinstance(content, str) else [one for one in blocks if one.get("type") == "text"]
        )
        if role == "user":
            yield from _asked(line, text)
        elif role == "assistant":
            made = [_made(block, f"{line}.{number}") for number, block in enumerate(blocks) if "name" in block]
            called, spoke = called or bool(made), True
            yield About(model=given.word(message, "model"))
            yield from answer(Step(number=0, line=line, message=text, time=given.word(record, "timestamp")), made)
        else:
            dropped.append(Dropped(line=line, reason=f"line {line} is no message of Cursor", grave=bool(blocks)))
        yield from (_result(line, block) for block in blocks if block.get("type") == "tool_result")
    if spoke and not called:
        reason = "the transcript holds no call of a tool, as those of older versions of Cursor"
        dropped.append(Dropped(line=0, reason=reason, grave=True))


def _asked(line: int, text: str) -> Iterator[Event]:
    folder, time, query = _WORKSPACE.search(text), _TIME.search(text), _QUERY.search(text)
    if folder:
        yield About(directory=folder[1])
    if text.strip():
        yield speech(line, query[1] if query else text, time[1] if time else "")


def _made(block: Mapping[str, Any], place: str) -> Made:
    arguments = block.get("input")
    if isinstance(arguments, str):  # a patch stands alone
        arguments = {"patch": arguments}
    return Made(given.word(block, "id") or place, block.get("name"), arguments, dict(block))


def _result(line: int, block: Mapping[str, Any]) -> Result:
    failed = block.get("is_error")
    ok = Ok.NO if failed is True else Ok.YES if failed is False else Ok.UNKNOWN
    return Result(id=str(block.get("tool_use_id")), ok=ok, line=line, text=given.spoken(block.get("content")))


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = plain_name(call.step.tool), call.step.arguments
    if tool in EDITORS:
        return Deed(edits=edits_of(tool, arguments, {}))
    if tool in SHELLS:
        directory = given.optional(arguments, "working_directory") or about.directory
        command = Command(
            text=given.text(arguments, "command"), directory=directory, output=result.text if result else ""
        )
        return Deed(commands=(command,))
    if tool in AGENTS and arguments.get("readonly") is not True and arguments.get("subagent_type") != "explore":
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    return Deed() if tool in KNOWN else UNKNOWN
