"""The files that a command line starts as programs, as far as its words tell."""

import posixpath
from collections.abc import Iterator

from gate.cmdline import effects, shell
from gate.cmdline.target import UNTOLD, How


def started(text: str) -> Iterator[str]:
    """Their paths, relative to where the command begins, behind every `cd`; what lies outside of it is left out."""
    for simple in shell.commands(text):
        named = [target.path for target in effects.changes(simple) if target.how is How.RUNS]
        for path in named:
            place = posixpath.normpath(posixpath.join(simple.directory or "", path))
            if (
                simple.directory is not None
                and UNTOLD not in place
                and not place.startswith(("/", "..", "~"))
                and place != "."
            ):
                yield place
