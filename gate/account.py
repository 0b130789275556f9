"""Which recorded step wrote which line of which file, and what that accounts for of a change."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from gate.diffs.blame import Blame, matches, split
from gate.extent import Extent
from gate.replay import Applied
from gate.tree import Tree


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a change: lines `line` to `end` of the head (from 1), in the place of `removed` lines.

    A hunk that only removes lines has `end` before `line`. `steps` are those that wrote its lines, blank ones aside,
    which every edit has; `explained` is true when the recorded edits account for all of it.
    """

    line: int
    end: int
    removed: int
    explained: bool
    steps: tuple[int, ...] = ()


class Account:
    """Who wrote which line of which file in one replay; `tree` is what the replay gives."""

    tree: Tree

    def __init__(self, start: Tree, head: Tree) -> None:
        self._start, self._head = start, head
        self._blames: dict[str, Blame] = {}
        self._steps: dict[str, list[int]] = {}

    def watch(self, applied: Applied, before: bytes | None, after: bytes | None) -> None:
        """Follow the lines of every changed file through the replay; a file that moves takes its steps along."""
        path = applied.to or applied.path or ""
        blame = self._blames.pop(applied.path or "", None) or Blame(before)
        blame.edit(after, applied.step)
        self._blames[path] = blame
        if path != applied.path:
            self._steps[path] = list(self._steps.get(applied.path or "", ()))
        for name in {applied.path or "", path}:
            self._steps.setdefault(name, []).append(applied.step)

    def steps(self, path: str) -> tuple[int, ...]:
        """The steps that changed a file."""
        return tuple(dict.fromkeys(self._steps.get(path, ())))

    def hunks(self, path: str) -> tuple[Hunk, ...]:
        """The hunks from start to head, each with the steps that wrote its lines; none for what is no text."""
        whole = (content(tree, path) or b"" for tree in (self._start, self._head))
        return () if any(b"\0" in data[:8000] for data in whole) else tuple(self._found(path))

    def _found(self, path: str) -> Iterator[Hunk]:
        start, head = (split(content(tree, path)) for tree in (self._start, self._head))
        mine = split(content(self.tree, path))
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
            told = {writers[line] for line in range(*new) if head[line].strip()} or set(wrote)
            gone = not any(kept[line] for line in range(*old))
            yield Hunk(
                line=new[0] + 1,
                end=new[1],
                removed=old[1] - old[0],
                explained=all(wrote) if wrote else gone,
                steps=tuple(sorted(told - {0})) or (self.steps(path) if gone and not wrote else ()),
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


def content(tree: Tree, path: str) -> bytes | None:
    """The file's bytes; None where there is none."""
    return tree.read(path) if path in tree else None


def extent(paths: Iterable[str], start: Tree, head: Tree, *, measured: Collection[str]) -> Extent:
    """Where a change of these paths lies; of those that are `measured` too, the stretches of lines."""
    return Extent({path: tuple(_stretches(path, start, head)) if path in measured else () for path in paths})


def _stretches(path: str, start: Tree, head: Tree) -> Iterator[tuple[int, int]]:
    old, new = (content(tree, path) or b"" for tree in (start, head))
    if b"\0" not in old[:8000] and b"\0" not in new[:8000]:
        for _, (first, end) in _gaps(split(old), split(new)):
            yield first + 1, end
