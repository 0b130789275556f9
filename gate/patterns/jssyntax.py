"""JavaScript's grammar of regular expressions, as expressions of the `regex` library that match the same.

The grammar is ECMA-262's with Annex B (what browsers and Node.js read without the flag `u`), but for `\\u{…}` and
`\\p{…}`, which are read as with it. Names of groups are gone afterwards, their numbers stay.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from gate.patterns.jsclass import ANY, class_at, letter, one_of
from gate.patterns.jsescape import WORDS, NotTranslated, NotValid, escape_at, refused

_QUANTIFIER = re.compile(r"([*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)")
_MODIFIERS = re.compile(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?:")
_LEADING = re.compile(r"\(\?([a-zA-Z]+)\)")
_NAME = re.compile(r"(?:[^\W\d]|\$)(?:\w|\$)*")
_OPENING = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|(\((?!\?)|\(\?<(?![=!]))", re.DOTALL)
_NOT_LINE_END = "[^\\n\\r\\u2028\\u2029]"
_REFERENCE = re.compile(r"\\([1-9]\d*)")
_NAMED_REFERENCE = re.compile(r"\\k<([^>]*)>")
_WORD = f"[{WORDS}]"
_BOUNDARY = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_MOST = 2**31 - 1  # repetitions; the library counts no further


class Flags(NamedTuple):
    """Which flags hold at a place."""

    i: bool = False
    m: bool = False
    s: bool = False


class _Group(NamedTuple):
    """A group that captures: its name, in which alternatives it stands, and by which parts one gets there."""

    name: str
    place: tuple[tuple[int, int], ...]
    way: tuple[int, ...]


class Parser:
    """One expression, read once from left to right.

    `size` is how many parts it has when what is repeated at least n times is written n times, as the library does.
    """

    def __init__(self, text: str) -> None:
        self.size = 0
        self._text = text
        self._at = 0
        self._flags = Flags()
        self._total = sum(1 for found in _OPENING.finditer(text) if found[1])
        self._named = "(?<" in text and any(found[1] == "(?<" for found in _OPENING.finditer(text))
        self._groups: list[_Group] = []
        self._closed: set[int] = set()
        self._behind: int | None = None  # groups before the outermost lookbehind, while in one
        self._place: list[tuple[int, int]] = []
        self._disjunctions = 0
        self._parts = 0
        self._way: list[int] = []
        self._skipped: set[int] = set()  # parts that a match may leave out
        self._looped: set[int] = set()  # parts that may match more than once
        self._references: list[tuple[int, str, tuple[int, ...]]] = []
        self._asked: list[tuple[str, int]] = []

    def translated(self) -> str:
        """The expression for the library. NotValid and NotTranslated say what and where."""
        leading = _LEADING.match(self._text)
        if leading:
            self._flags = self._set(leading[1], on=True)
            self._at = leading.end()
        found = self._disjunction()
        if self._at < len(self._text):
            raise self._wrong("a `)` without its `(`")
        self._refuse_what_lasts()
        known = {group.name for group in self._groups}
        for name, at in self._asked:
            if name not in known:
                raise self._wrong(f"a reference to a group {name!r} that is not there", at)
        return found

    def _refuse_what_lasts(self) -> None:
        """Refuse references to what a repetition may leave out: the library remembers it, JavaScript does not."""
        for number, shown, way in self._references:
            group = self._groups[number - 1].way
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(group, way, strict=False)))
            for at in range(shared, len(group)):
                if group[at] in self._skipped and any(part in self._looped for part in group[:at]):
                    raise NotTranslated(f"the reference `{shown}` to a group that a repetition may leave out")

    @contextmanager
    def _part(self) -> Iterator[int]:
        """A part of the expression, while it is read."""
        self._parts += 1
        self._way.append(self._parts)
        yield self._way[-1]
        self._way.pop()

    def _wrong(self, what: str, at: int | None = None) -> NotValid:
        return refused(what, self._at if at is None else at)

    def _set(self, letters: str, *, on: bool) -> Flags:
        for flag in letters:
            if flag not in Flags._fields:
                raise self._wrong(f"the flag {flag!r}, expected `i`, `m` or `s`")
        return self._flags._replace(**dict.fromkeys(letters, on))

    def _disjunction(self) -> str:
        self._disjunctions += 1
        mark, flags, alternatives = self._disjunctions, self._flags, list[str]()
        parts: list[int] = []
        while True:
            self._place.append((mark, len(alternatives)))
            with self._part() as part:
                alternatives.append(self._alternative())
            parts.append(part)
            self._place.pop()
            self._flags = flags
            if not self._text.startswith("|", self._at):
                self._skipped.update(parts if len(parts) > 1 else ())
                return "|".join(alternatives)
            self._at += 1

    def _alternative(self) -> str:
        terms: list[str] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            before = self.size
            with self._part() as part:
                term, repeatable = self._term()
            self.size += 1
            terms.append(self._repeated(term, part, repeatable=repeatable, weight=self.size - before))
        return "".join(terms)

    def _repeated(self, term: str, part: int, *, repeatable: bool, weight: int) -> str:
        found = _QUANTIFIER.match(self._text, self._at)
        if not found:
            return term
        if not repeatable:
            raise self._wrong("nothing to repeat")
        quantifier, least, comma, most, lazy = found.groups()
        if least is not None:
            low = min(int(least[:12]), _MOST)
            high = low if not comma else min(int(most[:12]), _MOST) if most else None
            if high is not None and high < low:
                raise self._wrong("numbers out of order")
            self.size += weight * max(0, low - 1)
            quantifier = f"{{{low},{'' if high is None else high}}}"
        if quantifier[0] in "*?" or quantifier.startswith("{0,"):
            self._skipped.add(part)
        if quantifier != "?" and not quantifier.endswith(",1}"):
            self._looped.add(part)
        self._at = found.end()
        return f"{term}{quantifier}{lazy}"

    def _term(self) -> tuple[str, bool]:
        """The next part, and whether it may be repeated."""
        character = self._text[self._at]
        if character == "(":
            return self._group()
        if character == "[":
            found = class_at(self._text, self._at, ignore_case=self._flags.i)
            self._at = found.end
            self.size += found.size
            return found.expression, True
        if character == "\\":
            return self._escape()
        if _QUANTIFIER.match(self._text, self._at):
            raise self._wrong("nothing to repeat")
        self._at += 1
        if character == ".":
            return ANY if self._flags.s else _NOT_LINE_END, True
        if character == "^":
            return f"(?<!{_NOT_LINE_END})" if self._flags.m else r"\A", False
        if character == "$":
            return f"(?!{_NOT_LINE_END})" if self._flags.m else r"\Z", False
        return letter(ord(character), ignore_case=self._flags.i), True

    def _group(self) -> tuple[str, bool]:
        start, text, flags = self._at, self._text, self._flags
        captures = behind = False
        head, repeatable, wrapped = "(?:", True, False
        modifiers = _MODIFIERS.match(text, start)
        if modifiers:
            self._modify(modifiers)
            self._at = modifiers.end()
        elif text.startswith(("(?=", "(?!"), start):
            head, wrapped = text[start : start + 3], True
            self._at += 3
        elif text.startswith(("(?<=", "(?<!"), start):
            head, repeatable, behind = text[start : start + 4], False, True
            self._at += 4
        else:
            head, captures = "(", True
            self._open(start)
        number, outer = len(self._groups), self._behind
        if behind and outer is None:
            self._behind = number
        inner = self._disjunction()
        self._behind = outer
        if not text.startswith(")", self._at):
            raise self._wrong("a `(` without its `)`", start)
        self._at += 1
        self._flags = flags
        if captures:
            self._closed.add(number)
        return (f"(?:{head}{inner}))" if wrapped else f"{head}{inner})"), repeatable

    def _modify(self, found: re.Match[str]) -> None:
        added, removed = found[1], found[2] or ""
        both = added + removed
        if len(set(both)) < len(both) or (found[2] == "" and not added):
            raise self._wrong("the flags of a group, each may stand there once")
        self._flags = self._set(added, on=True)
        self._flags = self._set(removed, on=False)

    def _open(self, start: int) -> None:
        """Past the head of a group that captures."""
        name = ""
        self._at += 1
        if self._text.startswith("?", self._at):
            named = _NAME.match(self._text, self._at + 2)
            if not self._text.startswith("?<", self._at):
                hint = "; a named group is `(?<name>…)`" if self._text.startswith("?P<", self._at) else ""
                raise self._wrong(f"`{self._text[start : start + 3]}` begins no group{hint}", start)
            if not named or not self._text.startswith(">", named.end()):
                raise self._wrong("the name of a group", start)
            name, self._at = named[0], named.end() + 1
            for group in self._groups:
                if group.name == name and not _apart(group.place, tuple(self._place)):
                    raise self._wrong(f"the second group {name!r}", start)
        self._groups.append(_Group(name, tuple(self._place), tuple(self._way)))

    def _escape(self) -> tuple[str, bool]:
        text, start = self._text, self._at
        if text.startswith(("\\b", "\\B"), start):
            self._at += 2
            return (_BOUNDARY if text[start + 1] == "b" else f"(?!{_BOUNDARY})"), False
        numbered = _REFERENCE.match(text, start)
        if numbered and int(numbered[1][:9]) <= self._total:
            self._at = numbered.end()
            return self._reference([int(numbered[1])], numbered[0]), True
        if self._named and text.startswith("\\k", start):
            return self._named_reference(), True
        found = escape_at(text, start)
        self._at = found.end
        if isinstance(found.meaning, int):
            return letter(found.meaning, ignore_case=self._flags.i), True
        return one_of([found.meaning], ignore_case=self._flags.i), True

    def _named_reference(self) -> str:
        named = _NAMED_REFERENCE.match(self._text, self._at)
        if not named:
            raise self._wrong("`\\k` without the name of a group")
        self._asked.append((named[1], self._at))
        self._at = named.end()
        numbers = [number for number, group in enumerate(self._groups, 1) if group.name == named[1]]
        return self._reference(numbers, named[0])

    def _reference(self, numbers: list[int], shown: str) -> str:
        """The text of the group that took part, or nothing, as in JavaScript; the library would not match there."""
        if self._behind is not None and any(number > self._behind for number in numbers or [self._total]):
            raise NotTranslated(f"the reference `{shown}` to a group within the same lookbehind")
        found = ""
        for number in numbers:
            if number in self._closed:  # any other one has captured nothing yet
                self._references.append((number, shown, tuple(self._way)))
                text = f"(?i:\\g<{number}>)" if self._flags.i else f"\\g<{number}>"
                found = f"(?({number}){text}|{found})"
        return f"(?:{found})"


def _apart(one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]) -> bool:
    """Whether two places lie in different alternatives of some choice, so that only one of them takes part."""
    chosen = dict(one)
    return any(chosen.get(mark, alternative) != alternative for mark, alternative in other)
