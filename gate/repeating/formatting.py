"""A recorded call of a formatter, with its paths as they lie in the workspace."""

import re
from collections.abc import Callable, Iterator

import msgspec

from gate.cmdline.target import alternatives
from gate.errors import NotRepeated
from gate.repeating.formatters import FIXES, FORMATTERS


class Call(msgspec.Struct, frozen=True):
    """A call that can be repeated: the program's words after its name, and the paths and patterns among them."""

    words: tuple[str, ...]
    paths: tuple[str, ...]


Mapped = Callable[[str], str]
"""Where a recorded path lies for the program; NotRepeated for one outside of the workspace."""

_VERSION_FLAG = re.compile(r"--py3\d*-(?:plus|only)")
_PLACE = re.compile(r"""(?:^|[=:,'"\s!{(|;])(?:/|~)|(?:^|[^\w.-])\.\.(?:[^\w.-]|$)""")


def call(name: str, words: tuple[str, ...], mapped: Mapped) -> Call:
    """The call of a formatter with its paths as `mapped` gives them.

    NotRepeated where an option is not known here, or a path leads out.
    """
    reading = _Reading(name, mapped)
    reading.read(words)
    if not reading.paths and not FORMATTERS[name].bare:
        raise NotRepeated(f"{name} is given no file", kind="no_file")
    return Call(tuple(reading.words), tuple(reading.paths))


class _Reading:
    """One call under way."""

    def __init__(self, name: str, mapped: Mapped) -> None:
        self._name, self._known, self._mapped = name, FORMATTERS[name], mapped
        self.words: list[str] = []
        self.paths: list[str] = []

    def read(self, words: tuple[str, ...]) -> None:
        """Take every word in."""
        left = iter(words)
        verbs = self._known.verbs.split()
        for word in left:
            if word == "--":
                self.words.append(word)
                for path in left:
                    if path.startswith("-"):
                        raise NotRepeated(f"{self._name} is given options behind `--`", kind="option")
                    self._path(path)
            elif word.startswith("-") and word != "-":
                self._option(word, left)
            elif word in verbs:
                verbs = []
                self.words.append(word)
            else:
                self._path(word)

    def _option(self, word: str, left: Iterator[str]) -> None:
        known = self._known
        name, equals, given = word.partition("=")
        alone = f"{known.flags} {known.needs} {FIXES if self._name == 'ruff' else ''}".split()
        if name in known.valued.split():
            value = given if equals else next(left, None)
            if value is None:
                raise NotRepeated(f"the value of {name} is missing", kind="option")
            value = self._value(value)
            self.words.extend([f"{name}={value}"] if equals else [name, value])
        elif not (word in alone or self._is_cluster(word, alone) or _VERSION_FLAG.fullmatch(word)):
            raise NotRepeated(f"the option {word} of {self._name} is not one that is repeated", kind="option")
        else:
            self.words.append(word)

    def _is_cluster(self, word: str, alone: list[str]) -> bool:
        """Whether it is single letters together (`-lw`), a letter with its value (`-l88`), or a long flag with one."""
        name, _, given = word.partition("=")
        if word.startswith("--"):
            return name in alone and re.fullmatch(r"\w*", given) is not None
        letters = all(f"-{letter}" in alone for letter in word[1:])
        return letters or (word[:2] in self._known.valued.split() and re.fullmatch(r"\w+", word[2:]) is not None)

    def _value(self, value: str) -> str:
        """A value that is a path is mapped; any other must not hold one that leads out."""
        if value.startswith("/"):
            return self._mapped(value)
        if _PLACE.search(value):
            if re.fullmatch(r"[\w./-]+", value):
                return self._mapped(value)
            raise NotRepeated(f"{value!r} may lead out of the workspace", kind="path_escape")
        return value

    def _path(self, word: str) -> None:
        if word == "-":
            raise NotRepeated(f"{self._name} reads from a pipe", kind="pipe")
        if word.startswith("@"):
            raise NotRepeated(f"{word} names a file with more of its words", kind="option")
        plain = not re.search(r"[*?\[\]{}()!|]", word)
        if not plain and ("(" in word.lstrip("!") or any(map(_PLACE.search, alternatives(word)))):
            raise NotRepeated(f"the pattern {word!r} may lead out of the workspace", kind="path_escape")
        found = self._mapped(word) if plain else word
        self.words.append(found)
        self.paths.append(found)
