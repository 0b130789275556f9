"""`tool_call_count`: how often tools were called."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.tool_call_count import ToolCallCount
from gate.patterns.jsregex import JsPattern
from gate.trajectory import Ok
from tests.oracles.talks import NOTHING, called, said, says, shell, talk, user

RUN = talk(shell("ls"), called("Read", ok=Ok.NO), called("Read", agent="sub"), said("done"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(ToolCallCount(max=3), RUN, "3 tool calls, at most 3 tool calls allowed", id="just so many"),
        pytest.param(ToolCallCount(max=1, tools=(JsPattern("^ba"),)), RUN, "1 tool call, at most 1 tool call allowed", id="of a tool"),
        pytest.param(ToolCallCount(max=0), NOTHING, "0 tool calls, at most 0 tool calls allowed", id="nothing was done"),
        pytest.param(
            ToolCallCount(max=0), talk(user("!ls", tool="bash"), said("a")), "0 tool calls, at most 0 tool calls allowed",
            id="a person's own",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: ToolCallCount, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(ToolCallCount(max=2), "error too_many: 3 tool calls, at most 2 tool calls allowed", id="too many"),
        pytest.param(
            ToolCallCount(max=1, tools=(JsPattern("Read"),)),
            "error too_many: 2 tool calls, at most 1 tool call allowed", id="of a tool",
        ),
        pytest.param(ToolCallCount(min=4, max=9), "error too_few: 3 tool calls, at least 4 tool calls expected", id="too few"),
    ],
)  # fmt: skip
def test_fails(oracle: ToolCallCount, message: str) -> None:
    assert says(oracle, RUN) == [message]


def test_a_pattern_that_is_not_valid_is_an_error() -> None:
    with pytest.raises(CannotJudge, match="is not a valid regular expression of JavaScript"):
        says(ToolCallCount(max=1, tools=(JsPattern("("),)), NOTHING)
