"""How options are read: what is given twice, is empty or is none is refused in one sentence."""

import argparse
import os
import stat
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, NoReturn

from gate.errors import UsageError

REPORTS = ("junit", "json", "summary", "sarif", "code_quality")
"""The options, as arguments are called, that name a file to be written."""


class Parser(argparse.ArgumentParser):
    """argparse's, whose errors are UsageErrors of one sentence; options of one value take one, and none that is empty.

    An option whose default is the empty text may be given one: that is how a workflow leaves it out.
    """

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        # Without a width argparse imports shutil, for every verb (6 ms).
        formatter = partial(argparse.RawDescriptionHelpFormatter, width=100)
        super().__init__(*arguments, **{"formatter_class": formatter, "allow_abbrev": False, **keywords})
        for name in (None, "store"):
            self.register("action", name, _Once)
        self.register("action", "append", _Each)

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        verb = self.prog.removeprefix("gate ")
        message = message.removeprefix("argument ")
        raise UsageError(f"{verb}: {message}; `{self.prog} --help` tells what there is", kind="usage")


class _Once(argparse.Action):
    """Stores a value; an option's second one is refused, since nobody can tell which of them is meant."""

    def __call__(
        self, _: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        _refuse_empty(self, values)
        given = namespace.__dict__.setdefault("given", set())
        if option is not None and self.dest in given:
            raise argparse.ArgumentError(self, "it is given twice; expected one value")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class _Each(argparse.Action):
    """Collects a value each time."""

    def __call__(
        self,
        _: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,  # noqa: ARG002 - argparse calls so
    ) -> None:
        _refuse_empty(self, values)
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or ()), values])


def _refuse_empty(action: argparse.Action, values: str | Sequence[str] | None) -> None:
    if action.default != "" and (values == "" or (isinstance(values, list) and "" in values)):
        raise argparse.ArgumentError(action, "its value is empty; expected one, or no such option")


def keep_apart(arguments: argparse.Namespace, inputs: Collection[str | os.PathLike[str]] = ()) -> None:
    """UsageError where two reports go into one file, or one over an input.

    What the refused options name is taken out of the arguments: nothing is to be written there.
    """
    if not any(getattr(arguments, name) for name in REPORTS):
        return
    taken: dict[str, str] = {}
    for name in REPORTS:
        path = getattr(arguments, name)
        if not path:
            continue
        named_file(arguments, name)
        if _is_stream(path):
            continue
        place, option = _place(path), f"--{name.replace('_', '-')}"
        if _is_one_of(path, inputs):
            setattr(arguments, name, None)
            raise UsageError(
                f"{option}: {path} is read by this run, and would be overwritten; name another file", kind="usage"
            )
        if place in taken:
            for each in (name, taken[place]):
                setattr(arguments, each, None)
            other = f"--{taken[place].replace('_', '-')}"
            raise UsageError(f"{other} and {option} both name {path}; expected a file for each", kind="usage")
        taken[place] = name


def named_file(arguments: argparse.Namespace, name: str) -> None:
    """UsageError where an option that names a file to be written says `-`; that is taken out of the arguments."""
    if getattr(arguments, name) == "-":
        setattr(arguments, name, None)
        option = f"--{name.replace('_', '-')}"
        reason = f"{option}: `-` is no file, and standard output has other text; name a file (`./-` is one called `-`)"
        raise UsageError(reason, kind="usage")


def _place(path: str | os.PathLike[str]) -> str:
    return os.path.normcase(os.path.realpath(path))


def _is_one_of(path: str, inputs: Collection[str | os.PathLike[str]]) -> bool:
    """Whether it is one of the inputs, of which there may be thousands: few are looked at."""
    file = _file(path)
    if file is not None:
        return any(file == _file(other) for other in inputs)
    name, place = os.path.basename(path), _place(path)
    return any(place == _place(other) for other in inputs if os.path.basename(other) == name)


def _file(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    """What tells a file apart on this machine, whatever leads to it; None for one that is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _is_stream(path: str) -> bool:
    """Whether it is the null device, a pipe or the like, which takes more than one report."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
