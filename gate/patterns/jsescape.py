"""What stands behind a backslash in a regular expression of JavaScript: a character, or a set of characters."""

import re
from typing import NamedTuple

DIGITS = "0-9"
WORDS = "0-9A-Za-z_"
SPACES = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"

_SETS = {"d": DIGITS, "w": WORDS, "s": SPACES}
_PROPERTY = re.compile(r"\{([A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\}")
_OF_STRINGS = re.compile("RGI_|Basic_Emoji$|Emoji_Keycap_Sequence$")
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_HEX = {"x": re.compile(r"[0-9a-fA-F]{2}"), "u": re.compile(r"[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,8}\}")}
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_OCTAL = re.compile("[0-3][0-7]{0,2}|[4-7][0-7]?")
_LETTER = re.compile("[A-Za-z]")
_LETTER_IN_CLASS = re.compile("[A-Za-z0-9_]")


class NotValid(ValueError):
    """What JavaScript refuses."""


class NotTranslated(ValueError):
    """What JavaScript can do and the `regex` library cannot."""


class Escape(NamedTuple):
    """A set of characters as the library writes it, or one code point; and where the escape ends."""

    meaning: str | int
    end: int


def refused(what: str, at: int) -> NotValid:
    """NotValid with the place, counted from 1."""
    return NotValid(f"{what} at character {at + 1}")


def escape_at(text: str, at: int, *, within_class: bool = False) -> Escape:
    """The escape whose backslash stands at `at`; assertions and references are not asked for here."""
    if at + 1 >= len(text):
        raise refused("a backslash at the end", at)
    kind, end = text[at + 1], at + 2
    if kind.lower() in _SETS:
        return Escape(f"[{'^' if kind.isupper() else ''}{_SETS[kind.lower()]}]", end)
    if kind in "pP" and (found := _PROPERTY.match(text, end)):
        if _OF_STRINGS.match(found[1]):
            raise NotTranslated(f"`\\{kind}{{{found[1]}}}`, a property of strings")
        return Escape(f"\\{kind}{{{found[1]}}}", found.end())
    if kind in _CONTROLS:
        return Escape(_CONTROLS[kind], end)
    if kind in _HEX:
        return _hexadecimal(text, end, kind)
    if kind == "c":
        named = (_LETTER_IN_CLASS if within_class else _LETTER).match(text, end)
        return Escape(ord(named[0]) % 32, end + 1) if named else Escape(ord("\\"), end - 1)
    octal = _OCTAL.match(text, at + 1)
    return Escape(int(octal[0], 8), octal.end()) if octal else Escape(ord(kind), end)


def _hexadecimal(text: str, at: int, kind: str) -> Escape:
    found = _HEX[kind].match(text, at)
    if not found:
        return Escape(ord(kind), at)
    code, end = int(found[0].strip("{}"), 16), found.end()
    if code > 0x10FFFF:
        raise refused("a code point beyond 10FFFF", at)
    low = _LOW_HALF.match(text, end)
    if 0xD800 <= code < 0xDC00 and low:  # the two halves of one character
        return Escape(0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00, low.end())
    return Escape(code, end)
