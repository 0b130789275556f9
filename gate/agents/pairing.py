"""The calls of an ATIF step and their results, paired."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gate.agents import utterance
from gate.agents.given import member, objects, spoken


class Paired(msgspec.Struct, frozen=True):
    """A call with its result; None where none can be told to be its own."""

    call: dict[str, Any]
    result: dict[str, Any] | None


class Step(msgspec.Struct, frozen=True):
    """The calls of a step, and the results that belong to none of them."""

    calls: list[Paired]
    loose: list[dict[str, Any]]


def pair(step: Mapping[str, Any], family: str) -> Step:
    """The calls of a step with their results.

    Calls of an agent without function calling stand in what it says. A result that names no call belongs to the call at
    its place among those without a result, and a single one to the last of them. An id that stands twice is nobody's.
    """
    results = objects(member(step, "observation").get("results"))
    calls = objects(step.get("tool_calls")) or _said(step, family, results)
    ids = [call.get("tool_call_id") for call in calls]
    joined = []
    for call, key in zip(calls, ids, strict=True):
        mine = [result for result in results if key is not None and result.get("source_call_id") == key]
        joined.append(Paired(call, mine[0] if mine and ids.count(key) == 1 else None))
    loose = [result for result in results if result.get("source_call_id") is None]
    waiting = [index for index, each in enumerate(joined) if each.result is None]
    if loose and waiting and len(loose) in (1, len(waiting)):
        for index, result in zip(waiting[-len(loose) :], loose, strict=True):
            joined[index] = Paired(joined[index].call, result)
        loose = []
    return Step(joined, loose)


def _said(step: Mapping[str, Any], family: str, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if step.get("source") != "agent":
        return []
    told = "\n".join(spoken(result.get("content")) for result in results)
    made = utterance.calls(family, spoken(step.get("message")), told)
    return [{"function_name": tool, "arguments": arguments} for tool, arguments in made]
