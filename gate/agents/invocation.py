"""Patches that a command line hands to apply_patch."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from gate.cmdline.shell import Simple, commands
from gate.cmdline.wrapper import SHELLS, program

_NAMES = frozenset(["apply_patch", "applypatch"])
_SCRIPT = frozenset(["-c", "-lc", "-command", "/c"])
_MOVES = frozenset(["cd", "pushd", "Set-Location"])
_MARK = "*** Begin Patch"
_OPEN = re.compile(r"<<-?[ \t]*[\w.]")
_EXPANDED = re.compile(r"[$`\\]")


class Invocation(msgspec.Struct, frozen=True, kw_only=True):
    """One call of apply_patch in a command line.

    `directory` is where the line has moved to before, relative to where it starts. `alone` says that the line does
    nothing else: Codex takes it over then, and checks the whole patch first. `doubt` says why the patch, or its place,
    may not be what the tool got; it is empty where it is.
    """

    patch: str
    directory: str = ""
    alone: bool = False
    doubt: str = ""


def invocations(command: str | Sequence[str]) -> tuple[Invocation, ...]:
    """The calls of apply_patch in a command, given as text or as a list of words; none where there are none."""
    if isinstance(command, str):
        return tuple(_in_text(command)) if _MARK in command else ()
    if len(command) == 2 and program(command[0]) in _NAMES:
        return (Invocation(patch=command[1], alone=True),)
    if len(command) > 2 and program(command[0]).lower() in SHELLS and command[-2].lower() in _SCRIPT:
        return invocations(command[-1])
    return ()


def _in_text(text: str) -> Iterator[Invocation]:
    found = commands(text)
    alone = sum(simple.program not in _MOVES for simple in found) == 1
    printed = ""
    for simple in found:
        if simple.program == "cat" and simple.heredocs:
            printed = simple.heredocs[-1]
        patch = _patch(simple, printed) if simple.program in _NAMES else ""
        if _MARK in patch:
            changed = not alone and _OPEN.search(text) and _EXPANDED.search(patch)
            doubt = "the shell may have changed the text of its patch" if changed else ""
            doubt = doubt or ("the folder that its patch starts from is not known" if simple.directory is None else "")
            yield Invocation(patch=patch, directory=simple.directory or "", alone=alone, doubt=doubt)


def _patch(simple: Simple, printed: str) -> str:
    """What apply_patch gets: its input, its one word, or what a `cat` before it prints into either."""
    if simple.heredocs:
        return simple.heredocs[-1]
    word = simple.arguments[0] if simple.arguments else ""
    return printed if not word or word.startswith("$(") else word
