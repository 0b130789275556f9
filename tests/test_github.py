"""The event that a workflow runs for, as GitHub's own example payloads tell of it."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ChangeError, GitError
from gate.git import Git
from gate.github import Event, Run, credentials, event, in_ci, workspace
from tests import githost, machine

BASE, HEAD, MERGE = "b" * 40, "a" * 40, "c" * 40


def _payload(**head: Any) -> dict[str, Any]:
    """A pull request's payload, cut down to what is read; `head` replaces parts of its head."""
    return {
        "action": "synchronize",
        "number": 7,
        "pull_request": {
            "number": 7,
            "base": {"sha": BASE, "repo": {"full_name": "o/r"}},
            "head": {"sha": HEAD, "repo": {"full_name": "o/r"}} | head,
        },
    }


def _environ(tmp_path: Path, payload: object, *, name: str = "pull_request") -> dict[str, str]:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(payload))
    return {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(path), "GITHUB_SHA": MERGE}


def test_a_pull_request(tmp_path: Path) -> None:
    payload = _payload()
    assert event(_environ(tmp_path, payload)) == Event(
        name="pull_request", payload=payload, sha=MERGE, base_sha=BASE, head_sha=HEAD, number=7, fork=False
    )


@pytest.mark.parametrize(
    ("repo", "fork"),
    [
        pytest.param({"full_name": "o/r", "fork": True}, False, id="same-repository-that-is-itself-a-fork"),
        pytest.param({"full_name": "someone/r"}, True, id="another-owner"),
        pytest.param({"full_name": "o/r-fork"}, True, id="same-owner"),
        pytest.param(None, True, id="deleted"),
    ],
)
@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_a_fork_is_another_repository_or_none_any_more(tmp_path: Path, name: str, repo: object, fork: bool) -> None:
    found = event(_environ(tmp_path, _payload(repo=repo), name=name))
    assert found is not None
    assert (found.name, found.fork) == (name, fork)


def test_two_repositories_that_are_both_gone_are_not_the_same(tmp_path: Path) -> None:
    payload = _payload(repo=None)
    payload["pull_request"]["base"]["repo"] = None
    found = event(_environ(tmp_path, payload))
    assert found is not None
    assert found.fork


def test_the_environment_says_more_than_the_payload(tmp_path: Path) -> None:
    payload = _payload() | {
        "repository": {"full_name": "o/old-name", "default_branch": "trunk"},
        "sender": {"login": "who-pressed"},
    }
    payload["pull_request"]["labels"] = [{"name": "agent"}, {"name": "needs, care"}]
    told = {"GITHUB_REPOSITORY": "o/r", "GITHUB_ACTOR": "who-began", "GITHUB_REF": "refs/pull/7/merge"}
    found = event(_environ(tmp_path, payload) | told)
    assert found is not None
    assert (found.repository, found.default_branch, found.actor) == ("o/r", "trunk", "who-began")
    assert (found.ref, found.labels, found.publish_sha) == ("refs/pull/7/merge", ("agent", "needs, care"), HEAD)


QUEUED = ("380387fbc80638b734a49e1be1c4dfec1c01b33c", "2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d")
OPENED = ("f95f852bd8fca8fcc58a9a2d6c842781e32a215e", "ec26c3e57ca3a959ca5aad62de7213c562f8c821")
TAGGED = "6113728f27ae82c7b1a177c8d03f9e96e0adf246"
RAN = "3484a3fb816e0859fd6e1cea078d76385ff50625"
HELLO, OCTO = "Codertocat/Hello-World", "octo-org/octo-repo"
REAL: dict[str, tuple[str, tuple[str | None, str | None], str, str, str | None]] = {
    "pull_request.opened.1": ("pull_request", OPENED, HELLO, "master", OPENED[1]),
    "pull_request.closed.2": ("pull_request", OPENED, HELLO, "master", OPENED[1]),
    "pull_request.closed.3": ("pull_request", OPENED, HELLO, "master", OPENED[1]),
    "merge_group.checks_requested.1": ("merge_group", QUEUED, OCTO, "main", QUEUED[1]),
    "merge_group.checks_requested.2": ("merge_group", QUEUED, OCTO, "main", QUEUED[1]),
    "push.event.1": ("push", (None, MERGE), HELLO, "master", MERGE),
    "push.event.2": ("push", (TAGGED, None), HELLO, "master", None),
    "push.event.3": ("push", (TAGGED, None), HELLO, "master", None),
    "workflow_dispatch.event.1": ("workflow_dispatch", (None, None), OCTO, "main", MERGE),
    "workflow_dispatch.event.2": ("workflow_dispatch", (None, None), OCTO, "master", MERGE),
    "workflow_run.completed.1": (
        "workflow_run",
        (None, "5779607b49aab1200488439f02372c57b4f75444"),
        HELLO,
        "main",
        "5779607b49aab1200488439f02372c57b4f75444",
    ),
    "workflow_run.completed.2": ("workflow_run", (None, RAN), OCTO, "master", RAN),
    "workflow_run.completed.3": ("workflow_run", (None, RAN), OCTO, "master", RAN),
}


@pytest.mark.parametrize("file", REAL)
def test_github_s_own_examples(cases: Path, file: str) -> None:
    name, change, repository, branch, publish = REAL[file]
    path = cases / "github" / "events" / f"{file}.json"
    found = event({"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(path), "GITHUB_SHA": MERGE})
    assert found is not None
    assert found.payload == json.loads(path.read_bytes())
    assert (found.name, found.sha, found.base_sha, found.head_sha) == (name, MERGE, *change)
    assert (found.repository, found.default_branch, found.publish_sha) == (repository, branch, publish)
    assert found.number == (2 if name == "pull_request" else None)
    assert found.labels == (("bug",) if "closed" in file else ())
    assert found.actor == found.payload["sender"]["login"]
    # The head of the first workflow run is in another repository than the one that its payload is from.
    assert found.fork is (file == "workflow_run.completed.1")
    assert found.deletes is (publish is None)


@pytest.mark.parametrize(
    ("file", "change", "found"),
    [
        pytest.param(
            "pull_request.opened.1",
            lambda payload: payload["pull_request"]["head"]["repo"].update(full_name="someone/Hello-World", fork=True),
            (*OPENED, True, OPENED[1]),
            id="fork",
        ),
        pytest.param(
            "pull_request.opened.1",
            lambda payload: payload["pull_request"]["head"].update(repo=None, user=None),
            (*OPENED, True, OPENED[1]),
            id="deleted-fork",
        ),
        pytest.param(
            "push.event.1",
            lambda payload: payload.update(ref="refs/heads/topic", before=BASE, created=False),
            (BASE, TAGGED, False, TAGGED),
            id="ordinary-push",
        ),
        pytest.param(
            "push.event.1",
            lambda payload: payload.update(ref="refs/heads/topic", before=BASE, created=False, forced=True),
            (BASE, TAGGED, False, TAGGED),
            id="force-push",
        ),
        pytest.param(
            "push.event.1",
            lambda payload: payload.update(ref="refs/heads/topic", base_ref="refs/heads/master"),
            (None, TAGGED, False, TAGGED),
            id="new-branch",
        ),
        pytest.param(
            "workflow_run.completed.2",
            lambda payload: payload["workflow_run"]["head_repository"].update(full_name="someone/octo-repo"),
            (None, RAN, True, RAN),
            id="run-of-a-fork",
        ),
    ],
)
def test_what_github_has_no_example_of(
    cases: Path,
    tmp_path: Path,
    file: str,
    change: Callable[[dict[str, Any]], None],
    found: tuple[str | None, str, bool, str],
) -> None:
    payload = json.loads((cases / "github" / "events" / f"{file}.json").read_bytes())
    change(payload)
    read = event(_environ(tmp_path, payload, name=REAL[file][0]))
    assert read is not None
    assert (read.base_sha, read.head_sha, read.fork, read.publish_sha) == found


def test_every_example_there_is_has_been_read(cases: Path) -> None:
    assert {path.stem for path in (cases / "github" / "events").iterdir()} == set(REAL)


@pytest.mark.parametrize("environ", [{}, {"GITHUB_EVENT_NAME": ""}, {"GITHUB_EVENT_PATH": "/dev/zero"}])
def test_without_a_name_there_is_no_event(environ: dict[str, str]) -> None:
    assert event(environ) is None


def test_the_process_s_own_environment_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert event() is None
    assert not in_ci()
    for name, value in _environ(tmp_path, {}, name="schedule").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CI", "true")
    assert event() == Event(name="schedule", payload={}, sha=MERGE)
    assert in_ci()


def _refused(environ: dict[str, str]) -> str:
    with pytest.raises(ChangeError) as caught:
        event(environ)
    assert (caught.value.kind, caught.value.exit_code) == ("event", 3)
    return caught.value.message


ADVICE = "; outside of GitHub Actions unset it"


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        pytest.param(
            {"number": 7},
            "its payload is not that of a pull request: Object missing required field `pull_request`",
            id="no-pull-request",
        ),
        pytest.param(
            _payload(sha=None),
            "its payload is not that of a pull request: Expected `str`, got `null` - at `$.pull_request.head.sha`",
            id="no-head",
        ),
        pytest.param(
            _payload(sha="--output=pwn"),
            "`pull_request.head.sha` is '--output=pwn', which is no commit id",
            id="no-commit-id",
        ),
        pytest.param(
            _payload(sha="a" * 39), f"`pull_request.head.sha` is '{'a' * 39}', which is no commit id", id="cut"
        ),
    ],
)
def test_a_payload_that_is_no_pull_request_s_is_refused(tmp_path: Path, payload: dict[str, Any], why: str) -> None:
    message = _refused(_environ(tmp_path, payload))
    assert message == f"the event 'pull_request' (`GITHUB_EVENT_NAME`) cannot be used: {why}{ADVICE}"


ZERO = "0" * 40


def _push(**facts: Any) -> dict[str, Any]:
    return {"ref": "refs/heads/topic", "before": BASE, "after": HEAD, "repository": {"full_name": "o/r"}, **facts}


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        pytest.param(_push(), ("refs/heads/topic", BASE, HEAD, HEAD), id="update"),
        pytest.param(_push(before=ZERO), ("refs/heads/topic", None, HEAD, HEAD), id="new-branch"),
        pytest.param(_push(after=ZERO), ("refs/heads/topic", BASE, None, None), id="deletion"),
        pytest.param(_push(ref="refs/tags/v1"), ("refs/tags/v1", BASE, MERGE, MERGE), id="a-tag-is-no-commit"),
        pytest.param(
            _push(before="0" * 64, after="a" * 64), ("refs/heads/topic", None, "a" * 64, "a" * 64), id="sha256"
        ),
    ],
)
def test_a_push(tmp_path: Path, payload: dict[str, Any], found: tuple[str, str | None, str | None, str | None]) -> None:
    pushed = event(_environ(tmp_path, payload, name="push"))
    assert pushed is not None
    assert (pushed.ref, pushed.base_sha, pushed.head_sha, pushed.publish_sha) == found
    assert (pushed.deletes, pushed.privileged, pushed.fork) == (found[2] is None, False, False)


def _ran(**facts: Any) -> dict[str, Any]:
    run = {"head_sha": HEAD, "head_repository": {"full_name": "o/r"}, **facts}
    return {"workflow_run": run, "repository": {"full_name": "o/r", "default_branch": "main"}}


def _related(head: str) -> dict[str, Any]:
    return {"number": 7, "base": {"sha": BASE}, "head": {"sha": head}}


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        pytest.param(_ran(), (None, None, False), id="at-home"),
        pytest.param(_ran(head_repository={"full_name": "someone/r"}, pull_requests=[]), (None, None, True), id="fork"),
        pytest.param(_ran(head_repository=None), (None, None, True), id="deleted-fork"),
        pytest.param(_ran() | {"repository": {"full_name": "o/other"}}, (None, None, True), id="of-another-repository"),
        pytest.param(_ran(pull_requests=[_related(MERGE), _related(HEAD)]), (BASE, 7, False), id="of-a-pull-request"),
        pytest.param(_ran(pull_requests=[_related(MERGE)]), (None, None, False), id="of-one-that-moved-on"),
    ],
)
def test_a_workflow_run_is_known_by_its_head(
    tmp_path: Path, payload: dict[str, Any], found: tuple[str | None, int | None, bool]
) -> None:
    ran = event(_environ(tmp_path, payload, name="workflow_run"))
    assert ran is not None
    assert (ran.base_sha, ran.number, ran.fork) == found
    assert (ran.head_sha, ran.publish_sha, ran.privileged) == (HEAD, HEAD, True)


_FACTS = {"id": 77, "run_attempt": 2, "head_branch": "topic", "conclusion": "failure"}


@pytest.mark.parametrize(
    ("payload", "found"),
    [
        pytest.param(_ran(), None, id="nameless"),
        pytest.param(_ran(id=77, conclusion=None), Run(id=77, repository="o/r"), id="no-branch"),
        pytest.param(
            _ran(**_FACTS, head_repository={"full_name": "someone/r"}),
            Run(id=77, attempt=2, conclusion="failure", repository="someone/r", label="someone:topic"),
            id="fork",
        ),
        pytest.param(
            _ran(**_FACTS, head_repository=None), Run(id=77, attempt=2, conclusion="failure"), id="deleted-fork"
        ),
    ],
)
def test_a_workflow_run_tells_which_run_it_is_of(tmp_path: Path, payload: dict[str, Any], found: Run | None) -> None:
    ran = event(_environ(tmp_path, payload, name="workflow_run"))
    assert ran is not None
    assert ran.run == found


@pytest.mark.parametrize(("state", "closed"), [("open", False), ("closed", True)])
def test_a_pull_request_may_be_closed(tmp_path: Path, state: str, closed: bool) -> None:
    payload = _payload()
    payload["pull_request"]["state"] = state
    found = event(_environ(tmp_path, payload))
    assert found is not None
    assert found.closed is closed


@pytest.mark.parametrize(
    ("name", "payload", "why"),
    [
        pytest.param(
            "push",
            _payload(),
            "its payload is not that of a push: Object missing required field `ref`",
            id="push-told-of-a-pull-request",
        ),
        pytest.param(
            "pull_request_target",
            _push(),
            "its payload is not that of a pull request: Object missing required field `pull_request`",
            id="pull-request-told-of-a-push",
        ),
        pytest.param(
            "merge_group",
            _ran(),
            "its payload is not that of a merge group: Object missing required field `merge_group`",
            id="merge-group-told-of-a-run",
        ),
        pytest.param(
            "workflow_run",
            {"workflow_run": [HEAD]},
            "its payload is not that of a workflow run: Expected `object`, got `array` - at `$.workflow_run`",
            id="list-for-a-mapping",
        ),
        pytest.param(
            "push",
            _push(before=0),
            "its payload is not that of a push: Expected `str`, got `int` - at `$.before`",
            id="number-for-a-commit",
        ),
        pytest.param("push", _push(after="HEAD"), "`after` is 'HEAD', which is no commit id", id="no-commit"),
        pytest.param(
            "merge_group",
            {"merge_group": {"base_sha": ZERO, "head_sha": HEAD}},
            f"`merge_group.base_sha` is '{ZERO}', which is no commit id",
            id="zeros-outside-of-a-push",
        ),
        pytest.param(
            "pull_request",
            _payload() | {"number": "7"},
            "its payload is not that of a pull request: Expected `int | null`, got `str` - at `$.number`",
            id="text-for-a-number",
        ),
        pytest.param(
            "pull_request",
            _payload(repo="o/r"),
            "its payload is not that of a pull request: Expected `object | null`, got `str` - at "
            "`$.pull_request.head.repo`",
            id="text-for-a-repository",
        ),
        pytest.param(
            "schedule",
            {"repository": {"full_name": 1}},
            "its payload is not that of an event: Expected `str`, got `int` - at `$.repository.full_name`",
            id="number-for-a-name",
        ),
        *(
            pytest.param(
                "schedule",
                {"repository": {"full_name": path}},
                f"its repository is {path!r}, expected `OWNER/NAME`",
                id=f"path-for-a-name:{path}",
            )
            for path in ["../../admin", "../admin", "o/..", "o", "o/r/x", "o/r?", "o/ r", "ö/r"]
        ),
    ],
)
def test_a_payload_of_another_event_or_type_is_refused(
    tmp_path: Path, name: str, payload: dict[str, Any], why: str
) -> None:
    message = _refused(_environ(tmp_path, payload, name=name))
    assert message == f"the event {name!r} (`GITHUB_EVENT_NAME`) cannot be used: {why}{ADVICE}"


def test_a_workspace_is_that_of_github_actions_alone() -> None:
    assert workspace({"GITHUB_WORKSPACE": "/w", "GITHUB_ACTIONS": "true"}) == Path("/w")
    assert workspace({"GITHUB_WORKSPACE": "/w"}) is None
    assert workspace({"GITHUB_ACTIONS": "true"}) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(b"[]", "is list, expected a mapping", id="list"),
        pytest.param(b"", "is no JSON: Input data was truncated", id="empty"),
        pytest.param(b'{"a": ', "is no JSON: Input data was truncated", id="cut"),
        pytest.param(b'{"a": "\xff"}', "is no JSON: Invalid UTF-8 encoded string", id="not-utf-8"),
        pytest.param(b"[" * 100_000, "is no JSON: maximum recursion depth exceeded", id="deep"),
        pytest.param('{"a": 1}'.encode("utf-16"), "is no JSON: JSON is malformed: invalid character", id="utf-16"),
    ],
)
def test_a_payload_that_is_no_mapping_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "event.json").write_bytes(data)
    message = _refused({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")})
    assert message.startswith(
        f"the event 'push' (`GITHUB_EVENT_NAME`) cannot be used: its payload in {tmp_path}/event.json {why}"
    )
    assert message.endswith(ADVICE)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        pytest.param("", "`GITHUB_EVENT_PATH` names no file", id="none"),
        pytest.param("none.json", "its payload cannot be read: none.json: there is no such file", id="missing"),
        pytest.param(
            "/dev/zero", "its payload cannot be read: /dev/zero is a device; expected a regular file", id="device"
        ),
    ],
)
def test_a_payload_that_cannot_be_read_is_refused(path: str, why: str) -> None:
    message = _refused({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": path})
    assert message == f"the event 'push' (`GITHUB_EVENT_NAME`) cannot be used: {why}{ADVICE}"


def test_a_pipe_instead_of_a_payload_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    message = _refused({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(tmp_path / "pipe")})
    assert f"{tmp_path}/pipe is a named pipe; expected a regular file" in message


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, False),
        ({"CI": ""}, False),
        ({"CI": "false"}, False),
        ({"CI": "0"}, False),
        ({"CI": "true"}, True),
        ({"CI": "1"}, True),
        ({"CI": "woodpecker"}, True),
        ({"GITHUB_ACTIONS": "true"}, True),
        ({"CI": "false", "GITHUB_ACTIONS": "true"}, True),
    ],
)
def test_in_ci(environ: dict[str, str], expected: bool) -> None:
    assert in_ci(environ) is expected


class TestCredentials:
    def test_are_none_without_a_token_or_a_server(self) -> None:
        assert credentials({}) == {}
        assert credentials({"GATE_TOKEN": "t", "GITHUB_SERVER_URL": ""}) == {}
        assert credentials({"GATE_TOKEN": "", "GITHUB_SERVER_URL": "https://github.com"}) == {}

    def test_are_for_this_server_alone_and_follow_the_settings_there_are(self) -> None:
        environ = {"GATE_TOKEN": "t", "GITHUB_SERVER_URL": "https://git.example.org/", "GIT_CONFIG_COUNT": "1"}
        assert credentials(environ) == {
            "GIT_CONFIG_COUNT": "3",
            "GIT_CONFIG_KEY_1": "http.https://git.example.org/.extraheader",
            "GIT_CONFIG_VALUE_1": "",
            "GIT_CONFIG_KEY_2": "http.https://git.example.org/.extraheader",
            "GIT_CONFIG_VALUE_2": "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46dA==",
        }

    @pytest.mark.parametrize(
        ("token", "persisted"),
        [
            pytest.param("right", None, id="nothing is persisted"),
            pytest.param("right", "wrong", id="what is persisted has expired"),
            pytest.param("wrong", "right", id="what is persisted comes first"),
        ],
    )
    def test_open_a_private_repository(self, tmp_path: Path, token: str, persisted: str | None) -> None:
        with _private(tmp_path, persisted=persisted) as (server, commit, found):
            found.fetch(commit, credentials({"GATE_TOKEN": token, "GITHUB_SERVER_URL": server}))
            assert found.resolve(commit) == commit

    def test_ask_a_private_repository_for_a_ref(self, tmp_path: Path) -> None:
        with _private(tmp_path) as (server, _, found):
            shown = credentials({"GATE_TOKEN": "right", "GITHUB_SERVER_URL": server})
            wrong = credentials({"GATE_TOKEN": "wrong", "GITHUB_SERVER_URL": server})
            asked = [
                (ref, found.on_origin(ref, words))
                for ref in ("refs/heads/main", "refs/notes/x")
                for words in (shown, wrong)
            ]
        assert asked == [
            ("refs/heads/main", True),
            ("refs/heads/main", None),
            ("refs/notes/x", False),
            ("refs/notes/x", None),
        ]

    def test_that_open_nothing_are_not_shown(self, tmp_path: Path) -> None:
        with _private(tmp_path) as (server, commit, found):
            wrong = credentials({"GATE_TOKEN": "wrong", "GITHUB_SERVER_URL": server})
            with pytest.raises(GitError, match="could not read Username") as refused:
                found.fetch(commit, wrong)
            assert wrong["GIT_CONFIG_VALUE_1"] not in refused.value.message


@contextlib.contextmanager
def _private(folder: Path, *, persisted: str | None = None) -> Iterator[tuple[str, str, Git]]:
    """A server with a private repository, its commit, and a clone that does not hold it."""
    origin, clone = folder / "served" / "repo", folder / "clone"
    for place in (origin, clone):
        place.mkdir(parents=True)
        machine.git(place, "init", "-q")
    machine.git(origin, "commit", "-q", "--allow-empty", "-m", "Begin")
    commit = machine.git(origin, "rev-parse", "HEAD")
    with githost.serve(folder / "served", "right") as server:
        machine.git(clone, "remote", "add", "origin", f"{server}/repo")
        if persisted:
            shown = credentials({"GATE_TOKEN": persisted, "GITHUB_SERVER_URL": server})
            machine.git(clone, "config", shown["GIT_CONFIG_KEY_1"], shown["GIT_CONFIG_VALUE_1"])
        found = Git.discover(clone)
        assert found is not None
        with found:
            yield server, commit, found
