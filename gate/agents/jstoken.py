"""JavaScript taken apart into tokens, and what its literals stand for."""

import re

import msgspec

from gate.editing.text import encoded

LONGEST = 1 << 22
"""How many characters of a script are read."""

_MOST = 200_000  # tokens
_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<open>/\*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<template>`(?:[^`\\]|\\.)*`)"
    r"|(?P<number>0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<sign>=>|\.\.\.|\?\.|[+\-*/%&|^!=<>?]=+|\+\+|--|&&|\|\||\?\?|.)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|.))", re.DOTALL)
_QUOTES = frozenset("'\"`")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


class Token(msgspec.Struct, frozen=True):
    """One token: the kind of it and its text."""

    kind: str
    text: str


class Stuck(Exception):
    """An expression is more than literals."""


def tokens(source: str) -> list[Token] | None:
    """The tokens of a script; None where it is too long, or made to be read for long."""
    if len(source) > LONGEST:
        return None
    found: list[Token] = []
    wasted = 0
    for match in _TOKEN.finditer(source):
        kind, text = match.lastgroup or "", match.group()
        if kind == "space":
            continue
        if kind == "open" or text in _QUOTES:  # its end was looked for in vain
            line = source.find("\n", match.end()) if text in "'\"" else -1
            wasted += (len(source) if line < 0 else line) - match.start()
        found.append(Token("sign" if kind == "open" else kind, text))
        if wasted > LONGEST or len(found) > _MOST:
            return None
    return found


def unquoted(text: str) -> str:
    """What a text or a template in its quotes stands for."""
    return encoded(_ESCAPE.sub(_escape, text[1:-1])).decode()


def template(text: str, *, raw: bool) -> str:
    """What a template in its quotes stands for, `raw` as `String.raw` has it. Stuck where it holds an expression."""
    body = text[1:-1].replace("\r\n", "\n")
    if text[:1] != "`" or re.search(r"(?<!\\)(?:\\\\)*\$\{", body):
        raise Stuck
    return body if raw else unquoted(f"`{body}`")


def _escape(match: re.Match[str]) -> str:
    braced, four, two, one = match.groups()
    code = braced or four or two
    if code:
        value = int(code, 16)
        return chr(value) if value < 0x110000 else "\ufffd"
    return "" if one in ("\n", "\r\n", "\u2028", "\u2029") else _SHORT.get(one, one)


def number(text: str) -> int | float:
    """What a number stands for. Stuck where it is none after all."""
    plain = text.replace("_", "")
    try:
        return int(plain, 0) if plain.lower().startswith("0x") or plain.isdigit() else float(plain)
    except ValueError:
        raise Stuck from None
