"""Gemini CLI's chats as files: one document, or a journal of lines in which later ones replace earlier ones."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gate.agents import given
from gate.path import is_windows
from gate.recording import Recording, Sample
from gate.trajectory import Dropped

SPEAKERS = ("user", "gemini", "info", "warning", "error")
"""The types of messages."""

_FOLDER = re.compile(r"[/\\][^/\\]*$")


class Journal:
    """The messages of a chat: of each the last version, and whether a person went back to before it.

    `directory` is the folder whose hash the chat names, found among the folders of recorded paths. `agent` is the
    sub-agent whose chat it is, or empty.
    """

    def __init__(self, recording: Recording) -> None:
        self.directory: str | None = None
        self.agent = ""
        self.model = ""
        self._recording = recording
        self._document = Sample(recording).document
        self._hash = ""
        self._last: dict[str, int] = {}
        self._taken_back: set[str] = set()
        self._unsure: dict[str, int] = {}
        shown: dict[str, set[str]] = {}
        for line, record in self._records([]):
            self._look(line, record, shown)

    def messages(self, dropped: list[Dropped]) -> Iterator[tuple[int, dict[str, Any], bool]]:
        """Line, message, and whether it was taken back, in the order in which they were said.

        A rewind puts files back only when the person wants it, which is not recorded: a file that no later edit shows
        goes to `dropped`.
        """
        told: set[str] = set()
        for line, record in self._records(dropped):
            for message in _messages(record):
                key = str(message.get("id"))
                if self._last.get(key, line) == line and key not in told:
                    told.add(key)
                    yield line, message, key in self._taken_back
        for path, line in self._unsure.items():
            reason = (
                f"line {line}: a person went back to before an edit of {path}; whether it was put back is not recorded"
            )
            dropped.append(Dropped(line=line, reason=reason, grave=True))

    def _records(self, dropped: list[Dropped]) -> Iterable[tuple[int, dict[str, Any]]]:
        if isinstance(self._document, dict):
            return [(0, self._document)]
        return self._recording.records(dropped, harmless=_holds_no_call)

    def _look(self, line: int, record: Mapping[str, Any], shown: dict[str, set[str]]) -> None:
        """Survey one record; `shown` has the files that each live message shows the new content of."""
        self._hash = self._hash or str(record.get("projectHash") or "")
        if record.get("kind") == "subagent":
            self.agent = str(record.get("sessionId") or "subagent")
        key = record.get("$rewindTo")
        if isinstance(key, str):
            known = list(shown)
            for gone in known[known.index(key) :] if key in shown else known:
                self._taken_back.add(gone)
                self._unsure |= dict.fromkeys(shown.pop(gone), line)
        for message in _messages(record):
            key = str(message.get("id"))
            if message is record:
                self._last[key] = line
            paths = {path for path in map(shown_path, calls_of(message)) if path}
            for path in paths - shown.get(key, set()):
                self._unsure.pop(path, None)  # what it holds is shown again
            shown[key] = paths
            self.model = self.model or str(message.get("model") or "")
        if self.directory is None and self._hash:
            self.directory = next(filter(None, map(self._root, _paths(record))), None)

    def _root(self, path: str) -> str | None:
        """The folder at or above a path that has the hash."""
        while _FOLDER.search(path):
            for name in (path, f"/private{path}"):  # what macOS calls /tmp and /var
                if hashlib.sha256(name.encode("utf-8", "replace")).hexdigest() == self._hash:
                    return name
            path = _FOLDER.sub("", path)
        return None


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The calls of tools in a message."""
    return given.objects(message.get("toolCalls"))


def shown_path(call: Mapping[str, Any]) -> str:
    """The file whose new content the result of a successful call shows, or nothing."""
    display = given.member(call, "resultDisplay")
    if call.get("status") != "success" or not isinstance(display.get("newContent"), str):
        return ""
    return str(display.get("filePath") or given.member(call, "args").get("file_path") or "")


def _messages(record: Mapping[str, Any]) -> list[Any]:
    """The messages of a record: itself, those of the document, or those of a checkpoint."""
    if record.get("type") in SPEAKERS or "toolCalls" in record:
        return [record]
    return given.objects(record.get("messages", given.member(record, "$set").get("messages")))


def _paths(record: Mapping[str, Any]) -> Iterator[str]:
    """The absolute paths that a record names, folders added to the session first."""
    folders = record.get("directories", given.member(record, "$set").get("directories"))
    names = list(folders) if isinstance(folders, list) else []
    for message in _messages(record):
        for call in calls_of(message):
            names += [*given.member(call, "args").values(), given.member(call, "resultDisplay").get("filePath")]
    for name in names:
        if isinstance(name, str) and len(name) < 4096 and (name.startswith("/") or is_windows(name)):
            yield name


def _holds_no_call(line: bytes) -> bool:
    return b'"toolCalls"' not in line and line.endswith(b"\n")
