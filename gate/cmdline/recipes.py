"""What `make x` and `npm run x` run: the lines of a Makefile and the scripts of a package.json."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping

import msgspec

from gate.cmdline.arguments import operands, value
from gate.cmdline.shell import Simple

_PACKAGES = frozenset(["npm", "pnpm", "yarn", "bun"])
_ALWAYS = frozenset(["test", "start", "stop", "restart"])  # scripts that npm runs without `run`
_SHORT = {"t": "test", "tst": "test"}
_OWN = (
    "install i add a remove rm update up upgrade link unlink ci init create exec dlx x publish pack audit why info "
    "list ls outdated config cache version view pm dedupe"
)
_VARIABLE = re.compile(r"(?:export\s+|override\s+)*([\w.-]+)\s*(\?|:{1,3}|\+|!)?=\s*(.*)$")
_USE = re.compile(r"\$(?:\$|[({](@[DF]?|[\w.-]+)[)}]|([@<^+?*]))")
_WILDCARD = re.compile(r"\$[({]wildcard\s+([^(){}]*)[)}]")
_SHELL = re.compile(r"\$\(shell\s+")
_BUILT_IN = {"RM": "rm -f", "MAKE": "make", "CURDIR": ".", "SHELL": "/bin/sh"}
_DEEPEST = 8


class Recipe(msgspec.Struct, frozen=True):
    """A file that tells what a command runs: in which folder it may lie, and under which of these names."""

    files: tuple[str, ...]
    folder: str = ""
    upwards: bool = False


def recipe(simple: Simple) -> Recipe | None:
    """Where what a command runs is written; None for a command that runs nothing of that kind."""
    words = simple.arguments
    if simple.program in ("make", "gmake"):
        named = value(words, "-f", "--file", "--makefile")
        folder = value(words, "-C", "--directory") or ""
        return Recipe((named,) if named else ("GNUmakefile", "makefile", "Makefile"), folder)
    if simple.program in _PACKAGES and _scripts_of(simple):
        folder = value(words, "-C", "--dir", "--prefix", "--cwd") or ""
        return Recipe(("package.json",), folder, upwards=True)
    return None


def lines(simple: Simple, text: str) -> list[str]:
    """The command lines that this command runs, of the text of its recipe; each starts in the recipe's folder."""
    return list(_made(simple, text) if simple.program in ("make", "gmake") else _run(simple, text))


def _scripts_of(simple: Simple) -> list[str]:
    """The name of a package's script, and what it is given."""
    words = operands(simple.arguments, "-C --dir --prefix --cwd -w --workspace --filter -F")
    if words[:1] in (["run"], ["run-script"]):
        return words[1:]
    name = _SHORT.get(words[0], words[0]) if words else ""
    own = f"{_OWN} test build" if simple.program == "bun" else _OWN
    direct = name in _ALWAYS if simple.program == "npm" else name not in own.split()
    return [name, *words[1:]] if name and direct else []


def _run(simple: Simple, text: str) -> Iterator[str]:
    try:
        document = json.loads(text)
    except ValueError:
        return
    scripts = document.get("scripts") if isinstance(document, dict) else None
    name, *given = _scripts_of(simple) or [""]
    if not isinstance(scripts, dict):
        return
    for called in (f"pre{name}", name, f"post{name}"):
        script = scripts.get(called)
        if isinstance(script, str):
            yield " ".join([script, *map(shlex.quote, given)]) if called == name else script


class _Rule(msgspec.Struct):
    """One target of a Makefile."""

    needs: list[str] = []
    lines: list[str] = []


def _made(simple: Simple, text: str) -> Iterator[str]:
    words = operands(simple.arguments, "-f -C -j -l -o -W -I --file --makefile --directory")
    given = {name: value for name, is_set, value in (word.partition("=") for word in words) if is_set}
    rules, variables, first = _read(text, given)
    waiting = [word for word in words if "=" not in word] or ([first] if first else [])
    patterns = [pattern for pattern in rules if "%" in pattern]
    seen: set[str] = set()
    while waiting:
        target = waiting.pop(0)
        if target in seen:
            continue
        seen.add(target)
        for pattern in (target, *patterns):
            stem = _stem(target, pattern)
            if stem is not None and pattern in rules:
                rule = rules[pattern]
                needs = [need.replace("%", stem) for need in rule.needs]
                waiting += needs
                own = {"@": target, "<": needs[0] if needs else "", "^": " ".join(needs), "*": stem}
                yield from (_expanded(line, {**variables, **own}) for line in rule.lines)


def _stem(target: str, pattern: str) -> str | None:
    """What `%` stands for where this target is made by a rule for that pattern; None where it is not."""
    if "%" not in pattern:
        return "" if target == pattern else None
    head, _, tail = pattern.partition("%")
    fits = target.startswith(head) and target.endswith(tail) and len(target) > len(head) + len(tail)
    return target[len(head) : len(target) - len(tail)] if fits else None


def _read(text: str, given: Mapping[str, str]) -> tuple[dict[str, _Rule], dict[str, str], str]:
    """The rules by target, the variables, of which those that are given stay as they are, and the first target."""
    rules: dict[str, _Rule] = {}
    variables = {**_BUILT_IN, **given}
    current: list[_Rule] = []
    first = ""
    for line in re.sub(r"(?<![ \t])[ \t]*\\\n[ \t]*", " ", text.replace("\r", "")).split("\n"):
        if line.startswith("\t"):
            for rule in current:
                rule.lines.append(line.lstrip("\t@+- "))
            continue
        variable = _VARIABLE.match(line.strip())
        if variable:
            name, how, value = variable[1], variable[2], variable[3].partition(" #")[0].strip()
            more = f"{variables.get(name, '')} {value}".strip() if how == "+" else value
            variables[name] = given.get(name, more)
            continue
        head, rest, inline = _rule(line)
        if head:
            names = _expanded(head, variables).split()
            current = [rules.setdefault(name, _Rule([], [])) for name in names]
            first = first or next((name for name in names if not name.startswith(".") and "%" not in name), "")
            for rule in current:
                rule.needs += _expanded(rest, variables).replace("|", " ").split()
                rule.lines += [inline] if inline else []
    return rules, variables, first


def _rule(line: str) -> tuple[str, str, str]:
    """The targets, the needs and the recipe of a line that starts a rule; all empty for another line."""
    head, is_rule, rest = line.partition("#")[0].partition(":")
    needs, _, inline = rest.removeprefix(":").partition(";")
    if not is_rule or not head.strip() or line[:1].isspace() or "=" in head + needs:
        return "", "", ""
    return head, needs, inline.strip()


def _expanded(line: str, variables: Mapping[str, str], depth: int = 0) -> str:
    """A line with make's variables put in; one that is not set stays as a variable of the shell."""

    def put(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if name is None:
            return "$"
        if name in ("@D", "@F"):
            return f"$({'dirname' if name == '@D' else 'basename'} {variables.get('@', '')})"
        if name in "+?":
            name = "^"
        if name not in variables:
            return "${stem}" if name == "*" else f"${{{name}}}"
        return _expanded(variables[name], variables, depth + 1) if depth < _DEEPEST else "${deep}"

    return _SHELL.sub("$(", _WILDCARD.sub(r"\1", _USE.sub(put, line)))
