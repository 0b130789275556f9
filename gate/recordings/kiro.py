"""Kiro's conversations."""

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
from gate.agents.kiro import carries_text, edits_of
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Lost, Ok, Step, Trajectory

_WRITES = ("fs_write", "write")
_SHELLS = ("execute_bash", "execute_cmd", "shell")
_AGENTS = ("use_subagent", "subagent", "delegate")
_READS = (
    "fs_read",
    "read",
    "grep",
    "glob",
    "introspect",
    "knowledge",
    "thinking",
    "todo_list",
    "report_issue",
    "gh_issue",
)
_WEB = ("web_search", "web_fetch", "code_search")
_CONTENTS = ("Prompt", "ToolUseResults", "CancelledToolUses")
_CODE = re.compile(r"(-?\d+)\s*\Z")
_INSTEAD = (
    "record the conversation as Kiro's /chat save writes it, or the session over the Agent Client Protocol instead"
)


class Kiro(Reader):
    """Kiro's conversations: a JSON object with a `history` of `user` and `assistant`.

    Where they come thinned out, without tool calls or with calls that name a file and not what was written, nothing can
    be replayed: such a recording is refused. Record the conversation as `/chat save` writes it, or the session over the
    Agent Client Protocol. A whole one is read: `fs_write` (create, str_replace, insert, append) writes files,
    `execute_bash` is a command, `status` says whether a call succeeded. A sub-agent makes the replay incomplete.

    *Unverified*: built from public sources, without a real conversation that holds edits.
    """

    def recognises(self, sample: Sample) -> bool:
        """A history whose entries have Kiro's two sides."""
        document = sample.document
        entries = given.objects(document.get("history")) if isinstance(document, dict) else []
        return bool(entries) and all(_is_entry(entry) for entry in entries[:8])

    def read(self, recording: Recording) -> Trajectory:
        """The whole conversation, where it tells what was done."""
        document = recording.document()
        calls = [call for entry in given.objects(document["history"]) for call in _calls(entry)]
        writes = [call for call in calls if str(call.get("name")) in _WRITES]
        if not calls:
            raise recording.error(
                f"this conversation of Kiro's holds what was said, and no tool call; {_INSTEAD}", kind="no_content"
            )
        if writes and not any(carries_text(call.get("args")) for call in writes):
            raise recording.error(
                f"the edits in this conversation of Kiro's name files, and not what was written; {_INSTEAD}",
                kind="no_content",
            )
        conversation = Conversation(lambda _: _events(document), _deed)
        return conversation.trajectory(self.name, recording.path, unverified=True)


def _is_entry(entry: Mapping[str, Any]) -> bool:
    said, answered = given.member(entry, "user", "content"), given.member(entry, "assistant")
    return any(key in said for key in _CONTENTS) or "Response" in answered or "ToolUse" in answered


def _calls(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    return given.objects(given.member(entry, "assistant", "ToolUse").get("tool_uses"))


def _events(document: Mapping[str, Any]) -> Iterator[Event]:
    model = given.word(given.member(document, "model_info"), "model_id") or given.word(document, "model")
    yield About(agent="Kiro", model=model)
    waiting: list[Made] = []
    for number, entry in enumerate(given.objects(document.get("history"))):
        said = given.member(entry, "user", "content")
        time = given.word(given.member(entry, "user"), "timestamp")
        state = given.member(entry, "user", "env_context", "env_state")
        yield About(directory=given.word(state, "current_working_directory") or None)
        for kind in ("ToolUseResults", "CancelledToolUses"):
            yield from _results(given.member(said, kind), waiting, cancelled=kind == "CancelledToolUses")
        prompt = given.word(given.member(said, "Prompt") or given.member(said, "CancelledToolUses"), "prompt")
        if prompt:
            yield speech(0, prompt, time)
        waiting = [
            Made(given.word(call, "id") or f"{number}.{place}", call.get("name"), call.get("args"), call)
            for place, call in enumerate(_calls(entry))
        ]
        answered = given.member(entry, "assistant", "ToolUse") or given.member(entry, "assistant", "Response")
        yield from answer(Step(number=0, message=given.word(answered, "content"), time=time), waiting)


def _results(told: Mapping[str, Any], waiting: list[Made], *, cancelled: bool) -> Iterator[Event]:
    for place, result in enumerate(given.objects(told.get("tool_use_results"))):
        nameless = waiting[place].id if place < len(waiting) else "a call"
        status = str(result.get("status"))
        parts = [_told(part) for part in given.objects(result.get("content"))]
        yield Result(
            id=given.word(result, "tool_use_id") or nameless,
            ok=Ok.NO if cancelled or status == "Error" else Ok.YES if status == "Success" else Ok.UNKNOWN,
            text="\n".join(text for text, _ in parts if text),
            detail=next((code for _, code in parts if code is not None), None),
        )


def _told(part: Mapping[str, Any]) -> tuple[str, int | None]:
    """The text of a part of a result, and the exit code in it."""
    json = given.member(part, "Json")
    code = _CODE.search(str(json.get("exit_status", "")))
    said = [given.word(part, "Text"), given.word(json, "stdout"), given.word(json, "stderr")]
    return "\n".join(text for text in said if text), int(code[1]) if code else None


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    if tool in _WRITES:
        return Deed(edits=edits_of(arguments))
    if tool in _SHELLS:
        command = Command(
            text=given.text(arguments, "command"),
            directory=given.optional(arguments, "working_dir") or about.directory,
            exit_code=result.detail if result else None,
            output=result.text[:OBSERVED] if result else "",
        )
        return Deed(commands=(command,))
    if tool in _AGENTS:
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    return Deed() if tool in _READS or tool in _WEB else UNKNOWN
