"""Interpreters: the code that they are given, and the scripts that they run."""

import re
from collections.abc import Callable

import msgspec

from gate.cmdline.arguments import has, operands
from gate.cmdline.rewriters import rewritten
from gate.cmdline.shell import Simple
from gate.cmdline.target import How, Target, Targets
from gate.cmdline.wrapper import SHELLS

_CODE = {
    "python": "c",
    "ipython": "c",
    "php": "r",
    "perl": "eE",
    "node": "ep",
    "nodejs": "ep",
    "deno": "",
    "bun": "e",
    **dict.fromkeys(SHELLS, "c"),
}


_LOADING = frozenset(["-r", "--require", "--import", "--loader"])
_VALUED = {
    "python": ("-W", "-X"),
    **dict.fromkeys(("node", "nodejs", "tsx", "ts-node"), tuple(_LOADING)),
    **dict.fromkeys(SHELLS, ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")),
}


def script(simple: Simple) -> Targets:
    """An interpreter: the text that it is given to run, with `-c` or `-e` or as its input."""
    words = simple.arguments
    letters = _CODE.get(simple.program, "e")
    skipped = 0
    for at, word in enumerate(words):
        if at < skipped:
            continue
        if word in _VALUED.get(simple.program, ()):
            yield from (Target(given, How.RUNS) for given in words[at + 1 : at + 2] if word in _LOADING)
            skipped = at + 2
            continue
        if word in ("--eval", "--print", "eval") or (re.fullmatch(r"-[A-Za-z0-9]+", word) and word[-1] in letters):
            yield Target("\n".join(words[at + 1 :]), How.MENTIONS)
            return
        if word == "-":
            break
        if not word.startswith("-"):
            yield Target(word, How.RUNS)
            return
    yield from (Target(text, How.MENTIONS) for text in simple.heredocs if text)
    yield from (Target(to.target, How.RUNS) for to in simple.redirections if to.operator == "<")


def _bun(simple: Simple) -> Targets:
    """A file to run, or a script of package.json and a package's own work."""
    words = operands(simple.arguments)
    wanted = words[1:2] if words[:1] == ["run"] else words[:1]
    if has(simple.arguments, "ep", "--eval", "--print") or (wanted and re.search(r"\.[cm]?[jt]sx?$", wanted[0])):
        yield from script(msgspec.structs.replace(simple, words=_without_run(simple.words)))
    else:
        yield from rewritten(simple)


def _deno(simple: Simple) -> Targets:
    if operands(simple.arguments)[:1] in (["run"], ["eval"]):
        yield from script(msgspec.structs.replace(simple, words=_without_run(simple.words)))
    else:
        yield from rewritten(simple)


def _without_run(words: tuple[str, ...]) -> tuple[str, ...]:
    at = words.index("run") if "run" in words else len(words)
    return words[:at] + words[at + 1 :]


def _go(simple: Simple) -> Targets:
    if simple.arguments[:1] == ("run",):
        yield from (Target(word, How.RUNS) for word in simple.arguments[1:] if word.endswith(".go"))
    yield from rewritten(simple)


def _sourced(simple: Simple) -> Targets:
    """A script that the shell itself runs."""
    yield from (Target(path, How.RUNS) for path in simple.arguments[:1])


INTERPRETERS: dict[str, Callable[[Simple], Targets]] = {
    **dict.fromkeys(("python", "ipython", "node", "nodejs", "php", "osascript", "lua", "Rscript", "julia"), script),
    **dict.fromkeys(("tsx", "ts-node", "ts-node-esm", "esno", "groovy", "tclsh", "expect", "elixir"), script),
    **dict.fromkeys(SHELLS, script),
    **dict.fromkeys(("source", "."), _sourced),
    "bun": _bun,
    "deno": _deno,
    "go": _go,
}
