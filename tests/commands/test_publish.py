"""`gate publish` as a `workflow_run` job starts it, on the report of a stranger's run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gate.reporters import json_report
from tests import reports, runner
from tests.commands.repository import gate, write
from tests.hub import fake

SHA = "a" * 40
SAID = (
    "This is what run 77 of somebody/repo, which ended as failure, has reported. It was not judged here, and that run "
    "was the pull request's own: its author could make it say anything"
)
ALL = ("--check-run", "--comment", "always")


@pytest.fixture
def github() -> Iterator[fake.Hub]:
    with fake.serve(fake.Hub()) as served:
        served.token("ghs_write", "checks", "pull-requests")
        served.token("ghs_read")
        served.state.pull(7, SHA, fork="somebody/repo")
        yield served
    assert served.violations == []


@pytest.fixture
def job(tmp_path: Path, github: fake.Hub) -> dict[str, str]:
    """The environment of a `workflow_run` job in a folder without a repository."""
    write(tmp_path, {"event.json": _payload(), "report.json": json_report.render(reports.BAD)})
    return {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": github.url,
        "GITHUB_EVENT_NAME": "workflow_run",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_JOB": "publish",
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "GITHUB_REPOSITORY": "octo/repo",
        "GITHUB_RUN_ATTEMPT": "3",
        "GITHUB_RUN_ID": "99",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": "d" * 40,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GATE_TOKEN": "ghs_write",
    }


def _payload(**more: Any) -> dict[str, Any]:
    run = {
        "id": 77,
        "run_attempt": 1,
        "head_branch": "topic",
        "head_sha": SHA,
        "conclusion": "failure",
        "head_repository": {"full_name": "somebody/repo"},
        "pull_requests": [],
    }
    return {"workflow_run": run | more, "repository": {"full_name": "octo/repo", "default_branch": "main"}}


def publish(folder: Path, job: dict[str, str], *words: str) -> tuple[int, str]:
    done = gate(folder, "publish", *words, **job)
    assert "Traceback" not in done.stdout + done.stderr
    assert "ghs_" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


def outputs(job: dict[str, str]) -> dict[str, str]:
    return runner.outputs(Path(job["GITHUB_OUTPUT"]).read_text())


def test_a_fork_s_verdict_is_shown_on_its_commit(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    code, log = publish(tmp_path, job, "report.json", *ALL, "--junit", "gate.xml")
    assert (code, "the verdict stands" in log) == (0, False), log
    (check,) = github.state.check_runs.values()
    assert (check["head_sha"], check["conclusion"]) == (SHA, "failure")
    assert check["details_url"] == "https://github.com/octo/repo/actions/runs/77"
    assert check["external_id"] == "trajectory-gate:77:publish::1"
    assert len(github.state.annotations[check["id"]]) == 7
    (comment,) = github.state.comments.values()
    assert comment["issue_url"].endswith("/issues/7")
    for text in (check["output"]["summary"], comment["body"], Path(job["GITHUB_STEP_SUMMARY"]).read_text()):
        assert f"- ℹ️ {SAID}\n" in text
        assert "gate run --base main --head HEAD" not in text
    assert runner.annotations(log) == []
    assert (outputs(job)["verdict"], outputs(job)["check-run-url"]) == ("fail", check["html_url"])
    assert (tmp_path / "gate.xml").exists()


def test_what_was_done_to_the_gate_is_told_before_where_it_is_from(
    tmp_path: Path, job: dict[str, str], github: fake.Hub
) -> None:
    publish(tmp_path, job, "report.json", "--comment", "always")
    (comment,) = github.state.comments.values()
    assert comment["body"].index("takes the oracle no_network out") < comment["body"].index("It was not judged here")


def test_a_second_report_takes_the_place_of_the_first(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    publish(tmp_path, job, "report.json", *ALL)
    (number,) = github.state.check_runs
    write(tmp_path, {"report.json": json_report.render(reports.GOOD), "event.json": _payload(run_attempt=2)})
    assert publish(tmp_path, job, "report.json", *ALL)[0] == 0
    latest = max(github.state.check_runs)
    assert (latest > number, github.state.check_runs[latest]["conclusion"]) == (True, "success")
    (comment,) = github.state.comments.values()
    assert "## Gate: ✅ pass" in comment["body"]


def test_nothing_in_the_file_says_where_it_is_published(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    other = "b" * 40
    github.state.pull(8, other)
    document = json.loads(json_report.render(reports.BAD))
    named = {"head_sha": other, "sha": other, "number": 8, "pull_request": 8, "repository": "octo/other", "key": "x"}
    write(tmp_path, {"report.json": document | named})
    assert publish(tmp_path, job, "report.json", *ALL)[0] == 0
    (check,) = github.state.check_runs.values()
    (comment,) = github.state.comments.values()
    assert (check["head_sha"], check["name"], comment["issue_url"][-9:]) == (SHA, "trajectory-gate", "/issues/7")


def test_a_payload_that_names_a_pull_request_is_not_believed(
    tmp_path: Path, job: dict[str, str], github: fake.Hub
) -> None:
    """It may name one of another repository that has the same commit."""
    github.state.pull(8, "b" * 40)
    related = {"number": 8, "base": {"sha": "c" * 40}, "head": {"sha": SHA}}
    write(tmp_path, {"event.json": _payload(pull_requests=[related])})
    publish(tmp_path, job, "report.json", "--comment", "always")
    (comment,) = github.state.comments.values()
    assert comment["issue_url"].endswith("/issues/7")


def test_a_deleted_fork(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    github.state.pull(7, SHA, gone=True)
    write(tmp_path, {"event.json": _payload(head_repository=None)})
    assert publish(tmp_path, job, "report.json", *ALL)[0] == 0
    assert (len(github.state.check_runs), len(github.state.comments)) == (1, 1)


_OLD = json_report.render(reports.BAD).replace("report/v1", "report/v0")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(None, "report.json: there is no such file", id="missing"),
        pytest.param("{", "report.json is no report of the gate: Input data was truncated", id="cut"),
        pytest.param(
            _OLD,
            "report.json is a report of version 0, which an older gate has written; this one reads version 1: let the "
            "same version of the gate judge and publish",
            id="older",
        ),
        pytest.param(
            json_report.render(reports.BAD).replace('"verdict": "fail"', '"verdict": "pass"'),
            "report.json contradicts itself: `verdict` is pass, and what it holds comes to fail",
            id="a lie",
        ),
    ],
)
def test_a_report_that_is_none_is_shown_as_a_failure(
    tmp_path: Path, job: dict[str, str], github: fake.Hub, text: str | None, told: str
) -> None:
    (tmp_path / "report.json").unlink()
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    code, log = publish(tmp_path, job, "report.json", *ALL, "--junit", "gate.xml")
    (check,) = github.state.check_runs.values()
    (comment,) = github.state.comments.values()
    assert (code, check["conclusion"], outputs(job)["verdict"]) == (2, "failure", "error")
    assert check["output"]["title"] == f"Nothing was judged: {told}"
    assert f"```text\n{told}\n```" in comment["body"]
    assert told in log
    assert told in (tmp_path / "gate.xml").read_text()


def test_a_report_behind_a_link_is_not_read(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    (tmp_path / "real.json").write_text("secret")
    (tmp_path / "report.json").unlink()
    (tmp_path / "report.json").symlink_to(tmp_path / "real.json")
    code, log = publish(tmp_path, job, "report.json", "--check-run")
    (check,) = github.state.check_runs.values()
    assert (code, "secret" in log) == (2, False)
    assert "report.json is a symbolic link, and links are not followed" in check["output"]["title"]


@pytest.mark.parametrize(
    ("changed", "words", "code", "told"),
    [
        pytest.param(
            {"GITHUB_EVENT_NAME": "pull_request_review_comment"},
            ALL,
            3,
            "`gate publish` is for the event `workflow_run`, and this one is `pull_request_review_comment`",
            id="another event",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": ""},
            ALL,
            3,
            "`gate publish` is for the event `workflow_run`, and there is none",
            id="no event",
        ),
        pytest.param({"GITHUB_EVENT_PATH": ""}, ALL, 3, "`GITHUB_EVENT_PATH` names no file", id="no payload"),
        pytest.param(
            {}, (), 2, "there is nothing to publish: add --check-run, --comment, or both", id="nothing asked for"
        ),
        pytest.param(
            {},
            ("--check-run-id", "5"),
            2,
            "--check-run-id is this job's own check run, on another commit: leave it out",
            id="the job's own",
        ),
    ],
)
def test_what_cannot_be_meant_publishes_nothing(
    tmp_path: Path,
    job: dict[str, str],
    github: fake.Hub,
    changed: dict[str, str],
    words: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    found, log = publish(tmp_path, job | changed, "report.json", *words, "--json", "again.json")
    assert (found, github.seen, told in log) == (code, [], True), log
    assert json.loads((tmp_path / "again.json").read_text())["exit_code"] == code


def test_what_github_refuses_makes_the_job_red(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    code, log = publish(tmp_path, job | {"GATE_TOKEN": "ghs_read"}, "report.json", *ALL)
    assert (code, github.state.check_runs, github.state.comments) == (4, {}, {})
    for permission in ("checks: write", "pull-requests: write"):
        assert log.count(f"grant the job `permissions: {permission}`") == 1
    assert outputs(job)["verdict"] == "fail"


def test_a_dry_run_shows_the_requests(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = gate(tmp_path, "publish", "report.json", "--check-run", "--dry-run", **job | {"GATE_TOKEN": ""})
    assert (done.returncode, github.seen) == (0, [])
    methods = [one["method"] for one in json.loads(done.stdout)["requests"]]
    assert methods == ["POST", "PATCH", "PATCH"]


def test_no_word_of_a_stranger_acts(tmp_path: Path, job: dict[str, str], github: fake.Hub) -> None:
    hostile = "\n::add-mask::x\n##[error]y @org/team #1 <!-- --> <img src=x> [x](http://e.example.org) \x1b[31m"
    finding = msgspec.structs.replace(reports.JUDGE_CHANGED, message=hostile, details=hostile, path=hostile)
    report = msgspec.structs.replace(
        reports.BAD, notices=(finding,), change=hostile, judge=hostile, version=hostile, repeat=hostile
    )
    write(tmp_path, {"report.json": json_report.render(report)})
    code, log = publish(tmp_path, job, "report.json", *ALL, "--verbose")
    assert code == 0
    assert runner.commands(log) == []
    (comment,) = github.state.comments.values()
    assert "@\u200borg/team #\u200b1 &#60;!-- --&#62; &#60;img" in comment["body"]
