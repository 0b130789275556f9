"""mini-swe-agent's trajectories: commands alone, in three generations of messages."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.mini_swe_agent import MiniSweAgent
from gate.trajectory import Ok
from tests.recordings.recorded import calls, survives, told

READER = MiniSweAgent()


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text} | more


def block(command: str) -> dict[str, Any]:
    return said(f"THOUGHT: so\n\n```bash\n{command}\n```")


def answered(code: int, output: str) -> dict[str, Any]:
    return {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{output}\n</output>"}


def document(*messages: Any, **info: Any) -> bytes:
    whole = {"info": {"mini_version": "2.1"} | info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    "recorded",
    [
        document(),
        json.dumps({"info": {"mini_version": "1.0"}, "messages": []}).encode(),
        json.dumps({"trajectory_format": "mini-swe-agent-1", "messages": []}).encode(),
        json.dumps([block("ls"), answered(0, "")]).encode(),
        json.dumps([said("```mswea_bash_command\nls\n```")]).encode(),
    ],
)
def test_recognises(recorded: bytes) -> None:
    assert READER.recognises(Sample(Recording(recorded)))


@pytest.mark.parametrize(
    "recorded",
    [[], [5], [block("ls")], [said("x")], {"messages": []}, {"info": {}, "messages": []}, {"trajectory_format": "x"}],
)
def test_does_not_recognise(recorded: Any) -> None:
    assert not READER.recognises(Sample(Recording(json.dumps(recorded).encode())))


def test_the_one_fenced_block_is_the_command() -> None:
    system, task = {"role": "system", "content": "s"}, {"role": "user", "content": "Please"}
    two, none = said("```bash\na\n```\n```bash\nb\n```"), said("hm")
    found = told(READER, json.dumps([system, task, two, none, block("ls &&\n pwd"), answered(2, "a\nb")]).encode())
    assert [(step.source, step.turn, step.tool, step.message[:8]) for step in found.steps] == [
        ("user", 2, "", "Please"),
        ("agent", 3, "", "```bash\n"),
        ("agent", 4, "", "hm"),
        ("agent", 5, "bash", "THOUGHT:"),
    ]
    (step,) = calls(READER, json.dumps([block("ls &&\n pwd"), answered(2, "a\nb")]).encode())
    (command,) = step.commands
    assert (command.text, command.exit_code, command.output, step.ok) == ("ls &&\n pwd", 2, "a\nb", Ok.NO)


def test_recorded_actions_go_before_the_text() -> None:
    first = said(
        "```bash\nrm x\n```",
        extra={
            "actions": [{"command": "ls", "tool_call_id": "1"}, {"command": "pwd", "tool_call_id": "2"}],
            "cost": 0.5,
            "timestamp": 1750000000.0,
            "response": {"usage": {"prompt_tokens": 7, "completion_tokens": 3}},
        },
    )
    answers = [
        {"role": "tool", "tool_call_id": "2", "content": "x", "extra": {"raw_output": "/w", "returncode": 0}},
        {"role": "tool", "tool_call_id": "1", "content": '{\n  "returncode": 1,\n "output": ""}'},
    ]
    ls, pwd = calls(
        READER, document(first, *answers, config={"environment": {"cwd": "/w"}, "model": {"model_name": "m"}})
    )
    assert [(step.commands[0].text, step.commands[0].exit_code, step.ok) for step in (ls, pwd)] == [
        ("ls", 1, Ok.NO),
        ("pwd", 0, Ok.YES),
    ]
    assert (ls.tokens_in, ls.tokens_out, ls.cost, ls.time) == (7, 3, 0.5, "2025-06-15T15:06:40+00:00")
    assert pwd.observation == "/w"


@pytest.mark.parametrize("odd", [True, 10**400, "1"], ids=["true", "too large", "text"])
def test_what_is_no_number_is_no_cost_and_no_time(odd: object) -> None:
    extra = {"actions": [{"command": "ls"}], "cost": odd, "timestamp": odd}
    (step,) = calls(READER, document(said("", extra=extra)))
    assert (step.cost, step.time) == (None, "")


def test_reads_calls_without_recorded_actions() -> None:
    called = said(None, tool_calls=[{"id": "1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}])  # type: ignore[arg-type] # as recorded
    response = {
        "object": "response",
        "output": [
            {"type": "message", "content": [{"type": "output_text", "text": "now"}]},
            {"type": "function_call", "call_id": "9", "name": "bash", "arguments": '{"command": "pwd"}'},
        ],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    answer = {
        "type": "function_call_output",
        "call_id": "9",
        "output": "<returncode>0</returncode>\n<output>\n/\n</output>",
    }
    ls, pwd = calls(READER, document(called, response, answer))
    assert [step.commands[0].text for step in (ls, pwd)] == ["ls", "pwd"]
    assert (pwd.message, pwd.observation, pwd.ok, pwd.tokens_in) == ("now", "/", Ok.YES, 1)
    assert ls.ok is Ok.UNKNOWN


SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
NOT_RUN = {"returncode": -1, "exception_info": "action was not executed", "raw_output": ""}


@pytest.mark.parametrize(
    ("messages", "ok"),
    [
        pytest.param([{"role": "exit", "content": "", "extra": {"exit_status": "Submitted"}}], Ok.YES, id="handed in"),
        pytest.param(
            [{"role": "user", "content": "x", "extra": NOT_RUN}, {"role": "exit"}], Ok.YES, id="though not written down"
        ),
        pytest.param([], Ok.UNKNOWN, id="nothing after it"),
    ],
)
def test_the_command_that_hands_in(messages: list[Any], ok: Ok) -> None:
    (step,) = calls(READER, document(block(SUBMIT), *messages))
    assert step.ok is ok


def test_what_a_person_refused_was_not_run() -> None:
    refused = {"role": "user", "content": "Commands not executed. The user rejected your commands: no"}
    (step,) = calls(READER, document(block("rm -rf /"), refused))
    assert step.ok is Ok.NO
    (step,) = calls(READER, document(block("rm -rf /"), {"role": "tool", "content": "", "extra": NOT_RUN}))
    assert (step.ok, step.observation) == (Ok.NO, "action was not executed")


def test_what_a_person_ran_is_theirs() -> None:
    typed = {"role": "user", "content": "User command: \n```bash\nls\n```", "extra": {"actions": [{"command": "ls"}]}}
    (step,) = calls(READER, document(typed, answered(0, "")))
    assert (step.source, step.commands[0].text, step.raw) == ("user", "ls", None)


def test_what_is_broken_is_lost_or_dropped() -> None:
    found = told(READER, document(5, said("", extra={"actions": [{"command": 7}]})))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("message 1: expected an object, found the number 5", True)
    ]
    assert [step.lost and step.lost.reason for step in found.steps] == ["expected a command, found the number 7"]
    with pytest.raises(RecordingError) as caught:
        READER.read(Recording(b'{"messages": 5, "trajectory_format": "mini-swe-agent-1"}', "x"))
    assert caught.value.message == "x: `messages`: expected a list, found the number 5"


def test_survives_whatever_stands_in_it() -> None:
    action = {"actions": [{"command": "ls", "tool_call_id": "1"}], "timestamp": 1e300, "cost": 1}
    answer = {"role": "tool", "tool_call_id": "1", "content": "x", "extra": {"raw_output": "", "returncode": 0}}
    survives(READER, [json.loads(document(said("x", extra=action), answer, config={}))], document=True)
    calls_ = [{"id": "1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]
    survives(READER, [json.loads(document(said("x", tool_calls=calls_), answered(0, "x")))], document=True)


def test_reads_what_is_recorded(cases: Path) -> None:
    steps = calls(READER, (cases / "recordings" / "mini-swe-agent" / "local.traj.json").read_bytes())
    assert [(step.commands[0].text, step.ok) for step in steps] == [
        ("echo 'hello world'", Ok.YES),
        (SUBMIT, Ok.UNKNOWN),
    ]
