"""Pi's editing tool: exact text, else text that looks alike, each place exactly once."""

from itertools import pairwise
from unicodedata import normalize

import msgspec

from gate.agents.lookalike import lf, lines_of, plain
from gate.editing.edit import Edit, nearest, no_file, not_once
from gate.editing.text import encoded
from gate.errors import CannotApply

_BOM = "\ufeff"


class Pair(msgspec.Struct, frozen=True):
    """A text and what replaces it; both with LF ends."""

    old: str
    new: str


class PiEdit(Edit, frozen=True, kw_only=True):
    """`edit`: texts of one file are replaced; all are looked for in the file as it was before.

    The byte order mark and the line ends of the first line stay. `whole` says that a text which only looks alike makes
    the tool rewrite the whole file without odd quotes and white space, as versions until early 2026 did; later ones
    rewrite only the lines of the text.
    """

    pairs: tuple[Pair, ...]
    whole: bool = False

    @property
    def written(self) -> bytes:
        """The new texts."""
        return b"\n".join(encoded(pair.new) for pair in self.pairs)

    def apply(self, content: bytes | None) -> bytes | None:
        """The content with every text replaced."""
        if content is None:
            raise no_file()
        text = content.decode("utf-8", "replace")
        mark, text = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
        crlf = text.find("\n") > 0 and text[text.find("\n") - 1] == "\r"
        body = self._replaced(lf(text))
        return encoded(mark + (body.replace("\n", "\r\n") if crlf else body))

    def _replaced(self, text: str) -> str:
        exact = all(pair.old in text for pair in self.pairs)
        base = text if exact else _alike(text)
        spans = sorted((self._span(base, pair, text), pair.new) for pair in self.pairs)
        for (before, _), (after, _) in pairwise(spans):
            if before[1] > after[0]:
                raise CannotApply("two of the old texts overlap", kind="replay_mismatch")
        if exact or self.whole:
            return _put(base, spans, 0)
        return _overlaid(text, base, spans)

    def _span(self, base: str, pair: Pair, text: str) -> tuple[int, int]:
        old = pair.old if pair.old in base else _alike(pair.old)
        if not old:
            raise CannotApply("the old text is empty", kind="replay_mismatch")
        count = base.count(old)
        if count == 0:
            near = nearest(encoded(text), encoded(pair.old))
            raise CannotApply(f"the old text is not in the file; {near}", kind="replay_mismatch")
        if count > 1:
            raise not_once(count)
        start = base.index(old)
        return start, start + len(old)


def _alike(text: str) -> str:
    return plain(normalize("NFKC", text))


_Spans = list[tuple[tuple[int, int], str]]


def _put(base: str, spans: _Spans, offset: int) -> str:
    for (start, end), new in reversed(spans):
        base = base[: start - offset] + new + base[end - offset :]
    return base


def _overlaid(text: str, base: str, spans: _Spans) -> str:
    """The text with those lines rewritten from `base` that a replacement touches."""
    lines, alike = lines_of(text), lines_of(base)
    if len(lines) != len(alike):
        raise CannotApply("text that looks alike has other lines", kind="replay_mismatch")
    starts = [0]
    for line in alike:
        starts.append(starts[-1] + len(line))
    result, at = "", 0
    while spans:
        first = next(number for number, start in enumerate(starts[1:]) if start > spans[0][0][0])
        last = next(number for number, start in enumerate(starts[1:]) if start >= spans[0][0][1])
        group: _Spans = []
        while spans and spans[0][0][0] < starts[last + 1]:
            last = next(number for number, start in enumerate(starts[1:]) if start >= spans[0][0][1])
            group.append(spans.pop(0))
        block = "".join(alike[first : last + 1])
        result += "".join(lines[at:first]) + _put(block, group, starts[first])
        at = last + 1
    return result + "".join(lines[at:])
