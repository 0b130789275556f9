"""Traces of OpenTelemetry by its conventions for generative AI."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gate.agents import given, vocabulary
from gate.agents.conversation import About, Call, Conversation, Deed, Event, Message, Result
from gate.agents.spans import Span, in_order, spans_of
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Dropped, Lost, Step, Trajectory

_ARGUMENTS = "gen_ai.tool.call.arguments"
_INSTEAD = "record the agent's own session instead"


class OtelGenai(Reader):
    """OpenTelemetry traces with `gen_ai.*` attributes: OTLP's JSON, a document or one by line, or a list of spans.

    By default such a trace names the tools and not what they were given, so nothing can be replayed: it is refused.
    Record the agent's own session instead, or let the instrumentation capture `gen_ai.tool.call.arguments`. With those,
    each `execute_tool` span is a step, in the order in which they began, and its tool is taken for the well-known one
    of that name. A span whose status is an error, or that has an `error.type`, failed; a tool whose arguments are
    missing makes the replay incomplete. A directory is recorded only as `process.working_directory`.

    *Unverified*: built from the conventions and one public trace without edits.
    """

    def recognises(self, sample: Sample) -> bool:
        """Spans, at least one with an attribute of the conventions."""
        values = sample.records or (sample.document,)
        spans = [span for value in values for span in spans_of(value)]
        return any(key.startswith("gen_ai.") for span in spans for key in span.attributes)

    def read(self, recording: Recording) -> Trajectory:
        """The tool calls of the whole trace, where it holds their arguments."""
        dropped: list[Dropped] = []
        spans = in_order(list(_spans(recording, dropped)))
        tools = [span for span in spans if span.operation == "execute_tool"]
        if not tools:
            raise recording.error(
                f"this trace holds no execute_tool span, so it does not tell what was done; {_INSTEAD}",
                kind="no_content",
            )
        if not any(_ARGUMENTS in span.attributes for span in tools):
            raise recording.error(
                f"the tool calls of this trace carry no arguments, so it does not tell what was done; {_INSTEAD}, or "
                f"let the instrumentation capture {_ARGUMENTS}",
                kind="no_content",
            )
        trace = _Trace(spans, dropped)
        return Conversation(trace.events, trace.deed).trajectory(self.name, recording.path, unverified=True)


def _spans(recording: Recording, dropped: list[Dropped]) -> Iterator[Span]:
    document = Sample(recording).document
    if document is not None:
        yield from spans_of(document)
        return
    for line, record in recording.records(dropped):
        yield from spans_of(record, line)


class _Trace:
    """The spans of one trace, in order."""

    def __init__(self, spans: Sequence[Span], dropped: Sequence[Dropped]) -> None:
        self._dropped = dropped
        self._spans = _unique(spans)
        self._agents = {span.parent for span in spans if span.operation == "invoke_agent"}

    def events(self, dropped: list[Dropped]) -> Iterator[Event]:
        """What each span tells."""
        dropped += self._dropped
        for key, span in self._spans.items():
            told = span.attributes
            yield About(
                directory=given.word(told, "process.working_directory") or None,
                agent=given.word(told, "gen_ai.agent.name") if span.operation == "invoke_agent" else "",
                model=given.word(told, "gen_ai.response.model", "gen_ai.request.model"),
            )
            step = Step(number=0, line=span.line, agent=self._agent(span), time=span.start, raw=span.raw)
            if span.operation == "execute_tool":
                yield from _call(key, span, step)
            elif span.operation in ("chat", "generate_content", "text_completion"):
                yield from _message(span, step)

    def deed(self, call: Call, result: Result | None, about: About) -> Deed:
        """What a tool did, by the name that its agent gives it."""
        span = self._spans[call.id]
        if _ARGUMENTS not in span.attributes and call.step.tool not in vocabulary.HARMLESS:
            return Deed(lost=Lost("its arguments were not captured"))
        done = vocabulary.deed(
            vocabulary.Use(
                tool=call.step.tool,
                arguments=call.step.arguments,
                family=vocabulary.family_of(call.step.agent or about.agent),
                directory=about.directory,
                answer=result.text if result else "",
                detail=given.member({"of": span.value("gen_ai.tool.call.result")}, "of"),
            )
        )
        return Deed() if span.id in self._agents and not done.edits else done

    def _agent(self, span: Span) -> str:
        """The sub-agent within which a span lies."""
        seen: set[str] = set()
        while span.parent in self._spans and span.id not in seen:
            seen.add(span.id)
            if span.operation == "invoke_agent":
                return given.word(span.attributes, "gen_ai.agent.name", "gen_ai.agent.id")
            span = self._spans[span.parent]
        return ""


def _call(key: str, span: Span, step: Step) -> Iterator[Event]:
    arguments = span.value(_ARGUMENTS)
    tool = given.word(span.attributes, "gen_ai.tool.name", "tool.name") or span.name.removeprefix("execute_tool ")
    step = msgspec.structs.replace(step, tool=tool, arguments=arguments if isinstance(arguments, dict) else {})
    yield Call(key, step)
    told = span.value("gen_ai.tool.call.result")
    yield Result(id=key, ok=span.ok, line=span.line, text=given.spoken(told) or _text(told))


def _message(span: Span, step: Step) -> Iterator[Event]:
    told = span.value("gen_ai.output.messages")
    parts = [part for message in given.objects(told) for part in given.objects(message.get("parts"))]
    said = told if isinstance(told, str) else "\n".join(given.word(part, "content", "text") for part in parts)
    tokens_in = given.count(span.attributes, "gen_ai.usage.input_tokens")
    tokens_out = given.count(span.attributes, "gen_ai.usage.output_tokens")
    if said.strip() or tokens_in or tokens_out:
        yield Message(msgspec.structs.replace(step, message=said, tokens_in=tokens_in, tokens_out=tokens_out))


def _text(value: Any) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _unique(spans: Sequence[Span]) -> dict[str, Span]:
    """The spans by a key of their own; one that was exported twice counts once."""
    found: dict[str, Span] = {}
    for place, span in enumerate(spans):
        key = span.id or f"span {place}"
        if key in found and found[key].raw != span.raw:
            key = f"{key}, {place}"
        found.setdefault(key, span)
    return found
