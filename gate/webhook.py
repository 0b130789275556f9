"""The payloads of GitHub's events, as far as they are read."""

import msgspec


class Repository(msgspec.Struct, frozen=True):
    """A repository."""

    full_name: str
    default_branch: str | None = None


class Account(msgspec.Struct, frozen=True):
    """A user, an organisation or an app."""

    login: str


class Context(msgspec.Struct, frozen=True):
    """What every payload tells."""

    repository: Repository | None = None
    sender: Account | None = None


class Label(msgspec.Struct, frozen=True):
    """A label."""

    name: str


class Side(msgspec.Struct, frozen=True):
    """One end of a pull request; its repository is None where a fork was deleted."""

    sha: str
    repo: Repository | None = None


class Request(msgspec.Struct, frozen=True):
    """A pull request."""

    base: Side
    head: Side
    number: int | None = None
    state: str = "open"
    labels: list[Label] | None = None


class OfPullRequest(msgspec.Struct, frozen=True):
    """The payload of `pull_request` and its kin."""

    pull_request: Request
    number: int | None = None


class Group(msgspec.Struct, frozen=True):
    """A group of the merge queue."""

    base_sha: str
    head_sha: str


class OfMergeGroup(msgspec.Struct, frozen=True):
    """The payload of `merge_group`."""

    merge_group: Group


class OfPush(msgspec.Struct, frozen=True):
    """The payload of `push`."""

    ref: str
    before: str
    after: str


class Commit(msgspec.Struct, frozen=True):
    """A commit."""

    sha: str


class Related(msgspec.Struct, frozen=True):
    """A pull request as a workflow run names it."""

    number: int
    base: Commit
    head: Commit


class Run(msgspec.Struct, frozen=True):
    """A run of a workflow."""

    head_sha: str
    id: int | None = None
    run_attempt: int = 1
    head_branch: str | None = None
    conclusion: str | None = None
    pull_requests: list[Related] | None = None
    head_repository: Repository | None = None


class OfWorkflowRun(msgspec.Struct, frozen=True):
    """The payload of `workflow_run`."""

    workflow_run: Run
