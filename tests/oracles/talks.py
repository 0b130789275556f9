"""Recordings for the tests of oracles on what was said and called: made of a few words."""

from collections.abc import Mapping
from typing import Any

import msgspec

from gate.editing.edit import Write
from gate.oracle import Oracle, Trial
from gate.report import Finding
from gate.trajectory import Command, Dropped, Ok, Step, SystemEvent, Tokens, Trajectory
from gate.tree import MemoryTree

LOST = Dropped(line=3, reason="line 3 is no JSON", grave=True)
STRAY = Dropped(line=0, reason="steps[3] cites 'a'", grave=True, kind="foreign_result")
STRAY_WARNING = "A result is of the tool `unknown` and is not counted: steps[3] cites 'a'"


def user(text: str, **more: Any) -> Step:
    """A person's prompt."""
    return Step(number=0, source="user", message=text, **more)


def said(text: str, **more: Any) -> Step:
    """A message of the agent."""
    return Step(number=0, message=text, ok=Ok.YES, **more)


def called(tool: str, arguments: Mapping[str, Any] | None = None, result: str = "ok", **more: Any) -> Step:
    """A call that went well."""
    found: dict[str, Any] = {"ok": Ok.YES, "arguments": arguments or {}} | more
    return Step(number=0, tool=tool, observation=result, **found)


def shell(command: str, result: str = "ok", **more: Any) -> Step:
    """A command that went well."""
    return called("bash", {"command": command}, result, commands=(Command(text=command),), **more)


def wrote(path: str, **more: Any) -> Step:
    """A file that was written."""
    return called("Write", {"file_path": path}, edits=(Write(path=path, content=b"x"),), **more)


def talk(
    *steps: Step,
    dropped: tuple[Dropped, ...] = (),
    events: tuple[SystemEvent, ...] | None = None,
    tokens: Tokens | None = None,
) -> Trial:
    """A trial with a recording of these steps; without any it is what a baseline sees."""
    numbered = tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1))
    recording = Trajectory(format="test", steps=numbered, dropped=dropped, events=events, tokens=tokens)
    tree = MemoryTree({})
    return Trial(before=tree, after=tree, replayed=False, trajectory=recording)


NOTHING = talk()
"""Nobody did anything: what a baseline sees."""


def says(oracle: Oracle, trial: Trial) -> list[str]:
    """What the oracle says, findings marked by their severity and kind."""
    return [
        f"{seen.severity.value} {seen.kind}: {seen.message}" if isinstance(seen, Finding) else seen.message
        for seen in oracle.judge(trial)
    ]
