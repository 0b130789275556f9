"""OpenHands' events (version 0), as a list, a download, or the output of its evaluation."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.conversation import About, Call, Conversation, Event, Message, Result, speech
from gate.agents.editor import resolved
from gate.agents.given import count, member, spoken, word
from gate.agents.openhands import deed, outcome
from gate.errors import RecordingError
from gate.jsontext import shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Dropped, Step, Trajectory

_SAYS = frozenset(["message", "system", "change_agent_state", "null"])
_UPLOADED = re.compile(r"<uploaded_files>\s*(/\S+)\s*</uploaded_files>")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PAIR = 4  # an action and what came of it; some writers append more
_TOLD = 5


class OpenHands(Reader):
    """OpenHands' events of version 0: a list, a download with `trajectory`, or a line of `output.jsonl` with `history`,
    also in the old forms: pairs of an action and what came of it, and arguments beside the action.

    `edit` is the editor tool (create, str_replace, insert, undo_edit) or, before it, an edit by a second model;
    `write` puts lines into a file. Where the recording has the whole content after an edit, that counts; versions from
    February 2025 on record the old and the new text in its place, and the call is applied as the tool does it: until
    May 2025 every tab of the file became spaces. `run` is a command, and so is `run_ipython`, as Python read from a
    heredoc. An answer `error` or `user_rejected`, or one that begins with `ERROR:`, is a failure. What a delegate did
    counts, under its name.

    The working directory is the one that the task names as uploaded, else the recorded one of the repository, else
    `/workspace`. A file that holds the runs of several tasks should be split: their edits are of different trees.
    """

    def recognises(self, sample: Sample) -> bool:
        """Events with `action` and `args`, or `observation` and `extras`; they may stand in pairs, or in a history."""
        for record in sample.records or (sample.first,):
            if _is_event(record) or _is_run(record.get("history")) or _is_run(record.get("trajectory")):
                return True
        return _is_run(sample.document)

    def read(self, recording: Recording) -> Trajectory:
        """Every action is a step, in the order of the file."""
        dropped: list[Dropped] = []
        runs = tuple(_runs(recording, dropped))
        conversation = Conversation(lambda more: _events(runs, more), deed)
        whole = conversation.trajectory(self.name, recording.path)
        if len(runs) > 1:
            names = ", ".join(run.name or f"line {run.line}" for run in runs[:_TOLD])
            reason = f"the file holds {len(runs)} runs ({names}); they start from different trees, split the file"
            dropped.append(Dropped(line=0, reason=reason, grave=True))
        return msgspec.structs.replace(whole, steps=resolved(whole.steps), dropped=(*dropped, *whole.dropped))


class _Run(msgspec.Struct, frozen=True):
    """One run: its events as recorded, the task's name, and the line of the file that it stands on."""

    events: list[Any]
    name: str = ""
    line: int = 0
    start: str | None = None
    model: str = ""


def _runs(recording: Recording, dropped: list[Dropped]) -> Iterator[_Run]:
    """The runs of a file; one that is no JSON as a whole has a run, or an event, on each line."""
    try:
        document = recording.document()
    except RecordingError:
        document = None
    if isinstance(document, list):
        yield _Run(document)
    elif isinstance(document, dict):
        yield _run(document, 0)
    else:
        loose: list[Any] = []
        for line, record in recording.records(dropped):
            if isinstance(record.get("history"), list):
                yield _run(record, line)
            else:
                loose.append(record)
        if loose:
            yield _Run(loose)


def _run(record: dict[str, Any], line: int) -> _Run:
    key = next((key for key in ("history", "trajectory") if isinstance(record.get(key), list)), "")
    events = record[key] if key else [record]
    base = word(member(record, "instance"), "base_commit") or word(record, "base_commit")
    return _Run(
        events=events,
        name=word(record, "instance_id") or word(member(record, "issue"), "title"),
        line=line,
        start=base if _COMMIT.fullmatch(base) else None,
        model=word(member(record, "metadata", "llm_config"), "model"),
    )


def _is_run(events: Any) -> bool:
    """Whether a list holds events, or pairs of them, at its beginning."""
    if not isinstance(events, list) or not events:
        return False
    first = events[0]
    return _is_event(first) or _is_flat(first) or (isinstance(first, list) and bool(first) and _is_event(first[0]))


def _is_event(record: Any) -> bool:
    if not isinstance(record, dict) or not {"id", "source", "cause", "message"} & record.keys():
        return False
    acts = isinstance(record.get("action"), str) and isinstance(record.get("args"), dict)
    return acts or (isinstance(record.get("observation"), str) and isinstance(record.get("extras"), dict))


def _is_flat(record: Any) -> bool:
    """An event as the first versions' resolver wrote it: its arguments beside its action."""
    return (
        isinstance(record, dict)
        and "args" not in record
        and "role" not in record
        and record.get("action") in ("message", "run", "run_ipython")
        and any(isinstance(record.get(key), str) for key in ("content", "command", "code"))
    )


def _whole(event: dict[str, Any], index: int, before: Any) -> dict[str, Any]:
    """An event with its arguments apart; one without a cause comes of the action `before` it."""
    if isinstance(event.get("action"), str) and not isinstance(event.get("args"), dict):
        source = "user" if event["action"] == "message" and index == 0 else "agent"
        return {"id": f"#{index}", "source": source} | event | {"args": event}
    if isinstance(event.get("observation"), str) and not isinstance(event.get("extras"), dict):
        return {"cause": before} | event | {"extras": event}
    return {"id": f"#{index}"} | event


def _flat(run: _Run, dropped: list[Dropped]) -> Iterator[dict[str, Any]]:
    """The events in their order; in the old form, an action and what came of it stand together without naming it."""
    before: Any = None
    for index, part in enumerate(run.events):
        if isinstance(part, dict):
            event = _whole(part, index, before)
            before = event["id"] if isinstance(event.get("action"), str) else before
            yield event
        elif isinstance(part, list) and 0 < len(part) <= _PAIR and all(isinstance(event, dict) for event in part):
            key = part[0].get("id", f"#{index}")
            yield part[0] | {"id": key}
            yield from (event | {"cause": key} for event in part[1:])
        else:
            reason = f"event {index + 1}: expected an object, found {shown(part)}"
            dropped.append(Dropped(line=run.line, reason=reason, grave=True))


def _events(runs: tuple[_Run, ...], dropped: list[Dropped]) -> Iterator[Event]:
    for index, run in enumerate(runs):
        outer = [run.name] if len(runs) > 1 else []
        delegates = list(outer)
        directory: str | None = None
        yield About(start=None if outer else run.start, agent="OpenHands", model=run.model, directory=_directory(run))
        for event in _flat(run, dropped):
            step = Step(number=0, line=run.line, agent="/".join(delegates), directory=directory)
            yield from _event(event, f"{index}:", step)
            directory = word(member(event, "extras", "metadata"), "working_dir") or directory
            if event.get("action") == "delegate":
                delegates.append(word(member(event, "args"), "agent") or "delegate")
            elif event.get("observation") == "delegate" and len(delegates) > len(outer):
                delegates.pop()


def _event(event: dict[str, Any], run: str, step: Step) -> Iterator[Event]:
    """What one event tells; `step` has what is known before it is read."""
    action, args, kind = event.get("action"), member(event, "args"), event.get("observation")
    person = event.get("source") == "user"
    if isinstance(action, str):
        said = word(args, "content") if action == "message" else word(args, "thought")
        if action == "message" and person:
            yield speech(step.line, said, event.get("timestamp"))
        step = msgspec.structs.replace(
            step,
            source="user" if person else "agent",
            message=said,
            time=word(event, "timestamp"),
            raw=None if person else event,
            **_cost(event),
        )
        if action not in _SAYS:
            yield Call(f"{run}{event['id']}", msgspec.structs.replace(step, tool=action, arguments=args))
        elif action == "message" and not person:
            yield Message(step)
    elif isinstance(kind, str) and kind not in ("null", "agent_state_changed") and event.get("cause") is not None:
        key, said = f"{run}{event['cause']}", spoken(event.get("content"))
        yield Result(id=key, ok=outcome(event, kind), line=step.line, text=said, detail=event)


def _cost(event: Mapping[str, Any]) -> dict[str, Any]:
    usage = member(event, "tool_call_metadata", "model_response", "usage")
    return {"tokens_in": count(usage, "prompt_tokens"), "tokens_out": count(usage, "completion_tokens")}


def _directory(run: _Run) -> str | None:
    """Where the agent worked; recorded paths say no more than that everything lies in `/workspace`."""
    named = ""
    below = False
    for event in _flat(run, []):
        args = member(event, "args")
        task = _UPLOADED.search(word(args, "content")) if event.get("action") == "message" else None
        if task:
            return task[1]
        named = named or word(member(event, "extras"), "repo_directory")
        told = (word(args, key) for key in ("path", "command", "content", "code"))
        below = below or any("/workspace" in text for text in told)
    if named:
        return named if named.startswith("/") else f"/workspace/{named}"
    return "/workspace" if below else None
