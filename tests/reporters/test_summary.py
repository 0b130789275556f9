import re
import textwrap
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gate.report import Evidence, Finding, Outcome, Report, Severity, TaskReport, Verdict, Waived
from gate.reporters import summary
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

HOSTILE = "@org/team fixes #1 o/r#2 GH-3\n```\n</details><img src=x> | [x](javascript:1) ::error::x\n````\n<!-- -->"


def text(block: str) -> str:
    return textwrap.dedent(block).lstrip("\n")


def tokens(markdown: str) -> Iterator[Token]:
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown):
        yield token
        yield from token.children or ()


def test_a_run_is_told_failures_first() -> None:
    assert summary.render(reports.BAD) == text(
        """
        ## Gate: ❌ fail, 1 of 2 tasks passed

        - **Exit 1:** at least one oracle failed
        - **Oracles:** 3 passed, 1 failed, 1 could not be judged, 1 skipped, 1 not applicable
        - **Change:** 3 files since 1f2e3d\u200b4 (merge base with main)
        - **Judge:** gate.yaml at 1f2e3d\u200b4
        - **Left out:** 1 oracle that runs commands was left out; &#96;gate run --commands&#96; runs it

        ### What this change did to the gate

        - ⚠️ <code>gate.yaml:9</code>: This change takes the oracle no_network out of gate.yaml; it was judged with it

        ### Verdicts

        | Task | Oracle | Outcome | Message |
        |---|---|---|---|
        | <code>fix-add</code> | <code>tests stay</code> | ❌ fail | tests/test_calc.py was modified |
        | <code>fix-add</code> | <code>assertion_exists</code> | ⛔ error | the pattern '(' is not valid: missing ) |
        | <code>fix-add</code> | <code>test_must_pass</code> | ⏭️ skip | it runs a command, and this run starts none |
        | <code>fix-add</code> | <code>no_network</code> | ➖ not applicable | nothing was recorded that could reach a network |
        | <code>fix-add</code> | <code>max_lines</code> | ✅ pass | 480 lines, 500 are allowed |
        | <code>fix-add</code> | | ℹ️ | The recording explains the change only in part |
        | <code>pagination</code> | <code>test_must_pass</code> | ✅ pass | python -m pytest -q ended with exit code 0 |
        | <code>pagination</code> | <code>assertion_exists</code> | ✅ pass | the pattern is still there |

        ### Why

        #### <code>fix-add</code> <code>tests stay</code>

        ```text
        tests/test_calc.py:12: tests/test_calc.py was modified
        -    assert add(1, 2) == 3
        +    assert True
        tests/test_sub.py: tests/test_sub.py was deleted
        ```

        #### <code>fix-add</code> <code>assertion_exists</code>

        ```text
        the pattern '(' is not valid: missing )
        ```

        ### Waived

        - <code>fix-add</code> <code>tests/test_old.py</code>: waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)

        <details><summary>1 task out of scope</summary>

        - <code>docs</code> nothing that changed matches docs/&#42;&#42;

        </details>

        To repeat it:

        ```text
        gate run --base main --head HEAD
        ```
        """
    )


@pytest.mark.parametrize(
    ("report", "start"),
    [
        pytest.param(
            reports.BROKEN,
            """
            ## Gate: ⛔ error

            - **Exit 2:** nothing was judged

            ```text
            gate.yaml:3: tasks[0].scop is no key; did you mean scope?
            ```
            """,
            id="nothing could be judged",
        ),
        pytest.param(
            reports.NOT_ENFORCED,
            """
            ## Gate: ❌ fail, 1 of 2 tasks passed

            > [!WARNING]
            > **enforce is false**: this run only reports, whatever it finds.

            - **Exit 0:** enforce is false, this is a report only: with enforcement the exit code is 1
            """,
            id="not enforced",
        ),
        pytest.param(
            reports.NONE_IN_SCOPE,
            """
            ## Gate: ⏭️ skip, 0 of 0 tasks passed

            - **Exit 0:** no task is in scope of this change
            """,
            id="no task in scope",
        ),
    ],
)
def test_what_is_told_first(report: Report, start: str) -> None:
    assert summary.render(report).startswith(text(start))


def test_a_task_of_which_nothing_was_asked_is_an_error() -> None:
    report = Report(tasks=(TaskReport(id="t", in_scope=True, scope=""),))
    assert "| <code>t</code> | | ⛔ error | nothing was asked of this task |\n" in summary.render(report)


@pytest.mark.parametrize("limit", [summary.LIMIT, 128 * 1024])
@pytest.mark.parametrize(
    "report",
    [
        pytest.param(reports.many(10_000), id="10,000 failures"),
        pytest.param(reports.many(10_000, size=1_000_000), id="10,000 failures with 1 MB each"),
        pytest.param(reports.many(3, size=5_000_000), id="3 failures with 5 MB each"),
    ],
)
def test_the_size_is_kept_and_what_is_left_out_is_counted(report: Report, limit: int) -> None:
    shown = summary.render(report, limit=limit)
    assert limit // 10 < len(shown.encode()) <= limit
    left_out = re.search(r"\*\*(\d+) tasks are left out here\*\*, for the size of a summary", shown)
    rows = shown.count(" | ❌ fail | ")
    assert rows + int(left_out[1] if left_out else 0) == len(report.tasks)
    assert shown.endswith("\n```text\ngate run --base main --head HEAD\n```\n")


def test_what_is_left_out_is_what_passed() -> None:
    passed = reports.many(5_000, outcome=Outcome.PASS)
    failed = reports.many(3)
    shown = summary.render(msgspec.structs.replace(passed, tasks=passed.tasks + failed.tasks))
    assert shown.count(" | ❌ fail | ") == 3
    assert shown.index(" | ❌ fail | ") < shown.index(" | ✅ pass | ")


def test_everything_at_once_keeps_the_size() -> None:
    finding = Finding(
        message="\U000e0041" * 5_000, path="\U000e0041`" * 5_000, details="`" * 100_000, kind="protected_changed"
    )
    verdict = Verdict(
        oracle="o",
        name="`" * 5_000,
        outcome=Outcome.FAIL,
        findings=(finding,) * 30,
        evidence=(Evidence(message="e"),),
        waived=(Waived(finding=finding, reason="r" * 5_000),) * 300,
    )
    task = TaskReport(
        id="\U000e0041" * 5_000, in_scope=True, scope="s", verdicts=(verdict,) * 40, notices=(finding,) * 20
    )
    outside = msgspec.structs.replace(task, in_scope=False, scope="\U000e0041" * 5_000)
    report = Report(
        tasks=(task, outside), notices=(finding,) * 20, repeat="\U000e0041`" * 100_000, change="\udcff" * 5000
    )
    for limit in (summary.LIMIT, 64 * 1024):
        shown = summary.render(report, limit=limit)
        assert len(shown.encode()) <= limit
        assert "\n- … and " in shown


def test_a_task_with_very_many_oracles_is_cut_with_a_count() -> None:
    verdicts = tuple(Verdict(oracle="o", name=f"o{number}", outcome=Outcome.PASS) for number in range(250))
    report = Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=verdicts),))
    assert "| <code>t</code> | | | … and 150 more |\n" in summary.render(report)


def test_hostile_text_stays_in_its_cell_and_fence() -> None:
    finding = Finding(message=HOSTILE, path=HOSTILE, details=HOSTILE, severity=Severity.WARNING)
    verdict = Verdict(oracle="o", name=HOSTILE, outcome=Outcome.FAIL, findings=(finding,))
    report = Report(
        tasks=(TaskReport(id=HOSTILE, in_scope=True, scope=HOSTILE, verdicts=(verdict,)),),
        notices=(finding,),
        repeat=HOSTILE,
    )
    shown = summary.render(report)
    assert "| @\u200borg/team fixes #\u200b1 o/r#\u200b2 GH-\u200b3 &#96;&#96;&#96; &#60;/details&#62;" in shown
    assert "\n`````text\n" in shown
    assert [token.type for token in tokens(shown)].count("tr_open") == 2
    assert [token.type for token in tokens(shown)].count("fence") == 2


def protected(*notices: Finding) -> Report:
    """A report on tasks that pass, each with these notices."""
    notices = tuple(msgspec.structs.replace(one, kind="protected_changed") for one in notices)
    tasks = (msgspec.structs.replace(reports.PASSED, id=name, notices=notices) for name in ("one", "two"))
    return msgspec.structs.replace(reports.EMPTY, tasks=tuple(tasks))


def test_what_differs_in_a_protected_file_is_shown_once() -> None:
    edited = Finding(
        message="This change edits conftest.py, which is protected: commands ran with the base's version.",
        severity=Severity.WARNING,
        path="conftest.py",
        line=2,
        details="@@ -1,2 +1,2 @@\n import os\n-old\n+@org/team ```",
    )
    shown = summary.render(protected(edited))
    assert shown.count(edited.message) == 2
    section = shown[shown.index("### What differs") : shown.index("To repeat it:")]
    assert section == text(
        """
        ### What differs in protected files

        <code>conftest.py:2</code>

        ````text
        @@ -1,2 +1,2 @@
         import os
        -old
        +@org/team ```
        ````

        """
    )


def test_very_much_that_differs_is_cut_and_counted() -> None:
    many = [Finding(message="m", path=f"a{number}.py", details="+x\n" * 100_000) for number in range(100)]
    shown = summary.render(protected(*many), limit=64 * 1024)
    assert len(shown.encode()) <= 64 * 1024
    assert "<code>a0.py</code>\n\n```text\n+x\n" in shown
    assert "characters left out …" in shown
    assert "… and 97 more; the JSON and JUnit reports hold all." in shown


@whole_runs
@given(REPORTS)
def test_no_text_becomes_markup_mention_or_command(report: Report) -> None:
    shown = summary.render(report)
    assert runner.commands(shown) == []
    found = list(tokens(shown))
    assert {token.content for token in found if token.type == "html_inline"} <= {"<code>", "</code>"}
    for token in found:
        if token.type == "html_block":
            assert re.fullmatch(r"<details><summary>\d+ tasks? out of scope</summary>\n|</details>\n?", token.content)
        if token.type in ("text", "text_special"):
            assert not re.search(r"@\w|#\d|(?i:gh)-\d|[0-9A-Fa-f]{7}|www\.|://|:[\w+-]+:", token.content)
    assert not {token.type for token in found} & {
        "image",
        "link_open",
        "em_open",
        "code_inline",
        "s_open",
        "code_block",
    }
    rows = sum(max(len(task.verdicts), 1) + len(task.notices) for task in report.judged_tasks)
    assert sum(token.type == "tr_open" for token in found) == (rows + 1 if rows else 0)
