"""The same call made again and again: the longest row of calls that are the same."""

import enum
from collections.abc import Hashable

from gate.grading.behaviour import chosen
from gate.patterns.jsregex import JsPattern
from gate.transcript import Call, Transcript


class Same(enum.StrEnum):
    """What makes two calls of one tool the same: what came of them, nothing more, or what they were given."""

    OBSERVATION = "observation"
    NAME = "name"
    NAME_ARGS = "name-args"


def longest(seen: Transcript, tools: tuple[JsPattern, ...], same: Same) -> tuple[Call, ...]:
    """The longest row of calls of one agent that are the same; calls of other tools than these do not end a row."""
    found: list[Call] = []
    rows: dict[str, tuple[Hashable, list[Call]]] = {}
    for call in chosen(seen.calls, tools):
        key = _key(call, same)
        last, row = rows.get(call.agent, (None, []))
        if key != last:
            row = []
            rows[call.agent] = (key, row)
        row.append(call)
        found = max(found, row, key=len)
    return tuple(found)


def _key(call: Call, same: Same) -> Hashable:
    if same is Same.NAME:
        return call.tool
    if same is Same.OBSERVATION and call.result:
        return (call.tool, call.result)
    return (call.tool, call.given)
