"""N-grams of words looked for in a stream of text: one pass, whatever the length, and memory for the needles alone."""

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_BATCH = 1 << 20
_LONGEST_WORD = 1 << 16
_EDGE = "\0"
_MOST_PLACES = 3


class Needle(msgspec.Struct, frozen=True, kw_only=True):
    """A text of a task that is looked for; `part` is which."""

    task: str
    part: str
    text: str


class _Grams(msgspec.Struct):
    """The n-grams of one needle, those found, and where."""

    width: int
    wanted: frozenset[str]
    found: set[str]
    places: list[str]


class Search:
    """Looks for the n-grams of all needles at once.

    Of each n-gram only a stretch of half its words is searched for, such that every n-gram holds one of them; where
    one stands, the n-grams around it are compared. That keeps the automaton small, and text without a hit is quick.
    """

    def __init__(self, needles: list[Needle], width: int) -> None:
        self._grams = {(needle.task, needle.part): _grams(needle, width) for needle in needles}
        self._owners: dict[str, list[_Grams]] = {}
        self._anchors: dict[str, set[int]] = {}
        for needle in needles:
            grams = self._grams[needle.task, needle.part]
            for gram in grams.wanted:
                self._owners.setdefault(gram, []).append(grams)
            for anchor in _anchors(_words(needle.text), grams.width) if grams.wanted else ():
                self._anchors.setdefault(anchor, set()).add(grams.width)
        self._names = list(self._anchors)
        self._automaton: AhoCorasick | None = None
        self._most = max((grams.width for grams in self._grams.values()), default=1)
        self._words: list[str] = []
        self._text: list[str] = []
        self._size = 0

    def part(self, needle: Needle) -> float | None:
        """The part of the needle's n-grams that were found, to four places; None where it has none."""
        grams = self._grams[needle.task, needle.part]
        return round(len(grams.found) / len(grams.wanted), 4) if grams.wanted else None

    def places(self, needle: Needle) -> list[str]:
        """The first places where something of the needle was found."""
        return self._grams[needle.task, needle.part].places

    def feed(self, text: str, place: str) -> None:
        """The next piece of a text, however it was cut."""
        self._text.append(text)
        self._size += len(text)
        if self._size >= _BATCH:
            self._search(place, whole=False)

    def boundary(self) -> None:
        """The text ends here, and no n-gram reaches from it into the next."""
        self._text.append(f" {_EDGE} ")
        self._size += 3

    def end(self, place: str) -> None:
        """The last text of a place ends here."""
        self._search(place, whole=True)
        self._words = []

    def _search(self, place: str, *, whole: bool) -> None:
        text = "".join(self._text)
        rest = ""
        if not whole and text and not text[-1].isspace():
            pieces = text.rsplit(None, 1)
            text, rest = (pieces[0], pieces[1]) if len(pieces) == 2 else ("", text)
        # A word of that length is in no prompt, and must not pile up.
        rest = rest if len(rest) <= _LONGEST_WORD else _EDGE
        self._text, self._size = [rest], len(rest)
        words = self._words + text.lower().split()
        self._words = words[-(self._most - 1) :] if self._most > 1 else []
        if words and self._names:
            self._compare(f" {' '.join(words)} ", place)

    def _compare(self, text: str, place: str) -> None:
        if self._automaton is None:
            from ahocorasick_rs import AhoCorasick, MatchKind  # only a scan searches for so many words

            self._automaton = AhoCorasick([f" {name} " for name in self._names], matchkind=MatchKind.Standard)
        for number, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True):
            anchor = self._names[number]
            for width in self._anchors[anchor]:
                more = width - (anchor.count(" ") + 1)
                around = text[_left(text, start, more) : _right(text, end - 1, more)].split(" ")
                for at in range(len(around) - width + 1):
                    self._note(" ".join(around[at : at + width]), place)

    def _note(self, gram: str, place: str) -> None:
        for grams in self._owners.get(gram, ()):
            grams.found.add(gram)
            if place not in grams.places and len(grams.places) < _MOST_PLACES:
                grams.places.append(place)


def _words(text: str) -> list[str]:
    return text.lower().split()


def _grams(needle: Needle, width: int) -> _Grams:
    words = _words(needle.text)
    if len(words) < width:  # a short prompt is one n-gram; a short solution stands everywhere, and says nothing
        whole = words if needle.part == "prompt" else []
        return _Grams(len(whole) or 1, frozenset([" ".join(whole)] if whole else []), set(), [])
    grams = frozenset(" ".join(words[at : at + width]) for at in range(len(words) - width + 1))
    return _Grams(width, grams, set(), [])


def _anchors(words: list[str], width: int) -> list[str]:
    """Stretches of half the width, of which every n-gram of these words holds one."""
    half = (width + 1) // 2
    return [" ".join(words[at : at + half]) for at in range(0, len(words) - half + 1, width - half + 1)]


def _left(text: str, at: int, words: int) -> int:
    """Where the word begins that stands so many words before the space at `at`; the text begins with a space."""
    for _ in range(words):
        if at <= 0:
            break
        at = text.rfind(" ", 0, at)
    return at + 1


def _right(text: str, at: int, words: int) -> int:
    """Where the word ends that stands so many words after the space at `at`; the text ends with a space."""
    for _ in range(words):
        found = text.find(" ", at + 1)
        if found < 0:
            break
        at = found
    return at
