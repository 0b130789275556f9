"""What is asked for: which change, which judge, and what of it is judged."""

import msgspec

from gate.changes import diff
from gate.github import Event
from gate.policy import Judge


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line and the environment ask for. `recordings` are files on this machine, for every task.

    Where `recorded` is false no recording is read. `judge_model` and `judge_reasoning_effort` are for oracles that ask
    a model and name none themselves.
    """

    change: diff.Request
    event: Event | None = None
    manifest: str | None = None
    judge: Judge | None = None
    commands: bool = True
    only: tuple[str, ...] = ()
    recordings: tuple[str, ...] = ()
    recorded: bool = True
    judge_model: str | None = None
    judge_reasoning_effort: str | None = None
