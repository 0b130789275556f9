"""N-grams in a stream: the same as by comparing all of them, however the text is cut."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.bundles.needles import Needle, Search


def naive(prompt: str, texts: Sequence[str], width: int) -> float | None:
    """The part of a prompt's n-grams in texts, by the definition."""

    def grams(text: str, size: int) -> set[tuple[str, ...]]:
        words = text.lower().split()
        return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}

    words = prompt.lower().split()
    if not words:
        return None
    size = min(width, len(words))
    wanted = grams(prompt, size)
    found = set().union(*(grams(text, size) for text in texts)) & wanted
    return round(len(found) / len(wanted), 4)


def searched(prompt: str, texts: Sequence[Sequence[str]], width: int) -> float | None:
    needle = Needle(task="t", part="prompt", text=prompt)
    search = Search([needle, Needle(task="u", part="prompt", text="other words that nobody writes")], width)
    for pieces in texts:
        for piece in pieces:
            search.feed(piece, "place")
            search._search("place", whole=False)  # as if every piece filled a batch
        search.boundary()
    search.end("place")
    return search.part(needle)


WORDS = st.lists(st.sampled_from(["a", "B", "b", "é", "c\n", "  d"]), max_size=40).map(" ".join)


@given(
    prompt=WORDS,
    texts=st.lists(WORDS, max_size=3),
    width=st.integers(1, 13),
    cuts=st.lists(st.integers(0, 90), max_size=4),
)
def test_as_by_comparing_all(prompt: str, texts: list[str], width: int, cuts: list[int]) -> None:
    pieces = []
    for text in texts:
        places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
        pieces.append([text[start:end] for start, end in pairwise(places)])
    assert searched(prompt, pieces, width) == naive(prompt, texts, width)


@pytest.mark.parametrize(
    ("prompt", "text", "part"),
    [
        pytest.param("one two three", "zero ONE\ttwo\nThree four", 1.0, id="a short prompt is compared whole"),
        pytest.param("one two three", "one two four three", 0.0, id="and only whole"),
        pytest.param("one two three four five six", "x one two three four five y", 0.5, id="a part"),
        pytest.param("", "one", None, id="no prompt"),
        pytest.param("one two three four five", "done two three four fiver", 0.0, id="words are whole"),
    ],
)
def test_parts(prompt: str, text: str, part: float | None) -> None:
    assert searched(prompt, [[text]], 5) == part


def test_a_short_solution_is_not_looked_for() -> None:
    needle = Needle(task="t", part="golden", text="return a + b")
    search = Search([needle], 12)
    search.feed("return a + b", "x")
    search.end("x")
    assert (search.part(needle), search.places(needle)) == (None, [])


def test_the_first_places_are_named() -> None:
    needle = Needle(task="t", part="prompt", text="one two")
    search = Search([needle], 2)
    for number in range(5):
        search.feed("one two one two", f"file {number}")
        search.end(f"file {number}")
    assert search.places(needle) == ["file 0", "file 1", "file 2"]


def test_a_word_without_end_does_not_pile_up() -> None:
    needle = Needle(task="t", part="prompt", text="one two")
    search = Search([needle], 2)
    search.feed("one ", "x")
    for _ in range(40):
        search.feed("y" * (1 << 20), "x")
        assert search._size <= 1 << 21
    search.feed(" one two", "x")
    search.end("x")
    assert search.part(needle) == 1.0
