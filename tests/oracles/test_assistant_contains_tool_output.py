"""`assistant_contains_tool_output`: what a tool told is said later."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.assistant_contains_tool_output import AssistantContainsToolOutput
from gate.patterns.jsregex import JsPattern
from gate.trajectory import Ok
from tests.oracles.talks import NOTHING, STRAY, STRAY_WARNING, called, said, says, shell, talk

TOOLS = (JsPattern("^bash$"),)
ORACLE = AssistantContainsToolOutput(tools=TOOLS, pattern=JsPattern(r"id: (\w+)"))


@pytest.mark.parametrize(
    ("oracle", "trial", "messages"),
    [
        pytest.param(
            ORACLE, talk(shell("a", "the id: x7"), said("It is x7.")), ["The agent said 'x7', which a tool had told it"],
            id="its group",
        ),
        pytest.param(
            AssistantContainsToolOutput(tools=TOOLS, pattern=JsPattern(r"x\d")), talk(shell("a", "the id: x7"), said("x7")),
            ["The agent said 'x7', which a tool had told it"], id="all of it",
        ),
        pytest.param(
            ORACLE, talk(shell("a", "id: x1"), shell("b", "id: x2"), said("x2"), dropped=(STRAY,)),
            [f"warning foreign_result: {STRAY_WARNING}", "The agent said 'x2', which a tool had told it"],
            id="one of two, and a stray result",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: AssistantContainsToolOutput, trial: Trial, messages: list[str]) -> None:
    assert says(oracle, trial) == messages


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(NOTHING, r"error no_result: No result of ^bash$ matches 'id: (\\w+)'", id="nothing was done"),
        pytest.param(
            talk(said("x7"), shell("a", "id: x7")), "error not_repeated: The agent never said what a tool had told it: 'x7'",
            id="said before",
        ),
        pytest.param(
            talk(shell("a", "id: x7"), said("x7", agent="sub")),
            "error not_repeated: The agent never said what a tool had told it: 'x7'", id="by a sub-agent",
        ),
        pytest.param(
            talk(called("Read", result="id: x7"), said("x7")),
            r"error no_result: No result of ^bash$ matches 'id: (\\w+)'", id="another tool",
        ),
        pytest.param(
            talk(shell("a", "", ok=Ok.UNKNOWN), said("x7")), r"error no_result: No result of ^bash$ matches 'id: (\\w+)'",
            id="no result",
        ),
    ],
)  # fmt: skip
def test_fails(trial: Trial, message: str) -> None:
    assert says(ORACLE, trial) == [message]


def test_a_pattern_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        says(AssistantContainsToolOutput(tools=TOOLS, pattern=JsPattern("(")), NOTHING)


def test_no_tools_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected `tools` with at least one pattern$"):
        AssistantContainsToolOutput(tools=(), pattern=JsPattern("a"))
