"""What holds of every choice of a recording's steps: see `Trajectory.chosen`."""

import json
from collections.abc import Callable
from typing import Any

import msgspec

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.no_network import Mode, NoNetwork
from gate.replay import replay
from gate.trajectory import Choice, Step, Trajectory
from gate.tree import MemoryTree

CHOICES: list[tuple[Choice, Callable[[Step], bool]]] = [
    (Choice(), lambda step: False),
    (Choice(command=lambda text: "git" in text), lambda step: any("git" in part.text for part in step.commands)),
    (Choice(line=lambda line: b"README" in line), lambda step: "README" in json.dumps(step.raw)),
]


def plain(step: Step) -> Step:
    """A step without what it cost and which answer it stands in."""
    return msgspec.structs.replace(step, tokens_in=None, tokens_out=None, answer="")


def check_choices(trajectory: Trajectory) -> None:
    """What is chosen is as it is among all steps; what is not is neither wanted nor can it have changed a file."""
    steps = {step.number: plain(step) for step in trajectory.steps}
    for choice, wants in CHOICES:
        chosen = {step.number: plain(step) for step in trajectory.chosen(choice)}
        assert chosen == {number: steps[number] for number in chosen}
        left_out = [steps[number] for number in steps.keys() - chosen.keys()]
        assert all(
            step.known and (step.commands or step.tool in ("", "Read", "Grep", "Glob", "LS")) for step in left_out
        )
        assert not any(step.edits or step.lost or step.names or wants(step) for step in left_out)


def verdict(oracle: NoNetwork, trajectory: Trajectory) -> list[Any]:
    """What the oracle says of a recording, whatever it is."""
    tree = MemoryTree({})
    try:
        return list(oracle.judge(Trial(before=tree, after=tree, replayed=True, trajectory=trajectory)))
    except CannotJudge as error:
        return [error.message, error.kind]


def whole(trajectory: Trajectory) -> Trajectory:
    """The same recording, of whose steps none can be left out."""
    return msgspec.structs.replace(trajectory, steps=tuple(map(plain, trajectory.steps)))


def check_verdicts(trajectory: Trajectory) -> None:
    """Replay and scans come to the same as with all steps."""
    for mode in Mode:
        assert verdict(NoNetwork(mode=mode), trajectory) == verdict(NoNetwork(mode=mode), whole(trajectory))
    start = MemoryTree({})
    quick, slow = replay(trajectory, start), replay(whole(trajectory), start)
    for name in ("applied", "failed", "skipped", "outside", "unknown", "suspects"):
        assert getattr(quick, name) == getattr(slow, name)
