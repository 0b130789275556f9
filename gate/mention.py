"""Tools that a reader does not know: how often they were called, and which files their arguments name."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

_LONGEST = 4096
_DEEPEST = 8
_MOST = 2000  # texts of one call that are looked at
_SHOWN = 20  # tools
_NAMING = frozenset(
    """path paths file files filename filenames filepath filepaths targetfile targetpath notebookpath relativepath
    absolutepath relpath abspath inputfile inputpath outputfile outputpath sourcefile sourcepath destfile destpath
    destinationfile destinationpath oldpath newpath savepath""".split()  # noqa: SIM905 - thirty words on three lines
)
_LEADING = frozenset(["target", "dest", "destination", "dst", "output", "out", "to", "into", "uri", "location"])
_LAST = frozenset(["path", "paths", "file", "files"])
_PATCH_HEADS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ", "+++ b/", "--- a/")
_PLACE = re.compile(r"(?::\d+){1,2}$|#L?\d[\d:L-]*$")


class UnknownTool(msgspec.Struct, frozen=True):
    """A tool that the reader of a recording does not know, and how many calls of it there are."""

    name: str
    calls: int


def ranked(counts: Mapping[str, int]) -> tuple[UnknownTool, ...]:
    """The tools, the most called first, those that were called as often by their names."""
    return tuple(UnknownTool(name, counts[name]) for name in sorted(counts, key=lambda name: (-counts[name], name)))


def told(tools: Iterable[UnknownTool]) -> str:
    """How many calls there were of which tools, in words; empty where there were none."""
    found = tuple(tools)
    calls = sum(tool.calls for tool in found)
    names = [f"{tool.name} ({tool.calls})" for tool in found[:_SHOWN]]
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    which = "1 call of a tool" if calls == 1 else f"{calls} calls of tools"
    return f"{which} unknown to this reader: {', '.join(names + more)}" if calls else ""


def named_files(arguments: Any) -> tuple[str, ...]:
    """The files that arguments name: by the usual keys, whatever is there, or in the text of a patch."""
    return tuple(dict.fromkeys(_named(arguments, keyed=False, depth=0)))


def mentioned(arguments: Any) -> Iterator[tuple[str, bool]]:
    """Every text at any depth that may be a path; whether its key says that it may be that of a new file."""
    left = _MOST
    for key, text in _texts(arguments, "", 0):
        left -= 1
        if left < 0:
            return
        path = _plain(text)
        yield path, _leads(key)
        bare = _PLACE.sub("", path)
        if bare != path:  # `src/a.py:12`
            yield bare, False


def _named(value: Any, *, keyed: bool, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if "\n" in value:
            yield from _patched(value)
        elif keyed and 0 < len(value) <= _LONGEST:
            yield _plain(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _named(item, keyed=_letters(key) in _NAMING, depth=depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, keyed=keyed, depth=depth + 1)


def _texts(value: Any, key: str, depth: int) -> Iterator[tuple[str, str]]:
    """Every text of one line with the key that it stands under."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if 0 < len(value) <= _LONGEST and "\n" not in value:
            yield key, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _texts(item, str(name), depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, key, depth + 1)


def _plain(text: str) -> str:
    """The path of `file://…`; another text as it is."""
    if not text.startswith("file://"):
        return text
    from urllib.parse import unquote  # few tools name files so

    return unquote(text[len("file://") :].removeprefix("localhost"))


def _letters(key: Any) -> str:
    return re.sub(r"[^a-z]", "", str(key).lower())


def _leads(key: str) -> bool:
    """Whether a key is that of a place to write to: `destination`, `saveTo`, `report_file`."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key).lower())
    return bool(words) and (words[-1] in _LAST or words[-1] in _LEADING or _letters(key) in _NAMING)


def _patched(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        head = next((head for head in _PATCH_HEADS if line.startswith(head)), None)
        if head:
            yield line[len(head) :].partition("\t")[0].strip()
