"""Sets of characters as JavaScript's regular expressions have them, written for the `regex` library."""

from collections.abc import Iterable
from typing import NamedTuple

from gate.patterns.jsescape import escape_at, refused

ANY = "(?s:.)"

Item = tuple[int, int] | str
"""Code points from the first to the last, or a set of its own such as `[0-9]` or `\\p{L}`."""

_LAST_ASCII = 0x7F


class Class(NamedTuple):
    """A character class as the library writes it, where it ends, and how many items it has."""

    expression: str
    end: int
    size: int


def letter(code: int, *, ignore_case: bool) -> str:
    """One character as a part of an expression."""
    if not ignore_case or not chr(code).isalpha():
        return _escaped(code)
    return one_of([(code, code)], ignore_case=True)


def class_at(text: str, start: int, *, ignore_case: bool) -> Class:
    """The class whose `[` stands at `start`."""
    negated = text.startswith("^", start + 1)
    at = start + 1 + negated
    items: list[Item] = []
    while not text.startswith("]", at):
        low, at = _atom(text, at, start)
        if text.startswith("-", at) and at + 1 < len(text) and text[at + 1] != "]":
            dash = at
            high, at = _atom(text, at + 1, start)
            items += _range(low, high, dash)
        else:
            items.append(low)
    return Class(one_of(items, negated=negated, ignore_case=ignore_case), at + 1, len(items))


def _atom(text: str, at: int, start: int) -> tuple[Item, int]:
    if at >= len(text):
        raise refused("a `[` without its `]`", start)
    if text[at] != "\\":
        return (ord(text[at]), ord(text[at])), at + 1
    if text.startswith("b", at + 1):
        return (8, 8), at + 2
    found = escape_at(text, at, within_class=True)
    return (found.meaning if isinstance(found.meaning, str) else (found.meaning, found.meaning)), found.end


def _range(low: Item, high: Item, dash: int) -> list[Item]:
    if isinstance(low, str) or isinstance(high, str):  # a set such as \d is no end: the dash is a character
        return [low, (ord("-"), ord("-")), high]
    if low[0] > high[0]:
        raise refused("a range out of order", dash)
    return [(low[0], high[0])]


def one_of(items: Iterable[Item], *, ignore_case: bool, negated: bool = False) -> str:
    """A class of these items. A letter of ASCII has no other case beyond ASCII (`k` and the Kelvin sign)."""
    spans: list[str] = []
    beyond: list[str] = []
    sets: list[str] = []
    for item in items:
        if isinstance(item, str):
            sets.append(f"(?i:{item})" if ignore_case and item.startswith("\\") else item)
        elif not ignore_case:
            spans.append(_span(*item))
        else:
            spans += _both_cases(*item)
            if item[1] > _LAST_ASCII:
                beyond.append(_span(max(item[0], _LAST_ASCII + 1), item[1]))
    inside = "".join(spans)
    choices = [f"[{inside}]", *sets] if inside else sets
    if beyond:
        choices.append(f"(?:(?![\\x00-\\x7f])(?i:[{''.join(beyond)}]))")
    if not choices:
        return ANY if negated else "(?!)"
    if negated and inside and len(choices) == 1:
        return f"[^{inside}]"
    positive = choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"
    return f"(?:(?!{positive}){ANY})" if negated else positive


def _escaped(code: int) -> str:
    """One character, fit to stand inside and outside of a class."""
    return chr(code) if code <= _LAST_ASCII and chr(code).isalnum() else f"\\U{code:08x}"


def _span(low: int, high: int) -> str:
    return _escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}"


def _both_cases(low: int, high: int) -> list[str]:
    """The part of a range that lies in ASCII, and its letters in the other case."""
    if low > _LAST_ASCII:
        return []
    spans = [_span(low, min(high, _LAST_ASCII))]
    for first, shift in ((ord("A"), 32), (ord("a"), -32)):
        start, end = max(low, first), min(high, first + 25)
        if start <= end:
            spans.append(_span(start + shift, end + shift))
    return spans
