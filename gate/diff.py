"""The change under review: from which tree to which, and what differs between them."""

import enum
import os

import msgspec

from gate.errors import ChangeError, GitError
from gate.git import Git
from gate.github import Event, credentials
from gate.path import printable


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One file that differs. A rename is the deletion of one and the addition of another.

    `status` is git's letter: A added, M modified, D deleted, T of another type, U unmerged. A mode is 0 and an id all
    zeros on the side where there is no file; a submodule's mode is 160000 (octal) and its id a commit.
    """

    path: str
    status: str
    old_mode: int
    new_mode: int
    old_id: str
    new_id: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Which change is asked for.

    `base` and `head` as typed, `everything` for `--diff all`, `hook` when pre-commit runs us, `from_ref` and `to_ref`
    as pre-commit gives them, `ci` when a CI service does.
    """

    base: str | None = None
    head: str | None = None
    everything: bool = False
    hook: bool = False
    from_ref: str | None = None
    to_ref: str | None = None
    ci: bool = False


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """The change under review.

    `description` is a clause for a person. `base` is the commit of the start tree, None for the empty tree; `head`
    the commit of the end, None for the index. `upstream` is the commit to read the judge from where that is not the
    base. With `everything` the entries are all files of the head, as if added.
    """

    description: str
    base: str | None
    head: str | None
    entries: tuple[Entry, ...] = ()
    staged: bool = False
    everything: bool = False
    upstream: str | None = None
    notices: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that the change touches."""
        return tuple(entry.path for entry in self.entries)


class Way(enum.Enum):
    """How the change is found."""

    RANGE = "from the merge base of --base and --head to --head"
    PUSH = "between pre-commit's two refs"
    STAGED = "from HEAD to the index"
    EVENT = "what the pull request's event says"
    UPSTREAM = "from the merge base with upstream to HEAD"
    ALL = "HEAD itself"


def entries(raw: bytes) -> tuple[Entry, ...]:
    """What `git diff --raw -z --no-renames` printed: `:OLDMODE NEWMODE OLDID NEWID STATUS<nul>PATH<nul>` and so on."""
    parts = raw.split(b"\0")
    if parts.pop() or len(parts) % 2:
        raise ChangeError(f"git's list of changes is cut off: it ends in {raw[-80:]!r}", kind="raw_diff")
    return tuple(_entry(facts, path) for facts, path in zip(parts[::2], parts[1::2], strict=True))


def _entry(facts: bytes, path: bytes) -> Entry:
    try:
        old_mode, new_mode, old_id, new_id, status = facts.decode("ascii").removeprefix(":").split(" ")
        modes = int(old_mode, 8), int(new_mode, 8)
    except ValueError:
        raise ChangeError(f"git's list of changes is not understood: {facts[:200]!r}", kind="raw_diff") from None
    return Entry(
        path=os.fsdecode(path), status=status, old_mode=modes[0], new_mode=modes[1], old_id=old_id, new_id=new_id
    )


def decide(request: Request, event: Event | None, *, staged: bool) -> Way:
    """How to find the change; `staged` says whether the index differs from HEAD. ChangeError where nothing says how."""
    if event is not None and event.name == "pull_request_target" and event.fork:
        raise ChangeError(
            "`pull_request_target` for a fork is refused: it would judge a stranger's files with this repository's "
            "token and secrets at hand; let the workflow run `on: pull_request`",
            kind="unsafe_trigger",
        )
    if request.base is not None:
        return Way.RANGE
    if request.head is not None:
        raise ChangeError("`--head` needs `--base`: name the commit that the change starts from", kind="usage")
    if request.from_ref or request.to_ref:
        return Way.PUSH
    if request.hook and not request.ci:
        return Way.STAGED
    if event is not None and event.name == "pull_request":
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
        f"the event {event.name!r} names no change that this version judges, only `pull_request` does; name the "
        "change with `--base REF`, or judge every task with `--diff all`",
        kind="unknown_event",
    )


def review(request: Request, git: Git, event: Event | None) -> Change:
    """The change under review. ChangeError, or GitError, where it cannot be computed: never an empty change instead."""
    named = request.base or request.head or request.from_ref or request.to_ref
    tip = git.resolve("HEAD")
    index = b"" if named else git.raw_diff(tip, None)
    way = decide(request, event, staged=bool(index))
    change = _found(way, request=request, git=git, event=event, tip=tip)
    if request.everything:
        words = f"every file of {_short(change.head) if change.head else 'the index'}"
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
        return _pull_request(git, event, tip)
    if way is Way.ALL:
        return Change(description="", base=tip, head=tip)
    return _since_upstream(request, git, tip)


def _range(request: Request, git: Git) -> Change:
    base = _commit(git, str(request.base), option="--base")
    head = _commit(git, "HEAD" if request.head is None else request.head, option="--head")
    start = git.merge_base(base, head)
    if start is None:
        raise _unrelated(git, base, head)
    since = f"its merge base {_short(start)} with {printable(str(request.base))}"
    return Change(description=f"{_short(head)} against {since}", base=start, head=head)


def _push(request: Request, git: Git) -> Change:
    if not request.from_ref or not request.to_ref:
        raise ChangeError(
            "`PRE_COMMIT_FROM_REF` and `PRE_COMMIT_TO_REF` go together, and only one is set; give pre-commit both "
            "`--from-ref` and `--to-ref`",
            kind="usage",
        )
    head = _commit(git, request.to_ref, option="--to-ref")
    if not request.from_ref.strip("0"):
        return _new_branch(git, head)
    base = _commit(git, request.from_ref, option="--from-ref")
    start = git.merge_base(base, head)
    if start is not None:
        return Change(description=f"{_short(head)} against its merge base {_short(start)}", base=start, head=head)
    notice = f"{_short(base)} and {_short(head)} have no common ancestor here; they are compared as they are"
    return Change(description=f"{_short(head)} against {_short(base)}", base=base, head=head, notices=(notice,))


def _new_branch(git: Git, head: str) -> Change:
    upstream = git.upstream()
    start = git.merge_base(upstream, head) if upstream else None
    if start is not None:
        return Change(description=f"{_short(head)} since upstream {_short(start)}", base=start, head=head)
    notice = "the pushed branch is new and there is no upstream: every file counts as added"
    return Change(description=f"all of {_short(head)}", base=None, head=head, notices=(notice,))


def _staged(git: Git, tip: str | None) -> Change:
    against = f"against HEAD {_short(tip)}" if tip else "before the first commit"
    upstream = git.upstream() if tip else None
    return Change(description=f"the staged index {against}", base=tip, head=None, staged=True, upstream=upstream)


def _since_upstream(request: Request, git: Git, tip: str) -> Change:
    start = git.upstream()
    if start is not None:
        return Change(description=f"HEAD {_short(tip)} since upstream {_short(start)}", base=start, head=tip)
    if request.everything:
        return Change(description="", base=tip, head=tip)
    raise ChangeError(
        "nothing is staged, and `git merge-base HEAD @{upstream}` finds no upstream to compare with; stage something, "
        "name the change with `--base REF`, or judge every task with `--diff all`",
        kind="no_change",
    )


def _pull_request(git: Git, event: Event, tip: str) -> Change:
    base, head = str(event.base_sha), str(event.head_sha)
    called = f"pull request #{event.number}: {_short(tip)} against its base"
    if tip == head:
        _bring(git, base, depth=0)
        start = git.merge_base(base, tip)
        if start is None:
            raise _unrelated(git, base, tip)
        return Change(description=f"{called} {_short(start)}", base=start, head=tip)
    parents = git.parents(tip)
    # Whoever wrote the head can also write a merge of it with a base of their own: only GitHub's own merge counts.
    if len(parents) != 2 or parents[1] != head or event.sha not in (None, tip):
        raise ChangeError(
            f"HEAD {_short(tip)} is neither GitHub's merge of pull request #{event.number} "
            f"(`GITHUB_SHA` {_short(event.sha or 'is not set')}) nor its head {_short(head)}; check out the event's "
            "own commit: actions/checkout without `ref`, or with `ref: ${{ github.event.pull_request.head.sha }}` and "
            "`fetch-depth: 0`",
            kind="wrong_head",
        )
    _bring(git, parents[0], depth=2)
    return Change(description=f"{called} {_short(parents[0])}", base=parents[0], head=tip)


def _bring(git: Git, commit: str, *, depth: int) -> None:
    """Fetch a commit that is not here yet; `depth` is what actions/checkout would need to bring it along."""
    if git.resolve(commit) is not None:
        return
    try:
        git.fetch(commit, credentials())
    except GitError as error:
        raise ChangeError(
            f"the base {_short(commit)} is not in this clone and cannot be fetched: {error.message}; put "
            f"`fetch-depth: {depth}` at actions/checkout, or leave its `persist-credentials` on",
            kind="history_missing",
        ) from None


def _commit(git: Git, rev: str, *, option: str) -> str:
    found = git.resolve(rev)
    if found is None:
        raise ChangeError(
            f"`{option}`: `git rev-parse --verify {printable(rev)}^{{commit}}` finds no such commit here; fetch it "
            "first (in a workflow: `fetch-depth: 0` at actions/checkout), or name one that exists",
            kind="base_unknown",
        )
    return found


def _unrelated(git: Git, base: str, head: str) -> ChangeError:
    why = (
        "this clone is shallow: put `fetch-depth: 0` at actions/checkout, or run `git fetch --unshallow`"
        if git.is_shallow
        else "their histories are unrelated: name another commit with `--base`"
    )
    return ChangeError(f"`git merge-base {base} {head}` finds no common ancestor; {why}", kind="history_missing")


def _short(commit: str) -> str:
    return commit[:12]
