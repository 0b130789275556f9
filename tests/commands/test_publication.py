"""`gate run --check-run` as a workflow starts it, against a GitHub on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import runner
from tests.commands.repository import gate, write
from tests.conftest import Git
from tests.hub import fake

RUNS = "/repos/octo/repo/check-runs"


@pytest.fixture
def github() -> Iterator[fake.Hub]:
    with fake.serve(fake.Hub()) as served:
        served.token("ghs_write", "checks", "pull-requests")
        served.token("ghs_read")
        served.state.pull(7, "a" * 40)
        yield served
    assert served.violations == []


@pytest.fixture
def job(repo: Path, git: Git, github: fake.Hub) -> dict[str, str]:
    """The environment of a job for a pull request whose change breaks two oracles."""
    write(repo, {"src/page.py": "\n" * 6 + "last = 2\n", "tests/test_page.py": "pass\n"})
    git("add", "-A")
    git("commit", "-qm", "change")
    event = repo.parent / "event.json"
    write(repo.parent, {"event.json": _payload(git("rev-parse", "origin/main"), git("rev-parse", "HEAD"))})
    return {
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_API_URL": github.url,
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_JOB": "gate",
        "GITHUB_OUTPUT": str(repo.parent / "outputs"),
        "GITHUB_REPOSITORY": "octo/repo",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_RUN_ID": "77",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": git("rev-parse", "HEAD"),
        "GITHUB_STEP_SUMMARY": str(repo.parent / "summary"),
        "GATE_TOKEN": "ghs_write",
    }


def _payload(base: str, head: str, fork: str = "octo/repo") -> dict[str, Any]:
    sides = {
        "base": {"sha": base, "repo": {"full_name": "octo/repo"}},
        "head": {"sha": head, "repo": {"full_name": fork}},
    }
    return {"action": "opened", "number": 7, "pull_request": {"number": 7, **sides}}


def run(repo: Path, job: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    base = () if "--base" in arguments else ("--base", "origin/main")
    done = gate(repo, "run", *base, *arguments, **job)
    assert "Traceback" not in done.stdout + done.stderr
    assert "ghs_" not in done.stdout + done.stderr
    return done


def outputs(job: dict[str, str]) -> dict[str, str]:
    return runner.outputs(Path(job["GITHUB_OUTPUT"]).read_text())


def test_the_verdict_is_a_check_run_too(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job, "--check-run")
    (check,) = [dict(one) for one in github.state.check_runs.values()]
    assert (done.returncode, check["conclusion"]) == (1, "failure")
    assert (check["head_sha"], check["external_id"]) == (job["GITHUB_SHA"], "trajectory-gate:77:gate::1")
    assert check["details_url"] == "https://github.com/octo/repo/actions/runs/77"
    assert check["output"]["summary"] == Path(job["GITHUB_STEP_SUMMARY"]).read_text()
    assert (outputs(job)["verdict"], outputs(job)["check-run-url"]) == ("fail", check["html_url"])
    shown = f"Check run with {check['output']['annotations_count']} annotations: {check['html_url']}\n"
    assert done.stdout.count(shown) == 1
    assert "could not" not in done.stdout
    assert "Check run" not in run(repo, job, "--check-run", "--quiet").stdout


def test_no_annotation_is_shown_twice(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    printed = runner.annotations(run(repo, job).stdout)
    assert github.seen == []
    again = runner.annotations(run(repo, job, "--check-run").stdout)
    ((_, shown),) = github.state.annotations.items()
    assert [(one.level, one.file) for one in printed if one.file] == [
        ({"failure": "error"}.get(one["annotation_level"], one["annotation_level"]), one["path"]) for one in shown
    ]
    assert again == [one for one in printed if not one.file]
    assert len(shown) >= 2


def test_a_fork_gets_everything_but_the_check_run(repo: Path, job: dict[str, str], github: fake.Hub, git: Git) -> None:
    write(repo.parent, {"event.json": _payload(git("rev-parse", "origin/main"), job["GITHUB_SHA"], "somebody/repo")})
    without = run(repo, job).stdout
    done = run(repo, {**job, "GATE_TOKEN": "ghs_read"}, "--check-run")
    told = (
        "warning: the check run could not be made: GitHub answered 403 to POST /repos/octo/repo/check-runs: Resource "
        "not accessible by integration; a pull request from a fork or by Dependabot has a token that only reads, "
        "whatever the workflow grants; elsewhere, grant the job `permissions: checks: write`; the verdict stands "
        "without it\n"
    )
    assert (done.returncode, done.stdout.count(told)) == (1, 1)
    assert runner.annotations(done.stdout) == runner.annotations(without)
    assert (len(github.seen), outputs(job)["check-run-url"]) == (1, "")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        pytest.param(
            {"GATE_TOKEN": ""},
            "there is no check run: there is no token for GitHub's API; give the action's input `token`, or set "
            "GATE_TOKEN; the verdict stands without it",
            id="no token",
        ),
        pytest.param(
            {"GATE_TOKEN": "ghs_unknown"},
            "the check run could not be made: GitHub answered 401 to POST /repos/octo/repo/check-runs: Bad credentials; "
            "give the action's input `token`, or set GATE_TOKEN; the verdict stands without it",
            id="an unknown token",
        ),
        pytest.param(
            {"GITHUB_API_URL": "http://github.example.org/api/v3"},
            "there is no check run: GITHUB_API_URL is 'http://github.example.org/api/v3', expected one with https: a "
            "token is sent there; the verdict stands without it",
            id="an address without TLS",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "", "GITHUB_SHA": "main"},
            "there is no check run: `GITHUB_SHA` is 'main', no commit id to put it on; the verdict stands without it",
            id="no commit",
        ),
        pytest.param(
            {"GITHUB_EVENT_NAME": "", "GITHUB_REPOSITORY": "../x"},
            "there is no check run: the repository (`GITHUB_REPOSITORY`) is '../x', expected OWNER/NAME; the verdict "
            "stands without it",
            id="no repository",
        ),
    ],
)
def test_what_stands_in_the_way_is_told_once(
    repo: Path, job: dict[str, str], github: fake.Hub, changed: dict[str, str], told: str
) -> None:
    done = run(repo, job | changed, "--check-run")
    assert (done.returncode, done.stdout.count(f"warning: {told}\n"), github.state.check_runs) == (1, 1, {})


def test_an_event_that_cannot_be_read_has_no_check_run(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job | {"GITHUB_EVENT_PATH": ""}, "--check-run")
    assert done.returncode == 3
    assert "warning: there is no check run: the event 'pull_request'" in done.stdout
    assert github.seen == []


def test_what_could_not_be_judged_is_a_failure(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job, "--check-run", "--manifest", "no.yaml")
    (check,) = github.state.check_runs.values()
    assert (done.returncode, check["conclusion"]) == (2, "failure")
    assert check["output"]["title"].startswith("Nothing was judged: ")


def test_a_key_names_the_check(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    for key in ("linux", "mac"):
        run(repo, job, "--check-run", f"--key={key}")
    assert [one["name"] for one in github.state.check_runs.values()] == [
        "trajectory-gate (linux)",
        "trajectory-gate (mac)",
    ]


def test_a_re_run_takes_the_place_of_the_attempt_before(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    number = github.state.check_run(
        name="trajectory-gate",
        head_sha=job["GITHUB_SHA"],
        status="in_progress",
        external_id="trajectory-gate:77:gate::1",
    )
    run(repo, job | {"GITHUB_RUN_ATTEMPT": "2"}, "--check-run")
    assert list(github.state.check_runs) == [number]
    assert github.state.check_runs[number]["conclusion"] == "failure"


def test_the_job_s_own_check_run(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    number = github.state.check_run(name="gate", head_sha=job["GITHUB_SHA"], external_id="job", status="in_progress")
    run(repo, job, "--check-run-id", str(number))
    (check,) = github.state.check_runs.values()
    assert (check["conclusion"], check["output"]["annotations_count"]) == (None, len(github.state.annotations[number]))
    assert outputs(job)["check-run-url"] == check["html_url"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--check-run-id", "x"), "--check-run-id is 'x', expected a number"),
        (("--check-run", "--key", "a\nb"), r"--key is 'a\\nb', expected at most 100 printable characters"),
        (("--dry-run", "--key", "k" * 101), f"--key is '{'k' * 100}', expected at most 100 printable characters"),
    ],
    ids=["no number", "no line", "too long"],
)
def test_options_that_cannot_be_meant(
    repo: Path, job: dict[str, str], github: fake.Hub, words: tuple[str, ...], message: str
) -> None:
    done = run(repo, job, *words)
    assert done.returncode == 2
    assert message in done.stdout
    assert (outputs(job)["verdict"], github.seen) == ("error", [])


def test_a_dry_run_prints_what_a_run_sends(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    dry = run(repo, job | {"GATE_TOKEN": ""}, "--check-run", "--dry-run")
    assert (dry.returncode, github.seen) == (1, [])
    assert "Gate summary" in dry.stderr
    requests = json.loads(dry.stdout)["requests"]
    run(repo, job, "--check-run")
    (number,) = github.state.check_runs
    sent = [{"method": one.method, "url": f"{github.url}{one.path}", "body": one.body} for one in github.seen]
    told = json.loads(json.dumps(requests).replace("{id}", str(number)))
    assert [_without_seconds(one) for one in told] == [_without_seconds(one) for one in sent]


def _without_seconds(request: dict[str, Any]) -> dict[str, Any]:
    return (
        request
        | {"body": {key: value for key, value in request["body"].items() if key != "output"}}
        | {
            "annotations": request["body"]["output"].get("annotations"),
            "title": request["body"]["output"]["title"],
        }
    )


def test_a_dry_run_of_nothing(repo: Path, job: dict[str, str]) -> None:
    assert json.loads(run(repo, job, "--dry-run").stdout) == {"requests": []}


def test_a_comment_tells_the_verdict(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job, "--comment", "on-failure", "--key", "linux")
    (comment,) = github.state.comments.values()
    assert done.returncode == 1
    assert "could not" not in done.stdout
    assert comment["issue_url"].endswith("/issues/7")
    mark, _, text = comment["body"].partition("\n")
    assert mark.startswith("<!-- trajectory-gate:v1 key=linux content=")
    assert text.startswith("**trajectory-gate (linux)**\n\n## Gate: ❌ fail, 1 of 2 tasks passed\n")
    run_page = "judged by [this run](https://github.com/octo/repo/actions/runs/77)"
    assert text.endswith(f"\n<sub>Commit <code>{job['GITHUB_SHA'][:12]}</code>, {run_page}</sub>\n")
    again = run(repo, job, "--comment", "on-failure", "--key", "linux", "--check-run")
    assert (again.returncode, len(github.state.comments), len(github.state.check_runs)) == (1, 1, 1)


def test_no_comment_is_asked_for_by_default(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    run(repo, job, "--check-run")
    run(repo, job, "--comment", "off")
    assert github.state.comments == {}


def test_of_a_comment_too_a_dry_run_prints_what_a_run_sends(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    dry = run(repo, job | {"GATE_TOKEN": ""}, "--comment", "always", "--dry-run")
    requests = json.loads(dry.stdout)["requests"]
    run(repo, job, "--comment", "always")
    assert [(one["method"], one["url"].partition("?")[0]) for one in requests] == [
        (one.method, f"{github.url}{one.path}") for one in github.seen
    ]


@pytest.mark.parametrize(
    ("event", "payload", "told"),
    [
        pytest.param("push", {"ref": "refs/heads/topic", "before": "b" * 40, "after": "a" * 40}, "", id="push"),
        pytest.param("merge_group", {"merge_group": {"base_sha": "b" * 40, "head_sha": "a" * 40}}, "", id="queue"),
        pytest.param("schedule", {}, "", id="schedule"),
        pytest.param("workflow_dispatch", {}, "`workflow_dispatch` is no event of a pull request", id="by hand"),
        pytest.param("", {}, "no event names a pull request", id="no event"),
    ],
)
def test_without_a_pull_request_there_is_no_comment(
    repo: Path, job: dict[str, str], github: fake.Hub, event: str, payload: dict[str, Any], told: str
) -> None:
    write(repo.parent, {"event.json": payload})
    done = run(repo, job | {"GITHUB_EVENT_NAME": event}, "--comment", "always", "--check-run")
    sentence = f"warning: there is no comment: {told}; the verdict stands without it\n"
    assert (done.returncode, done.stdout.count("there is no comment")) == (1, int(bool(told)))
    assert not told or sentence in done.stdout
    assert (len(github.state.check_runs), github.state.comments) == (1, {})


def test_a_closed_pull_request_gets_no_comment(repo: Path, job: dict[str, str], github: fake.Hub, git: Git) -> None:
    payload = _payload(git("rev-parse", "origin/main"), job["GITHUB_SHA"])
    payload["pull_request"]["state"] = "closed"
    write(repo.parent, {"event.json": payload})
    done = run(repo, job, "--comment", "always")
    told = "warning: there is no comment: pull request #7 is closed; the verdict stands without it\n"
    assert (done.returncode, done.stdout.count(told), github.seen) == (1, 1, [])


def test_what_both_surfaces_lack_is_told_once(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job | {"GATE_TOKEN": ""}, "--comment", "always", "--check-run")
    told = (
        "warning: there is no check run and no comment: there is no token for GitHub's API; give the action's input "
        "`token`, or set GATE_TOKEN; the verdict stands without them\n"
    )
    assert (done.returncode, done.stdout.count(told), done.stdout.count("no token")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("words", "code"), [((), 0), (("--fail-on-publish-error",), 4)], ids=["by default", "asked for"]
)
def test_a_good_verdict_stays_good_unless_asked_otherwise(
    repo: Path, job: dict[str, str], github: fake.Hub, words: tuple[str, ...], code: int
) -> None:
    """Without a change nothing is judged: a good verdict."""
    asked = ("--base", "HEAD", "--check-run", *words)
    done = run(repo, job | {"GATE_TOKEN": "ghs_read"}, *asked)
    assert (done.returncode, outputs(job)["verdict"]) == (code, "skip")
    assert "the check run could not be made" in done.stdout
    assert run(repo, job, *asked).returncode == 0


def test_a_bad_verdict_keeps_its_code(repo: Path, job: dict[str, str], github: fake.Hub) -> None:
    done = run(repo, job | {"GATE_TOKEN": "ghs_read"}, "--check-run", "--fail-on-publish-error")
    assert done.returncode == 1


def test_no_surface_shows_a_secret(repo: Path, job: dict[str, str], github: fake.Hub, git: Git) -> None:
    """Neither one that has the shape of a token nor one of the job's own."""
    token, word = f"ghp_{'a1B2' * 9}", "correct horse battery"
    manifest = f"""
version: 1
tasks:
  - id: leaky
    oracles:
      - {{type: test_must_pass, command: "echo {token}; echo {word}; exit 1"}}
"""
    write(repo, {"leaky.yaml": manifest})
    git("add", "-A")
    git("commit", "-qm", "leak")
    files = {name: repo.parent / f"report.{name}" for name in ("junit", "json", "summary", "sarif", "code-quality")}
    words = [f"--{name}={path}" for name, path in files.items()]
    asked = ("--manifest", "leaky.yaml", "--judge", "head", "--check-run", "--comment", "always")
    done = run(repo, job | {"DEPLOY_PASSWORD": word}, *asked, *words, "--verbose")
    shown = [done.stdout, done.stderr, json.dumps(github.seen[1:], default=str), *map(Path.read_text, files.values())]
    shown += [Path(job[name]).read_text() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")]
    assert done.returncode == 1
    assert "***" in files["json"].read_text()
    assert [text for text in shown if token in text or word in text] == []


@pytest.mark.parametrize("drip", [pytest.param(0.0, id="judging"), pytest.param(0.001, id="while GitHub answers")])
def test_a_run_that_is_cancelled_shows_so(repo: Path, job: dict[str, str], github: fake.Hub, drip: float) -> None:
    """It is in progress before the first oracle is asked."""
    github.fault("POST", "/check-runs$", drip=drip)
    manifest = "version: 1\ntasks:\n  - {id: slow, oracles: [{type: test_must_pass, command: sleep 60}]}\n"
    write(repo, {"slow.yaml": manifest})
    words = [
        sys.executable,
        "-m",
        "gate",
        "run",
        "--check-run",
        "--manifest",
        "slow.yaml",
        "--judge",
        "head",
        "--diff",
        "all",
    ]
    child = subprocess.Popen(
        words, cwd=repo, env=os.environ | job, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        end = time.monotonic() + 60
        while not github.state.check_runs and time.monotonic() < end:
            time.sleep(0.05)
        (check,) = github.state.check_runs.values()
        assert check["status"] == "in_progress"
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=60)
    finally:
        child.kill()
    assert (child.returncode, check["status"], check["conclusion"]) == (143, "completed", "cancelled")
