"""OpenHands' software agent SDK: the events of a conversation."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.conversation import UNKNOWN, About, Call, Conversation, Deed, Event, Message, Result, cut, speech
from gate.agents.editor import Editor, edits_of
from gate.agents.given import content, count, member, named, objects, optional, spoken, text, word
from gate.editing import patch
from gate.editing.edit import Delete, Edit, Move, Replace, TextReplace, Write
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.jsontext import decode, shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_SDK = Editor(strip=True)
_EDITORS = frozenset(["FileEditorAction", "StrReplaceEditorAction", "PlanningFileEditorAction"])
_SHELLS = frozenset(["TerminalAction", "ExecuteBashAction", "BashAction"])
_AGENTS = frozenset(["TaskAction", "DelegateAction", "WorkflowAction"])
_READS = frozenset(["ReadFileAction", "ListDirectoryAction", "GlobAction", "GrepAction", "VisionInspectAction"])
_TALKS = frozenset(["ThinkAction", "FinishAction", "TaskTrackerAction", "InvokeSkillAction", "SwitchLLMAction"])
_TALKS |= frozenset(["ConsultTomAction", "SleeptimeComputeAction"])
_ANSWERS = frozenset(["ObservationEvent", "UserRejectObservation", "AgentErrorEvent"])


class OpenHandsSdk(Reader):
    """The events of OpenHands' SDK: `events.jsonl`, a list, or the `items` that its server gives.

    The file editor's and the Gemini-like tools' observations hold the whole content before and after, and those count.
    `apply_patch` counts by the contents that its observation holds, else as the patch. The terminal is a command.
    `UserRejectObservation` and `AgentErrorEvent` mean that an action was not carried out. A sub-agent's conversation is
    a recording of its own: a call to one makes the replay incomplete. Going back to an earlier event starts a new
    branch and leaves the files as they are, so every branch counts.
    """

    def recognises(self, sample: Sample) -> bool:
        """Events with a `kind` of the SDK, an `id` and a `source`."""
        records: Iterable[Any] = sample.records
        if not sample.records:
            records = sample.document if isinstance(sample.document, list) else _listed(sample.first)
        return any(_is_ours(record) for record in records)

    def read(self, recording: Recording) -> Trajectory:
        """Every action is a step, in the order of the file."""
        conversation = Conversation(lambda dropped: _events(recording, dropped), _deed)
        return conversation.trajectory(self.name, recording.path)


def _is_ours(record: Any) -> bool:
    if not isinstance(record, dict) or not {"id", "source", "kind"} <= record.keys():
        return False
    kind = record["kind"]
    return isinstance(kind, str) and (kind.endswith("Event") or kind in _ANSWERS)


def _listed(document: Any) -> list[Any]:
    """The events of a document that holds a list of them, else the document as its only event."""
    holder = document if isinstance(document, dict) else {}
    found = [holder[key] for key in ("items", "events") if isinstance(holder.get(key), list)]
    return found[0] if found else [holder]


def _recorded(recording: Recording, dropped: list[Dropped]) -> Iterator[tuple[int, dict[str, Any]]]:
    sample = Sample(recording)
    if sample.records:
        yield from recording.records(dropped)
        return
    document = recording.document()
    for number, event in enumerate(document if isinstance(document, list) else _listed(document), 1):
        if isinstance(event, dict):
            yield 0, event
        else:
            reason = f"event {number}: expected an object, found {shown(event)}"
            dropped.append(Dropped(line=0, reason=reason, grave=True))


def _events(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    for line, event in _recorded(recording, dropped):
        kind = word(event, "kind")
        if kind == "ActionEvent":
            yield _call(line, event)
        elif kind in _ANSWERS:
            yield _result(line, event, kind)
            yield About(directory=word(member(event, "observation", "metadata"), "working_dir") or None)
        elif kind == "MessageEvent":
            yield _message(line, event)
        elif kind == "ACPToolCallEvent" and event.get("status") in ("completed", "failed"):
            yield from _acp(line, event)
        elif kind == "ConversationStateUpdateEvent":
            yield from _state(event)
        elif not kind.endswith(("Event", "Condensation", "CondensationRequest")):
            reason = f"an event of the kind {kind[:40]!r}, which this reader does not know"
            dropped.append(Dropped(line=line, reason=f"line {line} holds {reason}" if line else f"there is {reason}"))


def _call(line: int, event: dict[str, Any]) -> Call:
    action = event.get("action")
    arguments = action if isinstance(action, dict) else _asked(event)
    step = Step(
        number=0,
        line=line,
        tool=word(event, "tool_name") or word(member(action), "kind"),
        arguments={key: value for key, value in arguments.items() if key != "kind"},
        message=spoken(event.get("thought")),
        time=word(event, "timestamp"),
        raw=event,
    )
    return Call(str(event.get("id")), step)


def _asked(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the model asked for, where it was no action."""
    try:
        return member(decode(word(member(event, "tool_call"), "arguments").encode()))
    except (RecordingError, UnicodeEncodeError):
        return {}


def _result(line: int, event: dict[str, Any], kind: str) -> Result:
    observation = member(event, "observation")
    said = spoken(observation.get("content")) or word(event, "rejection_reason", "error")
    key = event.get("action_id") or event.get("tool_call_id")
    if kind != "ObservationEvent" or observation.get("is_error") is True:
        ok = Ok.NO
    else:
        code = _code(observation)
        ok = Ok.YES if code in (None, 0) else Ok.UNKNOWN if code == -1 else Ok.NO
    return Result(id=str(key), ok=ok, line=line, text=said, detail=observation)


def _code(observation: Mapping[str, Any]) -> int | None:
    code = count(observation, "exit_code")
    return count(member(observation, "metadata"), "exit_code") if code is None else code


def _message(line: int, event: dict[str, Any]) -> Message:
    said, time = spoken(event.get("llm_message")), word(event, "timestamp")
    if event.get("source") == "user":
        return speech(line, said, time)
    return Message(Step(number=0, line=line, message=said, time=time, raw=event))


def _state(event: Mapping[str, Any]) -> Iterator[About]:
    value = member(event, "value")
    if event.get("key") == "full_state":
        directory = word(member(value, "workspace"), "working_dir") or None
        yield About(directory=directory, agent="OpenHands SDK", model=word(member(value, "agent", "llm"), "model"))
    for metrics in member(value, "usage_to_metrics").values() if event.get("key") == "stats" else ():
        yield About(agent="OpenHands SDK", model=word(metrics, "model_name"))


def _acp(line: int, event: dict[str, Any]) -> Iterator[Event]:
    """A call that another agent carried out, behind the agent client protocol."""
    key = str(event.get("tool_call_id"))
    step = Step(number=0, line=line, tool=word(event, "tool_kind", "title"), arguments=member(event, "raw_input"))
    yield Call(key, msgspec.structs.replace(step, time=word(event, "timestamp"), raw=event))
    ok = Ok.NO if event.get("is_error") or event["status"] == "failed" else Ok.YES
    yield Result(id=key, ok=ok, line=line, text=spoken(event.get("content")), detail={"kind": "ACP"} | event)


def _deed(call: Call, result: Result | None, about: About) -> Deed:
    """What an action did, by its kind, else by the name of its tool."""
    observation = member(result.detail) if result else {}
    arguments, raw = call.step.arguments, member(call.step.raw)
    kind = word(member(raw, "action"), "kind") or _KINDS.get(call.step.tool, "")
    if raw.get("kind") == "ACPToolCallEvent":
        return Deed(edits=tuple(_diffs(raw)), commands=tuple(_acp_commands(raw)))
    if kind in _EDITORS:
        before, after = content(observation, "old_content"), content(observation, "new_content")
        return Deed(edits=edits_of(arguments, _SDK, before=before, after=after))
    if kind in ("EditAction", "WriteFileAction"):
        return Deed(edits=(_gemini(kind, arguments, observation),))
    if kind == "ApplyPatchAction":
        return Deed(edits=tuple(_committed(observation)) or patch.edits_of(text(arguments, "patch")))
    if kind in _SHELLS:
        directory = call.step.directory or about.directory
        command = Command(
            text=text(arguments, "command"),
            directory=directory,
            exit_code=_code(observation),
            output=cut(result.text) if result else "",
        )
        return Deed(commands=(command,))
    if kind in _AGENTS:
        return Deed(lost=Lost("the recording of its sub-agent is not here, with any edit it made", "sub_agent"))
    harmless = kind in _READS or kind in _TALKS or kind.startswith("Browser")
    return Deed() if harmless else UNKNOWN


_KINDS = {
    "file_editor": "FileEditorAction",
    "str_replace_editor": "StrReplaceEditorAction",
    "terminal": "TerminalAction",
    "execute_bash": "ExecuteBashAction",
    "apply_patch": "ApplyPatchAction",
}
"""The kind of a call that was no action, by the name of its tool."""


def _gemini(kind: str, arguments: Mapping[str, Any], observation: Mapping[str, Any]) -> Edit:
    path = named(arguments, "file_path")
    before, after = content(observation, "old_content"), content(observation, "new_content")
    if kind == "WriteFileAction":
        return Write(path=path, content=encoded(text(arguments, "content")), before=before, after=after)
    old, new = encoded(text(arguments, "old_string")), encoded(text(arguments, "new_string"))
    whole = count(arguments, "expected_replacements") not in (None, 1)
    return Replace(path=path, old=old, new=new, all=whole, before=before, after=after)


def _committed(observation: Mapping[str, Any]) -> Iterator[Edit]:
    for path, change in member(observation, "commit", "changes").items():
        old, new = content(change, "old_content"), content(change, "new_content")
        if word(change, "type") == "delete":
            yield Delete(path=path)
        elif word(change, "move_path"):
            yield Move(path=path, to=word(change, "move_path"), before=old, after=new)
        elif new is not None:
            yield Write(path=path, content=new, before=old)


def _diffs(event: Mapping[str, Any]) -> Iterator[Edit]:
    for block in objects(event.get("content")):
        if block.get("type") == "diff":
            old = optional(block, "old_text", "oldText")
            new, path = encoded(text(block, "new_text", "newText")), named(block, "path")
            yield TextReplace(path=path, old=encoded(old), new=new) if old else Write(path=path, content=new)


def _acp_commands(event: Mapping[str, Any]) -> Iterator[Command]:
    command = member(event, "raw_input").get("command")
    if event.get("tool_kind") == "execute" and isinstance(command, str):
        yield Command(text=command)
