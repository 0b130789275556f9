"""The report as JSON: everything that a run found, for other programs, in a form with a published schema."""

import math
from typing import Any, Final, Literal

import msgspec

from gate import escape
from gate.mention import UnknownTool
from gate.report import Evidence, Finding, Outcome, Problem, Report, TaskReport, Verdict, Waived
from gate.reporters import score

NAME: Final = "trajectory-gate/report/v1"
"""A field is never renamed or taken away under one name; new ones may come."""

_ID = "https://github.com/trajectory-gate/trajectory-gate/raw/main/gate/schemas/report.v1.json"


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How many verdicts had which outcome, and how many tasks there were.

    `tasks_passed` is None where one of the tasks in scope is of a bundle: that would be a rate.
    """

    passed: int
    failed: int
    errors: int
    skipped: int
    not_applicable: int
    tasks: int
    tasks_in_scope: int
    tasks_passed: int | None


class VerdictEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What one oracle says of one trial; `message` is the line to show first.

    `deterministic` is false for what a model says: the same input may get another verdict.
    """

    oracle: str
    name: str
    outcome: Outcome
    message: str
    reason: str
    kind: str
    seconds: float
    deterministic: bool
    findings: tuple[Finding, ...]
    evidence: tuple[Evidence, ...]
    waived: tuple[Waived, ...]


class TaskEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One task: why it is in or out of scope, and its verdicts."""

    id: str
    outcome: Outcome
    in_scope: bool
    scope: str
    path: str | None
    line: int | None
    verdicts: tuple[VerdictEntry, ...]
    notices: tuple[Finding, ...]
    unread: bool = False
    """Nobody could be asked: the task as it is written cannot be used."""

    bundled: bool = False
    """The task is one of a bundle."""

    unknown_tools: tuple[UnknownTool, ...] = ()
    """Tools in its recordings that their reader does not know, the most called first."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run. Bytes of file names that are not UTF-8 are shown as `\\xff`."""

    schema: Literal["trajectory-gate/report/v1"]
    gate: str
    verdict: Outcome
    exit_code: int
    meaning: str
    enforce: bool
    counts: Counts
    change: str
    judge: str
    repeat: str
    started: str
    seconds: float
    left_out: int
    problem: Problem | None
    notices: tuple[Finding, ...]
    tasks: tuple[TaskEntry, ...]


def render(report: Report) -> str:
    """The document, indented, with a new line at its end."""
    return escape.json_document(escape.json_text(_document(report))) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of the document, as it is published in `gate/schemas/report.v1.json`."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": _ID}
    return head | {"title": f"Report of the gate ({NAME})"} | msgspec.json.schema(Document)


def _document(report: Report) -> Document:
    return Document(
        schema=NAME,
        gate=report.version,
        verdict=report.outcome,
        exit_code=report.exit_code,
        meaning=report.meaning,
        enforce=report.enforce,
        counts=_counts(report),
        change=report.change,
        judge=report.judge,
        repeat=report.repeat,
        started=report.started,
        seconds=_seconds(report.seconds),
        left_out=report.left_out,
        problem=report.problem,
        notices=report.notices,
        tasks=tuple(map(_task, report.tasks)),
    )


def _counts(report: Report) -> Counts:
    counts = report.counts
    return Counts(
        passed=counts[Outcome.PASS],
        failed=counts[Outcome.FAIL],
        errors=counts[Outcome.ERROR],
        skipped=counts[Outcome.SKIP],
        not_applicable=counts[Outcome.NOT_APPLICABLE],
        tasks=len(report.tasks),
        tasks_in_scope=len(report.judged_tasks),
        tasks_passed=score.passed(report),
    )


def _task(task: TaskReport) -> TaskEntry:
    return TaskEntry(
        id=task.id,
        outcome=task.outcome,
        in_scope=task.in_scope,
        scope=task.scope,
        path=task.path,
        line=task.line,
        verdicts=tuple(map(_verdict, task.verdicts)),
        notices=task.notices,
        unread=task.unread,
        bundled=task.bundled,
        unknown_tools=task.unknown_tools,
    )


def _verdict(verdict: Verdict) -> VerdictEntry:
    return VerdictEntry(
        oracle=verdict.oracle,
        name=verdict.name,
        outcome=verdict.outcome,
        message=verdict.message,
        reason=verdict.reason,
        kind=verdict.kind,
        seconds=_seconds(verdict.seconds),
        deterministic=verdict.deterministic,
        findings=verdict.findings,
        evidence=verdict.evidence,
        waived=verdict.waived,
    )


def _seconds(seconds: float) -> float:
    return round(seconds, 6) if math.isfinite(seconds) and seconds > 0 else 0.0
