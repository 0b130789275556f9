"""AgentBench's steps: what each says about files and commands."""

from collections.abc import Iterator, Mapping
from typing import Any

from gate.agents.given import price, word
from gate.editing import patch
from gate.editing.edit import Edit, Replace, Write
from gate.errors import GateError, RecordingError
from gate.jsontext import shown
from gate.mention import named_files
from gate.trajectory import Command, Lost, Ok, Step

_WRITES = frozenset(["write_file", "edit_file", "str_replace", "Write", "StrReplace", "Edit", "MultiEdit"])
_PATCHES = frozenset(["apply_patch", "applyPatch", "ApplyPatch"])
_COMMANDS = frozenset(["run_command", "shell", "bash", "Bash", "execute"])
_READ = frozenset(
    ["read_file", "read", "Read", "view", "view_file", "open_file", "cat", "head", "tail", "NotebookRead"]
)
_LIST = frozenset(["list_dir", "list_directory", "list_files", "ls", "LS", "find", "find_files", "glob", "Glob"])
_SEARCH = frozenset(["grep", "Grep", "rg", "search", "search_files", "search_code", "codebase_search", "grep_search"])
_WEB = frozenset(["web_search", "WebSearch", "web_fetch", "WebFetch", "fetch"])
_TALK = frozenset(["think", "plan", "todo", "todo_read", "todo_write", "TodoRead", "TodoWrite", "ask_user", "finish"])
_READS = _READ | _LIST | _SEARCH | _WEB | _TALK
_PATHS = ("path", "file_path", "target_file")
_OLD = ("old_string", "old_str", "old")
_NEW = ("new_string", "new_str", "new")
_FAILED = frozenset(["failed", "failure", "error", "errored", "rejected", "denied", "cancelled", "canceled"])
_MISSING = object()


class _Broken(GateError):
    """A step that does not say what it did."""


def step(number: int, raw: Any, *, line: int = 0) -> Step:
    """One element of `steps`, or one line of a log, with its number; what it does not say is lost."""
    if not isinstance(raw, dict):
        return Step(number=number, line=line, raw=raw, lost=Lost(f"expected an object, found {shown(raw)}"))
    tool, kind, args = word(raw, "tool"), word(raw, "type"), raw.get("args")
    ok = _ok(raw)
    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    lost = None
    patches, runs = tool in _PATCHES, tool in _COMMANDS or kind == "command"
    writes = not patches and (tool in _WRITES or kind == "file_edit")
    try:
        if patches:
            edits = _patch(args)
        if writes:
            edits = tuple(_edits(_object(args)))
        if runs:
            commands = (_command(_object(args), raw),)
    except (_Broken, RecordingError) as error:
        lost = Lost(error.message, error.kind) if ok is not Ok.NO else None
    known = writes or patches or runs or tool in _READS or (not tool and not args)
    return Step(
        number=number,
        line=line,
        tool=tool or ("" if known else kind),
        arguments=args if isinstance(args, dict) else {},
        observation=word(raw, "observation", "output", "result", "stdout"),
        message=word(raw, "message", "content", "text", "thought"),
        time=word(raw, "timestamp", "time"),
        tokens_in=_count(raw.get("tokens_in")),
        tokens_out=_count(raw.get("tokens_out")),
        cost=price(raw, "cost"),
        ok=ok,
        edits=edits,
        commands=commands,
        names=() if known else named_files(args),
        known=known,
        lost=lost,
        raw=raw,
    )


def _patch(args: Any) -> tuple[Edit, ...]:
    """The edits of a patch in the grammar of apply_patch, which the arguments hold or are."""
    text = args if isinstance(args, str) else _string(_object(args), ("input", "patch", "patchText"), "a patch")
    _bytes(text, "args")
    return patch.edits_of(text)


def _edits(args: Mapping[str, Any]) -> Iterator[Edit]:
    path = _string(args, _PATHS, "a file name", none="path_not_normal")
    parts = args.get("edits")
    if parts is None:
        yield _edit(path, args, "args")
        return
    if not isinstance(parts, list) or not parts:
        raise _Broken(f"args.edits: expected a list of replacements, found {shown(parts)}", kind="broken_step")
    for index, part in enumerate(parts):
        where = f"args.edits[{index}]"
        if not isinstance(part, dict):
            raise _Broken(f"{where}: expected an object, found {shown(part)}", kind="broken_step")
        yield _edit(path, part, where)


def _edit(path: str, args: Mapping[str, Any], where: str) -> Edit:
    old = _first(args, _OLD)
    if old is _MISSING:
        written = ("new_string", "content") if args.get("content") == "" else ("content", "new_string")
        return Write(path=path, content=_bytes(_string(args, written, "the text to write", where, empty=True), where))
    everywhere = _first(args, ("replace_all", "all"))
    if everywhere is not _MISSING and not isinstance(everywhere, bool):
        raise _Broken(f"{where}.replace_all: expected true or false, found {shown(everywhere)}", kind="broken_step")
    return Replace(
        path=path,
        old=_bytes(_string(args, _OLD, "the text to replace", where, empty=True), where),
        new=_bytes(_string(args, (*_NEW, "content"), "the new text", where, empty=True), where),
        all=everywhere is True,
    )


def _command(args: Mapping[str, Any], raw: Mapping[str, Any]) -> Command:
    text = _first(args, ("command", "cmd"))
    if isinstance(text, list) and text and all(isinstance(word, str) for word in text):
        import shlex  # only a command recorded as a list of words needs it

        text = shlex.join(text)
    if not isinstance(text, str):
        found = "nothing" if text is _MISSING else shown(text)
        raise _Broken(f"args.command: expected a command, found {found}", kind="broken_step")
    codes = [_count(part.get(key)) for part in _parts(raw) for key in ("exit_code", "returncode")]
    return Command(
        text=text,
        directory=word(args, "cwd", "workdir", "directory") or None,
        exit_code=next((code for code in codes if code is not None), None),
        output=word(raw, "observation", "output", "result", "stdout"),
    )


def _ok(raw: Mapping[str, Any]) -> Ok:
    for part in _parts(raw):
        failed = (
            any(part.get(key) is False for key in ("ok", "success"))
            or any(part.get(key) is True for key in ("is_error", "isError", "failed"))
            or bool(part.get("error"))
            or str(part.get("status")).lower() in _FAILED
            or any(_count(part.get(key)) not in (None, 0) for key in ("exit_code", "returncode"))
        )
        if failed:
            return Ok.NO
    return Ok.YES


def _parts(raw: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield raw
    for key in ("result", "observation"):
        part = raw.get(key)
        if isinstance(part, dict):
            yield part


def _object(args: Any) -> Mapping[str, Any]:
    if not isinstance(args, dict):
        raise _Broken(f"args: expected an object, found {shown(args)}", kind="broken_step")
    return args


def _first(args: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((args[key] for key in keys if args.get(key) is not None), _MISSING)


def _string(
    args: Mapping[str, Any],
    keys: tuple[str, ...],
    expected: str,
    where: str = "args",
    *,
    empty: bool = False,
    none: str = "broken_step",
) -> str:
    """The first of `keys` that holds text, by AgentBench's own rule an empty one only where nothing else is there.

    `none` is the kind of the error where an empty one is all there is, and that does not do.
    """
    found = [(key, args[key]) for key in keys if args.get(key) is not None]
    for key, value in found:
        if not isinstance(value, str):
            raise _Broken(f"{where}.{key}: expected {expected}, found {shown(value)}", kind="broken_step")
    text = next((value for _, value in found if value), "")
    if not text and not (found and empty):
        what = f"{found[0][0]}: expected {expected}, found nothing in it" if found else ""
        kind = none if found else "broken_step"
        raise _Broken(f"{where}.{what or f'{keys[0]}: expected {expected}, found nothing'}", kind=kind)
    return text


def _bytes(text: str, where: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise _Broken(
            f"{where}: the text holds half of a surrogate pair, expected whole characters", kind="json_surrogate"
        ) from None


def _count(value: Any) -> int | None:
    return value if type(value) is int else None
