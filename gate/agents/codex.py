"""Codex's tools: what a patch, its recorded outcome and a shell call say about files and commands."""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from gate.agents import given
from gate.editing.edit import Delete, Edit, Move, Write
from gate.editing.patch import edits_of
from gate.editing.text import encoded
from gate.editing.unified import Diffed, Hunk, parse
from gate.errors import RecordingError
from gate.jsontext import decode, shown
from gate.path import joined
from gate.trajectory import Lost, Ok

SHELLS = frozenset(["shell", "shell_command", "local_shell", "exec_command", "container.exec", "unified_exec"])
AGENTS = frozenset(["spawn_agent", "spawn_agents_on_csv"])
_READS = frozenset(["view_image", "read_file", "list_dir", "grep_files", "web_search", "tool_search", "tool_suggest"])
_MCP = frozenset(["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"])
_TALK = frozenset(["update_plan", "request_user_input", "request_permissions", "sleep", "wait", "image_generation"])
_TEAM = frozenset(
    ["send_input", "send_message", "wait_agent", "close_agent", "resume_agent", "list_agents", "interrupt_agent"]
)
_GOALS = frozenset(["get_goal", "create_goal", "update_goal", "get_context_remaining", "report_agent_job_result"])
HARMLESS = _READS | _MCP | _TALK | _TEAM | _GOALS
"""Tools that change no file of the repository."""

_KEEPS_LINE_ENDS = (0, 143)
"""The first version that can be told to keep a file's line ends; before it a patch wrote LF."""

_EXIT = r"(?:(?!Output:\n)[^\n]*\n){0,6}?(?:Exit code: |Process exited with code )(-?\d+)"
_RUNNING = r"(?:(?!Output:\n)[^\n]*\n){0,6}?(?:Process running with session ID|Script running with cell ID) "
_REFUSED = (
    r"(?i:apply_patch verification failed|apply_patch handler received|patch rejected|exec command rejected|rejected|"
    r"failed to parse function arguments|unsupported (?:custom tool )?call|unsupported call|execution error|"
    r"exec_command failed|write_stdin failed|failed in sandbox|command failed|Script failed|Script error|aborted)"
)
_HEAD = (
    r"(?:(?:Command|Chunk ID|Wall time|Exit code|Process exited|Process running|Original token count"
    r"|Total output lines)[^\n]*\n)+\n?Output:\n"
)
UPDATED = "Success. Updated the following files:"
"""What apply_patch says when it has done all of a patch."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool answered the model: its text, how a process ended, and whether it says that it went well."""

    text: str
    exit_code: int | None = None
    ok: Ok = Ok.UNKNOWN


def said(output: Any) -> Said:
    """What the `output` of a recorded result says, in each of the shapes that versions gave it."""
    flag = output.get("success") if isinstance(output, dict) else None
    text = given.spoken(output)
    code = None
    if text.startswith('{"') and '"metadata"' in text:
        inner = _inner(text)
        code = given.count(given.member(inner, "metadata"), "exit_code")
        text = given.word(inner, "output") or text
    found = re.match(_EXIT, text)
    code = int(found[1]) if found and len(found[1]) < 12 else code
    return Said(text=text, exit_code=code, ok=_ok(text, code, flag))


def printed(text: str) -> str:
    """What a command printed, without what the tool writes above it."""
    head = re.match(_HEAD, text)
    return text[head.end() :] if head else text


def _inner(text: str) -> Any:
    try:
        return decode(encoded(text))
    except RecordingError:
        return None


def _ok(text: str, code: int | None, flag: Any) -> Ok:
    if code is not None:
        return Ok.YES if code == 0 else Ok.NO
    if flag is False or re.match(_REFUSED, text):
        return Ok.NO
    return Ok.UNKNOWN if re.match(_RUNNING, text) else Ok.YES


def keeps_line_ends(version: str) -> bool:
    """Whether a patch of this version of Codex is taken to keep line ends; one that is not known is."""
    numbers = version.split("-")[0].split(".")
    known = len(numbers) > 1 and all(number.isdigit() and len(number) < 6 for number in numbers[:2])
    return not known or tuple(map(int, numbers[:2])) >= _KEEPS_LINE_ENDS


def arguments_of(text: Any) -> Any:
    """The arguments of a function call, which are JSON in a text. RecordingError where they are not."""
    if not isinstance(text, str):
        return text
    try:
        return decode(encoded(text))
    except RecordingError as error:
        raise RecordingError(f"arguments: {error.message}", kind=error.kind) from None


def text_of(words: str | list[str]) -> str:
    """A command as one would type it."""
    if isinstance(words, str):
        return words
    if len(words) == 3 and words[1] in ("-c", "-lc"):
        return words[2]
    import shlex  # only a command recorded as a list of words needs it

    return shlex.join(words)


def place_of(arguments: Any, directory: str | None) -> str | None:
    """Where a shell call runs, when the session is in `directory`."""
    where = given.word(arguments, "workdir", "working_directory", "cwd").removeprefix("file://")
    return joined(directory, where) if where else directory


def words_of(arguments: Mapping[str, Any]) -> str | list[str]:
    """The command of a shell call as it was given: a text or words. RecordingError where there is none."""
    words = next((arguments[key] for key in ("command", "cmd", "input") if arguments.get(key) is not None), None)
    if isinstance(words, str) or (isinstance(words, list) and words and all(isinstance(word, str) for word in words)):
        return words
    raise RecordingError(f"arguments.command: expected a command, found {shown(words)}", kind="broken_step")


def shell_patches(
    command: str | list[str], changes: Any, *, directory: str | None, keep: bool
) -> tuple[tuple[Edit, ...], Lost | None]:
    """The edits of the patches that a command hands to apply_patch, and what cannot be told of them.

    `changes` is the recorded outcome, which only a command that does nothing else has.
    """
    from gate.agents.invocation import invocations  # most commands hold no patch, and need no shell's grammar

    edits: list[Edit] = []
    lost = None
    for call in invocations(command):
        if call.doubt:
            lost = Lost(call.doubt, "shell_patch")
            continue
        where = joined(directory, call.directory) if call.directory else directory
        made = patched(call.patch, changes if call.alone else None, directory=where, keep=keep)
        edits += (_within(edit, call.directory) for edit in made) if call.directory else made
    return tuple(edits), lost


def _within(edit: Edit, directory: str) -> Edit:
    """An edit whose names start at a folder, as one whose names start where the folder does."""
    names = {"path": joined(directory, edit.path)}
    if isinstance(edit, Move):
        names["to"] = joined(directory, edit.to)
    inner = {"edit": _within(edit.edit, directory)} if isinstance(edit, Diffed | Move) and edit.edit else {}
    return msgspec.structs.replace(edit, **names, **inner)


def patched(text: str | None, changes: Any, *, directory: str | None, keep: bool) -> tuple[Edit, ...]:
    """The edits of a patch: its text, and `changes`, its outcome by file, where that was recorded.

    The outcome is what became of the text, so it goes first. A file that one patch names twice has an outcome for the
    last time only. RecordingError where neither can be read.
    """
    changes = changes if isinstance(changes, dict) else {}
    try:
        edits = edits_of(text, keep=keep) if text is not None else ()
    except RecordingError:
        if not changes:
            raise
        edits = ()
    if not edits and changes:
        return tuple(_recorded(path, change) for path, change in changes.items() if not _is_nothing(change))
    if not changes:
        return edits
    if len(edits) == len(changes) == 1 and edits[0].path in changes:  # most patches
        return (_outcome(edits[0], changes[edits[0].path]),)
    known = {_place(path, directory): change for path, change in changes.items()}
    places = [_place(edit.path, directory) for edit in edits]
    counts = Counter(places)
    return tuple(
        _outcome(edit, known[place]) if counts[place] == 1 and place in known else edit
        for edit, place in zip(edits, places, strict=True)
    )


def _place(path: str, directory: str | None) -> str:
    return posixpath.normpath(posixpath.join(directory or "", path))


def _is_nothing(change: Any) -> bool:
    """Whether it is an update that changed no line and no name."""
    return given.word(change, "unified_diff") == "" and given.word(change, "type") == "update" and not _target(change)


def _target(change: Any) -> str:
    return given.word(change, "move_path")


def _recorded(path: str, change: Any) -> Edit:
    """The edit that an outcome alone tells."""
    kind = given.word(change, "type")
    if kind == "add":
        return Write(path=path, content=encoded(given.text(change, "content")))
    if kind == "delete":
        return Delete(path=path, before=given.content(change, "content"))
    if kind != "update":
        raise RecordingError(f"changes[{path!r}]: expected an outcome, found {shown(change)}", kind="broken_step")
    told, to = Diffed(path=path, hunks=_hunks(change)), _target(change)
    return Move(path=path, to=to, edit=told if told.hunks else None) if to else told


def _outcome(edit: Edit, change: Any) -> Edit:
    """The edit of a patch with its recorded outcome, as far as that can be read."""
    kind = given.word(change, "type")
    content = given.content(change, "content")
    if isinstance(edit, Write):
        return msgspec.structs.replace(edit, content=content) if kind == "add" and content is not None else edit
    if isinstance(edit, Delete):
        return msgspec.structs.replace(edit, before=content) if kind == "delete" else edit
    try:
        hunks = _hunks(change) if kind == "update" else ()
    except RecordingError:
        hunks = ()
    if not hunks:
        return edit
    told = Diffed(path=edit.path, hunks=hunks, edit=edit)
    return Move(path=edit.path, to=edit.to, edit=told) if isinstance(edit, Move) else told


def _hunks(change: Any) -> tuple[Hunk, ...]:
    files = parse(given.text(change, "unified_diff"))
    return files[0].hunks if len(files) == 1 else ()


def done_before(edits: Sequence[Edit], why: str, *, directory: str | None) -> int:
    """How many edits of a patch were made before it stopped: those before the first file that `why` names."""
    for number, edit in enumerate(edits):
        names = {edit.path, _place(edit.path, directory)}
        if any(_names(why, name) for name in names):
            return number
    return 0


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", text) is not None


def changes_fit(text: str, changes: Any, *, directory: str | None) -> bool:
    """Whether an outcome names the files of a patch, and no others."""
    try:
        named = {_place(edit.path, directory) for edit in edits_of(text)}
    except RecordingError:
        return False
    return isinstance(changes, dict) and named == {_place(path, directory) for path in changes}
