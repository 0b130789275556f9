"""Settings of test runners inside files that hold other settings, too: one side's sections put into the other's file.

Every result is read again, and holds the one side's sections and all else of the other's, or there is none.
"""

import itertools
import posixpath
import re
from collections.abc import Callable
from typing import Any

_KEYS = {
    "pyproject.toml": tuple(
        ("tool", key) for key in ("pytest", "coverage", "tox", "nox", "hatch", "pdm", "poe", "taskipy")
    ),
    "package.json": tuple(
        (key,) for key in ("scripts", "jest", "mocha", "ava", "vitest", "nyc", "c8", "tap", "babel", "playwright")
    ),
}
_SECTIONS = {
    "setup.cfg": ("tool:pytest", "coverage:"),
    "tox.ini": ("pytest", "tox", "testenv", "coverage:"),
}
_LARGEST = 64 * 1024  # readers of such files are slow on large ones, and nobody writes one by hand
_STRANGE = re.compile(rb"\r(?!\n)|[\x00\x0b\x0c\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]")
"""What one reader takes for the end of a line and another does not."""
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
    read, write = (_toml, _with_tables) if name.endswith(".toml") else (_ini, _with_sections)
    if name.endswith(".json"):
        read, write = _json, _with_keys
    try:
        ours, theirs = read(name, base or b""), read(name, head)
        if ours.settings == theirs.settings:
            return head
        made = write(name, base or b"", head)
        found = read(name, made)
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


class _Parts:
    """What a file says of test runners, and everything else."""

    def __init__(self, settings: Any, rest: Any) -> None:
        self.settings, self.rest = settings, rest


def _taken(value: dict[str, Any], keys: tuple[tuple[str, ...], ...]) -> _Parts:
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


def _json(name: str, data: bytes) -> _Parts:
    import json  # as in `_ini`

    value = json.loads(data or b"{}")
    if not isinstance(value, dict):
        raise ValueError(name)
    return _taken(value, _KEYS[name])


def _with_keys(name: str, base: bytes, head: bytes) -> bytes:
    import json  # as in `_ini`

    value, ours = json.loads(head), json.loads(base or b"{}")
    for (key,) in _KEYS[name]:
        value.pop(key, None)
        if key in ours:
            value[key] = ours[key]
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def _toml(name: str, data: bytes) -> _Parts:
    import tomllib  # as in `_ini`

    return _taken(tomllib.loads(data.decode()), _KEYS[name])


def _with_tables(name: str, base: bytes, head: bytes) -> bytes:
    wanted = tuple(".".join(key) for key in _KEYS[name])

    def ours(title: str) -> bool:
        return any(title == key or title.startswith(f"{key}.") for key in wanted)

    return _spliced(base, head, ours)


def _ini(name: str, data: bytes) -> _Parts:
    import configparser  # 10 ms together with those above, and only such a file that was changed needs one of them

    # A section of defaults is one like others here: given to each, it would be as many times as large.
    parser = configparser.RawConfigParser(strict=True, default_section="\0")
    try:
        parser.read_string(data.decode())
    except configparser.Error as error:
        raise ValueError(name) from error
    settings: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for section in parser.sections():
        (settings if _is_runner(name, section) else rest)[section] = dict(parser[section])
    if "DEFAULT" in rest:
        settings["DEFAULT"] = rest["DEFAULT"]  # they hold for the sections of runners, too
    return _Parts(settings, rest)


def _is_runner(name: str, section: str) -> bool:
    return any(section == key or (key[-1] in ":v" and section.startswith(key)) for key in _SECTIONS[name])


def _with_sections(name: str, base: bytes, head: bytes) -> bytes:
    return _spliced(base, head, lambda title: _is_runner(name, title))


def _spliced(base: bytes, head: bytes, ours: Callable[[str], bool]) -> bytes:
    """The head's text without its tables of that kind, and the base's behind it."""
    kept = "".join(text for title, text in _tables(head.decode()) if not ours(title))
    added = "".join(text for title, text in _tables(base.decode()) if ours(title))
    return (kept + ("" if kept.endswith("\n") or not kept else "\n") + added).encode()


def _tables(text: str) -> list[tuple[str, str]]:
    """The text cut at the lines that open a table; what stands before the first has no title."""
    cuts = [found.start() for found in re.finditer(r"(?m)^[ \t]*\[", text)]
    edges = [0, *(cut for cut in cuts if cut), len(text)]
    parts = [text[start:end] for start, end in itertools.pairwise(edges)]
    return [(_title(part), part) for part in parts]


def _title(part: str) -> str:
    found = re.match(r"[ \t]*\[{1,2}([^\]\n]*)\]", part)
    return re.sub(r"\s*\.\s*", ".", found[1].strip()).replace('"', "").replace("'", "") if found else ""
