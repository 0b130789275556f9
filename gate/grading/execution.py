"""What oracles that run a program share: where it starts, its surroundings, and what it means that it did not start."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from gate.errors import CannotJudge, PathRefused
from gate.grading.ending import because, details, ending
from gate.oracle import Need, Oracle, Seconds, Trial
from gate.path import confined, printable
from gate.process import Completed
from gate.report import Finding
from gate.tree import EXECUTABLE, follow

_NOT_STARTED = re.compile(r"([^\s:'\"`]+)['\"`]?: (?:not found|No such file or directory|[Pp]ermission denied)")


class Execution(Oracle, frozen=True, kw_only=True):
    """An oracle that runs a program in the workspace."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.COMMANDS})

    sub_path: str = ""
    timeout: Seconds | None = None
    env: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        """Refuse a folder outside of the workspace, and variables that are none."""
        try:
            confined(self.folder or "x")
        except PathRefused as error:
            raise ValueError(f"Expected `sub_path` to stay inside the workspace: {error.message}") from None
        for name, value in self.env.items():
            if not name or "=" in name or "\0" in name + value:
                raise ValueError(f"Expected the name of a variable in `env`, got {name!r}")

    @property
    def folder(self) -> str:
        """The folder that it starts in, relative to the workspace; empty for that itself."""
        path = posixpath.normpath(self.sub_path) if self.sub_path else ""
        return "" if path == "." else path

    def obstacle(self, trial: Trial, program: str) -> Finding | None:
        """What of the workspace is missing to start a program there: its folder, or the program itself."""
        if self.folder and not trial.after.has_folder(follow(trial.after, self.folder)):
            message = f"There is no folder {printable(self.sub_path)} to start in"
            return Finding(message=message, kind="folder_missing")
        place = posixpath.normpath(posixpath.join(self.folder, program))
        if "/" not in program or posixpath.isabs(program) or place.startswith("../"):
            return None
        place = follow(trial.after, place)
        if place not in trial.after:
            return Finding(message=f"There is no program {printable(program)} in the workspace", kind="program_missing")
        if trial.after.mode(place) != EXECUTABLE:
            message = f"The program {printable(program)} may not be executed: its mode is {trial.after.mode(place):o}"
            return Finding(message=message, kind="program_mode", path=place)
        return None

    def failure(self, done: Completed, shown: str, limit: float) -> Iterator[Finding]:
        """A finding where it did not come to an end by itself."""
        if done.timed_out:
            yield finding("timeout", f"Command timed out after {limit:g} s: {shown}", done)
        elif done.flooded:
            yield finding("output_limit", f"Command printed without end and was stopped: {shown}", done)


def finding(kind: str, message: str, done: Completed) -> Finding:
    """What is wrong with a command that ran, with its output."""
    return Finding(message=message, kind=kind, details=details(done))


def unexpected(done: Completed, shown: str, *, by_shell: bool) -> Finding:
    """The finding for another exit than was expected.

    CannotJudge where the shell has not found a program of the machine: that says nothing about the workspace.
    """
    if by_shell and done.exit_code in (126, 127):
        said = _NOT_STARTED.search(done.stderr.decode("utf-8", "replace"))
        if said is None or "/" not in said[1]:
            what = "was not found" if done.exit_code == 127 else "cannot be executed"
            raise CannotJudge(
                f"the command {what} (exit {done.exit_code}): {shown}{because(done)}", kind="command_not_found"
            )
    return finding("command_failed", f"Command failed ({ending(done)}): {shown}{because(done)}", done)


def checked(command: str | Sequence[str]) -> None:
    """CannotJudge where the system cannot be given this command."""
    words = [command] if isinstance(command, str) else list(command)
    reason = "is empty" if not words[0].strip() else "holds a NUL byte" if any("\0" in word for word in words) else ""
    if reason:
        raise CannotJudge(f"the command {reason}: {words[0][:60]!r}", kind="command")
