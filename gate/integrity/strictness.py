"""How strict a judge is: what differs between two of its policies, waivers and oracles, and whether it asks less."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gate.document import Path
from gate.manifest import Manifest
from gate.oracle import Oracle, Seconds, type_name
from gate.policy import Allow, JudgeCommand, Policy
from gate.scoring import Scoring
from gate.shape import shown
from gate.task import Task

_STRICTEST_FIRST: dict[str, tuple[Any, ...]] = {
    "judge": ("base", "head"),
    "on_empty": ("fail", "pass"),
    "fail_level": ("notice", "warning", "error"),
    "enforce": (True, False),
    "controls": ("all", "changed", "off"),
    "require_golden": (True, False),
    "separate_judge": ("error", "warning", "off"),
}
"""The values of a policy's keys, from the strictest on."""

_MOST_PATTERNS = 1000
_STARS = re.compile(r"\*+")

_LOOSER_ABOVE = frozenset({"timeout", "max", "limit", "max_acceptable_retries", "max_bytes_per_file"})
_LOOSER_BELOW = frozenset({"min", "min_count", "threshold", "overall_threshold"})


class Difference(msgspec.Struct, frozen=True):
    """One thing that two judges do not have in common, in words.

    `weaker` is whether the second asks less, None where nothing here can tell. `at` is where the second says so, within
    what is compared: a manifest, a task, an oracle.
    """

    words: str
    weaker: bool | None
    at: Path = ()


def of_policies(old: Policy, new: Policy) -> Iterator[Difference]:
    """What differs between two policies."""
    for key in Policy.__struct_fields__:
        before, after = getattr(old, key), getattr(new, key)
        if before != after:
            order = _STRICTEST_FIRST.get(key, ())
            known = before in order and after in order
            unknown = True if after is msgspec.UNSET else False if before is msgspec.UNSET else None
            weaker = order.index(after) > order.index(before) if known else unknown
            yield Difference(
                f"`policy.{key}` goes from {_value(before)} to {_value(after)}", weaker, at=("policy", key)
            )


def of_waivers(old: Sequence[Allow], new: Sequence[Allow]) -> Iterator[Difference]:
    """Which waivers come and go."""
    for number, waiver in enumerate(new):
        if waiver not in old:
            at = f" at {waiver.path}" if waiver.path else ""
            yield Difference(f"`allow` waives {waiver.oracle}{at} ({waiver.reason})", weaker=True, at=("allow", number))
    for waiver in old:
        if waiver not in new:
            at = f" at {waiver.path}" if waiver.path else ""
            yield Difference(f"`allow` no longer waives {waiver.oracle}{at}", weaker=False)


def of_roots(old: Manifest, new: Manifest) -> Iterator[Difference]:
    """What differs between two manifests besides tasks, policy and waivers."""
    if old.defaults != new.defaults:
        yield Difference("`defaults`", weaker=None, at=("defaults",))
    before, after = (_asking(one.judge) for one in (old, new))
    for key in (key for key in before if before[key] != after[key]):
        words = f"`judge.{key}` goes from {_value(before[key])} to {_value(after[key])}"
        yield Difference(words, weaker=None, at=("judge", key))
    for plugin in (*old.plugins, *new.plugins):
        if plugin not in new.plugins:
            yield Difference(f"`plugins` no longer names {shown(plugin)}", weaker=None)
        elif plugin not in old.plugins:
            at = ("plugins", new.plugins.index(plugin))
            yield Difference(f"`plugins` names {shown(plugin)} now", weaker=None, at=at)


def _asking(command: JudgeCommand | None) -> dict[str, Any]:
    """The keys of `judge`, lists as a person would type them."""
    values = ((key, getattr(command, key, None) or None) for key in JudgeCommand.__struct_fields__)
    return {key: shlex.join(value) if isinstance(value, list) else value for key, value in values}


def of_tasks(old: Task, new: Task) -> Iterator[Difference]:
    """What differs between two tasks besides their oracles."""
    for key in ("workspace", "setup", "variables", "prompt", "rubric", "must_fail"):
        if getattr(old, key) != getattr(new, key):
            yield Difference(f"`{key}`", weaker=None, at=(key,))
    before, after = old.scoring or Scoring(), new.scoring or Scoring()
    for key in ("weights", "named"):
        if getattr(before, key) != getattr(after, key):
            yield Difference(f"`scoring.{key}`", weaker=None)
    one, other = before.threshold, after.threshold
    if one != other:
        weaker = other is not None and (one is None or other < one)
        yield Difference(f"`scoring.threshold` goes from {_value(one)} to {_value(other)}", weaker)


def is_costly(scope: Sequence[str] | None) -> bool:
    """Whether a scope that nobody vouches for could take for ever to be matched with a long path."""
    return scope is not None and (len(scope) > _MOST_PATTERNS or any(map(_backtracks, scope)))


def _backtracks(pattern: str) -> bool:
    parts = pattern.split("/")
    stars = [len(_STARS.findall(part)) for part in parts]
    crossing = sum("**" in part for part in parts) + pattern.endswith("/")
    return crossing > 2 or sum(stars) > 6 or max(stars) > 2


def of_oracles(old: Oracle, new: Oracle) -> Iterator[Difference]:
    """What two oracles of one type ask differently."""
    for key in new.__struct_fields__:
        before, after = getattr(old, key), getattr(new, key)
        if before != after:
            words = f"`{key}` goes from {_value(before)} to {_value(after)}"
            yield Difference(words, _weaker(key, before, after), at=(key,))


def _weaker(key: str, before: Any, after: Any) -> bool | None:
    if key == "control":
        return after is not None
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (before, after))
    if not numbers or key not in _LOOSER_ABOVE | _LOOSER_BELOW:
        return None
    return bool(after > before) if key in _LOOSER_ABOVE else bool(after < before)


def called(oracle: Oracle) -> str:
    """An oracle as a sentence names it."""
    kind = type_name(oracle)
    return f"{kind} ({oracle.name})" if oracle.name and oracle.name != kind else kind


def _value(value: Any) -> str:
    if value is msgspec.UNSET or value is None:
        return "nothing"
    if isinstance(value, Seconds):
        return f"{value:g} s"
    if isinstance(value, str):
        return shown(str(value))  # a word of an enumeration, or a pattern
    return shown(value if isinstance(value, bool | int | float | list | dict) else repr(value))
