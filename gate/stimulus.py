"""What an eval spec is written as: its stimuli, graders, defaults and weights."""

from typing import Any

import msgspec

from gate.reference import Text, Value

Words = str | list[str]


class Grader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One grader: an oracle's type, its parameters in `config`, and the turns it looks at."""

    type: str
    name: str | None = None
    config: dict[str, Any] = {}
    turn: int | None = None
    scope: str | None = None
    weight: float | None = None

    @property
    def narrowed(self) -> bool:
        """Whether it looks at some turns alone."""
        return self.turn is not None or self.scope is not None


class Defaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How agents and judges are run; only what concerns judges has an effect here."""

    runs: int | None = None
    timeout: str | int | float | None = None
    model: str | None = None
    executor: str | dict[str, Any] | None = None
    reasoning_effort: str | None = None
    judge_model: str | None = None
    judge_reasoning_effort: str | None = None
    judge_provider: str | dict[str, Any] | None = None


class Weights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How graders count, by their types, and from which score on a stimulus passes."""

    weights: dict[str, float] = {}
    threshold: float | None = None


class Constraints(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of an agent's run; without effect on a run that is over."""

    max_turns: int | None = None
    max_tokens: int | None = None
    max_duration: str | int | float | None = None
    expect_skills: list[str] | None = None
    expect_tools: list[str] | None = None


class Stimulus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case: what the agent is asked, where it starts, and how the end is graded."""

    name: str
    prompt: Words = ""
    description: str | None = None
    tags: dict[str, Any] | list[str] = {}
    rubric: Words = []
    environment: str | dict[str, Any] | None = None
    agent_environment: str | dict[str, Any] | None = None
    graders: list[Any] = []
    constraints: Constraints | None = None
    attachments: Any = None
    artifacts: Any = None
    simulation: Any = None
    supported_executors: Any = None
    golden_patch: str | Text | None = None
    golden_command: str | None = None
    golden_trajectory: str | Value | None = None
    golden_custom_metrics: str | Value | None = None


class Spec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An eval spec as a whole."""

    stimuli: list[Any]
    name: str | None = None
    description: str | None = None
    version: str | int | float | None = None
    type: str | None = None
    area: str | None = None
    tags: dict[str, Any] | list[str] = {}
    environment: str | dict[str, Any] | None = None
    agent_environment: str | dict[str, Any] | None = None
    defaults: Defaults | None = None
    config: Defaults | None = None
    scoring: Weights = Weights()
