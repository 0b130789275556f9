"""ATIF, the interchange format for what agents did (Harbor's RFC 0001)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.attachment import restored
from gate.agents.conformance import VERSIONS, breaches
from gate.agents.conversation import Deed, cut
from gate.agents.editor import resolved
from gate.agents.flag import outcome_of
from gate.agents.given import count, member, objects, price, spoken, word
from gate.agents.pairing import pair
from gate.agents.sweagent import Session
from gate.agents.vocabulary import Use, deed, family_of
from gate.errors import RecordingError
from gate.jsontext import shown
from gate.mention import named_files
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, SystemEvent, Tokens, Trajectory

_TOLD = 20
_DEEPEST = 8
_UNVERIFIED = frozenset(["goose", "roo", "cursor"])
_DIRECTORY = re.compile(r"^\[Current working directory: (/.*)\]\s*$", re.MULTILINE)
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Atif(Reader):
    """ATIF documents of versions 1.0 to 1.8.

    ATIF has no vocabulary of tools and no field for a failure: both are those of the agent that it was made from. The
    agent's name and the tool's name decide what a call did (Claude Code, Codex, OpenHands, SWE-agent, mini-swe-agent,
    Terminus, Gemini CLI, OpenCode, Copilot CLI, pi, Cline, Cursor, goose, and tools with their usual arguments).
    Agents without function calling have their calls in what they say. A call failed where the converter says so, in the
    result's `extra` or in its text; where the converter has no way to say it, its outcome is unknown.

    Steps with `is_copied_context` are left out. Embedded trajectories of sub-agents count where they are referred to;
    one in another file makes the replay incomplete, and so does a `continued_trajectory_ref`. What breaks ATIF's own
    rules is said; a version that is not known, or a document without steps, is refused. Where both exist, hand in the
    agent's own recording: converters leave things out.
    """

    def recognises(self, sample: Sample) -> bool:
        """A document with `steps` and a version of ATIF, or with steps that have an id and a source."""
        document = sample.document
        if not isinstance(document, dict) or "steps" not in document:
            return False
        if "schema_version" in document:
            return word(document, "schema_version").startswith("ATIF")
        first = next(iter(objects(document["steps"])), {})
        return "step_id" in first and "source" in first

    def read(self, recording: Recording) -> Trajectory:
        """Every call is a step, and so is a message. RecordingError where the version is unknown, or it has no step."""
        document = recording.document()
        version = document.get("schema_version", VERSIONS[-1])
        if version not in VERSIONS:
            expected = f"expected {VERSIONS[0]} to {VERSIONS[-1]}"
            raise recording.error(f"schema_version: {expected}, found {shown(version)}", kind="version")
        if not objects(document["steps"]):
            raise recording.error("steps: expected a list with at least one step, found none", kind="empty")
        reading = _Reading(document)
        steps = resolved(reading.steps())
        agent = member(document, "agent")
        name = word(agent, "name")
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1)),
            agent=f"{name} {word(agent, 'version')}".strip(),
            model=word(agent, "model_name"),
            directory=reading.directory,
            roots=reading.roots,
            start=reading.start,
            dropped=(*_breaches(document), *reading.dropped),
            events=tuple(reading.events),
            tokens=_tokens(member(document, "final_metrics")),
            unverified=family_of(name) in _UNVERIFIED,
        )


def _breaches(document: Mapping[str, Any]) -> Iterator[Dropped]:
    found = list(breaches(document))
    for breach in sorted(found, key=lambda breach: not breach.grave)[:_TOLD]:
        yield Dropped(line=0, reason=breach.message, grave=breach.grave, kind=breach.kind)
    if len(found) > _TOLD:
        yield Dropped(line=0, reason=f"it breaks ATIF's rules in {len(found) - _TOLD} more places")


class _Reading:
    """One document, with those embedded in it, being read."""

    def __init__(self, document: Mapping[str, Any], label: str = "", depth: int = 0) -> None:
        self._document = document
        self._label = label
        self._depth = depth
        agent = member(document, "agent")
        self._family = family_of(word(agent, "name"))
        self._version = word(agent, "version")
        self._session = Session()
        self._held = member(document, "extra", "contents")
        self._inner = {word(inner, "trajectory_id"): inner for inner in objects(document.get("subagent_trajectories"))}
        self.dropped: list[Dropped] = []
        self.events: list[SystemEvent] = []
        self._prompts = 0
        self.directory = _directory(document)
        roots = member(agent, "extra").get("roots")
        self.roots = tuple(root for root in roots if isinstance(root, str)) if isinstance(roots, list) else ()
        start = word(member(agent, "extra"), "start_commit", "commit_hash") or word(
            member(agent, "extra", "git"), "commit_hash"
        )
        self.start = start if _COMMIT.fullmatch(start) else None

    def steps(self) -> list[Step]:
        """The steps of the document, those of a sub-agent after the call that refers to it."""
        found: list[Step] = []
        copied = 0
        for turn, step in enumerate(objects(self._document.get("steps")), 1):
            if step.get("is_copied_context") is True:
                copied += 1
            else:
                found += self._step(step, turn)
        found += self._rest()
        if copied:
            self._note(f"{copied} steps are copied from an earlier recording, and left out here")
        further = self._document.get("continued_trajectory_ref")
        if isinstance(further, str):
            self._note(f"the recording goes on in {further[:200]!r}, which is not here", grave=True)
        return found

    def _note(self, reason: str, *, grave: bool = False) -> None:
        self.dropped.append(Dropped(line=0, reason=reason, grave=grave))

    def _step(self, step: dict[str, Any], turn: int) -> Iterator[Step]:
        extra, metrics = member(step, "extra"), member(step, "metrics")
        person = step.get("source") == "user"
        self._prompts += person
        if step.get("source") == "system":
            self.events.append(_event(step, self._prompts))
        said = Step(
            number=0,
            source="user" if person else "agent",
            agent=word(extra, "agent_id") or self._label,
            turn=turn,
            answer="" if person else str(turn),
            message=spoken(step.get("message")),
            time=word(step, "timestamp"),
            tokens_in=count(metrics, "prompt_tokens"),
            tokens_out=count(metrics, "completion_tokens"),
            cost=price(metrics, "cost_usd"),
            directory=word(extra, "cwd") or self.directory,
            raw=None if person else step,
        )
        joined = pair(step, self._family)
        if not joined.calls and (said.message.strip() or joined.loose) and step.get("source") != "system":
            observation = cut("\n".join(_content(result) for result in joined.loose))
            yield msgspec.structs.replace(said, observation=observation, ok=Ok.YES)
        for result in joined.loose:
            yield from self._referred(result, step)
        rest = msgspec.structs.replace(said, message="", tokens_in=None, tokens_out=None, cost=None)
        for index, each in enumerate(joined.calls):
            made = self._call(rest if index else said, each.call, each.result, step)
            inner = list(self._referred(each.result or {}, step))
            here = inner and made.lost and made.lost.kind == "sub_agent"
            yield msgspec.structs.replace(made, lost=None) if here else made
            yield from inner

    def _call(self, said: Step, call: dict[str, Any], result: dict[str, Any] | None, step: dict[str, Any]) -> Step:
        tool, arguments = word(call, "function_name"), call.get("arguments")
        answer = _content(result) if result else ""
        outcome = outcome_of(self._family, tool, call=call, result=result, step=step)
        made = msgspec.structs.replace(
            said,
            tool=tool,
            arguments=arguments if isinstance(arguments, dict) else {},
            observation=cut(answer),
            ok=outcome.ok,
            raw={"call": call, "result": result},
        )
        if tool == "swe_agent_action":
            return self._acted(made, word(made.arguments, "raw_action"), answer)
        try:
            if not isinstance(arguments, dict):
                raise RecordingError(f"arguments: expected an object, found {shown(arguments)}", kind="broken_step")
            use = Use(
                tool=tool,
                arguments=arguments,
                family=self._family,
                version=self._version,
                directory=said.directory,
                answer=answer,
                detail=member(result, "extra", "tool_result_metadata", "tool_use_result"),
                exit_code=outcome.exit_code,
            )
            done = deed(use)
        except RecordingError as error:
            done = Deed(lost=None if outcome.ok is Ok.NO else Lost(error.message, error.kind))
        edits = restored(done.edits, member(call, "extra").get("edits"), self._held) if self._held else done.edits
        return msgspec.structs.replace(
            made,
            edits=edits,
            commands=done.commands,
            known=done.known,
            lost=None if edits and not done.edits else done.lost,
            names=() if done.known else named_files(made.arguments),
        )

    def _acted(self, made: Step, action: str, answer: str) -> Step:
        """A step of SWE-agent, whose action is a text."""
        act = self._session.act(action, answer)
        command = Command(text=act.command or "", directory=made.directory, output=cut(answer))
        return msgspec.structs.replace(
            made,
            tool=act.tool,
            arguments=act.arguments,
            ok=act.ok,
            edits=act.edits,
            commands=(command,) if act.command is not None else (),
            lost=act.lost,
        )

    def _referred(self, result: Mapping[str, Any], step: Mapping[str, Any]) -> Iterator[Step]:
        """The steps of the sub-agents that a result refers to; of one that is not here, that it is not."""
        for ref in objects(result.get("subagent_trajectory_ref")):
            inner = self._inner.pop(word(ref, "trajectory_id"), None)
            if inner is not None:
                yield from self._embedded(inner)
            else:
                where = word(ref, "trajectory_path", "trajectory_id", "session_id") or "no name"
                grave = step.get("source") == "agent"
                reason = f"the recording of a sub-agent ({where[:200]}) is not here"
                self._note(f"{reason}, with any edit it made" if grave else reason, grave=grave)

    def _embedded(self, document: dict[str, Any]) -> list[Step]:
        if self._depth >= _DEEPEST:
            self._note("sub-agents are nested too deeply", grave=True)
            return []
        label = "/".join(part for part in (self._label, word(document, "trajectory_id")) if part)
        inner = _Reading(document, label, self._depth + 1)
        inner.directory = inner.directory or self.directory
        steps = inner.steps()
        self.dropped += inner.dropped
        return steps

    def _rest(self) -> list[Step]:
        """Sub-agents that no result refers to: when they worked is not known."""
        found = []
        for key, inner in list(self._inner.items()):
            del self._inner[key]
            steps = self._embedded(inner)
            edited = any(step.edits for step in steps)
            self._note(f"no result refers to the sub-agent {key[:60]!r}; its steps are put last", grave=edited)
            found += steps
        return found


def _event(step: Mapping[str, Any], prompts: int) -> SystemEvent:
    """A step of the harness itself; its kind is that of the context management, where it tells of one."""
    extra = member(step, "extra")
    kind = word(member(extra, "context_management"), "type") or word(extra, "type", "event", "kind") or "message"
    return SystemEvent(kind=kind, turn=prompts, text=spoken(step.get("message")), time=word(step, "timestamp"))


def _tokens(totals: Mapping[str, Any]) -> Tokens | None:
    read, written = count(totals, "total_prompt_tokens"), count(totals, "total_completion_tokens")
    return None if read is None and written is None else Tokens(read or 0, written or 0)


def _content(result: Mapping[str, Any]) -> str:
    return spoken(result.get("content"))


def _directory(document: Mapping[str, Any]) -> str | None:
    """The working directory, where the converter left it."""
    extra = member(document, "agent", "extra")
    listed = extra.get("cwds")
    named = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], str) else ""
    named = named or word(extra, "cwd", "working_directory") or word(member(document, "extra"), "cwd")
    for step in objects(document.get("steps")) if not named else ():
        if word(member(step, "extra"), "cwd"):
            return word(member(step, "extra"), "cwd")
        for result in objects(member(step, "observation").get("results")):
            told = _DIRECTORY.search(_content(result))
            if told:
                return told[1]
    return named or None
