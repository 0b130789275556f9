"""AgentBench's tool logs: every name that its recorder takes, and the lines that it skips or refuses."""

from typing import Any

import pytest

from gate.editing.edit import Write
from gate.recording import Recording, Sample, read
from gate.recordings.agentbench_log import AgentBenchLog
from gate.trajectory import Command, Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = AgentBenchLog()
WRITE = {"path": "a.py", "content": "x"}


@pytest.mark.parametrize("tool", ["tool", "name", "tool_name", "function", "tool_call"])
@pytest.mark.parametrize("args", ["args", "arguments", "input", "parameters", "params"])
@pytest.mark.parametrize("kind", [None, "type", "step_type", "kind"])
def test_every_name_of_a_field_is_read(tool: str, args: str, kind: str | None) -> None:
    record: dict[str, Any] = {tool: "write_file", args: WRITE} | ({kind: "tool_call"} if kind else {})
    (step,) = calls(READER, lines(record))
    assert (step.tool, step.arguments, step.edits) == ("write_file", WRITE, (Write(path="a.py", content=b"x"),))
    assert (step.number, step.line, step.ok, step.raw) == (1, 1, Ok.YES, record)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"tool": "write_file", "args": '{"path": "a.py", "content": "x"}'}, id="arguments in a text"),
        pytest.param({"function": {"name": "write_file", "arguments": WRITE}}, id="a function as an object"),
        pytest.param({"tool": None, "name": "write_file", "args": None, "input": WRITE}, id="the first that is there"),
        pytest.param({"tool": "mine", "args": WRITE, "type": "file_edit"}, id="by its type"),
    ],
)
def test_other_ways_of_saying_it(record: dict[str, Any]) -> None:
    assert whole(rebuilt(READER, lines(record))) == {"a.py": b"x"}


def test_a_type_names_what_no_tool_does() -> None:
    data = lines({"type": "command", "args": {"command": "ls"}}, {"tool": "Read", "args": {"path": "a"}})
    (first, _) = told(READER, data).steps
    assert first.commands == (Command(text="ls"),)


def test_blank_lines_and_comments_are_skipped() -> None:
    data = (
        b"# a log\n\n  \n" + lines({"tool": "Read", "args": {}}) + b"  # more\n" + lines({"type": "note", "text": "n"})
    )
    trajectory = told(READER, data)
    assert [(step.number, step.line, step.tool, step.message) for step in trajectory.steps] == [
        (1, 4, "Read", ""),
        (2, 6, "", "n"),
    ]
    assert trajectory.dropped == ()


def test_a_line_that_is_no_object_is_told_and_makes_the_replay_incomplete() -> None:
    data = lines({"tool": "write_file", "args": WRITE}) + b"{broken\n[1]\n"
    reasons = [(one.line, one.reason, one.grave) for one in told(READER, data).dropped]
    assert reasons == [
        (2, "rec:2: invalid JSON: it is no JSON at column 2 (Expecting property name enclosed in double quotes)", True),
        (3, "rec:3: expected a JSON object, found a list", True),
    ]
    assert len(rebuilt(READER, data).incomplete) == 2


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"tool": "write_file", "args": []}, "args: expected an object, found an empty list"),
        ({"tool": "write_file", "args": "x"}, "args: expected an object, found the text 'x'"),
        ({"tool": "write_file"}, "args: expected an object, found null"),
    ],
)
def test_an_edit_that_does_not_say_what_it_did_is_lost(record: dict[str, Any], reason: str) -> None:
    (step, _) = told(READER, lines(record, {"tool": "Read", "args": {}})).steps
    assert step.lost is not None
    assert step.lost.reason == reason


def test_a_step_that_failed_is_not_applied() -> None:
    data = lines(
        {"tool": "write_file", "args": WRITE, "ok": False}, {"tool": "bash", "args": {"cmd": "x"}, "exit_code": 2}
    )
    assert whole(rebuilt(READER, data)) == {}
    assert [step.ok for step in told(READER, data).steps] == [Ok.NO, Ok.NO]


def test_steps_can_be_read_again() -> None:
    steps = told(READER, lines({"tool": "write_file", "args": WRITE})).steps
    assert list(steps) == list(steps)


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"steps": []}], id="a document"),
        pytest.param([{"level": "info", "name": "server", "msg": "up"}], id="a server's log"),
        pytest.param([{"tool": "Read", "args": {}}, {"level": "info"}], id="a line that is no step"),
        pytest.param(
            [{"type": "tool_use", "tool_name": "x", "tool_id": "1", "parameters": {}}], id="results elsewhere"
        ),
        pytest.param([{"method": "x", "name": "y", "params": {}}], id="calls over a wire"),
        pytest.param([{"type": "item.completed", "item": {}}], id="events"),
    ],
)
def test_other_lines_are_not_recognised(records: list[dict[str, Any]]) -> None:
    assert not READER.recognises(Sample(Recording(lines(*records))))


def test_it_is_the_only_reader_that_knows_a_log() -> None:
    data = b"# log\n" + lines({"tool": "write_file", "args": WRITE}, {"name": "Bash", "input": {"command": "ls"}})
    assert read(data, "t.jsonl").format == "agentbench-log"


def test_a_damaged_log_is_refused_or_read() -> None:
    survives(READER, [{"tool": "write_file", "args": WRITE}, {"name": "Edit", "input": WRITE | {"old_string": "a"}}])
