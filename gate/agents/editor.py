"""The editor tool that SWE-agent and OpenHands took from Anthropic's reference: what its calls do to files.

It views, creates, replaces, inserts and undoes; the model knows it as `str_replace_editor` or `file_editor`. It reads
and writes text as Python does, so a file with CRLF ends has LF ends after the first edit.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from gate.editing.edit import Edit, Insert, Replace, Write, nearest, no_file, no_line, not_once
from gate.editing.text import decoded, encoded, stored
from gate.errors import CannotApply, RecordingError
from gate.jsontext import shown
from gate.trajectory import Ok, Step

NAMES = frozenset(["str_replace_editor", "str_replace_based_edit_tool", "file_editor", "planning_file_editor"])
"""What models call the editor."""

_LONGEST_LINE = 20
_WARNING = re.compile(r"(?:Warning: Failed to run .*\r?\n)*")
_DONE = re.compile(
    r"The file .+ has been edited\.|File created successfully at: |Last edit to .+ undone successfully"
    r"|(?:NOTE: .*\n)?Here's the |<NOTE>This file is too large"
)


class Editor(msgspec.Struct, frozen=True, kw_only=True):
    """How one version of the editor differs from the others.

    `tabs`: every tab of the whole file becomes spaces with a replacement or an insertion. `strip`: an old text that
    is not found is looked for without the white space around it; `strip_new` takes that off the new text too. `ends`:
    an inserted text is given a line end of its own, where it is otherwise joined to the lines around it.
    """

    tabs: bool = False
    strip: bool = False
    strip_new: bool = False
    ends: bool = True


SWE_AGENT = Editor(tabs=True, ends=False)
OPENHANDS = Editor(strip=True, strip_new=True)
OPENHANDS_TABS = Editor(tabs=True)
"""OpenHands until version 0.2.11 of its editor (April 2025)."""


class Recorded(Edit, frozen=True, kw_only=True):
    """An edit whose recorded `before` is the text that Python read, without the file's own line ends."""

    def start(self, content: bytes | None) -> bytes | None:
        """The file itself where the recording saw the same text."""
        if content is not None and self.before is not None and decoded(content) == decoded(self.before):
            return content
        return super().start(content)


class EditorReplace(Recorded, Replace, frozen=True, kw_only=True):
    """`str_replace`: the old text stands exactly once in the file."""

    editor: Editor

    def apply(self, content: bytes | None) -> bytes | None:
        """The text with `old` replaced, as this version of the editor finds it."""
        if content is None:
            raise no_file()
        body, old, new = decoded(content), _verbatim(self.old), _verbatim(self.new)
        if self.editor.tabs:
            body, old, new = body.expandtabs(), old.expandtabs(), new.expandtabs()
        if old not in body and self.editor.strip:
            old = old.strip()
            new = new.strip() if self.editor.strip_new else new
        count = body.count(old)
        if count == 0:
            raise CannotApply(f"the old text is not in the file; {nearest(content, self.old)}", kind="replay_mismatch")
        if count > 1:
            raise not_once(count)
        return stored(body.replace(old, new))


class EditorInsert(Recorded, Insert, frozen=True, kw_only=True):
    """`insert`: text is put after line `line` (0: before the first)."""

    editor: Editor

    def apply(self, content: bytes | None) -> bytes | None:
        """The text with the new lines between two of its lines."""
        if content is None:
            raise no_file()
        body, new = decoded(content), _verbatim(self.text)
        if self.editor.tabs:
            body, new = body.expandtabs(), new.expandtabs()
        lines = body.split("\n")
        if self.editor.ends:
            lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
            new += "\n"
        if not 0 <= self.line <= len(lines):
            raise no_line(self.line, of=len(lines))
        whole = [*lines[: self.line], new, *lines[self.line :]]
        return stored(("" if self.editor.ends else "\n").join(whole))


class EditorUndo(Recorded, frozen=True, kw_only=True):
    """`undo_edit`: the file is what it was before the last edit of it, where that is recorded or stood before."""

    editor: Editor

    def apply(self, content: bytes | None) -> bytes | None:  # noqa: ARG002 - what the file is now says nothing of it
        """Not without knowing which edit is undone; `resolved` finds that."""
        raise CannotApply("the edit that it takes back is not in the recording", kind="replay_mismatch")


class EditorTabs(Edit, frozen=True):
    """What remains of an edit that was taken back: the tabs that it had turned into spaces."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The text without tabs."""
        return None if content is None else stored(decoded(content).expandtabs())


def edits_of(
    arguments: Mapping[str, Any], editor: Editor, *, before: bytes | None = None, after: bytes | None = None
) -> tuple[Edit, ...]:
    """The edits of one call, none for a view. RecordingError where the arguments do not say what was edited.

    `before` and `after` are the whole text where it was recorded, as Python reads it.
    """
    command = arguments.get("command")
    if command == "view":
        return ()
    path = _text(arguments, "path")
    if command == "create":
        return (Write(path=path, content=_bytes(arguments, "file_text"), before=before, after=after),)
    if command == "str_replace":
        new = _bytes(arguments, "new_str") if arguments.get("new_str") is not None else b""
        old = _bytes(arguments, "old_str")
        return (EditorReplace(path=path, old=old, new=new, editor=editor, before=before, after=after),)
    if command == "insert":
        line, text = _line(arguments.get("insert_line")), _bytes(arguments, "new_str")
        return (EditorInsert(path=path, line=line, text=text, editor=editor, before=before, after=after),)
    if command == "undo_edit":
        return (EditorUndo(path=path, editor=editor, before=before, after=after),)
    raise RecordingError(f"command: expected one of the editor's, found {shown(command)}", kind="broken_step")


def outcome(observation: str) -> Ok:
    """What the editor's own words say of a call. Only what it says first counts: the rest may be quoted text."""
    words = observation.lstrip()
    if not words:
        return Ok.UNKNOWN
    return Ok.YES if _DONE.match(words, _WARNING.match(words).end()) else Ok.NO  # type: ignore[union-attr] # it matches nothing at least


def resolved(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps with every `undo_edit` that succeeded carried out: the edit before it counts as taken back."""
    done = list(steps)
    history: dict[str, list[int]] = {}
    for index, step in enumerate(done):
        if step.ok is Ok.NO or len(step.edits) != 1:
            continue
        edit = step.edits[0]
        known = history.setdefault(edit.path, [])
        if isinstance(edit, EditorReplace | EditorInsert | Write):
            known.append(index)
        elif isinstance(edit, EditorUndo) and edit.after is None and known:
            undone = done[known[-1]]
            taken = undone.edits[0]
            if isinstance(taken, Write):  # the editor remembers a file that it made as it made it
                done[index] = msgspec.structs.replace(step, edits=(Write(path=edit.path, content=taken.content),))
            else:
                done[known[-1]] = msgspec.structs.replace(undone, undone=True)
                left = (EditorTabs(path=edit.path),) if edit.editor.tabs else ()
                done[index] = msgspec.structs.replace(step, edits=left)
            known.pop()
    return tuple(done)


def _verbatim(text: bytes) -> str:
    """An argument as the tool has it: a CR in it never meets one of the file, which is read without."""
    return text.decode("utf-8", "surrogateescape")


def _text(arguments: Mapping[str, Any], key: str) -> str:
    value = arguments.get(key)
    if not isinstance(value, str):
        found = "nothing" if value is None else shown(value)
        raise RecordingError(f"{key}: expected text, found {found}", kind="broken_step")
    return value


def _bytes(arguments: Mapping[str, Any], key: str) -> bytes:
    return encoded(_text(arguments, key))


def _line(value: Any) -> int:
    if type(value) is int:  # true is one, too, for `isinstance`
        return value
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and len(value) < _LONGEST_LINE:
        return int(value)
    raise RecordingError(f"insert_line: expected a line number, found {shown(value)}", kind="broken_step")
