"""What is known of a thread of Codex while its rollout is read: which calls wait, and where it runs."""

import re
from collections.abc import Mapping
from typing import Any

from gate.agents import given
from gate.agents.codex import keeps_line_ends
from gate.agents.conversation import About
from gate.agents.rollout import Item

_CWD = r"<cwd>([^<\n]+)</cwd>"
_WORKTREE = r"[\\/]worktrees?[\\/]"
REDACTED = "REDACTED"
"""An id that was blacked out."""


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

    def answer(self, item: Item) -> str:
        """The id of the call that an item answers, which waits no longer."""
        key = _id(item)
        if not key and self._nameless:
            key = self._nameless.pop(0)
        self._waiting.discard(key)
        self._known.add(key)
        return key

    def is_new(self, key: str) -> bool:
        """Whether nothing with this id has been told; from now on something has."""
        new = key not in self._known
        self._known.add(key)
        return new


def _id(item: Item) -> str:
    key = given.word(item.payload, "call_id", "id")
    return "" if key == REDACTED else key


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
            folder = re.search(_CWD, given.spoken(payload.get("content")))
            self.directory = folder[1] if folder else None
            return (About(directory=self.directory),)
        if item.kind not in ("session_meta", "turn_context"):
            return ()
        self.directory = where or self.directory
        if item.kind == "turn_context":
            home = given.word(self.session, "cwd")
            moved = re.search(_WORKTREE, where) and where.rpartition("/")[2] == home.rpartition("/")[2]
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
