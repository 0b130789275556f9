"""The longest row of calls that are the same, against a plain count."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from gate.grading.repetition import Same, longest
from gate.transcript import Answer, Call, Transcript


@given(st.lists(st.sampled_from("ab"), max_size=20))
def test_longest(tools: list[str]) -> None:
    calls = tuple(Call(number=number, step=1, turn=0, tool=tool) for number, tool in enumerate(tools, 1))
    seen = Transcript(answers=(Answer(number=1, turn=0, calls=calls),))
    expected = max((len(list(row)) for _, row in groupby(tools)), default=0)
    assert len(longest(seen, (), Same.NAME)) == expected
