"""Commands of a task in a workspace on disk: which interpreter they mean, and what they may see there."""

import contextlib
import functools
import os
import posixpath
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gate import process, readiness, relocation, surroundings
from gate.errors import CannotJudge
from gate.path import printable
from gate.process import Completed
from gate.tree import SYMLINK, Overlay, Tree

_SHOWN = 400
_FINDS = """\
import importlib.util, sys
found = importlib.util.find_spec(sys.argv[1])
parts = set(found.origin.replace("\\\\", "/").split("/")) if found and found.origin else set()
sys.exit(sys.argv[1] not in sys.stdlib_module_names and parts.isdisjoint(["site-packages", "dist-packages"]))
"""
_WORDS = re.compile(r"[\s;&|()`$\"']+")
_PATIENCE = 10.0  # s, for an interpreter that is asked for one module


class Interpreter(msgspec.Struct, frozen=True):
    """The Python that commands mean: its path or name on this machine, and who names it, for messages."""

    program: str
    named_by: str = ""

    def check(self) -> None:
        """CannotJudge where there is no such program on this machine."""
        if surroundings.program(self.program) is None:
            lies = os.sep in self.program and os.path.exists(self.program)
            wrong = "it is no program that can be started" if lies else "there is no such program on this machine"
            reason = f"{self.named_by}: {wrong}: {printable(self.program)}; make it, or name another interpreter"
            raise CannotJudge(reason, kind="python")


class Shell(msgspec.Struct, frozen=True, kw_only=True):
    """How commands are started: `python` is the interpreter that they mean, the one running the gate where it is None.

    `variables` are added to the environment, which is otherwise that of every untrusted command.
    """

    python: Interpreter | None = None
    variables: Mapping[str, str] = {}

    def run(
        self, command: str | Sequence[str], *, cwd: Path, timeout: float, more: Mapping[str, str] | None = None
    ) -> Completed:
        """Run a command line of the system's shell, or a program with its arguments, in a folder.

        The limit is in seconds, `more` are variables too.

        CannotJudge where it cannot be started, or means an interpreter that is not there.
        """
        readiness.before_commands()
        if self.python and _means_python(command):
            self.python.check()
        python = self.python.program if self.python else sys.executable
        environment = surroundings.environment({**self.variables, **(more or {})}, first=bin_of(python))
        if isinstance(command, str):
            command = with_python(command, python)
        elif command[:1] == ["python"]:
            command = [python, *command[1:]]
        return process.run(command, cwd=cwd, environment=environment, timeout=timeout)

    def has_module(self, name: str) -> bool:
        """Whether the interpreter has a module of this name, its own or an installed one.

        One that is only linked from elsewhere (an editable installation) does not count: that is the checkout's.
        """
        with contextlib.suppress(CannotJudge):  # the command itself will tell
            done = self.run(["python", "-I", "-c", _FINDS, name], cwd=Path(os.sep), timeout=_PATIENCE)
            return done.exit_code == 0
        return False


@functools.cache
def copied(python: Interpreter | None, checkout: Path) -> tuple[str, ...]:
    """What the interpreter has installed from a checkout as a copy, which no change of that reaches, by its names."""
    with contextlib.suppress(CannotJudge):  # the command itself will tell
        words = ["python", "-I", "-c", relocation.COPIES, str(checkout)]
        done = Shell(python=python).run(words, cwd=Path(os.sep), timeout=_PATIENCE)
        return tuple(sorted(set(done.stdout.decode("utf-8", "replace").split()))) if done.exit_code == 0 else ()
    return ()


def failure(done: Completed, noun: str, limit: float) -> str:
    """Why a command that must do its work did not, in a sentence; empty where it did."""
    named = f"{noun} {printable(done.command)!r}"
    last = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace")[-_SHOWN:]
    tail = f"; it printed last: {printable(last)}" if last else ""
    if done.timed_out:
        return f"{named} took longer than {limit:g} s and was ended{tail}"
    if done.flooded:
        return f"{named} printed more than is kept, and was ended"
    code = done.exit_code or 0
    if code:
        return f"{named} {f'was ended by the signal {-code}' if code < 0 else f'exited {code}'}{tail}"
    if done.left_running:
        return f"{named} left a process running; it must do all of its work before it ends"
    return ""


def without_old_links(after: Tree, before: Tree) -> Tree:
    """The tree without the links that lead out of it and stood there before: what they name is not to be seen.

    A link of that kind which the change brings stays, and is refused where the tree is put on disk.
    """
    old: dict[str, bytes | None] = {}
    for path in after.paths():
        if after.mode(path) == SYMLINK and before.same(path, after):
            target = os.fsdecode(after.read(path))
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if posixpath.isabs(whole) or whole.split("/")[0] == "..":
                old[path] = None
    return Overlay(after, old) if old else after


def _means_python(command: str | Sequence[str]) -> bool:
    """Whether it names `python`, as its program or anywhere in a command line."""
    return "python" in (_WORDS.split(command) if isinstance(command, str) else command[:1])


def with_python(command: str, python: str) -> str:
    """The command with a leading `python` replaced by the interpreter it means."""
    name, space, rest = command.partition(" ")
    return f"{shlex.quote(python)}{space}{rest}" if name == "python" else command


def inside(workspace: Path, sub_path: str, *, root: Path) -> Path:
    """A folder of a workspace on disk. CannotJudge where there is none, or where links lead out of `root`."""
    found = (workspace / sub_path).resolve()
    if not found.is_dir() or not found.is_relative_to(root.resolve()):
        raise CannotJudge(f"there is no folder {printable(sub_path)} in the workspace", kind="sub_path")
    return found


def bin_of(python: str) -> str | None:
    """The folder of a virtual environment's programs, so that `pytest` and `cd x && python` mean that one too."""
    folder = Path(python).parent
    return str(folder) if Path(python).is_absolute() and (folder.parent / "pyvenv.cfg").is_file() else None
