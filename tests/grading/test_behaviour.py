"""What oracles on words and calls share: which calls are chosen, and how a text is shown."""

import pytest

from gate.errors import CannotJudge
from gate.grading.behaviour import chosen, quoted
from gate.patterns.jsregex import JsPattern
from gate.transcript import Call

CALLS = tuple(Call(number=number, step=1, turn=0, tool=tool) for number, tool in enumerate(["bash", "Read", "Bash"], 1))


@pytest.mark.parametrize(
    ("tools", "numbers"),
    [
        pytest.param([], [1, 2, 3], id="no pattern takes all"),
        pytest.param(["ash"], [1, 3], id="not anchored"),
        pytest.param(["^bash$", "Read"], [1, 2], id="one of two"),
        pytest.param(["x"], [], id="none"),
    ],
)
def test_chosen(tools: list[str], numbers: list[int]) -> None:
    assert [call.number for call in chosen(CALLS, tuple(map(JsPattern, tools)))] == numbers


def test_a_pattern_is_checked_even_where_there_is_no_call() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        chosen((), (JsPattern("("),))


def test_a_long_text_is_cut() -> None:
    assert quoted("a" * 101) == f"'{'a' * 100}…'"
