"""Words and operators of a command line, as a POSIX shell and bash cut it. Nothing raises: garbage is words too."""

import re
from collections.abc import Iterator

import msgspec


class Word(msgspec.Struct, frozen=True):
    """One word with its quotes taken off. `inner` are the texts of the commands that are substituted into it.

    Expansions stay as they are written (`$HOME`, `$(date)`). `bare` is a word without any quoting or substitution.
    `expanded` says that a shell puts the value of a variable or the output of a command into it, `loose` that a word
    with quotes in it has signs of a pattern, of braces or of a home folder outside of them.
    """

    text: str
    bare: bool = True
    inner: tuple[str, ...] = ()
    expanded: bool = False
    loose: bool = False

    @property
    def pattern(self) -> bool:
        """Whether a shell would expand what is not quoted of it, as a pattern, braces or a home folder."""
        return self.loose or (self.bare and not self.expanded and _ACTIVE.search(self.text) is not None)


class Operator(msgspec.Struct, frozen=True):
    """What stands between words: a separator, a newline, a redirection with its `descriptor`, and the like."""

    text: str
    descriptor: str = ""


class Heredoc(msgspec.Struct):
    """The body of a here-document, filled in when the newline after its command has been read."""

    delimiter: str
    indented: bool
    expanded: bool
    body: str = ""


_NEXT = re.compile(r"(?:[ \t\r]|\\\r?\n)*(?:#[^\n]*)?([^\s;&|()<>'\"`$\\]+(?=[ \t\n;&|)]|$))?")  # up to a plain word
_OPERATOR = re.compile(r"\n|;;&|;;|;&|;|&&|&>>|&>|&|\|\||\|&|\||\(|\)|<<<|<<-|<<|<&|<>|<(?!\()|>>|>\||>&|>(?!\()")
_DESCRIPTOR = re.compile(r"(?:\d+|\{\w+\})(?=[<>])")
_PLAIN = re.compile(r"[^\s;&|()<>'\"`$\\]+")
_ACTIVE = re.compile(r"[*?\[~]|\{[^}]*(?:,|\.\.)")
_LOOSE = re.compile(r"[*?\[~{]")
_VALUE = re.compile(r"\$[\w@*#?$!\[-]")
_PLAIN_QUOTED = re.compile(r"[^\"\\`$]+")
_END_OF_WORD = " \t\r\n;&|()<>"
_MARK = re.compile(r"[\\'\"`(){}#\n<]")
_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"\\]?)([^\s'\"\\;&|()<>]+)")
_MOST_SUBSHELLS = 100  # `((` that were no arithmetic: to see that takes a look at all that follows
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'?", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:[xuU](?P<hex>[0-9a-fA-F]{1,8})|(?P<octal>[0-7]{1,3})|(?P<sign>.))", re.DOTALL)
_SUBSTITUTED = re.compile(r"\\.|\$\(|`", re.DOTALL)


class Lexer:
    """Cuts one text. `heredocs` waits for the next newline: whoever reads `<<` puts what is to be filled there."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._waiting: list[Heredoc] = []
        self._expanded = False
        self._subshells = 0

    def __iter__(self) -> Iterator[Word | Operator]:
        while (token := self.next()) is not None:
            yield token

    def next(self) -> Word | Operator | None:
        """The next word or operator; None at the end."""
        found = _NEXT.match(self._text, self._at)
        if found is not None:
            self._at = found.end()
            if found[1] is not None:
                return Word(found[1])
        if self._at >= len(self._text):
            return None
        described = _DESCRIPTOR.match(self._text, self._at)
        descriptor = self._upto(described.end()) if described else ""
        found = _OPERATOR.match(self._text, self._at)
        if found is None:
            return self._word()
        self._at = found.end()
        if found.group() == "\n":
            self._read_heredocs()
        return Operator(found.group(), descriptor)

    def wait_for(self, heredoc: Heredoc) -> None:
        """Fill this here-document in at the next newline."""
        self._waiting.append(heredoc)

    def arithmetic(self, signs: int = 1) -> str:
        """Step over the rest of `((…))`, `signs` before what is in it; empty where there are two subshells instead."""
        if self._subshells > _MOST_SUBSHELLS or not self._text.startswith("(", self._at + signs - 1):
            return ""
        end = closing(self._text, self._at + signs, "))")
        is_one = self._text.endswith("))", 0, end)
        self._subshells += not is_one
        return self._upto(end) if is_one else ""

    def _read_heredocs(self) -> None:
        for heredoc in self._waiting:
            heredoc.body, self._at = _body(self._text, self._at, heredoc.delimiter, indented=heredoc.indented)
        self._waiting.clear()

    def _word(self) -> Word:
        text, start = self._text, self._at
        pieces: list[str] = []
        inner: list[str] = []
        self._expanded = active = False
        while self._at < len(text):
            plain = _PLAIN.match(text, self._at)
            if plain:
                pieces.append(plain.group())
                active = active or _LOOSE.search(plain.group()) is not None
                self._at = plain.end()
                continue
            sign = text[self._at]
            if sign in "<>" and text.startswith("(", self._at + 1):
                pieces.append(self._substitution(2, inner))
            elif sign == "(" and pieces and pieces[-1].endswith("="):  # the values of an array
                pieces.append(self._upto(closing(text, self._at + 1)))
                self._expanded = True
            elif sign in _END_OF_WORD:
                break
            elif sign == "'":
                end = text.find("'", self._at + 1)
                pieces.append(self._upto(end + 1 if end >= 0 else len(text))[1:].removesuffix("'" if end >= 0 else ""))
            elif sign == '"':
                self._at += 1
                pieces.append(self._quoted(inner))
            elif sign == "\\":
                pieces.append(text[self._at + 1 : self._at + 2].replace("\n", ""))
                self._at += 2
            else:
                pieces.append(self._expansion(inner))
        if self._at == start:  # a space of another alphabet
            pieces.append(self._upto(start + 1))
        word = "".join(pieces)
        bare = word == text[start : self._at] and not inner
        expanded = self._expanded or bool(inner)
        return Word(word, bare=bare, inner=tuple(inner), expanded=expanded, loose=active and not bare)

    def _upto(self, end: int) -> str:
        start, self._at = self._at, end
        return self._text[start:end]

    def _quoted(self, inner: list[str]) -> str:
        """The content of double quotes whose first one has been read."""
        text = self._text
        pieces: list[str] = []
        while self._at < len(text):
            plain = _PLAIN_QUOTED.match(text, self._at)
            if plain:
                pieces.append(plain.group())
                self._at = plain.end()
            elif text[self._at] == '"':
                self._at += 1
                break
            elif text[self._at] == "\\":
                escaped = text[self._at + 1 : self._at + 2]
                pieces.append({"\n": ""}.get(escaped, escaped) if escaped in '"\\`$\n' else "\\" + escaped)
                self._at += 2
            else:
                pieces.append(self._expansion(inner, quoted=True))
        return "".join(pieces)

    def _expansion(self, inner: list[str], *, quoted: bool = False) -> str:
        text = self._text
        self._expanded = self._expanded or _VALUE.match(text, self._at) is not None
        if text[self._at] == "`":
            end = _end_of_backticks(text, self._at + 1)
            whole = self._upto(end)
            inner.append(re.sub(r"\\([\\`$])", r"\1", whole[1:].removesuffix("`")))
            return whole
        if text.startswith("$((", self._at) and (whole := self.arithmetic(3)):
            self._expanded = True
            inner.extend(substituted(whole[3:]))
            return whole
        if text.startswith("$(", self._at):
            return self._substitution(2, inner)
        if text.startswith("${", self._at):
            self._expanded = True
            whole = self._upto(closing(text, self._at + 2, "}"))
            inner.extend(substituted(whole[2:]))
            return whole
        if text.startswith("$'", self._at) and not quoted:
            return self._ansi()
        if text.startswith('$"', self._at) and not quoted:
            self._at += 2
            return self._quoted(inner)
        return self._upto(self._at + 1)

    def _substitution(self, opening: int, inner: list[str]) -> str:
        whole = self._upto(closing(self._text, self._at + opening))
        inner.append(whole[opening:].removesuffix(")"))
        return whole

    def _ansi(self) -> str:
        found = _ANSI.match(self._text, self._at)
        self._at = found.end() if found else len(self._text)
        return _ESCAPED.sub(_unescaped, found[1]) if found else ""


def _unescaped(found: re.Match[str]) -> str:
    sign = found["sign"]
    if sign is not None:
        return _ESCAPES.get(sign, sign)
    code = int(found["hex"], 16) if found["hex"] else int(found["octal"], 8)
    return chr(code) if code <= 0x10FFFF else ""


def substituted(text: str) -> list[str]:
    """The commands that `$(…)` and backticks substitute into a text, such as the body of a here-document."""
    inner: list[str] = []
    at = 0
    while (found := _SUBSTITUTED.search(text, at)) is not None:
        at = found.end()
        if found.group() == "$(":
            end = closing(text, at)
            inner.append(text[at:end].removesuffix(")"))
            at = end
        elif found.group() == "`":
            end = _end_of_backticks(text, at)
            inner.append(text[at:end].removesuffix("`"))
            at = end
    return inner


def closing(text: str, at: int, ends: str = ")") -> int:
    """Where what was opened before `at` is closed again, just behind it; the end of the text when it never is.

    Quotes, comments and here-documents are stepped over, as in `"$(cat <<'EOF'` with an apostrophe in the text.
    """
    open_ = list(ends)
    documents: list[Heredoc] = []
    while (found := _MARK.search(text, at)) is not None:
        sign, at = found.group(), found.end()
        quoted = open_[-1] == '"'
        if sign == "\\":
            at += 1
        elif sign == open_[-1]:
            open_.pop()
            if not open_:
                return at
        elif sign == "`":
            at = _end_of_backticks(text, at)
        elif sign in "({" and (not quoted or text[at - 2 : at - 1] == "$"):
            if sign == "(" or text[at - 2 : at - 1] == "$":
                open_.append(")" if sign == "(" else "}")
        elif quoted:
            continue
        elif sign == "'":
            end = text.find("'", at)
            at = end + 1 if end >= 0 else len(text)
        elif sign == '"':
            open_.append('"')
        elif sign == "#" and text[at - 2 : at - 1].isspace():
            at = _end_of_line(text, at)
        elif sign == "<" and (document := _DOCUMENT.match(text, at - 1)) and text[at - 2 : at - 1] != "<":
            documents.append(Heredoc(document[2], text.startswith("-", at + 1), not document[1]))
            at = document.end()
        elif sign == "\n":
            for waiting in documents:
                at = _body(text, at, waiting.delimiter, indented=waiting.indented)[1]
            documents.clear()
    return len(text)


def _end_of_backticks(text: str, at: int) -> int:
    while at < len(text) and text[at] != "`":
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _body(text: str, at: int, delimiter: str, *, indented: bool) -> tuple[str, int]:
    """The lines up to the one that is the delimiter, and where the text goes on behind it."""
    lines: list[str] = []
    while at < len(text):
        end = _end_of_line(text, at)
        line = text[at:end].removesuffix("\r")
        at = end + 1
        line = line.lstrip("\t") if indented else line
        if line == delimiter:
            break
        lines.append(line + "\n")
    return "".join(lines), min(at, len(text))
