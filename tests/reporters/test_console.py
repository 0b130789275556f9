import re
import textwrap

import msgspec
import pytest
from hypothesis import given

from gate import escape
from gate.mention import UnknownTool
from gate.report import Evidence, Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import console
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

HOSTILE = "\x1b[31m::error::pwn\x1b[0m\n##[add-mask]1\n[PASS] task=x\nGate summary: 9/9 tasks passed"


def text(block: str) -> str:
    return textwrap.dedent(block).lstrip("\n")


def one(finding: Finding) -> Report:
    verdict = Verdict(oracle="o", name="o", outcome=Outcome.FAIL, findings=(finding,))
    return Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=(verdict,)),))


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        pytest.param(
            reports.GOOD,
            """
            [PASS] task=pagination
              [ok] test_must_pass: python -m pytest -q ended with exit code 0
              [ok] assertion_exists: the pattern is still there
            1 task out of scope (--verbose says why)
            Gate summary: 1/1 tasks passed
            oracles: 2 passed
            change: 3 files since 1f2e3d4 (merge base with main)
            judge: gate.yaml at 1f2e3d4
            exit 0: nothing failed
            """,
            id="pass",
        ),
        pytest.param(
            reports.BAD,
            """
            warning: gate.yaml:9: This change takes the oracle no_network out of gate.yaml; it was judged with it
            [PASS] task=pagination
              [ok] test_must_pass: python -m pytest -q ended with exit code 0
              [ok] assertion_exists: the pattern is still there
            [FAIL] task=fix-add
              [FAIL] file_not_modified (tests stay): tests/test_calc.py was modified
                at tests/test_calc.py:12
                  | -    assert add(1, 2) == 3
                  | +    assert True
                tests/test_sub.py: tests/test_sub.py was deleted
                tests/test_old.py: waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)
              [error] assertion_exists: the pattern '(' is not valid: missing )
              [skip] test_must_pass: it runs a command, and this run starts none
              [n/a] no_network: nothing was recorded that could reach a network
              [ok] max_lines: 480 lines, 500 are allowed
                warning: at src/calc.py:480
              notice: The recording explains the change only in part
            1 task out of scope (--verbose says why)
            Gate summary: 1/2 tasks passed
            oracles: 3 passed, 1 failed, 1 could not be judged, 1 skipped, 1 not applicable
            change: 3 files since 1f2e3d4 (merge base with main)
            judge: gate.yaml at 1f2e3d4
            exit 1: at least one oracle failed
            1 oracle that runs commands was left out; `gate run --commands` runs it
            gate run --base main --head HEAD
            """,
            id="fail",
        ),
        pytest.param(
            reports.BROKEN,
            """
            [ERROR] gate.yaml:3: tasks[0].scop is no key; did you mean scope?
            exit 2: nothing was judged
            """,
            id="nothing could be judged",
        ),
        pytest.param(
            reports.NONE_IN_SCOPE,
            """
            1 task out of scope (--verbose says why)
            Gate summary: 0/0 tasks passed
            change: 3 files since 1f2e3d4 (merge base with main)
            judge: gate.yaml at 1f2e3d4
            exit 0: no task is in scope of this change
            """,
            id="no task in scope",
        ),
        pytest.param(
            Report(left_out=3, tasks=(TaskReport(id="t", in_scope=True, scope=""),)),
            """
            [ERROR] task=t
              [error] nothing was asked of this task
            Gate summary: 0/1 tasks passed
            exit 4: something could not be judged, and nothing failed
            3 oracles that run commands were left out; `gate run --commands` runs them
            """,
            id="nothing was asked",
        ),
    ],
)
def test_what_a_person_reads(report: Report, expected: str) -> None:
    assert console.render(report) == text(expected)


def test_a_report_that_is_not_enforced_says_so_first_and_last() -> None:
    lines = console.render(reports.NOT_ENFORCED).splitlines()
    assert lines[0] == "enforce is false: this run only reports, whatever it finds"
    assert lines[-2:] == [
        "exit 0: enforce is false, this is a report only: with enforcement the exit code is 1",
        "gate run --base main --head HEAD",
    ]


def test_quiet_prints_failures_and_the_last_lines() -> None:
    assert console.render(reports.BAD, quiet=True) == text(
        """
        warning: gate.yaml:9: This change takes the oracle no_network out of gate.yaml; it was judged with it
        [FAIL] task=fix-add
          [FAIL] file_not_modified (tests stay): tests/test_calc.py was modified
            at tests/test_calc.py:12
              | -    assert add(1, 2) == 3
              | +    assert True
            tests/test_sub.py: tests/test_sub.py was deleted
            tests/test_old.py: waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)
          [error] assertion_exists: the pattern '(' is not valid: missing )
        Gate summary: 1/2 tasks passed
        oracles: 3 passed, 1 failed, 1 could not be judged, 1 skipped, 1 not applicable
        exit 1: at least one oracle failed
        1 oracle that runs commands was left out; `gate run --commands` runs it
        gate run --base main --head HEAD
        """
    )
    assert console.render(reports.GOOD, quiet=True) == text(
        """
        Gate summary: 1/1 tasks passed
        oracles: 2 passed
        exit 0: nothing failed
        """
    )


def test_verbose_adds_scopes_and_evidence() -> None:
    added = set(console.render(reports.BAD, verbose=True).splitlines()) - set(console.render(reports.BAD).splitlines())
    assert added == {
        "  scope: src/page.py matches src/**",
        "      | 12 passed in 0.30s",
        "    at src/page.py:7",
        "  scope: tests/test_calc.py matches tests/**",
        "[SKIP] task=docs out of scope: nothing that changed matches docs/**",
    }


def test_verbose_counts_the_tools_that_no_reader_knows() -> None:
    report = reports.GOOD
    tools = (UnknownTool("foo", 2), UnknownTool("::bar", 1))
    task = msgspec.structs.replace(report.tasks[0], unknown_tools=tools)
    report = msgspec.structs.replace(report, tasks=(task,))
    line = "  recording: 3 calls of tools unknown to this reader: foo (2), ::bar (1)"
    assert line in console.render(report, verbose=True).splitlines()
    assert "unknown" not in console.render(report)


def test_reports_that_could_not_be_written_are_said_before_the_summary() -> None:
    lines = console.render(reports.GOOD, refused=["junit.xml could not be written"]).splitlines()
    assert lines[lines.index("Gate summary: 1/1 tasks passed") - 1] == "warning: junit.xml could not be written"


def test_of_long_details_the_end_is_shown_and_with_verbose_all() -> None:
    report = one(Finding(message="m", details="\n".join(map(str, range(50)))))
    shown = re.findall(r"\| (.*)", console.render(report))
    assert shown == ["… (--verbose shows all)", *map(str, range(30, 50))]
    assert re.findall(r"\| (.*)", console.render(report, verbose=True)) == list(map(str, range(50)))


def test_what_a_warning_beside_a_task_shows_is_told_from_its_start() -> None:
    lines = tuple(f"+{number}" for number in range(30))
    found = [
        Finding(message="m", severity=severity, path=path, line=3, details="\n".join(lines))
        for path, severity in (("conftest.py", Severity.WARNING), ("a.py", Severity.NOTICE))
    ]
    task = TaskReport(id="t", in_scope=True, scope="", notices=tuple(found))
    report = Report(tasks=(task, msgspec.structs.replace(task, id="u", notices=tuple(found[:1]))))
    told = [
        "  warning: conftest.py:3: m",
        *(f"      | {line}" for line in lines[:20]),
        "      | … (--verbose shows all)",
    ]
    shown = console.render(report).splitlines()
    assert shown[2:25] == [*told, "  notice: a.py:3: m"]
    assert shown[27:29] == ["  warning: conftest.py:3: m", "      | (as above)"]
    assert console.render(report, verbose=True).count("| +29\n") == 2
    assert "conftest.py" not in console.render(report, quiet=True)


def test_of_many_findings_the_first_are_shown_and_the_rest_counted() -> None:
    findings = tuple(Finding(message=f"m{number}", path="a.py", line=number + 1) for number in range(10_000))
    report = one(findings[0])
    verdict = msgspec.structs.replace(report.tasks[0].verdicts[0], findings=findings)
    report = Report(tasks=(msgspec.structs.replace(report.tasks[0], verdicts=(verdict,)),))
    lines = console.render(report).splitlines()
    assert lines[1:4] == ["  [FAIL] o: m0", "    at a.py:1", "    a.py:2: m1"]
    assert "    … and 9980 more (--verbose shows all)" in lines
    assert len(console.render(report, verbose=True).splitlines()) > 10_000


def test_hostile_text_is_shown_quoted_and_passes_for_no_line_of_ours() -> None:
    report = one(Finding(message=HOSTILE, path=HOSTILE, line=1, details=HOSTILE))
    assert console.render(report) == text(
        r"""
        [FAIL] task=t
          [FAIL] o: \x1b[31m::error::pwn\x1b[0m
            | ##\[add-mask]1
            | [PASS] task=x
            | Gate summary: 9/9 tasks passed
            at \x1b[31m::error::pwn\x1b[0m\n##\[add-mask]1\n[PASS] task=x\nGate summary: 9/9 tasks passed:1
              | \x1b[31m::error::pwn\x1b[0m
              | ##\[add-mask]1
              | [PASS] task=x
              | Gate summary: 9/9 tasks passed
        Gate summary: 0/1 tasks passed
        oracles: 1 failed
        exit 1: at least one oracle failed
        """
    )


@whole_runs
@given(REPORTS)
def test_no_line_is_a_command_and_no_character_hidden(report: Report) -> None:
    for verbose in (False, True):
        shown = console.render(report, verbose=verbose)
        assert runner.commands(shown) == []
        assert shown == escape.plain(shown, newlines=True)
        ours = [line for line in shown.split("\n")[:-2] if line.startswith(("[", "Gate summary:", "exit "))]
        outside = verbose * sum(not task.in_scope for task in report.tasks)
        own = 1 if report.problem else 2  # the summary and the exit code, of which the last may be the last line
        assert own - 1 <= len(ours) - len(report.judged_tasks) - outside - bool(report.problem) <= own


@whole_runs
@given(REPORTS)
def test_the_last_line_of_a_failing_run_repeats_it(report: Report) -> None:
    shown = console.render(report).split("\n")
    if report.outcome in (Outcome.FAIL, Outcome.ERROR) and report.repeat:
        assert shown[-2:] == [escape.log_safe(escape.plain(report.repeat)).rstrip("\n"), ""]


def plain_of(coloured: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", coloured)


@pytest.mark.parametrize("report", [reports.GOOD, reports.BAD, reports.BROKEN, one(Finding(message=HOSTILE, path="a"))])
def test_colour_changes_no_word(report: Report) -> None:
    coloured = console.render(report, colour=True, width=60)
    assert "\x1b[" in coloured
    assert plain_of(coloured).split() == console.render(report).split()
    assert escape.plain(plain_of(coloured), newlines=True) == plain_of(coloured)


def test_colour_wraps_at_the_width_but_never_the_command() -> None:
    report = msgspec.structs.replace(reports.BAD, repeat="gate run " + "--task a " * 20)
    lines = plain_of(console.render(report, colour=True, width=60)).splitlines()
    assert lines[-1] == report.repeat
    assert max(map(len, lines[:-1])) <= 60
    assert lines[:2] == [
        "warning: gate.yaml:9: This change takes the oracle",
        "    no_network out of gate.yaml; it was judged with it",
    ]


def test_the_outcome_has_its_colour_whatever_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")  # who calls has looked at it
    coloured = console.render(reports.BAD, colour=True)
    assert "\x1b[32m[PASS]\x1b[0m task=pagination\n" in coloured
    assert "\x1b[1;31m  [FAIL]\x1b[0m file_not_modified" in coloured


def test_evidence_with_a_place_is_told_only_when_asked() -> None:
    verdict = Verdict(
        oracle="o", name="o", outcome=Outcome.PASS, evidence=(Evidence(message="a"), Evidence(message="b", path="p"))
    )
    report = Report(tasks=(TaskReport(id="t", in_scope=True, scope="s", verdicts=(verdict,)),))
    assert "p: b" not in console.render(report)
    assert "    p: b\n" in console.render(report, verbose=True)
