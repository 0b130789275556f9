"""Which reader knows which recording: exactly one knows each."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import registry
from gate.errors import RecordingError
from gate.recording import Recording, Sample, candidates, read, readers
from gate.recordings import KEYS, WORDS
from tests.recordings.recorded import lines

TASK = "<task>\nDo it\n</task>\n<environment_details>\n</environment_details>"
ROOS = "<environment_details>\n# Current Mode\n<slug>code</slug>\n</environment_details>"
USE = {"type": "tool_use", "id": "1", "name": "Edit", "input": {"file_path": "a", "old_str": "a", "new_str": "b"}}
PARAMS = {
    "sessionId": "s",
    "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}},
}
GOOSE = {"role": "assistant", "created": 1, "content": [{"type": "toolRequest", "id": "1", "toolCall": {}}]}
SPAN = {"span_id": "1", "name": "execute_tool x", "attributes": {"gen_ai.tool.name": "x"}}
CHAT = {"sessionId": "s", "projectHash": "h", "startTime": "t", "lastUpdated": "t"}

# Small recordings of the formats, and of their older and newer forms, with the reader that knows them.
SMALL: list[tuple[str, list[Any]]] = [
    ("acp", [{"jsonrpc": "2.0", "method": "session/update", "params": PARAMS}]),
    ("agentbench", [{"steps": [{"type": "tool_call", "tool": "Read", "args": {}}]}]),
    ("agentbench-log", [{"tool": "Read", "args": {"path": "a"}}, {"name": "Bash", "input": {"command": "ls"}}]),
    ("cline", [[{"role": "user", "content": [{"type": "text", "text": TASK}]}]]),
    ("cline", [[{"ts": 1, "type": "say", "say": "text", "text": "x"}]]),
    ("cline", [{"version": 1, "sessionId": "s", "messages": [{"role": "assistant", "content": [USE]}]}]),
    ("codex-exec-json", [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]),
    ("codex-rollout", [{"timestamp": "t", "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}}]),
    ("copilot-cli", [{"type": "session.start", "data": {"copilotVersion": "1"}, "id": "e", "parentId": None}]),
    (
        "cursor-stream",
        [{"type": "system", "subtype": "init", "cwd": "/w", "session_id": "s", "permissionMode": "default"}],
    ),
    (
        "cursor-transcript",
        [{"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>x</user_query>"}]}}],
    ),
    ("factory-droid", [{"type": "session_start", "id": "s", "title": "t", "cwd": "/w"}]),
    ("gemini-cli", [CHAT | {"messages": [{"id": "1", "type": "user", "content": "x"}]}]),
    ("gemini-cli", [CHAT, {"id": "1", "type": "user", "content": "x"}, {"$set": {"lastUpdated": "t"}}]),
    ("goose", [{"working_dir": "/w", "description": "d", "message_count": 1}, GOOSE]),
    ("goose", [{"id": "s", "working_dir": "/w", "conversation": [GOOSE]}]),
    ("goose", [{"type": "message", "message": GOOSE}]),
    (
        "kiro",
        [{"conversation_id": "", "history": [{"user": {"content": {"Prompt": {}}}, "assistant": {"Response": {}}}]}],
    ),
    ("opencode", [{"info": {"id": "s", "directory": "/w"}, "messages": [{"info": {}, "parts": []}]}]),
    ("opencode", [{"type": "step_start", "timestamp": 1, "sessionID": "s", "part": {"type": "step-start"}}]),
    ("otel-genai", [SPAN]),
    ("otel-genai", [{"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}]),
    ("otel-genai", [{"schema_version": "agentv.trace.v1", "trace": {"spans": [SPAN]}}]),
    ("pi", [{"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/w"}]),
    ("roo", [[{"role": "user", "content": [{"type": "text", "text": ROOS}]}]]),
]

# The folder of real recordings, and the reader that knows what lies in it.
EXPECTED = {
    "atif": "atif",
    "recordings/acp": "acp",
    "recordings/aider-md": "aider",
    "recordings/claude-code": "claude-code",
    "recordings/cline": "cline",
    "recordings/codex-exec-json": "codex-exec-json",
    "recordings/codex-rollout": "codex-rollout",
    "recordings/copilot-cli": "copilot-cli",
    "recordings/cursor-stream": "cursor-stream",
    "recordings/cursor-transcript": "cursor-transcript",
    "recordings/factory-droid": "factory-droid",
    "recordings/gemini-chat": "gemini-cli",
    "recordings/kiro": "kiro",
    "recordings/mini-swe-agent": "mini-swe-agent",
    "recordings/opencode": "opencode",
    "recordings/openhands": "openhands",
    "recordings/openhands-sdk": "openhands-sdk",
    "recordings/otel-genai": "otel-genai",
    "recordings/pi": "pi",
    "recordings/swe-agent": "swe-agent",
}


@pytest.mark.parametrize("folder", EXPECTED)
def test_exactly_one_reader_knows_it(cases: Path, folder: str) -> None:
    for path in sorted((cases / folder).iterdir()):
        recording = Recording(path.read_bytes(), path.name)
        sample = Sample(recording)
        found = [reader.name for reader in readers() if reader.recognises(sample)]
        assert found == [EXPECTED[folder]], path.name
        assert EXPECTED[folder] in [reader.name for reader in candidates(sample)], path.name


@pytest.mark.parametrize(("name", "records"), SMALL)
def test_exactly_one_reader_knows_a_small_recording(name: str, records: list[Any]) -> None:
    sample = Sample(Recording(lines(*records)))
    assert [reader.name for reader in readers() if reader.recognises(sample)] == [name]
    assert name in [reader.name for reader in candidates(sample)]


def test_keys_and_words_are_those_of_readers() -> None:
    assert {*KEYS, *WORDS} <= set(registry.builtin("gate.recordings"))


def _keys(value: Any) -> set[str]:
    parts = [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return {key for part in parts for key in _keys(part)} | (set(value) if isinstance(value, dict) else set())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "x", "tool_use", "text", "user", "assistant"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted(_keys([records for _, records in SMALL]))), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.lists(_JSON, max_size=3))
def test_a_reader_that_would_know_any_json_is_asked(records: list[Any]) -> None:
    sample = Sample(Recording(lines(*records)))
    others = [reader for reader in readers() if reader not in candidates(sample)]
    assert [reader.name for reader in others if reader.recognises(sample)] == []


@pytest.mark.parametrize(
    ("data", "names"),
    [
        pytest.param(b'{"steps": [{"tool": "Read"}]}', ["agentbench", "agentbench-log"], id="a document"),
        pytest.param(b'{"steps": [0, {"step_id": 1}, {"kind": 1}]}', ["agentbench", "atif"], id="a list in it"),
        pytest.param(b'[[{"steps": 1}]]', ["agentbench"], id="objects in lists"),
        pytest.param(b"[" * 300 + b"]" * 300, [], id="lists in lists"),
        pytest.param(b'{"jsonrpc": 1}\n{"kind": 1}\n', ["acp", "openhands-sdk"], id="lines"),
        pytest.param(b'{"at": 1, "line": "{\\"jsonrpc\\": 1}"}', ["acp"], id="a message as text"),
        pytest.param(b"# a text", None, id="no json"),
    ],
)
def test_only_readers_are_imported_that_may_know_it(data: bytes, names: list[str] | None) -> None:
    found = [reader.name for reader in candidates(Sample(Recording(data)))]
    assert found == ([reader.name for reader in readers() if reader.name != "acp"] if names is None else names)


@given(st.lists(_JSON, max_size=3))
def test_nothing_but_a_recording_error_comes_out_of_any_json(records: list[Any]) -> None:
    try:
        list(read(lines(*records)).steps)
    except RecordingError as error:
        assert "please report" not in error.message, error.message  # noqa: PT017 - the message is what is tested
