"""Where the repository was for an agent that did not start at its top: told by the files that the recording names."""

import ntpath
import posixpath
from collections.abc import Iterator

import msgspec

from gate.path import is_windows, plain
from gate.replay import Replay
from gate.trajectory import Step, Trajectory
from gate.tree import Tree

_UNNAMED = "/workspace"
"""Stands for the top of the repository where the recording names no folder at all."""


class _Started:
    """The steps of a recording, each with the folder in which it ran said."""

    def __init__(self, trajectory: Trajectory, directory: str) -> None:
        self._trajectory, self._directory = trajectory, directory

    def __iter__(self) -> Iterator[Step]:
        for step in self._trajectory.steps:
            yield msgspec.structs.replace(step, directory=step.directory or self._directory)


def placed(trajectory: Trajectory, replay: Replay, trees: tuple[Tree, ...], folder: str) -> Trajectory | None:
    """The trajectory as seen from the repository's top; None where its working directory fits as it is.

    `replay` is its replay as it is, `trees` are those that know the repository's files, `folder` is the task's. The
    working directory may be a folder of the repository: of it and the folders above, the one under which most of the
    edited files are known is the top. Without one, relative paths may start at the task's folder.
    """
    start = trajectory.directory
    edits = (*replay.applied, *replay.failed)
    inside = {edit.path for edit in edits if edit.path}
    if start is None:
        moved = {posixpath.join(folder, path) for path in inside}
        if not folder or _known(moved, trees) <= _known(inside, trees):
            return None
        steps = _Started(trajectory, posixpath.join(_UNNAMED, folder))
        return msgspec.structs.replace(trajectory, directory=_UNNAMED, steps=steps)
    windows = is_windows(start)
    named = {posixpath.join(start, path) for path in inside} | {edit.recorded for edit in replay.outside}
    whole = {plain(path, windows=windows) for path in named}
    best = max(
        _above(start, trees), key=lambda top: _known({_below(path, top) for path in whole}, trees), default=start
    )
    if best == start:
        return None
    return msgspec.structs.replace(trajectory, directory=best, steps=_Started(trajectory, start))


def _above(start: str, trees: tuple[Tree, ...]) -> Iterator[str]:
    """The folder itself, then those above it from which it is a folder of the repository."""
    windows = is_windows(start)
    above = ntpath.dirname if windows else posixpath.dirname
    yield start
    here, top = start, above(start)
    while top not in ("", here):  # `/`, `//` and `C:\\` are their own folders
        inner = _below(plain(start, windows=windows), top) + "/"
        if any(path.startswith(inner) for tree in trees for path in tree.paths()):
            yield top
        here, top = top, above(top)


def _below(path: str, top: str) -> str:
    """A plain path as seen from the folder; empty where it does not lie below it."""
    top = plain(top, windows=is_windows(top))
    return path[len(top) + 1 :] if path.startswith(f"{top}/") else ""


def _known(paths: set[str], trees: tuple[Tree, ...]) -> int:
    return sum(any(path in tree for tree in trees) for path in paths if path)
