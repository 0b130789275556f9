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


def test_sessions_say_the_same(cases: Path) -> None:
    paths = [*cases.glob("recordings/claude-code/*.jsonl"), *cases.glob("fidelity/*/recording.jsonl")]
    read = [path.read_bytes() for path in paths if b'"parentUuid"' in path.read_bytes()]
    assert len(read) > 10
    assert [steps(slowly(data)) for data in read] == [steps(data) for data in read]


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
