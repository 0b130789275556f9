"""Spans of OpenTelemetry as exporters write them: OTLP's JSON, and plainer forms of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from gate.agents import given
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.jsontext import decode
from gate.trajectory import Ok

_HOLDERS = ("trace", "data", "batches", "resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "spans")
_DEEPEST = 12  # lists and objects around a span, and within a value
_WRAPPED = ("stringValue", "boolValue", "doubleValue", "bytesValue")
_FAILED = ("2", "ERROR", "STATUS_CODE_ERROR")
_ID = ("spanId", "span_id")
_PARENT = ("parentSpanId", "parent_span_id", "parent_id")
_START = ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime")
_END = ("endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime")


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One span: `attributes` with those of its resource, `start` as recorded, `ok` by its status and `error.type`."""

    id: str
    parent: str
    name: str
    start: str
    ok: Ok
    attributes: Mapping[str, Any]
    line: int = 0
    raw: Any = None

    @property
    def operation(self) -> str:
        """What the span is by the conventions for generative AI, such as "execute_tool"."""
        told = given.word(self.attributes, "gen_ai.operation.name")
        return told or ("execute_tool" if self.name.startswith("execute_tool ") else "")

    def value(self, key: str) -> Any:
        """An attribute; JSON in a text is decoded."""
        value = self.attributes.get(key)
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
            return value
        try:
            return decode(encoded(value))
        except RecordingError:
            return value


def spans_of(value: Any, line: int = 0) -> Iterator[Span]:
    """The spans in a JSON value of any of the known shapes, as they stand there; nothing where there are none."""
    yield from _found(value, {}, line, _DEEPEST)


def in_order(spans: Sequence[Span]) -> list[Span]:
    """The spans by the time of their start, which exporters do not keep to: a span is written when it ends."""
    return sorted(spans, key=lambda span: (len(span.start), span.start) if span.start.isdecimal() else (0, span.start))


def _found(value: Any, resource: Mapping[str, Any], line: int, depth: int) -> Iterator[Span]:
    if isinstance(value, list):
        parts: list[Any] = value
    elif not isinstance(value, dict):
        return
    elif "attributes" in value and "name" in value and any(key in value for key in (*_ID, "context")):
        yield _span(value, resource, line)
        return
    else:
        resource = {**resource, **attributes(given.member(value, "resource").get("attributes"))}
        parts = [value[key] for key in _HOLDERS if key in value]
    for part in parts if depth else ():
        yield from _found(part, resource, line, depth - 1)


def _span(span: Mapping[str, Any], resource: Mapping[str, Any], line: int) -> Span:
    own = attributes(span.get("attributes"))
    code = given.member(span, "status").get("code", given.member(span, "status").get("status_code"))
    failed = str(code) in _FAILED or bool(own.get("error.type"))
    ended = any(span.get(key) for key in _END)
    context = given.member(span, "context")
    return Span(
        id=(given.word(span, *_ID) or given.word(context, *_ID)).removeprefix("0x"),
        parent=given.word(span, *_PARENT).removeprefix("0x"),
        name=given.word(span, "name"),
        start=next((str(span[key]) for key in _START if span.get(key)), ""),
        ok=Ok.NO if failed else Ok.YES if ended else Ok.UNKNOWN,
        attributes={**resource, **own},
        line=line,
        raw=span,
    )


def attributes(value: Any, depth: int = _DEEPEST) -> dict[str, Any]:
    """Attributes as an object of plain values, from such an object or from OTLP's list of keys and values."""
    if isinstance(value, dict):
        return value
    return {given.word(pair, "key"): _plain(pair.get("value"), depth) for pair in given.objects(value)}


def _plain(value: Any, depth: int) -> Any:
    if not isinstance(value, dict) or not depth:
        return value
    if isinstance(value.get("intValue"), str) and value["intValue"].lstrip("-").isdecimal():
        return int(value["intValue"][:20])
    if "kvlistValue" in value:
        return attributes(given.member(value, "kvlistValue").get("values"), depth - 1)
    if "arrayValue" in value:
        return [_plain(part, depth - 1) for part in given.objects(given.member(value, "arrayValue").get("values"))]
    return next((value[key] for key in (*_WRAPPED, "intValue") if key in value), None)
