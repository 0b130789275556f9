"""Claude Code's tools: what a call and its result say about files."""

from collections.abc import Mapping
from typing import Any

from gate.agents.notebook import CellEdit
from gate.editing.edit import Edit, Replace, TextReplace, Write
from gate.editing.text import Text, encoded
from gate.errors import RecordingError
from gate.jsontext import shown

EDITORS = frozenset(["Edit", "MultiEdit", "Write", "NotebookEdit"])
SHELLS = frozenset(["Bash", "PowerShell"])
AGENTS = frozenset(["Agent", "Task"])
LOOKS = frozenset(["Read", "Grep", "Glob", "LS"])
_READERS = LOOKS | frozenset(["NotebookRead", "WebFetch", "WebSearch", "ToolSearch", "LSP"])
_PLANS = frozenset(["TodoWrite", "TodoRead", "EnterPlanMode", "ExitPlanMode", "exit_plan_mode", "AskUserQuestion"])
_TASKS = frozenset(["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "AgentOutputTool"])
_SHELL_HELP = frozenset(["BashOutput", "BashOutputTool", "KillShell", "KillBash", "Monitor", "Sleep"])
_TALK = frozenset(["Skill", "SlashCommand", "SendMessage", "ListAgents", "PushNotification", "StructuredOutput"])
_TIMERS = frozenset(["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "RemoteTrigger"])
_MOVES = frozenset(["EnterWorktree", "ExitWorktree", "TeamCreate", "TeamDelete", "ReportFindings"])
_MCP = frozenset(["ListMcpResourcesTool", "ReadMcpResourceTool", "mcp__ide__getDiagnostics"])
KNOWN = EDITORS | SHELLS | AGENTS | _READERS | _PLANS | _TASKS | _SHELL_HELP | _TALK | _TIMERS | _MOVES | _MCP
"""Tools whose effect on files is known, most of them none."""

LOOKERS = frozenset(["Explore", "Plan", "claude-code-guide"])
"""Sub-agents that come without tools to edit files."""

_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_KEPT_LINE_ENDS_BEFORE = (2, 1, 77)


class ClaudeReplace(TextReplace, frozen=True, kw_only=True):
    """An Edit of Claude Code: exact text, LF inside, and a removed text takes the line end after it along."""

    def replaced(self, body: bytes) -> bytes:
        """The text with `old` replaced by `new`.

        With an empty `new` it is `old` with its line end that is replaced wherever there is one, and an empty `old`
        fills a file that holds nothing but white space.
        """
        if not self.old and not body.strip():
            return self.new
        plain = super().replaced(body)  # raises where it does not fit
        line = self.old + b"\n"
        if self.new or self.old.endswith(b"\n") or line not in body:
            return plain
        return body.replace(line, b"", -1 if self.all else 1)


class ClaudeWrite(Write, frozen=True, kw_only=True):
    """A Write of a version before 2.1.77, which kept the line ends and the encoding of the file it overwrote."""

    def apply(self, content: bytes | None) -> bytes | None:
        """The written content, in the ways of the file that was there."""
        return Text.of(content).put(self.content) if content else self.content


def edits_of(tool: str, arguments: Any, result: Any, *, version: str = "") -> tuple[Edit, ...]:
    """The edits of one call of Edit, MultiEdit, Write or NotebookEdit; none for any other tool.

    `result` is the structured result where it was recorded (`toolUseResult`): it shows what was really written when
    the person changed the proposal. `version` is Claude Code's. RecordingError where neither says what was edited.
    """
    make = {"Edit": _edit, "MultiEdit": _multi_edit, "Write": _write, "NotebookEdit": _notebook_edit}.get(tool)
    if make is None:
        return ()
    if not isinstance(arguments, dict):
        raise RecordingError(f"input: expected an object, found {shown(arguments)}", kind="broken_step")
    return make(arguments, result if isinstance(result, dict) else {}, version)


def _edit(arguments: Mapping[str, Any], result: Mapping[str, Any], _: str) -> tuple[Edit, ...]:
    path = _text("file_path", arguments, result, "filePath")
    old, new = _text("old_string", arguments, result, "oldString"), _text("new_string", arguments, result, "newString")
    asked, whole = arguments.get("old_string"), result.get("replaceAll")
    if isinstance(asked, str) and asked != old and asked.translate(_STRAIGHT) == old.translate(_STRAIGHT):
        new = _as_shown(new, result.get("structuredPatch"))
    everywhere = bool(arguments.get("replace_all") if whole is None else whole)
    return (_replace(path, old, new, everywhere=everywhere, before=_before(result, "originalFile")),)


def _as_shown(new: str, patch: Any) -> str:
    """The new text with the quotes that the recorded patch shows.

    Where the old text was found with the curly quotes of the file, later versions write the new one with curly quotes
    too, which the result does not tell. The patch is for display (tabs are spaces in it), so only quotes are taken.
    """
    hunks = [hunk.get("lines") for hunk in patch if isinstance(hunk, dict)] if isinstance(patch, list) else []
    lines = [line for hunk in hunks if isinstance(hunk, list) for line in hunk if isinstance(line, str)]
    added = [(line, line.translate(_STRAIGHT)) for line in lines if line.startswith("+")]
    parts = []
    for part in new.split("\n"):
        text = part.strip()
        found = [(line, plain.find(text.translate(_STRAIGHT))) for line, plain in added]
        shown_as = [line[at : at + len(text)] for line, at in found if at > 0]
        parts.append(part.replace(text, shown_as[0]) if shown_as and text not in shown_as else part)
    return "\n".join(parts)


def _multi_edit(arguments: Mapping[str, Any], result: Mapping[str, Any], _: str) -> tuple[Edit, ...]:
    path = _text("file_path", arguments, result, "filePath")
    parts = result.get("edits") if isinstance(result.get("edits"), list) else arguments.get("edits")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise RecordingError(f"input.edits: expected a list of objects, found {shown(parts)}", kind="broken_step")
    before = _before(result, "originalFileContents") or _before(result, "originalFile")
    edits = []
    for part in parts:
        old, new = _text("old_string", part), _text("new_string", part)
        edits.append(_replace(path, old, new, everywhere=bool(part.get("replace_all")), before=before))
        before = None
    return tuple(edits)


def _replace(path: str, old: str, new: str, *, everywhere: bool, before: bytes | None) -> Replace:
    if not old and not before:
        before = None  # an empty original stands for no file too
    return ClaudeReplace(path=path, old=encoded(old), new=encoded(new), all=everywhere, before=before)


def _write(arguments: Mapping[str, Any], result: Mapping[str, Any], version: str) -> tuple[Edit, ...]:
    path = _text("file_path", arguments, result, "filePath")
    content = encoded(_text("content", arguments, result, "content"))
    numbers = version.split(".")
    if all(number.isdecimal() for number in numbers) and tuple(map(int, numbers)) < _KEPT_LINE_ENDS_BEFORE:
        return (ClaudeWrite(path=path, content=content),)
    return (Write(path=path, content=content),)


def _notebook_edit(arguments: Mapping[str, Any], result: Mapping[str, Any], _: str) -> tuple[Edit, ...]:
    mode = arguments.get("edit_mode") or "replace"
    cell, number = arguments.get("cell_id"), arguments.get("cell_number")
    if cell is None and type(number) is int:  # the first versions counted, and inserted before the counted cell
        counted = number - 1 if mode == "insert" else number
        cell = f"cell-{counted}" if counted >= 0 else ""
    after = result.get("updated_file")
    return (
        CellEdit(
            path=_text("notebook_path", arguments, result, "notebook_path"),
            source="" if mode == "delete" else _text("new_source", arguments, result, "new_source"),
            cell=cell if isinstance(cell, str) else "",
            mode=mode if isinstance(mode, str) else "replace",
            type=arguments["cell_type"] if isinstance(arguments.get("cell_type"), str) else "",
            new_id=result["cell_id"] if isinstance(result.get("cell_id"), str) else "",
            before=_before(result, "original_file"),
            after=encoded(after) if isinstance(after, str) and after else None,
        ),
    )


def _before(result: Mapping[str, Any], key: str) -> bytes | None:
    content = result.get(key)
    return encoded(content) if isinstance(content, str) else None


def _text(key: str, arguments: Mapping[str, Any], result: Mapping[str, Any] | None = None, known: str = "") -> str:
    """The text of the result under `known`, else of the arguments under `key`."""
    value = result.get(known) if result else None
    if isinstance(value, str):
        return value
    value = arguments.get(key)
    if not isinstance(value, str):
        found = "nothing" if key not in arguments else shown(value)
        raise RecordingError(f"input.{key}: expected text, found {found}", kind="broken_step")
    return value


def shell_text(arguments: Any) -> str | None:
    """The text of a shell call, which may be a list of words."""
    text = arguments.get("command") if isinstance(arguments, dict) else arguments
    if isinstance(text, list) and text and all(isinstance(word, str) for word in text):
        import shlex  # only a command recorded as a list of words needs it

        return shlex.join(text)
    return text if isinstance(text, str) else None
