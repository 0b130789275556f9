"""What Kiro's `fs_write` does to files."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from gate.agents import given
from gate.editing.edit import Edit, Replace, Write, no_file
from gate.editing.text import LF, encoded
from gate.errors import RecordingError

_TEXTS = ("file_text", "content", "new_str", "newStr")
_NEW = ("new_str", "newStr", "content")


class _Added(Edit, frozen=True, kw_only=True):
    """Text is put into a file that is there, which then ends with a line end."""

    text: str

    @property
    def written(self) -> bytes:
        """The added text."""
        return encoded(self.text)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the text in it."""
        if content is None:
            raise no_file()
        return _ended(self.added(content))

    def added(self, content: bytes) -> bytes:
        """The content with the text in it, however it ends."""
        raise NotImplementedError


class Appended(_Added, frozen=True, kw_only=True):
    """Text is put at the end, on a line of its own."""

    def added(self, content: bytes) -> bytes:
        """The content with the text after it."""
        return _ended(content) + encoded(self.text)


class Inserted(_Added, frozen=True, kw_only=True):
    """Text is put after line `line` (0: before the first); a line that is not there is the last one."""

    line: int

    def added(self, content: bytes) -> bytes:
        """The content with the text between two lines."""
        lines = BytesIO(content).readlines()
        at = max(0, self.line)
        return b"".join([*lines[:at], encoded(self.text), *lines[at:]])


def carries_text(arguments: Any) -> bool:
    """Whether a recorded call says what it wrote, which recordings that were thinned out do not."""
    return isinstance(arguments, dict) and any(isinstance(arguments.get(key), str) for key in _TEXTS)


def edits_of(arguments: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edit of one call. RecordingError where it does not say what it did."""
    path, command = given.named(arguments, "path"), given.word(arguments, "command")
    if command == "create":
        return (Write(path=path, content=_ended(encoded(given.text(arguments, *_TEXTS)))),)
    if command in ("str_replace", "strReplace"):
        old = given.text(arguments, "old_str", "oldStr")
        if not old:
            raise given.missing("old_str", "the text to replace")
        return (Replace(path=path, old=encoded(old), new=encoded(given.text(arguments, *_NEW))),)
    if command == "append":
        return (Appended(path=path, text=given.text(arguments, *_NEW)),)
    if command == "insert":
        line = given.number(arguments, "insert_line", "insertLine")
        if line is None:
            raise given.missing("insert_line", "a number")
        return (Inserted(path=path, text=given.text(arguments, *_NEW), line=line),)
    raise RecordingError(
        f"arguments.command: expected create, str_replace, insert or append, found {command[:40]!r}", kind="broken_step"
    )


def _ended(content: bytes) -> bytes:
    return content if content.endswith(LF) else content + LF
