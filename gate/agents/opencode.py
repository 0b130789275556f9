"""opencode's tools: what a call and its recorded outcome do to files."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from gate.agents import given
from gate.editing.edit import Delete, Edit, Move, Replace, Write, nearest, no_file, not_once
from gate.editing.patch import edits_of as patch_edits
from gate.editing.text import CRLF, LF, encoded
from gate.editing.unified import Diffed, Hunk, parse, patched
from gate.errors import CannotApply, RecordingError

EDITORS = frozenset(["edit", "multiedit", "write", "patch", "apply_patch"])
_BOM = b"\xef\xbb\xbf"


class OpenCodeReplace(Replace, frozen=True, kw_only=True):
    """A replacement by opencode, with the diff that its result shows.

    The whole content after, where it is recorded, goes first, then the diff in its exact place, then the call itself:
    its texts take the file's line ends, and what is not there exactly is looked for line by line, white space around a
    line aside.
    """

    hunks: tuple[Hunk, ...] = ()

    def outcome(self, content: bytes | None) -> bytes | None:
        """The recorded content, with the byte order mark that the file has and the recording leaves out."""
        after = super().outcome(content)
        marked = self.after is not None and content is not None and content.startswith(_BOM)
        return _BOM + after if marked and after is not None and not after.startswith(_BOM) else after

    def apply(self, content: bytes | None) -> bytes | None:
        """The content after the recorded diff, else after the call."""
        if not self.old:
            return self.new
        if content is None:
            return super().apply(None)
        if self.hunks:
            try:
                return shown(content, self.hunks)
            except CannotApply:
                pass  # something else changed the file
        return self._replaced(content)

    def _replaced(self, content: bytes) -> bytes:
        ends = CRLF if CRLF in content else LF
        old, new = (text.replace(CRLF, LF).replace(LF, ends) for text in (self.old, self.new))
        for found in chain((old,), _trimmed(content, old)):
            count = content.count(found)
            if count == 1 or (count and self.all):
                return content.replace(found, new)
        if count := content.count(old):
            raise not_once(count)
        raise CannotApply(f"the old text is not in the file; {nearest(content, old)}", kind="replay_mismatch")


class Shown(Diffed, frozen=True, kw_only=True):
    """An update of a file by a patch, whose result shows a diff without the indentation of its lines."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The content after the diff in its place, else after the patch."""
        if content is None:
            raise no_file()
        try:
            return shown(content, self.hunks)
        except CannotApply:
            if self.edit is None:
                raise
            return self.edit.apply(content)


def _trimmed(content: bytes, old: bytes) -> Iterator[bytes]:
    """The stretches of whole lines that are those of `old` but for the white space around each."""
    lines, wanted = content.split(LF), old.split(LF)
    wanted = wanted[:-1] if len(wanted) > 1 and not wanted[-1] else wanted
    plain = [line.strip() for line in wanted]
    seen = [line.strip() for line in lines]
    for at in range(len(lines) - len(wanted) + 1):
        if seen[at] == plain[0] and seen[at : at + len(wanted)] == plain:
            yield LF.join(lines[at : at + len(wanted)])


def shown(content: bytes, hunks: Sequence[Hunk]) -> bytes:
    """The content after a diff as opencode shows it: of text with LF ends, the indentation of all lines taken off.

    CannotApply where it does not stand in its place.
    """
    plain = content.replace(CRLF, LF)
    try:
        after = patched(plain, hunks)
    except CannotApply:
        after = patched(plain, indented(plain, hunks))
    if plain == content:
        return after
    if content.count(LF) != content.count(CRLF):  # which of its lines end how, the diff does not tell
        raise CannotApply("the file has line ends of both kinds", kind="replay_mismatch")
    return after.replace(LF, CRLF)


def indented(content: bytes, hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """The hunks with the indentation that was taken off all of their lines, as the file has it.

    CannotApply where the file's lines are not theirs with one and the same indentation.
    """
    lines = [line + LF for line in content.split(LF)]
    indent = b""
    found: list[Hunk] = []
    for hunk in hunks:
        at = hunk.start
        made = []
        for mark, text in hunk.lines:
            line = lines[at] if at < len(lines) else b""
            indent = indent or _indent(line, text, mark)
            whole = line if mark != b"+" and line[len(indent) :] == text else indent + text if text.strip() else text
            made.append((mark, whole))
            at += mark != b"+"
        found.append(Hunk(hunk.start, tuple(made)))
    return tuple(found)


def _indent(line: bytes, text: bytes, mark: bytes) -> bytes:
    """What a line of the file has before the text of a diff; nothing where it is another line."""
    if mark == b"+" or not text.strip() or not line.endswith(text):
        return b""
    front = line[: len(line) - len(text)]
    return front if not front.strip() else b""


def edits_of(tool: str, arguments: Any, metadata: Any) -> tuple[Edit, ...]:
    """The edits of one call of an editor. RecordingError where neither it nor its result says what was edited."""
    if tool == "write":
        path = given.named(arguments, "filePath", "file_path", "path")
        return (Write(path=path, content=encoded(given.text(arguments, "content"))),)
    if tool == "edit":
        return (_replace(arguments, arguments, metadata),)
    if tool == "multiedit":
        results = given.objects(metadata.get("results")) if isinstance(metadata, dict) else []
        parts = given.parts(arguments, "edits")
        told = results if len(results) == len(parts) else [{} for _ in parts]
        return tuple(_replace(arguments, part, result) for part, result in zip(parts, told, strict=True))
    return _patch(arguments, metadata)


def _replace(arguments: Any, part: Any, metadata: Any) -> Edit:
    filediff = given.member(metadata, "filediff")
    return OpenCodeReplace(
        path=given.named({**part, **arguments}, "filePath", "file_path", "path"),
        old=encoded(given.text(part, "oldString")),
        new=encoded(given.text(part, "newString")),
        all=part.get("replaceAll") is True,
        before=given.content(filediff, "before"),
        after=given.content(filediff, "after"),
        hunks=_hunks(given.word(filediff, "patch") or given.word(metadata, "diff")),
    )


def _patch(arguments: Any, metadata: Any) -> tuple[Edit, ...]:
    """The edits of a patch, with what its result tells of each file. RecordingError where neither can be read."""
    files = given.objects(metadata.get("files")) if isinstance(metadata, dict) else []
    try:
        edits = patch_edits(given.text(arguments, "patchText", "patch", "input"), keep=False)
    except RecordingError:
        if not files:
            raise
        return tuple(_recorded(file) for file in files)
    if len(files) != len(edits):
        return edits
    return tuple(_outcome(edit, file) for edit, file in zip(edits, files, strict=True))


def _recorded(file: Mapping[str, Any]) -> Edit:
    """The edit that a result alone tells of one file."""
    path, kind, to = given.named(file, "filePath"), given.word(file, "type"), given.word(file, "movePath")
    before, after, hunks = _told(file)
    if kind == "delete":
        return Delete(path=path, before=before)
    if kind == "add" and after is not None:
        return Write(path=path, content=after)
    if after is None and not hunks and kind != "move":
        raise RecordingError(f"metadata.files: the result tells nothing of what became of {path!r}", kind="broken_step")
    if kind == "move":
        to = to or given.named(file, "relativePath")
        return Move(path=path, to=to, before=before, after=after, edit=Shown(path=path, hunks=hunks))
    return Shown(path=path, hunks=hunks, before=before, after=after)


def _told(file: Mapping[str, Any]) -> tuple[bytes | None, bytes | None, tuple[Hunk, ...]]:
    """What a result tells of one file: its content before and after, and the hunks in between."""
    return given.content(file, "before"), given.content(file, "after"), _hunks(given.word(file, "diff", "patch"))


def _outcome(edit: Edit, file: Mapping[str, Any]) -> Edit:
    """The edit of a patch with what its result tells of it."""
    before, after, hunks = _told(file)
    if isinstance(edit, Write):
        return Write(path=edit.path, content=edit.content if after is None else after)
    if isinstance(edit, Delete):
        return Delete(path=edit.path, before=before)
    if after is None and hunks:
        told = Shown(path=edit.path, hunks=hunks, edit=edit)
        return Move(path=edit.path, to=edit.to, edit=told) if isinstance(edit, Move) else told
    return msgspec.structs.replace(edit, before=before, after=after)


def _hunks(diff: str) -> tuple[Hunk, ...]:
    """The hunks of a diff that is shown; none where it cannot be read."""
    try:
        files = parse(diff)
    except RecordingError:
        return ()
    return files[0].hunks if len(files) == 1 else ()
