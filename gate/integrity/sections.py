"""Settings of test runners inside files that hold other settings, too: one side's sections put into the other's file.

Every result is read again, and holds the one side's sections and all else of the other's, or there is none.
"""

import itertools
import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

_OF_TOOL = (
    *("pytest", "coverage", "tox", "nox", "nose2", "ward", "behave", "robot", "xdoctest", "stestr", "mutmut"),
    *("pytest_env", "pytest-env", "pytest-watch", "pytest-watcher", "pytest-enabler", "cibuildwheel"),
    *("hatch", "pdm", "poe", "taskipy", "rye", "pixi", "doit"),
)
_OF_PACKAGE = (
    *("scripts", "jest", "mocha", "ava", "vitest", "nyc", "c8", "tap", "babel", "playwright", "jest-junit", "detox"),
    *("tsd", "monocart", "wireit", "nx", "betterScripts", "config", "packageManager"),
)
_KEYS = {
    "pyproject.toml": tuple(("tool", key) for key in _OF_TOOL),
    "package.json": tuple((key,) for key in _OF_PACKAGE),
    "deno.json": (("tasks",), ("test",)),
    "deno.jsonc": (("tasks",), ("test",)),
    "composer.json": (("scripts",),),
    "Pipfile": (("scripts",),),
    "pixi.toml": (("tasks",),),
}
_OF_BOTH = (
    *("testenv", "testenv:*", "pkgenv", "gh-actions", "gh-actions:*", "gh", "coverage:*", "behave", "behave.*"),
    *("pytest", "pytest-watch", "pytest_env", "stestr"),
)
_SECTIONS = {
    "setup.cfg": (
        *(*_OF_BOTH, "tool:pytest", "tox:*", "nosetests", "unittest", "coverage", "multiprocess", "junit-xml"),
        *("test-result", "load_tests", "output-buffer", "log-capture", "pretty-assert", "mutmut", "aliases", "test"),
    ),
    "tox.ini": (*_OF_BOTH, "tox", "tox:*"),
}
"""What is the test runners'; `*` is any text."""
_REFERRED = re.compile(r"\{\[([^\]\n]+)\]|^base[ \t]*[=:]([^\n]*(?:\n[ \t]+[^\n]*)*)", re.MULTILINE)
_LARGEST = 64 * 1024  # readers of such files are slow on large ones, and nobody writes one by hand
_STRANGE = re.compile(rb"\r(?!\n)|[\x00\x0b\x0c\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]")
"""What one reader takes for the end of a line and another does not."""
_INDENT = re.compile(rb"\s*\{\r?\n([ \t]+)\"")
_HEADER = re.compile(rb"[ \t]*\[")
_PLAIN_HEADER = re.compile(rb"\[[^\[\]#;]+\][ \t]*\r?")
"""A section that every reader calls by the same name."""


def holds(path: str) -> bool:
    """Whether a path is one of such a file, in any folder."""
    name = posixpath.basename(path)
    return name in _KEYS or name in _SECTIONS


def restored(path: str, base: bytes | None, head: bytes | None) -> bytes | None:
    """The head's file with the base's settings of test runners; the base's file where that cannot be made.

    The head's own where the two have the same settings; None where neither side has the file.
    """
    if head is None or base == head:
        return base if head is None else head
    name = posixpath.basename(path)
    if max(len(base or b""), len(head)) > _LARGEST or not _means_one_thing(name, head):
        return base
    form = _form(name, base or b"")
    try:
        ours, theirs = form.read(base or b""), form.read(head)
        if ours.settings == theirs.settings:
            return head
        made = form.write(base or b"", head)
        found = form.read(made)
        if (found.settings, found.rest) == (ours.settings, theirs.rest):
            return made
    except (ValueError, RecursionError):  # no side says what it means
        pass
    return base


def _means_one_thing(name: str, data: bytes) -> bool:
    """Whether readers of different programs see the same in a file."""
    if _STRANGE.search(data):
        return False
    if name not in _SECTIONS:
        return True
    headers = (line for line in data.split(b"\n") if _HEADER.match(line))
    return all(_PLAIN_HEADER.fullmatch(line) for line in headers)


Keys = tuple[tuple[str, ...], ...]


class _Parts:
    """What a file says of test runners, and everything else."""

    def __init__(self, settings: Any, rest: Any) -> None:
        self.settings, self.rest = settings, rest


def _taken(value: dict[str, Any], keys: Keys) -> _Parts:
    """The keys taken out of a mapping, at its top or one level below it."""
    settings: dict[str, Any] = {}
    rest = {key: dict(item) if isinstance(item, dict) else item for key, item in value.items()}
    for *way, last in keys:
        within: Any = rest.get(way[0]) if way else rest
        if isinstance(within, dict) and last in within:
            settings[".".join((*way, last))] = within.pop(last)
        if way and within == {}:
            del rest[way[0]]
    return _Parts(settings, rest)


class _Json:
    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def read(self, data: bytes) -> _Parts:
        import json  # as in `_Ini`

        value = json.loads(data or b"{}")
        if not isinstance(value, dict):
            raise ValueError("no object")
        return _taken(value, self._keys)

    def write(self, base: bytes, head: bytes) -> bytes:
        import json  # as in `_Ini`

        theirs = json.loads(head)
        ours = {key: value for key, value in json.loads(base or b"{}").items() if (key,) in self._keys}
        kept = {key: ours.get(key, value) for key, value in theirs.items() if key in ours or (key,) not in self._keys}
        indent = _INDENT.match(head)
        text = json.dumps({**kept, **ours}, indent=indent[1].decode() if indent else 2, ensure_ascii=False)
        return text.encode() + b"\n"


class _Toml:
    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def read(self, data: bytes) -> _Parts:
        import tomllib  # as in `_Ini`

        return _taken(tomllib.loads(data.decode()), self._keys)

    def write(self, base: bytes, head: bytes) -> bytes:
        wanted = tuple(".".join(key) for key in self._keys)
        return _spliced(base, head, lambda title: any(f"{title}.".startswith(f"{key}.") for key in wanted))


class _Ini:
    def __init__(self, sections: tuple[str, ...], base: bytes) -> None:
        self._sections = (*sections, *_referred(base.decode("utf-8", "replace")))

    def read(self, data: bytes) -> _Parts:
        import configparser  # 10 ms together with those above, and only such a file that was changed needs one of them

        # A section of defaults is one like others here: given to each, it would be as many times as large.
        parser = configparser.RawConfigParser(strict=True, default_section="\0")
        try:
            parser.read_string(data.decode())
        except configparser.Error as error:
            raise ValueError("no sections") from error
        settings: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for section in parser.sections():
            (settings if self._is_runners(section) else rest)[section] = dict(parser[section])
        if "DEFAULT" in rest:
            settings["DEFAULT"] = rest["DEFAULT"]  # they hold for the sections of runners, too
        return _Parts(settings, rest)

    def write(self, base: bytes, head: bytes) -> bytes:
        return _spliced(base, head, self._is_runners)

    def _is_runners(self, title: str) -> bool:
        return any(title == key or (key[-1] == "*" and title.startswith(key[:-1])) for key in self._sections)


def _referred(text: str) -> Iterator[str]:
    """The sections from which tox takes a value (`{[NAME]key}`), or all (`base = NAME, NAME`)."""
    for found in _REFERRED.finditer(text):
        yield from filter(None, [found[1]] if found[1] else re.split(r"[\s,]+", found[2]))


def _form(name: str, base: bytes) -> _Json | _Toml | _Ini:
    if name in _SECTIONS:
        return _Ini(_SECTIONS[name], base)
    return (_Json if ".json" in name else _Toml)(_KEYS[name])


def _spliced(base: bytes, head: bytes, ours: Callable[[str], bool]) -> bytes:
    """The head's text with the base's tables of that kind where its own begin, or behind it where it has none."""
    tables = _tables(head.decode())
    first = next((at for at, (title, _) in enumerate(tables) if ours(title)), len(tables))
    before, behind = (
        "".join(text for title, text in part if not ours(title)) for part in (tables[:first], tables[first:])
    )
    added = "".join(text for title, text in _tables(base.decode()) if ours(title))
    *parts, last = [part for part in (before, added, behind) if part] or [""]
    return "".join([*(part if part.endswith("\n") else f"{part}\n" for part in parts), last]).encode()


def _tables(text: str) -> list[tuple[str, str]]:
    """The text cut at the lines that open a table; what stands before the first has no title."""
    cuts = [found.start() for found in re.finditer(r"(?m)^[ \t]*\[", text)]
    edges = [0, *(cut for cut in cuts if cut), len(text)]
    parts = [text[start:end] for start, end in itertools.pairwise(edges)]
    return [(_title(part), part) for part in parts]


def _title(part: str) -> str:
    found = re.match(r"[ \t]*\[{1,2}([^\]\n]*)\]", part)
    return re.sub(r"\s*\.\s*", ".", found[1].strip()).replace('"', "").replace("'", "") if found else ""
