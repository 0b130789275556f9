"""Well-known tools, by the name that their agent gives them: what a call says about files and commands.

Recordings that pass on what other agents recorded have no vocabulary of their own. This room knows which tool of which
agent a call is; what that tool does is known to the room of the agent.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gate.agents import claude, codex, cursor, goose
from gate.agents.clinesdk import edit_of
from gate.agents.conversation import UNKNOWN, Deed, cut
from gate.agents.editor import NAMES, OPENHANDS, SWE_AGENT, edits_of
from gate.agents.gemini import GeminiReplace, GeminiWrite
from gate.agents.given import named, optional, parts, text, word
from gate.agents.hunks import HunkEdit, normal
from gate.agents.lookalike import SPACES
from gate.agents.pi import Pair, PiEdit
from gate.agents.searchblock import ClineBlocks, SavedWrite, cline_blocks
from gate.agents.searchreplace import SearchReplace
from gate.editing import patch
from gate.editing.edit import Delete, Edit, Move, Replace, TextReplace, Write
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.trajectory import Command, Lost

_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "search")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "replace")
_PATH = ("file_path", "filePath", "path", "target_file", "file", "filename", "absolute_path")
_CONTENT = ("content", "contents", "file_text", "fileText")
_PATCH = ("patch", "input", "patchText", "patch_text", "patchContent", "diff", "value", "raw")

_SHELLS = codex.SHELLS | claude.SHELLS
_SHELLS |= frozenset(
    ["bash", "execute_bash", "terminal", "run_shell_command", "run_command", "run_commands", "execute_command"]
)
_SHELLS |= frozenset(
    ["run_terminal_cmd", "run_in_terminal", "bash_command", "execute", "Shell", "Execute", "run", "shellToolCall"]
)
_SHELLS |= frozenset(["developer__shell", "developer.shell", "powershell"])
_WRITES = frozenset(["Write", "write", "write_file", "create", "create_file", "write_to_file", "Create", "WriteFile"])
_EDITS = frozenset(
    ["Edit", "edit", "replace", "edit_file", "str_replace", "StrReplace", "MultiEdit", "multiedit", "multi_edit"]
)
_EDITS |= frozenset(["search_replace", "replace_in_file", "EditFile", "StrReplaceFile"])
_PATCHES = frozenset(["apply_patch", "applyPatch", "ApplyPatch", "patch"])
_DELETES = frozenset(["delete_file", "delete", "Delete", "remove_file"])
_MOVES = frozenset(["move_file", "rename_file", "move"])
_AGENTS = claude.AGENTS | codex.AGENTS | frozenset(["task", "TaskTool", "new_task", "call_subagent"])

_READS = frozenset(
    [
        "read",
        "read_file",
        "read_many_files",
        "ReadFile",
        "view",
        "view_file",
        "open_file",
        "cat",
        "head",
        "tail",
        "fetch",
    ]
)
_LISTS = frozenset(
    ["list", "ls", "glob", "Glob", "find", "list_dir", "list_directory", "list_files", "LS", "report_intent"]
)
_SEARCHES = frozenset(
    ["grep", "Grep", "rg", "search", "search_files", "grep_search", "search_file_content", "codesearch"]
)
_WEB = frozenset(["web_search", "webfetch", "websearch", "web_fetch", "google_web_search", "web_search_call", "browse"])
_TALK = frozenset(
    [
        "think",
        "plan",
        "todo",
        "todoread",
        "todowrite",
        "write_todos",
        "finish",
        "submit",
        "attempt_completion",
        "ask_user",
    ]
)
_TALK |= frozenset(["mark_task_complete", "task_tracker", "update_plan", "save_memory", "skill", "complete_task"])
_SHELL_HELP = frozenset(
    ["write_stdin", "read_bash", "stop_bash", "write_bash", "list_bash", "kill_shell", "bash_output"]
)
_ENDS = frozenset(["exit_plan_mode", "enter_plan_mode", "ask_followup_question", "plan_mode_respond", "condense"])
HARMLESS = _READS | _LISTS | _SEARCHES | _WEB | _TALK | _SHELL_HELP | _ENDS | codex.HARMLESS
"""Tools that change no file of the repository."""

_KEYS = re.compile(r"(?:C-[a-z]|\^[A-Z]|Enter|Escape|Tab|Up|Down|Left|Right)\n?")


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a tool and what is known of it.

    `family` is the agent's name as `family_of` gives it, `version` its version, `directory` where it ran; `answer` is
    what the tool said, `detail` its structured result and `exit_code` a process's end, where they were recorded.
    """

    tool: str
    arguments: Mapping[str, Any]
    family: str = ""
    version: str = ""
    directory: str | None = None
    answer: str = ""
    detail: Mapping[str, Any] = {}
    exit_code: int | None = None


def family_of(agent: str) -> str:
    """An agent's name without versions and variants, such as "claude-code" for "Claude Code"."""
    name = re.sub(r"[\s_]+", "-", agent.strip().lower())
    for family in ("claude-code", "codex", "openhands", "mini-swe-agent", "swe-agent", "terminus", "gemini", "qwen"):
        if name.startswith(family):
            return family
    for family in ("opencode", "copilot", "cursor", "goose", "cline", "roo", "aider", "factory-droid"):
        if name.startswith(family):
            return family
    return name


def deed(use: Use) -> Deed:
    """What a call did. RecordingError where it does not say."""
    if use.family == "goose":
        use = msgspec.structs.replace(use, tool=re.split(r"__|\.", use.tool)[-1])
        made = goose.edits_of(use.tool, use.arguments)
        if made is not None:
            return Deed(edits=made)
    for names, act in _ACTS:
        if use.tool in names:
            return act(use)
    harmless = use.tool in HARMLESS or use.tool in claude.KNOWN or use.tool.startswith(("browser_", "Browser"))
    return Deed() if harmless else UNKNOWN


def _gooses_editor(use: Use) -> Deed:
    """Goose's editor where it edits nothing by itself: what an undo takes back is not told."""
    if use.arguments.get("command") == "undo_edit":
        return Deed(lost=Lost("the edit that it takes back is not told", "replay_mismatch"))
    return Deed() if use.arguments.get("command") == "view" else UNKNOWN


def _ran(use: Use) -> Deed:
    """A command of the shell; one of Codex's may hand a patch to apply_patch."""
    arguments = use.arguments
    if "keystrokes" in arguments:
        keys = text(arguments, "keystrokes")
        typed = "" if _KEYS.fullmatch(keys) else keys.removesuffix("\n")
        return Deed(commands=(_command(typed, use, use.directory),) if typed else ())
    listed = arguments.get("commands")
    if isinstance(listed, list) and all(isinstance(line, str) for line in listed):
        return Deed(commands=tuple(_command(line, use, use.directory) for line in listed))
    words = codex.words_of(arguments)
    where = codex.place_of(arguments, use.directory)
    command = _command(codex.text_of(words), use, where)
    if "apply_patch" not in command.text:
        return Deed(commands=(command,))
    edits, lost = codex.shell_patches(words, None, directory=where, keep=_keeps(use))
    return Deed(edits=edits, commands=(command,), lost=lost)


def _command(line: str, use: Use, directory: str | None) -> Command:
    return Command(text=line, directory=directory, exit_code=use.exit_code, output=cut(use.answer))


def _keeps(use: Use) -> bool:
    return codex.keeps_line_ends(use.version) if use.family == "codex" else True


def _edited_by_editor(use: Use) -> Deed:
    return Deed(edits=edits_of(use.arguments, SWE_AGENT if use.family == "swe-agent" else OPENHANDS))


def _patched(use: Use) -> Deed:
    body = next((use.arguments[key] for key in _PATCH if isinstance(use.arguments.get(key), str)), None)
    return Deed(edits=patch.edits_of(text({"patch": body}, "patch"), keep=_keeps(use)))


def _claudes(use: Use) -> Deed | None:
    """What a tool of Claude Code did, which others offer too; a namesake is given its file under another key."""
    if use.tool not in claude.EDITORS or not {"file_path", "notebook_path"} & use.arguments.keys():
        return None
    if use.tool == "Edit" and "old_string" not in use.arguments and use.family != "claude-code":
        return None
    return _claudes_edit(use)


def _claudes_edit(use: Use) -> Deed:
    return Deed(edits=claude.edits_of(use.tool, use.arguments, use.detail, version=use.version))


def _wrote(use: Use) -> Deed:
    own = _claudes(use)
    if own:
        return own
    path, content = named(use.arguments, *_PATH), encoded(text(use.arguments, *_CONTENT))
    make = GeminiWrite if use.family in ("gemini", "qwen") else Write
    return Deed(edits=(make(path=path, content=content),))


def _replaced(use: Use) -> Deed:
    own = _claudes(use)
    if own:
        return own
    if use.arguments.get("command") in ("create", "str_replace", "insert", "undo_edit", "view"):
        return _edited_by_editor(use)  # OpenHands calls it so itself
    if use.family == "openhands" and optional(use.arguments, *_OLD) is None:
        raise RecordingError("what a second model made of the draft is not recorded", kind="lost")
    if use.family == "cursor":
        return Deed(edits=cursor.edits_of(use.tool, use.arguments, use.detail))
    key = next((key for key in ("edits", "replacements") if key in use.arguments), None)
    if key is None and optional(use.arguments, *_OLD) is None and optional(use.arguments, *_CONTENT) is not None:
        return _wrote(use)
    path = named(use.arguments, *_PATH)
    listed = parts(use.arguments, key) if key else [use.arguments]
    if use.family == "pi":
        pairs = tuple(Pair(text(part, *_OLD), text(part, *_NEW)) for part in listed)
        return Deed(edits=(PiEdit(path=path, pairs=pairs),))
    return Deed(edits=tuple(_replacement(path, part, use.family) for part in listed))


def _replacement(path: str, part: Mapping[str, Any], family: str) -> Edit:
    old, new = text(part, *_OLD), text(part, *_NEW)
    counted = part.get("expected_replacements")
    several = isinstance(counted, int) and counted > 1
    everywhere = several or any(part.get(key) is True for key in ("replace_all", "replaceAll", "all", "allow_multiple"))
    if family in ("gemini", "qwen"):
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
        return GeminiReplace(path=path, old=encoded(old), new=encoded(new), all=everywhere)
    make = Replace if family in ("copilot", "openhands") else TextReplace
    return make(path=path, old=encoded(old), new=encoded(new), all=everywhere)


def _aiders(use: Use) -> Deed:
    path = named(use.arguments, "path")
    if use.tool == "whole":
        return Deed(edits=(Write(path=path, content=encoded(text(use.arguments, "content"))),))
    if use.tool == "udiff":
        lines = normal(text(use.arguments, "diff").splitlines(keepends=True))
        return Deed(edits=(HunkEdit(path=path, lines=lines),))
    search, new = text(use.arguments, "search"), text(use.arguments, "replace")
    return Deed(edits=(SearchReplace(path=path, search=search, replace=new),))


def _clines(use: Use) -> Deed:
    """Cline's editor, and the tools of its first versions, whose texts stand in blocks."""
    if use.tool == "editor":
        return Deed(edits=(edit_of(use.arguments),))
    path = named(use.arguments, "path")
    if use.tool == "write_to_file":
        return Deed(edits=(SavedWrite(path=path, content=encoded(text(use.arguments, "content"))),))
    blocks = cline_blocks(text(use.arguments, "diff").strip(SPACES))
    return Deed(edits=(ClineBlocks(path=path, blocks=blocks),))


def _deleted(use: Use) -> Deed:
    return Deed(edits=(Delete(path=named(use.arguments, *_PATH)),))


def _moved(use: Use) -> Deed:
    path = named(use.arguments, "source", "source_path", "from", "old_path", *_PATH)
    to = named(use.arguments, "destination", "destination_path", "to", "new_path")
    return Deed(edits=(Move(path=path, to=to),))


def _delegated(use: Use) -> Deed:
    kind = word(use.arguments, "subagent_type", "agent_type", "agent") or word(use.detail, "agentType")
    if kind in claude.LOOKERS:
        return Deed()
    who = f"sub-agent {kind}" if kind else "sub-agent"
    return Deed(lost=Lost(f"the recording of its {who} is not here, with any edit it made", "sub_agent"))


_ACTS: tuple[tuple[frozenset[str], Callable[[Use], Deed]], ...] = (
    (NAMES, _edited_by_editor),
    (frozenset(["search_replace", "udiff", "whole"]), _aiders),
    (frozenset(["editor", "write_to_file", "replace_in_file"]), _clines),
    (frozenset(["text_editor"]), _gooses_editor),
    (_SHELLS, _ran),
    (_PATCHES, _patched),
    (_WRITES, _wrote),
    (_EDITS, _replaced),
    (frozenset(["NotebookEdit"]), _claudes_edit),
    (_DELETES, _deleted),
    (_MOVES, _moved),
    (_AGENTS, _delegated),
)
