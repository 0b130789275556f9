"""Annotations beside the change, as workflow commands of GitHub Actions."""

from collections.abc import Iterator, Set

import msgspec

from gate import escape
from gate.extent import Extent, Filter
from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import excerpt

BUDGET = 10
"""Annotations of one level that GitHub shows of a whole step; it drops the rest without a word."""

_MESSAGE_LIMIT = 4096
_TITLE_LIMIT = 255


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """One message at one place of the checkout, or at none.

    `rule` is the oracle's type, `task` for what concerns a task as a whole, `gate` for the run. `own` says that the
    place is the task's own, for want of a better one. `details` may be long.
    """

    level: Severity
    title: str
    message: str
    rule: str = "gate"
    task: str = ""
    path: str | None = None
    line: int | None = None
    end_line: int | None = None
    own: bool = False
    details: str = ""


def collect(report: Report, mode: Filter = Filter.NOFILTER) -> list[Annotation]:
    """Everything that is worth a place beside the change: errors, then warnings, then notices.

    What does not lie where `mode` lets annotations stand loses its place and tells it in words: it is never lost.
    """
    found = [*_of_run(report), *(one for task in report.tasks for one in _of_task(task))]
    if mode is not Filter.NOFILTER and report.extent is not None:
        found = [_within(one, mode, report.extent) for one in found]
    return sorted(found, key=lambda one: one.level.rank)


def _within(one: Annotation, mode: Filter, extent: Extent) -> Annotation:
    """The annotation, without its place where that is none of the change; a task's own place is left by `file`."""
    if one.path is None or (one.own and mode is Filter.FILE) or extent.holds(mode, one.path, one.line, one.end_line):
        return one
    place = f"{one.path}:{one.line}" if one.line else one.path
    message = one.message if one.own else f"{place}: {one.message}"
    return msgspec.structs.replace(one, message=message, path=None, line=None, end_line=None)


def render(
    report: Report,
    *,
    budget: int = BUDGET,
    where: str = "the step summary and the reports have all",
    mode: Filter = Filter.NOFILTER,
    without: Set[Annotation] = frozenset(),
) -> str:
    """Commands to print, at most `budget` of a level; the last of a level that has more says so, and `where`.

    Those of `without` are shown beside the change already.
    """
    found = [one for one in collect(report, mode) if one not in without]
    lines: list[str] = []
    for level in Severity:
        several = [one for one in found if one.level is level]
        shown = several if len(several) <= budget else several[: budget - 1]
        lines.extend(map(_command, shown))
        if len(shown) < len(several):
            lines.append(_command(_more(level, len(several) - len(shown), where)))
    return "".join(f"{line}\n" for line in lines)


def _of_run(report: Report) -> Iterator[Annotation]:
    if report.problem:
        yield Annotation(level=Severity.ERROR, title="gate", message=report.problem.message)
    elif report.outcome is Outcome.FAIL and not report.judged_tasks:
        yield Annotation(level=Severity.ERROR, title="gate", message=report.meaning)
    if report.exit_code != report.enforced_code:
        yield Annotation(level=Severity.WARNING, title="gate", message=report.meaning)
    for notice in (*report.tampering, *report.remarks):
        yield Annotation(
            level=notice.severity,
            title="gate",
            message=notice.message,
            rule=notice.kind or "gate",
            path=notice.path,
            line=notice.line,
            end_line=notice.end_line,
            details=notice.details,
        )


def _of_task(task: TaskReport) -> Iterator[Annotation]:
    """What failed comes before what could not be judged, and both before the rest."""
    order = (Outcome.FAIL, Outcome.ERROR)
    verdicts = sorted(task.verdicts, key=lambda each: order.index(each.outcome) if each.outcome in order else 2)
    for verdict in verdicts:
        yield from _of_verdict(task, verdict)
    if task.in_scope and not verdicts:
        yield _of_words(task, "nothing was asked of this task")
    for notice in task.notices:
        yield _at(notice, task)


def _of_verdict(task: TaskReport, verdict: Verdict) -> Iterator[Annotation]:
    failed = verdict.outcome is Outcome.FAIL
    if verdict.outcome is Outcome.ERROR or (failed and not verdict.findings):
        yield _of_words(task, verdict.message, verdict)
    worst = min((finding.severity.rank for finding in verdict.findings), default=0)
    for finding in verdict.findings:
        # Whatever the policy's level is, the worst of a failing verdict reached it: it must not look like a hint.
        severity = Severity.ERROR if failed and finding.severity.rank == worst else finding.severity
        if verdict.outcome is not Outcome.ERROR or finding.message not in verdict.reason:
            yield _at(msgspec.structs.replace(finding, severity=severity), task, verdict)
    for waived in verdict.waived:
        finding = msgspec.structs.replace(waived.finding, message=waived.message, severity=Severity.NOTICE)
        yield _at(finding, task, verdict)


def _of_words(task: TaskReport, message: str, verdict: Verdict | None = None) -> Annotation:
    return _at(Finding(message=message), task, verdict)


def _at(finding: Finding, task: TaskReport, verdict: Verdict | None = None) -> Annotation:
    """The finding at its own place, else at the task's."""
    place: Finding | TaskReport = finding if finding.path else task
    return Annotation(
        level=finding.severity,
        title=f"{task.id} / {verdict.name}" if verdict else task.id,
        message=finding.message,
        rule=verdict.oracle if verdict else "task",
        task=task.id,
        path=place.path,
        line=place.line,
        end_line=finding.end_line if place is finding else None,
        own=place.path == task.path,
        details=finding.details,
    )


def _more(level: Severity, count: int, where: str) -> Annotation:
    things = f"{level}s" if count > 1 else str(level)
    message = f"{count} more {things}: GitHub shows {BUDGET} of a level for each step, {where}"
    return Annotation(level=level, title="gate", message=message)


def _command(one: Annotation) -> str:
    """The command; the title stands last, since the runner trims the end of the properties."""
    properties: list[tuple[str, str]] = []
    if one.path:
        properties.append(("file", one.path))
        if one.line and one.line > 0:
            properties.append(("line", str(one.line)))
            if one.end_line and one.end_line > one.line:
                properties.append(("endLine", str(one.end_line)))
    properties.append(("title", excerpt.clip(one.title, _TITLE_LIMIT)))
    written = ",".join(f"{key}={escape.command_property(escape.plain(value))}" for key, value in properties)
    message = escape.plain(excerpt.clip(one.message, _MESSAGE_LIMIT), newlines=True).strip() or "no message"
    return f"::{one.level} {written}::{escape.command_data(excerpt.clip(message, _MESSAGE_LIMIT))}"
