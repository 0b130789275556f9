"""A command line taken apart: every simple command that a shell would run for it, wrappers and all."""

import functools
from collections.abc import Iterator
from itertools import islice, takewhile

import msgspec

from gate.cmdline import variables
from gate.cmdline.grammar import ASSIGNMENT, Draft, Grammar, Redirection
from gate.cmdline.lexer import substituted
from gate.cmdline.target import UNTOLD
from gate.cmdline.variables import Values
from gate.cmdline.wrapper import SHELLS, found_by, inside, program

_DEEPEST = 12
_SHORT = 1000  # characters of a line that is remembered


class Simple(msgspec.Struct, frozen=True, kw_only=True):
    """One program and its arguments, as the program gets them but for expansions, which stay as written.

    `assignments` are those written before the program, `heredocs` the texts that it gets as its input. `directory` is
    where it runs, relative to where the whole line does, after every `cd` before it; None when that cannot be told.
    `piped` says that its output goes to the next command. `values` are what the line assigns to the variables that
    stand in it, all that each may have, and `fixed` are words in which a `$` is nothing but a sign. `unread` stands
    for all that a line has deeper inside its commands than is read: it has no words, and may be anything, anywhere.
    """

    words: tuple[str, ...]
    assignments: tuple[tuple[str, str], ...] = ()
    redirections: tuple[Redirection, ...] = ()
    heredocs: tuple[str, ...] = ()
    directory: str | None = ""
    piped: bool = False
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fixed: tuple[str, ...] = ()
    unread: bool = False

    @property
    def program(self) -> str:
        """The name of the program, without folder and `.exe`; empty where there are only redirections."""
        return program(self.words[0]) if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the program."""
        return self.words[1:]


def commands(text: str) -> tuple[Simple, ...]:
    """Every simple command of a line or script, in order; those that are substituted come before the one they feed.

    What runs another command (`sudo`, `timeout 5`, `bash -c '…'`, `xargs`) is taken off. Text that is no shell gives
    whatever words it has; nothing is raised, whatever it holds.
    """
    return _remembered(text) if len(text) <= _SHORT else _read(text)


def assigned(text: str) -> Values:
    """What a line assigns to its variables, as written: every value that one may have."""
    grammar = Grammar(text, "", {})
    grammar.drafts()
    return grammar.values


@functools.lru_cache(maxsize=512)  # tasks share a recording, and oracles ask for the same line
def _remembered(text: str) -> tuple[Simple, ...]:
    return _read(text)


def _read(text: str) -> tuple[Simple, ...]:
    return tuple(_Reading(8 * len(text) + 10_000).commands(text, "", 0, {}))


class _Reading:
    """One call of `commands`. What stands inside commands is read too, up to a depth and an amount of text."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._is_cut = False

    def commands(self, text: str, directory: str | None, depth: int, around: Values) -> Iterator[Simple]:
        self._budget -= len(text) + 50
        if depth > _DEEPEST or self._budget < 0:
            yield from self._unread() if text.strip() else ()
            return
        before: Simple | None = None
        grammar = Grammar(text, directory, around)
        for draft in grammar.drafts():
            for inner in (
                *draft.inner,
                *(part for doc in draft.heredocs if doc.expanded for part in substituted(doc.body)),
            ):
                yield from self.commands(inner, draft.directory, depth + 1, grammar.values)
            simple = _finished(draft, grammar.values)
            place = found_by(before.words) if before and before.piped and before.program == "find" else ""
            for one in self._unwrapped(_fed(simple, before), depth):
                named = place and simple.program == "xargs"
                yield _with_files(one, place) if named else one
            if before and before.piped and _reads_commands(simple):
                yield from self.commands(_printed(before), draft.directory, depth + 1, grammar.values)
            before = simple

    def _unwrapped(self, simple: Simple, depth: int) -> Iterator[Simple]:
        if _reads_commands(simple) and simple.heredocs:
            for text in simple.heredocs:
                yield from self.commands(text, simple.directory, depth + 1, dict(simple.values))
            return
        found = inside(simple.words) if simple.words else ()
        if found and depth > _DEEPEST:
            yield from self._unread()
            found = ()
        if not found or simple.program in ("find", "fd", "fdfind"):
            yield simple
        for part in found:
            self._budget -= 1
            given = (*simple.assignments, *_assigned(simple.words, part))
            if isinstance(part, str):
                for inner in self.commands(part, simple.directory, depth + 1, dict(simple.values)):
                    yield msgspec.structs.replace(inner, assignments=(*given, *inner.assignments)) if given else inner
                if simple.redirections:
                    yield msgspec.structs.replace(simple, words=())
            else:
                bare = msgspec.structs.replace(simple, words=part, assignments=given)
                yield from self._unwrapped(bare, depth + 1)

    def _unread(self) -> Iterator[Simple]:
        if not self._is_cut:
            self._is_cut = True
            yield Simple(words=(), directory=None, unread=True)


def _assigned(words: tuple[str, ...], part: tuple[str, ...] | str) -> Iterator[tuple[str, str]]:
    """What stands right before the command that a wrapper runs: `env A=1 make`."""
    if isinstance(part, tuple) and words[-len(part) :] == part:
        for word in takewhile(ASSIGNMENT.match, reversed(words[: -len(part)])):
            name, _, value = word.partition("=")
            yield name, value


def _finished(draft: Draft, values: Values) -> Simple:
    words = tuple(word.text for word in draft.words)
    return Simple(
        words=words,
        assignments=tuple(draft.assignments),
        redirections=tuple(draft.redirections),
        heredocs=tuple(heredoc.body for heredoc in draft.heredocs),
        directory=draft.directory,
        piped=draft.piped,
        values=_values(draft, words, values) if values else (),
        fixed=tuple(draft.fixed),
    )


def _values(draft: Draft, words: tuple[str, ...], values: Values) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the variables in a command may be: what the line assigns, and before it has done so something else too."""
    texts = (*words, *(to.target for to in draft.redirections), *(document.body for document in draft.heredocs))
    names = dict.fromkeys(name for text in texts if variables.expands(text) for name in variables.used(text))
    known = set(islice(values, draft.known))
    return tuple((name, (*values[name], *(() if name in known else (UNTOLD,)))) for name in names if name in values)


def _printed(simple: Simple) -> str:
    """What a command prints, where that can be told from it."""
    if simple.program in ("echo", "printf"):
        return " ".join(simple.arguments)
    return "\n".join(simple.heredocs) if simple.program == "cat" else ""


def _with_files(simple: Simple, place: str) -> Simple:
    return msgspec.structs.replace(simple, words=tuple(word.replace("{}", place) for word in simple.words))


def _fed(simple: Simple, before: Simple | None) -> Simple:
    """The command with the file as its input that `cat` prints for it."""
    if before is None or not before.piped or before.program != "cat" or before.heredocs or len(before.words) != 2:
        return simple
    redirections = (Redirection("<", before.words[1]), *simple.redirections)
    return msgspec.structs.replace(simple, redirections=redirections)


def _reads_commands(simple: Simple) -> bool:
    """Whether this is a shell that reads what it runs from its input."""
    return simple.program in SHELLS and not [word for word in simple.arguments if not word.startswith("-")]
