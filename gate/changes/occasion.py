"""How each event that GitHub runs a workflow for names its change, and which of them must not be judged."""

from collections.abc import Callable, Mapping

import msgspec

from gate.changes.ancestry import bring, common, short
from gate.changes.diff import Change, Request
from gate.errors import ChangeError
from gate.git import Git
from gate.github import Event, credentials
from gate.path import printable

_BRANCH, _TAG = "refs/heads/", "refs/tags/"


def admit(request: Request, event: Event | None) -> None:
    """ChangeError where the event hands a stranger's files to a job that holds this repository's token.

    To be asked before anything in the checkout is looked at.
    """
    if event is not None and event.privileged and event.fork and not request.allow_fork_head:
        raise ChangeError(
            f"`{event.name}` for a fork is refused: it would judge a stranger's files with this repository's token and "
            "secrets at hand; let the workflow run `on: pull_request` (`--allow-fork-head` judges it all the same, and "
            "starts no command)",
            kind="unsafe_trigger",
        )


def admit_folder(event: Event | None) -> None:
    """ChangeError where what is checked out may be a stranger's, and plugins in it would run beside our secrets."""
    if event is not None and event.privileged and event.fork:
        raise ChangeError(
            f"`{event.name}` for a fork is refused: plugins of the files here would run, and they may be a stranger's, "
            "with this repository's token and secrets at hand; let the workflow run `on: pull_request`",
            kind="unsafe_trigger",
        )


def silence(event: Event) -> str | None:
    """Why the event names no change; None where it names one."""
    if event.name not in _CHANGES:
        known = ", ".join(f"`{name}`" for name in _CHANGES)
        why = "it starts from a branch as it stands" if event.name in _STANDING else f"only {known} do"
        return f"the event `{printable(event.name)}` names no change: {why}"
    if event.name != "push":
        return None
    ref = printable(event.ref or "")
    if not ref.startswith(_BRANCH):
        return f"the push of {ref} names no change: only the push of a branch does"
    if event.base_sha is None and _is_default(event):
        return f"the first push of {_branch(event)} names no change: nothing was there before it"
    return None


def of_event(git: Git, event: Event, tip: str) -> Change:
    """Base, head and words of the change that the event names; `tip` is the commit that is checked out."""
    return _CHANGES[event.name](git, event, tip)


def _pull_request(git: Git, event: Event, tip: str) -> Change:
    base, head = str(event.base_sha), str(event.head_sha)
    called = f"pull request #{event.number}: {short(tip)} against its base"
    if tip == head:
        bring(git, base, depth=0)
        start = common(git, base, tip, fetch=True)
        return Change(description=f"{called} {short(start)}", base=start, head=tip, upstream=base)
    parents = git.parents(tip)
    # Whoever wrote the head can also write a merge of it with a base of their own: only GitHub's own merge counts.
    if len(parents) != 2 or parents[1] != head or event.sha not in (None, tip):
        raise ChangeError(
            f"HEAD {short(tip)} is neither GitHub's merge of pull request #{event.number} "
            f"(`GITHUB_SHA` {short(event.sha or 'is not set')}) nor its head {short(head)}; check out the event's "
            "own commit: actions/checkout without `ref`, or with `ref: ${{ github.event.pull_request.head.sha }}`",
            kind="wrong_head",
        )
    bring(git, parents[0], depth=2)
    return Change(description=f"{called} {short(parents[0])}", base=parents[0], head=tip)


def _pull_request_target(git: Git, event: Event, tip: str) -> Change:  # noqa: ARG001 - the base is checked out
    base, head = str(event.base_sha), str(event.head_sha)
    bring(git, base, depth=0)
    bring(git, head, depth=0, called="the head")
    start = common(git, base, head, fetch=True)
    description = f"pull request #{event.number}: {short(head)} against its base {short(start)}"
    return Change(description=description, base=start, head=head, upstream=base)


def _workflow_run(git: Git, event: Event, tip: str) -> Change:
    base, head = event.base_sha or event.sha or tip, str(event.head_sha)
    bring(git, base, depth=0)
    bring(git, head, depth=0, called="the head")
    start = common(git, base, head, fetch=True)
    if start == head:
        raise ChangeError(
            f"the workflow ran for {short(head)}, which {short(base)} holds already: that names no change; name one "
            "with `--base REF` and `--head REF`, or judge every task with `--diff all`",
            kind="no_change",
        )
    description = f"workflow run: {short(head)} against its base {short(start)}"
    return Change(description=description, base=start, head=head, upstream=base)


def _merge_group(git: Git, event: Event, tip: str) -> Change:
    base, head = str(event.base_sha), str(event.head_sha)
    _checked_out(tip, head, "the head of the merge group")
    bring(git, base, depth=0)
    return Change(description=f"merge group: {short(head)} against its base {short(base)}", base=base, head=head)


def _push(git: Git, event: Event, tip: str) -> Change:
    """From what the branch held before to what it holds now, a force push too; a new branch since the default one."""
    head, branch = str(event.head_sha), _branch(event)
    _checked_out(tip, head, f"what was pushed to {branch}")
    called = f"push to {branch}: {short(head)} against"
    if event.base_sha is None:
        return _since_default(git, event, f"{called} its merge base")
    try:
        bring(git, event.base_sha, depth=0, called=f"what {branch} held before,")
    except ChangeError as error:
        if _is_default(event):
            raise
        change = _since_default(git, event, f"{called} its merge base")
        return msgspec.structs.replace(
            change, notices=(f"Not judged against the branch's last state: {error.message}",)
        )
    return Change(description=f"{called} {short(event.base_sha)}", base=event.base_sha, head=head)


def _since_default(git: Git, event: Event, called: str) -> Change:
    head, branch = str(event.head_sha), event.default_branch
    found = git.at_origin(f"{_BRANCH}{branch}", credentials()) if branch else None
    if found is None:
        raise ChangeError(
            f"{_branch(event)} is new, and `origin` does not tell where the default branch is to compare it with; name "
            "the change with `--base REF`, or judge every task with `--diff all`",
            kind="history_missing",
        )
    bring(git, found, depth=0, called=f"the tip of {printable(str(branch))},")
    start = common(git, found, head, fetch=True)
    description = f"{called} {short(start)} with {printable(str(branch))}"
    return Change(description=description, base=start, head=head, upstream=found)


def _checked_out(tip: str, head: str, what: str) -> None:
    if tip != head:
        raise ChangeError(
            f"HEAD {short(tip)} is not {what}, {short(head)}; check out the event's own commit: actions/checkout "
            "without `ref`, and no commit of the job's own before the gate",
            kind="wrong_head",
        )


def _branch(event: Event) -> str:
    return printable((event.ref or "").removeprefix(_BRANCH))


def _is_default(event: Event) -> bool:
    return event.ref == f"{_BRANCH}{event.default_branch}"


_STANDING = ("workflow_dispatch", "schedule")
_CHANGES: Mapping[str, Callable[[Git, Event, str], Change]] = {
    "pull_request": _pull_request,
    "pull_request_review": _pull_request,
    "merge_group": _merge_group,
    "push": _push,
    "pull_request_target": _pull_request_target,
    "workflow_run": _workflow_run,
}
