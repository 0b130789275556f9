"""Traces of OpenTelemetry: refused without the arguments of their tools, read with them, in every shape they have."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample, read
from gate.recordings.otel_genai import OtelGenai
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = OtelGenai()


def span(name: str, start: int = 1, parent: str = "", **more: Any) -> dict[str, Any]:
    """A span of the plain shape; `more` are attributes of the conventions, `_` for `.`, and `error` its status."""
    status = {"code": "ERROR" if more.pop("error", False) else "OK"}
    attributes = {f"gen_ai.{key.replace('__', '.')}": value for key, value in more.items()}
    times = {"start_time_unix_nano": str(start), "end_time_unix_nano": str(start + 1)}
    return (
        {"span_id": f"s{start}", "parent_span_id": parent, "name": name, "status": status}
        | times
        | {"attributes": {"gen_ai.operation.name": name.split()[0], **attributes}}
    )


def tool(name: str, arguments: Any = None, start: int = 1, parent: str = "", **more: Any) -> dict[str, Any]:
    if arguments is not None:
        more["tool__call__arguments"] = arguments
    return span(f"execute_tool {name}", start, parent, tool__name=name, **more)


def trace(*spans: dict[str, Any]) -> bytes:
    resource = {"attributes": {"process.working_directory": "/w"}}
    return json.dumps({"trace": {"resource": resource, "spans": spans}}).encode()


WRITE = {"file_path": "/w/a.py", "content": "x"}


def wrapped(value: Any) -> dict[str, Any]:
    """A value as OTLP's JSON writes it."""
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": wrapped(part)} for key, part in value.items()]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def otlp(plain: dict[str, Any]) -> dict[str, Any]:
    attributes = [{"key": key, "value": wrapped(value)} for key, value in plain["attributes"].items()]
    one = {"spanId": plain["span_id"], "name": plain["name"], "status": {"code": 1}, "attributes": attributes}
    one |= {"startTimeUnixNano": plain["start_time_unix_nano"], "endTimeUnixNano": plain["end_time_unix_nano"]}
    resource = {"attributes": [{"key": "process.working_directory", "value": {"stringValue": "/w"}}]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "x"}, "spans": [one]}]}]}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(trace(tool("Write", WRITE)), id="a trace"),
        pytest.param(trace(tool("Write", json.dumps(WRITE))), id="arguments in a text"),
        pytest.param(json.dumps(otlp(tool("Write", WRITE))).encode(), id="otlp"),
        pytest.param(lines(otlp(tool("Read", {}, 1)), otlp(tool("Write", json.dumps(WRITE), 2))), id="otlp by line"),
        pytest.param(json.dumps([tool("Write", WRITE | {"file_path": "a.py"})]).encode(), id="a list of spans"),
        pytest.param(lines(tool("Write", WRITE | {"file_path": "a.py"})), id="spans by line"),
    ],
)
def test_every_shape_is_read(data: bytes) -> None:
    assert whole(rebuilt(READER, data)) == {"a.py": b"x"}
    assert read(data, "t.json").format == "otel-genai"


def test_numbers_are_read_from_otlp() -> None:
    chat = span("chat m", 2, usage__input_tokens=7, usage__output_tokens=2)
    message, _ = told(READER, lines(otlp(chat), otlp(tool("Read", {"path": "a"}, 3)))).steps
    assert (message.tokens_in, message.tokens_out, message.line) == (7, 2, 1)


def test_spans_are_steps_in_the_order_in_which_they_began() -> None:
    edit = {"file_path": "/w/a.py", "old_string": "x", "new_string": "y"}
    data = trace(tool("Edit", edit, start=200), tool("Write", WRITE, start=30))
    assert whole(rebuilt(READER, data)) == {"a.py": b"y"}


def test_a_span_that_was_exported_twice_counts_once() -> None:
    one = tool("Write", WRITE, start=5)
    assert len(calls(READER, trace(one, one))) == 1
    assert len(calls(READER, trace(one, one | {"name": "execute_tool other"}))) == 2


@pytest.mark.parametrize(
    ("changed", "ok"),
    [
        ({}, Ok.YES),
        ({"status": {"code": "ERROR"}}, Ok.NO),
        ({"status": {"code": 2}}, Ok.NO),
        ({"status": {"status_code": "ERROR"}}, Ok.NO),
        ({"status": {}}, Ok.YES),
        ({"end_time_unix_nano": None}, Ok.UNKNOWN),
    ],
)
def test_the_status_says_whether_a_tool_succeeded(changed: dict[str, Any], ok: Ok) -> None:
    (step,) = calls(READER, trace(tool("Write", WRITE) | changed))
    assert step.ok is ok


def test_an_error_type_is_a_failure() -> None:
    failed = tool("Write", WRITE)
    failed["attributes"]["error.type"] = "timeout"
    (step,) = calls(READER, trace(failed))
    assert step.ok is Ok.NO


def test_a_trace_is_told_in_full() -> None:
    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Hi"}]}])
    data = trace(
        span("invoke_agent main", 1, agent__name="claude-code"),
        span(
            "chat m", 2, "s1", output__messages=said, response__model="m", usage__input_tokens=7, usage__output_tokens=2
        ),
        tool("Bash", {"command": "ls"}, 3, "s1", tool__call__result={"stdout": "a"}),
    )
    trajectory = told(READER, data)
    message, ran = trajectory.steps
    assert (message.message, message.tokens_in, message.tokens_out, message.time) == ("Hi", 7, 2, "2")
    (command,) = ran.commands
    assert (command.text, command.directory, command.output) == ("ls", "/w", '{"stdout":"a"}')
    assert (trajectory.agent, trajectory.model, trajectory.directory) == ("claude-code", "m", "/w")
    assert trajectory.unverified


def test_a_sub_agent_whose_spans_are_there_leaves_nothing_open() -> None:
    begin = tool("Task", {"prompt": "x"}, 2, "s1")
    inner = [span("invoke_agent sub", 3, "s2", agent__name="sub"), tool("Write", WRITE, 4, "s3")]
    data = trace(span("invoke_agent main", 1, agent__name="main"), begin, *inner)
    assert whole(rebuilt(READER, data)) == {"a.py": b"x"}
    assert [(step.tool, step.agent) for step in calls(READER, data)] == [("Task", ""), ("Write", "sub")]
    assert len(rebuilt(READER, trace(begin)).incomplete) == 1


def test_a_tool_whose_arguments_are_missing_makes_the_replay_incomplete() -> None:
    data = trace(tool("Write", WRITE, 1), tool("Edit", None, 2), tool("read_file", None, 3))
    (reason,) = rebuilt(READER, data).incomplete
    assert reason.endswith("its arguments were not captured")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(
            trace(span("chat m", request__model="m")),
            "this trace holds no execute_tool span, so it does not tell what was done; record the agent's own session "
            "instead",
            id="no tool",
        ),
        pytest.param(
            trace(tool("Write"), tool("Bash", start=2)),
            "the tool calls of this trace carry no arguments, so it does not tell what was done; record the agent's own "
            "session instead, or let the instrumentation capture gen_ai.tool.call.arguments",
            id="no arguments",
        ),
    ],
)
def test_a_trace_that_does_not_tell_what_was_done_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(RecordingError) as caught:
        read(data, "t.json")
    assert (caught.value.message, caught.value.kind) == (f"t.json: {reason}", "no_content")


@pytest.mark.parametrize(
    "value",
    [
        {"resourceSpans": []},
        [{"name": "GET /", "span_id": "1", "attributes": {"http.method": "GET"}}],
        {"spans": [{"name": "x", "attributes": {"gen_ai.system": "y"}}]},
        {},
    ],
)
def test_other_traces_are_not_recognised(value: Any) -> None:
    assert not READER.recognises(Sample(Recording(json.dumps(value).encode())))


def test_a_line_that_is_no_span_is_told() -> None:
    data = lines(tool("Write", WRITE)) + b"{broken"
    assert [(one.line, one.grave) for one in told(READER, data).dropped] == [(2, True)]


def test_the_real_trace_is_read(cases: Path) -> None:
    """The index counts no tool call in it, and there are two: a sub-agent's, and what that read."""
    data = (cases / "recordings/otel-genai/nested-subagent.json").read_bytes()
    steps = [(step.tool, step.agent, step.ok, step.known) for step in told(READER, data).steps if step.tool]
    assert steps == [("runSubagent", "", Ok.YES, True), ("Read", "config-inspector", Ok.YES, True)]
    assert whole(rebuilt(READER, data)) == {}


def test_a_damaged_trace_is_refused_or_read() -> None:
    survives(READER, [json.loads(trace(tool("Write", WRITE, 1), span("chat m", 2)))], document=True)
    survives(READER, [otlp(tool("Write", WRITE))])
