"""GitHub's runner, as far as it reads what a step prints and writes: the oracle of every test of a surface.

Ported from actions/runner: `ActionCommand.TryParseV2` and `TryParse`, `ActionCommandManager.TryProcessCommand`,
`IssueCommandExtension`, `FileCommandManager.EnvFileKeyValuePairs`.
"""

import re
from typing import NamedTuple

_NAMES = (
    "stop-commands set-env set-output save-state add-mask add-path add-matcher remove-matcher debug warning error "
    "notice group endgroup echo"
)
REGISTERED = frozenset(_NAMES.split())
BLANK = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What .NET's `char.IsWhiteSpace` is true of."""


class Command(NamedTuple):
    name: str
    properties: dict[str, str]
    data: str


def lines(text: str) -> list[str]:
    """As `StreamReader.ReadLine` splits: a carriage return alone ends a line too."""
    return re.split(r"\r\n|\r|\n", text)


def parse(line: str, registered: frozenset[str] = REGISTERED) -> Command | None:
    """The command in one printed line, in the new form, else in the old."""
    return _new_form(line, registered) or _old_form(line, registered)


def _new_form(line: str, registered: frozenset[str]) -> Command | None:
    line = line.lstrip(BLANK)
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    name, _, properties = line[2:end].partition(" ")
    if name.lower() not in registered:
        return None
    pairs = (pair.split("=", 1) for pair in properties.strip(BLANK).split(",") if "=" in pair)
    return Command(name.lower(), {key: _unescape(value, "\r\n:,") for key, value in pairs}, _unescape(line[end + 2 :]))


def _old_form(line: str, registered: frozenset[str]) -> Command | None:
    start = line.find("##[")
    end = line.find("]", start)
    if start < 0 or end < 0:
        return None
    name, _, properties = line[start + 3 : end].partition(" ")
    if name.lower() not in registered:
        return None
    pairs = (pair.split("=", 1) for pair in properties.split(";") if "=" in pair)
    values = {key: _unescape(value, ";\r\n]") for key, value in pairs}
    return Command(name.lower(), values, _unescape(line[end + 1 :], ";\r\n]"))


def _unescape(text: str, characters: str = "\r\n") -> str:
    for character in characters:
        text = text.replace(f"%{ord(character):02X}", character)
    return text.replace("%25", "%")


def commands(text: str) -> list[Command]:
    """The commands that a step's output executes, in order; `stop-commands` holds until its token comes."""
    found: list[Command] = []
    token: str | None = None
    for line in lines(text):
        if token is not None:
            if parse(line, REGISTERED | {token.lower()}) == (token.lower(), {}, ""):
                token = None
            continue
        command = parse(line)
        if command is not None:
            found.append(command)
            token = command.data if command.name == "stop-commands" else None
    return found


class Annotation(NamedTuple):
    level: str
    message: str
    title: str = ""
    file: str = ""
    line: int | None = None
    end_line: int | None = None


def annotations(text: str) -> list[Annotation]:
    """What GitHub shows of a step's output: ten of a level, each cut at 4096 characters."""
    shown: list[Annotation] = []
    for command in commands(text):
        if command.name not in ("error", "warning", "notice"):
            continue
        if sum(annotation.level == command.name for annotation in shown) == 10:
            continue
        values = {key.lower(): value for key, value in command.properties.items() if value}
        line, end = (int(values[key]) if key in values else None for key in ("line", "endline"))
        line = end if line is None else line
        if line is not None and end is not None and end < line:
            line = end = None
        shown.append(
            Annotation(command.name, command.data[:4096], values.get("title", ""), values.get("file", ""), line, end)
        )
    return shown


def outputs(text: str) -> dict[str, str]:
    """The pairs in a `GITHUB_OUTPUT` file; ValueError where the runner would fail the step."""
    pairs: dict[str, str] = {}
    rest = text.split("\n")
    if rest.pop() != "":
        raise ValueError("the last line does not end")
    while rest:
        line = rest.pop(0)
        equals, heredoc = line.find("="), line.find("<<")
        if not line:
            continue
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            pairs[line[:equals]] = line[equals + 1 :]
        elif heredoc >= 0:
            key, delimiter = line[:heredoc], line[heredoc + 2 :]
            if not key or not delimiter or delimiter not in rest:
                raise ValueError(f"matching delimiter not found {delimiter!r}")
            end = rest.index(delimiter)
            pairs[key] = "\n".join(rest[:end])
            del rest[: end + 1]
        else:
            raise ValueError(f"invalid format {line!r}")
    return pairs
