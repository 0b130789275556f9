"""Results of an ATIF step go to their own calls, and to no other."""

from typing import Any

import pytest

from gate.agents.pairing import pair


def call(key: Any) -> dict[str, Any]:
    return {"tool_call_id": key, "function_name": "f", "arguments": {}}


def result(key: Any, content: str) -> dict[str, Any]:
    return {"source_call_id": key, "content": content} if key else {"content": content}


@pytest.mark.parametrize(
    ("calls", "results", "paired", "loose"),
    [
        pytest.param(["a", "b"], [("b", "B"), ("a", "A")], ["A", "B"], [], id="by their ids"),
        pytest.param(["a", "a"], [("a", "A")], [None, None], [], id="an id that stands twice is nobody's"),
        pytest.param(["a"], [("x", "X")], [None], [], id="of another step"),
        pytest.param(["a", "b"], [(None, "A"), (None, "B")], ["A", "B"], [], id="by their places"),
        pytest.param(["a", "b"], [(None, "B")], [None, "B"], [], id="a single one is the last call's"),
        pytest.param(["a", "b", "c"], [(None, "A"), (None, "B")], [None, None, None], ["A", "B"], id="no places"),
        pytest.param(["a", "b"], [("b", "B"), (None, "A")], ["A", "B"], [], id="the place that is left"),
        pytest.param([], [(None, "A")], [], ["A"], id="no call"),
    ],
)
def test_pairs(calls: list[str], results: list[tuple[Any, str]], paired: list[str | None], loose: list[str]) -> None:
    step = {"source": "agent", "message": "", "tool_calls": [call(key) for key in calls]}
    found = pair(step | {"observation": {"results": [result(*each) for each in results]}}, "")
    assert [each.result and each.result["content"] for each in found.calls] == paired
    assert [each["content"] for each in found.loose] == loose


def test_calls_in_what_is_said() -> None:
    step = {"source": "agent", "message": "```bash\nls\n```", "observation": {"results": [result(None, "a")]}}
    (each,) = pair(step, "mini-swe-agent").calls
    assert (each.call["function_name"], each.call["arguments"], each.result) == (
        "bash",
        {"command": "ls"},
        {"content": "a"},
    )
    assert pair(step | {"source": "user"}, "mini-swe-agent").calls == []
