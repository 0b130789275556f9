"""The rules of ATIF, each broken once."""

from typing import Any

import pytest

from gate.agents.conformance import VERSIONS, breaches

AGENT = {"name": "a", "version": "1"}


def call(**more: Any) -> dict[str, Any]:
    return {"tool_call_id": "c", "function_name": "f", "arguments": {}} | more


def step(**more: Any) -> dict[str, Any]:
    return {"step_id": 1, "source": "agent", "message": ""} | more


def document(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"schema_version": "ATIF-v1.7", "agent": AGENT, "steps": list(steps or (step(),))} | more


def observed(**result: Any) -> dict[str, Any]:
    return {"results": [result]}


def said(broken: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(breach.message, breach.grave) for breach in breaches(broken)]


def test_a_good_document() -> None:
    parts = [{"type": "text", "text": "x"}, {"type": "image", "source": {"media_type": "image/png", "path": "a"}}]
    good = step(
        timestamp="2025-10-16T14:30:00Z",
        message=parts,
        tool_calls=[call()],
        observation=observed(source_call_id="c", content="x", extra={}),
        metrics={"prompt_tokens": 1},
    )
    inner = document(trajectory_id="i")
    ref = observed(subagent_trajectory_ref=[{"trajectory_id": "i"}])
    assert said(document(good, step(step_id=2, source="system", observation=ref), subagent_trajectories=[inner])) == []
    assert VERSIONS[0] == "ATIF-v1.0"
    assert VERSIONS[-1] == "ATIF-v1.8"


@pytest.mark.parametrize(
    ("broken", "message", "grave"),
    [
        ({"agent": AGENT, "steps": [step()]}, "schema_version: expected a version, found nothing; taken as ATIF-v1.8", False),
        (document(odd=1), "the document: 'odd' is no key of ATIF there", False),
        (document(agent=None), "agent: expected an object, found nothing", False),
        (document(agent={"name": "a"}), "agent.version: expected text, found nothing", False),
        (document(agent=AGENT | {"x": 1}), "agent: 'x' is no key of ATIF there", False),
        (document(final_metrics={"x": 1}), "final_metrics: 'x' is no key of ATIF there", False),
        (document(5), "steps[0]: expected a step, found the number 5", True),
        (document(step(), step(step_id=3)), "steps[1].step_id: expected 2, found the number 3", True),
        (document(step(source="tool")), "steps[0].source: expected one of system, user, agent, found the text 'tool'", False),
        (document(step(timestamp="noon")), "steps[0].timestamp: expected a time as of ISO 8601, found the text 'noon'", False),
        (document(step(timestamp=5)), "steps[0].timestamp: expected a time as of ISO 8601, found the number 5", False),
        (document(step(message=None)), "steps[0].message: expected text or a list of parts, found nothing", False),
        (document(step(message=[{"type": "video"}])), "steps[0].message[0]: expected a part of the type text, image or audio, found the text 'video'", False),
        (document(step(message=[{"type": "text"}])), "steps[0].message[0].text: expected one for the type text, found nothing", False),
        (document(step(x=1)), "steps[0]: 'x' is no key of ATIF there", False),
        (document(step(metrics={"x": 1})), "steps[0].metrics: 'x' is no key of ATIF there", False),
        (document(step(source="user", tool_calls=[call()])), "steps[0].tool_calls: expected it on steps of the agent alone", False),
        (document(step(llm_call_count=0, metrics={})), "steps[0].metrics: expected none where llm_call_count is 0", False),
        (document(step(tool_calls=[call(tool_call_id=1)])), "steps[0].tool_calls[0].tool_call_id: expected text, found the number 1", False),
        (document(step(tool_calls=[call(arguments="{}")])), "steps[0].tool_calls[0].arguments: expected an object, found the text '{}'", True),
        (document(step(tool_calls=[call(), call()])), "steps[0].tool_calls[1].tool_call_id: 'c' stands twice in this step; whose result is whose?", True),
        (document(step(observation=observed(source_call_id="c"))), "steps[0].observation.results[0].source_call_id: the text 'c' is no call of this step", True),
        (document(step(observation=observed(content=5))), "steps[0].observation.results[0].content: expected text or a list of parts, found the number 5", False),
        (document(step(observation=observed(subagent_trajectory_ref=[{"session_id": "s"}]))), "steps[0].observation.results[0].subagent_trajectory_ref[0]: it names neither a trajectory_id nor a path", False),
        (document(subagent_trajectories=[document()]), "subagent_trajectories[0].trajectory_id: expected one, found nothing", True),
        (document(subagent_trajectories=[document(trajectory_id="i"), document(trajectory_id="i")]), "subagent_trajectories[1].trajectory_id: 'i' stands twice", True),
        (document(subagent_trajectories=[{"trajectory_id": "i"}]), "subagent_trajectories[0].steps: expected a list, found nothing", True),
        (document(subagent_trajectories=[document(step(step_id=2), trajectory_id="i")]), "subagent_trajectories[0].steps[0].step_id: expected 1, found the number 2", True),
    ],
)  # fmt: skip
def test_says_what_is_broken(broken: dict[str, Any], message: str, grave: bool) -> None:
    assert said(broken) == [(message, grave)]
