"""The grammar of a command line: its commands as they are written, one after the other."""

import posixpath
import re

import msgspec

from gate.cmdline import variables
from gate.cmdline.lexer import Heredoc, Lexer, Operator, Word, substituted
from gate.cmdline.target import UNTOLD
from gate.cmdline.variables import Values

KEYWORDS = frozenset(["if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "coproc"])
REDIRECTIONS = frozenset([">", ">>", ">|", "&>", "&>>", ">&", "<", "<>", "<&", "<<", "<<-", "<<<"])
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=")
_MOST = 1000  # variables of a line, and values of one
_UNKNOWN = re.compile(r"[$`*?{~\0]|^-$")


def copies(operator: str, target: str) -> bool:
    """Whether a redirection makes one descriptor the same as another, as `2>&1` does, and names no file."""
    return operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", target) is not None


class Redirection(msgspec.Struct, frozen=True):
    """`>`, `>>`, `<` and so on, and the file that it names. Copies of descriptors (`2>&1`) are left out."""

    operator: str
    target: str


class Draft(msgspec.Struct):
    """A command being read; its here-documents are filled in later.

    `fixed` are words in which a `$` is nothing but a sign, `known` is how many variables were set before it.
    """

    words: list[Word] = []
    assignments: list[tuple[str, str]] = []
    redirections: list[Redirection] = []
    heredocs: list[Heredoc] = []
    inner: list[str] = []
    directory: str | None = ""
    piped: bool = False
    fixed: list[str] = []
    known: int = 0


class Grammar:
    """Reads one text into drafts; `values` are what it and the line around it assign, all of it once that is done."""

    def __init__(self, text: str, directory: str | None, around: Values) -> None:
        self._lexer = Lexer(text)
        self._directory = directory
        self._folders: list[str | None] = []
        self._draft = Draft(directory=directory)
        self._drafts: list[Draft] = []
        self._in_case = 0
        self.values: dict[str, list[str]] = {name: list(found) for name, found in around.items()}

    def drafts(self) -> list[Draft]:
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
            if word.bare and word.text in KEYWORDS:
                return
            if word.bare and word.text in ("for", "select", "case", "function", "[["):
                self._compound(word)
                return
            assignment = ASSIGNMENT.match(word.text)
            if assignment:
                self._set(variables.assigned(word.text))
                draft.assignments.append((assignment[1], word.text[assignment.end() :]))
                draft.inner.extend(word.inner or substituted(word.text))
                return
            if word == Word("esac"):
                self._in_case -= 1
                return
        draft.words.append(word)
        draft.inner.extend(word.inner)
        self._note(word)

    def _note(self, word: Word) -> None:
        if variables.expands(word.text):
            self._draft.known = len(self.values)
            if not word.expanded:
                self._draft.fixed.append(word.text)

    def _set(self, found: tuple[str, list[str]] | None) -> None:
        if found is None or (found[0] not in self.values and len(self.values) >= _MOST):
            return
        values = self.values.setdefault(found[0], [])
        values += found[1] if len(values) + len(found[1]) <= _MOST else [UNTOLD]

    def _compound(self, word: Word) -> None:
        """What is no command of its own: the words of a loop, a case's subject, a function's name, a test."""
        ends = {"for": (";", "\n", "do"), "select": (";", "\n", "do"), "case": ("in",), "[[": ("]]", "\n")}
        words: list[str] = []
        while word.text != "function":
            token = self._lexer.next()
            if token is None or token.text in ends[word.text]:
                break
            if isinstance(token, Word):
                self._draft.inner.extend(token.inner)
                words.append(token.text)
        if word.text in ("for", "select") and words:
            self._set((words[0], words[2:] if words[1:2] == ["in"] else [UNTOLD]))
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
        self._note(target)
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
            if self._draft.words[-1].text[-1:] in ("!", "?", "*", "+", "@"):
                self._extended()
                return
            self._finish()
            self._folders.append(self._directory)
            if isinstance(after, Word):
                self._word(after)
            elif after is not None:
                self._separator(after.text)
        elif skipped := self._lexer.arithmetic():
            self._draft.inner.extend(substituted(skipped))
        else:
            self._folders.append(self._directory)

    def _extended(self) -> None:
        """`!(a|b)`, a pattern of bash's, as the one that it is without its parentheses."""
        while (token := self._lexer.next()) is not None and token != Operator(")"):
            pass
        last = self._draft.words.pop()
        self._draft.words.append(msgspec.structs.replace(last, text=f"{last.text[:-1]}*"))

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
            words = [word.text for word in draft.words]
            self._change_directory(words)
            for found in variables.declared(words):
                self._set(found)
        self._draft = Draft(directory=self._directory)

    def _change_directory(self, words: list[str]) -> None:
        if not words or words[0] not in ("cd", "pushd", "chdir", "popd", "Set-Location"):
            return
        target = next((word for word in words[1:] if not word.startswith("-") or word == "-"), "-")
        if variables.expands(target):
            found = variables.spread(target, self.values)
            target = found[0] if len(found) == 1 else "-"
        if _UNKNOWN.search(target):
            self._directory = None
        elif posixpath.isabs(target):
            self._directory = posixpath.normpath(target)
        elif self._directory is not None:
            self._directory = posixpath.normpath(posixpath.join(self._directory, target)).removeprefix("./")
            self._directory = "" if self._directory == "." else self._directory
