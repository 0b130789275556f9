"""Goose's editing tools: what a call does to files."""

import posixpath
from collections.abc import Mapping
from typing import Any

from gate.agents import given
from gate.agents.lookalike import lf, plain
from gate.editing import unified
from gate.editing.edit import Edit, Insert, Replace, Write, nearest, no_file, no_line, not_once
from gate.editing.text import encoded
from gate.errors import CannotApply

_BOM = "\ufeff"


class GooseReplace(Replace, frozen=True, kw_only=True):
    """`str_replace`: exact text, else text that looks alike; the file gets LF ends and ends with one."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the one place replaced; where it only looks alike the whole file loses its odd looks."""
        if content is None:
            raise no_file()
        text = lf(content.decode("utf-8", "replace").removeprefix(_BOM))
        old, new = (lf(part.decode("utf-8", "replace")) for part in (self.old, self.new))
        if old not in text:
            text, old = plain(text).removesuffix("\n"), plain(old).removesuffix("\n")
        count = text.count(old)
        if count == 0:
            raise CannotApply(f"the old text is not in the file; {nearest(content, self.old)}", kind="replay_mismatch")
        if count > 1:
            raise not_once(count)
        return encoded(_ended(text.replace(old, new)))


class GooseInsert(Insert, frozen=True, kw_only=True):
    """`insert`: a text becomes lines of its own after line `line`, counted from the end where it is below 0."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with the text inserted; it has LF ends and ends with one."""
        if content is None:
            raise no_file()
        lines = lf(content.decode("utf-8", "replace")).removesuffix("\n").split("\n") if content else []
        line = self.line if self.line >= 0 else len(lines) + 1 + self.line
        if not 0 <= line <= len(lines):
            raise no_line(self.line, of=len(lines))
        return encoded(_ended("\n".join([*lines[:line], lf(self.text.decode("utf-8", "replace")), *lines[line:]])))


class GooseDiff(unified.Diffed, frozen=True, kw_only=True):
    """`str_replace` with a unified diff; the file ends with a line end afterwards."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every hunk exactly where it says; the tool itself also looks for places that are like it."""
        after = super().apply(content)
        return after if not after or after.endswith(b"\n") else after + b"\n"


def edits_of(tool: str, arguments: Mapping[str, Any]) -> tuple[Edit, ...] | None:
    """The edits of one call of the developer extension; None for a tool that edits nothing.

    RecordingError where the arguments do not say what was edited.
    """
    if tool == "write":
        content = encoded(given.text(arguments, "content"))
        return (Write(path=given.named(arguments, "path"), content=content),)
    if tool == "edit":
        old, new = (encoded(given.text(arguments, key)) for key in ("before", "after"))
        return (Replace(path=given.named(arguments, "path"), old=old, new=new),)
    if tool != "text_editor":
        return None
    return _text_editor(given.text(arguments, "command"), arguments)


def _text_editor(command: str, arguments: Mapping[str, Any]) -> tuple[Edit, ...] | None:
    if command in ("view", "undo_edit"):
        return None
    path = given.named(arguments, "path", "file_path")
    if command == "write":
        return (Write(path=path, content=encoded(_ended(lf(given.text(arguments, "file_text"))))),)
    if command == "insert":
        text = encoded(given.text(arguments, "new_str"))
        return (GooseInsert(path=path, line=given.number(arguments, "insert_line") or 0, text=text),)
    diff = given.optional(arguments, "diff")
    if diff:
        files = unified.parse(diff)
        return tuple(GooseDiff(path=_diffed(path, file, alone=len(files) == 1), hunks=file.hunks) for file in files)
    old, new = (encoded(given.text(arguments, key)) for key in ("old_str", "new_str"))
    return (GooseReplace(path=path, old=old, new=new),)


def _diffed(path: str, file: unified.FileDiff, *, alone: bool) -> str:
    """The file of a diff: the call's own path, or one below it."""
    name = file.after if file.after not in ("", "/dev/null") else file.before
    if not name or (alone and posixpath.basename(name) == posixpath.basename(path)):
        return path
    return posixpath.join(path, name)


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
