"""The sealed envelope: what a bundle, its environment and its lanes came to, and only then, on request, a rate."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from gate import escape
from gate.bundles.contents import Contents
from gate.bundles.environment import Pin
from gate.bundles.overlap import Corpus
from gate.report import Outcome, Report, Severity, TaskReport, Verdict
from gate.wilson import interval

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


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One lane on its way into the envelope: its report, where its results lie, and what they are and used, by task.

    `provenance` is why nothing shows that the bundle was pinned first; empty where the commits show it.
    """

    report: Report
    results: str
    provenance: str
    subjects: Mapping[str, Subject] = {}
    used: Mapping[str, Used] = {}


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
    """The bundle: `sha256` is that of its manifest.json."""

    name: str
    sha256: str
    files: int
    tasks: tuple[str, ...]
    created_unix: int


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
    """A whole report of a bundle. `reasons` are why no rate is publishable; empty where one is."""

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


def build(
    contents: Contents,
    candidate: Judged,
    control: Judged | None,
    *,
    drift: Sequence[str],
    gaps: Sequence[str],
    rate: bool,
) -> Envelope:
    """The envelope of two lanes; `gaps` are what the bundle itself lacks, `rate` asks for the rate."""
    budget = contents.measures.budget
    lanes = [_lane(contents, judged, budget) for judged in (candidate, control) if judged is not None]
    reasons = tuple(dict.fromkeys((*gaps, *_missing(contents, candidate, control), *_incomplete(lanes))))
    if rate and not reasons:
        lanes = [msgspec.structs.replace(lane, rate=_rate(lane)) for lane in lanes]
    return Envelope(
        schema=NAME,
        gate=candidate.report.version,
        started=candidate.report.started,
        bundle=Sealed(
            name=contents.label,
            sha256=contents.digest,
            files=contents.seal.file_count,
            tasks=contents.tasks,
            created_unix=contents.seal.created_unix,
        ),
        environment=Environment(pin=contents.pin, sha256=contents.pin_digest, drift=tuple(drift)),
        metrics=contents.measures.metrics,
        budget=budget,
        contamination=_contamination(contents),
        candidate=lanes[0],
        control=lanes[1] if control is not None else None,
        publishable=not reasons,
        reasons=reasons,
        notes=() if contents.scan is not None else ("no corpus was searched for these prompts (`gate bundle scan`)",),
    )


def render(envelope: Envelope) -> str:
    """The envelope as JSON, indented, with a new line at its end."""
    return escape.json_document(escape.json_text(envelope)) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the envelope, as it is published in `gate/schemas/bundle-report.v1.json`."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Report of a bundle ({NAME})"}
    return head | msgspec.json.schema(Envelope)


def _missing(contents: Contents, candidate: Judged, control: Judged | None) -> Iterator[str]:
    if contents.metrics is None:
        yield "there is no metrics.json, so what is measured was not frozen"
    if not contents.measures.budget:
        yield "no budget was declared before the run"
    if candidate.provenance:
        yield candidate.provenance
    if control is None:
        yield "there is no control lane"
    elif control.provenance:
        yield control.provenance


def _incomplete(lanes: Sequence[LaneOutcome]) -> Iterator[str]:
    for name, lane in zip(("candidate", "control"), lanes, strict=False):
        broken = [task.id for task in lane.tasks if task.outcome not in (Outcome.PASS, Outcome.FAIL)]
        if broken:
            more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
            yield f"the {name} lane is incomplete: {broken[0]}{more} could not be judged"


def _contamination(contents: Contents) -> Contamination | None:
    scan = contents.scan
    if scan is None:
        return None
    return Contamination(
        ngram_width=scan.ngram_width,
        overlap_threshold=contents.measures.overlap_threshold,
        corpora=scan.corpora,
        flagged=tuple(task.id for task in scan.tasks if task.most >= contents.measures.overlap_threshold),
    )


def _lane(contents: Contents, judged: Judged, budget: Mapping[str, float]) -> LaneOutcome:
    said = contents.said()
    tasks = tuple(_task(task, judged, budget, tuple(said.get(task.id, ()))) for task in judged.report.tasks)
    return LaneOutcome(
        results=judged.results,
        complete=all(task.outcome in (Outcome.PASS, Outcome.FAIL) for task in tasks),
        failed_checks=sum(task.failed_checks for task in tasks),
        tasks=tasks,
    )


def _task(task: TaskReport, judged: Judged, budget: Mapping[str, float], disclosed: tuple[str, ...]) -> TaskOutcome:
    """Opinions stand apart: the outcome is that of the verdicts that come out the same again."""
    proved = tuple(verdict for verdict in task.verdicts if verdict.deterministic)
    opinions = tuple(verdict for verdict in task.verdicts if not verdict.deterministic)
    outcome = msgspec.structs.replace(task, verdicts=proved).outcome
    checks = tuple(map(_check, proved))
    used = judged.used.get(task.id, Used())
    return TaskOutcome(
        id=task.id,
        outcome=outcome,
        passed=outcome is Outcome.PASS,
        failed_checks=sum(len(check.failed) for check in checks),
        seconds=round(sum(verdict.seconds for verdict in proved), 6),
        used=used,
        over_budget=tuple(unit for unit, most in budget.items() if (getattr(used, unit, None) or 0) > most),
        checks=checks,
        reviewer_notes=tuple(
            Opinion(name=verdict.name, outcome=verdict.outcome, message=verdict.message) for verdict in opinions
        ),
        disclosed=disclosed,
        subject=judged.subjects.get(task.id),
    )


def _check(verdict: Verdict) -> Check:
    failed = tuple(finding.message for finding in verdict.findings if finding.severity is Severity.ERROR)
    return Check(
        name=verdict.name,
        outcome=verdict.outcome,
        failed=failed or ((verdict.message,) if verdict.outcome is Outcome.FAIL else ()),
        reason=verdict.reason,
        seconds=round(verdict.seconds, 6),
    )


def _rate(lane: LaneOutcome) -> Rate:
    passed, tasks = sum(task.passed for task in lane.tasks), len(lane.tasks)
    low, high = interval(passed, tasks)
    return Rate(passed=passed, tasks=tasks, rate=round(passed / tasks, 4), low=round(low, 4), high=round(high, 4))
