"""GitHub as the gate meets it: the event that a workflow runs for."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gate import webhook
from gate.errors import ChangeError, SourceError
from gate.source import open_file
from gate.tree import is_object_id

_OFF = ("", "0", "false", "no", "off")
_OF_PULL_REQUESTS = ("pull_request", "pull_request_review", "pull_request_target")
_PRIVILEGED = ("pull_request_target", "workflow_run")
_T = TypeVar("_T")
_REPOSITORY = re.compile(r"\w[\w.-]*/(?!\.{1,2}$)[\w.-]+", re.ASCII)


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The run of another workflow that a `workflow_run` tells of: its number, its attempt, and how it ended.

    `label` is `OWNER:BRANCH` of its head, empty where the fork was deleted.
    """

    id: int
    attempt: int = 1
    conclusion: str = ""
    repository: str = ""
    label: str = ""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What made the workflow run.

    `sha` is the commit that GitHub calls `GITHUB_SHA`, for a pull request the merge of its head into its base; `ref`
    is `GITHUB_REF`. `base_sha` and `head_sha` are what the payload says of the change: those of the pull request or
    of the merge group, `before` and `after` of a push (None where they are all zeros), the head of a `workflow_run`.
    `number` and `labels` are the pull request's, which may be `closed`. `fork` says that the head is in another
    repository, or in one that was deleted. `repository` is `OWNER/NAME`, `actor` the login of who started it, `run` the
    run that a `workflow_run` tells of.
    """

    name: str
    payload: dict[str, Any]
    sha: str | None = None
    ref: str | None = None
    base_sha: str | None = None
    head_sha: str | None = None
    number: int | None = None
    closed: bool = False
    fork: bool = False
    run: Run | None = None
    labels: tuple[str, ...] = ()
    repository: str | None = None
    default_branch: str | None = None
    actor: str | None = None

    @property
    def deletes(self) -> bool:
        """Whether a branch or a tag was deleted: there is no head any more."""
        return self.name == "push" and self.base_sha is not None and self.head_sha is None

    @property
    def privileged(self) -> bool:
        """Whether the job holds this repository's own token and secrets, whoever wrote the head."""
        return self.name in _PRIVILEGED

    @property
    def publish_sha(self) -> str | None:
        """The commit on which a check run shows where people look; None for a deletion."""
        return None if self.deletes else self.head_sha or self.sha


def in_ci(environ: Mapping[str, str] | None = None) -> bool:
    """Whether a CI service runs us, as nearly all of them say by `CI`."""
    environ = os.environ if environ is None else environ
    return any(environ.get(name, "").lower() not in _OFF for name in ("CI", "GITHUB_ACTIONS"))


def workspace(environ: Mapping[str, str] | None = None) -> Path | None:
    """The folder that GitHub Actions checks repositories out into; None elsewhere."""
    environ = os.environ if environ is None else environ
    named = environ.get("GITHUB_WORKSPACE") if environ.get("GITHUB_ACTIONS") == "true" else None
    return Path(named) if named else None


def credentials(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment in which git shows the action's token to this GitHub and to nobody else; empty without one.

    What the repository says of credentials for this GitHub is set aside, since two headers are refused.
    """
    environ = os.environ if environ is None else environ
    token, server = environ.get("GATE_TOKEN"), environ.get("GITHUB_SERVER_URL")
    if not token or not server:
        return {}
    import base64  # only a base that has to be fetched needs it

    name = f"http.{server.rstrip('/')}/.extraheader"
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    count = environ.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0
    settings = [(name, ""), (name, f"AUTHORIZATION: basic {basic}")]
    found = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings, first):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def event(environ: Mapping[str, str] | None = None) -> Event | None:
    """The event that the environment tells of, None where it tells of none. ChangeError where it cannot be read."""
    environ = os.environ if environ is None else environ
    name = environ.get("GITHUB_EVENT_NAME")
    if not name:
        return None
    payload = _payload(environ.get("GITHUB_EVENT_PATH", ""), name)
    context = _read(name, payload, webhook.Context, called="an event")
    repository = environ.get("GITHUB_REPOSITORY") or (context.repository and context.repository.full_name)
    if repository and not _REPOSITORY.fullmatch(repository):
        raise _unusable(name, f"its repository is {repository!r:.200}, expected `OWNER/NAME`")
    known = Event(
        name=name,
        payload=payload,
        sha=environ.get("GITHUB_SHA") or None,
        ref=environ.get("GITHUB_REF") or None,
        repository=repository or None,
        default_branch=context.repository.default_branch if context.repository else None,
        actor=environ.get("GITHUB_ACTOR") or (context.sender.login if context.sender else None),
    )
    reader = _READERS.get(name)
    return reader(known) if reader else known


def _of_pull_request(known: Event) -> Event:
    found = _read(known.name, known.payload, webhook.OfPullRequest, called="a pull request")
    request = found.pull_request
    return msgspec.structs.replace(
        known,
        base_sha=_commit(known, "pull_request.base.sha", request.base.sha),
        head_sha=_commit(known, "pull_request.head.sha", request.head.sha),
        number=found.number or request.number,
        closed=request.state == "closed",
        labels=tuple(label.name for label in request.labels or ()),
        fork=request.head.repo is None or request.head.repo.full_name != _name(request.base.repo),
    )


def _of_merge_group(known: Event) -> Event:
    group = _read(known.name, known.payload, webhook.OfMergeGroup, called="a merge group").merge_group
    return msgspec.structs.replace(
        known,
        base_sha=_commit(known, "merge_group.base_sha", group.base_sha),
        head_sha=_commit(known, "merge_group.head_sha", group.head_sha),
    )


def _of_push(known: Event) -> Event:
    push = _read(known.name, known.payload, webhook.OfPush, called="a push")
    after = _commit(known, "after", push.after)
    if after and push.ref.startswith("refs/tags/") and known.sha:
        after = known.sha  # `after` of an annotated tag is the tag, and no check run can be on that
    return msgspec.structs.replace(known, ref=push.ref, base_sha=_commit(known, "before", push.before), head_sha=after)


def _of_workflow_run(known: Event) -> Event:
    found = _read(known.name, known.payload, webhook.OfWorkflowRun, called="a workflow run")
    run = found.workflow_run
    # The list is empty for a fork, and a pull request in it may have moved on since the run.
    request = next((request for request in run.pull_requests or () if request.head.sha == run.head_sha), None)
    if request is not None:
        base = _commit(known, "workflow_run.pull_requests[].base.sha", request.base.sha)
        known = msgspec.structs.replace(known, base_sha=base, number=request.number)
    return msgspec.structs.replace(
        known,
        head_sha=_commit(known, "workflow_run.head_sha", run.head_sha),
        fork=run.head_repository is None or run.head_repository.full_name != known.repository,
        run=_run(run),
    )


def _run(run: webhook.Run) -> Run | None:
    """The run, as far as the payload tells of it."""
    if run.id is None:
        return None
    repository = _name(run.head_repository) or ""
    label = f"{repository.partition('/')[0]}:{run.head_branch}" if repository and run.head_branch else ""
    return Run(id=run.id, attempt=run.run_attempt, conclusion=run.conclusion or "", repository=repository, label=label)


_READERS: Mapping[str, Callable[[Event], Event]] = {
    **dict.fromkeys(_OF_PULL_REQUESTS, _of_pull_request),
    "merge_group": _of_merge_group,
    "push": _of_push,
    "workflow_run": _of_workflow_run,
}


def _name(repository: webhook.Repository | None) -> str | None:
    return repository.full_name if repository else None


def _read(name: str, payload: dict[str, Any], kind: type[_T], *, called: str) -> _T:
    try:
        return msgspec.convert(payload, kind)
    except msgspec.ValidationError as error:
        raise _unusable(name, f"its payload is not that of {called}: {error}") from None


def _commit(known: Event, where: str, commit: str) -> str | None:
    """The commit's id; None for the zeros by which a push says that there is none."""
    if not is_object_id(commit) or (known.name != "push" and not commit.strip("0")):
        raise _unusable(known.name, f"`{where}` is {commit!r:.200}, which is no commit id")
    return commit if commit.strip("0") else None


def _payload(path: str, name: str) -> dict[str, Any]:
    if not path:
        raise _unusable(name, "`GITHUB_EVENT_PATH` names no file")
    try:
        payload = msgspec.json.decode(open_file(Path(path)))
    except SourceError as error:
        raise _unusable(name, f"its payload cannot be read: {error.message}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unusable(name, f"its payload in {path} is no JSON: {error}") from None
    if not isinstance(payload, dict):
        raise _unusable(name, f"its payload in {path} is {type(payload).__name__}, expected a mapping")
    return payload


def _unusable(name: str, why: str) -> ChangeError:
    return ChangeError(
        f"the event {name!r} (`GITHUB_EVENT_NAME`) cannot be used: {why}; outside of GitHub Actions unset it",
        kind="event",
    )
