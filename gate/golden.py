"""Golden input: what brings a task to its right end without an agent, and which controls are run on it."""

import enum
from collections.abc import Mapping
from typing import Any

import msgspec

from gate.trajectory import Trajectory


class Control(enum.StrEnum):
    """A run of a task's oracles on known input: on golden input all must pass, on none (*baseline*) all must fail."""

    GOLDEN = "golden"
    BASELINE = "baseline"


class Golden(msgspec.Struct, frozen=True, kw_only=True):
    """Reference input of one task; at least one of its parts is there.

    `patch` is a unified diff and `patch_name` where it came from. `command` is run in the workspace after it.
    `trajectory` is what an agent did in a reference run, `document` that ATIF document as it was written.
    `custom_metrics` are the values that custom-metrics oracles find.
    """

    patch: bytes | None = None
    patch_name: str = ""
    command: str | None = None
    trajectory: Trajectory | None = None
    document: bytes | None = None
    custom_metrics: Mapping[str, Any] | None = None
