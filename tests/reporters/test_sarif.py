import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
import pytest
from hypothesis import given
from jsonschema import Draft4Validator

from gate.report import Finding, Report, Severity
from gate.reporters import sarif
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

SCHEMA = Path(__file__).parent.parent / "schemas" / "sarif-2.1.0.json"
VALIDATOR = Draft4Validator(json.loads(SCHEMA.read_text()))


def read(report: Report, **options: int) -> dict[str, Any]:
    text = sarif.render(report, **options)
    document = msgspec.json.decode(text.encode())
    VALIDATOR.validate(document)
    assert len(document["runs"]) == 1
    run: dict[str, Any] = document["runs"][0]
    return run


def found(run: dict[str, Any]) -> list[tuple[str, str, str, int | None, str]]:
    return [
        (
            result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            result["message"]["text"],
        )
        for result in run["results"]
    ]


def test_every_finding_is_a_result_at_its_place() -> None:
    run = read(reports.BAD)
    assert found(run) == [
        (
            "file_not_modified",
            "error",
            "tests/test_calc.py",
            12,
            "fix-add / tests stay: tests/test_calc.py was modified",
        ),
        ("file_not_modified", "error", "tests/test_sub.py", 1, "fix-add / tests stay: tests/test_sub.py was deleted"),
        (
            "assertion_exists",
            "error",
            "tasks/fix-add.json",
            1,
            "fix-add / assertion_exists: the pattern '(' is not valid: missing )",
        ),
        (
            "judge_changed",
            "warning",
            "gate.yaml",
            9,
            "gate: This change takes the oracle no_network out of gate.yaml; it was judged with it",
        ),
        ("max_lines", "warning", "src/calc.py", 480, "fix-add / max_lines: 480 lines, 500 are allowed"),
        (
            "file_not_modified",
            "note",
            "tests/test_old.py",
            1,
            "fix-add / tests stay: waived: tests/test_old.py was deleted (removed with its subject, until 2027-01-31)",
        ),
        ("task", "note", "tasks/fix-add.json", 1, "fix-add: The recording explains the change only in part"),
    ]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 12, "endLine": 14}


def test_every_rule_that_a_result_names_is_described() -> None:
    run = read(reports.BAD)
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["assertion_exists", "file_not_modified", "judge_changed", "max_lines", "task"]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


@pytest.mark.parametrize(
    ("report", "successful", "code", "told"),
    [
        pytest.param(reports.GOOD, True, 0, [], id="all is well"),
        pytest.param(
            reports.BROKEN,
            False,
            2,
            [("error", "gate: gate.yaml:3: tasks[0].scop is no key; did you mean scope?")],
            id="nothing was judged",
        ),
        pytest.param(
            reports.EMPTY_FAILS,
            True,
            1,
            [("error", "gate: no task is in scope, and on_empty is fail")],
            id="no task in scope, and that fails",
        ),
    ],
)
def test_what_has_no_place_is_told_of_the_invocation(
    report: Report, successful: bool, code: int, told: list[tuple[str, str]]
) -> None:
    run = read(report)
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (successful, code)
    notifications = invocation["toolExecutionNotifications"]
    assert [(each["level"], each["message"]["text"]) for each in notifications] == told
    assert run["results"] == []


def test_the_most_severe_stay_where_there_are_too_many() -> None:
    notices = tuple(
        Finding(message=f"notice {number}", severity=Severity.NOTICE, path="a.py", line=1) for number in range(5)
    )
    run = read(msgspec.structs.replace(reports.BAD, notices=notices), limit=3)
    assert [level for _, level, *_ in found(run)] == ["error", "error", "error"]
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == "gate: 8 more findings are left out here: at most 3 are taken"


def test_a_finding_keeps_its_fingerprint_when_its_line_moves() -> None:
    def marks(line: int) -> list[str]:
        notice = Finding(message="m", severity=Severity.WARNING, path="a.py", line=line)
        run = read(msgspec.structs.replace(reports.GOOD, notices=(notice,)))
        return [result["partialFingerprints"]["trajectoryGate/v1"] for result in run["results"]]

    assert marks(3) == marks(30)
    other = Finding(message="m", severity=Severity.WARNING, path="b.py", line=3)
    run = read(msgspec.structs.replace(reports.GOOD, notices=(other,)))
    assert run["results"][0]["partialFingerprints"]["trajectoryGate/v1"] not in marks(3)


@pytest.mark.parametrize("path", ["a b.py", "a:b?c#d%.py", "ü.py", "\udcff.py", "new\nline"], ids=ascii)
def test_a_path_is_a_relative_reference(path: str) -> None:
    written = sarif.uri(path)
    parts = urlsplit(written)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert unquote_to_bytes(parts.path) == path.encode("utf-8", "surrogateescape")


@whole_runs
@given(REPORTS)
def test_any_report_is_valid_and_prints_no_command(report: Report) -> None:
    read(report)
    assert runner.commands(sarif.render(report)) == []
