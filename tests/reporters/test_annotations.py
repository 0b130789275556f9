from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given

from gate.extent import Extent, Filter
from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import annotations
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs
from tests.runner import Annotation


def shown(report: Report) -> list[Annotation]:
    return runner.annotations(annotations.render(report))


def one(outcome: Outcome, *findings: Finding, reason: str = "") -> Report:
    verdict = Verdict(oracle="o", name="o", outcome=outcome, findings=findings, reason=reason)
    return Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=(verdict,), path="gate.yaml", line=3),))


def test_a_run_is_annotated_most_severe_first() -> None:
    assert shown(reports.BAD) == [
        Annotation("error", "tests/test_calc.py was modified", "fix-add / tests stay", "tests/test_calc.py", 12, 14),
        Annotation("error", "tests/test_sub.py was deleted", "fix-add / tests stay", "tests/test_sub.py"),
        Annotation(
            "error", "the pattern '(' is not valid: missing )", "fix-add / assertion_exists", "tasks/fix-add.json"
        ),
        Annotation(
            "warning",
            "This change takes the oracle no_network out of gate.yaml; it was judged with it",
            "gate",
            "gate.yaml",
            9,
        ),
        Annotation("warning", "480 lines, 500 are allowed", "fix-add / max_lines", "src/calc.py", 480),
        Annotation(
            "notice",
            "waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)",
            "fix-add / tests stay",
            "tests/test_old.py",
        ),
        Annotation("notice", "The recording explains the change only in part", "fix-add", "tasks/fix-add.json"),
    ]


CHANGED = Extent({"src/a.py": ((10, 12), (20, 19))})


@pytest.mark.parametrize(
    ("mode", "shown_at"),
    [
        (Filter.ADDED, ["src/a.py", "src/a.py:11"]),
        (Filter.DIFF_CONTEXT, ["src/a.py", "src/a.py:7", "src/a.py:11", "src/a.py:17"]),
        (Filter.FILE, ["gate.yaml:3", "src/a.py", "src/a.py:1", "src/a.py:7", "src/a.py:11", "src/a.py:17"]),
        (
            Filter.NOFILTER,
            ["gate.yaml:3", "src/a.py", "src/a.py:1", "src/a.py:7", "src/a.py:11", "src/a.py:17", "src/b.py:11"],
        ),
    ],
)
def test_only_places_of_the_change_are_annotated_and_no_message_is_lost(mode: Filter, shown_at: list[str]) -> None:
    places = [("src/a.py", None), *(("src/a.py", line) for line in (1, 7, 11, 17)), ("src/b.py", 11), (None, None)]
    findings = [Finding(message=f"m {number}", path=path, line=line) for number, (path, line) in enumerate(places)]
    report = msgspec.structs.replace(one(Outcome.FAIL, *findings), extent=CHANGED)
    seen = runner.annotations(annotations.render(report, mode=mode))
    assert sorted(f"{each.file}:{each.line}" if each.line else each.file for each in seen if each.file) == sorted(
        shown_at
    )
    elsewhere = {place for path, line in places[:-1] if (place := f"{path}:{line}" if line else path) not in shown_at}
    told = {each.message.rpartition(": ")[0] for each in seen if not each.file} - {""}
    assert told == elsewhere
    assert {each.message[-1] for each in seen} == {str(number) for number in range(len(places))}


def test_what_the_change_did_to_the_gate_comes_before_the_other_notices() -> None:
    notices = tuple(
        Finding(message=kind, severity=Severity.WARNING, kind=kind) for kind in ("change", "judge_changed", "waiver")
    )
    report = msgspec.structs.replace(reports.GOOD, notices=notices)
    assert [each.message for each in shown(report)] == ["judge_changed", "change", "waiver"]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        pytest.param(reports.GOOD, [], id="a pass needs none"),
        pytest.param(reports.NONE_IN_SCOPE, [], id="nothing in scope needs none"),
        pytest.param(
            reports.BROKEN,
            [Annotation("error", "gate.yaml:3: tasks[0].scop is no key; did you mean scope?", "gate")],
            id="nothing could be judged",
        ),
        pytest.param(
            reports.EMPTY_FAILS,
            [Annotation("error", "no task is in scope, and on_empty is fail", "gate")],
            id="no task, which is to fail",
        ),
        pytest.param(
            one(
                Outcome.FAIL,
                Finding(message="slow", severity=Severity.WARNING),
                Finding(message="hint", severity=Severity.NOTICE),
            ),
            [
                Annotation("error", "slow", "t / o", "gate.yaml", 3),
                Annotation("notice", "hint", "t / o", "gate.yaml", 3),
            ],
            id="what made it fail is an error, whatever the level of the policy",
        ),
        pytest.param(one(Outcome.FAIL), [Annotation("error", "no message", "t / o", "gate.yaml", 3)], id="no words"),
        pytest.param(
            one(Outcome.ERROR, Finding(message="step 3", severity=Severity.NOTICE), reason="no replay: step 3"),
            [Annotation("error", "no replay: step 3", "t / o", "gate.yaml", 3)],
            id="a reason is not told twice",
        ),
        pytest.param(
            Report(tasks=(TaskReport(id="t", in_scope=True, scope="", path="gate.yaml"),)),
            [Annotation("error", "nothing was asked of this task", "t", "gate.yaml")],
            id="a task of which nothing was asked",
        ),
    ],
)
def test_what_is_annotated(report: Report, expected: Sequence[Annotation]) -> None:
    assert shown(report) == expected


def test_a_report_that_is_not_enforced_says_so() -> None:
    assert Annotation(
        "warning", "enforce is false, this is a report only: with enforcement the exit code is 1", "gate"
    ) in shown(reports.NOT_ENFORCED)


@pytest.mark.parametrize(
    ("line", "end_line", "place"),
    [
        (None, None, (None, None)),
        (5, None, (5, None)),
        (5, 7, (5, 7)),
        (5, 5, (5, None)),
        (7, 5, (7, None)),
        (0, 3, (None, None)),
    ],
)
def test_lines_are_those_that_the_runner_keeps(
    line: int | None, end_line: int | None, place: tuple[int | None, int | None]
) -> None:
    (annotation,) = shown(one(Outcome.FAIL, Finding(message="m", path="a.py", line=line, end_line=end_line)))
    assert (annotation.line, annotation.end_line) == place


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (10, "x&`<x&`<"),
        (11, "2 more errors: GitHub shows 10 of a level for each step, the step summary and the reports have all"),
        (
            10_000,
            "9991 more errors: GitHub shows 10 of a level for each step, the step summary and the reports have all",
        ),
    ],
)
def test_the_tenth_of_a_level_says_how_many_more(count: int, told: str) -> None:
    found = runner.commands(annotations.render(reports.many(count)))
    assert len(found) == 10
    assert found[-1].data == told


def test_each_level_has_its_own_budget() -> None:
    findings = tuple(Finding(message="m", severity=severity) for severity in Severity for _ in range(20))
    levels = [annotation.level for annotation in shown(one(Outcome.PASS, *findings))]
    assert levels == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10


def test_a_long_message_ends_with_a_sign_of_it() -> None:
    (annotation,) = shown(one(Outcome.FAIL, Finding(message="\x1b" * 100_000)))
    assert len(annotation.message) == 4096
    assert annotation.message.endswith("\\x1…")


def test_hostile_names_and_messages_stay_text() -> None:
    finding = Finding(message="a\n::add-mask::1 %0A ##[error]x", path="a,line=9::b%0A\n\udcff.py", line=1)
    (command,) = runner.commands(annotations.render(one(Outcome.FAIL, finding)))
    assert command == (
        "error",
        {"file": "a,line=9::b%0A\\n\\xff.py", "line": "1", "title": "t / o"},
        "a\n::add-mask::1 %0A ##[error]x",
    )


@whole_runs
@given(REPORTS)
def test_every_line_is_an_annotation_of_ours_and_within_the_budget(report: Report) -> None:
    text = annotations.render(report)
    found = runner.commands(text)
    assert len(runner.lines(text)) == len(found) + 1
    for level in Severity:
        own = [one for one in annotations.collect(report) if one.level is level]
        assert sum(command.name == level for command in found) == min(len(own), annotations.BUDGET)
    assert {command.name for command in found} <= {"error", "warning", "notice"}
    assert {key for command in found for key in command.properties} <= {"file", "line", "endLine", "title"}


@whole_runs
@given(REPORTS)
def test_a_run_that_is_not_green_has_an_error(report: Report) -> None:
    enforced = msgspec.structs.replace(report, enforce=True)
    assert enforced.exit_code == 0 or any(one.level is Severity.ERROR for one in annotations.collect(enforced))
