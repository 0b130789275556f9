"""AgentBench's trajectories: one JSON document with a list of steps."""

from collections.abc import Iterator, Mapping
from typing import Any

from gate.edit import Edit, Replace, Write
from gate.errors import GateError
from gate.jsontext import shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Lost, Ok, Step, Trajectory, named_files

_WRITES = frozenset(["write_file", "edit_file", "str_replace", "Write", "StrReplace", "Edit", "MultiEdit"])
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


class AgentBench(Reader):
    """AgentBench's trajectory: a JSON object whose `steps` are objects with `type`, `tool` and `args`.

    Files are written by `write_file`, `edit_file`, `str_replace`, `Write`, `StrReplace`, `Edit`, `MultiEdit` and by
    steps of type `file_edit`; the file is `path`, `file_path` or `target_file`. A step with an old text (`old_string`,
    `old_str`, `old`) replaces exactly one place, or every place with `replace_all` or `all`; only a step without one
    writes `content` (or `new_string`) as the whole file. Commands are run by `run_command`, `shell`, `bash`, `Bash`,
    `execute` and by steps of type `command`; they are not run again.

    The format records no result: a step counts as successful unless it says otherwise, in itself or in its `result`
    or `observation`: `ok` or `success` false, `is_error` true, an `error` that is not empty, a `status` such as
    "failed", an `exit_code` or `returncode` other than 0. Such a step is not applied. An absolute path lies under
    `metadata.cwd` (or `working_directory`) or outside the workspace. Any other tool is counted, and one that names
    files makes the replay incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """A JSON object with `steps` that is no ATIF document, which has a version and numbered steps too."""
        document = sample.document
        if not isinstance(document, dict) or "steps" not in document or "schema_version" in document:
            return False
        steps = document["steps"]
        first = steps[0] if isinstance(steps, list) and steps else {}
        return not (isinstance(first, dict) and "step_id" in first and "source" in first)

    def read(self, recording: Recording) -> Trajectory:
        """Every element of `steps` is one step, numbered as it stands there."""
        document = recording.document(strict=True)
        steps = document["steps"]
        if not isinstance(steps, list):
            raise recording.error(f"`steps`: expected a list, found {shown(steps)}", kind="type")
        metadata = document.get("metadata")
        about: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=tuple(_step(number, raw) for number, raw in enumerate(steps, 1)),
            agent=_text(about, "agent"),
            model=_text(about, "model"),
            directory=_text(about, "cwd", "working_directory", "directory") or None,
        )


def _step(number: int, raw: Any) -> Step:
    if not isinstance(raw, dict):
        return Step(number=number, raw=raw, lost=Lost(f"expected an object, found {shown(raw)}"))
    tool, kind, args = _text(raw, "tool"), _text(raw, "type"), raw.get("args")
    ok = _ok(raw)
    edits: tuple[Edit, ...] = ()
    commands: tuple[Command, ...] = ()
    lost = None
    writes, runs = tool in _WRITES or kind == "file_edit", tool in _COMMANDS or kind == "command"
    try:
        if writes:
            edits = tuple(_edits(_object(args)))
        if runs:
            commands = (_command(_object(args), raw),)
    except _Broken as error:
        lost = Lost(error.message, error.kind) if ok is not Ok.NO else None
    known = writes or runs or tool in _READS or (not tool and not args)
    return Step(
        number=number,
        tool=tool or ("" if known else kind),
        arguments=args if isinstance(args, dict) else {},
        observation=_text(raw, "observation", "output", "result", "stdout"),
        message=_text(raw, "message", "content", "text", "thought"),
        time=_text(raw, "timestamp", "time"),
        tokens_in=_count(raw.get("tokens_in")),
        tokens_out=_count(raw.get("tokens_out")),
        cost=float(raw["cost"]) if type(raw.get("cost")) in (int, float) else None,
        ok=ok,
        edits=edits,
        commands=commands,
        names=() if known else named_files(args),
        known=known,
        lost=lost,
        raw=raw,
    )


def _edits(args: Mapping[str, Any]) -> Iterator[Edit]:
    path = _string(args, _PATHS, "a file name")
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
        directory=_text(args, "cwd", "workdir", "directory") or None,
        exit_code=next((code for code in codes if code is not None), None),
        output=_text(raw, "observation", "output", "result", "stdout"),
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
    args: Mapping[str, Any], keys: tuple[str, ...], expected: str, where: str = "args", *, empty: bool = False
) -> str:
    """The first of `keys` that holds text, by AgentBench's own rule an empty one only where nothing else is there."""
    found = [(key, args[key]) for key in keys if args.get(key) is not None]
    for key, value in found:
        if not isinstance(value, str):
            raise _Broken(f"{where}.{key}: expected {expected}, found {shown(value)}", kind="broken_step")
    text = next((value for _, value in found if value), "")
    if not text and not (found and empty):
        what = f"{found[0][0]}: expected {expected}, found nothing in it" if found else ""
        raise _Broken(f"{where}.{what or f'{keys[0]}: expected {expected}, found nothing'}", kind="broken_step")
    return text


def _bytes(text: str, where: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise _Broken(
            f"{where}: the text holds half of a surrogate pair, expected whole characters", kind="json_surrogate"
        ) from None


def _text(holder: Mapping[str, Any], *keys: str) -> str:
    return next((holder[key] for key in keys if isinstance(holder.get(key), str)), "")


def _count(value: Any) -> int | None:
    return value if type(value) is int else None
