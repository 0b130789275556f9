"""Which change is meant, and from which commit to which it goes."""

import enum

import msgspec

from gate.changes import leftover, occasion, upstream
from gate.changes.ancestry import common, named, short
from gate.changes.diff import Change, Request, entries
from gate.changes.upstream import Upstream
from gate.errors import ChangeError, NothingToJudge, UsageError
from gate.git import Git
from gate.github import Event
from gate.path import printable


class Way(enum.Enum):
    """How the change is found."""

    RANGE = "from the merge base of --base and --head to --head"
    PUSH = "between pre-commit's two refs"
    STAGED = "from HEAD to the index"
    EVENT = "what the event says"
    UPSTREAM = "from the merge base with upstream to HEAD"
    ALL = "HEAD itself"


def decide(request: Request, event: Event | None, *, staged: bool) -> Way:
    """How to find the change; `staged` says whether the index differs from HEAD. ChangeError where nothing says how.

    NothingToJudge where the event says that there is nothing any more.
    """
    if request.base is not None:
        return Way.RANGE
    if request.head is not None:
        reason = "`--head` needs `--base`: name the commit that the change starts from (`--base REF --head REF`)"
        raise UsageError(reason, kind="usage")
    if request.from_ref or request.to_ref:
        return Way.PUSH
    if request.hook and not request.ci:
        return Way.STAGED
    if event is not None and event.deletes:
        raise NothingToJudge(
            f"{printable(event.ref or '')} was deleted: there is no change any more to judge", kind="deletion"
        )
    unsaid = occasion.silence(event) if event is not None else ""
    if unsaid is None:
        return Way.EVENT  # before the index: an earlier step of the job runs the head's code, and could stage one file
    if request.hook and staged:
        return Way.STAGED
    if event is None and not request.hook:
        return Way.STAGED if staged else Way.UPSTREAM
    if request.everything:
        return Way.ALL
    if event is None:
        raise ChangeError(
            "nothing is staged, and in CI no event says what the change is; give pre-commit `--from-ref` and "
            "`--to-ref`, or pass `--base REF` or `--diff all` in the hook's `args`",
            kind="no_change",
        )
    raise ChangeError(
        f"{unsaid}; name the change with `--base REF` (and `--head REF`), or judge every task with `--diff all`",
        kind="unknown_event",
    )


def review(request: Request, git: Git, event: Event | None) -> Change:
    """The change under review. ChangeError, or GitError, where it cannot be computed: never an empty change instead."""
    named = request.base or request.head or request.from_ref or request.to_ref
    tip = git.resolve("HEAD")
    index = b"" if named else git.raw_diff(tip, None)
    way = decide(request, event, staged=bool(index))
    change = _found(way, request=request, git=git, event=event, tip=tip)
    if event is not None and event.privileged:
        change = msgspec.structs.replace(change, notices=(*change.notices, _static(event)))
    if way in (Way.RANGE, Way.UPSTREAM) and not request.ci and change.head == tip:
        left = leftover.told(git, named=way is Way.RANGE)
        change = msgspec.structs.replace(change, notices=(*change.notices, *left))
    if request.everything:
        words = f"every file of {short(change.head) if change.head else 'the index'}"
        change = msgspec.structs.replace(change, description=words, everything=True)
        return _with_entries(change, git.raw_diff(None, change.head))
    change = _with_entries(change, index if change.staged else git.raw_diff(change.base, change.head))
    if way is Way.UPSTREAM and request.ci and not change.entries:
        raise ChangeError(
            f"{change.description} changes nothing, and in CI that is no reason to pass; name the change with "
            "`--base REF`, or judge every task with `--diff all`",
            kind="no_change",
        )
    return change


def _static(event: Event) -> str:
    whose = "a fork's" if event.fork else "a branch's"
    return (
        f"Under `{event.name}` the job holds this repository's own token, and the head is {whose}: no command is "
        "started, whatever was asked for."
    )


def _with_entries(change: Change, raw: bytes) -> Change:
    found = entries(raw)
    unmerged = next((entry.path for entry in found if entry.status == "U"), None)
    if unmerged is not None:
        raise ChangeError(
            f"{printable(unmerged)} is unmerged in the index; finish the merge with `git add` first", kind="unmerged"
        )
    return msgspec.structs.replace(change, entries=found)


def _found(way: Way, *, request: Request, git: Git, event: Event | None, tip: str | None) -> Change:
    """Base, head and words of the change, its entries left for later."""
    if way is Way.RANGE:
        return _range(request, git)
    if way is Way.PUSH:
        return _push(request, git)
    if way is Way.STAGED or (tip is None and request.everything):
        return _staged(git, tip)
    if tip is None:
        raise ChangeError(
            "there is no commit yet and nothing is staged; stage files with `git add`, or check out a commit",
            kind="no_change",
        )
    if way is Way.EVENT and event is not None:
        return occasion.of_event(git, event, tip)
    if way is Way.ALL:
        return Change(description="", base=tip, head=tip)
    return _since_upstream(request, git, tip)


def _range(request: Request, git: Git) -> Change:
    base = named(git, str(request.base), option="--base", fetch=request.ci)
    head = named(git, "HEAD" if request.head is None else request.head, option="--head", fetch=request.ci)
    start = common(git, base, head, fetch=request.ci)
    since = f"its merge base {short(start)} with {printable(str(request.base))}"
    return Change(description=f"{short(head)} against {since}", base=start, head=head, upstream=base)


def _push(request: Request, git: Git) -> Change:
    if not request.from_ref or not request.to_ref:
        raise ChangeError(
            "`PRE_COMMIT_FROM_REF` and `PRE_COMMIT_TO_REF` go together, and only one is set; give pre-commit both "
            "`--from-ref` and `--to-ref`",
            kind="usage",
        )
    head = named(git, request.to_ref, option="--to-ref", fetch=False)
    if not request.from_ref.strip("0"):
        return _new_branch(git, head)
    base = named(git, request.from_ref, option="--from-ref", fetch=False)
    start = git.merge_base(base, head)
    if start is not None:
        description = f"{short(head)} against its merge base {short(start)}"
        if request.ci:
            return Change(description=description, base=start, head=head, upstream=base)
        # On a developer's machine `base` is what the same branch held before: no better than the rest of it.
        at, notices = _left(git)
        return Change(description=description, base=start, head=head, upstream=at, notices=notices)
    notice = f"{short(base)} and {short(head)} have no common ancestor here; they are compared as they are"
    return Change(description=f"{short(head)} against {short(base)}", base=base, head=head, notices=(notice,))


def _new_branch(git: Git, head: str) -> Change:
    found = upstream.find(git)
    start = git.merge_base(found.start, head) if found else None
    if found is not None and start is not None:
        return _since(git, found, f"{short(head)} since", start=start, head=head)
    notice = "the pushed branch is new and there is no upstream: every file counts as added"
    return Change(description=f"all of {short(head)}", base=None, head=head, notices=(notice,))


def _staged(git: Git, tip: str | None) -> Change:
    if tip is None:
        notice = (
            "there is no commit yet, so every file counts as added, one that must not be modified too: commit once, "
            "and gate what comes after"
        )
        words = "the staged index before the first commit"
        return Change(description=words, base=None, head=None, staged=True, notices=(notice,))
    words = f"the staged index against HEAD {short(tip)}"
    at, notices = _left(git)
    return Change(description=words, base=tip, head=None, staged=True, upstream=at, notices=notices)


def _left(git: Git) -> tuple[str | None, tuple[str, ...]]:
    """Where the branch left its upstream, None for nowhere, and what is to be said of that."""
    found = upstream.find(git)
    return (found.start, found.notices) if found else (None, ())


def _since_upstream(request: Request, git: Git, tip: str) -> Change:
    found = upstream.find(git)
    if found is not None:
        change = _since(git, found, f"HEAD {short(tip)} since", start=found.start, head=tip)
        if found.start != tip or request.everything:
            return change
        notice = f"nothing differs from {found.name}; name `--base` to say what the change starts from"
        return msgspec.structs.replace(change, notices=(*change.notices, notice))
    if request.everything:
        return Change(description="", base=tip, head=tip)
    raise ChangeError(
        "nothing is staged, and `git merge-base HEAD @{upstream}` finds no upstream to compare with; stage something, "
        "name the change with `--base REF`, or judge every task with `--diff all`",
        kind="no_change",
    )


def _since(git: Git, found: Upstream, words: str, *, start: str, head: str) -> Change:
    return Change(
        description=f"{words} {found.called} {short(start)}",
        base=start,
        head=head,
        upstream=git.resolve(found.ref),
        notices=found.notices,
    )
