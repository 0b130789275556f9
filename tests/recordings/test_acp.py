"""Logs of the Agent Client Protocol: one direction or both, diffs to replay and diffs to look at."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.recordings.acp import Acp
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = Acp()
NEW = {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/w", "mcpServers": []}}


def update(about: str, /, **fields: Any) -> dict[str, Any]:
    params = {"sessionId": "s", "update": {"sessionUpdate": about} | fields}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def begins(kind: str | None = "edit", key: str = "c1", **fields: Any) -> dict[str, Any]:
    named = {"kind": kind} if kind else {}
    return update("tool_call", toolCallId=key, title="t", status="pending", **named, **fields)


def ends(status: str = "completed", key: str = "c1", **fields: Any) -> dict[str, Any]:
    return update("tool_call_update", toolCallId=key, status=status, **fields)


def diff(old: str | None, new: str, path: str = "/w/a.py") -> dict[str, Any]:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def asks(method: str, number: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"sessionId": "s"} | params}


def answers(result: Any, number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


@pytest.mark.parametrize(
    ("shown", "before", "after"),
    [
        pytest.param([diff("b", "c")], b"a\nb\n", b"a\nc\n", id="a part of the file"),
        pytest.param([diff("a\nb\n", "c\n")], b"a\nb\n", b"c\n", id="the whole file"),
        pytest.param([diff("a", "b"), diff("b\n", "c\n")], b"a\n", b"c\n", id="one after the other"),
        pytest.param([diff(None, "new")], b"old", b"new", id="a file written"),
    ],
)
def test_diffs(shown: list[dict[str, Any]], before: bytes, after: bytes) -> None:
    for log in ([begins(content=shown), ends()], [begins(), ends(content=shown)]):
        assert whole(rebuilt(READER, lines(NEW, *log), a_py=before)) == {"a.py": after}


def test_a_later_update_without_a_diff_takes_none_away() -> None:
    said = {"type": "content", "content": {"type": "text", "text": "done"}}
    data = lines(NEW, begins(content=[diff("a", "b")]), ends(content=[said], rawInput={"x": 1}))
    assert whole(rebuilt(READER, data, a_py=b"a")) == {"a.py": b"b"}
    (step,) = calls(READER, data)
    assert (step.tool, step.observation, step.arguments, step.line) == ("edit", "done", {"x": 1}, 2)


def test_the_second_version_shows_a_patch() -> None:
    text = "diff --git /w/a.py /w/a.py\n--- /w/a.py\n+++ /w/a.py\n@@ -1 +1 @@\n-a\n+b\n"
    change = {"operation": "modify", "path": "/w/a.py"}
    shown = {"type": "diff", "changes": [change, {"operation": "delete", "path": "/w/b.py"}]}
    data = lines(NEW, begins(), ends(content=[shown | {"patch": {"format": "git_patch", "text": text}}]))
    assert whole(rebuilt(READER, data, a_py=b"a\n", b_py=b"")) == {"a.py": b"b\n"}
    done = rebuilt(READER, lines(NEW, begins(), ends(content=[shown])), a_py=b"a\n")
    assert done.incomplete == ("step 1 (line 2): arguments.patch: expected the change of /w/a.py, found nothing",)


def test_what_the_client_wrote_counts_and_its_diff_is_for_the_eye() -> None:
    write = asks("fs/write_text_file", path="/w/a.py", content="new\n")
    log = [NEW, begins(content=[diff("a", "b")]), write, answers(None), ends()]
    done = rebuilt(READER, lines(*log), a_py=b"a")
    assert whole(done) == {"a.py": b"new\n"}
    assert [(step.tool, len(step.edits), step.ok) for step in calls(READER, lines(*log))] == [
        ("edit", 0, Ok.YES),
        ("fs/write_text_file", 1, Ok.YES),
    ]


@pytest.mark.parametrize(
    ("response", "ok"),
    [
        pytest.param([answers(None)], Ok.YES, id="written"),
        pytest.param([{"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}], Ok.NO, id="refused"),
        pytest.param([], Ok.UNKNOWN, id="the agent's side alone"),
        pytest.param(
            [answers({"stopReason": "end_turn"})], Ok.UNKNOWN, id="the agent's own answer, by the same number"
        ),
    ],
)
def test_a_write_by_the_client(response: list[dict[str, Any]], ok: Ok) -> None:
    (step,) = calls(READER, lines(asks("fs/write_text_file", path="/w/a.py", content="x"), *response))
    assert (step.ok, len(step.edits)) == (ok, 1)


@pytest.mark.parametrize(
    ("outcome", "ok"),
    [
        pytest.param({"outcome": "selected", "optionId": "reject-once"}, Ok.NO, id="rejected"),
        pytest.param({"outcome": "cancelled"}, Ok.NO, id="cancelled"),
        pytest.param({"outcome": "selected", "optionId": "allow-once"}, Ok.UNKNOWN, id="allowed, and then nothing"),
    ],
)
def test_a_permission(outcome: dict[str, Any], ok: Ok) -> None:
    call = {"toolCallId": "c1", "kind": "edit", "status": "pending", "content": [diff("a", "b")]}
    data = lines(NEW, asks("session/request_permission", 7, toolCall=call), answers({"outcome": outcome}, 7))
    (step,) = calls(READER, data)
    assert (step.ok, len(step.edits)) == (ok, 1)


def test_failed_and_unfinished_calls() -> None:
    shown = [diff("a", "b")]
    done = rebuilt(READER, lines(NEW, begins(content=shown), ends("failed")), a_py=b"a")
    assert [edit.kind for edit in done.skipped] == ["recorded_failure"]
    done = rebuilt(READER, lines(NEW, begins(content=shown)), a_py=b"a")
    assert [edit.unknown for edit in done.applied] == [True]


def test_terminals() -> None:
    create = asks("terminal/create", 4, command="npm", args=["run", "a b"], cwd="/w/sub")
    log = [
        NEW,
        begins("execute", rawInput={"command": "npm run 'a b'"}),
        create,
        answers({"terminalId": "t"}, 4),
        update("tool_call_update", toolCallId="c1", content=[{"type": "terminal", "terminalId": "t"}]),
        asks("terminal/output", 5, terminalId="t"),
        answers({"output": "hi", "truncated": False, "exitStatus": None}, 5),
        asks("terminal/wait_for_exit", 6, terminalId="t"),
        answers({"exitCode": 3}, 6),
        ends("failed"),
    ]
    call, terminal = calls(READER, lines(*log))
    assert (call.tool, call.commands, terminal.ok) == ("execute", (), Ok.NO)
    (command,) = terminal.commands
    assert (command.text, command.directory, command.exit_code, command.output) == ("npm run 'a b'", "/w/sub", 3, "hi")


def test_a_command_that_the_agent_ran_itself() -> None:
    data = lines(NEW, begins("execute", rawInput={"command": ["make", "a b"]}), ends(rawOutput={"exit_code": 2}))
    (step,) = calls(READER, data)
    assert [(command.text, command.exit_code, command.directory) for command in step.commands] == [
        ("make 'a b'", 2, "/w")
    ]


def test_what_shows_no_content_is_said() -> None:
    place = [{"path": "/w/a.py"}]
    log = [NEW, begins(locations=place), begins("move", "c2"), begins(None, "c3", rawInput={"path": "/w/a.py"})]
    done = rebuilt(READER, lines(*log, begins(None, "c4", locations=place), begins("read", "c5")), a_py=b"")
    assert done.unknown == {"other": 2}
    assert done.incomplete == (
        "step 1 (line 2): it shows no content of what it did to /w/a.py",
        "step 2 (line 3): it shows no content of what it did to files",
        "step 3 (line 4): a.py: the tool other is not known here, it may have changed this file",
        "step 4 (line 5): a.py: the tool other is not known here, it may have changed this file",
    )
    done = rebuilt(READER, lines(NEW, begins("delete", locations=place), ends()), a_py=b"")
    assert whole(done) == {}


def test_what_is_said_in_pieces_is_one_message() -> None:
    chunks = [update("agent_message_chunk", content={"type": "text", "text": text}) for text in ("a", "b")]
    prompt = asks("session/prompt", 2, prompt=[{"type": "text", "text": "go"}])
    loaded = update("user_message_chunk", content={"type": "text", "text": "more"})
    seen = told(READER, lines(NEW, prompt, *chunks, loaded, *chunks, begins("read")))
    assert [(step.source, step.message, step.line, step.turn) for step in seen.steps] == [
        ("user", "go", 2, 1),
        ("agent", "ab", 3, 1),
        ("user", "more", 5, 2),
        ("agent", "ab", 6, 2),
        ("agent", "", 8, 2),
    ]


def test_a_log_that_wraps_its_messages() -> None:
    log = [NEW, begins(content=[diff("a", "b")]), ends()]
    for data in (
        lines(*({"time": 1, "message": message} for message in log)),
        lines(*({"time": 1, "line": json.dumps(message)} for message in log)),
    ):
        assert whole(rebuilt(READER, data, a_py=b"a")) == {"a.py": b"b"}


def test_a_call_of_claude_code_by_its_name() -> None:
    (step,) = calls(READER, lines(NEW, begins("read", _meta={"claudeCode": {"toolName": "Grep"}})))
    assert (step.tool, step.known) == ("Grep", True)


def test_what_it_leaves_out_is_counted() -> None:
    seen = told(READER, lines(NEW, update("odd"), {"level": "info"}))
    assert [(part.reason, part.grave) for part in seen.dropped] == [
        ("line 2 is an update of the kind 'odd', which this reader does not know", False),
        ("line 3 holds no JSON-RPC message", False),
    ]


def test_broken_recordings() -> None:
    shown = {"type": "diff", "changes": [{"operation": "delete", "path": "/w/a.py"}], "patch": {"text": ""}}
    log = [
        NEW,
        begins(content=[diff("a", "b"), shown], locations=[{"path": "/w/a.py"}], rawInput={"command": "x"}),
        asks("session/request_permission", 2, toolCall={"toolCallId": "c1"}),
        answers({"outcome": {"outcome": "selected", "optionId": "allow"}}, 2),
        asks("terminal/create", 4, command="npm", args=["x"]),
        answers({"terminalId": "t"}, 4),
        asks("terminal/output", 5, terminalId="t"),
        answers({"output": "hi", "exitStatus": {"exitCode": 0}}, 5),
        ends(),
    ]
    survives(READER, log)


@pytest.mark.parametrize("name", ["escalation-approved_stdout.expected.jsonl", "subagent-mixed_stdout.expected.jsonl"])
def test_real_logs(cases: Path, name: str) -> None:
    data = (cases / "recordings" / "acp" / name).read_bytes()
    seen = told(READER, data)
    assert (calls(READER, data), seen.dropped, seen.agent) == ([], (), "deepseek-harness-acp 0.0.1")
    assert all(step.message in ("DONE", "OK", "PARENT_DONE") for step in seen.steps)
