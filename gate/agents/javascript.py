"""What a piece of JavaScript calls with arguments that can be read off it, without running anything."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gate.agents.jstoken import LONGEST, Stuck, Token, number, template, tokens, unquoted

UNREAD = object()
"""In place of a value that only running the script would tell."""

_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
_DEEPEST = 50
_PART = 40
"""What a step costs, as many characters; names may have the same text read and put together again and again."""


class Call(msgspec.Struct, frozen=True):
    """One call of `tools.NAME(…)`: its name and its first argument, UNREAD where that is no literal."""

    name: str
    argument: Any


def tool_calls(source: str) -> tuple[Call, ...]:
    """The calls of members of `tools` in a script, in the order of its text.

    Where calls cannot be told, one of apply_patch with nothing that can be read stands for them. Literals are read,
    names bound once to a literal, `+` between texts, `[…].join(…)` and `String.raw`. Whether a call is reached, and how
    often, the text does not tell.
    """
    found = tokens(source)
    if found is not None:
        return tuple(_Script(found).calls())
    return (Call("apply_patch", UNREAD),) if "tools" in source else ()


class _Script:
    """The tokens of one script, and the names in it that stand for literals."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._bound: dict[str, int] = {}
        self._at = 0
        self._depth = 0
        self._left = 2 * LONGEST
        self._bind()

    def calls(self) -> Iterator[Call]:
        for start in range(len(self._tokens)):
            if not self._is(start, "tools") or self._is(start - 1, "."):
                continue
            if self._is(start + 1, ".") and self._is(start + 3, "("):
                yield self._call(self._text(start + 2), start + 4)
            elif self._is(start + 1, "[") and self._is(start + 3, "]") and self._is(start + 4, "("):
                yield self._call(unquoted(self._text(start + 2)), start + 5)
            elif self._is(start + 1, "[") or (self._is(start - 1, "=") and not self._is(start + 1, ".")):
                yield Call("apply_patch", UNREAD)  # under another name: whatever is called may be it

    def _call(self, name: str, after: int) -> Call:
        return Call(name, None if self._is(after, ")") else self._value(after, (",", ")")))

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
        except Stuck:
            return UNREAD
        return value if self._text(self._at) in ends else UNREAD

    def _sum(self) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Stuck
        value = self._member()
        while self._is(self._at, "+"):
            self._at += 1
            more = self._member()
            if not (isinstance(value, str) and isinstance(more, str)):
                raise Stuck
            value = self._joined("", [value, more])
        self._depth -= 1
        return value

    def _member(self) -> Any:
        value = self._primary()
        while self._is(self._at, ".") and self._is(self._at + 2, "("):
            method = self._text(self._at + 1)
            self._at += 3
            arguments = self._list(")")
            value = self._called(value, method, arguments)
        return value

    def _primary(self) -> Any:
        if self._at >= len(self._tokens):
            raise Stuck
        token = self._tokens[self._at]
        self._spend(_PART + len(token.text))
        self._at += 1
        if token.kind == "text":
            return unquoted(token.text)
        if token.kind == "template":
            return template(token.text, raw=False)
        if token.kind == "number":
            return number(token.text)
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
        raise Stuck

    def _named(self, name: str) -> Any:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name == "String" and self._is(self._at, ".") and self._text(self._at + 1) == "raw":
            self._at += 3
            self._spend(len(self._text(self._at - 1)))
            return template(self._text(self._at - 1), raw=True)
        start = self._bound.get(name)
        if start is None or start >= self._at:  # not yet bound where it is used
            raise Stuck
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
            key = self._tokens[self._at] if self._at < len(self._tokens) else Token("", "")
            self._at += 1
            if key.kind not in ("name", "text", "number"):
                raise Stuck
            name = unquoted(key.text) if key.kind == "text" else key.text
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
        except Stuck:
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
            self._spend(_PART)
            self._at += 1
        raise Stuck

    def _expect(self, text: str) -> None:
        if not self._is(self._at, text):
            raise Stuck
        self._at += 1

    def _called(self, value: Any, method: str, arguments: list[Any]) -> Any:
        if method == "join" and isinstance(value, list) and all(isinstance(part, str) for part in value):
            by = arguments[0] if arguments else ","
            if isinstance(by, str):
                return self._joined(by, value)
        if method == "trim" and isinstance(value, str) and not arguments:
            return self._joined("", [value]).strip()
        if method == "concat" and isinstance(value, str) and all(isinstance(part, str) for part in arguments):
            return self._joined("", [value, *arguments])
        raise Stuck

    def _joined(self, by: str, parts: list[str]) -> str:
        self._spend(sum(map(len, parts)) + len(by) * len(parts))
        return by.join(parts)

    def _spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise Stuck
