"""Views of a file with a number before each line, as the reading tools of agents print them."""

import re

import msgspec

from gate.editing.edit import BLACKED_OUT

_LINE = re.compile(r" *(\d{1,9})(→|\t|: ?| ?\| ?)(.*)")
_LONG = 500
"""From this many characters on a tool may have shown the beginning of a line alone."""


class Shown(msgspec.Struct, frozen=True):
    """One line as it was shown: its number and text. `blank` stood between, and may belong to the text."""

    number: int
    text: str
    blank: str = ""

    def agrees(self, line: str) -> bool:
        """Whether the file's line can have been shown like this."""
        line = line.rstrip()
        for text in (self.text, self.blank + self.text):
            shown = text.rstrip()
            if shown == line or BLACKED_OUT in shown or "\ufffd" in shown:
                return True
            if len(line) > _LONG and len(shown) >= _LONG and line.startswith(shown[: _LONG - 20]):
                return True
        return False


def numbered(text: str) -> tuple[Shown, ...]:
    """The numbered lines of a view, if their numbers follow each other; nothing where it has none.

    Text before the first one, and behind the last one, is the tool's own.
    """
    found: list[Shown] = []
    for line in text.split("\n"):
        match = _LINE.fullmatch(line.removesuffix("\r"))
        if match and (not found or int(match[1]) == found[-1].number + 1):
            found.append(Shown(int(match[1]), match[3], " " if match[2].endswith(" ") else ""))
        elif found:
            break
    return tuple(found)
