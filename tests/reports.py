"""Whole runs as they may come out, for the tests of every surface."""

import msgspec

from gate.report import Evidence, Finding, Outcome, Problem, Report, Severity, TaskReport, Verdict, Waived

EMPTY = Report(
    change="3 files since 1f2e3d4 (merge base with main)",
    judge="gate.yaml at 1f2e3d4",
    version="0.1.0",
    repeat="gate run --base main --head HEAD",
    started="2026-11-29T19:00:00",
    seconds=1.5,
)

PASSED = TaskReport(
    id="pagination",
    in_scope=True,
    scope="src/page.py matches src/**",
    path="gate.yaml",
    line=3,
    verdicts=(
        Verdict(
            oracle="test_must_pass",
            name="test_must_pass",
            outcome=Outcome.PASS,
            seconds=1.25,
            evidence=(Evidence(message="python -m pytest -q ended with exit code 0", details="12 passed in 0.30s"),),
        ),
        Verdict(
            oracle="assertion_exists",
            name="assertion_exists",
            outcome=Outcome.PASS,
            evidence=(Evidence(message="the pattern is still there", path="src/page.py", line=7),),
        ),
    ),
)

FAILED = TaskReport(
    id="fix-add",
    in_scope=True,
    scope="tests/test_calc.py matches tests/**",
    path="tasks/fix-add.json",
    notices=(Finding(message="The recording explains the change only in part", severity=Severity.NOTICE),),
    verdicts=(
        Verdict(
            oracle="file_not_modified",
            name="tests stay",
            outcome=Outcome.FAIL,
            seconds=0.0004,
            kind="modified",
            findings=(
                Finding(
                    message="tests/test_calc.py was modified",
                    path="tests/test_calc.py",
                    line=12,
                    end_line=14,
                    kind="modified",
                    details="-    assert add(1, 2) == 3\n+    assert True",
                ),
                Finding(message="tests/test_sub.py was deleted", path="tests/test_sub.py", kind="deleted"),
            ),
            waived=(
                Waived(
                    finding=Finding(message="tests/test_old.py was deleted", path="tests/test_old.py"),
                    reason="removed with its subject",
                    until="2027-01-31",
                ),
            ),
        ),
        Verdict(
            oracle="assertion_exists",
            name="assertion_exists",
            outcome=Outcome.ERROR,
            reason="the pattern '(' is not valid: missing )",
            kind="regex_syntax",
        ),
        Verdict(
            oracle="test_must_pass",
            name="test_must_pass",
            outcome=Outcome.SKIP,
            reason="it runs a command, and this run starts none",
            kind="no_commands",
        ),
        Verdict(
            oracle="no_network",
            name="no_network",
            outcome=Outcome.NOT_APPLICABLE,
            reason="nothing was recorded that could reach a network",
        ),
        Verdict(
            oracle="max_lines",
            name="max_lines",
            outcome=Outcome.PASS,
            findings=(
                Finding(message="480 lines, 500 are allowed", severity=Severity.WARNING, path="src/calc.py", line=480),
            ),
        ),
    ),
)

OUT = TaskReport(id="docs", in_scope=False, scope="nothing that changed matches docs/**")

JUDGE_CHANGED = Finding(
    message="This change takes the oracle no_network out of gate.yaml; it was judged with it",
    severity=Severity.WARNING,
    path="gate.yaml",
    line=9,
    kind="judge_changed",
)

GOOD = msgspec.structs.replace(EMPTY, tasks=(PASSED, OUT))
BAD = msgspec.structs.replace(EMPTY, tasks=(PASSED, FAILED, OUT), notices=(JUDGE_CHANGED,), left_out=1)
NOT_ENFORCED = msgspec.structs.replace(EMPTY, tasks=(PASSED, FAILED), enforce=False)
BROKEN = Report(
    problem=Problem(
        message="gate.yaml:3: tasks[0].scop is no key; did you mean scope?", exit_code=2, kind="unknown_key"
    ),
    version="0.1.0",
)
NO_CHANGE = Report(problem=Problem(message="git diff failed: bad object", exit_code=3, kind="git"), version="0.1.0")
NONE_IN_SCOPE = msgspec.structs.replace(EMPTY, tasks=(OUT,))
EMPTY_FAILS = msgspec.structs.replace(EMPTY, tasks=(OUT,), empty_fails=True)


def many(count: int, *, size: int = 10, outcome: Outcome = Outcome.FAIL) -> Report:
    """`count` tasks with one finding each, its message and details of `size` characters."""
    text = "x&`<" * (size // 4)
    tasks = tuple(
        TaskReport(
            id=f"task-{number}",
            in_scope=True,
            scope="",
            verdicts=(
                Verdict(
                    oracle="o",
                    name="o",
                    outcome=outcome,
                    findings=(Finding(message=text, path=f"src/{number}.py", line=number + 1, details=text),),
                ),
            ),
        )
        for number in range(count)
    )
    return msgspec.structs.replace(EMPTY, tasks=tasks)
