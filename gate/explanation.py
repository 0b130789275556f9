"""What explains a change: for every changed file, and line by line, the recorded steps that account for it."""

import enum
from collections.abc import Iterable, Iterator

import msgspec

from gate.blame import Blame, matches, split
from gate.footprint import footprints
from gate.replay import Applied, Replay, replay
from gate.trajectory import Trajectory
from gate.tree import Tree

_BLACKED_OUT = b"REDACTED"


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


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a change: lines `line` to `end` of the head (from 1), in the place of `removed` lines.

    A hunk that only removes lines has `end` before `line`. `steps` are those that wrote its lines; `explained` is
    true when the recorded edits account for all of it.
    """

    line: int
    end: int
    removed: int
    explained: bool
    steps: tuple[int, ...] = ()


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
    """What a recording explains of a change: the changed files in order, then those outside of it."""

    files: tuple[File, ...]
    replay: Replay

    @property
    def changed(self) -> tuple[File, ...]:
        """The files of the change."""
        return tuple(file for file in self.files if file.explanation is not Kind.OUTSIDE)


def explain(trajectory: Trajectory, start: Tree, head: Tree, paths: Iterable[str]) -> Explanation:
    """Explain the change from `start` to `head` of the files `paths` by one recording."""
    return _Explainer(trajectory, start, head).explain(tuple(paths))


class _Explainer:
    def __init__(self, trajectory: Trajectory, start: Tree, head: Tree) -> None:
        self._start, self._head = start, head
        self._blames: dict[str, Blame] = {}
        self._steps: dict[str, list[int]] = {}
        self._replay = replay(trajectory, start, watch=self._watch)
        self._footprints = footprints(trajectory, self._replay)

    def explain(self, paths: tuple[str, ...]) -> Explanation:
        changed = [self._file(path) for path in paths]
        known = set(paths)
        outside = [
            File(path=path, explanation=Kind.OUTSIDE, steps=tuple(self._steps.get(path, ())))
            for path in sorted(self._replay.touched)
            if path not in known and not self._replay.tree.same(path, self._head)
        ]
        return Explanation(files=(*changed, *outside), replay=self._replay)

    def _watch(self, applied: Applied, before: bytes | None, after: bytes | None) -> None:
        """Follow the lines of every edited file through the replay."""
        path = applied.to or applied.path or ""
        blame = self._blames.pop(applied.path or "", None) or Blame(before)
        blame.edit(after, applied.step)
        self._blames[path] = blame
        for name in {applied.path or "", path}:
            self._steps.setdefault(name, []).append(applied.step)

    def _file(self, path: str) -> File:
        steps = tuple(self._steps.get(path, ()))
        touched = path in self._replay.touched
        hunks = tuple(self._hunks(path)) if self._is_text(path) else ()
        if touched and _content(self._replay.tree, path) == _content(self._head, path):
            return File(path=path, explanation=Kind.EXACT, steps=steps, hunks=hunks)
        kind, more, reason = self._rest(path, touched=touched)
        return File(path=path, explanation=kind, steps=tuple(sorted({*steps, *more})), hunks=hunks, reason=reason)

    def _rest(self, path: str, *, touched: bool) -> tuple[Kind, tuple[int, ...], str]:
        """The explanation of a file whose bytes the edits alone do not give."""
        prints = self._footprints
        edited = "the recorded edits give other bytes" if touched else "no recorded edit touches it"
        if touched and self._blacked_out(path):
            return Kind.REDACTED, (), f"{edited}; the recording is blacked out there"
        named = prints.naming(path)
        if named:
            return Kind.CONSISTENT, named, f"{edited}; a recorded command names it ({_steps(named)})"
        wide = prints.reaching(path)
        if wide:
            return Kind.CONSISTENT, wide, f"{edited}; a recorded command writes files like it ({_steps(wide)})"
        if prints.sub_agents:
            return (
                Kind.SUB_AGENT,
                prints.sub_agents,
                f"{edited}; the recording of a sub-agent is missing ({_steps(prints.sub_agents)})",
            )
        failed = [edit for edit in (*self._replay.failed, *self._replay.suspects) if edit.path == path]
        if failed:
            return Kind.UNEXPLAINED, tuple(edit.step for edit in failed), f"{edited}; {failed[0].sentence}"
        return Kind.UNEXPLAINED, (), edited

    def _blacked_out(self, path: str) -> bool:
        mine = _content(self._replay.tree, path) or b""
        return _BLACKED_OUT in mine and _BLACKED_OUT not in (_content(self._head, path) or b"")

    def _is_text(self, path: str) -> bool:
        return not any(b"\0" in (_content(tree, path) or b"")[:8000] for tree in (self._start, self._head))

    def _hunks(self, path: str) -> Iterator[Hunk]:
        """The hunks from start to head, each with the steps that wrote its lines."""
        start, head = (split(_content(tree, path)) for tree in (self._start, self._head))
        mine = split(_content(self._replay.tree, path))
        blame = self._blames.get(path)
        steps = blame.steps if blame is not None else [0] * len(mine)
        writers = [0] * len(head)
        for match in matches(mine, head):
            writers[match.new : match.new + match.size] = steps[match.old : match.old + match.size]
        kept = [False] * len(start)
        for match in matches(start, mine):
            kept[match.old : match.old + match.size] = [True] * match.size
        for old, new in _gaps(start, head):
            wrote = [writers[line] for line in range(*new)]
            gone = not any(kept[line] for line in range(*old))
            yield Hunk(
                line=new[0] + 1,
                end=new[1],
                removed=old[1] - old[0],
                explained=all(wrote) if wrote else gone,
                steps=tuple(sorted(set(wrote) - {0}))
                or (tuple(self._steps.get(path, ())) if gone and not wrote else ()),
            )


def _gaps(start: list[bytes], head: list[bytes]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """What lies between the stretches that both have: half-open ranges of lines in start and in head, from 0."""
    old = new = 0
    for match in matches(start, head):
        if match.old > old or match.new > new:
            yield (old, match.old), (new, match.new)
        old, new = match.old + match.size, match.new + match.size
    if old < len(start) or new < len(head):
        yield (old, len(start)), (new, len(head))


def _content(tree: Tree, path: str) -> bytes | None:
    return tree.read(path) if path in tree else None


def _steps(numbers: Iterable[int]) -> str:
    found = [str(number) for number in numbers]
    shown = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    return f"step{'s' if len(found) > 1 else ''} {shown}"
