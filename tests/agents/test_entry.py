"""Lines of Claude Code that are read quickly say the same as those that are decoded whole."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import recording
from gate.agents.entry import entry, result_of
from gate.errors import RecordingError
from gate.recording import Recording
from gate.trajectory import Step
from tests.chosen import check_choices, check_verdicts

SLOWLY = b',"zz":NaN}\n'  # the quick decoder refuses it, the standard library does not
CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
ANSWER = {"type": "tool_result", "tool_use_id": "t1", "content": "a.py", "is_error": False}
USAGE = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 9, "service_tier": "standard"}
LINE: dict[str, object] = {
    "parentUuid": None,
    "sessionId": "s",
    "cwd": "/repo",
    "version": "2.1.50",
    "timestamp": "2026-02-23T15:58:38Z",
}
ASKED: dict[str, object] = LINE | {
    "type": "assistant",
    "uuid": "1",
    "message": {"id": "m", "content": [CALL], "usage": USAGE},
}
TOLD: dict[str, object] = LINE | {
    "type": "user",
    "uuid": "2",
    "message": {"role": "user", "content": [ANSWER]},
    "toolUseResult": {"stdout": "a.py", "stderr": "", "interrupted": False},
}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "t1", "tool_use", "tool_result", "text"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "type", "text"]), inner),
    max_leaves=4,
)


def slowly(data: bytes) -> bytes:
    """The same lines, so written that each is decoded whole."""
    lines = data.splitlines(keepends=True)
    return b"".join(line[:-2] + SLOWLY if line.endswith(b"}\n") and len(line) > 3 else line for line in lines)


def steps(data: bytes) -> list[Step] | str:
    """The steps that are read from a recording, or why none are."""
    try:
        return list(recording.read(data).steps)
    except RecordingError as error:
        return error.kind


def jsonl(*records: object) -> bytes:
    """Records as lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def sessions(cases: Path) -> list[bytes]:
    """The real sessions."""
    paths = [*cases.glob("recordings/claude-code/*.jsonl"), *cases.glob("fidelity/*/recording.jsonl")]
    found = [path.read_bytes() for path in paths if b'"parentUuid"' in path.read_bytes()]
    assert len(found) > 10
    return found


def test_sessions_say_the_same(cases: Path) -> None:
    read = sessions(cases)
    assert [steps(slowly(data)) for data in read] == [steps(data) for data in read]


def test_sessions_are_chosen_from(cases: Path) -> None:
    for data in sessions(cases):
        check_choices(recording.read(data))
        check_verdicts(recording.read(data))


_PARTS = st.sampled_from(
    [
        {"type": "text", "text": "go on"},
        {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "cu''rl https://a.b"}},
        {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}},
        {"type": "tool_use", "id": "2", "name": "Bash", "input": {"cmd": "git fetch"}},
        {"type": "tool_use", "id": "2", "name": "Read", "input": {"file_path": "https://README"}},
        {"type": "tool_use", "id": "3", "name": "Write", "input": {"file_path": "a", "content": "b"}},
        {"type": "tool_use", "id": "3", "name": "new_tool", "input": {"path": "a"}},
        {"type": "tool_use", "id": "4", "name": "WebFetch", "input": {"url": "https://a.b"}},
        *({"type": "tool_result", "tool_use_id": key, "content": "x", "is_error": key == "2"} for key in "123"),
    ]
)
_LINES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["assistant", "user"]),
        "message": st.fixed_dictionaries({"id": st.sampled_from("ab"), "content": st.lists(_PARTS, max_size=3)}),
    },
    optional={"toolUseResult": st.just({"interrupted": True}), "isSidechain": st.booleans()},
)


@given(st.lists(_LINES, max_size=8))
def test_any_session_is_chosen_from(lines: list[dict[str, object]]) -> None:
    data = jsonl(*(LINE | {"uuid": str(number)} | line for number, line in enumerate((ASKED, *lines))))
    check_choices(recording.read(data))
    check_verdicts(recording.read(data))


def said(key: str, *content: dict[str, object], **more: object) -> dict[str, object]:
    """A line of the message "m" of an agent."""
    return LINE | {"type": "assistant", "uuid": key, "message": {"id": "m", "content": list(content)}} | more


TEXT: dict[str, object] = {"type": "text", "text": "now"}
EDIT: dict[str, object] = {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": "a", "content": "b"}}
LOOK: dict[str, object] = {"type": "tool_use", "id": "t3", "name": "Read", "input": {"file_path": "a"}}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([said("1", TEXT), said("2", EDIT)], [(1, "Write", "now")], id="in the line before"),
        pytest.param(
            [said("1", TEXT), said("2", TEXT), said("3", EDIT)], [(1, "Write", "now\nnow")], id="in lines before"
        ),
        pytest.param(
            [ASKED, said("2", TEXT), said("3", TEXT, agentId="s", isSidechain=True), said("4", EDIT)],
            [(1, "Bash", ""), (2, "Write", "now"), (3, "", "now")],
            id="before a sub-agent's",
        ),
        pytest.param(
            [said("1", TEXT), said("2", LOOK), said("3", TEXT), said("4", EDIT)],
            [(1, "Read", "now"), (2, "Write", "now")],
            id="each its own",
        ),
        pytest.param(
            [said("1", LOOK, TEXT), said("2", EDIT)], [(1, "Read", ""), (2, "Write", "now")], id="behind another call"
        ),
        pytest.param(
            [said("1", TEXT), said("2", LOOK, EDIT)], [(1, "Read", "now"), (2, "Write", "")], id="of the first call"
        ),
        pytest.param(
            [said("1", EDIT), said("2", TEXT), said("3", EDIT), said("4", LOOK)],
            [(1, "Write", ""), (2, "Read", "now")],
            id="a call that stands there twice",
        ),
    ],
)
def test_text_goes_with_the_call_behind_it(lines: list[object], expected: list[tuple[int, str, str]]) -> None:
    trajectory = recording.read(jsonl(*lines))
    assert [(step.number, step.tool, step.message) for step in trajectory.steps] == expected
    check_choices(trajectory)


def replaced(record: dict[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    """The record with something else at a place in it."""
    inner = record.get(path[0])
    return {**record, path[0]: replaced(inner, path[1:], value) if len(path) > 1 and isinstance(inner, dict) else value}


@given(
    st.sampled_from([key for key in {**ASKED, **TOLD} if key not in ("type", "message")]).map(lambda key: (key,))
    | st.sampled_from([("message", "id"), ("message", "content"), ("message", "usage"), ("toolUseResult", "stdout")])
    | st.sampled_from([("toolUseResult", "interrupted"), ("message", "usage", "output_tokens")]),
    json_values,
)
def test_odd_shapes_say_the_same(path: tuple[str, ...], value: object) -> None:
    data = jsonl(ASKED, replaced(ASKED, path, value) | {"uuid": "3"}, replaced(TOLD, path, value), TOLD)
    assert steps(slowly(data)) == steps(data)


@pytest.mark.parametrize(
    ("line", "whole", "expected"),
    [
        pytest.param(jsonl(TOLD), True, TOLD["toolUseResult"], id="of a session"),
        pytest.param(jsonl(TOLD), False, {"interrupted": False}, id="only whether it was interrupted"),
        pytest.param(jsonl(TOLD | {"toolUseResult": "Error: no"}), False, None, id="a text was not interrupted"),
        pytest.param(jsonl(TOLD | {"toolUseResult": "Error: no"}), True, "Error: no", id="a text"),
        pytest.param(jsonl(LINE | {"type": "user", "tool_use_result": [1]}), True, [1], id="of the stream"),
        pytest.param(jsonl(LINE | {"type": "user"}), True, None, id="none"),
        pytest.param(slowly(jsonl(TOLD)), True, TOLD["toolUseResult"], id="of a line that is decoded whole"),
    ],
)
def test_the_structured_result(line: bytes, *, whole: bool, expected: object) -> None:
    told = entry(1, line, Recording(line))
    assert told is not None
    assert result_of(told, whole=whole) == expected
