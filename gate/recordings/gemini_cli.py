"""Gemini CLI's chats."""

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
from gate.agents.gemini import GeminiReplace, GeminiWrite
from gate.agents.journal import SPEAKERS, Journal, calls_of, shown_path
from gate.editing.edit import Edit
from gate.editing.text import encoded
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_READS = frozenset(["read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"])
_WEB = frozenset(["google_web_search", "web_fetch", "get_internal_docs", "list_mcp_resources", "read_mcp_resource"])
_TALK = frozenset(["ask_user", "write_todos", "save_memory", "activate_skill", "update_topic", "complete_task"])
_HARMLESS = _READS | _WEB | _TALK | {"enter_plan_mode", "exit_plan_mode"}
_LOOKERS = frozenset(["codebase_investigator", "cli_help"])
_STATUS = {"success": Ok.YES, "error": Ok.NO, "cancelled": Ok.NO}
_EXIT = re.compile(r"^Exit Code: (-?\d+)", re.MULTILINE)
_NOT_ENDED = ("Command was ", "Command injection detected", "Command moved to background", "Command is running in")


class GeminiCli(Reader):
    """Gemini CLI's chats (`~/.gemini/tmp/*/chats/session-*.json` and `.jsonl`), and those of its sub-agents.

    `replace` and `write_file` are replayed from what their result shows (`newContent`): the arguments are only what
    the model proposed; the tool and the person may have changed it. Where an older version shows no content, the
    arguments are applied as the tool does: the exact text, else the same lines at another indentation, else the same
    words. `run_shell_command` is a command. `status` says whether a call succeeded.

    In the journal (`.jsonl`) the last version of a message counts. A rewind (`$rewindTo`) is taken to have put files
    back, as the first choice of Gemini CLI's dialogue does; where no later edit shows it, that is said. Files that
    `replace` made stay. The working directory is the folder above a recorded path that has the hash which the chat
    names. A sub-agent's own chat is another file: without it, a call to one that may edit makes the replay
    incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session id beside a project hash, or a message of Gemini."""
        records = sample.records or (sample.first,)
        return any(_is_session(record) or _is_answer(record) for record in records)

    def read(self, recording: Recording) -> Trajectory:
        """One pass for what is the last version of a message, then one for each use of `steps`."""
        journal = Journal(recording)
        conversation = Conversation(lambda dropped: _events(journal, dropped), _deed)
        return conversation.trajectory(self.name, recording.path)


def _is_session(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("sessionId"), str) and isinstance(record.get("projectHash"), str)


def _is_answer(record: Mapping[str, Any]) -> bool:
    return record.get("type") == "gemini" and isinstance(record.get("id"), str) and "content" in record


def _events(journal: Journal, dropped: list[Dropped]) -> Iterator[Event]:
    root = journal.directory
    short = (root.removeprefix("/private"),) if root and root.startswith("/private/") else ()
    yield About(directory=root, roots=short, agent="Gemini CLI", model=journal.model)
    for line, message, taken_back in journal.messages(dropped):
        kind, calls = message.get("type"), calls_of(message)
        text = given.spoken(message.get("content"))
        if kind not in SPEAKERS:
            reason = f"line {line} holds a message of the type {str(kind)[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason, grave=bool(calls)))
        elif kind == "user" and text.strip():
            yield speech(line, text, message.get("timestamp"))
        elif kind == "gemini":
            tokens = given.member(message, "tokens")
            said = Step(
                number=0,
                line=line,
                agent=journal.agent,
                message=text,
                time=str(message.get("timestamp") or ""),
                tokens_in=given.count(tokens, "input"),
                tokens_out=given.count(tokens, "output"),
            )
            yield from _answered(said, calls, taken_back=taken_back)


def _answered(said: Step, calls: list[dict[str, Any]], *, taken_back: bool) -> Iterator[Event]:
    made = []
    for index, call in enumerate(calls):
        key = str(call.get("id") or f"{said.line}.{index}")
        raw = {name: call.get(name) for name in ("id", "name", "args")}
        made.append(Made(key, call.get("name"), call.get("args"), raw))
    yield from answer(said, made)
    for one, call in zip(made, calls, strict=True):
        ok, text = _STATUS.get(str(call.get("status")), Ok.UNKNOWN), _words(call)
        if one.tool == "run_shell_command" and _exit_code(text, ok):
            ok = Ok.NO
        yield Result(id=one.id, ok=ok, line=said.line, text=text, detail=(call, taken_back))


def _words(call: Mapping[str, Any]) -> str:
    """What the tool told the model, else what it showed the person."""
    results = call.get("result")
    said = []
    for part in results if isinstance(results, list) else [results]:
        response = given.member(part, "functionResponse", "response")
        said += [value for value in (response.get("output"), response.get("error")) if isinstance(value, str)]
    display = call.get("resultDisplay")
    return "\n".join(said) or (display if isinstance(display, str) else "")


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    recorded, taken_back = result.detail if result else ({}, False)
    display = given.member(recorded, "resultDisplay")
    if tool in ("replace", "write_file"):
        make = _replace if tool == "replace" else _write
        return Deed(edits=(make(arguments, display),), undone=taken_back and bool(shown_path(recorded)))
    if tool == "run_shell_command":
        said, ok = (result.text, result.ok) if result else ("", Ok.UNKNOWN)
        command = Command(
            text=given.text(arguments, "command"),
            directory=given.optional(arguments, "dir_path", "directory") or about.directory,
            exit_code=_exit_code(said, ok),
            output=said[:OBSERVED],
        )
        return Deed(commands=(command,))
    agent = recorded.get("agentId")
    if agent and tool not in _LOOKERS | _HARMLESS:
        return Deed(
            lost=Lost(f"the recording of its sub-agent {agent} is not here, with any edit it made", "sub_agent")
        )
    return Deed() if tool in _HARMLESS | _LOOKERS else UNKNOWN


def _replace(arguments: Mapping[str, Any], display: Mapping[str, Any]) -> Edit:
    before, after = (given.optional(display, key) for key in ("originalContent", "newContent"))
    count = given.number(arguments, "expected_replacements")
    return GeminiReplace(
        path=given.optional(display, "filePath") or given.named(arguments, "file_path", "path"),
        old=encoded(given.text(arguments, "old_string").replace("\r\n", "\n")),
        new=encoded(given.text(arguments, "new_string").replace("\r\n", "\n")),
        all=arguments.get("allow_multiple") is True or (count or 1) > 1,
        before=None if before is None else encoded(before),
        after=None if after is None else encoded(after),
    )


def _write(arguments: Mapping[str, Any], display: Mapping[str, Any]) -> Edit:
    path = given.optional(display, "filePath") or given.named(arguments, "file_path", "path")
    after = given.optional(display, "newContent")
    return GeminiWrite(
        path=path,
        content=encoded(given.text(arguments, "content")),
        after=None if after is None else encoded(after),
        windows=path[1:3] == ":\\" or path.startswith("\\\\"),
    )


def _exit_code(said: str, ok: Ok) -> int | None:
    """How a command ended: a success is not told, except by older versions."""
    told = _EXIT.search(said)
    if told:
        return int(told[1])
    return 0 if ok is Ok.YES and said and not said.startswith(_NOT_ENDED) else None
