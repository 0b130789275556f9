"""The check run as GitHub is sent it: every request holds against GitHub's own description, whatever the report says."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import annotations, check_run, summary
from gate.reporters.annotations import Annotation
from gate.reporters.check_run import Target
from gate.request import Request
from tests import reports
from tests.hostile import REPORTS
from tests.hub import description
from tests.hub.state import Refusal, State

SHA = "a" * 40
TARGET = Target(
    repository="octo/repo", sha=SHA, origin="77:gate", details="https://github.com/octo/repo/actions/runs/77"
)


def faults(request: Request) -> list[str]:
    """What GitHub has against it, by its description and beyond."""
    operation = description.find(request.method, request.path)
    assert operation is not None, request.path
    wrong = description.wrong_request(operation, request.query, request.body)
    if not wrong and request.method == "PATCH":
        state = State("octo/repo")
        number = state.check_run(name="x", head_sha=SHA)
        try:
            state.do(operation._replace(values=operation.values | {"check_run_id": str(number)}), {}, request.body)
        except Refusal as refusal:
            return [refusal.message]
    return wrong


def placed(*found: Annotation) -> list[dict[str, Any]]:
    (portion,) = check_run.draft(found).portions
    return [one.entry for one in portion]


def test_is_made_before_anything_is_judged() -> None:
    request = check_run.create(TARGET)
    assert (request.method, request.path, request.repeatable) == ("POST", "/repos/octo/repo/check-runs", False)
    assert request.body == {
        "name": "trajectory-gate",
        "head_sha": SHA,
        "status": "in_progress",
        "external_id": "trajectory-gate:77:gate::1",
        "details_url": "https://github.com/octo/repo/actions/runs/77",
        "output": {"title": "Judging", "summary": "The change is being judged."},
    }
    assert faults(request) == []


def test_a_job_of_a_matrix_has_a_check_run_of_its_own() -> None:
    one, two = (check_run.create(msgspec.structs.replace(TARGET, key=key)).body for key in ("linux, 3.11", "mac"))
    assert one is not None
    assert two is not None
    assert (one["name"], two["name"]) == ("trajectory-gate (linux, 3.11)", "trajectory-gate (mac)")
    assert one["external_id"] == "trajectory-gate:77:gate:linux, 3.11:1"


@pytest.mark.parametrize(
    ("report", "conclusion", "title"),
    [
        pytest.param(reports.GOOD, "success", "Passed: 1 of 1 tasks passed", id="pass"),
        pytest.param(reports.BAD, "failure", "Failed: 1 of 2 tasks passed", id="fail"),
        pytest.param(
            reports.many(2, outcome=Outcome.ERROR), "failure", "Could not be judged: 0 of 2 tasks passed", id="error"
        ),
        pytest.param(
            reports.NOT_ENFORCED,
            "neutral",
            "Report only, enforce is false. Failed: 1 of 2 tasks passed",
            id="fail, not enforced",
        ),
        pytest.param(
            msgspec.structs.replace(reports.GOOD, enforce=False),
            "success",
            "Report only, enforce is false. Passed: 1 of 1 tasks passed",
            id="pass, not enforced",
        ),
        pytest.param(
            msgspec.structs.replace(reports.BROKEN, enforce=False),
            "failure",
            "Nothing was judged: gate.yaml:3: tasks[0].scop is no key; did you mean scope?",
            id="no manifest, not enforced",
        ),
        pytest.param(reports.NO_CHANGE, "failure", "Nothing was judged: git diff failed: bad object", id="no change"),
        pytest.param(reports.NONE_IN_SCOPE, "skipped", "No task is in scope of this change", id="none in scope"),
        pytest.param(
            reports.EMPTY_FAILS, "failure", "No task is in scope of this change, and on_empty is fail", id="empty fails"
        ),
        pytest.param(
            reports.many(2, outcome=Outcome.SKIP), "skipped", "Nothing was to be judged: 0 of 2 tasks passed", id="skip"
        ),
    ],
)
def test_the_conclusion_is_the_exit_code_s(report: Report, conclusion: str, title: str) -> None:
    request = check_run.conclude(TARGET, 4, report, ())
    assert (request.method, request.path, request.repeatable) == ("PATCH", "/repos/octo/repo/check-runs/4", True)
    assert request.body == {
        "status": "completed",
        "conclusion": conclusion,
        "output": {"title": title, "summary": summary.render(report, limit=65_535)},
    }
    assert (conclusion == "failure") is bool(report.exit_code)
    assert faults(request) == []


def test_a_job_s_own_check_run_is_given_words_only() -> None:
    body = check_run.conclude(TARGET, 4, reports.BAD, (), own=False).body
    assert body is not None
    assert list(body) == ["output"]


def test_an_annotation_has_what_a_finding_has() -> None:
    entries = placed(*annotations.collect(reports.BAD))
    assert entries[0] == {
        "path": "tests/test_calc.py",
        "start_line": 12,
        "end_line": 14,
        "annotation_level": "failure",
        "title": "fix-add / tests stay",
        "message": "tests/test_calc.py was modified",
        "raw_details": "-    assert add(1, 2) == 3\n+    assert True",
    }
    assert [(entry["path"], entry["start_line"], entry["annotation_level"]) for entry in entries[1:]] == [
        ("tests/test_sub.py", 1, "failure"),
        ("tasks/fix-add.json", 1, "failure"),
        ("gate.yaml", 9, "warning"),
        ("src/calc.py", 480, "warning"),
        ("tests/test_old.py", 1, "notice"),
        ("tasks/fix-add.json", 1, "notice"),
    ]


def _one(**more: Any) -> Annotation:
    fields: dict[str, Any] = {"level": Severity.ERROR, "title": "t", "message": "m", "path": "a.py", "line": 3}
    return Annotation(**(fields | more))


@pytest.mark.parametrize(
    ("given_", "sent"),
    [
        pytest.param({"message": "see \U0001f600"}, {"message": r"see \u{1f600}"}, id="above U+FFFF"),
        pytest.param({"message": " \n "}, {"message": "no message"}, id="no message"),
        pytest.param({"message": "a\x1b[2Jb\ud800"}, {"message": r"a\x1b[2Jb\u{d800}"}, id="nothing invisible"),
        pytest.param({"message": "a\nb"}, {"message": "a\nb"}, id="lines stay"),
        pytest.param({"message": "é" * 40_000}, {"message": "é" * 31_998 + "…"}, id="bytes, not characters"),
        pytest.param({"title": "t" * 300}, {"title": "t" * 254 + "…"}, id="a long title"),
        pytest.param({"title": "a\nb\U0001f600"}, {"title": r"a\nb\u{1f600}"}, id="a title is one line"),
        pytest.param({"path": "a\udcff.py"}, {"path": r"a\xff.py"}, id="a path that is not UTF-8"),
        pytest.param({"line": None}, {"start_line": 1, "end_line": 1}, id="no line is the first"),
        pytest.param({"end_line": 2}, {"start_line": 3, "end_line": 3}, id="an end before its start"),
        pytest.param({"end_line": 9}, {"start_line": 3, "end_line": 9}, id="several lines"),
        pytest.param({"details": "x" * 70_000}, {"raw_details": "x" * 63_997 + "…"}, id="long details"),
        pytest.param({"details": " \n"}, {}, id="no details"),
    ],
)
def test_an_annotation_is_made_fit(given_: dict[str, Any], sent: dict[str, Any]) -> None:
    plain = {
        "path": "a.py",
        "start_line": 3,
        "end_line": 3,
        "annotation_level": "failure",
        "title": "t",
        "message": "m",
    }
    assert placed(_one(**given_)) == [plain | sent]


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ({"line": 0}, "a.py:0: the annotation of t was left out: its start_line is 0, lines start at 1"),
        ({"line": -3}, "a.py:-3: the annotation of t was left out: its start_line is -3, lines start at 1"),
        (
            {"line": 2**31},
            "a.py:2147483648: the annotation of t was left out: its start_line is 2147483648, lines start at 1",
        ),
        ({"path": " "}, " :3: the annotation of t was left out: its path is ' ', expected one within the repository"),
        (
            {"path": "/etc/x"},
            "/etc/x:3: the annotation of t was left out: its path is '/etc/x', expected one within the repository",
        ),
        (
            {"path": "a/../../b"},
            "a/../../b:3: the annotation of t was left out: its path is 'a/../../b', expected one within the repository",
        ),
    ],
)
def test_a_bad_annotation_is_dropped_alone(given_: dict[str, Any], told: str) -> None:
    draft = check_run.draft([_one(), _one(**given_), _one(line=4)])
    assert [one.entry["start_line"] for portion in draft.portions for one in portion] == [3, 4]
    assert draft.dropped == (told,)


def test_many_annotations_go_in_portions_and_the_rest_is_counted() -> None:
    draft = check_run.draft(annotations.collect(reports.many(1_120)))
    assert [len(portion) for portion in draft.portions] == [50] * 20
    assert (draft.more, draft.dropped) == (120, ())
    requests = [check_run.add(TARGET, 4, portion) for portion in draft.portions]
    assert [faults(request) for request in requests] == [[]] * 20
    assert not any(request.repeatable for request in requests)


def test_what_has_no_place_is_not_sent() -> None:
    assert check_run.draft([_one(path=None)]) == check_run.Draft(portions=())


def test_what_became_of_the_annotations_is_told_at_the_end() -> None:
    notes = [f"note @{number}" for number in range(25)]
    shown = check_run.text(reports.BAD, notes)
    head, told = shown.split("\n### Annotations\n\n")
    assert head.startswith("## Gate: ❌ fail, 1 of 2 tasks passed\n")
    assert told.splitlines()[:2] == ["- note @\u200b0", "- note @\u200b1"]
    assert told.splitlines()[-1] == "- … and 5 more"


@pytest.mark.parametrize("size", [10, 5_000], ids=["many", "many and long"])
def test_the_summary_stays_within_its_size_failures_first(size: int) -> None:
    good = reports.many(2_000, size=size, outcome=Outcome.PASS).tasks
    bad = TaskReport(
        id="the-bad-one",
        in_scope=True,
        scope="",
        verdicts=(Verdict(oracle="o", name="o", outcome=Outcome.FAIL, findings=(Finding(message="m"),)),),
    )
    report = msgspec.structs.replace(reports.EMPTY, tasks=(*good, bad))
    shown = check_run.text(report, ["x" * 1_000] * 30)
    assert len(shown.encode()) <= 65_535
    assert shown.index("the-bad-one") < 1_500
    assert "left out here" in shown


@given(REPORTS)
def test_whatever_a_report_holds_is_fit_to_be_sent(report: Report) -> None:
    draft = check_run.draft(annotations.collect(report))
    requests = [check_run.add(TARGET, 4, portion) for portion in draft.portions]
    requests.append(check_run.conclude(TARGET, 4, report, draft.dropped))
    assert [faults(request) for request in requests] == [[]] * len(requests)


@given(st.text(), st.text(), st.text())
def test_whatever_an_annotation_says_is_fit_to_be_sent(title: str, message: str, details: str) -> None:
    draft = check_run.draft([_one(title=title, message=message, details=details)])
    (portion,) = draft.portions
    assert faults(check_run.add(TARGET, 4, portion)) == []


def test_the_other_requests_are_fit_too() -> None:
    others = [
        check_run.find(TARGET),
        check_run.look(TARGET, 4),
        check_run.reopen(TARGET, 4),
        check_run.announce(TARGET, 4),
        check_run.cancel(TARGET, 4, "why"),
    ]
    assert [faults(request) for request in others] == [[]] * 5
