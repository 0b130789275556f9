import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

import gate
from gate.mention import UnknownTool
from gate.report import Finding, Report
from gate.reporters import json_report
from tests import reports, runner
from tests.hostile import REPORTS, whole_runs

COMMITTED = Path(gate.__file__).parent / "schemas" / "report.v1.json"
VALIDATOR = Draft202012Validator(json_report.schema())


def read(report: Report) -> dict[str, Any]:
    """The document as a strict reader takes it: no NaN, no lone surrogate."""
    text = json_report.render(report)
    value: dict[str, Any] = msgspec.json.decode(text.encode())
    assert value == json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    VALIDATOR.validate(value)
    return value


def test_the_committed_schema_is_the_one_that_the_code_has() -> None:
    """To renew it: `python -m tests.reporters.test_json_report`."""
    assert COMMITTED.read_text() == written_schema()


def written_schema() -> str:
    return json.dumps(json_report.schema(), indent=2) + "\n"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_report.schema())


def test_a_run_is_told_whole() -> None:
    document = read(reports.BAD)
    tasks = document.pop("tasks")
    assert document == {
        "schema": "trajectory-gate/report/v1",
        "gate": "0.1.0",
        "verdict": "fail",
        "exit_code": 1,
        "meaning": "at least one oracle failed",
        "enforce": True,
        "counts": {
            "passed": 3,
            "failed": 1,
            "errors": 1,
            "skipped": 1,
            "not_applicable": 1,
            "tasks": 3,
            "tasks_in_scope": 2,
            "tasks_passed": 1,
        },
        "change": "3 files since 1f2e3d4 (merge base with main)",
        "judge": "gate.yaml at 1f2e3d4",
        "repeat": "gate run --base main --head HEAD",
        "started": "2026-11-29T19:00:00",
        "seconds": 1.5,
        "left_out": 1,
        "problem": None,
        "notices": [
            {
                "message": "This change takes the oracle no_network out of gate.yaml; it was judged with it",
                "severity": "warning",
                "path": "gate.yaml",
                "line": 9,
                "end_line": None,
                "kind": "judge_changed",
                "details": "",
            }
        ],
    }
    assert [(task["id"], task["outcome"], task["in_scope"], task["path"], task["line"]) for task in tasks] == [
        ("pagination", "pass", True, "gate.yaml", 3),
        ("fix-add", "fail", True, "tasks/fix-add.json", None),
        ("docs", "skip", False, None, None),
    ]
    verdict = tasks[1]["verdicts"][0]
    assert {key: verdict[key] for key in ("oracle", "name", "outcome", "message", "reason", "kind", "seconds")} == {
        "oracle": "file_not_modified",
        "name": "tests stay",
        "outcome": "fail",
        "message": "tests/test_calc.py was modified",
        "reason": "",
        "kind": "modified",
        "seconds": 0.0004,
    }
    assert verdict["findings"][0]["details"] == "-    assert add(1, 2) == 3\n+    assert True"
    assert verdict["waived"][0]["until"] == "2027-01-31"


def test_the_tools_that_no_reader_knows_are_counted() -> None:
    task = msgspec.structs.replace(reports.GOOD.tasks[0], unknown_tools=(UnknownTool("foo", 2), UnknownTool("bar", 1)))
    [told] = read(msgspec.structs.replace(reports.GOOD, tasks=(task,)))["tasks"]
    assert told["unknown_tools"] == [{"name": "foo", "calls": 2}, {"name": "bar", "calls": 1}]


def test_a_problem_is_told() -> None:
    document = read(reports.BROKEN)
    assert (document["verdict"], document["exit_code"], document["meaning"]) == ("error", 2, "nothing was judged")
    assert document["problem"] == {
        "message": "gate.yaml:3: tasks[0].scop is no key; did you mean scope?",
        "exit_code": 2,
        "kind": "unknown_key",
    }


def test_a_name_that_is_not_utf_8_is_shown_and_all_else_is_as_it_was() -> None:
    finding = Finding(message="\x1b[31m \u202e é 🙂 ##[error]x", path="caf\udce9 \ud800.py")
    report = msgspec.structs.replace(reports.EMPTY, notices=(finding,))
    document = read(report)
    assert document["notices"][0]["message"] == finding.message
    assert document["notices"][0]["path"] == "caf\\xe9 \\u{d800}.py"
    assert '"\\u001b[31m \\u202e é 🙂 #\\u0023[error]x"' in json_report.render(report)


@pytest.mark.parametrize(
    ("seconds", "told"), [(float("nan"), 0.0), (float("inf"), 0.0), (-1.0, 0.0), (1e-9, 0.0), (0.12345678, 0.123457)]
)
def test_times_are_numbers(seconds: float, told: float) -> None:
    assert read(msgspec.structs.replace(reports.EMPTY, seconds=seconds))["seconds"] == told


@whole_runs
@given(REPORTS)
def test_any_report_is_valid_and_harmless_to_print(report: Report) -> None:
    assert len(read(report)["tasks"]) == len(report.tasks)
    assert runner.commands(json_report.render(report)) == []


if __name__ == "__main__":
    COMMITTED.write_text(written_schema())
