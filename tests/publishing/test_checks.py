"""The check run's whole way, against a GitHub that remembers, forbids, breaks down and forgets to answer."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from gate.publishing.checks import CheckRun
from gate.publishing.hub import Access, Hub
from gate.report import Report
from gate.reporters import annotations, check_run
from gate.reporters.check_run import Target
from gate.reporters.face import Published
from gate.request import Recorder
from tests import reports
from tests.hub import fake
from tests.publishing.test_hub import Waiting, sent

SHA = "a" * 40
RUNS = "/repos/octo/repo/check-runs"
TARGET = Target(
    repository="octo/repo", sha=SHA, origin="77:gate", details="https://github.com/octo/repo/actions/runs/77"
)
FORBIDDEN = {"message": "Resource not accessible by integration"}
GRANT = (
    "grant the job `permissions: checks: write`; a pull request from a fork or by Dependabot has a token that only "
    "reads, whatever the workflow grants; the verdict stands without it"
)


@pytest.fixture
def github() -> Iterator[fake.Hub]:
    with fake.serve(fake.Hub()) as served:
        served.token("ghs_write", "checks")
        served.token("ghs_read")
        yield served
    assert served.violations == []


class Whole(msgspec.Struct):
    """One run of the gate, as far as its check run goes."""

    github: fake.Hub
    token: str = "ghs_write"
    target: Target = TARGET
    job: str = ""
    fork: bool = False

    def begin(self, waiting: Waiting | None = None) -> CheckRun:
        hub = Hub(Access(api=self.github.url, token=self.token), clock=(waiting or Waiting()).clock)
        check = CheckRun(hub, self.target, job=self.job, fork=self.fork)
        check.begin()
        return check

    def run(self, report: Report) -> Published:
        return self.begin().finish(report, annotations.collect(report))


def only(github: fake.Hub) -> dict[str, Any]:
    (run,) = github.state.check_runs.values()
    return run


def test_is_there_before_anything_is_judged(github: fake.Hub) -> None:
    check = Whole(github).begin()
    assert (only(github)["status"], only(github)["output"]["title"]) == ("in_progress", "Judging")
    published = check.finish(reports.BAD, annotations.collect(reports.BAD))
    run = only(github)
    assert (run["head_sha"], run["status"], run["conclusion"]) == (SHA, "completed", "failure")
    assert (run["output"]["title"], run["output"]["annotations_count"]) == ("Failed: 1 of 2 tasks passed", 7)
    assert published.url == run["html_url"]
    assert published.carried == tuple(one for one in annotations.collect(reports.BAD) if one.path)
    assert published.told == ()
    assert sent(github) == ["POST /check-runs 201", *[f"PATCH /check-runs/{run['id']} 200"] * 2]


def test_a_thousand_findings_take_22_requests(github: fake.Hub) -> None:
    published = Whole(github).run(reports.many(1_200))
    run = only(github)
    assert len(github.seen) == 22
    assert (run["output"]["annotations_count"], len(published.carried)) == (1_000, 1_000)
    assert "200 annotations were left out: the gate sends no more than 1000" in run["output"]["summary"]


def test_a_fork_s_token_is_told_once(github: fake.Hub) -> None:
    published = Whole(github, "ghs_read", fork=True).run(reports.BAD)
    assert published == Published(
        told=(
            "the check run could not be made: GitHub answered 403 to POST /repos/octo/repo/check-runs: Resource not "
            "accessible by integration; a pull request from a fork or by Dependabot has a token that only reads, "
            "whatever the workflow grants; elsewhere, grant the job `permissions: checks: write`; the verdict stands "
            "without it",
        )
    )
    assert sent(github) == ["POST /check-runs 403"]


def test_a_missing_permission_is_told_once(github: fake.Hub) -> None:
    (told,) = Whole(github, "ghs_read").run(reports.BAD).told
    assert told.endswith(f"Resource not accessible by integration; {GRANT}")


def test_a_person_s_token_is_of_the_wrong_kind(github: fake.Hub) -> None:
    github.token("ghp_person", "checks", classic=True)
    (told,) = Whole(github, "ghp_person").run(reports.BAD).told
    assert "You must authenticate via a GitHub App." in told


def test_bad_annotations_cost_only_themselves(github: fake.Hub) -> None:
    bad = reports.many(4).tasks
    lines = (0, -1, 0, 0)
    broken = [_with_line(task, line) for task, line in zip(bad, lines, strict=True)]
    report = msgspec.structs.replace(reports.BAD, tasks=(*reports.BAD.tasks, *broken))
    published = Whole(github).run(report)
    assert only(github)["output"]["annotations_count"] == 7
    assert published.told == (
        "src/0.py:0: the annotation of task-0 / o was left out: its start_line is 0, lines start at 1",
        "src/1.py:-1: the annotation of task-1 / o was left out: its start_line is -1, lines start at 1",
        "src/2.py:0: the annotation of task-2 / o was left out: its start_line is 0, lines start at 1",
        "1 further annotation was left out of the check run like these",
    )
    assert only(github)["output"]["summary"].count("lines start at 1") == 4


def _with_line(task: Any, line: int) -> Any:
    (verdict,) = task.verdicts
    (finding,) = verdict.findings
    changed = msgspec.structs.replace(verdict, findings=(msgspec.structs.replace(finding, line=line),))
    return msgspec.structs.replace(task, verdicts=(changed,))


def test_what_github_dislikes_all_the_same_costs_its_portion(github: fake.Hub) -> None:
    invalid = {"message": "Validation Failed", "errors": [{"field": "annotations", "code": "invalid"}]}
    github.fault("PATCH", "check-runs", status=422, body=invalid)
    published = Whole(github).run(reports.many(120))
    run = only(github)
    assert (run["conclusion"], run["output"]["annotations_count"], len(published.carried)) == ("failure", 70, 70)
    why = (
        f"50 annotations were not taken: GitHub answered 422 to PATCH {RUNS}/{run['id']}: Validation Failed "
        "(annotations invalid)"
    )
    assert published.told == (f"the check run has not all annotations: {why}; the verdict stands without them",)
    assert "50 annotations were not taken" in run["output"]["summary"]


def test_a_rate_limit_on_annotations_leaves_time_for_the_verdict(github: fake.Hub) -> None:
    github.fault("PATCH", "check-runs", times=3, status=429, headers={"Retry-After": "60"}, body=None)
    published = Whole(github).run(reports.many(120))
    run = only(github)
    assert (run["conclusion"], run["output"]["annotations_count"], published.carried) == ("failure", 0, ())
    assert [told.split(":")[0] for told in published.told] == ["the check run has not all annotations"]
    assert "120 annotations were not taken" in run["output"]["summary"]


def test_annotations_are_not_waited_for_when_that_would_cost_the_verdict(github: fake.Hub) -> None:
    waiting = Waiting()
    check = Whole(github).begin(waiting)
    github.fault("PATCH", "check-runs", status=429, headers={"Retry-After": "150"}, body=None)
    check.finish(reports.BAD, annotations.collect(reports.BAD))
    assert (only(github)["conclusion"], waiting.slept) == ("failure", [])


def test_a_rate_limit_that_lasts_is_told(github: fake.Hub) -> None:
    check = Whole(github).begin()
    body = {"message": "You have exceeded a secondary rate limit."}
    github.fault("PATCH", "check-runs", times=9, status=429, headers={"Retry-After": "60"}, body=body)
    published = check.finish(reports.many(120), annotations.collect(reports.many(120)))
    run = only(github)
    assert (run["status"], run["conclusion"]) == ("in_progress", None)
    assert published.carried == ()
    assert [told.split(":")[0] for told in published.told] == [
        "the check run has not all annotations",
        "the check run was made but could not be concluded, so that it shows as in progress",
    ]
    assert "it may be asked again in 60 s, and the time for publishing (180 s) ends before that" in published.told[1]


def test_a_rate_limit_that_ends_is_waited_for(github: fake.Hub) -> None:
    github.fault("PATCH", "check-runs", status=429, headers={"Retry-After": "60"}, body=None)
    github.fault("POST", "check-runs", status=403, body={"message": "You have exceeded a secondary rate limit."})
    published = Whole(github).run(reports.BAD)
    assert (only(github)["conclusion"], published.told) == ("failure", ())


@pytest.mark.parametrize("fault", [{"status": 502, "body": None}, {"drop": True}, {"cut": 10}], ids=str)
def test_nothing_is_there_twice_when_an_answer_gets_lost(github: fake.Hub, fault: dict[str, Any]) -> None:
    github.fault("POST", "check-runs", done=True, **fault)
    github.fault("PATCH", "check-runs", done=True, **fault)
    published = Whole(github).run(reports.many(60))
    run = only(github)
    assert (run["conclusion"], run["output"]["annotations_count"]) == ("failure", 60)
    assert (len(published.carried), published.told, published.url) == (60, (), run["html_url"])


def test_what_was_not_done_is_done_after_all(github: fake.Hub) -> None:
    github.fault("POST", "check-runs", status=502, body=None)
    github.fault("PATCH", "check-runs", status=502, body=None)
    published = Whole(github).run(reports.many(60))
    assert (only(github)["output"]["annotations_count"], published.told) == (60, ())


def test_what_was_not_done_twice_is_told(github: fake.Hub) -> None:
    github.fault("PATCH", "check-runs", times=2, status=502, body=None)
    published = Whole(github).run(reports.many(60))
    assert (only(github)["output"]["annotations_count"], only(github)["conclusion"]) == (0, "failure")
    assert published.carried == ()
    assert published.told[0].startswith("the check run has not all annotations: 60 annotations were not taken: GitHub")


def test_a_verdict_that_cannot_be_shown_is_told(github: fake.Hub) -> None:
    check = Whole(github).begin()
    github.fault("PATCH", "check-runs", times=9, status=403, body=FORBIDDEN)
    published = check.finish(reports.GOOD, [])
    expected = "the check run was made but could not be concluded, so that it shows as in progress: GitHub answered 403"
    assert published.told[0].startswith(expected)
    assert published.told[0].endswith(GRANT)
    assert (published.carried, len(published.told)) == ((), 1)


SECOND = msgspec.structs.replace(TARGET, attempt=2)


def test_a_re_run_takes_the_check_run_again(github: fake.Hub) -> None:
    Whole(github).run(reports.GOOD)
    first = only(github)["id"]
    check = Whole(github, target=SECOND).begin()
    assert (only(github)["id"], only(github)["status"], only(github)["conclusion"]) == (first, "in_progress", None)
    check.finish(reports.BAD, annotations.collect(reports.BAD))
    run = only(github)
    assert (run["conclusion"], run["external_id"]) == ("failure", "trajectory-gate:77:gate::2")


def test_a_re_run_does_not_keep_annotations_of_the_attempt_before(github: fake.Hub) -> None:
    """Annotations cannot be taken away, so that a check run that has some is left and another takes its place."""
    Whole(github).run(reports.BAD)
    Whole(github, target=SECOND).run(reports.GOOD)
    first, second = github.state.check_runs.values()
    assert (first["conclusion"], first["output"]["annotations_count"]) == ("failure", 7)
    assert (second["name"], second["conclusion"], second["output"]["annotations_count"]) == (
        first["name"],
        "success",
        0,
    )
    Whole(github, target=msgspec.structs.replace(TARGET, attempt=3)).run(reports.BAD)
    assert len(github.state.check_runs) == 2
    assert second["external_id"] == "trajectory-gate:77:gate::3"


def test_a_re_run_ends_what_the_attempt_before_left_behind(github: fake.Hub) -> None:
    Whole(github).begin()
    left = only(github)
    github.state.annotations[left["id"]].append(
        {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}
    )
    left["output"]["annotations_count"] = 1
    Whole(github, target=SECOND).run(reports.GOOD)
    assert [run["conclusion"] for run in github.state.check_runs.values()] == ["cancelled", "success"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"external_id": "trajectory-gate:77:gate:mac:1"}, id="another job of the matrix"),
        pytest.param({"external_id": "trajectory-gate:78:gate::1"}, id="another run"),
        pytest.param({"external_id": "trajectory-gate:77:gate::2"}, id="another step of this attempt"),
        pytest.param({"external_id": "trajectory-gate:77:gate::x"}, id="something else"),
        pytest.param({"external_id": ""}, id="no external id"),
        pytest.param({"external_id": "trajectory-gate:77:gate::1", "head_sha": "b" * 40}, id="another commit"),
        pytest.param({"external_id": "trajectory-gate:77:gate::1", "name": "other"}, id="another name"),
    ],
)
def test_a_re_run_takes_nobody_else_s(github: fake.Hub, other: dict[str, Any]) -> None:
    number = github.state.check_run(**({"name": "trajectory-gate", "head_sha": SHA, "status": "in_progress"} | other))
    before = dict(github.state.check_runs[number])
    Whole(github, target=SECOND).run(reports.GOOD)
    assert github.state.check_runs[number] == before
    assert len(github.state.check_runs) == 2


def test_another_app_s_check_run_is_left_where_it_may_not_be_taken(github: fake.Hub) -> None:
    other = {"name": "trajectory-gate", "head_sha": SHA, "external_id": "trajectory-gate:77:gate::1"}
    github.state.check_run(app="some-other-app", **other)
    github.fault("PATCH", "check-runs", status=403, body={"message": "Invalid app_id"})
    published = Whole(github, target=SECOND).run(reports.GOOD)
    assert [run["conclusion"] for run in github.state.check_runs.values()] == [None, "success"]
    assert published.told == ()


def test_all_pages_are_looked_through(github: fake.Hub) -> None:
    number = github.state.check_run(name="trajectory-gate", head_sha=SHA, external_id="trajectory-gate:77:gate::1")
    for _ in range(120):
        github.state.check_run(name="trajectory-gate", head_sha=SHA, external_id="x")
    Whole(github, target=SECOND).run(reports.GOOD)
    assert github.state.check_runs[number]["conclusion"] == "success"


def test_the_jobs_of_a_matrix_do_not_meet(github: fake.Hub) -> None:
    for key, report in (("mac", reports.GOOD), ("linux", reports.BAD)):
        Whole(github, target=msgspec.structs.replace(TARGET, key=key)).run(report)
    shown = {run["name"]: run["conclusion"] for run in github.state.check_runs.values()}
    assert shown == {"trajectory-gate (mac)": "success", "trajectory-gate (linux)": "failure"}


def _job(github: fake.Hub) -> str:
    return str(github.state.check_run(name="gate", head_sha=SHA, external_id="job", status="in_progress"))


def test_the_job_s_own_check_run_is_given_words_and_annotations(github: fake.Hub) -> None:
    job = _job(github)
    published = Whole(github, job=job).run(reports.BAD)
    run = only(github)
    assert (run["status"], run["conclusion"], run["output"]["annotations_count"]) == ("in_progress", None, 7)
    assert (run["output"]["title"], published.url) == ("Failed: 1 of 2 tasks passed", run["html_url"])
    assert published.told == ()


@pytest.mark.parametrize("status", [403, 404, 422])
def test_where_the_job_s_own_is_refused_another_is_made(github: fake.Hub, status: int) -> None:
    job = _job(github)
    github.fault("PATCH", f"/{job}$", status=status, body={"message": "No."})
    published = Whole(github, job=job).run(reports.BAD)
    assert [(run["name"], run["conclusion"]) for run in github.state.check_runs.values()] == [
        ("gate", None),
        ("trajectory-gate", "failure"),
    ]
    (told,) = published.told
    assert told.startswith(
        f"the job's own check run could not be used: GitHub answered {status} to PATCH {RUNS}/{job}: No."
    )
    assert told.endswith("; so one of the gate's own is made")


def test_where_the_job_s_own_does_not_take_the_verdict_another_is_made(github: fake.Hub) -> None:
    job = _job(github)
    check = Whole(github, job=job).begin()
    github.fault("PATCH", f"/{job}$", times=2, status=403, body=FORBIDDEN)
    published = check.finish(reports.BAD, annotations.collect(reports.BAD))
    assert [run["conclusion"] for run in github.state.check_runs.values()] == [None, "failure"]
    assert len(published.told) == 2
    assert published.told[1].startswith("the job's own check run did not take the verdict: GitHub answered 403")


def test_a_run_that_was_interrupted_leaves_no_check_run_in_progress(github: fake.Hub) -> None:
    check = Whole(github).begin()
    check.cancel("The run was interrupted.")
    assert (only(github)["conclusion"], only(github)["output"]["summary"]) == ("cancelled", "The run was interrupted.")


def test_a_verdict_that_is_shown_is_not_taken_back(github: fake.Hub) -> None:
    check = Whole(github).begin()
    check.finish(reports.GOOD, [])
    check.cancel("The run was interrupted.")
    assert only(github)["conclusion"] == "success"


def test_an_interrupted_run_ends_in_time(github: fake.Hub) -> None:
    waiting = Waiting()
    check = Whole(github).begin(waiting)
    github.fault("PATCH", "check-runs", status=429, headers={"Retry-After": "60"}, body=None)
    check.cancel("The run was interrupted.")
    assert waiting.slept == []


def test_a_dry_run_keeps_the_requests_that_a_run_sends(github: fake.Hub) -> None:
    recorder = Recorder()
    check = CheckRun(recorder, TARGET)
    check.begin()
    check.finish(reports.BAD, annotations.collect(reports.BAD))
    Whole(github).run(reports.BAD)
    number = str(only(github)["id"])
    assert [(one.method, one.path.replace("{id}", number), one.query, one.body) for one in recorder.requests] == [
        (one.method, one.path, one.query, one.body) for one in github.seen
    ]


def test_what_is_sent_is_what_the_reporter_says(github: fake.Hub) -> None:
    Whole(github).run(reports.GOOD)
    number = only(github)["id"]
    assert [one.body for one in github.seen] == [
        check_run.create(TARGET).body,
        check_run.conclude(TARGET, number, reports.GOOD, ()).body,
    ]
