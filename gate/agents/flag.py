"""Whether a call in an ATIF document failed: without a field for it, each converter has its own place and words."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import codex
from gate.agents.editor import NAMES, outcome
from gate.agents.given import count, member, spoken, word
from gate.trajectory import Ok

_FLAGGED = frozenset(["claude-code", "opencode", "mimo", "copilot", "pi", "strands", "trajectory-gate"])
"""Agents whose converter says of every failed call that it failed."""

_FAILED = frozenset(
    ["failed", "failure", "error", "errored", "rejected", "denied", "cancelled", "canceled", "incomplete"]
)
_WORDS = re.compile(r"(?:\A|\n)\[error\] tool reported failure\s*\Z")
_CODES = (
    re.compile(r"(?:\A|\n)\[exit_code\] (-?\d{1,9})(?=\n|\Z)"),
    re.compile(r"\A(?:Error: )?Exit code:? (-?\d{1,9})(?=\n|\Z)"),
    re.compile(r"\n?\[(?:Command finished|The command completed) with exit code (-?\d{1,9})\.?\]"),
    re.compile(r"\A\s*<returncode>(-?\d{1,9})</returncode>"),
    re.compile(r'\A\s*\{\s*"returncode":\s*(-?\d{1,9})'),
    re.compile(r"(?:\A|\n)Exit Code: (-?\d{1,9})(?=\n|\Z)"),
    re.compile(r"\n<(?:exited with exit code|exit code:) (-?\d{1,9})>\s*\Z"),
)
_REFUSED = re.compile(r"(?:Error|ERROR|Failed|File not found|<tool_use_error>|\[Error)\b[:\s]?")


class Outcome(msgspec.Struct, frozen=True):
    """Whether a call succeeded, and how its process ended, as far as that was recorded."""

    ok: Ok
    exit_code: int | None = None


def outcome_of(
    family: str, tool: str, *, call: Mapping[str, Any], result: Mapping[str, Any] | None, step: Mapping[str, Any]
) -> Outcome:
    """The outcome of a call by the flags beside it, else by the words that its tool uses."""
    places = list(_places(call, result, step))
    if result is None:
        return Outcome(Ok.NO if any(_says_no(place, family) for place in places) else Ok.UNKNOWN)
    told = spoken(result.get("content"))
    codes = [count(place, key) for place in places for key in ("exit_code", "exitCode")]
    code = next((found for found in codes if found is not None), None)
    code = _code(family, told) if code is None else code
    if any(_says_no(place, family) for place in places) or _WORDS.search(told):
        return Outcome(Ok.NO, code)
    if any(place.get("success") is True for place in places):
        return Outcome(Ok.YES, code)
    return Outcome(_by_words(family, tool, result, told, code), code)


def _places(
    call: Mapping[str, Any], result: Mapping[str, Any] | None, step: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """Where converters leave what they know of a call's end."""
    extra = member(result, "extra")
    yield extra
    yield member(extra, "tool_result_metadata")
    yield member(extra, "tool_result_metadata", "tool_use_result")
    yield member(call, "extra")
    details = member(step, "extra", "tool_call_details", str(call.get("tool_call_id")))
    yield details
    yield member(details, "metadata")
    yield member(step, "extra", "tool_metadata")


def _says_no(place: Mapping[str, Any], family: str) -> bool:
    raised = any(place.get(key) is True for key in ("is_error", "isError", "tool_result_is_error", "tool_use_is_error"))
    # Codex says of a patch that failed that the call is completed, and the same the other way round
    status = family != "codex" and word(place, "status").lower() in _FAILED
    return raised or status or place.get("success") is False or bool(place.get("error"))


def _code(family: str, told: str) -> int | None:
    if family == "codex":
        return codex.said(told).exit_code
    found = [each.group(1) for pattern in _CODES for each in pattern.finditer(told)]
    return int(found[-1]) if found else None


def _by_words(family: str, tool: str, result: Mapping[str, Any], told: str, code: int | None) -> Ok:
    if tool in NAMES:
        # OpenHands' first versions answered with the diff
        return Ok.YES if family == "openhands" and told.startswith("--- ") else outcome(told)
    if code is not None:
        return Ok.UNKNOWN if code == -1 else Ok.YES if code == 0 else Ok.NO
    if family in _FLAGGED:
        return Ok.YES
    if family == "codex":
        return codex.said(told).ok if told else Ok.UNKNOWN
    if family in ("gemini", "qwen"):
        return _geminis(result, told)
    return Ok.NO if _REFUSED.match(told) else Ok.UNKNOWN


def _geminis(result: Mapping[str, Any], told: str) -> Ok:
    """Its converter gives a failure no content; but then, neither has a success that said nothing."""
    if result.get("content") is None or not told:
        return Ok.UNKNOWN
    return Ok.NO if _REFUSED.match(told) else Ok.YES
