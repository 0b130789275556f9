"""How steps become answers, prompts and calls: for made steps, and for recordings of several formats."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gate.errors import GateError
from gate.recording import read
from gate.trajectory import Command, Dropped, Lost, Ok, Step, SystemEvent, Tokens, Trajectory
from gate.transcript import Transcript
from gate.transcription import transcript
from tests.recordings.recorded import lines


def _seen(*steps: Step, **more: Any) -> Transcript:
    numbered = tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1))
    return transcript(Trajectory(format="test", steps=numbered, **more))


def _step(**more: Any) -> Step:
    return Step(number=0, **more)


def _shape(seen: Transcript) -> list[list[str]]:
    return [[call.tool for call in answer.calls] for answer in seen.answers]


@pytest.mark.parametrize(
    ("steps", "shape"),
    [
        pytest.param([_step(tool="a"), _step(tool="b")], [["a"], ["b"]], id="nothing says that they belong together"),
        pytest.param([_step(tool="a", answer="1"), _step(tool="b", answer="1")], [["a", "b"]], id="one answer"),
        pytest.param([_step(tool="a", line=4), _step(tool="b", line=4)], [["a", "b"]], id="one line"),
        pytest.param(
            [_step(tool="a", answer="1"), _step(source="user", message="go on"), _step(tool="b", answer="1")],
            [["a"], ["b"]],
            id="a prompt between them",
        ),
        pytest.param(
            [_step(tool="a", answer="1"), _step(tool="b", answer="1", agent="sub")], [["a"], ["b"]], id="two agents"
        ),
        pytest.param([_step(message=" "), _step(tool="a")], [["a"]], id="an answer that says nothing"),
        pytest.param([_step(commands=(Command(text="ls"),))], [["command"]], id="a command without a tool"),
    ],
)
def test_answers(steps: list[Step], shape: list[list[str]]) -> None:
    assert _shape(_seen(*steps)) == shape


def test_calls_and_answers_are_numbered_through() -> None:
    seen = _seen(_step(tool="a", answer="1"), _step(tool="b", answer="1"), _step(tool="c", answer="2"))
    assert [(call.number, call.step, call.tool) for call in seen.calls] == [(1, 1, "a"), (2, 1, "b"), (3, 2, "c")]


def test_prompts_are_what_a_person_says() -> None:
    seen = _seen(
        _step(source="user", message="first"),
        _step(source="user", tool="bash", commands=(Command(text="ls"),)),
        _step(source="user", message="for a sub-agent", agent="sub"),
        _step(source="user", message=" "),
        _step(source="user", message="[Request interrupted by user for tool use]"),
        _step(source="user", message="second"),
    )
    assert [(prompt.turn, prompt.text) for prompt in seen.prompts] == [(1, "first"), (2, "second")]


def test_the_lead_is_the_agent_without_a_name_or_the_first() -> None:
    assert _seen(_step(message="x", agent="a"), _step(message="y", agent="b")).lead == "a"
    assert _seen(_step(message="x", agent="a"), _step(message="y")).lead == ""
    assert _seen().lead == ""


def test_tokens_are_those_of_the_steps_or_of_the_run() -> None:
    assert _seen(_step(message="x", tokens_in=5, tokens_out=2), _step(message="y", tokens_in=3)).used == (8, 2)
    assert _seen(_step(message="x"), tokens=Tokens(9, 1)).used == (9, 1)
    assert _seen(_step(message="x")).used is None


def test_gaps_and_strays() -> None:
    seen = _seen(
        _step(tool="a", lost=Lost("args: expected an object")),
        _step(tool="b", lost=Lost("args: expected an object"), ok=Ok.NO),
        dropped=(
            Dropped(line=3, reason="line 3 is no JSON", grave=True),
            Dropped(line=0, reason="cites another step", grave=True, kind="foreign_result"),
            Dropped(line=0, reason="copied"),
        ),
        events=(SystemEvent(kind="compaction"),),
    )
    assert seen.gaps == ("line 3 is no JSON", "step 1: args: expected an object")
    assert seen.strays == ("cites another step",)
    assert [event.kind for event in seen.events] == ["compaction"]


def test_it_is_made_once() -> None:
    whole = Trajectory(format="test", steps=(_step(message="x"),))
    assert transcript(whole) is transcript(whole)


def test_an_atif_result_that_cites_a_call_of_another_step() -> None:
    steps = [
        {"step_id": 1, "source": "user", "message": "Look."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "I look.",
            "tool_calls": [{"tool_call_id": "a", "function_name": "Read", "arguments": {"file_path": "x"}}],
            "metrics": {"prompt_tokens": 10, "completion_tokens": 4},
        },
        {"step_id": 3, "source": "system", "message": "", "extra": {"context_management": {"type": "compaction"}}},
        {
            "step_id": 4,
            "source": "agent",
            "message": "It says 7.",
            "observation": {"results": [{"source_call_id": "a", "content": "7"}]},
        },
    ]
    document = {"schema_version": "ATIF-v1.7", "agent": {"name": "claude-code", "version": "2"}, "steps": steps}
    seen = transcript(read(json.dumps(document).encode(), "a.json"))
    [call] = seen.calls
    assert (call.tool, call.result, call.answered, call.step, call.turn) == ("Read", "", False, 1, 1)
    assert seen.strays == ("steps[3].observation.results[0].source_call_id: the text 'a' is no call of this step",)
    assert seen.gaps == ()
    assert (seen.messages, seen.used, seen.turns) == (("I look.", "It says 7."), (10, 4), 1)
    assert [(event.kind, event.turn) for event in seen.events] == [("compaction", 1)]


def _claude(kind: str, key: str, content: Any, message: str | None = None) -> dict[str, Any]:
    said = {"role": kind, "content": content} | ({"id": message} if message else {})
    return {"type": kind, "uuid": key, "parentUuid": None, "sessionId": "s", "version": "2.1.0", "cwd": "/w"} | {
        "message": said,
        "timestamp": "2026-01-01T10:00:00.000Z",
        "isSidechain": False,
        "userType": "external",
        "gitBranch": "",
    }


def test_parallel_calls_of_claude_code_are_one_answer() -> None:
    use = [
        {"type": "tool_use", "id": key, "name": "Bash", "input": {"command": f"echo {key}"}} for key in ("a", "b", "c")
    ]
    result = [[{"type": "tool_result", "tool_use_id": key, "content": key}] for key in ("a", "b", "c")]
    seen = transcript(
        read(
            lines(
                _claude("user", "1", "Go."),
                _claude("assistant", "2", [use[0]], "m1"),
                _claude("assistant", "3", [use[1]], "m1"),
                _claude("user", "4", result[0]),
                _claude("user", "5", result[1]),
                _claude("assistant", "6", [use[2]], "m2"),
                _claude("user", "7", result[2]),
                _claude("assistant", "8", [{"type": "text", "text": "Done."}], "m3"),
            ),
            "s.jsonl",
        )
    )
    assert [[call.result for call in answer.calls] for answer in seen.answers] == [["a", "b"], ["c"], []]
    assert (seen.output, seen.ended, seen.turns) == ("Done.", True, 1)


def test_events_of_claude_code_stand_in_their_turns() -> None:
    system = {"type": "system", "sessionId": "s", "version": "2.1.0", "cwd": "/w", "isSidechain": False}
    boundary = system | {
        "uuid": "3",
        "parentUuid": "2",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
    }
    broken = system | {"uuid": "5", "parentUuid": "4", "subtype": "api_error", "level": "error"}
    plain = system | {"uuid": "6", "parentUuid": "5", "subtype": "turn_duration"}
    seen = transcript(
        read(
            lines(
                _claude("user", "1", "Go."),
                _claude("assistant", "2", [{"type": "text", "text": "Done."}], "m1"),
                boundary,
                _claude("user", "4", "On."),
                broken,
                plain,
            ),
            "s.jsonl",
        )
    )
    assert [(event.kind, event.turn) for event in seen.events] == [("compaction", 1), ("error", 2)]
    assert seen.tells_events


def test_real_recordings_have_answers(cases: Path) -> None:
    """Of each recorded format: there are answers, every call is in one, and numbers go up one by one."""
    seen = 0
    for path in sorted(path for path in (cases / "recordings").rglob("*") if path.is_file()):
        if path.suffix not in (".jsonl", ".json") or path.stat().st_size > 3_000_000:
            continue
        try:
            trajectory = read(path.read_bytes(), path.name)
        except GateError:  # which files are no recordings is for other tests to say
            continue
        found = transcript(trajectory)
        assert [call.number for call in found.calls] == list(range(1, len(found.calls) + 1)), path
        assert [answer.number for answer in found.answers] == list(range(1, len(found.answers) + 1)), path
        tools = sum(bool(step.tool) and step.source != "user" for step in trajectory.steps)
        assert len(found.calls) >= tools, path
        seen += bool(found.answers)
    assert seen > 5
