"""Copilot CLI's tools: what a call and the diff that its result shows do to files."""

import posixpath
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gate.agents import given
from gate.editing.edit import Delete, Edit, Insert, Move, Replace, Write
from gate.editing.patch import edits_of as patch_edits
from gate.editing.text import LF, encoded
from gate.editing.unified import Diffed, Hunk, parse
from gate.errors import RecordingError
from gate.jsontext import decode, shown

EDITORS = frozenset(["create", "edit", "str_replace", "insert", "str_replace_editor", "apply_patch"])


def arguments_of(tool: str, told: Any) -> Any:
    """The arguments of a call, which are an object, the same as JSON in a text, or the text of a patch."""
    if not isinstance(told, str):
        return told
    if tool == "apply_patch" and not told.lstrip().startswith("{"):
        return {"input": told}
    try:
        return decode(encoded(told))
    except RecordingError:
        return {}


def edits_of(tool: str, arguments: Any, diff: str, *, directory: str | None) -> tuple[Edit, ...]:
    """The edits of one call, with the diff that its result shows. RecordingError where the call does not say them."""
    files = _files(diff)
    if tool == "apply_patch":
        text = given.text(arguments, "input", "patch", "patchText")
        return tuple(_outcome(edit, files, directory) for edit in patch_edits(text))
    command = given.text(arguments, "command") if tool == "str_replace_editor" else tool
    if command == "view":
        return ()
    edit = _edit(command, given.named(arguments, "path", "file_path"), arguments)
    return (_outcome(edit, files, directory),)


def _edit(command: str, path: str, arguments: Any) -> Edit:
    if command == "create":
        return Write(path=path, content=encoded(given.text(arguments, "file_text", "content")))
    if command in ("edit", "str_replace"):
        new = given.optional(arguments, "new_str", "new_string") or ""
        return Replace(path=path, old=encoded(given.text(arguments, "old_str", "old_string")), new=encoded(new))
    if command == "insert":
        line = given.number(arguments, "insert_line")
        if line is None:
            raise given.missing("insert_line", "a number")
        text = encoded(given.text(arguments, "new_str", "insert_text"))
        return Insert(path=path, line=line, text=text if text.endswith(LF) else text + LF)
    raise RecordingError(f"arguments.command: expected what to do, found {shown(command)}", kind="broken_step")


def _files(diff: str) -> dict[str, tuple[Hunk, ...]]:
    """The hunks of a diff that is shown, by the names of its files; none of a name that stands twice."""
    try:
        files = parse(diff)
    except RecordingError:
        return {}
    named = [(_plain(name), file.hunks) for file in files for name in {file.before, file.after}]
    counts = Counter(name for name, _ in named)
    return {name: hunks for name, hunks in named if counts[name] == 1}


def _outcome(edit: Edit, files: Mapping[str, tuple[Hunk, ...]], directory: str | None) -> Edit:
    """The edit with the diff of its file, where there is one: the hunks are what became of the call."""
    hunks = files.get(_plain(posixpath.normpath(posixpath.join(directory or "", edit.path.replace("\\", "/")))))
    if not hunks or isinstance(edit, Write | Delete):
        return edit
    told = Diffed(path=edit.path, hunks=hunks, edit=edit)
    return Move(path=edit.path, to=edit.to, edit=told) if isinstance(edit, Move) else told


def _plain(name: str) -> str:
    """A name as both the call and the diff have it: Copilot's diffs leave out the first slash."""
    return name.replace("\\", "/").lstrip("/")
