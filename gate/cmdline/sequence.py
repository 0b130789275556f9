"""A command line as a sequence of simple commands in the order in which a shell runs them, as far as it is one.

Where `shell` tells every command that a line may run, this room tells what does run, one after the other: a loop, a
condition or anything else that only running would tell ends it.
"""

import msgspec

from gate.cmdline.grammar import ASSIGNMENT, REDIRECTIONS, copies
from gate.cmdline.lexer import Heredoc, Lexer, Operator, Word
from gate.errors import NotRepeated

_COMPOUND = frozenset(
    "if then elif else fi for while until do done case esac select function coproc [[ ! time".split()  # noqa: SIM905
)
_ENDS = (";", "\n")
_DEEPEST = 8


class Redirect(msgspec.Struct, frozen=True):
    """One redirection of a simple command; `descriptor` is the number before it, `target` the word after it."""

    operator: str
    descriptor: str
    target: Word

    @property
    def copies(self) -> bool:
        """Whether it makes one descriptor the same as another, and names no file."""
        return copies(self.operator, self.target.text)


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One simple command: its words as written, and what it reads and writes."""

    words: tuple[Word, ...]
    assignments: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    document: Heredoc | None = None

    @property
    def text(self) -> str:
        """The words and redirections, for a message."""
        to = (f"{to.descriptor}{to.operator} {to.target.text}" for to in self.redirects if not to.copies)
        return " ".join([*(word.text for word in self.words), *to])


class Group(msgspec.Struct, frozen=True):
    """Commands in parentheses, which leave the folder as it was for what comes after, or in braces."""

    body: "tuple[Chain, ...]"
    parentheses: bool


class Chain(msgspec.Struct, frozen=True):
    """Pipelines joined by `&&` and `||`; the first one's operator is empty."""

    pipelines: tuple[tuple[str, tuple[Part | Group, ...]], ...]


class Line(msgspec.Struct, frozen=True):
    """A whole line or script. `stopped` is why it was read no further; empty when all of it was."""

    chains: tuple[Chain, ...]
    stopped: str = ""


def read(text: str) -> Line:
    """The chains of a line, in order; nothing is raised, whatever it holds."""
    reader = _Reader(text)
    chains: list[Chain] = []
    try:
        reader.chains(chains, depth=0)
        if reader.token is not None:
            raise NotRepeated("it is no whole command line", kind="syntax")
    except NotRepeated as error:
        return Line(tuple(chains), error.message)
    return Line(tuple(chains))


class _Reader:
    """Reads one text; `token` is the next one that is not yet used."""

    def __init__(self, text: str) -> None:
        self._lexer = Lexer(text)
        self.token = self._lexer.next()

    def chains(self, found: list[Chain], *, depth: int) -> None:
        """Put every chain up to what closes the group, or to the end, into `found`."""
        if depth > _DEEPEST:
            raise NotRepeated("it is nested too deeply", kind="syntax")
        while self.token is not None and not self._closes():
            if self._is(*_ENDS):
                self._take()
                continue
            self._chain(found, depth)
            if self._is("&"):
                raise NotRepeated("it leaves something running in the background", kind="background")

    def _chain(self, found: list[Chain], depth: int) -> None:
        pipelines: list[tuple[str, tuple[Part | Group, ...]]] = []
        operator = ""
        try:
            while True:
                pipelines.append((operator, self._pipeline(depth)))
                if not self._is("&&", "||"):
                    return
                operator = self._operator()
                self._newlines()
        finally:
            if pipelines:
                found.append(Chain(tuple(pipelines)))

    def _pipeline(self, depth: int) -> tuple[Part | Group, ...]:
        parts = [self._command(depth)]
        while self._is("|", "|&"):
            self._take()
            self._newlines()
            parts.append(self._command(depth))
        return tuple(parts)

    def _command(self, depth: int) -> Part | Group:
        token = self.token
        if token in (Operator("("), Word("{")):
            self._take()
            body: list[Chain] = []
            self.chains(body, depth=depth + 1)
            if self.token != (Operator(")") if isinstance(token, Operator) else Word("}")):
                raise NotRepeated("it is no whole command line", kind="syntax")
            self._take()
            if isinstance(self.token, Word) or self._is(*REDIRECTIONS):
                raise NotRepeated("the output of a group is redirected", kind="group")
            return Group(tuple(body), isinstance(token, Operator))
        if isinstance(token, Word) and token.bare and token.text in _COMPOUND:
            raise NotRepeated("it has a loop or a condition", kind="compound")
        return self._part()

    def _part(self) -> Part:
        words: list[Word] = []
        assignments: list[str] = []
        redirects: list[Redirect] = []
        document: Heredoc | None = None
        while isinstance(self.token, Word) or self._is(*REDIRECTIONS):
            if isinstance(self.token, Word):
                word = self.token
                assignment = None if words else ASSIGNMENT.match(word.text)
                if assignment:
                    assignments.append(assignment[1])
                else:
                    words.append(word)
                self._take()
                continue
            redirect = self._redirect()
            if redirect.operator.startswith("<<"):
                document = _document(redirect.operator, redirect.target)
                if redirect.operator != "<<<":
                    self._lexer.wait_for(document)
            else:
                redirects.append(redirect)
            self._take()  # after the here-document has been announced, since its text follows this line
        if self._is("(") or not (words or assignments or redirects or document):
            raise NotRepeated("it is no plain command", kind="syntax")
        return Part(words=tuple(words), assignments=tuple(assignments), redirects=tuple(redirects), document=document)

    def _redirect(self) -> Redirect:
        """The redirection; its target is left as the token at hand."""
        operator = self.token
        self._take()
        if not isinstance(operator, Operator) or not isinstance(self.token, Word):
            raise NotRepeated("it is no whole command line", kind="syntax")
        return Redirect(operator.text, operator.descriptor, self.token)

    def _is(self, *operators: str) -> bool:
        return isinstance(self.token, Operator) and self.token.text in operators

    def _closes(self) -> bool:
        return self.token in (Operator(")"), Word("}"))

    def _operator(self) -> str:
        operator = self.token.text if self.token is not None else ""
        self._take()
        return operator

    def _take(self) -> None:
        self.token = self._lexer.next()

    def _newlines(self) -> None:
        while self._is("\n"):
            self._take()


def _document(operator: str, target: Word) -> Heredoc:
    if operator == "<<<":
        return Heredoc("", False, target.expanded or target.pattern, target.text + "\n")
    return Heredoc(target.text, operator == "<<-", target.bare)
