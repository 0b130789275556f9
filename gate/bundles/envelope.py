"""The sealed envelope as a document: a bundle, its environment, its lanes, and where one is publishable the rate."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from gate import escape
from gate.bundles.environment import Pin
from gate.bundles.overlap import Corpus
from gate.report import Outcome, Problem

NAME: Final = "trajectory-gate/bundle-report/v1"
"""A field is never renamed or taken away under one name; new ones may come."""


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent used for one task, as its recording tells it, by the units of a budget; None where it does not."""

    wall_clock_seconds: float | None = None
    tokens: int | None = None


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one task that was judged: its path, and its digest by the name of the algorithm."""

    name: str
    digest: Mapping[str, str]


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One oracle's verdict; `failed` are the messages of the checks that it failed."""

    name: str
    outcome: Outcome
    failed: tuple[str, ...]
    reason: str
    seconds: float


class Opinion(msgspec.Struct, frozen=True, kw_only=True):
    """A reviewer's note: what a model said. It counts nowhere, since it may say something else the next time."""

    name: str
    outcome: Outcome
    message: str


class TaskOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one task came to. `failed_checks` counts every file and every test run that failed.

    `seconds` is what judging took, `used` what the agent did, `over_budget` the units of which it used too much.
    """

    id: str
    outcome: Outcome
    passed: bool
    failed_checks: int
    seconds: float
    used: Used
    over_budget: tuple[str, ...]
    checks: tuple[Check, ...]
    reviewer_notes: tuple[Opinion, ...]
    disclosed: tuple[str, ...]
    subject: Subject | None


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the tasks that passed, with the bounds of Wilson's interval at 95 %."""

    passed: int
    tasks: int
    rate: float
    low: float
    high: float


class LaneOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one lane came to; `rate` only where it was asked for and may be published."""

    results: str
    complete: bool
    failed_checks: int
    tasks: tuple[TaskOutcome, ...]
    rate: Rate | None = None


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """The bundle: `sha256` is that of its manifest.json, None like all of that where the bundle is not what it says."""

    name: str
    sha256: str | None
    files: int
    tasks: tuple[str, ...]
    created_unix: int | None


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """The pinned environment, the hash of its file, and every field in which the judging machine differs."""

    pin: Pin | None
    sha256: str | None
    drift: tuple[str, ...]


class Contamination(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan searched, with its constants, and the tasks that it flagged."""

    ngram_width: int
    overlap_threshold: float
    corpora: tuple[Corpus, ...]
    flagged: tuple[str, ...]


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """A whole report of a bundle. `reasons` are why no rate is publishable; empty where one is.

    `problem` is why nothing was judged at all; the candidate lane then holds that as its one case.
    """

    schema: Literal["trajectory-gate/bundle-report/v1"]
    gate: str
    started: str
    bundle: Sealed
    environment: Environment
    metrics: tuple[str, ...]
    budget: Mapping[str, float]
    contamination: Contamination | None
    candidate: LaneOutcome
    control: LaneOutcome | None
    publishable: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    problem: Problem | None = None


def render(envelope: Envelope) -> str:
    """The envelope as JSON, indented, with a new line at its end."""
    return escape.json_document(escape.json_text(envelope)) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the envelope, as it is published in `gate/schemas/bundle-report.v1.json`."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Report of a bundle ({NAME})"}
    return head | msgspec.json.schema(Envelope)
