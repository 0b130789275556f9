"""Trajectory and start tree to Replay: what applied, what did not, why, and the tree that results."""

import msgspec

from gate.tree import Overlay


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded edit and what became of it.

    `path` is the workspace path (None when the recorded one lies outside), `step` and `line` point into the
    recording. `reason` is empty for an edit that was applied, else why it was not.
    """

    step: int
    line: int
    path: str | None
    recorded: str
    reason: str = ""
    kind: str = ""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a replay.

    `edits` are in recorded order. `failed` were not applied although the recording says they succeeded; `skipped`
    are those the recording itself marks as failed; `outside` name no file of the workspace. `unknown` counts calls
    of tools that the reader does not know, by name; `suspects` are such calls that name files, so that the replay
    is incomplete.
    """

    tree: Overlay
    applied: tuple[Applied, ...] = ()
    failed: tuple[Applied, ...] = ()
    skipped: tuple[Applied, ...] = ()
    outside: tuple[Applied, ...] = ()
    unknown: dict[str, int] = {}
    suspects: tuple[Applied, ...] = ()

    @property
    def touched(self) -> frozenset[str]:
        """The workspace paths that an applied edit wrote, removed or moved."""
        return frozenset(edit.path for edit in self.applied if edit.path is not None)
