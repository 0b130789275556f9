"""opencode's sessions."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.conversation import UNKNOWN, About, Call, Conversation, Deed, Event, Made, Result, answer, cut, speech
from gate.agents.opencode import EDITORS, edits_of
from gate.jsontext import shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_READS = frozenset(["read", "list", "ls", "glob", "grep", "lsp", "lsp_diagnostics", "lsp_hover", "codesearch"])
_WEB = frozenset(["webfetch", "websearch", "skill", "todowrite", "todoread", "question", "invalid", "batch"])
_PLANS = frozenset(["plan_enter", "plan_exit", "StructuredOutput"])
_HARMLESS = _READS | _WEB | _PLANS
_LOOKERS = frozenset(["explore", "plan"])
_STATUS = {"completed": Ok.YES, "error": Ok.NO}
_STREAM = frozenset(["step_start", "step_finish", "tool_use", "text", "reasoning", "error"])


class OpenCode(Reader):
    """opencode's sessions, as `opencode export` writes them, and the events of `opencode run --format json`.

    `edit`, `multiedit`, `write`, `apply_patch` and `patch` are replayed from what their result records: the content
    before and after (`metadata.filediff`, `metadata.files`), else the diff that it shows, in its exact place and with
    the indentation that opencode took off it, else from the call. The contents of `edit` are those after opencode's own
    formatter, those of the others before it. `bash` is a command. `state.status` says whether a call succeeded, of a
    command its exit code does.

    What a person reverted (`info.revert`) is not applied: opencode put those files back. A sub-agent's session is
    another export: without it, a call to one that may edit makes the replay incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """A session with messages of `info` and `parts`, or events with a part."""
        if any(map(_is_event, sample.records)):
            return True
        document = sample.document
        if not (isinstance(document, dict) and isinstance(document.get("info"), dict)):
            return False
        messages = document.get("messages")
        told = [message for message in given.objects(messages) if "info" in message and "parts" in message]
        return bool(told) or (messages == [] and "directory" in document["info"])

    def read(self, recording: Recording) -> Trajectory:
        """The whole session, or the events line by line."""
        streamed = any(map(_is_event, Sample(recording).records))

        def events(dropped: list[Dropped]) -> Iterator[Event]:
            return _streamed(recording, dropped) if streamed else _session(recording.document(), dropped)

        return Conversation(events, _deed).trajectory(self.name, recording.path)


def _is_event(record: Mapping[str, Any]) -> bool:
    kind = given.word(record, "type")
    return kind in _STREAM and "sessionID" in record and ("part" in record or kind == "error")


def _streamed(recording: Recording, dropped: list[Dropped]) -> Iterator[Event]:
    yield About(agent="opencode")
    for number, record in recording.records(dropped):
        said = Step(number=0, line=number, time=str(record.get("timestamp") or ""))
        yield from _answered(said, [record.get("part")], f"line {number}")


def _session(document: Mapping[str, Any], dropped: list[Dropped]) -> Iterator[Event]:
    """Every message of an export in order, with the results of its calls."""
    info, messages = given.member(document, "info"), document.get("messages")
    yield About(directory=_root(info, messages), agent=f"opencode {given.word(info, 'version')}".strip())
    revert, undone = given.member(info, "revert"), False
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        parts = message.get("parts") if isinstance(message, dict) else None
        if not isinstance(parts, list):
            reason = f"messages[{number}]: expected a message with parts, found {shown(message)}"
            dropped.append(Dropped(line=0, reason=reason, grave=True))
            continue
        for part in parts:
            if not isinstance(part, dict):
                reason = f"messages[{number}].parts: expected objects, found {shown(part)}"
                dropped.append(Dropped(line=0, reason=reason, grave=True))
        about = given.member(message, "info")
        kept = len(parts)
        if revert and about.get("id") == revert.get("messageID") and not undone:
            ids = [given.word(part, "id") for part in parts]
            kept, undone = ids.index(revert["partID"]) if revert.get("partID") in ids else 0, True
        elif undone:
            kept = 0
        said = _said(about, sub_agent="parentID" in info)
        if said.source == "user":
            yield _prompt(said, parts)
            continue
        yield About(model=given.word(about, "modelID"))
        yield from _answered(said, parts[:kept], f"{number}")
        yield from _answered(msgspec.structs.replace(said, undone=True), parts[kept:], f"{number}-")
    if revert and not undone:
        dropped.append(Dropped(line=0, reason="a person reverted to a message that is not here", grave=True))


def _root(info: Mapping[str, Any], messages: Any) -> str | None:
    """The folder of the repository: the root that the messages tell, where the session runs below it."""
    directory = given.word(info, "directory")
    roots = (given.word(given.member(message, "info", "path"), "root") for message in given.objects(messages))
    root = next(filter(None, roots), "")
    return (root if len(root) > 1 and f"{directory}/".startswith(f"{root}/") else directory) or None


def _said(about: Mapping[str, Any], *, sub_agent: bool) -> Step:
    tokens = given.member(about, "tokens")
    return Step(
        number=0,
        source="user" if about.get("role") == "user" else "agent",
        agent=given.word(about, "agent", "mode") if sub_agent else "",
        time=str(given.member(about, "time").get("created") or ""),
        directory=given.word(given.member(about, "path"), "cwd") or None,
        tokens_in=given.count({**given.member(tokens, "cache"), **tokens}, "input", "read", "write"),
        tokens_out=given.count(tokens, "output", "reasoning"),
        cost=given.price(about, "cost"),
    )


def _prompt(said: Step, parts: list[Any]) -> Event:
    """What a person wrote; what opencode adds to it (`synthetic`) is left out."""
    typed = [part for part in given.objects(parts) if part.get("type") == "text" and not part.get("synthetic")]
    return speech(0, "\n".join(given.word(part, "text") for part in typed), said.time)


def _answered(said: Step, parts: list[Any], key: str) -> Iterator[Event]:
    """The calls of a message and their results; ids are made up, since recorded ones may be blacked out."""
    told = given.objects(parts)
    tools = [(f"{key}.{number}", part) for number, part in enumerate(told) if part.get("type") == "tool"]
    texts = [given.word(part, "text") for part in told if part.get("type") == "text"]
    said = msgspec.structs.replace(said, message="\n".join(filter(None, texts)))
    made = [Made(name, part.get("tool"), given.member(part, "state").get("input"), _raw(part)) for name, part in tools]
    yield from answer(said, made)
    for name, part in tools:
        state = given.member(part, "state")
        ok = _STATUS.get(given.word(state, "status"), Ok.UNKNOWN)
        exit_code = _exit_code(state)
        ok = Ok.NO if ok is Ok.YES and exit_code else ok
        text = given.word(state, "output", "error")
        yield Result(id=name, ok=ok, line=said.line, text=text, detail=state)


def _raw(part: Mapping[str, Any]) -> dict[str, Any]:
    return {"tool": part.get("tool"), "input": given.member(part, "state").get("input")}


def _exit_code(state: Mapping[str, Any]) -> int | None:
    return given.count(given.member(state, "metadata"), "exit", "exitCode")


def _deed(call: Call, result: Result | None, _: About) -> Deed:
    tool, arguments = call.step.tool, call.step.arguments
    state: Mapping[str, Any] = result.detail if result else {}
    if tool in EDITORS:
        return Deed(edits=edits_of(tool, arguments, given.member(state, "metadata")))
    if tool == "bash":
        directory = given.word(arguments, "workdir") or call.step.directory
        output = cut(result.text if result else "")
        text = given.text(arguments, "command")
        return Deed(commands=(Command(text=text, directory=directory, exit_code=_exit_code(state), output=output),))
    if tool == "task":
        return _sub_agent(arguments, result)
    return Deed() if tool in _HARMLESS else UNKNOWN


def _sub_agent(arguments: Mapping[str, Any], result: Result | None) -> Deed:
    kind = given.word(arguments, "subagent_type")
    if kind in _LOOKERS or (result and result.ok is Ok.NO):
        return Deed()
    reason = f"the session of its sub-agent {kind} is another export, with any edit it made"
    return Deed(lost=Lost(" ".join(reason.split()), "sub_agent"))
