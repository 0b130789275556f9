"""A simple command with its expansions told, as far as the line tells them: once for each of their values."""

import math
import re
import shlex
from collections.abc import Iterator
from itertools import compress, islice, product
from typing import NamedTuple

import msgspec

from gate.cmdline import shell
from gate.cmdline.grammar import Redirection
from gate.cmdline.shell import Simple
from gate.cmdline.target import UNTOLD
from gate.cmdline.variables import Values, expands, spread, used

_MOST = 200  # ways to read one command
_INTERPRETER = re.compile(r"python|py\b|node|perl|ruby|bash|php", re.IGNORECASE)


class Told(NamedTuple):
    """One way to read a command; `untold` is the first word of it that only a shell would tell, as written."""

    simple: Simple
    untold: str = ""


def told(simple: Simple) -> Iterator[Told]:
    """Every way to read a command. What cannot be told is `UNTOLD` in its words; the texts that it gets stay as is."""
    words = (*simple.words, *(to.target for to in simple.redirections))
    if not any(map(expands, words)):
        yield Told(simple)
        return
    is_open = [expands(word) and word not in simple.fixed for word in words]
    for values in _choices(list(compress(words, is_open)), dict(simple.values)):
        found = [spread(word, values) if opened else [word] for word, opened in zip(words, is_open, strict=True)]
        if simple.words:
            found[0] = [text for text in found[0] if " " in text] or found[0]  # a program and its first arguments
        if math.prod(map(len, found)) > _MOST:
            found = [texts if len(texts) == 1 else [UNTOLD] for texts in found]
        untold = next((word for word, texts in zip(words, found, strict=True) if UNTOLD in "".join(texts)), "")
        for texts in product(*found):
            yield from (Told(one, untold) for one in _read(simple, texts))


def _choices(words: list[str], values: Values) -> Iterator[Values]:
    """One value for each variable, in every way; of too many ways, none is told."""
    names = [name for name in dict.fromkeys(name for word in words for name in used(word)) if name in values]
    ways = list(islice(product(*(dict.fromkeys(values[name]) for name in names)), _MOST + 1))
    for way in ways if len(ways) <= _MOST else [(UNTOLD,) * len(names)]:
        yield {**values, **{name: (value,) for name, value in zip(names, way, strict=True)}}


def _read(simple: Simple, texts: tuple[str, ...]) -> Iterator[Simple]:
    """The command with these words; where its program is one of them, what that runs in its turn."""
    words, targets = texts[: len(simple.words)], texts[len(simple.words) :]
    redirections = tuple(
        Redirection(to.operator, target) for to, target in zip(simple.redirections, targets, strict=True)
    )
    plain = msgspec.structs.replace(simple, words=words, redirections=redirections)
    if not words or words[0] == simple.words[0]:
        yield plain
    elif UNTOLD in words[0]:
        interpreter = _INTERPRETER.search(simple.words[0])
        name = interpreter.group().lower() if interpreter else words[0]
        yield msgspec.structs.replace(plain, words=("python" if name == "py" else name, *words[1:]))
        yield msgspec.structs.replace(plain, words=words[1:])
    else:
        for inner in shell.commands(" ".join([words[0], *map(shlex.quote, words[1:])])):
            yield msgspec.structs.replace(
                inner, redirections=(*inner.redirections, *redirections), heredocs=(*inner.heredocs, *simple.heredocs)
            )
