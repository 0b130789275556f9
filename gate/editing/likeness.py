"""Which of very many texts is most like a given one, for a message."""

from collections.abc import Iterable

LONGEST = 100
"""Characters of a text that are looked at."""

MOST_COMPARED = 300
"""Texts that are compared, the most promising first."""


def closest(wanted: str, texts: Iterable[str], *, least: float) -> str:
    """The text that is most like the wanted one, at least so much of 1 as `difflib` tells it; empty where none is.

    To compare two takes long. So the letters that each shares with the wanted one are counted first, and then they are
    compared only until no other can be closer.
    """
    from difflib import SequenceMatcher  # only a mistake needs it

    wanted = wanted[:LONGEST]
    letters = [(letter, wanted.count(letter)) for letter in dict.fromkeys(wanted)]
    likely: list[tuple[float, str]] = []
    for text in dict.fromkeys(texts):
        count, size = text.count, min(len(text), LONGEST)
        both = size + len(wanted)
        if size and 2 * min(size, len(wanted)) >= least * both:
            most = 2 * sum([min(count(letter, 0, size), number) for letter, number in letters]) / both
            if most >= least:
                likely.append((most, text))
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    found = least, ""
    for most, text in sorted(likely, reverse=True)[:MOST_COMPARED]:
        if most < found[0]:
            break
        matcher.set_seq1(text[:LONGEST])
        found = max(found, (matcher.ratio(), text))
    return found[1]
