"""A command line taken apart: every simple command that a shell would run for it, wrappers and all."""

import functools
import posixpath
import re
from collections.abc import Iterator

import msgspec

from gate.cmdline.lexer import Heredoc, Lexer, Operator, Word, substituted
from gate.cmdline.wrapper import SHELLS, inside, program

_DEEPEST = 12
_SHORT = 1000  # characters of a line that is remembered
_KEYWORDS = frozenset(["if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "coproc"])
REDIRECTIONS = frozenset([">", ">>", ">|", "&>", "&>>", ">&", "<", "<>", "<&", "<<", "<<-", "<<<"])
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=")
_UNKNOWN = re.compile(r"[$`*?{~]|^-$")


class Redirection(msgspec.Struct, frozen=True):
    """`>`, `>>`, `<` and so on, and the file that it names. Copies of descriptors (`2>&1`) are left out."""

    operator: str
    target: str


class Simple(msgspec.Struct, frozen=True, kw_only=True):
    """One program and its arguments, as the program gets them but for expansions, which stay as written.

    `assignments` are those written before the program, `heredocs` the texts that it gets as its input. `directory` is
    where it runs, relative to where the whole line does, after every `cd` before it; None when that cannot be told.
    `piped` says that its output goes to the next command.
    """

    words: tuple[str, ...]
    assignments: tuple[tuple[str, str], ...] = ()
    redirections: tuple[Redirection, ...] = ()
    heredocs: tuple[str, ...] = ()
    directory: str | None = ""
    piped: bool = False

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


@functools.lru_cache(maxsize=512)  # tasks share a recording, and oracles ask for the same line
def _remembered(text: str) -> tuple[Simple, ...]:
    return _read(text)


def _read(text: str) -> tuple[Simple, ...]:
    return tuple(_Reading(8 * len(text) + 10_000).commands(text, "", 0))


class _Draft(msgspec.Struct):
    """A command being read; its here-documents are filled in later."""

    words: list[Word] = []
    assignments: list[tuple[str, str]] = []
    redirections: list[Redirection] = []
    heredocs: list[Heredoc] = []
    inner: list[str] = []
    directory: str | None = ""
    piped: bool = False


class _Reading:
    """One call of `commands`. What stands inside commands is read too, up to a depth and an amount of text."""

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def commands(self, text: str, directory: str | None, depth: int) -> Iterator[Simple]:
        self._budget -= len(text) + 50
        if depth > _DEEPEST or self._budget < 0:
            return
        before: Simple | None = None
        for draft in _Parser(text, directory).drafts():
            for inner in (
                *draft.inner,
                *(part for doc in draft.heredocs if doc.expanded for part in substituted(doc.body)),
            ):
                yield from self.commands(inner, draft.directory, depth + 1)
            simple = _finished(draft)
            yield from self._unwrapped(simple, depth)
            if before and before.piped and _reads_commands(simple):
                yield from self.commands(_printed(before), draft.directory, depth + 1)
            before = simple

    def _unwrapped(self, simple: Simple, depth: int) -> Iterator[Simple]:
        if _reads_commands(simple) and simple.heredocs:
            for text in simple.heredocs:
                yield from self.commands(text, simple.directory, depth + 1)
            return
        found = inside(simple.words) if simple.words and depth <= _DEEPEST else ()
        if not found or simple.program == "find":
            yield simple
        for part in found:
            self._budget -= 1
            if isinstance(part, str):
                yield from self.commands(part, simple.directory, depth + 1)
                if simple.redirections:
                    yield msgspec.structs.replace(simple, words=())
            else:
                yield from self._unwrapped(msgspec.structs.replace(simple, words=part), depth + 1)


def copies(operator: str, target: str) -> bool:
    """Whether a redirection makes one descriptor the same as another, as `2>&1` does, and names no file."""
    return operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", target) is not None


def _finished(draft: _Draft) -> Simple:
    return Simple(
        words=tuple(word.text for word in draft.words),
        assignments=tuple(draft.assignments),
        redirections=tuple(draft.redirections),
        heredocs=tuple(heredoc.body for heredoc in draft.heredocs),
        directory=draft.directory,
        piped=draft.piped,
    )


def _printed(simple: Simple) -> str:
    """What a command prints, where that can be told from it."""
    if simple.program in ("echo", "printf"):
        return " ".join(simple.arguments)
    return "\n".join(simple.heredocs) if simple.program == "cat" else ""


def _reads_commands(simple: Simple) -> bool:
    """Whether this is a shell that reads what it runs from its input."""
    return simple.program in SHELLS and not [word for word in simple.arguments if not word.startswith("-")]


class _Parser:
    """Reads one text into drafts."""

    def __init__(self, text: str, directory: str | None) -> None:
        self._lexer = Lexer(text)
        self._directory = directory
        self._folders: list[str | None] = []
        self._draft = _Draft(directory=directory)
        self._drafts: list[_Draft] = []
        self._in_case = 0

    def drafts(self) -> list[_Draft]:
        """Every command, in order."""
        while (token := self._lexer.next()) is not None:
            if isinstance(token, Word):
                self._word(token)
            elif token.text in REDIRECTIONS:
                self._redirection(token.text)
            elif token.text == "(":
                self._open()
            else:
                self._separator(token.text)
        self._finish()
        return self._drafts

    def _word(self, word: Word) -> None:
        draft = self._draft
        if not draft.words:
            if word.bare and word.text in _KEYWORDS:
                return
            if word.bare and word.text in ("for", "select", "case", "function", "[["):
                self._compound(word)
                return
            assignment = ASSIGNMENT.match(word.text)
            if assignment:
                draft.assignments.append((assignment[1], word.text[assignment.end() :]))
                draft.inner.extend(word.inner or substituted(word.text))
                return
            if word == Word("esac"):
                self._in_case -= 1
                return
        draft.words.append(word)
        draft.inner.extend(word.inner)

    def _compound(self, word: Word) -> None:
        """What is no command of its own: the words of a loop, a case's subject, a function's name, a test."""
        ends = {"for": (";", "\n", "do"), "select": (";", "\n", "do"), "case": ("in",), "[[": ("]]", "\n")}
        while word.text != "function":
            token = self._lexer.next()
            if token is None or token.text in ends[word.text]:
                break
            if isinstance(token, Word):
                self._draft.inner.extend(token.inner)
        if word.text == "function":
            self._lexer.next()
        if word.text == "case":
            self._in_case += 1
            self._pattern()
        if word.text == "[[":
            self._draft.words.append(word)

    def _pattern(self) -> None:
        """Step over `(a|b)` of a case, or see that the case ends."""
        while (token := self._lexer.next()) is not None:
            if token == Word("esac"):
                self._in_case -= 1
                return
            if token == Operator(")"):
                return

    def _redirection(self, operator: str) -> None:
        target = self._lexer.next()
        if not isinstance(target, Word):
            if target is not None:
                self._separator(target.text)
            return
        self._draft.inner.extend(target.inner)
        if operator in ("<<", "<<-"):
            heredoc = Heredoc(target.text, operator == "<<-", target.bare)
            self._lexer.wait_for(heredoc)
            self._draft.heredocs.append(heredoc)
        elif operator == "<<<":
            self._draft.heredocs.append(Heredoc("", False, False, target.text))
        elif not copies(operator, target.text):
            self._draft.redirections.append(Redirection(operator, target.text))

    def _open(self) -> None:
        if self._draft.words:
            after = self._lexer.next()
            if after == Operator(")"):  # the name of a function
                self._draft.words.clear()
                return
            self._finish()
            self._folders.append(self._directory)
            if isinstance(after, Word):
                self._word(after)
            elif after is not None:
                self._separator(after.text)
        elif not self._lexer.skip_arithmetic():
            self._folders.append(self._directory)

    def _separator(self, operator: str) -> None:
        self._finish(piped=operator in ("|", "|&"))
        if operator == ")" and self._folders:
            self._directory = self._draft.directory = self._folders.pop()
        if operator in (";;", ";&", ";;&") and self._in_case:
            self._pattern()

    def _finish(self, *, piped: bool = False) -> None:
        draft = self._draft
        draft.piped = piped
        if draft.words or draft.assignments or draft.redirections or draft.heredocs or draft.inner:
            self._drafts.append(draft)
            self._change_directory([word.text for word in draft.words])
        self._draft = _Draft(directory=self._directory)

    def _change_directory(self, words: list[str]) -> None:
        if not words or words[0] not in ("cd", "pushd", "chdir", "popd", "Set-Location"):
            return
        target = next((word for word in words[1:] if not word.startswith("-") or word == "-"), "-")
        if _UNKNOWN.search(target):
            self._directory = None
        elif posixpath.isabs(target):
            self._directory = posixpath.normpath(target)
        elif self._directory is not None:
            self._directory = posixpath.normpath(posixpath.join(self._directory, target)).removeprefix("./")
            self._directory = "" if self._directory == "." else self._directory
