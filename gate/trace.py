"""What recorded commands change, target by target; the scripts that an agent wrote and ran are read too."""

import posixpath
import re
from collections.abc import Callable, Iterator

import msgspec

from gate.cmdline import effects, shell
from gate.cmdline.shell import Simple
from gate.cmdline.target import How, Target
from gate.trajectory import Command, Step

_DEEPEST = 3  # scripts that run scripts
_SHELL = re.compile(r"#!\s*\S*[/\s](?:ba|z|da|k)?sh\b")


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One target of one recorded command, and the folder in which it ran (None: not known).

    `simple` is the part of the command line, or of a script that it runs, that has this target. `last` says that
    nothing stands behind it, or behind the call of its script, in the line.
    """

    command: Command
    simple: Simple
    target: Target
    directory: str | None
    last: bool


class Trace:
    """The targets of a recording's commands; its steps must be asked for in their order.

    `root` is where recorded paths start, `read` gives a file of the start workspace by its place, None for no file.
    """

    def __init__(self, root: str | None, read: Callable[[Target, str | None], bytes | None]) -> None:
        self._root = root
        self._read = read
        self._scripts: dict[str, str | bytes] = {}

    def of(self, step: Step) -> Iterator[Mark]:
        """The marks of one step's commands."""
        for edit in step.edits:
            place = posixpath.join(step.directory or self._root or "", edit.path)
            self._scripts[posixpath.normpath(place)] = edit.written
        for command in step.commands:
            start = posixpath.join(step.directory or self._root or "", command.directory or "")
            yield from self._line(command, command.text, start, last=True, depth=0)

    def _line(self, command: Command, text: str, start: str, *, last: bool, depth: int) -> Iterator[Mark]:
        found = shell.commands(text)
        for simple in found:
            directory = None if simple.directory is None else posixpath.join(start, simple.directory)
            behind = last and simple is found[-1]
            for target in effects.changes(simple):
                place = posixpath.normpath(posixpath.join(directory or "", target.path))
                if target.how is How.WRITES and simple.heredocs:
                    self._scripts[place] = "\n".join(simple.heredocs)
                mark = Mark(command=command, simple=simple, target=target, directory=directory, last=behind)
                if target.how is not How.RUNS:
                    yield mark
                elif depth < _DEEPEST:
                    yield from self._script(place, mark, depth + 1)

    def _script(self, place: str, mark: Mark, depth: int) -> Iterator[Mark]:
        """A shell script is read as commands; of others only those that the agent wrote, for the paths in them.

        What was in the workspace before, such as a program that runs the tests, names files that it only reads.
        """
        written = self._scripts.get(place)
        written = written.decode("utf-8", "replace") if isinstance(written, bytes) else written
        text = (
            (self._read(mark.target, mark.directory) or b"").decode("utf-8", "replace") if written is None else written
        )
        if _SHELL.match(text) or place.endswith((".sh", ".bash")):
            yield from self._line(mark.command, text, mark.directory or "", last=mark.last, depth=depth)
        elif written is not None:
            yield msgspec.structs.replace(mark, target=Target(written, How.MENTIONS))
