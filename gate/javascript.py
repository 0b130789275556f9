"""What a piece of JavaScript calls with arguments that can be read off it, without running anything."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.text import encoded

UNREAD = object()
"""In place of a value that only running the script would tell."""

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<template>`(?:[^`\\]|\\.)*`)"
    r"|(?P<number>0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<sign>=>|\.\.\.|\?\.|[+\-*/%&|^!=<>?]=+|\+\+|--|&&|\|\||\?\?|.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
_DEEPEST = 50
_LONGEST = 1 << 22  # characters, of a script and of a text that it puts together
_MOST = 200_000  # parts of expressions


class Call(msgspec.Struct, frozen=True):
    """One call of `tools.NAME(…)`: its name and its first argument, UNREAD where that is no literal."""

    name: str
    argument: Any


class _Token(msgspec.Struct, frozen=True):
    kind: str
    text: str


class _Stuck(Exception):
    """The expression is more than literals."""


def tool_calls(source: str) -> tuple[Call, ...]:
    """The calls of members of `tools` in a script, in the order of its text.

    Literals are read, names bound once to a literal, `+` between texts, `[…].join(…)` and `String.raw`. Whether a call
    is reached, and how often, the text does not tell.
    """
    if len(source) > _LONGEST:
        return ()
    return tuple(_Script(source).calls())


def _tokens(source: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(source):
        kind = match.lastgroup
        if kind is not None and kind != "space":
            yield _Token(kind, match.group())


class _Script:
    """The tokens of one script, and the names in it that stand for literals."""

    def __init__(self, source: str) -> None:
        self._tokens = list(_tokens(source))
        self._bound: dict[str, int] = {}
        self._at = 0
        self._depth = 0
        self._parts = 0
        self._bind()

    def calls(self) -> Iterator[Call]:
        for start in range(len(self._tokens)):
            if not (self._is(start, "tools") and not self._is(start - 1, ".")):
                continue
            if self._is(start + 1, ".") and self._is(start + 3, "("):
                name, after = self._text(start + 2), start + 4
            elif self._is(start + 1, "[") and self._is(start + 3, "]") and self._is(start + 4, "("):
                name, after = _unquoted(self._text(start + 2)), start + 5
            else:
                continue
            yield Call(name, None if self._is(after, ")") else self._value(after, (",", ")")))

    def _bind(self) -> None:
        """Names that are declared once and assigned nowhere else."""
        assigned: set[str] = set()
        for at, token in enumerate(self._tokens):
            if token.kind != "name":
                continue
            declared = self._text(at - 1) in ("const", "let", "var")
            if self._text(at + 1) in ("++", "--") or self._text(at - 1) in ("++", "--"):
                assigned.add(token.text)
            elif declared and self._is(at + 1, "=") and token.text not in self._bound:
                self._bound[token.text] = at + 2
            elif declared or (self._is_assignment(at + 1) and not self._is(at - 1, ".")):
                assigned.add(token.text)
        for name in assigned:
            self._bound.pop(name, None)

    def _is_assignment(self, at: int) -> bool:
        text = self._text(at)
        return text == "=" or (len(text) > 1 and text.endswith("=") and text[0] in "+-*/%&|^?")

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _is(self, at: int, text: str) -> bool:
        return self._text(at) == text and self._tokens[at].kind in ("sign", "name")

    def _value(self, at: int, ends: tuple[str, ...]) -> Any:
        """The value of the expression that begins at a token and must end before one of `ends`."""
        self._at, self._depth = at, 0
        try:
            value = self._sum()
        except _Stuck:
            return UNREAD
        return value if self._text(self._at) in ends else UNREAD

    def _sum(self) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Stuck
        value = self._member()
        while self._is(self._at, "+"):
            self._at += 1
            more = self._member()
            if not (isinstance(value, str) and isinstance(more, str)):
                raise _Stuck
            value = _joined("", [value, more])
        self._depth -= 1
        return value

    def _member(self) -> Any:
        value = self._primary()
        while self._is(self._at, ".") and self._is(self._at + 2, "("):
            method = self._text(self._at + 1)
            self._at += 3
            arguments = self._list(")")
            value = _called(value, method, arguments)
        return value

    def _primary(self) -> Any:
        self._parts += 1
        if self._at >= len(self._tokens) or self._parts > _MOST:
            raise _Stuck
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "text":
            return _unquoted(token.text)
        if token.kind == "template":
            return _template(token.text, raw=False)
        if token.kind == "number":
            return _number(token.text)
        if token.kind == "name":
            return self._named(token.text)
        if token.text == "[":
            return self._list("]")
        if token.text == "{":
            return self._object()
        if token.text == "(":
            value = self._sum()
            self._expect(")")
            return value
        raise _Stuck

    def _named(self, name: str) -> Any:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name == "String" and self._is(self._at, ".") and self._text(self._at + 1) == "raw":
            self._at += 3
            return _template(self._text(self._at - 1), raw=True)
        start = self._bound.get(name)
        if start is None or start >= self._at:  # not yet bound where it is used
            raise _Stuck
        back, self._at = self._at, start
        value = self._sum()
        self._at = back
        return value

    def _list(self, end: str) -> list[Any]:
        values = []
        while not self._is(self._at, end):
            values.append(self._sum())
            if not self._is(self._at, end):
                self._expect(",")
        self._at += 1
        return values

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._is(self._at, "}"):
            key = self._tokens[self._at] if self._at < len(self._tokens) else _Token("", "")
            self._at += 1
            if key.kind not in ("name", "text", "number"):
                raise _Stuck
            name = _unquoted(key.text) if key.kind == "text" else key.text
            if self._is(self._at, ":"):
                self._at += 1
                found[name] = self._entry()
            else:
                self._at -= 1  # the key names its value
                found[name] = self._entry()
            if not self._is(self._at, "}"):
                self._expect(",")
        self._at += 1
        return found

    def _entry(self) -> Any:
        """The value of one key; one that cannot be read leaves the others readable."""
        start = self._at
        try:
            value = self._sum()
            if self._text(self._at) in (",", "}"):
                return value
        except _Stuck:
            pass
        self._at = start
        self._skip()
        return UNREAD

    def _skip(self) -> None:
        """On to the comma or brace that ends the value here."""
        open_ = 0
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.kind == "sign":
                if open_ == 0 and token.text in (",", "}"):
                    return
                open_ += (token.text in "([{") - (token.text in ")]}")
            self._at += 1
        raise _Stuck

    def _expect(self, text: str) -> None:
        if not self._is(self._at, text):
            raise _Stuck
        self._at += 1


def _called(value: Any, method: str, arguments: list[Any]) -> Any:
    if method == "join" and isinstance(value, list) and all(isinstance(part, str) for part in value):
        by = arguments[0] if arguments else ","
        if isinstance(by, str):
            return _joined(by, value)
    if method == "trim" and isinstance(value, str) and not arguments:
        return value.strip()
    if method == "concat" and isinstance(value, str) and all(isinstance(part, str) for part in arguments):
        return _joined("", [value, *arguments])
    raise _Stuck


def _joined(by: str, parts: list[str]) -> str:
    if sum(map(len, parts)) + len(by) * len(parts) > _LONGEST:  # names may double a text again and again
        raise _Stuck
    return by.join(parts)


def _unquoted(text: str) -> str:
    return encoded(_ESCAPE.sub(_escape, text[1:-1])).decode()


def _template(text: str, *, raw: bool) -> str:
    body = text[1:-1].replace("\r\n", "\n")
    if text[:1] != "`" or re.search(r"(?<!\\)(?:\\\\)*\$\{", body):
        raise _Stuck
    return body if raw else _unquoted(f"`{body}`")


def _escape(match: re.Match[str]) -> str:
    braced, four, two, one = match.groups()
    code = braced or four or two
    if code:
        value = int(code, 16)
        return chr(value) if value < 0x110000 else "\ufffd"
    return "" if one in ("\n", "\r\n", "\u2028", "\u2029") else _SHORT.get(one, one)


def _number(text: str) -> int | float:
    plain = text.replace("_", "")
    try:
        return int(plain, 0) if plain.lower().startswith("0x") or plain.isdigit() else float(plain)
    except ValueError:
        raise _Stuck from None
