"""How many tasks passed, as every surface counts them: without those of bundles, of which that would be a rate."""

from gate.report import Outcome, Report


def passed(report: Report) -> int | None:
    """How many of the tasks in scope passed; None where one of them is of a bundle."""
    if any(task.bundled for task in report.judged_tasks):
        return None
    return sum(task.outcome is Outcome.PASS for task in report.judged_tasks)


def words(report: Report) -> str:
    """How many of the tasks that are counted passed; empty where all are of bundles."""
    counted = [task for task in report.judged_tasks if not task.bundled]
    if report.judged_tasks and not counted:
        return ""
    beside = " beside those of a bundle" if len(counted) < len(report.judged_tasks) else ""
    return f"{sum(task.outcome is Outcome.PASS for task in counted)} of {len(counted)} tasks passed{beside}"
