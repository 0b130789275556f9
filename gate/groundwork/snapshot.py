"""What programs have left in a folder that held a tree: a tree again, in memory."""

from collections.abc import Iterable
from pathlib import Path

from gate.errors import CannotJudge, SourceError
from gate.source import DiskTree
from gate.tree import SUBMODULE, Overlay, Tree

_LARGEST = 1024 * 1024 * 1024
"""How many bytes of changed files are kept: they are held in memory."""


def taken(folder: Path, start: Tree, put: Tree) -> Overlay:
    """The `start` tree with all that differs in the folder from what was `put` there.

    CannotJudge where a file cannot be read again, or where more than 1 GiB has changed.
    """
    after = DiskTree(folder)
    try:
        before = {path for path in put.paths() if put.mode(path) != SUBMODULE}
        return changed(start, after, sorted(before.union(after.paths())))
    except SourceError as error:
        raise CannotJudge(f"what the command has left cannot be read: {error.message}", kind="workspace") from None


def changed(start: Tree, after: Tree, names: Iterable[str]) -> Overlay:
    """The `start` tree with the files of these names as they are `after`. CannotJudge for more than 1 GiB of them."""
    changes: dict[str, bytes | None] = {}
    modes: dict[str, int] = {}
    size = 0
    for name in names:
        mode = after.mode(name)
        data = None if mode is None else after.read(name)
        if mode == start.mode(name) and (mode is None or data == start.read(name)):
            continue
        changes[name] = data
        if mode is not None:
            modes[name] = mode
        size += len(data or b"")
        if size > _LARGEST:
            raise CannotJudge(f"more than {_LARGEST} bytes of files have changed in the workspace", kind="too_large")
    return Overlay(start, changes, modes=modes)
