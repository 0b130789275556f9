"""Several reports as one."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.gathering import Part, gathered
from gate.report import Outcome, Report
from tests import reports
from tests.hostile import REPORTS, whole_runs


def together(**parts: Report) -> Report:
    return gathered([Part(key, report) for key, report in parts.items()])


def test_each_task_says_whose_it_is() -> None:
    merged = together(linux=reports.GOOD, mac=reports.BAD)
    assert [(task.id, task.outcome) for task in merged.tasks] == [
        ("pagination (linux)", Outcome.PASS),
        ("docs (linux)", Outcome.SKIP),
        ("pagination (mac)", Outcome.PASS),
        ("fix-add (mac)", Outcome.FAIL),
        ("docs (mac)", Outcome.SKIP),
    ]
    assert (merged.exit_code, merged.change, merged.judge) == (1, reports.GOOD.change, reports.GOOD.judge)
    assert merged.notices == reports.BAD.notices


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        pytest.param(reports.GOOD, reports.GOOD, 0, id="both good"),
        pytest.param(reports.GOOD, reports.BAD, 1, id="one failed"),
        pytest.param(reports.GOOD, reports.BROKEN, 4, id="one could not be judged"),
        pytest.param(reports.BAD, reports.BROKEN, 1, id="one failed, one could not be judged"),
        pytest.param(reports.BROKEN, reports.NO_CHANGE, 4, id="neither could be judged"),
        pytest.param(reports.BROKEN, reports.BROKEN, 2, id="neither could, for one reason"),
        pytest.param(reports.GOOD, reports.EMPTY_FAILS, 1, id="one had nothing to judge, which fails"),
        pytest.param(reports.GOOD, reports.NOT_ENFORCED, 1, id="one enforces"),
        pytest.param(reports.NOT_ENFORCED, reports.NOT_ENFORCED, 0, id="neither enforces"),
        pytest.param(reports.NONE_IN_SCOPE, reports.NONE_IN_SCOPE, 0, id="nothing in scope"),
    ],
)
def test_the_exit_code_is_that_of_all(one: Report, other: Report, code: int) -> None:
    assert together(a=one, b=other).exit_code == together(a=other, b=one).exit_code == code


def test_what_ended_a_part_is_told_with_its_key() -> None:
    (task, *_) = together(mac=reports.BROKEN, linux=reports.GOOD).tasks
    (verdict,) = task.verdicts
    assert (task.id, verdict.outcome, verdict.message) == (
        "mac",
        Outcome.ERROR,
        "gate.yaml:3: tasks[0].scop is no key; did you mean scope?",
    )


def test_what_is_the_same_is_told_once() -> None:
    other = msgspec.structs.replace(reports.BAD, change="2 files", seconds=9.0, started="2026-11-29T18:00:00")
    merged = together(linux=reports.BAD, mac=other)
    assert merged.notices == reports.BAD.notices
    assert merged.change == f"linux: {reports.BAD.change}; mac: 2 files"
    assert (merged.seconds, merged.started, merged.left_out) == (9.0, "2026-11-29T18:00:00", 2)


@whole_runs
@given(st.lists(REPORTS, min_size=1, max_size=3))
def test_it_is_never_better_than_its_parts(parts: list[Report]) -> None:
    merged = gathered([Part(str(number), report) for number, report in enumerate(parts)])
    assert (merged.enforced_code == 0) <= all(report.enforced_code == 0 for report in parts)
    if all(report.enforced_code == 0 for report in parts):
        assert merged.enforced_code == 0
