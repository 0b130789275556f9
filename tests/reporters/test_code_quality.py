import json
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from jsonschema import Draft202012Validator

from gate.report import Finding, Report, Severity
from gate.reporters import code_quality
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

SCHEMA = Path(__file__).parent.parent / "schemas" / "code-quality.json"
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text()))


def read(report: Report) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = msgspec.json.decode(code_quality.render(report).encode())
    VALIDATOR.validate(entries)
    return entries


def test_every_finding_is_an_entry_at_its_place() -> None:
    entries = read(reports.BAD)
    assert [(each["check_name"], each["severity"], each["location"]) for each in entries] == [
        ("file_not_modified", "critical", {"path": "tests/test_calc.py", "lines": {"begin": 12, "end": 14}}),
        ("file_not_modified", "critical", {"path": "tests/test_sub.py", "lines": {"begin": 1}}),
        ("assertion_exists", "critical", {"path": "tasks/fix-add.json", "lines": {"begin": 1}}),
        ("judge_changed", "minor", {"path": "gate.yaml", "lines": {"begin": 9}}),
        ("max_lines", "minor", {"path": "src/calc.py", "lines": {"begin": 480}}),
        ("file_not_modified", "info", {"path": "tests/test_old.py", "lines": {"begin": 1}}),
        ("task", "info", {"path": "tasks/fix-add.json", "lines": {"begin": 1}}),
    ]
    assert entries[0]["description"] == "fix-add / tests stay: tests/test_calc.py was modified"


def test_what_has_no_place_stands_at_the_manifest() -> None:
    (entry,) = read(reports.NO_CHANGE)
    assert entry["location"] == {"path": "gate.yaml", "lines": {"begin": 1}}
    assert entry["description"] == "gate: git diff failed: bad object"


def test_a_run_without_findings_is_an_empty_list() -> None:
    assert read(reports.GOOD) == []


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    notices = tuple(Finding(message="m", severity=Severity.WARNING, path="a.py", line=line) for line in (1, 2, 3))
    entries = read(msgspec.structs.replace(reports.GOOD, notices=notices))
    assert len({each["fingerprint"] for each in entries}) == 3
    assert entries == read(msgspec.structs.replace(reports.GOOD, notices=notices))


@whole_runs
@given(REPORTS)
def test_any_report_is_valid_and_prints_no_command(report: Report) -> None:
    marks = [each["fingerprint"] for each in read(report)]
    assert len(set(marks)) == len(marks)
    assert runner.commands(code_quality.render(report)) == []
