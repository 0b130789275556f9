"""The comment's whole way, against a GitHub that remembers, forbids, breaks down and has other writers."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from gate.publishing.comments import Comment, Place
from gate.publishing.hub import Access, Hub
from gate.report import Report
from gate.reporters import comment
from gate.reporters.comment import Mode, Thread
from gate.request import Answer, Recorder, Request
from tests import reports
from tests.hub import fake
from tests.publishing.test_hub import Waiting, sent

SHA = "a" * 40
PLACE = Place(repository="octo/repo", sha=SHA, number=7, run=77)
THREAD = Thread(repository="octo/repo", number=7, sha=SHA, run=77)
STANDS = "the verdict stands without it"


@pytest.fixture
def github() -> Iterator[fake.Hub]:
    with fake.serve(fake.Hub()) as served:
        served.token("ghs_write", "pull-requests")
        served.token("ghs_read")
        served.state.pull(7, SHA, fork="somebody/repo")
        yield served
    assert served.violations == []


def hub(github: fake.Hub, token: str = "ghs_write") -> Hub:
    return Hub(Access(api=github.url, token=token), clock=Waiting().clock)


def write(
    github: fake.Hub,
    report: Report = reports.BAD,
    *,
    mode: Mode = Mode.ALWAYS,
    token: str = "ghs_write",
    fork: bool = False,
    **place: Any,
) -> tuple[str, ...]:
    """One run of the gate, as far as its comment goes; what it tells."""
    github.seen.clear()
    where = msgspec.structs.replace(PLACE, **place)
    return Comment(hub(github, token), where, mode=mode, fork=fork).write(report)


def bodies(github: fake.Hub) -> list[str]:
    return [one["body"] for one in github.state.comments.values()]


def body(report: Report = reports.BAD, **thread: Any) -> str:
    return comment.draft(report, msgspec.structs.replace(THREAD, **thread)).body


def test_it_is_made_once_and_then_kept_true(github: fake.Hub) -> None:
    assert write(github) == ()
    (number,) = github.state.comments
    assert sent(github) == ["GET /issues/7/comments 200", "POST /issues/7/comments 201", "GET /issues/7/comments 200"]
    assert write(github, run=78) == ()
    assert sent(github) == ["GET /issues/7/comments 200"]
    assert write(github, reports.GOOD, run=79) == ()
    assert sent(github) == ["GET /issues/7/comments 200", f"PATCH /issues/comments/{number} 200"]
    assert bodies(github) == [body(reports.GOOD, run=79)]


@pytest.mark.parametrize(
    ("mode", "counts"),
    [
        (Mode.ALWAYS, [(0, 1), (1, 0), (1, 0)]),
        (Mode.ON_FAILURE, [(0, 0), (0, 1), (1, 0)]),
        (Mode.ON_CHANGE, [(0, 0), (0, 1), (1, 0)]),
    ],
    ids=str,
)
def test_when_it_is_made_and_edited(github: fake.Hub, mode: Mode, counts: list[tuple[int, int]]) -> None:
    """A run that passes, one that fails, one that passes again: how often each edits and makes a comment."""
    seen = []
    for number, report in enumerate((reports.GOOD, reports.BAD, reports.GOOD)):
        assert write(github, report, mode=mode, run=number + 1) == ()
        seen.append(tuple(sum(one.method == method for one in github.seen) for method in ("PATCH", "POST")))
    assert seen == counts


def test_on_change_the_same_verdicts_are_not_told_again(github: fake.Hub) -> None:
    github.state.comment(7, body(sha="b" * 40))
    for mode, edits in ((Mode.ON_CHANGE, 0), (Mode.ON_FAILURE, 1)):
        write(github, mode=mode)
        assert sum(one.method == "PATCH" for one in github.seen) == edits


def test_it_is_found_on_any_page(github: fake.Hub) -> None:
    for number in range(230):
        github.state.comment(7, f"comment {number}", "somebody", kind="User")
    ours = github.state.comment(7, body(reports.GOOD))
    for number in range(30):
        github.state.comment(7, f"more {number}", "somebody", kind="User")
    assert write(github) == ()
    assert [one.query.get("page") for one in github.seen] == ["1", "2", "3", None]
    assert github.state.comments[ours]["body"] == body()


def test_each_key_has_its_own(github: fake.Hub) -> None:
    for key in ("", "linux", "mac", "linux"):
        write(github, key=key)
    assert bodies(github) == [body(key=key) for key in ("", "linux", "mac")]


@pytest.mark.parametrize(
    ("login", "kind", "app"),
    [
        pytest.param("somebody", "User", None, id="a person who copied it"),
        pytest.param("github-actions", "User", None, id="a person whose name is alike"),
        pytest.param("somebody", "User", "github-actions", id="a person by an app"),
        pytest.param("somebody", "Bot", None, id="a login that no bot has"),
        pytest.param("gate[bot]", "User", None, id="a login of a bot that is none"),
        pytest.param("other[bot]", "Bot", "github-actions", id="an app that is another"),
    ],
)
def test_what_is_not_ours_stays_as_it_is(github: fake.Hub, login: str, kind: str, app: str | None) -> None:
    theirs = github.state.comment(7, body(reports.GOOD), login, kind=kind)
    if app:
        shown = github.state.check_runs[github.state.check_run(app=app)]["app"]
        github.state.comments[theirs]["performed_via_github_app"] = shown
    assert write(github) == ()
    assert bodies(github) == [body(reports.GOOD), body()]
    assert write(github, reports.GOOD) == ()
    assert bodies(github) == [body(reports.GOOD), body(reports.GOOD)]
    assert github.state.comments[theirs]["updated_at"] == github.state.comments[theirs]["created_at"]


def test_a_quoted_mark_is_no_mark(github: fake.Hub) -> None:
    github.state.comment(7, f"As the gate said:\n{body(reports.GOOD)}")
    write(github)
    assert len(bodies(github)) == 2


def test_a_deleted_account_wrote_none_of_ours(github: fake.Hub) -> None:
    theirs = github.state.comment(7, body(reports.GOOD))
    github.state.comments[theirs]["user"] = None
    assert write(github) == ()
    assert bodies(github) == [body(reports.GOOD), body()]


def test_the_token_of_a_person_keeps_that_person_s_comment(github: fake.Hub) -> None:
    """GitHub tells such a token who it is; without that each run would write one more."""
    person = {"login": "release-account", "id": 1}
    ours = github.state.comment(7, body(reports.GOOD), "release-account", kind="User")
    github.state.comment(7, body(reports.GOOD), "somebody", kind="User")
    github.fault("GET", "^/user$", status=200, body=person)
    assert write(github) == ()
    assert sent(github) == [
        "GET /issues/7/comments 200",
        "GET /user 200",
        f"PATCH /issues/comments/{ours} 200",
    ]
    assert bodies(github) == [body(), body(reports.GOOD)]


def test_what_somebody_changed_in_ours_is_put_right(github: fake.Hub) -> None:
    number = github.state.comment(7, body().replace("❌ fail", "✅ pass"))
    assert write(github) == ()
    assert github.state.comments[number]["body"] == body()


def test_a_later_run_s_word_stands(github: fake.Hub) -> None:
    github.state.comment(7, body(reports.GOOD, run=78))
    assert write(github) == (f"the comment stays as it is: a later run of the workflow has written it; {STANDS}",)
    assert bodies(github) == [body(reports.GOOD, run=78)]


def test_one_that_was_deleted_is_made_again(github: fake.Hub) -> None:
    number = github.state.comment(7, body(reports.GOOD))
    github.fault("PATCH", "comments", status=404, body={"message": "Not Found"})
    assert write(github) == ()
    assert sent(github)[1:] == [f"PATCH /issues/comments/{number} 404", "POST /issues/7/comments 201"]


class Together:
    """A sender that lets another run act after the first answer of a kind, as if both were under way at once."""

    def __init__(self, sender: Hub, after: str, act: Any) -> None:
        self._sender, self._after, self._act = sender, after, act

    def send(self, request: Request, *, reserve: float = 0.0, within: float = 1e9) -> Answer:
        answer = self._sender.send(request, reserve=reserve, within=within)
        if request.method == self._after and self._act is not None:
            act, self._act = self._act, None
            act()
        return answer


@pytest.mark.parametrize("after", ["GET", "POST"])
@pytest.mark.parametrize(("mine", "other"), [(77, 78), (78, 77), (77, 77)], ids=["earlier", "later", "same"])
def test_of_two_runs_at_once_one_comment_is_left_and_the_later_run_s(
    github: fake.Hub, after: str, mine: int, other: int
) -> None:
    def act() -> None:
        Comment(hub(github), msgspec.structs.replace(PLACE, run=other), mode=Mode.ALWAYS).write(reports.GOOD)

    place = msgspec.structs.replace(PLACE, run=mine)
    Comment(Together(hub(github), after, act), place, mode=Mode.ALWAYS).write(reports.BAD)
    (left,) = bodies(github)
    if mine != other:
        assert left == (body(reports.BAD, run=78) if mine > other else body(reports.GOOD, run=78))


def test_two_that_are_left_from_before_become_one(github: fake.Hub) -> None:
    for _ in range(3):
        github.state.comment(7, body(reports.GOOD, run=1))
    first = min(github.state.comments)
    assert write(github) == ()
    assert list(github.state.comments) == [first]
    assert bodies(github) == [body()]


@pytest.mark.parametrize("done", [True, False], ids=["had its effect", "had none"])
def test_an_answer_that_is_lost_makes_no_second_comment(github: fake.Hub, done: bool) -> None:
    github.fault("POST", "comments", status=502, body={"message": "Bad gateway"}, done=done)
    assert write(github) == ()
    assert bodies(github) == [body()]


def test_a_fork_s_token_is_told_once(github: fake.Hub) -> None:
    (told,) = write(github, token="ghs_read", fork=True)
    assert told == (
        "the comment could not be written: GitHub answered 403 to POST /repos/octo/repo/issues/7/comments: Resource "
        "not accessible by integration; a pull request from a fork or by Dependabot has a token that only reads, "
        f"whatever the workflow grants; elsewhere, grant the job `permissions: pull-requests: write`; {STANDS}"
    )
    assert bodies(github) == []


def test_a_locked_conversation_is_no_missing_permission(github: fake.Hub) -> None:
    locked = {"message": "Unable to create comment because issue is locked."}
    github.fault("POST", "comments", status=403, body=locked)
    assert write(github) == (
        "the comment could not be written: GitHub answered 403 to POST /repos/octo/repo/issues/7/comments: Unable to "
        f"create comment because issue is locked.; unlock the conversation; {STANDS}",
    )


def test_a_closed_pull_request_gets_none(github: fake.Hub) -> None:
    assert write(github, closed=True) == (f"there is no comment: pull request #7 is closed; {STANDS}",)
    assert github.seen == []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param({"status": 422, "body": {"message": "Validation Failed"}}, "422 to", id="refused"),
        pytest.param({"status": 410, "body": {"message": "This issue was deleted"}}, "410 to", id="gone"),
        pytest.param({"status": 502, "body": {"message": "Bad gateway"}}, "502 to", id="broken down"),
        pytest.param({"cut": 20}, "did not come whole", id="cut"),
    ],
)
def test_what_goes_wrong_is_one_sentence(github: fake.Hub, fault: dict[str, Any], told: str) -> None:
    github.state.comment(7, body(reports.GOOD))
    github.fault("PATCH", "comments", times=4, **fault)
    (sentence,) = write(github)
    assert sentence.startswith("the comment could not be written: ")
    assert told in sentence
    assert sentence.endswith(f"; {STANDS}")


def test_a_list_that_breaks_off_is_never_taken_for_empty(github: fake.Hub) -> None:
    """Or there would be one comment more."""
    for number in range(120):
        github.state.comment(7, f"comment {number}", "somebody", kind="User")
    github.state.comment(7, body(reports.GOOD))
    github.fault("GET", "comments", status=200, body=[], headers={"Link": '<x>; rel="next"'})
    github.fault("GET", "comments", times=4, status=502, body={"message": "Bad gateway"})
    (sentence,) = write(github)
    assert "502 to GET" in sentence
    assert len(bodies(github)) == 121


def test_of_a_run_the_pull_request_is_looked_up_by_its_commit(github: fake.Hub) -> None:
    github.state.pull(8, "b" * 40)
    assert write(github, number=None) == ()
    assert sent(github)[0] == f"GET /commits/{SHA}/pulls 200"
    assert github.state.comments
    assert all(one["issue_url"].endswith("/issues/7") for one in github.state.comments.values())


def test_of_a_fork_it_is_looked_up_by_its_branch_too(github: fake.Hub) -> None:
    github.fault("GET", "/commits/", status=200, body=[])
    assert write(github, number=None, label="octo:topic") == ()
    assert (github.seen[1].path, github.seen[1].query["head"]) == ("/repos/octo/repo/pulls", "octo:topic")
    assert len(github.state.comments) == 1


@pytest.mark.parametrize(
    ("pulls", "found"),
    [
        pytest.param([], "none", id="none"),
        pytest.param([(7, "b" * 40, "open")], "none", id="moved on"),
        pytest.param([(7, SHA, "closed")], "none", id="closed"),
        pytest.param([(7, SHA, "open"), (8, SHA, "open")], "#7 and #8", id="two"),
    ],
)
def test_where_not_one_pull_request_is_meant_there_is_none(
    github: fake.Hub, pulls: list[tuple[int, str, str]], found: str
) -> None:
    github.state.pulls.clear()
    for number, head, state in pulls:
        github.state.pull(number, head, state=state)
    told = f"there is no comment: aaaaaaaaaaaa is the head of {found} of the open pull requests; {STANDS}"
    assert write(github, number=None, label="octo:topic") == (told,)
    assert github.state.comments == {}


def test_a_pull_request_of_another_repository_is_not_meant(github: fake.Hub) -> None:
    github.state.pulls[7]["simple"]["base"]["repo"]["full_name"] = "somebody/repo"
    (told,) = write(github, number=None)
    assert "the head of none" in told


def test_a_dry_run_shows_what_would_be_made() -> None:
    recorder = Recorder()
    assert Comment(recorder, PLACE, mode=Mode.ON_FAILURE).write(reports.BAD) == ()
    assert [(one.method, one.path) for one in recorder.requests] == [
        ("GET", "/repos/octo/repo/issues/7/comments"),
        ("POST", "/repos/octo/repo/issues/7/comments"),
        ("GET", "/repos/octo/repo/issues/7/comments"),
    ]
    assert recorder.requests[1].body == {"body": body()}
