"""The fake must refuse what GitHub refuses: without that no test that uses it says anything."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any

import pytest

from tests.hub import description
from tests.hub.fake import Hub, serve

SHA = "a" * 40
RUNS = "/repos/octo/repo/check-runs"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serve(Hub()) as served:
        served.token("ghs_write", "checks", "issues", "pull-requests")
        served.token("ghs_read")
        yield served


Ask = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def ask(hub: Hub) -> Ask:
    def asked(method: str, path: str, body: Any = None, token: str = "ghs_write") -> tuple[int, Any, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"token {token}"}
        request = urllib.request.Request(f"{hub.url}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.loads(answer.read() or b"null"), answer.headers.get("Link") or ""
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read()), ""

    return asked


def _annotation(**more: Any) -> dict[str, Any]:
    return {"path": "a.py", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"} | more


def _output(*annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"output": {"title": "t", "summary": "s", "annotations": list(annotations)} | more}


def test_a_check_run_is_remembered(hub: Hub, ask: Ask) -> None:
    _, run, _ = ask("POST", RUNS, {"name": "gate", "head_sha": SHA, "status": "in_progress", "external_id": "x"})
    path = f"{RUNS}/{run['id']}"
    assert ask("PATCH", path, _output(*[_annotation()] * 50))[0] == 200
    assert ask("PATCH", path, _output(*[_annotation()] * 50))[0] == 200
    _, done, _ = ask("PATCH", path, {"conclusion": "failure"} | _output(*[_annotation()] * 20))
    assert (done["status"], done["conclusion"], done["output"]["annotations_count"]) == ("completed", "failure", 120)
    assert ask("GET", path)[1] == done
    _, page, link = ask("GET", f"{path}/annotations?per_page=100")
    assert (len(page), link) == (100, f'<{hub.url}{path}/annotations?per_page=100&page=2>; rel="next"')
    assert [one["id"] for one in ask("GET", f"/repos/octo/repo/commits/{SHA}/check-runs")[1]["check_runs"]] == [
        run["id"]
    ]
    assert [one.status for one in hub.seen] == [201, 200, 200, 200, 200, 200, 200]
    assert hub.violations == []


_CREATE = {"name": "gate", "head_sha": SHA}


@pytest.mark.parametrize(
    ("method", "body"),
    [
        pytest.param("POST", {"name": "gate"}, id="no commit"),
        pytest.param("POST", {"name": "gate", "head_sha": SHA[:7]}, id="a short commit"),
        pytest.param("POST", _CREATE | {"status": "completed"}, id="created complete without a conclusion"),
        pytest.param("POST", _CREATE | {"nmae": "x"}, id="an unknown key"),
        pytest.param("PATCH", {"status": "completed"}, id="completed without a conclusion"),
        pytest.param("PATCH", {"status": "done"}, id="no status"),
        pytest.param("PATCH", {"conclusion": "bad"}, id="no conclusion"),
        pytest.param("PATCH", _output(*[_annotation()] * 51), id="51 annotations"),
        pytest.param("PATCH", _output(summary="x" * 65_536), id="a long summary"),
        pytest.param("PATCH", _output(title="x" * 256), id="a long title"),
        pytest.param("PATCH", {"output": {"title": "t"}}, id="no summary"),
        pytest.param("PATCH", _output(_annotation(), _annotation(start_line=0)), id="line 0 in one of two"),
        pytest.param("PATCH", _output(_annotation(start_line="1")), id="a line in words"),
        pytest.param("PATCH", _output(_annotation(start_line=2)), id="an end before its start"),
        pytest.param("PATCH", _output(_annotation(path=None)), id="no path"),
        pytest.param("PATCH", _output(_annotation(annotation_level="error")), id="no level"),
        pytest.param("PATCH", _output(_annotation(title="x" * 256)), id="an annotation's long title"),
        pytest.param("PATCH", _output(_annotation(message="é" * 40_000)), id="a message of 80,000 bytes"),
        pytest.param("PATCH", _output(_annotation(raw_details="x" * 70_000)), id="long details"),
        pytest.param("PATCH", _output(_annotation(message="\U0001f600")), id="a character above U+FFFF"),
        pytest.param("PATCH", _output(_annotation(column=3)), id="an annotation's unknown key"),
    ],
)
def test_a_bad_request_changes_nothing(hub: Hub, ask: Ask, method: str, body: Any) -> None:
    number = hub.state.check_run(name="gate", head_sha=SHA)
    before = json.dumps(hub.state.check_runs)
    status, answer, _ = ask(method, RUNS if method == "POST" else f"{RUNS}/{number}", body)
    assert (status, sorted(answer)[:2]) in [
        (422, ["documentation_url", "errors"]),
        (422, ["documentation_url", "message"]),
    ]
    assert (json.dumps(hub.state.check_runs), hub.state.annotations[number]) == (before, [])


@pytest.mark.parametrize(
    ("token", "status", "message"),
    [
        ("ghs_read", 403, "Resource not accessible by integration"),
        ("ghp_person", 403, "You must authenticate via a GitHub App."),
        ("ghs_other", 401, "Bad credentials"),
    ],
)
def test_a_token_may_do_what_it_may(hub: Hub, ask: Ask, token: str, status: int, message: str) -> None:
    hub.token("ghp_person", "checks", classic=True)
    seen, answer, _ = ask("POST", RUNS, _CREATE, token=token)
    assert (seen, answer["message"], hub.state.check_runs, hub.violations) == (status, message, {}, [])


def test_a_job_s_own_check_run_is_concluded_by_nobody_else(hub: Hub, ask: Ask) -> None:
    job = hub.state.check_run(name="job", head_sha=SHA, external_id="job", status="in_progress")
    assert ask("PATCH", f"{RUNS}/{job}", _output())[0] == 200
    status, answer, _ = ask("PATCH", f"{RUNS}/{job}", {"conclusion": "success"})
    expected = "Check run status and conclusions can only be updated internally by GitHub Actions"
    assert (status, answer["message"]) == (403, expected)


def test_comments_are_paged_and_keep_what_people_wrote(hub: Hub, ask: Ask) -> None:
    hub.state.pull(7, SHA, fork="somebody/repo")
    for number in range(130):
        hub.state.comment(7, f"comment {number}", "somebody", kind="User")
    path = "/repos/octo/repo/issues/7/comments"
    _, made, _ = ask("POST", path, {"body": "ours"})
    assert ask("PATCH", f"/repos/octo/repo/issues/comments/{made['id']}", {"body": "ours, edited"})[0] == 200
    _, first, link = ask("GET", f"{path}?per_page=100")
    _, second, end = ask("GET", f"{path}?per_page=100&page=2")
    assert (len(first), len(second), 'rel="next"' in link, end) == (100, 31, True, "")
    assert (second[-1]["body"], second[-1]["user"]["login"]) == ("ours, edited", "github-actions[bot]")
    assert ask("POST", path, {"body": "x" * 65_537})[0] == 422
    assert ask("POST", "/repos/octo/repo/issues/9/comments", {"body": "x"})[0] == 404
    assert ask("GET", "/repos/octo/other/issues/7/comments")[0] == 404
    assert hub.violations == []


def test_pull_requests_are_found_by_number_and_commit(hub: Hub, ask: Ask) -> None:
    hub.state.pull(7, SHA, fork="somebody/repo")
    hub.state.pull(8, "b" * 40, gone=True)
    assert ask("GET", "/repos/octo/repo/pulls/7")[1]["head"]["repo"]["full_name"] == "somebody/repo"
    assert ask("GET", "/repos/octo/repo/pulls/8")[1]["head"]["repo"] is None
    assert [one["number"] for one in ask("GET", f"/repos/octo/repo/commits/{SHA}/pulls")[1]] == [7]
    assert [one["number"] for one in ask("GET", "/repos/octo/repo/pulls")[1]] == [8, 7]
    assert ask("GET", "/repos/octo/repo")[1]["default_branch"] == "main"
    assert ask("GET", "/rate_limit")[0] == 200
    assert ask("GET", "/user")[0] == 403
    assert hub.violations == []


def test_what_is_not_described_is_a_violation(hub: Hub, ask: Ask) -> None:
    assert ask("GET", "/repos/octo/repo/branches")[0] == 404
    assert ask("GET", "/repos/octo/repo/pulls?colour=red")[0] == 422
    assert [line.partition(":")[0] for line in hub.violations] == [
        "GET /repos/octo/repo/branches",
        "GET /repos/octo/repo/pulls",
    ]


def test_a_bug_in_the_fake_is_a_violation(hub: Hub, ask: Ask) -> None:
    hub.state.check_runs[1] = {"id": 1, "status": "unheard of"}
    ask("GET", f"{RUNS}/1")
    assert hub.violations
    assert hub.violations[0].startswith(f"the answer to GET {RUNS}/1: ")


def test_faults_come_in_order_and_are_used_up(hub: Hub, ask: Ask) -> None:
    hub.fault("POST", "check-runs$", status=502, body={"message": "Bad gateway"}, done=True)
    hub.fault("POST", "check-runs$", status=429, body={"message": "Slow down"}, headers={"Retry-After": "1"})
    assert [ask("POST", RUNS, _CREATE)[0] for _ in range(3)] == [502, 429, 201]
    assert len(hub.state.check_runs) == 2
    hub.fault("GET", "/repo$", cut=10)
    with pytest.raises(IncompleteRead):
        ask("GET", "/repos/octo/repo")
    hub.fault("GET", "/repo$", drop=True)
    with pytest.raises(RemoteDisconnected):
        ask("GET", "/repos/octo/repo")
    hub.fault("GET", "/user$", drip=0.001)
    begun = time.monotonic()
    assert ask("GET", "/user")[0] == 403
    assert time.monotonic() - begun > 0.05


def test_enterprise_has_a_prefix() -> None:
    with serve(Hub(prefix="/api/v3")) as hub:
        hub.token("t")
        request = urllib.request.Request(f"{hub.url}/repos/octo/repo", headers={"Authorization": "token t"})
        with urllib.request.urlopen(request) as answer:
            assert json.loads(answer.read())["url"] == f"{hub.url}/repos/octo/repo"
        assert hub.url.endswith("/api/v3")


@pytest.mark.parametrize("name", ["check-run", "full-repository", "issue-comment", "pull-request", "workflow-run"])
def test_the_least_value_satisfies_its_schema(name: str) -> None:
    assert description.faults({"$ref": f"#/components/schemas/{name}"}, description.least(name)) == []
