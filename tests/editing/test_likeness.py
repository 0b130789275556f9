"""The nearest of very many texts: as `difflib` finds it, with a bound on what is compared."""

import difflib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.editing.edit import nearest
from gate.editing.likeness import LONGEST, MOST_COMPARED, closest


@given(st.text("ab(x=1 ", max_size=12), st.lists(st.text("ab(x=1 ", max_size=12), max_size=20))
def test_it_is_the_one_that_difflib_finds(wanted: str, texts: list[str]) -> None:
    found = difflib.get_close_matches(wanted, filter(None, texts), n=1, cutoff=0.5)
    assert closest(wanted, texts, least=0.5) == (found[0] if found else "")


def test_very_many_texts_are_counted_and_few_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    class Counting(difflib.SequenceMatcher[str]):
        def set_seq1(self, a: Sequence[str]) -> None:
            compared.append(len(a))
            super().set_seq1(a)

    monkeypatch.setattr(difflib, "SequenceMatcher", Counting)
    texts = [f"{number:05}" * 2000 for number in range(20_000)]
    assert closest("10293847" * 1000, texts, least=0.1) in texts
    assert 0 < len(compared) <= MOST_COMPARED + 1
    assert max(compared) <= LONGEST


@pytest.mark.parametrize(
    ("old", "said"),
    [
        pytest.param(b"  return x\n", "nearest is line 4: 'return x'", id="the same text, indented most alike"),
        pytest.param(b"return y1\n", "nearest is line 5: 'return y'", id="most alike"),
        pytest.param(
            b"\n\nreturn y1\nfoo\n", "nearest is line 5: 'return y'", id="the first line that holds something"
        ),
        pytest.param(b"zzz\n", "nothing there is like it", id="nothing"),
        pytest.param(b"\n", "nothing there is like it", id="blank"),
    ],
)
def test_the_nearest_line(old: bytes, said: str) -> None:
    content = b"def f():\n        return x\n\n   return x\nreturn y\n"
    assert nearest(content, old) == said
