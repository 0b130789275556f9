"""Patches in OpenAI's apply_patch grammar: what each does to the files it names.

The grammar is that of codex-rs/apply-patch, whose conformance vectors are tests here.
"""

import functools
import re
from collections.abc import Iterator, Sequence

from gate.editing.chunk import WHITE, Chunk, kept, rewritten
from gate.editing.edit import Delete, Edit, Move, Write, no_file
from gate.editing.text import encoded
from gate.errors import RecordingError

_BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ADD = "*** Add File: "
_DELETE = "*** Delete File: "
_UPDATE = "*** Update File: "
_MOVE = "*** Move to: "
_LAST = "*** End of File"
_ENVIRONMENT = "*** Environment ID: "
_MARKS = frozenset(["", " ", "+", "-"])
_HEREDOCS = frozenset(["<<EOF", "<<'EOF'", '<<"EOF"'])


class Patched(Edit, frozen=True, kw_only=True):
    """One file is updated by a patch.

    With `keep` the file's own line ends and context lines stay; without, the lines that the patch matched become its
    own, with LF.
    """

    chunks: tuple[Chunk, ...]
    keep: bool = True

    @property
    def written(self) -> bytes:
        """The added lines."""
        return "".join(f"{text}\n" for chunk in self.chunks for mark, text in chunk.lines if mark == "+").encode()

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every chunk replaced, as the tool finds its place."""
        if content is None:
            raise no_file()
        text = content.decode("utf-8", "surrogateescape")
        return (kept if self.keep else rewritten)(text, self.chunks).encode("utf-8", "surrogateescape")


def edits_of(text: str, *, keep: bool = True) -> tuple[Edit, ...]:
    """The edits of a patch, file by file in its order; the tool stops at the first that does not fit.

    `keep` is as in Patched. RecordingError (`patch_syntax`) where the tool refuses the text.
    """
    text = encoded(text).decode()
    plain = _plain().fullmatch(text) if "\r" not in text else None
    if plain and (path := plain[1].rstrip(WHITE)):
        chunks = tuple([_marked(part) for part in plain[2][2:-1].split("\n@@")])
        return (Patched(path=path, chunks=chunks, keep=keep),)
    return tuple(_Parser(_body(text), keep).edits())


@functools.cache
def _plain() -> re.Pattern[str]:
    """Most patches: one file is updated, and each line shows by its first sign what it is."""
    body = r"(?:@@(?: [^\n]*)?\n(?:[ +-][^\n]*\n)+)+"
    return re.compile(rf"{re.escape(_BEGIN)}\n{re.escape(_UPDATE)}([^\n]+)\n({body}){re.escape(_END)}\n?")


def _marked(chunk: str) -> Chunk:
    """A chunk as it stands behind its `@@`."""
    context, *lines = chunk.split("\n")
    return Chunk(context=context.rstrip(WHITE)[1:] or None, lines=tuple([(line[0], line[1:]) for line in lines]))


def _body(text: str) -> list[str]:
    """The lines between the markers, which may be padded; a heredoc's wrapping is taken off."""
    lines = [line.removesuffix("\r") for line in text.strip(WHITE).split("\n")]
    if not _is_marked(lines) and lines[0] in _HEREDOCS and lines[-1].endswith("EOF"):
        lines = lines[1:-1]
    if not _is_marked(lines):
        raise _refused(f"expected it to begin with {_BEGIN!r} and to end with {_END!r}")
    body = lines[1:-1]
    return body[1:] if body and body[0].startswith(_ENVIRONMENT) else body


def _is_marked(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and lines[0].strip(WHITE) == _BEGIN and lines[-1].strip(WHITE) == _END


def _refused(what: str) -> RecordingError:
    return RecordingError(f"the patch cannot be read: {what}", kind="patch_syntax")


class _Parser:
    """The lines between the markers of one patch, read once from top to bottom."""

    def __init__(self, lines: list[str], keep: bool) -> None:
        self._lines = lines
        self._keep = keep
        self._at = 0

    def edits(self) -> Iterator[Edit]:
        """Every file's edit. RecordingError at the first line that belongs to none."""
        while (line := self._peek()) is not None:
            head = line.strip(WHITE)
            if head.startswith(_ADD):
                self._at += 1
                yield Write(path=head[len(_ADD) :], content="".join(self._added()).encode())
            elif head.startswith(_DELETE):
                self._at += 1
                yield Delete(path=head[len(_DELETE) :])
            elif head.startswith(_UPDATE):
                self._at += 1
                yield self._update(head[len(_UPDATE) :])
            else:
                raise self._unexpected("`*** Add File: `, `*** Delete File: ` or `*** Update File: `")

    def _peek(self) -> str | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _unexpected(self, expected: str) -> RecordingError:
        line = self._peek()
        found = "its end" if line is None else f"{line[:80]!r}"
        return _refused(f"line {self._at + 2}: expected {expected}, found {found}")

    def _added(self) -> Iterator[str]:
        while (line := self._peek()) is not None and line.startswith("+"):
            yield line[1:] + "\n"
            self._at += 1

    def _update(self, path: str) -> Edit:
        line, to = self._peek(), None
        if line is not None and line.startswith(_MOVE):
            to = line.rstrip(WHITE)[len(_MOVE) :]
            self._at += 1
        chunks = tuple(self._chunks())
        if not chunks:
            raise self._unexpected(f"lines that change {path!r}")
        edit = Patched(path=path, chunks=chunks, keep=self._keep)
        return edit if to is None else Move(path=path, to=to, edit=edit)

    def _chunks(self) -> Iterator[Chunk]:
        marked = True  # the first chunk may do without its `@@`
        while (line := self._peek()) is not None and not line.startswith((_ADD, _DELETE, _UPDATE)):
            if line.strip(WHITE):
                yield self._chunk(marked=marked)
                marked = False
            else:
                self._at += 1

    def _chunk(self, *, marked: bool) -> Chunk:
        head = (self._peek() or "").rstrip(WHITE)
        context = None
        if head == "@@" or head.startswith("@@ "):
            context, marked = head[3:] or None, True
            self._at += 1
        elif not marked:
            raise self._unexpected("`@@` or another file")
        lines, last = self._marked()
        if not lines:
            raise self._unexpected("a line that begins with a space, `+` or `-`")
        return Chunk(context=context, lines=lines, last=last)

    def _marked(self) -> tuple[tuple[tuple[str, str], ...], bool]:
        lines: list[tuple[str, str]] = []
        body, at, end = self._lines, self._at, len(self._lines)
        while at < end and (mark := (line := body[at])[:1]) in _MARKS:
            lines.append((mark or " ", line[1:]))
            at += 1
        last = bool(lines) and at < end and body[at].rstrip(WHITE) == _LAST
        self._at = at + last
        return tuple(lines), last
