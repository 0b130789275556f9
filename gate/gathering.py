"""Reports of several jobs as one: of a matrix, each told apart by its key."""

from collections.abc import Iterator, Sequence

import msgspec

from gate import __version__
from gate.report import Finding, Outcome, Report, TaskReport, Verdict


class Part(msgspec.Struct, frozen=True):
    """What one job has reported."""

    key: str
    report: Report


def gathered(parts: Sequence[Part]) -> Report:
    """All tasks, each with its part's key. What ended a part early is an *error* of its own among the others.

    Where all were ended by the same problem, that is the whole's.
    """
    reports = [part.report for part in parts]
    problems = {report.problem for report in reports}
    return Report(
        tasks=tuple(task for part in parts for task in _tasks(part)) if len(problems) > 1 or None in problems else (),
        notices=_notices(reports),
        problem=next(iter(problems)) if len(problems) == 1 else None,
        change=_joined([(part.key, part.report.change) for part in parts]),
        judge=_joined([(part.key, part.report.judge) for part in parts]),
        enforce=any(report.enforce for report in reports),
        version=__version__,
        started=min((report.started for report in reports if report.started), default=""),
        seconds=max((report.seconds for report in reports), default=0.0),
        left_out=sum(report.left_out for report in reports),
    )


def _tasks(part: Part) -> Iterator[TaskReport]:
    report = part.report
    if report.problem:
        yield _whole(part, Outcome.ERROR, report.problem.message, report.problem.kind)
    elif report.outcome is Outcome.FAIL and not report.judged_tasks:
        yield _whole(part, Outcome.FAIL, report.meaning, "on_empty")
    for task in report.tasks:
        yield msgspec.structs.replace(task, id=f"{task.id} ({part.key})")


def _whole(part: Part, outcome: Outcome, reason: str, kind: str) -> TaskReport:
    verdict = Verdict(oracle="gate", name="gate", outcome=outcome, reason=reason, kind=kind)
    return TaskReport(id=part.key, in_scope=True, scope="the run as a whole", verdicts=(verdict,))


def _notices(reports: Sequence[Report]) -> tuple[Finding, ...]:
    """Each once: jobs on one change see the same done to the gate."""
    return tuple({notice: None for report in reports for notice in report.notices})


def _joined(told: Sequence[tuple[str, str]]) -> str:
    """What all say, said once; else what each says."""
    several = {text for _, text in told if text}
    if len(several) <= 1:
        return "".join(several)
    return "; ".join(f"{key}: {text}" for key, text in told if text)
