"""Recordings whose commands are repeated, in few words."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gate.repeating.repeat import Repeated, repeat
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import MemoryTree, Tree


class Ran(msgspec.Struct):
    """What is there in the end, and a line for each command that may change files."""

    files: dict[str, bytes]
    said: list[str]
    repeated: Repeated


def command(text: str, *, number: int = 1, exit_code: int | None = 0, ok: Ok | None = None, **more: Any) -> Step:
    """A step with one command; it failed when its exit code says so."""
    output, directory = more.pop("output", ""), more.pop("directory", None)
    ran = Command(text=text, exit_code=exit_code, output=output, directory=directory)
    found = ok or (Ok.NO if exit_code else Ok.YES)
    return Step(number=number, tool="bash", ok=found, commands=(ran,), **more)


def run(
    *steps: str | Step,
    start: dict[str, bytes] | Tree | None = None,
    interest: Iterable[str] = (),
    directory: str | None = "/w",
    seconds: float = 30.0,
    roots: tuple[str, ...] = (),
) -> Ran:
    """Repeat these steps on a start tree; a text is a command that succeeded."""
    tree = start if isinstance(start, Tree) else MemoryTree(start or {})
    made = [command(step) if isinstance(step, str) else step for step in steps]
    numbered = tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(made, 1))
    trajectory = Trajectory(format="test", steps=numbered, directory=directory, roots=roots)
    found = repeat(trajectory, tree, interest, seconds=seconds)
    files = {path: found.replay.tree.read(path) for path in found.replay.tree.paths()}
    return Ran(files, [attempt.sentence for attempt in found.attempts], found)


@pytest.fixture
def ruff(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ruff of this environment lies on the PATH."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")


class Programs:
    """A folder of programs that comes first on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, name: str, script: str) -> None:
        """A program of this name, written in sh."""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """Programs that stand in for formatters that this machine may lack: real processes, whatever they do."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return Programs(folder)
