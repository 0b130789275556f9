"""Copilot CLI's sessions."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.conversation import (
    UNKNOWN,
    About,
    Call,
    Conversation,
    Deed,
    Event,
    Made,
    Result,
    answer,
    cut,
    speech,
)
from gate.agents.copilot import EDITORS, arguments_of, edits_of
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_SHELLS = frozenset(["bash", "powershell"])
_TYPES = frozenset(["write_bash", "write_powershell"])
_READS = frozenset(["view", "grep", "rg", "glob", "show_file", "web_fetch", "web_search", "lsp"])
_SHELL_HELP = frozenset(f"{verb}_{shell}" for verb in ("read", "stop", "list") for shell in _SHELLS)
_TALK = frozenset(["report_intent", "update_todo", "sql", "ask_user", "store_memory", "skill", "think"])
_ENDS = frozenset(["exit_plan_mode", "task_complete", "read_agent", "list_agents", "fetch_copilot_cli_documentation"])
_HARMLESS = _READS | _SHELL_HELP | _TALK | _ENDS
_FOREIGN = "github-mcp-server-"
_LOOKERS = frozenset(["explore", "code-review", "research"])
_EXIT = re.compile(r"<(?:exited|shellId: [^<>\n]{1,80} completed) with exit code (-?\d{1,11})>\s*\Z")
_MARKS = (b'"tool.', b'"assistant.message"', b'"session.')
_REWIND = b"session.snapshot_rewind"
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")
_MAY_KEEP_FILES = (1, 0, 78)
"""From this version on, going back may leave the files as they are."""


class CopilotCLI(Reader):
    """Copilot CLI's sessions (`~/.copilot/session-state/ID/events.jsonl`), and what `--output-format json` prints.

    `create` writes whole files; `edit` (also `str_replace`, `insert`, `str_replace_editor`) and `apply_patch` are
    replayed from the diff that their result shows (`detailedContent`), strictly in its place, else from the call:
    `edit` replaces exact text that stands once. `bash` and `powershell` are commands. `success` says whether a call
    succeeded, of a command its exit code does. Sub-agents' calls stand in the same file.

    Going back to an earlier event (`session.snapshot_rewind`) takes back the steps since then where they still stand
    in the file. From version 1.0.78 on it may leave files as they are, which is not recorded: it makes the replay
    incomplete. This reader was built without a real recording of edits: what it says is marked as unverified.
    """

    def recognises(self, sample: Sample) -> bool:
        """Events of Copilot's, with an id and the id of the one before."""
        return any(map(_is_event, sample.records))

    def read(self, recording: Recording) -> Trajectory:
        """A look for rewinds, a pass for what is answered, then one for each use of `steps`."""
        log = _Log(recording)
        return Conversation(log.events, log.deed).trajectory(self.name, recording.path, unverified=True)


def _is_event(record: Mapping[str, Any]) -> bool:
    kind, data = given.word(record, "type"), record.get("data")
    if not isinstance(data, dict) or "parentId" not in record or "id" not in record:
        return False
    if kind == "session.start":
        return "copilotVersion" in data or data.get("producer") == "copilot-agent"
    return kind in ("user.message", "assistant.message") or (kind.startswith("tool.") and "toolCallId" in data)


class _Told(msgspec.Struct, frozen=True):
    """What a call ran with, where that stands apart from what was asked for, and all of its result."""

    arguments: Any
    result: Mapping[str, Any]


class _Log:
    """A file of events; the first pass learns which calls have those of a sub-agent below them."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._undone = _undone(recording)
        self._parents: set[str] = set()

    def events(self, dropped: list[Dropped]) -> Iterator[Event]:
        """What was said, called and answered, in the order of the lines."""
        place, agents = _Place(), _Agents()
        started: dict[str, Any] = {}
        for line, record in self._recording.records(dropped, harmless=_holds_no_call):
            kind, data = given.word(record, "type"), given.member(record, "data")
            if kind.startswith("session."):
                yield from place.about(line, kind, data, dropped)
                continue
            agent, parent = agents.of(kind, record, data)
            self._parents.add(parent)
            said = Step(
                number=0,
                line=line,
                agent=agent,
                time=given.word(record, "timestamp"),
                directory=place.directory,
                undone=self._is_undone(line),
            )
            if kind == "tool.execution_start":
                started[given.word(data, "toolCallId")] = data.get("arguments")
            yield from _events(kind, said, data, started)

    def _is_undone(self, line: int) -> bool:
        at = bisect_left(self._undone, (line, 0)) - 1
        return at >= 0 and line < self._undone[at][1]

    def deed(self, call: Call, result: Result | None, about: About) -> Deed:
        """What a call did."""
        tool = call.step.tool
        told = result.detail if result else None
        arguments = call.step.arguments
        if isinstance(told, _Told) and told.arguments is not None:
            ran = arguments_of(tool, told.arguments)
            arguments = ran if isinstance(ran, dict) else arguments
        if tool == "task":
            return self._sub_agent(call, arguments, result)
        found = _done(call.step, arguments, result, told.result if isinstance(told, _Told) else {}, about)
        return found if arguments == call.step.arguments else msgspec.structs.replace(found, arguments=arguments)

    def _sub_agent(self, call: Call, arguments: Mapping[str, Any], result: Result | None) -> Deed:
        kind = given.word(arguments, "agent_type")
        if kind in _LOOKERS or call.id in self._parents or (result and result.ok is Ok.NO):
            return Deed()
        reason = f"no call of its sub-agent {kind} is recorded here, with any edit it made"
        return Deed(lost=Lost(" ".join(reason.split()), "sub_agent"))


class _Agents:
    """Sub-agents, by the call that started them."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._calls: dict[str, str] = {}

    def of(self, kind: str, record: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[str, str]:
        """The sub-agent that an event is of and the call that started it; both empty for the agent itself."""
        key = given.word(record, "agentId")
        if kind == "subagent.started":
            call = given.word(data, "toolCallId")
            self._names[call] = given.word(data, "agentName") or call
            self._calls[key] = call
            return "", ""
        call = given.word(data, "parentToolCallId") or (self._calls.get(key, "") if key else "")
        return self._names.get(call, call) or key, call


class _Place:
    """Where a session runs, as its events tell it."""

    def __init__(self) -> None:
        self.directory: str | None = None
        self._version = ""
        self._repository = ""

    def about(self, line: int, kind: str, data: Mapping[str, Any], dropped: list[Dropped]) -> Iterator[Event]:
        """What one event says of the session."""
        if kind in ("session.start", "session.resume", "session.context_changed"):
            yield self._moved(data.get("context") if isinstance(data.get("context"), dict) else data)
            self._version = given.word(data, "copilotVersion") or self._version
            yield About(agent=f"copilot {self._version}".strip(), model=given.word(data, "selectedModel"))
        elif kind == "session.model_change":
            yield About(model=given.word(data, "newModel"))
        elif kind == "session.snapshot_rewind" and _may_keep_files(self._version):
            reason = (
                f"line {line}: a person went back to an earlier event; it is not recorded whether files went back too"
            )
            dropped.append(Dropped(line=line, reason=reason, grave=True))
        elif kind == "session.import_legacy":
            reason = f"line {line} holds an older session in another form, which this reader does not know"
            dropped.append(Dropped(line=line, reason=reason, grave=True))

    def _moved(self, context: Any) -> About:
        """The folder of the repository, and the one it runs in; another one may be a worktree."""
        root, cwd = given.word(context, "gitRoot"), given.word(context, "cwd")
        self.directory = cwd or self.directory
        repository = given.word(context, "repository")
        same = bool(repository) and repository == self._repository
        self._repository = self._repository or repository
        place = root or cwd
        roots = (place,) if place and same else ()
        return About(directory=place or None, start=given.word(context, "headCommit") or None, roots=roots)


def _may_keep_files(version: str) -> bool:
    found = _VERSION.match(version)
    return not found or tuple(map(int, found.groups())) >= _MAY_KEEP_FILES


def _undone(recording: Recording) -> list[tuple[int, int]]:
    """Stretches of lines that a person went back to before, in order: from the event gone back to, to the going back.

    The file is only looked through where somebody went back.
    """
    back: list[tuple[str, int]] = []
    for line, text in recording.lines():
        if _REWIND in text:
            record = recording.record(line, text, []) or {}
            if given.word(record, "type") == _REWIND.decode():
                back.append((given.word(given.member(record, "data"), "upToEventId"), line))
    wanted = {key for key, _ in back}
    known = ((given.word(record, "id"), line) for line, record in (recording.records([]) if wanted else ()))
    lines = {key: line for key, line in known if key in wanted}
    found: list[tuple[int, int]] = []
    for first, last in sorted((lines[key], line) for key, line in back if key in lines):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def _events(kind: str, said: Step, data: Mapping[str, Any], started: dict[str, Any]) -> Iterator[Event]:
    """The events of one line that is not about the session."""
    if kind == "user.message" and not said.agent and given.word(data, "source") in ("", "user"):
        yield speech(said.line, given.word(data, "content"), said.time)
    elif kind == "assistant.message":
        yield About(model=given.word(data, "model"))
        yield from _answered(said, data)
    elif kind in ("tool.execution_start", "tool.user_requested"):
        source = "user" if kind == "tool.user_requested" else "agent"
        yield from _called(msgspec.structs.replace(said, source=source), [data], "toolName")
    elif kind == "tool.execution_complete":
        key = given.word(data, "toolCallId")
        told = _Told(started.pop(key, None), data)
        yield Result(id=key, ok=_ok(data), line=said.line, text=_text(data), detail=told)


def _answered(said: Step, data: Mapping[str, Any]) -> Iterator[Event]:
    """What the agent says and asks for."""
    said = msgspec.structs.replace(
        said, message=given.word(data, "content"), tokens_out=given.count(data, "outputTokens")
    )
    yield from _called(said, given.objects(data.get("toolRequests")), "name")


def _called(said: Step, requests: Sequence[Mapping[str, Any]], name: str) -> Iterator[Event]:
    made = []
    for number, request in enumerate(requests):
        tool, key = given.word(request, name), given.word(request, "toolCallId") or f"line {said.line}, {number}"
        made.append(Made(key, tool, arguments_of(tool, request.get("arguments")), request))
    yield from answer(said, made)


def _ok(data: Mapping[str, Any]) -> Ok:
    code = _exit_code(data)
    if data.get("success") is True and not code:
        return Ok.YES
    return Ok.NO if data.get("success") is False or code else Ok.UNKNOWN


def _text(data: Mapping[str, Any]) -> str:
    error = data.get("error")
    told = given.word(error, "message") if isinstance(error, dict) else error if isinstance(error, str) else ""
    return told or given.spoken(data.get("result"))


def _exit_code(data: Mapping[str, Any]) -> int | None:
    """How a command ended: as told, or as its output says."""
    code = given.count(given.member(data, "shellExecution"), "exitCode")
    code = given.count(data, "exitCode") if code is None else code
    found = _EXIT.search(_text(data)) if code is None else None
    return int(found[1]) if found else code


def _done(
    step: Step, arguments: Mapping[str, Any], result: Result | None, told: Mapping[str, Any], about: About
) -> Deed:
    tool = step.tool
    if tool in EDITORS:
        diff = given.word(given.member(told, "result"), "detailedContent")
        return Deed(edits=edits_of(tool, arguments, diff, directory=step.directory or about.directory))
    if tool in _SHELLS or tool in _TYPES:
        text = given.text(arguments, "input" if tool in _TYPES else "command")
        output = cut(result.text if result else "")
        command = Command(text=text, directory=step.directory, exit_code=_exit_code(told), output=output)
        return Deed(commands=(command,))
    return Deed() if tool in _HARMLESS or tool.startswith(_FOREIGN) else UNKNOWN


def _holds_no_call(line: bytes) -> bool:
    return line.endswith(b"\n") and not any(mark in line for mark in _MARKS)
