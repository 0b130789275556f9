import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import escape
from gate.report import Report
from gate.reporters import outputs
from tests import reports, runner
from tests.hostile import TEXT


def test_the_values_of_a_run() -> None:
    assert outputs.values(reports.BAD, junit="out/junit.xml", json="out/report.json", summary="out/summary.md") == {
        "verdict": "fail",
        "passed": "3",
        "failed": "1",
        "errors": "1",
        "skipped": "2",
        "junit": "out/junit.xml",
        "json": "out/report.json",
        "summary": "out/summary.md",
        "sarif": "",
        "check-run-url": "",
    }


@pytest.mark.parametrize("report", [reports.BROKEN, reports.NO_CHANGE])
def test_the_values_of_a_run_that_judged_nothing(report: Report) -> None:
    assert list(outputs.values(report).values())[:5] == ["error", "0", "0", "1", "0"]


def test_a_value_is_a_line() -> None:
    assert outputs.render({"verdict": "pass", "junit": "a=b<<c"}) == "verdict=pass\njunit=a=b<<c\n"


def test_several_lines_stand_between_delimiters_that_are_new_each_time() -> None:
    first, second = (outputs.render({"junit": "a\nb"}) for _ in range(2))
    assert first != second
    assert runner.outputs(first) == runner.outputs(second) == {"junit": "a\nb"}


@given(st.dictionaries(st.sampled_from(["verdict", "junit", "json", "a-b"]), TEXT))
def test_the_runner_reads_these_outputs_and_no_other(values: dict[str, str]) -> None:
    shown = {key: escape.plain(value, newlines=True) for key, value in values.items()}
    assert runner.outputs(outputs.render(values)) == shown


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("junit", "a\nEOF\nverdict=pass", "the output junit holds its own delimiter"),
        ("a=b", "c", "'a=b' is no name of an output"),
        ("a\nverdict", "c", "'a\\nverdict' is no name of an output"),
        ("a<<EOF", "c", "'a<<EOF' is no name of an output"),
        ("", "c", "'' is no name of an output"),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(key: str, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"^.*$") as raised:
        outputs.render({key: value}, delimiter="EOF")
    assert str(raised.value) == message
