"""aider's SEARCH/REPLACE edits: how the searched lines are found in a file."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from gate.editing.edit import Edit, nearest, no_file
from gate.editing.text import decoded, stored
from gate.errors import CannotApply

_DOTS = re.compile(r"(^\s*\.\.\.\n)", re.MULTILINE)
_FENCES = ("```", "````", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>")
_SHORTEST_WITH_BLANK = 3


class SearchReplace(Edit, frozen=True, kw_only=True):
    """The searched lines are found exactly, else at another indentation, else around `...`, and are replaced.

    The first place counts. Searched lines that are blank append the new ones, or make the file. The file is read as
    Python reads text, so that CRLF ends become LF, and its last line is given a line end.
    """

    search: str
    replace: str

    @property
    def written(self) -> bytes:
        """The new lines."""
        return stored(self.replace)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the lines replaced."""
        name = posixpath.basename(self.path)
        search, replace = _unwrapped(self.search, name), _unwrapped(self.replace, name)
        if not search.strip():
            return stored(decoded(content or b"") + replace)
        if content is None:
            raise no_file()
        attempts = _attempts(_ended(decoded(content)), _ended(search), _ended(replace))
        found = next((text for text in attempts if text), "")
        if not found:  # aider takes a result without a letter for none
            raise CannotApply(
                f"the searched lines are not in the file; {nearest(content, stored(search))}", kind="replay_mismatch"
            )
        return stored(found)


def _attempts(whole: str, search: str, replace: str) -> Iterator[str]:
    lines, part, new = (text.splitlines(keepends=True) for text in (whole, search, replace))
    yield _exact(lines, part, new)
    yield _indented(lines, part, new)
    if len(part) >= _SHORTEST_WITH_BLANK and not part[0].strip():
        yield _exact(lines, part[1:], new)
        yield _indented(lines, part[1:], new)
    yield _elided(whole, search, replace)


def _exact(lines: Sequence[str], part: Sequence[str], new: Sequence[str]) -> str:
    for at in range(len(lines) - len(part) + 1):
        if lines[at : at + len(part)] == part:
            return "".join([*lines[:at], *new, *lines[at + len(part) :]])
    return ""


def _indented(lines: Sequence[str], part: Sequence[str], new: Sequence[str]) -> str:
    """The lines found at an indentation that differs by the same white space everywhere."""
    depths = [len(line) - len(line.lstrip()) for line in (*part, *new) if line.strip()]
    common = min(depths, default=0)
    part = [line[common:] if line.strip() else line for line in part]
    new = [line[common:] if line.strip() else line for line in new]
    bare = [line.lstrip() for line in part]
    for at in range(len(lines) - len(part) + 1):
        there = lines[at : at + len(part)]
        if [line.lstrip() for line in there] != bare:
            continue
        added = {line[: len(line) - len(old)] for line, old in zip(there, part, strict=True) if line.strip()}
        if len(added) == 1:
            (indent,) = added
            placed = [indent + line if line.strip() else line for line in new]
            return "".join([*lines[:at], *placed, *lines[at + len(part) :]])
    return ""


def _elided(whole: str, search: str, replace: str) -> str:
    """What stands between lines of `...` is replaced piece by piece, each of which stands exactly once."""
    old, new = _DOTS.split(search), _DOTS.split(replace)
    if len(old) != len(new) or len(old) == 1 or old[1::2] != new[1::2]:
        return ""
    for part, other in zip(old[::2], new[::2], strict=True):
        if not part:
            whole = whole.removesuffix("\n") + "\n" + other if other else whole
        elif whole.count(part) != 1:
            return ""
        else:
            whole = whole.replace(part, other)
    return whole


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _unwrapped(text: str, name: str) -> str:
    """The text without a name of the file and a fence that models put around it."""
    lines = text.splitlines()
    if not lines:
        return text
    if name and lines[0].strip().endswith(name):
        lines = lines[1:]
    fenced = lines and any(lines[0].startswith(fence) and lines[-1].startswith(_end(fence)) for fence in _FENCES)
    return _ended("\n".join(lines[1:-1] if fenced else lines))


def _end(fence: str) -> str:
    return fence.replace("<", "</")
