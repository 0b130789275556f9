"""What explains a change: for every changed file, and line by line, the recorded steps that account for it."""

import enum
import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from gate.account import Account, Hunk, content
from gate.editing.edit import BLACKED_OUT
from gate.placement import placed
from gate.replay import Replay, replay
from gate.trajectory import Trajectory
from gate.tree import Tree

if TYPE_CHECKING:
    from gate.footprint import Footprints
    from gate.repeating.repeat import Attempt

_BLACKED_OUT = BLACKED_OUT.encode()


class Kind(enum.StrEnum):
    """How far a recording accounts for one file. Only *exact* and *proven* are proof."""

    EXACT = "exact"
    """The replay gives the head's bytes."""

    PROVEN = "proven"
    """Repeating the recorded command gives the head's bytes."""

    CONSISTENT = "consistent"
    """A recorded command names the file, or writes files of its kind; that it wrote this is not proved."""

    SUB_AGENT = "sub-agent"
    """A sub-agent was at work whose own recording is missing."""

    REDACTED = "redacted"
    """The recording is blacked out where it differs."""

    UNEXPLAINED = "unexplained"
    """Nothing recorded accounts for it: what a person typed, say."""

    OUTSIDE = "outside"
    """Recorded, and not part of this change."""

    @property
    def proof(self) -> bool:
        """Whether the bytes were compared and are the same."""
        return self in (Kind.EXACT, Kind.PROVEN)


class File(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the change, or one that was recorded outside of it. `steps` point into the recording."""

    path: str
    explanation: Kind
    steps: tuple[int, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    reason: str = ""

    @property
    def explains_something(self) -> bool:
        """Whether any line of it is accounted for, or may be by a command or a missing sub-agent."""
        return self.explanation is not Kind.UNEXPLAINED or any(hunk.steps for hunk in self.hunks)


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What a recording explains of a change: the changed files in order, then those outside of it.

    `attempts` are the recorded commands that may change files, each with what became of it when the commands were
    repeated; None where they were not.
    """

    files: tuple[File, ...]
    replay: Replay
    attempts: "tuple[Attempt, ...] | None" = None

    @property
    def changed(self) -> tuple[File, ...]:
        """The files of the change."""
        return tuple(file for file in self.files if file.explanation is not Kind.OUTSIDE)


def explain(
    trajectory: Trajectory, start: Tree, head: Tree, paths: Iterable[str], *, repeat: float | None = None
) -> Explanation:
    """Explain the change from `start` to `head` of the files `paths` by one recording.

    With `repeat`, the limit of one program in seconds, recorded commands are repeated where the edits alone do not
    give every file.
    """
    return Explainer(trajectory, start, head).explain(paths, repeat=repeat)


def explainer(trajectory: Trajectory, start: Tree, head: Tree, *, folder: str = "") -> "Explainer":
    """The recording replayed; once more from the repository's top where the agent had started elsewhere in it.

    `folder` is the task's, where relative paths may start.
    """
    found = Explainer(trajectory, start, head)
    moved = placed(trajectory, found.replay, (start, head), folder)
    return found if moved is None else Explainer(moved, start, head)


class Explainer:
    """One recording, replayed, and the change that it is to explain."""

    def __init__(self, trajectory: Trajectory, start: Tree, head: Tree) -> None:
        self.trajectory, self._start, self._head = trajectory, start, head
        self._edits = Account(start, head)
        self.replay = replay(trajectory, start, watch=self._edits.watch)
        self._edits.tree = self.replay.tree
        self._repeated: Account | None = None
        self._attempts: tuple[Attempt, ...] = ()

    def explain(self, paths: Iterable[str], *, repeat: float | None = None) -> Explanation:
        """Explain the change of the files `paths`; `repeat` as in the function."""
        known = tuple(path for path in paths if not self._start.same(path, self._head))
        if repeat is not None and not (known and all(self._is_exact(path) for path in known)):
            self._repeat(known, repeat)
        changed = [self._file(path) for path in known]
        last = self._repeated or self._edits
        outside = [
            File(path=path, explanation=Kind.OUTSIDE, steps=self._edits.steps(path))
            for path in sorted(self.replay.touched.difference(known))
            if not last.tree.same(path, self._head)
        ]
        attempts = None if repeat is None else self._attempts
        return Explanation(files=(*changed, *outside), replay=self.replay, attempts=attempts)

    def _repeat(self, paths: tuple[str, ...], seconds: float) -> None:
        from gate.repeating.repeat import repeat  # with all that knows commands; only a task that asks for it needs it

        account = self._repeated = Account(self._start, self._head)
        tried = (edit.path for edit in (*self.replay.applied, *self.replay.failed) if edit.path)
        found = repeat(
            self.trajectory, self._start, {*paths, *tried, *self.replay.touched}, watch=account.watch, seconds=seconds
        )
        account.tree, self._attempts = found.replay.tree, found.attempts

    @functools.cached_property
    def _footprints(self) -> "Footprints":
        from gate.footprint import footprints  # only what the edits do not give needs the commands taken apart

        return footprints(self.trajectory, self.replay, self._start)

    def _is_exact(self, path: str) -> bool:
        return path in self.replay.touched and self._gives(self._edits, path)

    def _gives(self, account: "Account", path: str) -> bool:
        """Whether these bytes are the head's; where the change is one of the mode alone, whether the mode is."""
        if content(account.tree, path) != content(self._head, path):
            return False
        only_mode = content(self._start, path) == content(self._head, path)
        return not only_mode or account.tree.mode(path) == self._head.mode(path)

    def _file(self, path: str) -> File:
        if self._is_exact(path):
            return self._proved(Kind.EXACT, self._edits, path)
        again = self._repeated
        if again is not None and again.steps(path) and self._gives(again, path):
            return self._proved(Kind.PROVEN, again, path)
        kind, more, reason = self._rest(path)
        steps = tuple(sorted({*self._edits.steps(path), *more}))
        return File(path=path, explanation=kind, steps=steps, hunks=self._edits.hunks(path), reason=reason)

    def _proved(self, kind: Kind, account: "Account", path: str) -> File:
        steps = account.steps(path)
        done = [attempt.sentence for attempt in self._attempts if attempt.step in steps and not attempt.reason]
        reason = "; ".join(done) if kind is Kind.PROVEN else ""
        return File(path=path, explanation=kind, steps=steps, hunks=account.hunks(path), reason=reason)

    def _rest(self, path: str) -> tuple[Kind, tuple[int, ...], str]:
        """The explanation of a file whose bytes neither the edits nor repeated commands give."""
        touched = path in self.replay.touched
        other = "" if touched else self.replay.lookalike(path)
        edited = "the recorded edits give other bytes" if touched else f"no recorded edit touches it{other}"
        if touched and self._blacked_out(path):
            return Kind.REDACTED, (), f"{edited}; the recording is blacked out there"
        if path in self._start and content(self._start, path) == content(self._head, path):
            named, near = self._footprints.modes(path), tuple[int, ...]()
            edited = "only its mode changed"
        else:
            named, near = self._footprints.reach(path, touched=touched, gone=path not in self._head)
        if named:
            return Kind.CONSISTENT, named, f"{edited}; a recorded command names it ({_steps(named)}){self._why(named)}"
        if near:
            reason = f"{edited}; a recorded command writes files like it ({_steps(near)}){self._why(near)}"
            return Kind.CONSISTENT, near, reason
        agents = self._footprints.sub_agents
        if agents:
            return Kind.SUB_AGENT, agents, f"{edited}; the recording of a sub-agent is missing ({_steps(agents)})"
        failed = [edit for edit in (*self.replay.failed, *self.replay.suspects) if edit.path == path]
        if failed:
            return Kind.UNEXPLAINED, tuple(edit.step for edit in failed), f"{edited}; {failed[0].sentence}"
        if touched and not any(hunk.steps for hunk in self._edits.hunks(path)):
            return Kind.UNEXPLAINED, (), f"{edited}; a formatter or hook may have run since"
        return Kind.UNEXPLAINED, (), edited

    def _why(self, steps: tuple[int, ...]) -> str:
        """Why repeating these steps did not give the file, where it was tried; at most three reasons."""
        reasons: dict[str, list[int]] = {}
        for attempt in self._attempts:
            if attempt.step in steps:
                how = f"not repeated: {attempt.reason}" if attempt.reason else "repeated, which gives other bytes"
                reasons.setdefault(how, []).append(attempt.step)
        told = [f"; {_steps(dict.fromkeys(found))}: {how}" for how, found in reasons.items()]
        return "".join(told[:3])

    def _blacked_out(self, path: str) -> bool:
        mine = content(self.replay.tree, path) or b""
        return _BLACKED_OUT in mine and _BLACKED_OUT not in (content(self._head, path) or b"")


def _steps(numbers: Iterable[int]) -> str:
    found = [str(number) for number in numbers]
    shown = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    return f"step{'s' if len(found) > 1 else ''} {shown}"
