"""Unified diffs as recordings hold them: each hunk goes exactly where it says, or nowhere.

Libraries for them guess at the place (whatthepatch), write files (patch-ng) or only parse (unidiff), and end lines
where `str.splitlines` does, which takes a carriage return or U+2028 inside a line for its end.
"""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO

import msgspec

from gate.editing.edit import Edit, nearest, no_file
from gate.editing.text import encoded
from gate.errors import CannotApply, RecordingError

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MARKS = frozenset([b" ", b"-", b"+"])
_NO_END = b"\\ "
_LONGEST = 12  # digits: no file has more lines


class Hunk(msgspec.Struct, frozen=True):
    """From line `start` on (0: the first) old lines become new ones.

    `lines` are pairs of a mark (` `, `-`, `+`) and a line with its end.
    """

    start: int
    lines: tuple[tuple[bytes, bytes], ...]

    @property
    def old(self) -> tuple[bytes, ...]:
        """The lines that must be there."""
        return tuple([line for mark, line in self.lines if mark != b"+"])

    @property
    def new(self) -> tuple[bytes, ...]:
        """The lines that stand there afterwards."""
        return tuple([line for mark, line in self.lines if mark != b"-"])

    @property
    def added(self) -> bytes:
        """The lines that are new there."""
        return b"".join([line for mark, line in self.lines if mark == b"+"])


class FileDiff(msgspec.Struct, frozen=True):
    """What a diff says of one file: its names before and after, empty where the diff has no header."""

    before: str
    after: str
    hunks: tuple[Hunk, ...]


class Diffed(Edit, frozen=True, kw_only=True):
    """An edit whose outcome is recorded as a diff; `edit` is the call itself, for a file that differs elsewhere.

    The hunks count where they fit, since they are what became of the call.
    """

    hunks: tuple[Hunk, ...]
    edit: Edit | None = None

    @property
    def written(self) -> bytes:
        """The added lines."""
        return b"".join(hunk.added for hunk in self.hunks)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every hunk in its place, or what the call makes of it."""
        try:
            return patched(content, self.hunks)
        except CannotApply:
            if self.edit is None:
                raise
            return self.edit.outcome(content)


def patched(content: bytes | None, hunks: Sequence[Hunk]) -> bytes:
    """The content with every hunk in its place. CannotApply where one does not stand exactly there.

    Some tools take the nothing after the last line end for a line and write no mark where there is no end; a diff that
    does not fit as git writes it is tried as theirs.
    """
    if content is None and any(mark != b"+" for hunk in hunks for mark, _ in hunk.lines):
        raise no_file()
    content = content or b""
    try:
        return b"".join(_replaced(_lines(content), hunks))
    except CannotApply as error:
        pieces = [piece + b"\n" for piece in content.split(b"\n")]
        try:
            return b"".join(_replaced(pieces, hunks)).removesuffix(b"\n")
        except CannotApply:
            raise error from None


def _lines(content: bytes) -> list[bytes]:
    return BytesIO(content).readlines()  # at LF only


def _replaced(lines: list[bytes], hunks: Sequence[Hunk]) -> list[bytes]:
    made: list[bytes] = []
    done = 0
    for hunk in hunks:
        start, old = hunk.start if lines else 0, hunk.old
        end = start + len(old)
        if not done <= start <= len(lines) or tuple(lines[start:end]) != old:
            raise _misplaced(lines, hunk)
        made += lines[done:start]
        made += hunk.new
        done = end
    return made + lines[done:]


def _misplaced(lines: list[bytes], hunk: Hunk) -> CannotApply:
    wanted = hunk.old
    wrong = next((i for i, old in enumerate(wanted) if lines[hunk.start + i : hunk.start + i + 1] != [old]), 0)
    found = nearest(b"".join(lines), wanted[wrong]) if wanted else f"the file has {len(lines)} lines"
    message = f"the recorded diff does not fit at line {hunk.start + wrong + 1}; {found}"
    return CannotApply(message, kind="replay_mismatch")


def parse(text: str) -> tuple[FileDiff, ...]:
    """The files of a diff, with git's headers, only `---` and `+++`, or none. RecordingError (`diff_syntax`)."""
    lines = encoded(text).split(b"\n")
    return tuple(_Parser(lines if lines[-1] else lines[:-1]).files())


class _Parser:
    """The lines of one diff, read once from top to bottom."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._at = 0

    def files(self) -> Iterator[FileDiff]:
        """Every file that has hunks."""
        before = after = ""
        hunks: list[Hunk] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith(b"@@ "):
                hunks.append(self._hunk())
                continue
            self._at += 1
            if line.startswith((b"diff ", b"--- ")) and hunks:
                yield FileDiff(before, after, tuple(hunks))
                before = after = ""
                hunks = []
            if line.startswith(b"--- "):
                before = _name(line)
            elif line.startswith(b"+++ "):
                after = _name(line)
        if hunks:
            yield FileDiff(before, after, tuple(hunks))

    def _hunk(self) -> Hunk:
        head = _HUNK.match(self._lines[self._at])
        if not head or any(len(number) > _LONGEST for number in head.groups(b"")):
            raise self._broken("`@@ -LINE,COUNT +LINE,COUNT @@`")
        olds, news = int(head[2] or 1), int(head[4] or 1)
        start = int(head[1]) - (olds > 0)
        self._at += 1
        return Hunk(start, tuple(self._marked(olds, news)))

    def _marked(self, olds: int, news: int) -> list[tuple[bytes, bytes]]:
        """So many lines of a file before and after, each with its mark."""
        found: list[tuple[bytes, bytes]] = []
        at, lines, end = self._at, self._lines, len(self._lines)
        while olds > 0 or news > 0:
            self._at = at
            if at >= end:
                raise self._broken("more lines of the hunk")
            line = lines[at]
            mark = line[:1] or b" "
            if mark not in _MARKS:
                raise self._broken("a line that begins with a space, `+` or `-`")
            at += 1
            olds -= mark != b"+"
            news -= mark != b"-"
            if olds < 0 or news < 0:
                self._at = at
                raise self._broken("as many lines as the head of the hunk says")
            if at < end and lines[at][:2] == _NO_END:
                at += 1
                found.append((mark, line[1:]))
            else:
                found.append((mark, line[1:] + b"\n"))
        self._at = at
        return found

    def _broken(self, expected: str) -> RecordingError:
        at_end = self._at >= len(self._lines)
        found = "its end" if at_end else repr(self._lines[self._at][:80].decode("utf-8", "replace"))
        message = f"the diff cannot be read: line {self._at + 1}: expected {expected}, found {found}"
        return RecordingError(message, kind="diff_syntax")


def _name(line: bytes) -> str:
    """The name in a `---` or `+++` line, without git's `a/` and `b/`; `/dev/null` stays."""
    name = line[4:].split(b"\t")[0].rstrip(b"\r").decode("utf-8", "surrogateescape")
    return name[2:] if name.startswith(("a/", "b/")) else name
