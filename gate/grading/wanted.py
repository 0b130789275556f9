"""Calls that an oracle asks for: their tool, what they were given, what came of them, where they stand."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from gate.errors import CannotJudge
from gate.grading.behaviour import quoted
from gate.mention import named_files
from gate.patterns.jsregex import JsPattern
from gate.transcript import Call, Transcript

_FROM_ONE = Annotated[int, msgspec.Meta(ge=1)]
_WORD = re.compile(r"[^\s'\"`;|&<>()=]+")
_EDITING = re.compile(r"write|edit|replace|patch|insert|create|delete|remove|move|rename", re.IGNORECASE)
_LOOKING = frozenset(
    """
    cat head tail less more nl wc sort uniq cut tr ls dir tree stat file du df pwd cd echo printf true false test grep
    rg ag egrep fgrep which whereis type env date uname whoami id hostname diff cmp comm basename dirname realpath
    readlink md5sum sha1sum sha256sum cksum strings od hexdump jq awk sed find
    """.split()  # noqa: SIM905 - fifty names, each on its own line, are no better to read
)  # what of these writes files is found before


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a call must be like; every part that is named must hold.

    All patterns are regular expressions of JavaScript, not anchored. `name` is the tool's, `command` is searched for in
    a command, `path` in the files that are named or edited (for a command: in its words), `args` in arguments by their
    keys, `pattern` in all arguments as JSON, `result` in the result. `write_only` and `read_only` take calls that
    write files and that do not. `at_step` and `before_step` count the model's answers from 1; `final` is a call after
    which nothing more is called. `min_count` is how many such calls there must be.
    """

    name: JsPattern
    command: JsPattern | None = None
    path: JsPattern | None = None
    args: dict[str, JsPattern] = {}
    pattern: JsPattern | None = None
    result: JsPattern | None = None
    write_only: bool = False
    read_only: bool = False
    at_step: _FROM_ONE | None = None
    before_step: _FROM_ONE | None = None
    min_count: _FROM_ONE | None = None
    final: bool = False

    def __post_init__(self) -> None:
        """Refuse what can never hold."""
        if self.write_only and self.read_only:
            raise ValueError("Expected one of `write_only` and `read_only`")

    @property
    def count(self) -> int:
        """How many such calls there must be."""
        return self.min_count or 1

    @property
    def shown(self) -> str:
        """What is asked for, in words."""
        patterns = {word: getattr(self, word) for word in ("command", "path", "pattern", "result")}
        parts = [quoted(self.name)]
        parts += [f"{word} {quoted(pattern)}" for word, pattern in patterns.items() if pattern is not None]
        parts += [f"{key} {quoted(pattern)}" for key, pattern in self.args.items()]
        parts += [word for word in ("write_only", "read_only", "final") if getattr(self, word)]
        parts += [f"{word} {getattr(self, word)}" for word in ("at_step", "before_step") if getattr(self, word)]
        return ", ".join(parts)

    def check(self) -> None:
        """CannotJudge where one of the patterns is not valid."""
        for pattern in (self.name, self.command, self.path, self.pattern, self.result, *self.args.values()):
            if pattern is not None:
                pattern.check()

    def fits(self, call: Call, seen: Transcript) -> bool | None:
        """Whether a call is like this; None where the recording does not tell."""
        if not self._fits_what_is_told(call, seen):
            return False
        if self.write_only or self.read_only:
            writes = writes_files(call)
            if writes is not None and writes is not self.write_only:
                return False
        else:
            writes = False
        if self.result is not None:
            if call.answered and not self.result.search(call.result):
                return None if call.cut else False
            if not call.answered:
                return None
        return None if writes is None else True

    def _fits_what_is_told(self, call: Call, seen: Transcript) -> bool:
        arguments = call.arguments
        return (
            bool(self.name.search(call.tool))
            and (self.at_step is None or call.step == self.at_step)
            and (self.before_step is None or call.step < self.before_step)
            and (not self.final or call.number == seen.calls[-1].number)
            and (self.command is None or any(map(self.command.search, _commands(call))))
            and (self.path is None or any(map(self.path.search, _paths(call))))
            and (self.pattern is None or bool(self.pattern.search(call.given)))
            and all(key in arguments and wanted.search(_text(arguments[key])) for key, wanted in self.args.items())
        )


def asked(entry: "str | Wanted") -> Wanted:
    """An entry of a list: a name alone is a call of that tool."""
    return entry if isinstance(entry, Wanted) else Wanted(name=JsPattern(entry))


def fitting(wanted: Wanted, seen: Transcript) -> tuple[list[Call], list[Call]]:
    """The calls that are as wanted, and those of which the recording does not tell."""
    judged = [(call, wanted.fits(call, seen)) for call in seen.calls]
    return [call for call, fits in judged if fits], [call for call, fits in judged if fits is None]


def in_order(entries: Sequence[Wanted], seen: Transcript) -> int:
    """How many of the entries are found one after the other, with any calls between them."""
    waiting = [(at, entry) for at, entry in enumerate(entries) for _ in range(entry.count)]
    for call in seen.calls:
        if waiting and waiting[0][1].fits(call, seen):
            del waiting[0]
    return waiting[0][0] if waiting else len(entries)


def at_once(entries: Sequence[Wanted], seen: Transcript) -> int | None:
    """The number of an answer of the model whose calls hold all of the entries, each by calls of its own."""
    asked_for = [entry for entry in entries for _ in range(entry.count)]
    for answer in seen.answers:
        if len(answer.calls) >= len(asked_for):
            choices = [[call.number for call in answer.calls if entry.fits(call, seen)] for entry in asked_for]
            if _assignable(choices):
                return answer.number
    return None


def _assignable(choices: Sequence[Sequence[int]]) -> bool:
    """Whether each place can have one of its choices that no other has: augmenting paths, in polynomial time."""
    holder: dict[int, int] = {}

    def place(at: int, tried: set[int]) -> bool:
        for choice in choices[at]:
            if choice not in tried:
                tried.add(choice)
                if choice not in holder or place(holder[choice], tried):
                    holder[choice] = at
                    return True
        return False

    return all(place(at, set()) for at in range(len(choices)))


def unsure(entry: Wanted, calls: Sequence[Call]) -> CannotJudge:
    """The error that it cannot be told whether calls are such that must not be."""
    first = calls[0]
    what = "its result is not recorded whole" if entry.result is not None else "the recording does not tell"
    if (entry.write_only or entry.read_only) and writes_files(first) is None:
        what = "whether it writes files is not known"
    return CannotJudge(f"call {first.number} of {first.tool} may be {entry.shown}: {what}", kind="not_recorded")


def writes_files(call: Call) -> bool | None:
    """Whether a call writes files: by its edits, its command, or its tool's name; None where that cannot be told."""
    if call.paths:
        return True
    if call.commands:
        told = [_command_writes(text) for text in call.commands]
        return True if True in told else None if None in told else False
    if _EDITING.search(call.tool):
        return True
    return False if call.known else None


def _command_writes(text: str) -> bool | None:
    from gate.cmdline import effects, shell  # the tables of programs are for few oracles
    from gate.cmdline.target import How

    sure: bool | None = False
    for simple in shell.commands(text):
        ways = set() if simple.unread else {target.how for target in effects.changes(simple)}
        if ways - {How.RUNS, How.MENTIONS}:
            return True
        if ways or simple.unread or (simple.program and simple.program not in _LOOKING):
            sure = None
    return sure


def _commands(call: Call) -> Iterator[str]:
    yield from call.commands
    if not call.commands:
        yield from (call.arguments[key] for key in ("command", "cmd") if isinstance(call.arguments.get(key), str))


def _paths(call: Call) -> Iterator[str]:
    yield from call.paths
    yield from named_files(call.arguments)
    for command in _commands(call):
        yield from _WORD.findall(command)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    import json  # as in a call's `given`

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
