"""What ATIF requires of a document, and where one breaks it, in words.

The rules are those of Harbor's RFC 0001 up to version 1.8, the newest for every declared version, as its validator has
them. Most breaches leave a document readable; those that make it doubtful which result is whose are grave.
"""

from collections.abc import Container, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from gate.agents.given import member, objects
from gate.jsontext import shown

VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(9))
"""The versions that are known."""

_KEYS = {
    "document": "schema_version session_id trajectory_id agent steps notes final_metrics continued_trajectory_ref "
    "subagent_trajectories extra",
    "agent": "name version model_name tool_definitions extra",
    "step": "step_id timestamp source model_name reasoning_effort message reasoning_content tool_calls observation "
    "metrics is_copied_context llm_call_count extra",
    "tool_call": "tool_call_id function_name arguments extra",
    "observation": "results",
    "result": "source_call_id content subagent_trajectory_ref extra",
    "ref": "trajectory_id trajectory_path session_id extra",
    "metrics": "prompt_tokens completion_tokens cached_tokens cost_usd prompt_token_ids completion_token_ids logprobs "
    "extra",
    "final_metrics": "total_prompt_tokens total_completion_tokens total_cached_tokens total_cost_usd total_steps extra",
    "part": "type text source",
}
_ALLOWED = {kind: frozenset(keys.split()) for kind, keys in _KEYS.items()}
_AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")
_SOURCES = ("system", "user", "agent")


class Breach(msgspec.Struct, frozen=True):
    """A rule that a document breaks: where, what was expected, what was found."""

    message: str
    grave: bool = False
    kind: str = ""


def breaches(document: Mapping[str, Any], where: str = "") -> Iterator[Breach]:
    """Every breach of a document whose `steps` are a list; `where` is the dotted path of an embedded one."""
    yield from _keys(document, "document", where or "the document")
    at = f"{where}." if where else ""
    if "schema_version" not in document:
        yield Breach(f"{at}schema_version: expected a version, found nothing; taken as {VERSIONS[-1]}")
    yield from _agent(document.get("agent"), f"{at}agent")
    yield from _keys(document.get("final_metrics"), "final_metrics", f"{at}final_metrics")
    everywhere = _called(document["steps"])
    for index, step in enumerate(document["steps"]):
        yield from _step(step, index, f"{at}steps[{index}]", everywhere)
    yield from _embedded(document.get("subagent_trajectories"), at)


def _called(steps: Any) -> frozenset[str]:
    """The ids of all calls of the document."""
    ids = (call.get("tool_call_id") for step in objects(steps) for call in objects(step.get("tool_calls")))
    return frozenset(key for key in ids if isinstance(key, str))


def _keys(value: Any, kind: str, where: str) -> Iterator[Breach]:
    for key in member(value).keys() - _ALLOWED[kind]:
        yield Breach(f"{where}: {key[:60]!r} is no key of ATIF there")


def _agent(agent: Any, where: str) -> Iterator[Breach]:
    if not isinstance(agent, dict):
        yield Breach(f"{where}: expected an object, found {_found(agent)}")
        return
    yield from _keys(agent, "agent", where)
    yield from _text(agent, where, "name", "version")


def _found(value: Any) -> str:
    return "nothing" if value is None else shown(value)


def _text(holder: Mapping[str, Any], where: str, *keys: str) -> Iterator[Breach]:
    for key in keys:
        if not isinstance(holder.get(key), str):
            yield Breach(f"{where}.{key}: expected text, found {_found(holder.get(key))}")


def _step(step: Any, index: int, where: str, everywhere: Container[Any]) -> Iterator[Breach]:
    if not isinstance(step, dict):
        yield Breach(f"{where}: expected a step, found {shown(step)}", grave=True)
        return
    yield from _keys(step, "step", where)
    yield from _keys(step.get("metrics"), "metrics", f"{where}.metrics")
    if step.get("step_id") not in (index + 1, str(index + 1)):
        yield Breach(f"{where}.step_id: expected {index + 1}, found {_found(step.get('step_id'))}", grave=True)
    if step.get("source") not in _SOURCES:
        yield Breach(f"{where}.source: expected one of {', '.join(_SOURCES)}, found {_found(step.get('source'))}")
    yield from _time(step.get("timestamp"), where)
    yield from _content(step.get("message"), f"{where}.message", required=True)
    yield from _fields(step, where)
    yield from _calls(step, where)
    yield from _results(step, where, everywhere)


def _time(stamp: Any, where: str) -> Iterator[Breach]:
    try:
        if stamp is not None:
            datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    except (ValueError, AttributeError, TypeError):
        yield Breach(f"{where}.timestamp: expected a time as of ISO 8601, found {shown(stamp)}")


def _content(content: Any, where: str, *, required: bool = False) -> Iterator[Breach]:
    if isinstance(content, list):
        for index, part in enumerate(content):
            yield from _part(part, f"{where}[{index}]")
    elif not isinstance(content, str) and (required or content is not None):
        yield Breach(f"{where}: expected text or a list of parts, found {_found(content)}")


def _part(part: Any, where: str) -> Iterator[Breach]:
    kind = member(part).get("type")
    if kind not in ("text", "image", "audio"):
        yield Breach(f"{where}: expected a part of the type text, image or audio, found {_found(kind)}")
        return
    yield from _keys(part, "part", where)
    needed = "text" if kind == "text" else "source"
    if part.get(needed) is None:
        yield Breach(f"{where}.{needed}: expected one for the type {kind}, found nothing")


def _fields(step: Mapping[str, Any], where: str) -> Iterator[Breach]:
    if step.get("source") != "agent":
        for key in _AGENT_ONLY:
            if step.get(key) is not None:
                yield Breach(f"{where}.{key}: expected it on steps of the agent alone")
    elif step.get("llm_call_count") == 0:
        for key in ("metrics", "reasoning_content"):
            if step.get(key) is not None:
                yield Breach(f"{where}.{key}: expected none where llm_call_count is 0")


def _calls(step: Mapping[str, Any], where: str) -> Iterator[Breach]:
    seen = set()
    for index, call in enumerate(objects(step.get("tool_calls"))):
        at = f"{where}.tool_calls[{index}]"
        yield from _keys(call, "tool_call", at)
        yield from _text(call, at, "tool_call_id", "function_name")
        if not isinstance(call.get("arguments"), dict):
            yield Breach(f"{at}.arguments: expected an object, found {_found(call.get('arguments'))}", grave=True)
        key = str(call.get("tool_call_id"))
        if key in seen:
            yield Breach(
                f"{at}.tool_call_id: {key[:60]!r} stands twice in this step; whose result is whose?", grave=True
            )
        seen.add(key)


def _results(step: Mapping[str, Any], where: str, everywhere: Container[Any]) -> Iterator[Breach]:
    yield from _keys(step.get("observation"), "observation", f"{where}.observation")
    ids = {
        call.get("tool_call_id")
        for call in objects(step.get("tool_calls"))
        if isinstance(call.get("tool_call_id"), str)
    }
    for index, result in enumerate(objects(member(step, "observation").get("results"))):
        at = f"{where}.observation.results[{index}]"
        yield from _keys(result, "result", at)
        yield from _content(result.get("content"), f"{at}.content")
        key = result.get("source_call_id")
        if key is not None and (not isinstance(key, str) or key not in ids):
            kind = "foreign_result" if isinstance(key, str) and key in everywhere else ""
            yield Breach(f"{at}.source_call_id: {shown(key)} is no call of this step", grave=True, kind=kind)
        for number, ref in enumerate(objects(result.get("subagent_trajectory_ref"))):
            yield from _keys(ref, "ref", f"{at}.subagent_trajectory_ref[{number}]")
            if ref.get("trajectory_id") is None and ref.get("trajectory_path") is None:
                yield Breach(f"{at}.subagent_trajectory_ref[{number}]: it names neither a trajectory_id nor a path")


def _embedded(trajectories: Any, at: str) -> Iterator[Breach]:
    seen = set()
    for index, inner in enumerate(objects(trajectories)):
        where, key = f"{at}subagent_trajectories[{index}]", inner.get("trajectory_id")
        if not isinstance(key, str):
            yield Breach(f"{where}.trajectory_id: expected one, found {_found(key)}", grave=True)
        elif key in seen:
            yield Breach(f"{where}.trajectory_id: {key[:60]!r} stands twice", grave=True)
        seen.add(str(key))
        if isinstance(inner.get("steps"), list):
            yield from breaches(inner, where)
        else:
            yield Breach(f"{where}.steps: expected a list, found {_found(inner.get('steps'))}", grave=True)
