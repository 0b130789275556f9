"""What a recorded command prints that only shows files, worked out on the replay's files; nothing is started for it."""

import posixpath
import re

import msgspec

from gate.cmdline import effects, shell
from gate.editing.edit import BLACKED_OUT
from gate.errors import NotRepeated
from gate.repeating.coreutils import LOOKING
from gate.repeating.enactment import Enactment
from gate.repeating.site import Site
from gate.repeating.viewers import is_range
from gate.trajectory import Command

_PRINTING = LOOKING | {"echo", "printf", "cd", "true", ":"}
_SED = ("sed", "gsed")
_SHORTENED = re.compile(r"truncated|omitted|\.\.\.|…", re.IGNORECASE)


class Printed(msgspec.Struct, frozen=True):
    """What a command line prints, and the workspace's files that it names."""

    output: bytes
    paths: tuple[str, ...]


class Difference(msgspec.Struct, frozen=True):
    """The first line in which two outputs differ: its number from 1, and the line in each (None: there is none)."""

    line: int
    recorded: str | None
    replayed: str | None


def printed(command: Command, folder: str | None, site: Site) -> Printed | None:
    """What the site's files give for a command that ran in `folder`; None where that is not known for sure."""
    simples = shell.commands(command.text)
    if not simples or not all(map(_only_prints, simples)):
        return None
    try:
        place = site.place(folder or ".", "")
        paths = [found for one in simples for found in _named(one, place, site)]
    except NotRepeated:
        return None
    line = Enactment(site, place, failed=False, patched=False, said=(), tell=lambda _: None, listen=True)
    succeeded = line.line(command.text)
    if succeeded is None or line.printed is None or not paths:
        return None
    return Printed(line.printed, tuple(dict.fromkeys(paths)))


def _only_prints(simple: shell.Simple) -> bool:
    """Whether it is one whose output is known here without a program."""
    if simple.program not in _PRINTING or effects.changes(simple):
        return False
    return simple.program not in _SED or is_range(simple.arguments)


def _named(simple: shell.Simple, folder: str, site: Site) -> list[str]:
    """The files that a command names. NotRepeated where the folder in which it runs is not known."""
    if simple.directory is None:
        raise NotRepeated("the folder that it ran in is not known", kind="directory")
    found = []
    for word in simple.arguments:
        try:
            path = site.place(word, posixpath.join(folder, simple.directory))
        except NotRepeated:
            continue
        if path and site.files.mode(path) is not None:
            found.append(path)
    return found


def difference(recorded: str, replayed: bytes) -> Difference | None:
    """Where two outputs differ; None where they are the same as far as the recorded one goes.

    Blank space at both ends is the harness's, and so is a line that says that it has left something out: behind it
    nothing is compared. A line that is blacked out, or was no UTF-8, is taken to be the same.
    """
    mine, given = _lines(recorded), _lines(replayed.decode("utf-8", "replace"))
    for at, line in enumerate(mine):
        other = given[at] if at < len(given) else None
        if line == other or BLACKED_OUT in line or "\ufffd" in line + (other or ""):
            continue
        if _SHORTENED.search(line) and line not in given:
            return None
        return Difference(at + 1, line, other)
    if len(given) > len(mine):
        return Difference(len(mine) + 1, None, given[len(mine)])
    return None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().split("\n")]
