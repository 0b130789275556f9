"""Cursor's tools: what a call, and its result where there is one, says about files."""

from collections.abc import Mapping
from typing import Any

from gate.agents import given
from gate.agents.lookalike import any_crlf
from gate.editing import patch, unified
from gate.editing.edit import Delete, Edit, Replace, TextReplace, Write
from gate.editing.text import Text, encoded
from gate.errors import RecordingError

EDITORS = frozenset("edit write strreplace multistrreplace delete applypatch searchreplace editfile deletefile".split())  # noqa: SIM905
SHELLS = frozenset(["shell", "runterminalcmd"])
AGENTS = frozenset(["task"])
_READS = frozenset("read readfile grep glob ls listdir filesearch globfilesearch readlints diagnostics".split())  # noqa: SIM905
_SEARCHES = frozenset("semsearch semanticsearch codebasesearch websearch webfetch fetch".split())  # noqa: SIM905
_TALK = frozenset("updatetodos readtodos todowrite todoread todo askquestion createplan switchmode reflect".split())  # noqa: SIM905
_MCP = frozenset("getmcptools listmcpresources readmcpresource fetchmcpresource".split())  # noqa: SIM905
_WAITING = frozenset("await sleep writeshellstdin".split())  # noqa: SIM905
KNOWN = EDITORS | SHELLS | AGENTS | _READS | _SEARCHES | _TALK | _MCP | _WAITING
"""Tools whose effect on files is known, most of them none; names as `plain_name` gives them."""

_PATHS = ("path", "file_path", "filePath", "target_file")
_OLD = ("old_string", "oldText", "oldString")
_NEW = ("new_string", "newText", "newString")
_CONTENT = ("contents", "content", "fileText", "streamContent")


class CursorEdit(TextReplace, frozen=True, kw_only=True):
    """An edit of which the result shows the whole file afterwards; `new` is the text that the model wrote."""

    @property
    def written(self) -> bytes:
        """The text that the model wrote, or the file."""
        return self.new or self.after or b""

    def seen(self, content: bytes) -> Text:
        """The file with LF ends; one CRLF anywhere makes it a file with CRLF ends."""
        return any_crlf(content)


def plain_name(tool: str) -> str:
    """A tool's name in one spelling for the stream (`strReplaceToolCall`) and transcripts (`StrReplace`)."""
    return tool.removesuffix("ToolCall").replace("_", "").lower()


def edits_of(tool: str, arguments: Mapping[str, Any], success: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edits of one call of an editing tool; `success` is its result, empty where there is none.

    RecordingError where neither says what was edited.
    """
    name = plain_name(tool)
    shown = _shown(arguments, success)
    if shown:
        return (shown,)
    if name in ("delete", "deletefile"):
        before = given.optional(success, "prevContent")
        return (Delete(path=_path(arguments, success), before=encoded(before) if before else None),)
    if name == "applypatch" or "applyPatch" in arguments:
        return _patched(arguments)
    if name == "write":
        return (Write(path=_path(arguments, success), content=encoded(given.text(arguments, *_CONTENT))),)
    parts = given.member(arguments, "multiStrReplace") or arguments
    if "edits" in parts:
        return tuple(_replace(_path(arguments, success), part) for part in given.parts(parts, "edits"))
    part = given.member(arguments, "strReplace") or arguments
    if any(isinstance(part.get(key), str) for key in _OLD):
        return (_replace(_path(arguments, success), part),)
    raise RecordingError(
        f"neither its arguments nor its result show what it did to {_path(arguments, success)}", kind="no_content"
    )


def _shown(arguments: Mapping[str, Any], success: Mapping[str, Any]) -> Edit | None:
    """The edit as its result shows it: by the whole file, else by a diff, else as a file that was written."""
    path = given.optional(success, *_PATHS) or given.optional(arguments, *_PATHS)
    before, after = (given.optional(success, f"{when}FullFileContent") for when in ("before", "after"))
    diff, new = given.word(success, "diffString"), given.word(arguments, *_CONTENT)
    if not path or not success:
        return None
    if after is not None:
        old = encoded(before) if before else None
        return CursorEdit(path=path, old=b"", new=encoded(new), before=old, after=encoded(after))
    if diff.startswith("--- /dev/null") or given.word(success, "message").startswith("Wrote contents"):
        return Write(path=path, content=encoded(new))
    try:
        (file,) = unified.parse(diff)
    except (RecordingError, ValueError):
        return None
    return unified.Diffed(path=path, hunks=file.hunks)


def _patched(arguments: Mapping[str, Any]) -> tuple[Edit, ...]:
    text = given.word(given.member(arguments, "applyPatch"), "patchContent", "patch")
    return patch.edits_of(text or given.text(arguments, "patch", "input", "patchContent"))


def _replace(path: str, part: Mapping[str, Any]) -> Edit:
    return Replace(
        path=path,
        old=encoded(given.text(part, *_OLD)),
        new=encoded(given.text(part, *_NEW)),
        all=part.get("replace_all") is True or part.get("replaceAll") is True,
    )


def _path(arguments: Mapping[str, Any], success: Mapping[str, Any]) -> str:
    return given.optional(success, *_PATHS) or given.named(arguments, *_PATHS)
