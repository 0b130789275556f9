"""Changes found in real repositories, or refused, and the commits they are made of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gate.changes.change import review
from gate.changes.diff import Change, Request
from gate.errors import GateError
from gate.git import Git
from gate.github import Event

Run = Callable[..., str]


def an_event(name: str = "pull_request", **facts: Any) -> Event:
    """An event without a payload."""
    return Event(name=name, payload={}, **facts)


@contextmanager
def opened(folder: Path) -> Iterator[Git]:
    """The repository at a folder."""
    found = Git.discover(folder)
    assert found is not None
    with found:
        yield found


def reviewed(folder: Path, event: Event | None = None, **request: Any) -> Change:
    """The change under review."""
    with opened(folder) as found:
        return review(Request(**request), found, event)


def refused(folder: Path, event: Event | None = None, **request: Any) -> GateError:
    """Why there is none."""
    with pytest.raises(GateError) as caught:
        reviewed(folder, event, **request)
    assert caught.value.exit_code == 3
    return caught.value


def letters(change: Change) -> dict[str, str]:
    """Git's letter for every path."""
    assert change.paths == tuple(entry.path for entry in change.entries)
    return {entry.path: entry.status for entry in change.entries}


def commit(git: Run, root: Path, files: dict[str, bytes | None], message: str = "next") -> str:
    """Commit files (None deletes one) in the repository at `root`; the commit's id."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            (root / path).unlink()
        else:
            (root / path).write_bytes(data)
    git("add", "-A", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root)
