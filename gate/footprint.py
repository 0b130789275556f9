"""What recorded commands and sub-agents may have changed beside the recorded edits."""

from collections.abc import Iterator

import msgspec

from gate import effects, shell
from gate.replay import Replay
from gate.target import How, Target
from gate.trajectory import Ok, Step, Trajectory

_SUB_AGENTS = frozenset(
    ["Task", "Agent", "task", "agent", "spawn_agent", "delegate", "delegate_task", "new_task", "subagent", "sub_agent"]
)


class Footprint(msgspec.Struct, frozen=True):
    """One target of one recorded command, with the step and the folder in which it ran."""

    step: int
    target: Target
    directory: str | None


class Footprints:
    """The footprints of a recording. `sub_agents` are the steps that started one whose own steps are not recorded."""

    def __init__(self, prints: tuple[Footprint, ...], *, root: str | None, sub_agents: tuple[int, ...]) -> None:
        self._prints = prints
        self._root = root
        self.sub_agents = sub_agents

    def naming(self, path: str) -> tuple[int, ...]:
        """The steps whose command names this file, or a folder or pattern around it, in a changing position."""
        return self._steps(path, everything=False)

    def reaching(self, path: str) -> tuple[int, ...]:
        """The steps whose command may change any file: a formatter over the tree, `git checkout`, a code generator."""
        return self._steps(path, everything=True)

    def _steps(self, path: str, *, everything: bool) -> tuple[int, ...]:
        found = (
            mark.step
            for mark in self._prints
            if mark.target.everything is everything
            and mark.target.how is not How.MODE
            and mark.target.reaches(path, directory=mark.directory, root=self._root)
        )
        return tuple(dict.fromkeys(found))


def footprints(trajectory: Trajectory, replay: Replay) -> Footprints:
    """The footprints of a trajectory's commands; those that the recording marks as failed or undone left none."""
    root = replay.directory
    marks: list[Footprint] = []
    agents: list[int] = []
    accompanied = False
    for step in trajectory.steps:
        accompanied = accompanied or bool(step.agent)
        if step.ok is Ok.NO or step.undone:
            continue
        marks += _marks(step, root)
        if step.tool in _SUB_AGENTS:
            agents.append(step.number)
    return Footprints(tuple(marks), root=root, sub_agents=() if accompanied else tuple(agents))


def _marks(step: Step, root: str | None) -> Iterator[Footprint]:
    for command in step.commands:
        place = command.directory or step.directory or root or ""
        for simple in shell.commands(command.text):
            directory = None if simple.directory is None else _joined(place, simple.directory)
            for target in effects.changes(simple):
                yield Footprint(step.number, target, directory)


def _joined(place: str, directory: str) -> str:
    if not directory or directory.startswith("/"):
        return directory or place
    return f"{place.rstrip('/')}/{directory}" if place else directory
