"""How many tasks passed, in every surface; never those of a bundle."""

import json

import msgspec
import pytest

from gate.report import Outcome, Report, TaskReport, Verdict
from gate.reporters import check_run, console, json_report, score, summary

PASS, FAIL = Outcome.PASS, Outcome.FAIL


def task(outcome: Outcome) -> TaskReport:
    return TaskReport(id="t", in_scope=True, scope="", verdicts=(Verdict(oracle="o", name="o", outcome=outcome),))


def bundled(outcome: Outcome) -> TaskReport:
    return msgspec.structs.replace(task(outcome), bundled=True)


@pytest.mark.parametrize(
    ("tasks", "words", "lines", "passed"),
    [
        pytest.param(
            (task(PASS), task(FAIL)),
            "1 of 2 tasks passed",
            ("1/2 tasks passed", "❌ fail, 1 of 2 tasks passed", "Failed: 1 of 2 tasks passed"),
            1,
            id="none of a bundle",
        ),
        pytest.param(
            (bundled(PASS), bundled(FAIL)),
            "",
            ("fail; tasks of a bundle are not counted, since that would be a rate", "❌ fail", "Failed"),
            None,
            id="all of a bundle",
        ),
        pytest.param(
            (task(PASS), bundled(PASS), task(FAIL)),
            "1 of 2 tasks passed beside those of a bundle",
            (
                "1/2 tasks passed beside those of a bundle",
                "❌ fail, 1 of 2 tasks passed beside those of a bundle",
                "Failed: 1 of 2 tasks passed beside those of a bundle",
            ),
            None,
            id="some of a bundle",
        ),
    ],
)
def test_tasks_of_bundles_are_counted_in_no_surface(
    tasks: tuple[TaskReport, ...], words: str, lines: tuple[str, str, str], passed: int | None
) -> None:
    report = Report(tasks=tasks)
    assert score.words(report) == words
    foot, head, title = lines
    assert f"\nGate summary: {foot}\noracles: " in console.render(report)
    assert summary.render(report).startswith(f"## Gate: {head}\n")
    assert check_run.title(report) == title
    document = json.loads(json_report.render(report))
    assert (document["counts"]["tasks_passed"], document["counts"]["tasks_in_scope"]) == (passed, len(tasks))
    assert [one["bundled"] for one in document["tasks"]] == [one.bundled for one in tasks]
