"""A Codex rollout as a file: its lines as items, whichever version wrote them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from gate.agents import given
from gate.agents.codex import keeps_line_ends
from gate.agents.conversation import About
from gate.recording import Recording
from gate.trajectory import Dropped

_ANSWERS = frozenset(
    [f"{kind}_output" for kind in ("function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call")]
)
OUTPUTS = _ANSWERS | {"tool_search_output"}
"""Types of items that answer a call."""

_SILENT = frozenset(
    ["reasoning", "ghost_snapshot", "compaction", "context_compaction", "additional_tools", "agent_message", "other"]
)
_LINES = frozenset(
    ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "inter_agent_communication"]
)
_HEAD = re.compile(
    rb'\{(?:"timestamp": ?"[^"]{0,40}", ?)?(?:"ordinal": ?\d+, ?)?"type": ?"(\w+)"'
    rb'(?:, ?"payload": ?\{"type": ?"(\w+)")?'
)
_THOUGHTS = frozenset(b"agent_reasoning" + more for more in (b"", b"_raw_content", b"_section_break"))
_SKIPPED = _THOUGHTS | {
    b"reasoning",
    b"agent_message",
    b"compacted",
    b"task_complete",
    b"web_search_end",
    b"mcp_tool_call_end",
}


_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>")
_WORKTREE = re.compile(r"[\\/]worktrees?[\\/]")
_REDACTED = "REDACTED"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rollout.

    `kind` is the type of an item (`message`, `function_call`, …), `event:` and the type of an event, or that of a line
    (`session_meta`, `turn_context`). `bare` is an item of the first version, whose lines have no payload.
    """

    line: int
    kind: str
    payload: Mapping[str, Any]
    time: str = ""
    bare: bool = False


ENDS = {"event:patch_apply_end": "patch", "event:exec_command_end": "shell"}
"""Events that tell the outcome of a call, of a patch or of a command."""

TURNS = frozenset(["event:task_started", "event:turn_aborted", "event:user_message"])
"""Events at which no call of before is under way any more."""

_PLAIN = frozenset(["event:token_count", "event:thread_name_updated"])
_NOTHING = Item(line=0, kind="", payload={})
_SPOKEN = Item(line=0, kind="message", payload={})


def items(recording: Recording, dropped: list[Dropped], *, brief: bool = False) -> Iterator[Item]:
    """Every line that may hold work. Lines that hold none are left unread where their beginning tells.

    `brief` is for a first look: of calls, answers and outcomes only the ids are read, of messages nothing.
    """
    strange: dict[str, list[int]] = {}
    for number, line in recording.lines():
        if _holds_none(line):
            continue
        item = _glance(number, line) if brief else None
        if item is None:
            record = recording.record(number, line, dropped)
            item = _item(number, record) if record is not None else None
        if item is None or item is _NOTHING:
            continue
        if item.kind:
            yield item
        else:
            strange.setdefault(given.word(item.payload, "type"), []).append(number)
    for kind, lines in strange.items():
        more = f"{lines[0]} and {len(lines) - 1} more are" if len(lines) > 1 else f"{lines[0]} is"
        reason = f"line {more} of the type {kind[:40]!r}, which this reader does not know"
        dropped.append(Dropped(line=lines[0], reason=reason))


class _Ids(msgspec.Struct, gc=False, omit_defaults=True):
    """What a first look wants to know of a payload."""

    type: str | None = None
    call_id: str | None = None
    id: str | None = None


class _Line(msgspec.Struct, gc=False):
    """What a first look wants to know of a line."""

    type: str | None = None
    payload: _Ids | None = None


_decode = msgspec.json.Decoder(_Line).decode


def _glance(number: int, line: bytes) -> Item | None:
    """The item of a line as far as a first look needs it; None where the line must be read in full."""
    try:
        seen = _decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    ids = seen.payload
    if ids is None or ids.type is None or seen.type not in ("response_item", "event_msg"):
        return None
    kind = ids.type if seen.type == "response_item" else f"event:{ids.type}"
    if kind.endswith("_call") or kind in OUTPUTS or kind in ENDS or kind in TURNS:
        return Item(line=number, kind=kind, payload={"call_id": ids.call_id, "id": ids.id})
    return _SPOKEN if kind == "message" else _NOTHING if kind in _PLAIN else None


def _holds_none(line: bytes) -> bool:
    """Whether this whole line is of a type without work: most of a rollout's bytes are thoughts and repetitions."""
    head = _HEAD.match(line)
    if head is None or not line.endswith(b"}\n"):
        return False
    kind, inner = head.groups()
    return kind in _SKIPPED or (kind != b"session_meta" and inner in _SKIPPED)


def is_rollout(record: Mapping[str, Any]) -> bool:
    """Whether a line is one of a rollout."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        kind = given.word(record, "type")
        return kind in _LINES and (kind != "session_meta" or "id" in payload)
    return _is_first(record)


def _is_first(record: Mapping[str, Any]) -> bool:
    """Whether it is the first line of the first version: its session without a type."""
    return "type" not in record and {"id", "timestamp", "instructions"} <= record.keys()


def _item(number: int, record: Mapping[str, Any]) -> Item | None:
    """The item of a line; one of no kind where the type is not known, None where there is nothing in it."""
    kind, payload, time = record.get("type"), record.get("payload"), record.get("timestamp")
    time = time if type(time) is str else ""
    if type(kind) is not str or type(payload) is not dict:
        return _bare(number, record)
    if kind == "response_item":
        inner = given.word(payload, "type")
        return None if inner in _SILENT else Item(line=number, kind=_known(inner), payload=payload, time=time)
    if kind == "event_msg":
        return _event(number, payload, time)
    if kind in ("session_meta", "turn_context"):
        return Item(line=number, kind=kind, payload=payload, time=time)
    return None if kind in _LINES else Item(line=number, kind="", payload={"type": kind})


def _bare(number: int, record: Mapping[str, Any]) -> Item | None:
    """The item of a line without payload, as the first version wrote them."""
    kind = given.word(record, "type")
    if _is_first(record):
        return Item(line=number, kind="session_meta", payload=record, bare=True)
    if kind in _LINES or kind in _SILENT or "record_type" in record:
        return None
    return Item(line=number, kind=_known(kind), payload=record, bare=True)


def _known(kind: str) -> str:
    """The type of an item, or nothing. What is called a call is one, whatever it calls."""
    return kind if kind == "message" or kind in OUTPUTS or kind.endswith("_call") else ""


def _event(number: int, payload: Mapping[str, Any], time: str) -> Item | None:
    """The item of an event. Later versions wrap what was an event of its own into `item_completed`."""
    kind = given.word(payload, "type")
    if kind != "item_completed":
        return Item(line=number, kind=f"event:{kind}", payload=payload, time=time)
    inner = given.member(payload, "item")
    known = {"FileChange": "patch_apply_end", "CommandExecution": "exec_command_end", "UserMessage": "user_message"}
    kind = known.get(given.word(inner, "type"), "")
    inner = {"call_id": inner.get("id"), "success": inner.get("status") == "completed", **inner}
    return Item(line=number, kind=f"event:{kind}", payload=inner, time=time) if kind else None


class Pairs:
    """Which ids of calls there are, and which wait for an answer: the same in every pass over one rollout."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._waiting: set[str] = set()
        self._nameless: list[str] = []

    def call(self, item: Item) -> str | None:
        """The id of a call, or None where it stands there a second time.

        An id that was blacked out is made up; the call belongs to the next answer without one.
        """
        key = _id(item)
        if not key:
            key = f"line {item.line}"
            self._nameless.append(key)
        if key in self._known:
            return None
        self._known.add(key)
        self._waiting.add(key)
        return key

    def outcome(self, item: Item) -> tuple[str, bool]:
        """The id of a call whose outcome an event tells, and whether the call waits for it."""
        key = _id(item)
        return key, key in self._waiting

    def answer(self, item: Item) -> tuple[str, bool]:
        """The id of the call that an item answers, and whether it is the first answer to it."""
        key = _id(item)
        if not key and self._nameless:
            key = self._nameless.pop(0)
        new = key in self._waiting or key not in self._known
        self._waiting.discard(key)
        self._known.add(key)
        return key, new

    def is_new(self, key: str) -> bool:
        """Whether nothing with this id has been told; from now on something has."""
        new = key not in self._known
        self._known.add(key)
        return new


def _id(item: Item) -> str:
    key = given.word(item.payload, "call_id", "id")
    return "" if key == _REDACTED else key


class Place:
    """Where a session runs, and what it is."""

    def __init__(self) -> None:
        self.session: Mapping[str, Any] | None = None
        self.directory: str | None = None
        self.agent = ""
        self.keep = True

    def about(self, item: Item) -> tuple[About, ...]:
        """What a line says of the session; nothing where it is none of those that do."""
        payload, where = item.payload, given.word(item.payload, "cwd")
        if item.kind == "message" and item.bare and not self.directory:  # the first version has no other line for it
            folder = _CWD.search(given.spoken(payload.get("content")))
            self.directory = folder[1] if folder else None
            return (About(directory=self.directory),)
        if item.kind not in ("session_meta", "turn_context"):
            return ()
        self.directory = where or self.directory
        if item.kind == "turn_context":
            home = given.word(self.session, "cwd")
            moved = _WORKTREE.search(where) and where.rpartition("/")[2] == home.rpartition("/")[2]
            roots = (where,) if moved else ()
            return (About(directory=where, model=given.word(payload, "model"), roots=roots),)
        if self.session is not None:  # that of the session which this one was forked from
            self.directory = given.word(self.session, "cwd") or self.directory
            return (About(),)
        self.session, version = payload, given.word(payload, "cli_version")
        self.agent, self.keep = _sub_agent(payload), keeps_line_ends(version)
        start = given.word(given.member(payload, "git"), "commit_hash")
        return (About(directory=where, start=start, agent=f"Codex {version}".strip()),)


def _sub_agent(session: Mapping[str, Any]) -> str:
    """The name of the sub-agent whose rollout this is; empty where it is the main agent's."""
    source = given.member(session, "source").get("subagent")
    if isinstance(source, str):
        return source
    spawned = given.member(source, "thread_spawn")
    return given.word(spawned, "agent_nickname", "agent_role") or ("sub-agent" if source else "")
