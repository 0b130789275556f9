"""Commits that a change starts from, and history down to a common ancestor: fetched where this clone lacks them."""

from gate.errors import ChangeError, GitError
from gate.git import Git
from gate.github import credentials
from gate.path import printable
from gate.tree import is_object_id

_STEP = 100
_ROUNDS = 10
"""Every round fetches twice as many commits as the one before: 102,300 in all."""


def short(commit: str) -> str:
    """As much of an id as a person needs."""
    return commit[:12]


def bring(git: Git, commit: str, *, depth: int, called: str = "the base") -> None:
    """Fetch a commit that is not here yet; `depth` is what actions/checkout would need to bring it along."""
    if git.resolve(commit) is not None:
        return
    try:
        git.fetch(commit, credentials())
    except GitError as error:
        raise ChangeError(
            f"{called} {short(commit)} is not in this clone and cannot be fetched: {error.message}; put "
            f"`fetch-depth: {depth}` at actions/checkout, or leave its `persist-credentials` on",
            kind="history_missing",
        ) from None


def named(git: Git, rev: str, *, option: str, fetch: bool) -> str:
    """The commit that a person typed; with `fetch` one that only `origin` has, by its id, branch or tag, is fetched."""
    found = git.resolve(rev) or (_from_origin(git, rev) if fetch else None)
    if found is None:
        raise ChangeError(
            f"`{option}`: `git rev-parse --verify {printable(rev)}^{{commit}}` finds no such commit here; fetch it "
            "first (in a workflow: `fetch-depth: 0` at actions/checkout), or name one that exists",
            kind="base_unknown",
        )
    return found


def _from_origin(git: Git, rev: str) -> str | None:
    name = rev.removeprefix("origin/")
    refs = [rev] if rev.startswith("refs/") else [f"refs/heads/{name}", f"refs/tags/{name}"]
    ids = [rev] if is_object_id(rev) else [git.at_origin(ref, credentials()) for ref in refs]
    found = next(filter(None, ids), None)
    if found is None:
        return None
    bring(git, found, depth=0, called="the commit")
    return git.resolve(found)


def common(git: Git, one: str, other: str, *, fetch: bool, rounds: int = _ROUNDS) -> str:
    """The best common ancestor of two commits that are here.

    With `fetch` a shallow history is deepened until it holds that ancestor and everything between: the first one that
    turns up is not always the best. ChangeError where there is none, or none that can be had.
    """
    for step in (_STEP * 2**number for number in range(rounds)):
        found = git.merge_base(one, other)
        cut = git.cut_off(found, one, other) if fetch else []
        if found is not None and (found in (one, other) or not cut):
            return found
        if not cut:
            raise _unrelated(one, other, shallow=not fetch and git.is_shallow)
        _deepen(git, one, other, step)
        if git.cut_off(found, one, other) == cut:
            raise _unreachable(one, other, "`origin` has no more of their history either")
    raise _unreachable(one, other, f"it is more than {_STEP * (2**rounds - 1)} commits away")


def _deepen(git: Git, one: str, other: str, step: int) -> None:
    try:
        git.deepen((one, other), step, credentials())
    except GitError as error:
        raise _unreachable(one, other, f"more of their history cannot be fetched: {error.message}") from None


def _unreachable(one: str, other: str, why: str) -> ChangeError:
    return ChangeError(
        f"where {short(one)} and {short(other)} part is not in this shallow clone, and {why}; put `fetch-depth: 0` at "
        "actions/checkout",
        kind="history_missing",
    )


def _unrelated(one: str, other: str, *, shallow: bool) -> ChangeError:
    why = (
        "this clone is shallow: put `fetch-depth: 0` at actions/checkout, or run `git fetch --unshallow`"
        if shallow
        else "their histories are unrelated: name another commit with `--base`"
    )
    return ChangeError(f"`git merge-base {one} {other}` finds no common ancestor; {why}", kind="history_missing")
