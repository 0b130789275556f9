"""Edits of SWE-agent's window tools: a file is open, a part of it is shown, and lines of it are replaced."""

import re

import msgspec

from gate.editing.edit import Edit, everywhere, nearest, no_file
from gate.editing.text import decoded, stored
from gate.errors import CannotApply

_HEADER = re.compile(r"^\[File: (.+) \((\d+) lines total\)\]\r?$", re.MULTILINE)
_ABOVE = re.compile(r"^\((\d+) more lines above\)\r?$", re.MULTILINE)
_CURSOR = re.compile(r"^<<<<< START CURSOR >>>>>\r?\n(\d+):", re.MULTILINE)
_LAST = re.compile(r"^(\d+):.*\r?\n<<<<< END CURSOR >>>>>\r?$", re.MULTILINE)
_MOVED = re.compile(r"^(START|END)_CURSOR moved to (\d+)\r?$", re.MULTILINE)
_BELOW = re.compile(r"^\((\d+) more lines below\)\r?$", re.MULTILINE)


class Window(msgspec.Struct, frozen=True):
    """What an observation shows of a file: its path as shown, its first and last line, counted from 1."""

    path: str
    first: int
    last: int


def shown_in(observation: str) -> Window | None:
    """The last window that an observation shows: a refused edit shows how it would have looked first."""
    headers = list(_HEADER.finditer(observation))
    if not headers:
        return None
    header = headers[-1]
    above, below = _ABOVE.search(observation, header.end()), _BELOW.search(observation, header.end())
    first = int(above[1]) + 1 if above else 1
    return Window(header[1], first, int(header[2]) - (int(below[1]) if below else 0))


class Cursors(msgspec.Struct, frozen=True):
    """The first and the last line that the next `edit` without a range replaces."""

    first: int = 1
    last: int = 1


def cursors_in(observation: str, before: Cursors) -> Cursors:
    """The cursors after an observation, as far as it shows them."""
    first, last = _CURSOR.search(observation), _LAST.search(observation)
    moved = dict(_MOVED.findall(observation))
    return Cursors(
        int(moved.get("START") or (first[1] if first else before.first)),
        int(moved.get("END") or (last[1] if last else before.last)),
    )


class LinesEdit(Edit, frozen=True, kw_only=True):
    """Lines `first` to `last` (from 1, both included) are replaced by `lines`.

    The tool was a shell function before version 1.0 of SWE-agent: it kept line ends as they were and always ended the
    last line. The Python tool after it reads text, and takes one empty line for none.
    """

    first: int
    last: int
    lines: tuple[bytes, ...]
    bash: bool = False

    @property
    def written(self) -> bytes:
        """The new lines."""
        return b"\n".join(self.lines)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the lines replaced; lines beyond the end are none."""
        if content is None:
            raise no_file()
        if not self.bash:
            text = decoded(content).split("\n")
            text[self.first - 1 : self.last] = [line.decode() for line in self.lines] if self.written else []
            return stored("\n".join(text))
        if self.first < 1:
            raise CannotApply(f"line {self.first} is none, lines count from 1", kind="replay_mismatch")
        lines = content.removesuffix(b"\n").split(b"\n") if content else []
        lines = [*lines[: self.first - 1], *self.lines, *lines[self.last :]]
        return b"\n".join(lines) + b"\n"


class WindowReplace(Edit, frozen=True, kw_only=True):
    """`old`, which stands exactly once among the lines that were shown, is replaced; with `all`, everywhere.

    `window` is what was shown before, where the recording tells; without it `old` must be unique in the file.
    """

    old: bytes
    new: bytes
    all: bool = False
    window: Window | None = None

    @property
    def written(self) -> bytes:
        """The new text."""
        return self.new

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with `old` replaced by `new`."""
        if content is None:
            raise no_file()
        lines = decoded(content).split("\n")
        first, last = (1, len(lines)) if self.all or not self.window else (self.window.first, self.window.last)
        text, old = "\n".join(lines[first - 1 : last]), self.old.decode()
        count = text.count(old)
        if count == 0:
            where = "file" if (first, last) == (1, len(lines)) else f"lines {first} to {last} that were shown"
            close = nearest(content, self.old)
            raise CannotApply(f"the old text is not in the {where}; {close}", kind="replay_mismatch")
        if count > 1 and not self.all:
            raise CannotApply(f"the old text was shown {count} times, expected once", kind="replay_mismatch")
        shown = everywhere(text, old, self.new.decode())
        lines[first - 1 : last] = [shown] if shown else []
        return stored("\n".join(lines))


class WindowInsert(Edit, frozen=True, kw_only=True):
    """`text` is put after line `line`, or at the end of the file."""

    text: bytes
    line: int | None = None

    @property
    def written(self) -> bytes:
        """The inserted text."""
        return self.text

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the text inserted; one line end at its end is not counted, and none is put there."""
        if content is None:
            raise no_file()
        body, text = decoded(content), self.text.decode().removesuffix("\n")
        if not self.text or (not body and (self.line is None or self.line < 0)):
            return stored(body + text)
        if self.line is None:
            return stored(body.removesuffix("\n") + "\n" + text)
        if self.line < 0:
            return stored(text + "\n" + body.removeprefix("\n"))
        lines = body.split("\n")
        lines.insert(self.line, text)
        return stored("\n".join(lines))
