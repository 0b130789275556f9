"""Chunks of a patch, and where in a file their lines stand: the ladder of matches of OpenAI's apply_patch."""

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from gate.editing.edit import nearest
from gate.errors import CannotApply

WHITE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""White space as Rust's `trim` knows it; Python's `strip` takes four control characters more."""

_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    }
)
_RUNGS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: line.rstrip(WHITE),
    lambda line: line.strip(WHITE),
    lambda line: line.strip(WHITE).translate(_PUNCTUATION),
)
"""How a line is seen, from exact to most lenient: the first rung on which all lines of a chunk match decides."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|[\r\n]|\Z)")


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Lines that are replaced together.

    `context` is a line to seek first, `lines` are pairs of a mark (` `, `-`, `+`) and a text without its line end,
    `last` says that the chunk stands at the end of the file.
    """

    context: str | None = None
    lines: tuple[tuple[str, str], ...] = ()
    last: bool = False

    @property
    def old(self) -> list[str]:
        """The lines that must be there."""
        return [text for mark, text in self.lines if mark != "+"]

    @property
    def new(self) -> list[str]:
        """The lines that stand there afterwards."""
        return [text for mark, text in self.lines if mark != "-"]

    @property
    def shared(self) -> Iterator[tuple[int, int]]:
        """The places of the context lines, among the old lines and among the new."""
        old = new = 0
        for mark, _ in self.lines:
            if mark == " ":
                yield old, new
            old += mark != "+"
            new += mark != "-"


class _Place(msgspec.Struct, frozen=True):
    """`size` lines from `start` on become `new`."""

    start: int
    size: int
    new: list[str]


def kept(text: str, chunks: Sequence[Chunk]) -> str:
    """The text with the removed and added lines of the chunks changed and every other line as it was.

    Lines end at LF, CRLF or CR; new lines end as the first of the file does, and so does a last line without an end.
    CannotApply where a chunk does not fit.
    """
    lines = [line for line in _LINE.findall(text) if line != ("", "")]
    end = lines[0][1] if lines and lines[0][1] else "\n"
    made: list[tuple[str, str]] = []
    done = 0
    for place in _sorted(_Fit([body for body, _ in lines], text, keep=True), chunks):
        made += lines[done : place.start]
        made += [(line, end) for line in place.new]
        done = place.start + place.size
    made += lines[done:]
    return "".join(body + (own or end) for body, own in made)


def rewritten(text: str, chunks: Sequence[Chunk]) -> str:
    """The text with each chunk's lines, context too, replaced by the patch's own, which end with LF.

    This is what Codex does unless it is told to keep line ends. Of several blank lines at the end it loses one.
    CannotApply where a chunk does not fit.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    for place in _sorted(_Fit(lines, text, keep=False), chunks)[::-1]:
        lines[place.start : place.start + place.size] = place.new
    if not lines or lines[-1]:
        lines.append("")
    return "\n".join(lines)


def _sorted(fit: "_Fit", chunks: Sequence[Chunk]) -> list[_Place]:
    return sorted((place for chunk in chunks for place in fit.places(chunk)), key=lambda place: place.start)


class _Fit:
    """The lines of one file, and how far the chunks before have come."""

    def __init__(self, lines: list[str], text: str, *, keep: bool) -> None:
        self._seen: dict[int, list[str]] = {0: list(lines)}
        self._text = text
        self._keep = keep
        self._from = 0

    def places(self, chunk: Chunk) -> list[_Place]:
        """Where one chunk goes; the next is sought from behind it."""
        lines = self._seen[0]
        if chunk.context is not None:
            self._from = self._find([chunk.context], chunk) + 1
        old, new = chunk.old, chunk.new
        if not old:  # added lines alone go to the end, wherever a context line was
            blank = not self._keep and bool(lines) and not lines[-1]
            return [_Place(len(lines) - blank, 0, new)]
        start = self._seek(old, last=chunk.last)
        if start is None and not old[-1]:  # a blank last line may stand for the line end before it
            old, new = old[:-1], new[:-1] if new and not new[-1] else new
            start = self._seek(old, last=chunk.last)
        if start is None:
            raise self._missing(chunk.old)
        self._from = start + len(old)
        return list(_changed(chunk, start, old, new)) if self._keep else [_Place(start, len(old), new)]

    def _find(self, lines: list[str], chunk: Chunk) -> int:
        start = self._seek(lines, last=False)
        if start is None:
            raise self._missing([chunk.context or ""])
        return start

    def _missing(self, wanted: list[str]) -> CannotApply:
        content, line = (text.encode("utf-8", "surrogateescape") for text in (self._text, "\n".join(wanted)))
        more = f" and {len(wanted) - 1} more" if len(wanted) > 1 else ""
        return CannotApply(
            f"the line {wanted[0].strip()[:80]!r}{more} of the patch is not in the file from line {self._from + 1} on; "
            f"{nearest(content, line)}",
            kind="replay_mismatch",
        )

    def _seek(self, wanted: list[str], *, last: bool) -> int | None:
        """The first place from the end of the chunk before on where the lines stand, on the first rung that has one."""
        if not wanted:
            return self._from
        end = len(self._seen[0]) - len(wanted)
        begin = self._from if not last else max(end, self._from) if self._keep else end
        if end < 0 or begin > end:
            return None
        for rung, see in enumerate(_RUNGS):
            lines = self._lines(rung)
            start = _index(lines, [see(line) for line in wanted], begin, end)
            if start is not None:
                return start
        return None

    def _lines(self, rung: int) -> list[str]:
        if rung not in self._seen:
            self._seen[rung] = list(map(_RUNGS[rung], self._seen[0]))
        return self._seen[rung]


def _index(lines: list[str], wanted: list[str], begin: int, end: int) -> int | None:
    while begin <= end:
        try:
            begin = lines.index(wanted[0], begin, end + 1)
        except ValueError:
            return None
        if lines[begin : begin + len(wanted)] == wanted:
            return begin
        begin += 1
    return None


def _changed(chunk: Chunk, start: int, old: list[str], new: list[str]) -> Iterator[_Place]:
    """The stretches between the context lines of a chunk whose old lines stand at `start`."""
    old_from = new_from = 0
    for old_at, new_at in chunk.shared:
        if old_at >= len(old) or new_at >= len(new):
            break
        if (old_from, new_from) != (old_at, new_at):
            yield _Place(start + old_from, old_at - old_from, new[new_from:new_at])
        old_from, new_from = old_at + 1, new_at + 1
    if (old_from, new_from) != (len(old), len(new)):
        yield _Place(start + old_from, len(old) - old_from, new[new_from:])
