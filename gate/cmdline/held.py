"""What the first word of a command stands for, and with which variables it runs, as far as the line itself tells."""

import shlex
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from gate.cmdline import expansion
from gate.cmdline.clients import CLIENTS
from gate.cmdline.managers import REPOSITORIES, VERBS
from gate.cmdline.shell import Simple, commands
from gate.cmdline.target import UNTOLD

_EXPORTING = frozenset(["export", "declare", "typeset", "local", "readonly"])


def told(found: Iterable[Simple]) -> Iterator[tuple[Simple, Simple, Mapping[str, str]]]:
    """Each command of a line as written, under what it may stand for, and the variables with which it runs."""
    variables: dict[str, str] = {}
    aliases: dict[str, str] = {}
    for simple in found:
        around = {**variables, **dict(simple.assignments)}
        for meant in _meant(simple, aliases):
            yield simple, meant, around
        words = simple.arguments
        if not simple.words:
            variables |= simple.assignments
        elif simple.program in _EXPORTING:
            variables |= _pairs(words)
        elif simple.program == "alias":
            aliases |= _pairs(words)
        elif simple.program == "unset":
            variables = {name: value for name, value in variables.items() if name not in words}


def _pairs(words: Iterable[str]) -> dict[str, str]:
    return {name: value for name, said, value in (word.partition("=") for word in words) if said}


def _meant(simple: Simple, aliases: Mapping[str, str]) -> Iterator[Simple]:
    if simple.words and simple.words[0] in aliases:
        for part in commands(" ".join([aliases[simple.words[0]], *map(shlex.quote, simple.arguments)])):
            yield msgspec.structs.replace(part, assignments=(*simple.assignments, *part.assignments))
        return
    for way in expansion.told(simple):
        one = way.simple
        if UNTOLD in "".join(one.words):
            words = tuple(way.untold if word == UNTOLD else word.replace(UNTOLD, "$") for word in one.words)
            one = msgspec.structs.replace(one, words=(_without(one.words[0]) or words[0], *words[1:]))
        yield one


def _without(word: str) -> str:
    """The program that a word is when what cannot be told of it is nothing: `cu$@rl`."""
    name = word.replace(UNTOLD, "")
    return name if name in CLIENTS or name in VERBS or name in REPOSITORIES else ""
