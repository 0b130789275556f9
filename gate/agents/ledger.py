"""The ledger of a Codex rollout: what must be known of all its lines before its steps are told, found in one pass."""

from collections.abc import Iterator

import msgspec

from gate.agents import given
from gate.agents.bookmarks import Bookmarks, digest
from gate.agents.conversation import About, Known, Passed, orphans
from gate.agents.inquiry import Asked, decode, is_plain, wanted
from gate.agents.rollout import ENDS, IDLE, OUTPUTS, TURNS, Item, holds_none, item
from gate.agents.strange import Strange
from gate.agents.thread import REDACTED, Place
from gate.recording import Recording
from gate.trajectory import Choice, Dropped

_PLAIN, _OUTCOME, _OTHER = 1, 2, 4  # a command that patches no file; what came of one; whatever else must be read
_ENDS = frozenset(kind.removeprefix("event:") for kind in ENDS)
_TURNS = frozenset(kind.removeprefix("event:") for kind in TURNS)
_READ = frozenset(["undo_completed", "item_completed"])
_WRAPPED = ("response_item", "event_msg")
_NOTHING = IDLE | {"token_count", "thread_name_updated"}

OWN = frozenset(["web_search_call", "image_generation_call"])
"""Calls that the model makes by itself: no line answers them."""


class Ledger:
    """One pass over a rollout: what it says of itself, which calls are answered, and which lines are worth reading.

    Read again is everything that may change a file, and of commands that do not those that a choice asks for.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._marks = Bookmarks()
        self._passable = 0
        self._odd = False
        self._place = Place()
        self._about = About()
        self._empty = True
        self._dropped: list[Dropped] = []
        self._strange = Strange()
        self._kinds: dict[int, int] = {}
        self._waiting: dict[str, bool] = {}
        self._nameless: list[str] = []
        self._told: set[str] = set()
        self._early: set[int] = set()
        self._orphans: dict[str, int] = {}
        self._repeated = False
        self._survey()
        self._end_turn()

    @property
    def known(self) -> Known:
        """What the steps need to know of the whole."""
        if self._repeated:  # an answer whose id was blacked out may be that of a call that stands there twice
            self._orphans.pop("", None)
        lost = orphans(self._orphans)
        unanswered = frozenset(key for key, told in self._waiting.items() if not told)
        dropped = (*self._dropped, *self._strange.dropped(), *lost)
        return Known(about=self._about, waits=lambda key: key not in unanswered, dropped=dropped, empty=self._empty)

    def _survey(self) -> None:
        place, look = 0, self._look
        for number, line in self._recording.lines():
            try:
                seen = decode(line)
            except (msgspec.DecodeError, RecursionError):
                kinds = self._read(number, line)
            else:
                asked = seen.payload
                if asked is not None and asked.type in _NOTHING and seen.type in _WRAPPED:
                    place += len(line)
                    continue
                kinds = look(number, seen.type, asked, line)
            if kinds:
                self._marks.add(number, place, kinds, self._passable - (kinds == _PLAIN))
            place += len(line)

    def _look(self, number: int, kind: str | None, asked: Asked | None, line: bytes) -> int:
        """What kind of work a line holds; what it says of the whole is noted."""
        inner = asked.type if asked is not None else None
        if asked is None or inner is None or kind not in _WRAPPED:
            return 0 if kind in IDLE else self._read(number, line)
        if kind == "event_msg":
            return self._event(number, inner, asked, line)
        if inner == "function_call":
            return self._call(number, inner, asked.key, plain=is_plain(asked))
        if inner in OUTPUTS:
            return self._answer(number, asked.key)
        if inner == "message":
            return self._message(asked)
        return (
            self._call(number, inner, asked.key, plain=False) if inner.endswith("_call") else self._read(number, line)
        )

    def _event(self, number: int, inner: str, asked: Asked, line: bytes) -> int:
        if inner in _ENDS:
            return self._end(asked.key, patch=inner == "patch_apply_end")
        if inner in _TURNS:
            return _OTHER if self._end_turn() or inner == "user_message" else 0
        if inner in _READ:
            return self._read(number, line)
        self._empty = False
        return 0

    def _read(self, number: int, line: bytes) -> int:
        """The kind of work in a line that must be read in full."""
        found = None if holds_none(line) else item(number, line, self._recording, self._dropped)
        if found is None:
            return 0
        kind, key = found.kind, given.word(found.payload, "call_id", "id")
        key = "" if key == REDACTED else key
        if not kind:
            self._strange.add(given.word(found.payload, "type"), number)
            return 0
        if kind in OUTPUTS:
            self._answer(number, key)
        elif kind in ENDS:
            self._end(key, patch=ENDS[kind] == "patch")
        elif kind.endswith("_call"):
            return self._call(number, kind, key, plain=False)
        elif kind in TURNS:
            self._end_turn()
        else:
            self._empty, before = False, self._place.directory
            for about in self._place.about(found):
                self._about.add(about)
            if kind == "turn_context" and self._place.directory == before:
                return 0
        return _OTHER

    def _call(self, number: int, kind: str, key: str, *, plain: bool) -> int:
        self._empty = False
        if not key:
            key, plain = f"line {number}", False
            self._nameless.append(key)
        mark = digest(key)
        if mark in self._kinds:
            self._repeated = True
            return 0
        if mark in self._early:  # it has been told by its outcome
            plain = False
        self._kinds[mark] = _PLAIN if plain else _OTHER
        self._waiting[key] = kind in OWN
        self._passable += plain
        return _PLAIN if plain else _OTHER

    def _answer(self, number: int, key: str) -> int:
        if not key and self._nameless:
            key = self._nameless.pop(0)
        mark = digest(key)
        self._waiting.pop(key, None)
        self._told.discard(key)
        kind = self._kinds.get(mark)
        if kind is None:
            self._empty = False
            self._orphans.setdefault(key, number)
            self._kinds[mark] = _OTHER
        return _OUTCOME if kind == _PLAIN else _OTHER

    def _end(self, key: str, *, patch: bool) -> int:
        kind = self._kinds.get(digest(key))
        if key in self._waiting:
            self._told.add(key)
        if kind is None:
            self._early.add(digest(key))
        if kind != _PLAIN:
            return _OTHER
        self._odd = self._odd or patch  # a command that patches after all: everything is read
        return _OUTCOME

    def _end_turn(self) -> bool:
        """Whether there were calls of which only the outcome is told: they end with the turn."""
        ended = bool(self._told)
        for key in self._told:
            self._waiting[key] = True
        self._told.clear()
        return ended

    def _message(self, asked: Asked) -> int:
        self._empty = False
        content = asked.content
        if asked.role != "assistant" or content is None:
            return 0
        texts = [content] if isinstance(content, str) else [part.text for part in content]
        if not all(type(text) is str for text in texts):
            return _OTHER
        self._passable += any(text.strip() for text in texts)
        return 0

    def chosen(self, choice: Choice) -> Iterator[Item | Passed] | None:
        """The lines that a choice wants, and how many steps are passed over; None where everything must be read."""
        return None if self._odd else self._chosen(choice)

    def _chosen(self, choice: Choice) -> Iterator[Item | Passed]:
        told, waiting, marks = 0, set[str](), self._marks
        for index, line in self._recording.lines_at(self._places(choice, waiting)):
            kind, before = marks.kinds[index], marks.before[index]
            if kind == _PLAIN:
                key = wanted(line, choice)
                if not key:
                    continue
                waiting.add(key)
            elif kind == _OUTCOME and not self._is_of(line, waiting):
                continue
            found = item(marks.lines[index], line, self._recording, [])
            if before > told:
                yield Passed(before - told)
            told = before + (kind == _PLAIN)
            if found is not None:
                yield found

    def _places(self, choice: Choice, waiting: set[str]) -> Iterator[tuple[int, int]]:
        """The lines that may be wanted; what came of a command only while a wanted one waits for it."""
        kinds, tests = self._marks.kinds, choice.line or choice.command
        for index, place in self._marks.chosen(_PLAIN | _OUTCOME | _OTHER if tests else _OTHER):
            if waiting or kinds[index] != _OUTCOME:
                yield index, place

    def _is_of(self, line: bytes, waiting: set[str]) -> bool:
        """Whether a line tells what came of a wanted call; nothing more is waited for once it answers it."""
        asked = decode(line).payload
        if asked is None or asked.key not in waiting:
            return False
        if asked.type in OUTPUTS:
            waiting.discard(asked.key)
        return True
