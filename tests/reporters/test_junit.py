"""The rules of each consumer are those of its own reader: Jenkins, GitLab, Azure DevOps, CircleCI, EnricoMi and others."""

import re
from collections.abc import Callable
from pathlib import Path

import junitparser
import msgspec
import pytest
from hypothesis import given
from lxml import etree

from gate import escape
from gate.report import Evidence, Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import junit
from gate.reporters.junit import Profile
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

SAMPLES = [
    pytest.param(getattr(reports, name), id=name)
    for name in ("GOOD", "BAD", "NOT_ENFORCED", "BROKEN", "NO_CHANGE", "NONE_IN_SCOPE", "EMPTY", "EMPTY_FAILS")
]
HOSTILE = '\x1b[31m::error::pwn\x1b[0m\r\n##[add-mask]1 \0\ufffe\udcff ]]></failure></testcase><testcase name="x"/>'


def parsed(report: Report, profile: Profile = Profile.ANNOTATED) -> etree._Element:
    return etree.fromstring(junit.render(report, profile=profile))


def one(outcome: Outcome, **more: object) -> Report:
    verdict = Verdict(oracle="o", name="o", outcome=outcome, **more)  # type: ignore[arg-type] # a test's shorthand
    return Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=(verdict,), path="gate.yaml", line=3),))


def told(case: etree._Element) -> tuple[str, ...]:
    """A case as it reads: its outcome, then type, message and text of the element that says why."""
    parts = case.xpath("failure|error|skipped")
    if not parts:
        return ("passed",)
    return (parts[0].tag, parts[0].get("type"), parts[0].get("message"), parts[0].text)


def test_a_task_is_a_suite_and_an_oracle_a_case() -> None:
    skipped = "it runs a command, and this run starts none"
    absent = "not applicable: nothing was recorded that could reach a network"
    pattern = "the pattern '(' is not valid: missing )"
    scope = "out of scope: nothing that changed matches docs/**"
    changed = (
        "tests/test_calc.py:12: tests/test_calc.py was modified\n-    assert add(1, 2) == 3\n+    assert True\n"
        "tests/test_sub.py: tests/test_sub.py was deleted"
    )
    cases = [(case.get("classname"), case.get("name"), *told(case)) for case in parsed(reports.BAD).iter("testcase")]
    assert cases == [
        ("gate.pagination", "test_must_pass", "passed"),
        ("gate.pagination", "assertion_exists", "passed"),
        ("gate.fix-add", "tests stay", "failure", "modified", "tests/test_calc.py was modified", changed),
        ("gate.fix-add", "assertion_exists", "error", "regex_syntax", pattern, pattern),
        ("gate.fix-add", "test_must_pass", "skipped", "skipped", skipped, skipped),
        ("gate.fix-add", "no_network", "skipped", "skipped", absent, absent),
        ("gate.fix-add", "max_lines", "passed"),
        ("gate.docs", "scope", "skipped", "skipped", scope, scope),
    ]


def test_suites_say_what_was_judged_by_what_and_why() -> None:
    suites = parsed(reports.BAD).findall("testsuite")
    properties = [{each.get("name"): each.get("value") for each in suite.iter("property")} for suite in suites]
    common = {
        "gate": "0.1.0",
        "change": "3 files since 1f2e3d4 (merge base with main)",
        "judge": "gate.yaml at 1f2e3d4",
    }
    assert properties == [
        common | {"scope": "src/page.py matches src/**", "repeat": "gate run --base main --head HEAD"},
        common | {"scope": "tests/test_calc.py matches tests/**"},
        common | {"scope": "nothing that changed matches docs/**"},
    ]


def test_what_is_told_beside_a_verdict_is_output() -> None:
    root = parsed(reports.BAD)
    outputs = [(out.getparent().get("name"), out.text) for out in root.iter("system-out")]
    assert outputs == [
        (
            "pagination",
            "gate.yaml:9: warning: This change takes the oracle no_network out of gate.yaml; it was judged with it",
        ),
        ("test_must_pass", "python -m pytest -q ended with exit code 0\n12 passed in 0.30s"),
        ("assertion_exists", "src/page.py:7: the pattern is still there"),
        ("fix-add", "notice: The recording explains the change only in part"),
        (
            "tests stay",
            "tests/test_old.py: waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)",
        ),
        ("max_lines", "src/calc.py:480: 480 lines, 500 are allowed"),
    ]


def test_a_case_stands_at_its_finding_or_else_at_its_task() -> None:
    places = [(case.get("name"), case.get("file"), case.get("line")) for case in parsed(reports.BAD).iter("testcase")]
    assert places == [
        ("test_must_pass", "gate.yaml", "3"),
        ("assertion_exists", "gate.yaml", "3"),
        ("tests stay", "tests/test_calc.py", "12"),
        ("assertion_exists", "tasks/fix-add.json", None),
        ("test_must_pass", "tasks/fix-add.json", None),
        ("no_network", "tasks/fix-add.json", None),
        ("max_lines", "src/calc.py", "480"),
        ("scope", None, None),
    ]


@pytest.mark.parametrize(
    ("report", "case"),
    [
        pytest.param(
            reports.BROKEN,
            (
                "gate",
                "problem",
                "error",
                "unknown_key",
                *["gate.yaml:3: tasks[0].scop is no key; did you mean scope?"] * 2,
            ),
            id="nothing could be judged",
        ),
        pytest.param(
            reports.EMPTY,
            ("gate", "scope", "skipped", "skipped", *["no task is in scope of this change"] * 2),
            id="no task",
        ),
        pytest.param(
            reports.EMPTY_FAILS,
            ("gate", "scope", "failure", "empty", *["no task is in scope, and on_empty is fail"] * 2),
            id="no task, which is to fail",
        ),
        pytest.param(
            Report(tasks=(TaskReport(id="t", in_scope=True, scope=""),)),
            ("gate.t", "task", "error", "not_judged", *["nothing was asked of this task"] * 2),
            id="a task of which nothing was asked",
        ),
    ],
)
def test_a_run_without_verdicts_still_has_a_case(report: Report, case: tuple[str, ...]) -> None:
    first = parsed(report).find(".//testcase")
    assert (first.get("classname"), first.get("name"), *told(first)) == case


def test_a_report_that_is_not_enforced_says_so_in_every_suite() -> None:
    suites = parsed(reports.NOT_ENFORCED).findall("testsuite")
    assert [suite.xpath("string(.//property[@name='enforce']/@value)") for suite in suites] == [
        "false: report only, the exit code is 0"
    ] * 2


@pytest.mark.parametrize("report", SAMPLES)
def test_the_strict_profile_is_valid_for_jenkins_and_for_ant(cases: Path, report: Report) -> None:
    data = parsed(report, Profile.STRICT)
    for schema in sorted((cases / "junit").glob("*.xsd")):
        etree.XMLSchema(file=str(schema)).assertValid(data)


@whole_runs
@given(report=REPORTS)
def test_the_strict_profile_is_valid_whatever_the_text(cases: Path, report: Report) -> None:
    data = parsed(report, Profile.STRICT)
    for schema in sorted((cases / "junit").glob("*.xsd")):
        etree.XMLSchema(file=str(schema)).assertValid(data)


@whole_runs
@given(REPORTS)
def test_any_report_is_well_formed_and_counts_as_it_was_judged(report: Report) -> None:
    root = parsed(report)
    assert runner.commands(junit.render(report).decode()) == []  # should somebody print the file in a job
    bad = root.xpath("//failure|//error")
    assert bool(bad) >= (report.enforced_code != 0)
    assert len(root.findall("testsuite")) >= max(1, len(report.tasks))
    for suite in root.iter("testsuite"):
        found = {tag: len(suite.findall(f"testcase/{tag}")) for tag in ("failure", "error", "skipped")}
        counted = {"failure": "failures", "error": "errors", "skipped": "skipped"}
        assert {tag: int(suite.get(counted[tag])) for tag in found} == found
        assert int(suite.get("tests")) == len(suite.findall("testcase")) > 0


@whole_runs
@given(REPORTS)
def test_what_every_consumer_asks_for(report: Report) -> None:
    root = parsed(report)
    keys = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(keys)) == len(keys)  # GitLab keeps the first of two alike
    for case in root.iter("testcase"):
        assert case.get("classname").startswith("gate")  # Buildkite
        assert 0 < len(case.get("name")) <= 512  # dorny's action, Azure DevOps
        assert re.fullmatch(r"\d+\.\d{3}", case.get("time"))  # Jenkins xUnit knows no 1e-07, dorny's action no gap
        assert not case.get("line") or case.get("file")  # mikepenz's action
        assert len(case.xpath("failure|error|skipped")) <= 1
        for element in case.xpath("failure|error|skipped"):
            assert element.get("message").strip()  # Azure DevOps reads the attribute
            assert element.text.strip()  # GitLab reads the text
    for suite in root.iter("testsuite"):
        assert suite.get("name")
        assert suite.get("disabled") is None
        assert re.fullmatch(r"\d+\.\d{3}", suite.get("time"))


@pytest.mark.parametrize("report", SAMPLES)
def test_junitparser_reads_the_same_totals(tmp_path: Path, report: Report) -> None:
    file = tmp_path / "junit.xml"
    file.write_bytes(junit.render(report))
    read = junitparser.JUnitXml.fromfile(str(file))
    written = {key: getattr(read, key) for key in ("tests", "failures", "errors", "skipped")}
    read.update_statistics()  # type: ignore[no-untyped-call] # the library's
    assert {key: getattr(read, key) for key in written} == written
    counts = report.counts
    assert (written["errors"], written["failures"]) == (counts[Outcome.ERROR], counts[Outcome.FAIL])


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.ERROR, Outcome.SKIP, Outcome.NOT_APPLICABLE])
@pytest.mark.parametrize("message", ["", " ", "\x1b[0m", "\x1b[0m\r\n"])
def test_no_outcome_is_lost_for_want_of_words(outcome: Outcome, message: str) -> None:
    case = parsed(one(outcome, findings=(Finding(message=message),))).find(".//testcase")
    assert told(case)[0] == {"fail": "failure", "error": "error"}.get(outcome, "skipped")


def test_hostile_text_is_shown_and_adds_no_case() -> None:
    finding = Finding(message=HOSTILE, path=f"{HOSTILE}.py", kind=HOSTILE, details=HOSTILE)
    report = one(Outcome.FAIL, findings=(finding,), evidence=(Evidence(message=HOSTILE),))
    root = parsed(msgspec.structs.replace(report, change=HOSTILE, notices=(finding,)))
    shown = '::error::pwn\n##[add-mask]1 \\x00\\u{fffe}\\xff ]]></failure></testcase><testcase name="x"/>'
    line = shown.replace("\n", " ")
    assert len(root.findall(".//testcase")) == 1
    assert root.find(".//failure").get("message") == line
    assert root.find(".//failure").text == f"{shown}.py: {shown}\n{shown}"
    assert root.find(".//testcase").get("file") == f"{line}.py"
    assert root.find(".//testcase/system-out").text == shown
    assert escape.xml(HOSTILE) == shown
    assert runner.commands(junit.render(report).decode()) == []


def test_two_oracles_that_read_alike_stay_two_cases() -> None:
    verdicts = tuple(Verdict(oracle="o", name=name, outcome=Outcome.PASS) for name in ("a", "a", "\x1b[0ma", "a (2)"))
    root = parsed(Report(tasks=(TaskReport(id="t", in_scope=True, scope="", verdicts=verdicts),)))
    assert [case.get("name") for case in root.iter("testcase")] == ["a", "a (2)", "a (3)", "a (2) (2)"]


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        (1e-7, "0.000"),
        (0.3000001, "0.300"),
        (12, "12.000"),
        (float("nan"), "0.000"),
        (float("inf"), "0.000"),
        (-1, "0.000"),
    ],
)
def test_times_are_plain_decimals(seconds: float, time: str) -> None:
    root = parsed(one(Outcome.PASS, seconds=seconds))
    assert [element.get("time") for element in root.iter("testsuites", "testsuite", "testcase")] == [time] * 3


def test_the_text_of_a_case_keeps_head_and_tail() -> None:
    details = "first\n" + "x" * 200_000 + "\nlast"
    text = parsed(one(Outcome.FAIL, findings=(Finding(message="m", details=details),))).find(".//failure").text
    assert len(text) < junit.CASE_LIMIT + 100
    assert text.startswith("m\nfirst\nxxx")
    assert text.endswith("xxx\nlast")
    assert "… 134477 characters left out …" in text


@pytest.mark.parametrize("build", [lambda: reports.many(1, size=30_000_000), lambda: reports.many(400, size=1_000_000)])
def test_a_file_stays_within_its_limit(build: Callable[[], Report]) -> None:
    data = junit.render(build())
    assert len(data) <= junit.FILE_LIMIT
    assert b"characters left out" in data


def test_of_very_many_failures_every_case_is_kept() -> None:
    data = junit.render(reports.many(1_000, size=1_000_000))
    assert data.count(b"<testcase ") == data.count(b"<failure ") == 1_000
    assert len(data) <= junit.FILE_LIMIT
