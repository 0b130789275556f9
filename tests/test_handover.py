"""A report that comes from a stranger's job: read back whole, or refused in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import handover
from gate.errors import SourceError
from gate.report import Report
from gate.reporters import check_run, json_report
from tests import reports
from tests.hostile import ANY, REPORTS, whole_runs

RUNS = {
    "good": reports.GOOD,
    "bad": reports.BAD,
    "not enforced": reports.NOT_ENFORCED,
    "broken": reports.BROKEN,
    "no change": reports.NO_CHANGE,
    "none in scope": reports.NONE_IN_SCOPE,
    "empty fails": reports.EMPTY_FAILS,
    "many": reports.many(50),
}


def parse(text: str) -> Report:
    return handover.parse(text.encode(), called="report.json")


def refusal(text: str | bytes) -> tuple[str, str]:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(SourceError) as caught:
        handover.parse(data, called="report.json")
    assert caught.value.exit_code == 2
    return caught.value.kind, caught.value.message


@pytest.mark.parametrize("report", RUNS.values(), ids=RUNS)
def test_nothing_is_lost(report: Report) -> None:
    read = parse(json_report.render(report))
    assert read.tasks == report.tasks
    assert (read.outcome, read.exit_code, read.meaning) == (report.outcome, report.exit_code, report.meaning)
    assert check_run.conclusion(read) == check_run.conclusion(report)
    assert check_run.title(read) == check_run.title(report)


@whole_runs
@given(REPORTS)
def test_rendered_read_and_rendered_is_the_same(report: Report) -> None:
    written = json_report.render(report)
    assert json_report.render(parse(written)) == written


def _edited(edit: Callable[[dict[str, Any]], object], report: Report = reports.BAD) -> str:
    document = json.loads(json_report.render(report))
    edit(document)
    return json.dumps(document)


def test_what_a_later_gate_adds_is_not_looked_at() -> None:
    assert parse(_edited(lambda document: document.update(colour="red"))).tasks == reports.BAD.tasks


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(
            lambda document: document.update(schema="trajectory-gate/report/v2"),
            "report.json is a report of version 2, which a newer gate has written; this one reads version 1: let the "
            "same version of the gate judge and publish",
            id="newer",
        ),
        pytest.param(
            lambda document: document.update(schema="trajectory-gate/report/v0", verdict=3, tasks="none"),
            "report.json is a report of version 0, which an older gate has written; this one reads version 1: let the "
            "same version of the gate judge and publish",
            id="older, and of another form",
        ),
    ],
)
def test_another_version_is_refused_in_words(edit: Callable[[dict[str, Any]], object], message: str) -> None:
    assert refusal(_edited(edit)) == ("other_version", message)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "Input data was truncated", id="empty"),
        pytest.param("{", "Input data was truncated", id="cut"),
        pytest.param("[]", "Expected `object`, got `array`", id="a list"),
        pytest.param("{}", "Object missing required field `schema`", id="another object"),
        pytest.param(b"\xff\xfe{}", "JSON is malformed: invalid character (byte 0)", id="no UTF-8"),
        pytest.param("[" * 200_000, "Expected `object`, got `array`", id="a deep one"),
        pytest.param('{"schema":' + "[" * 200_000, "Expected `str`, got `array` - at `$.schema`", id="deeper inside"),
        pytest.param('{"schema": 1}', "Expected `str`, got `int` - at `$.schema`", id="a number for a name"),
        pytest.param(
            '{"schema": "trajectory-gate/report/vX"}',
            "its `schema` is 'trajectory-gate/report/vX', expected 'trajectory-gate/report/v1'",
            id="no version",
        ),
        pytest.param(
            '{"schema": "sarif"}',
            "its `schema` is 'sarif', expected 'trajectory-gate/report/v1'",
            id="another document",
        ),
        pytest.param(
            '{"schema": "trajectory-gate/report/v1"}',
            "Object missing required field `gate`",
            id="nothing but its name",
        ),
        pytest.param(
            _edited(lambda document: document["tasks"][0].update(outcome="green")),
            "Invalid enum value 'green' - at `$.tasks[0].outcome`",
            id="no outcome",
        ),
        pytest.param(
            _edited(lambda document: document["tasks"][1]["verdicts"][0]["findings"][0].update(line="12")),
            "Expected `int | null`, got `str` - at `$.tasks[1].verdicts[0].findings[0].line`",
            id="a line in words",
        ),
        pytest.param(
            _edited(lambda document: document["problem"].update(exit_code=0), reports.BROKEN),
            "its problem has exit code 0, expected one of (2, 3, 4)",
            id="a problem that passes",
        ),
    ],
)
def test_what_is_no_report_is_refused(text: str | bytes, why: str) -> None:
    assert refusal(text) == ("not_a_report", f"report.json is no report of the gate: {why}")


def test_what_is_nested_too_deep_somewhere_is_refused() -> None:
    text = _edited(lambda document: document.update(more=0)).replace('"more": 0', f'"more": {"[" * 200_000}')
    kind, message = refusal(text)
    assert (kind, message.partition(":")[0]) == ("not_a_report", "report.json is no report of the gate")


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        pytest.param(
            lambda document: document.update(verdict="pass"),
            "`verdict` is pass, and what it holds comes to fail",
            id="verdict",
        ),
        pytest.param(
            lambda document: document.update(exit_code=0),
            "`exit_code` is 0, and what it holds comes to 1",
            id="exit code",
        ),
        pytest.param(
            lambda document: document["tasks"][1].update(outcome="pass"),
            "`tasks[1].outcome` is pass, and what it holds comes to fail",
            id="task",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(edit: Callable[[dict[str, Any]], object], where: str) -> None:
    assert refusal(_edited(edit)) == ("contradiction", f"report.json contradicts itself: {where}")


def test_a_failure_without_a_task_in_scope_is_that_of_an_empty_run() -> None:
    assert parse(_edited(lambda document: document.update(tasks=[]))).empty_fails


@given(st.binary(max_size=200) | ANY.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    assert refusal(data)[0] == "not_a_report"


def test_a_file_is_bounded_and_never_reached_by_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "report.json", tmp_path / "link.json"
    path.write_text(json_report.render(reports.BAD))
    assert handover.load(path).tasks == reports.BAD.tasks
    link.symlink_to(path)
    for name, kind in ((link, "is_link"), (tmp_path, "not_regular"), (tmp_path / "none.json", "not_found")):
        with pytest.raises(SourceError) as caught:
            handover.load(name)
        assert caught.value.kind == kind
    with path.open("ab") as file:
        file.truncate(handover.LIMIT + 1)
    with pytest.raises(SourceError, match=f"has more than {handover.LIMIT} bytes, which is the most that is read"):
        handover.load(path)
