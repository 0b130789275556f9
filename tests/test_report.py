import itertools

import pytest
from hypothesis import given

from gate.report import Evidence, Finding, Outcome, Problem, Report, Severity, TaskReport, Verdict, Waived
from tests.hostile import REPORTS, whole_runs

PASS, FAIL, ERROR, SKIP, NA = Outcome


def verdict(outcome: Outcome, **more: object) -> Verdict:
    return Verdict(oracle="o", name="o", outcome=outcome, **more)  # type: ignore[arg-type] # a test's shorthand


def task(*outcomes: Outcome, in_scope: bool = True, unread: bool = False) -> TaskReport:
    verdicts = tuple(verdict(outcome) for outcome in outcomes)
    return TaskReport(id="t", in_scope=in_scope, scope="", verdicts=verdicts, unread=unread)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        pytest.param((), ERROR, id="nothing was asked of a task in scope"),
        pytest.param((PASS,), PASS, id="pass"),
        pytest.param((PASS, SKIP, NA), PASS, id="what was not judged takes nothing from a pass"),
        pytest.param((SKIP, SKIP), SKIP, id="all skipped"),
        pytest.param((NA, SKIP), NA, id="nothing applies"),
        pytest.param((PASS, ERROR, SKIP), ERROR, id="an error is no pass"),
        pytest.param((ERROR, FAIL, PASS), FAIL, id="a failure is worse than an error"),
    ],
)
def test_the_outcome_of_a_task(outcomes: tuple[Outcome, ...], expected: Outcome) -> None:
    assert task(*outcomes).outcome is expected


def test_a_task_out_of_scope_is_skipped() -> None:
    assert task(in_scope=False).outcome is SKIP


@pytest.mark.parametrize(
    ("report", "outcome", "code", "meaning"),
    [
        pytest.param(Report(tasks=(task(PASS),)), PASS, 0, "nothing failed", id="pass"),
        pytest.param(Report(), SKIP, 0, "no task is in scope of this change", id="no task in scope"),
        pytest.param(
            Report(tasks=(task(in_scope=False),)), SKIP, 0, "no task is in scope of this change", id="all out of scope"
        ),
        pytest.param(Report(tasks=(task(SKIP, NA),)), SKIP, 0, "nothing was to be judged", id="all skipped"),
        pytest.param(
            Report(empty_fails=True), FAIL, 1, "no task is in scope, and on_empty is fail", id="empty is to fail"
        ),
        pytest.param(Report(tasks=(task(PASS), task(FAIL, ERROR))), FAIL, 1, "at least one oracle failed", id="fail"),
        pytest.param(
            Report(tasks=(task(PASS), task(ERROR))),
            ERROR,
            4,
            "something could not be judged, and nothing failed",
            id="error",
        ),
        pytest.param(
            Report(tasks=(task(ERROR, unread=True), task(in_scope=False))),
            ERROR,
            2,
            "nothing was judged: no task in scope can be read",
            id="no task in scope can be read",
        ),
        pytest.param(
            Report(tasks=(task(ERROR, unread=True), task(SKIP))),
            ERROR,
            4,
            "something could not be judged, and nothing failed",
            id="one of them can be read",
        ),
        pytest.param(
            Report(tasks=(task(ERROR, unread=True),), enforce=False),
            ERROR,
            0,
            "enforce is false, this is a report only: with enforcement the exit code is 2",
            id="no task can be read, and nothing is enforced",
        ),
        pytest.param(
            Report(tasks=(task(FAIL, ERROR, unread=True),)),
            FAIL,
            1,
            "at least one oracle failed",
            id="something failed, whatever is said of the task",
        ),
        pytest.param(
            Report(problem=Problem(message="m", exit_code=2)), ERROR, 2, "nothing was judged", id="broken manifest"
        ),
        pytest.param(
            Report(problem=Problem(message="m", exit_code=3), enforce=False),
            ERROR,
            3,
            "the change could not be computed, or must not be judged",
            id="no change, whatever enforce says",
        ),
        pytest.param(
            Report(problem=Problem(message="m", exit_code=4)),
            ERROR,
            4,
            "nothing was judged, because of a bug in the gate",
            id="bug",
        ),
        pytest.param(
            Report(tasks=(task(FAIL),), enforce=False),
            FAIL,
            0,
            "enforce is false, this is a report only: with enforcement the exit code is 1",
            id="not enforced",
        ),
        pytest.param(Report(tasks=(task(PASS),), enforce=False), PASS, 0, "nothing failed", id="nothing to enforce"),
    ],
)
def test_what_a_report_says_of_the_change(report: Report, outcome: Outcome, code: int, meaning: str) -> None:
    assert (report.outcome, report.exit_code, report.meaning) == (outcome, code, meaning)


def test_counts_have_every_outcome() -> None:
    report = Report(tasks=(task(PASS, PASS, FAIL), task(NA), task(PASS)))
    assert report.counts == {PASS: 3, FAIL: 1, ERROR: 0, SKIP: 0, NA: 1}


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        pytest.param(Report(), {}, id="no task in scope"),
        pytest.param(Report(problem=Problem(message="m", exit_code=3)), {ERROR: 1}, id="a problem of the whole"),
        pytest.param(Report(empty_fails=True), {FAIL: 1}, id="no task in scope, which is to fail"),
        pytest.param(Report(tasks=(task(), task(PASS))), {PASS: 1, ERROR: 1}, id="nothing was asked of a task"),
    ],
)
def test_what_is_said_without_a_verdict_counts_as_one(report: Report, expected: dict[Outcome, int]) -> None:
    assert {outcome: count for outcome, count in report.counts.items() if count} == expected


def test_counts_in_words() -> None:
    report = Report(tasks=(task(PASS, PASS, FAIL, ERROR), task(NA, SKIP)))
    assert report.tally == "2 passed, 1 failed, 1 could not be judged, 1 skipped, 1 not applicable"
    assert Report().tally == ""


@pytest.mark.parametrize(
    ("left_out", "omission"),
    [
        (0, ""),
        (1, "1 oracle that runs commands was left out; `gate run --commands` runs it"),
        (3, "3 oracles that run commands were left out; `gate run --commands` runs them"),
    ],
)
def test_what_was_left_out_is_said(left_out: int, omission: str) -> None:
    assert Report(left_out=left_out).omission == omission


@whole_runs
@given(REPORTS)
def test_nothing_failed_or_broken_is_ever_green_where_it_is_enforced(report: Report) -> None:
    bad = {outcome for task in report.judged_tasks for outcome in (each.outcome for each in task.verdicts)}
    green = report.exit_code == 0
    assert not (green and report.enforce and bad & {FAIL, ERROR})
    assert not (green and report.problem)


@pytest.mark.parametrize(("severity", "level"), list(itertools.product(Severity, Severity)))
def test_a_severity_reaches_its_own_level_and_those_below(severity: Severity, level: Severity) -> None:
    order = ["error", "warning", "notice"]
    assert severity.reaches(level) == (order.index(severity) <= order.index(level))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (verdict(SKIP, reason="why", findings=(Finding(message="f"),)), "why"),
        (verdict(FAIL, findings=(Finding(message="n", severity=Severity.NOTICE), Finding(message="f"))), "f"),
        (
            verdict(
                PASS, waived=(Waived(finding=Finding(message="f"), reason="old"),), evidence=(Evidence(message="e"),)
            ),
            "waived: f (old)",
        ),
        (
            verdict(PASS, waived=(Waived(finding=Finding(message="f"), reason="old", until="2027-01-31"),)),
            "waived: f (old, until 2027-01-31)",
        ),
        (verdict(PASS, evidence=(Evidence(message="e"),)), "e"),
        (verdict(PASS), ""),
    ],
)
def test_the_line_that_a_person_reads_first(said: Verdict, message: str) -> None:
    assert said.message == message


@pytest.mark.parametrize(
    ("path", "line", "place"), [("a.py", 3, "a.py:3"), ("a.py", None, "a.py"), (None, 3, ""), (None, None, "")]
)
def test_the_place_of_what_was_seen(path: str | None, line: int | None, place: str) -> None:
    assert Finding(message="m", path=path, line=line).place == place
    assert Evidence(message="m", path=path, line=line).place == place
