"""The change under review: from which tree to which, and what differs between them."""

import os

import msgspec

from gate.errors import ChangeError


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
    as pre-commit gives them, `ci` when a CI service does. `allow_fork_head` is for events that hold our secrets.
    """

    base: str | None = None
    head: str | None = None
    everything: bool = False
    hook: bool = False
    from_ref: str | None = None
    to_ref: str | None = None
    ci: bool = False
    allow_fork_head: bool = False


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """The change under review.

    `description` is a clause for a person. `base` is the commit of the start tree, None for the empty tree; `head`
    the commit of the end, None for the index. `upstream` is the commit to read the judge from: the tip of what the
    change is to be merged into, for the index where it left that; where it is None that is the base. With `everything`
    the entries are all files of the head, as if added.
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
