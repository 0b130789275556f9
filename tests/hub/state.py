"""What the fake GitHub remembers of one repository, and what its operations do to that."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.hub.description import Operation, least

_R = "/repos/{owner}/{repo}"
_NOW = "2026-11-29T19:00:00Z"
_STORED = ("name", "head_sha", "details_url", "external_id", "status", "conclusion", "started_at", "completed_at")
_PERMISSIONS = {"check-runs": ("checks",), "issues": ("issues", "pull-requests")}


class Refusal(Exception):
    """An answer that is not what was asked for."""

    def __init__(self, status: int, message: str, errors: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.status, self.message, self.errors = status, message, list(errors)


class Several(NamedTuple):
    """A list that is answered page by page; under `key` where the answer is a mapping."""

    items: list[Any]
    key: str = ""


class State:
    """Check runs, pull requests, comments and workflow runs by number. A test may put anything in them."""

    def __init__(self, repository: str) -> None:
        self.repository = repository
        self.url = ""
        self.page = ""
        self.login = "github-actions[bot]"
        self.check_runs: dict[int, dict[str, Any]] = {}
        self.annotations: dict[int, list[dict[str, Any]]] = {}
        self.check_suites: list[dict[str, Any]] = []
        self.pulls: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, dict[str, Any]] = {}
        self.runs: dict[int, dict[str, Any]] = {}
        self._last = 4000

    def pull(self, number: int, head: str, *, fork: str | None = None, gone: bool = False, state: str = "open") -> None:
        """Open a pull request; from the repository `fork`, or from a fork that is `gone`."""
        full, simple = least("pull-request"), least("pull-request-simple")
        for one in (full, simple):
            path = f"{self.url}{self._path}"
            one |= {"number": number, "state": state, "id": number, "url": f"{path}/pulls/{number}"}
            one |= {"issue_url": f"{path}/issues/{number}", "html_url": f"{self.page}/{self.repository}/pull/{number}"}
            one["head"] |= {"sha": head, "ref": "topic", "label": "octo:topic"}
            one["base"] |= {"ref": "main", "label": "octo:main"}
            one["base"]["repo"]["full_name"] = self.repository
            if gone:
                one["head"]["repo"] = None
            else:
                one["head"]["repo"] = dict(one["base"]["repo"], full_name=fork or self.repository, fork=bool(fork))
        self.pulls[number] = {"full": full, "simple": simple}

    def comment(self, number: int, body: str, login: str | None = None, *, kind: str = "Bot") -> int:
        """Write a comment on an issue or pull request, by the token's own login or by another."""
        self._last += 1
        path = f"{self.url}{self._path}"
        self.comments[self._last] = least("issue-comment") | {
            "id": self._last,
            "body": body,
            "url": f"{path}/issues/comments/{self._last}",
            "issue_url": f"{path}/issues/{number}",
            "html_url": f"{self.page}/{self.repository}/pull/{number}#issuecomment-{self._last}",
            "created_at": _NOW,
            "updated_at": _NOW,
            "user": least("simple-user") | {"login": login or self.login, "type": kind},
        }
        return self._last

    def check_run(self, *, app: str = "github-actions", **fields: Any) -> int:
        """Make a check run without being asked to by a request, for instance by another `app`."""
        self._last += 1
        run = least("check-run") | {
            "id": self._last,
            "url": f"{self.url}{self._path}/check-runs/{self._last}",
            "html_url": f"{self.page}/{self.repository}/runs/{self._last}",
            "status": "queued",
            "external_id": "",
            "started_at": _NOW,
            "check_suite": {"id": 5000 + len(self.check_suites)},
            "app": _app(app),
        }
        run["output"] |= {"annotations_count": 0, "annotations_url": f"{run['url']}/annotations"}
        self.check_runs[self._last], self.annotations[self._last] = run, []
        self._change(self._last, fields)
        return self._last

    def require(self, values: dict[str, str]) -> None:
        """404 for another repository."""
        if "owner" in values and f"{values['owner']}/{values['repo']}" != self.repository:
            raise Refusal(404, "Not Found")

    def permit(self, operation: Operation, granted: frozenset[str]) -> None:
        """403 as GitHub words it, where the token may not write."""
        if operation.method == "get":
            return
        place = operation.template.removeprefix(_R).split("/")[1]
        if place == "check-runs" and "classic" in granted:
            raise Refusal(403, "You must authenticate via a GitHub App.")
        if not granted.intersection(_PERMISSIONS[place]):
            raise Refusal(403, "Resource not accessible by integration")

    def do(self, operation: Operation, query: dict[str, str], body: Any) -> tuple[int, Any]:
        """The status and the answer of a request that the description has nothing against."""
        do = _OPERATIONS[operation.template.removeprefix(_R), operation.method]
        return do(self, operation.values, query, body)

    @property
    def _path(self) -> str:
        return f"/repos/{self.repository}"

    def _create_check_run(self, _: Any, __: Any, body: Any) -> tuple[int, Any]:
        annotations = body.get("output", {}).get("annotations", [])
        _reject_bad(annotations)
        return 201, self.check_runs[self.check_run(**body)]

    def _update_check_run(self, values: dict[str, str], _: Any, body: Any) -> tuple[int, Any]:
        run = self._one(self.check_runs, values["check_run_id"])
        of_a_job = run["external_id"] == "job"  # as in this fake the check runs are marked that Actions made for a job
        if of_a_job and {"status", "conclusion"} & set(body):
            message = "Check run status and conclusions can only be updated internally by GitHub Actions"
            raise Refusal(403, message)
        _reject_bad(body.get("output", {}).get("annotations", []))
        self._change(run["id"], body)
        return 200, run

    def _change(self, number: int, body: dict[str, Any]) -> None:
        run = self.check_runs[number]
        run |= {key: body[key] for key in _STORED if key in body}
        if "conclusion" in body:
            run |= {"status": "completed", "completed_at": body.get("completed_at", _NOW)}
        elif body.get("status") in ("queued", "in_progress"):
            run |= {"conclusion": None, "completed_at": None}
        output = body.get("output", {})
        run["output"] |= {key: output[key] for key in ("title", "summary", "text") if key in output}
        self.annotations[number] += output.get("annotations", [])
        run["output"]["annotations_count"] = len(self.annotations[number])

    def _get_check_run(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        return 200, self._one(self.check_runs, values["check_run_id"])

    def _annotations_of(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        run = self._one(self.check_runs, values["check_run_id"])
        shape = least("check-annotation")
        return 200, Several([shape | one for one in self.annotations[run["id"]]])

    def _check_runs_of(self, values: dict[str, str], query: dict[str, str], __: Any) -> tuple[int, Any]:
        runs = [run for run in self.check_runs.values() if run["head_sha"] == values["ref"]]
        if "check_name" in query:
            runs = [run for run in runs if run["name"] == query["check_name"]]
        if query.get("filter", "latest") == "latest":
            runs = list({run["name"]: run for run in runs}.values())
        return 200, Several(runs[::-1], "check_runs")

    def _suites_of(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        return 200, Several([one for one in self.check_suites if one["head_sha"] == values["ref"]], "check_suites")

    def _pulls_of(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        """GitHub finds open ones of a fork here too, though not in the payload of `workflow_run`."""
        pulls = [one["simple"] for one in self.pulls.values()]
        return 200, Several([one for one in pulls if one["head"]["sha"] == values["commit_sha"]])

    def _pulls(self, _: Any, query: dict[str, str], __: Any) -> tuple[int, Any]:
        pulls = [one["simple"] for one in self.pulls.values()]
        wanted = query.get("state", "open")
        pulls = [one for one in pulls if wanted in ("all", one["state"])]
        if "head" in query:
            pulls = [one for one in pulls if one["head"]["label"] == query["head"]]
        return 200, Several(pulls[::-1])

    def _pull(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        return 200, self._one(self.pulls, values["pull_number"])["full"]

    def _comments_of(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        end = f"/issues/{values['issue_number']}"
        return 200, Several([one for one in self.comments.values() if one["issue_url"].endswith(end)])

    def _create_comment(self, values: dict[str, str], _: Any, body: Any) -> tuple[int, Any]:
        self._one(self.pulls, values["issue_number"])
        _reject_long(body["body"])
        return 201, self.comments[self.comment(int(values["issue_number"]), body["body"])]

    def _get_comment(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        return 200, self._one(self.comments, values["comment_id"])

    def _update_comment(self, values: dict[str, str], _: Any, body: Any) -> tuple[int, Any]:
        comment = self._one(self.comments, values["comment_id"])
        _reject_long(body["body"])
        comment |= {"body": body["body"], "updated_at": "2026-11-29T20:00:00Z"}
        return 200, comment

    def _delete_comment(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        del self.comments[self._one(self.comments, values["comment_id"])["id"]]
        return 204, None

    def _workflow_run(self, values: dict[str, str], _: Any, __: Any) -> tuple[int, Any]:
        return 200, self._one(self.runs, values["run_id"])

    def _repository(self, _: Any, __: Any, ___: Any) -> tuple[int, Any]:
        named = {"full_name": self.repository, "default_branch": "main", "url": f"{self.url}{self._path}"}
        return 200, least("full-repository") | named

    def _one(self, things: dict[int, dict[str, Any]], number: str) -> dict[str, Any]:
        if not number.isdecimal() or int(number) not in things:
            raise Refusal(404, "Not Found")
        return things[int(number)]


_Do = Callable[[State, dict[str, str], dict[str, str], Any], tuple[int, Any]]
_OPERATIONS: dict[tuple[str, str], _Do] = {
    ("", "get"): State._repository,
    ("/check-runs", "post"): State._create_check_run,
    ("/check-runs/{check_run_id}", "get"): State._get_check_run,
    ("/check-runs/{check_run_id}", "patch"): State._update_check_run,
    ("/check-runs/{check_run_id}/annotations", "get"): State._annotations_of,
    ("/commits/{ref}/check-runs", "get"): State._check_runs_of,
    ("/commits/{ref}/check-suites", "get"): State._suites_of,
    ("/commits/{commit_sha}/pulls", "get"): State._pulls_of,
    ("/pulls", "get"): State._pulls,
    ("/pulls/{pull_number}", "get"): State._pull,
    ("/issues/{issue_number}/comments", "get"): State._comments_of,
    ("/issues/{issue_number}/comments", "post"): State._create_comment,
    ("/issues/comments/{comment_id}", "get"): State._get_comment,
    ("/issues/comments/{comment_id}", "patch"): State._update_comment,
    ("/issues/comments/{comment_id}", "delete"): State._delete_comment,
    ("/actions/runs/{run_id}", "get"): State._workflow_run,
    ("/rate_limit", "get"): lambda *_: (200, least("rate-limit-overview")),
    ("/user", "get"): lambda *_: _no_user(),
}


def _no_user() -> tuple[int, Any]:
    raise Refusal(403, "Resource not accessible by integration")  # a workflow's token is no person's


def _app(slug: str) -> dict[str, Any]:
    app: dict[str, Any] = least("nullable-integration")
    return app | {"slug": slug, "name": slug}


def _reject_bad(annotations: list[dict[str, Any]]) -> None:
    """What GitHub refuses though no schema can say so; one bad annotation refuses the whole request."""
    for one in annotations:
        texts = "".join(one.get(key, "") for key in ("message", "title", "raw_details"))
        too_long = any(len(one.get(key, "").encode()) > 65_536 for key in ("message", "raw_details"))
        if one["end_line"] < one["start_line"] or too_long or re.search(r"[^\0-\uffff]", texts):
            error = {"resource": "CheckRun", "code": "invalid", "field": "annotations"}
            raise Refusal(422, "Validation Failed", [error])


def _reject_long(body: str) -> None:
    if not body.strip() or len(body) > 65_536:
        error = {"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is too long"}
        raise Refusal(422, "Validation Failed", [error])
