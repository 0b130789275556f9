"""How strict the gate is: policy, defaults and waivers, as a manifest writes them."""

import enum
from typing import Annotated

import msgspec

from gate.oracle import Seconds
from gate.report import Severity


class Judge(enum.StrEnum):
    """From which side of the change the manifest, tasks and plugins are read."""

    BASE = "base"
    HEAD = "head"


class OnEmpty(enum.StrEnum):
    """What it means that no task is in scope."""

    PASS = "pass"  # noqa: S105 - a word of the manifest
    FAIL = "fail"


class Everyone(enum.StrEnum):
    """A policy that holds for whoever made the change."""

    ALL = "all"


class Whose(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The changes that a policy holds for: those of which one of the lists names something.

    `authors` are patterns of `Name <address>`, name or address of an author, committer or co-author, `trailers` names
    of commit trailers or `Name: pattern`, `labels` the pull request's. In patterns `*` and `?` alone are special.
    """

    authors: list[str] = []
    trailers: list[str] = []
    labels: list[str] = []

    @property
    def everything(self) -> tuple[str, ...]:
        """All that the lists name."""
        return (*self.authors, *self.trailers, *self.labels)


class Controls(enum.StrEnum):
    """Of which tasks the controls are run: those whose own files the change touches, all in scope, or none."""

    CHANGED = "changed"
    ALL = "all"
    OFF = "off"


class Require(enum.StrEnum):
    """How far the machine at hand may be from the environment that a bundle was pinned in.

    `exact`: no field differs. `compatible`: the same Python up to its minor version, the same system and processor, the
    same packages and tools. `none`: whatever differs is only said.
    """

    EXACT = "exact"
    COMPATIBLE = "compatible"
    NONE = "none"


class Separate(enum.StrEnum):
    """What it means that one change touches the judge and what it judges."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Separation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it means, and the label of a pull request that allows it."""

    level: Separate = Separate.WARNING
    label: str = "gate: judge"


class Judges(enum.StrEnum):
    """What a model's pass is worth: nothing on its own, or as much as any other."""

    ADVISORY = "advisory"
    BINDING = "binding"


class JudgeCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The command that asks a model for the oracles `prompt` and `panel`.

    It is started without a shell. `environment` names the variables that it may see besides the harmless ones: a key
    of the model's provider. `model` and `reasoning_effort` are for oracles that name none.
    """

    command: Annotated[list[str], msgspec.Meta(min_length=1)]
    timeout: Seconds | None = None
    environment: list[str] = []
    model: str | None = None
    reasoning_effort: str | None = None


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How strict the gate is."""

    judge: Judge = Judge.BASE
    on_empty: OnEmpty = OnEmpty.PASS
    fail_level: Severity = Severity.ERROR
    enforce: bool = True
    require_recording: Everyone | Whose | msgspec.UnsetType = msgspec.UNSET
    controls: Controls = Controls.CHANGED
    require_golden: bool = False
    judges: Judges = Judges.ADVISORY
    separate_judge: Separate | Separation = Separate.WARNING
    protect: list[str] = []

    @property
    def separation(self) -> Separation:
        """What `separate_judge` says, written as a word or in full."""
        asked = self.separate_judge
        return asked if isinstance(asked, Separation) else Separation(level=asked)


class Defaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What oracles use where they say nothing."""

    timeout: Seconds | None = None
    python: str | None = None

    @property
    def seconds(self) -> float:
        """The time limit of a command that names none, in seconds; AgentBench's 60 where nothing is said."""
        return 60.0 if self.timeout is None else float(self.timeout)


class Allow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One waiver: findings of `oracle` (at `path`, a pattern) do not count until the day `until` is over."""

    oracle: str
    reason: str
    path: str | None = None
    until: str | None = None
