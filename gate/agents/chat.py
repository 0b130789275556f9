"""aider's chat history taken apart: who speaks on which line."""

import re
from collections.abc import Iterable, Iterator

import msgspec

HEADING = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$")
"""The line that each chat begins with."""

HEAD = re.compile(r"<{5,9} SEARCH>?\s*$")
UPDATED = re.compile(r">{5,9} REPLACE\s*$")
"""The first and the last line of a block, without its name."""

_MARK = "  "  # aider ends what it or a person says with a line break of Markdown
_TOLD = re.compile(r"> (?:Applied edit to |Tokens: |The LLM did not conform|Commit [0-9a-f]{7} |Skipping edits to )")
_COMPLAINT = re.compile(r"> (?:# \d+ SEARCH/REPLACE blocks? failed|UnifiedDiffN|Error parsing patch)")
_COMPLAINT_ENDS = re.compile(
    r"\^\^\^ |The SEARCH section must |Just reply with fixed |```|Note: some hunks |Error parsing "
)
_SOURCE = re.compile(r"> https://aider\.chat/docs/\S*edit")


class Part(msgspec.Struct):
    """What one speaker says: "user", "answer" or "aider" itself; `line` is the first line's number in the file.

    `chat` is when its chat was started, `turn` counts the prompts before it, `format` is the chat's edit format.
    """

    speaker: str
    line: int
    chat: str
    turn: int
    format: str
    lines: list[str]

    @property
    def text(self) -> str:
        """What is said, without the marks of the history."""
        if self.speaker == "answer":
            return "".join(f"{line}\n" for line in self.lines).strip("\n") + "\n"
        return "\n".join(self.said).strip("\n")

    @property
    def said(self) -> list[str]:
        """The lines of a person or of aider, without their marks."""
        mark = "> " if self.speaker == "aider" else "####"
        return [line.removeprefix(mark).removeprefix(" " * (mark == "####")).rstrip() for line in self.lines]


_FORMAT = re.compile(r"> (?:Models?|Main model): \S+ with (.+?) edit format")


class Chat:
    """The lines of a history, read one after the other.

    Newer versions mark only the first line of a longer complaint, which repeats whole blocks: what belongs to it is
    told by its beginning and its end. Inside a block or a fence an answer's line may look like anybody else's.
    """

    def __init__(self, lines: Iterable[tuple[int, str]], *, marked: bool) -> None:
        """`marked`: whether lines still have the two spaces at their end by which aider's own can be told."""
        self._lines = lines
        self._marked = marked
        self._chat = ""
        self._format = ""
        self._turn = 0
        self._fence = False
        self._block = False
        self._complaint = False
        self._before = ""

    def parts(self) -> Iterator[Part]:
        """The parts in the order of the file."""
        part: Part | None = None
        for number, line in self._lines:
            heading = HEADING.match(line)
            if heading:
                self._chat, self._format = heading[1], ""
                self._fence = self._block = self._complaint = False
                if part:
                    yield part
                part = None
                continue
            speaker = self._speaker(line, part.speaker if part else "")
            self._before = line
            if speaker and (part is None or part.speaker != speaker):
                if part:
                    yield part
                self._turn += speaker == "user"
                part = Part(speaker, number, self._chat, self._turn, self._format, [])
            if part:
                part.lines.append(line)
        if part:
            yield part

    def _speaker(self, line: str, now: str) -> str:
        """Who speaks; nobody on a blank line that stands between two."""
        if self._complaint:
            self._complaint = not (_COMPLAINT_ENDS.match(line) and line.endswith(_MARK))
            return "aider"
        if self._is_complaint(line):
            self._complaint = True
            return "aider"
        marked = line.endswith(_MARK) or not self._marked
        if (self._fence or self._block) and not (marked and not self._before.strip() and _TOLD.match(line)):
            self._follow(line)
            return "answer"
        self._fence = self._block = False
        if line.startswith("> ") and marked:
            found = _FORMAT.match(line)
            self._format = found[1] if found else self._format
            return "aider"
        if line.startswith("####") and marked:
            return "user"
        if not line.strip() and now != "answer":
            return ""
        self._follow(line)
        return "answer"

    def _is_complaint(self, line: str) -> bool:
        begins = _COMPLAINT.match(line) or (line.startswith("> ") and _SOURCE.match(self._before))
        return bool(begins) and self._marked and not line.endswith(_MARK)

    def _follow(self, line: str) -> None:
        """Keep in mind whether a block or a fence of the answer is open."""
        if self._block:
            self._block = not UPDATED.match(line)
        elif HEAD.match(line):
            self._block = True
        elif line.startswith("```"):
            self._fence = not self._fence
