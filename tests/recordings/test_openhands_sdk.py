"""Events of OpenHands' SDK: what was done, what was refused, and what is elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.recording import Recording, Sample
from gate.recordings.openhands_sdk import OpenHandsSdk
from gate.trajectory import Command, Ok, Step
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = OpenHandsSdk()
STATE = {
    "id": "s",
    "source": "environment",
    "kind": "ConversationStateUpdateEvent",
    "key": "full_state",
    "value": {"workspace": {"working_dir": "/w"}, "agent": {"llm": {"model": "m"}}},
}


def acted(key: str, kind: str, **action: Any) -> dict[str, Any]:
    return {
        "id": key,
        "timestamp": "2026-01-01T00:00:00",
        "source": "agent",
        "kind": "ActionEvent",
        "tool_name": kind.removesuffix("Action").lower(),
        "tool_call_id": f"call-{key}",
        "thought": [{"type": "text", "text": "so"}],
        "action": {"kind": kind} | action,
    }


def saw(key: str, said: str = "", **observation: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": said}]
    event = {"id": f"o{key}", "source": "environment", "kind": "ObservationEvent", "action_id": key}
    return event | {"observation": {"content": content, "is_error": False} | observation}


def editor(key: str, **action: Any) -> dict[str, Any]:
    return acted(key, "FileEditorAction", path="/w/a.py", **action)


REPLACE = [
    editor("1", command="str_replace", old_str="a", new_str="b"),
    saw("1", "The file", command="str_replace", path="/w/a.py", old_content="a\n", new_content="b\n"),
]


def steps(*events: Any) -> list[Step]:
    return calls(READER, lines(STATE, *events))


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param(lines(STATE, *REPLACE), id="a line each"),
        pytest.param(json.dumps([STATE, *REPLACE]).encode(), id="a list"),
        pytest.param(json.dumps({"items": [STATE, *REPLACE]}, indent=1).encode(), id="as the server gives them"),
    ],
)
def test_every_shape_holds_the_same(recorded: bytes) -> None:
    found = told(READER, recorded)
    assert (found.directory, found.model, found.agent) == ("/w", "m", "OpenHands SDK")
    assert whole(rebuilt(READER, recorded, a_py=b"a\n")) == {"a.py": b"b\n"}


@pytest.mark.parametrize(
    "recorded",
    [
        [],
        [5],
        {"kind": "x"},
        {"id": 1, "source": "agent", "action": "run", "args": {}, "message": ""},
        {"id": "1", "source": "agent", "kind": "tool"},
        {"id": "1", "source": "agent", "kind": 7},
    ],
)
def test_does_not_recognise(recorded: Any) -> None:
    assert not READER.recognises(Sample(Recording(json.dumps(recorded).encode())))


def test_the_recorded_content_counts() -> None:
    undo = [editor("2", command="undo_edit"), saw("2", "Last", old_content="b\n", new_content="A\n")]
    created = acted("3", "FileEditorAction", command="create", path="/w/b.py", file_text="x")
    data = lines(STATE, *REPLACE, *undo, created, saw("3", "File created", new_content="x", prev_exist=False))
    assert whole(rebuilt(READER, data, a_py=b"a\r\n")) == {"a.py": b"A\n", "b.py": b"x"}


def test_the_call_is_applied_where_no_content_is_recorded() -> None:
    call = editor("1", command="str_replace", old_str=" a ", new_str=" b ")
    assert whole(rebuilt(READER, lines(STATE, call, saw("1", "The file")), a_py=b"a\n")) == {"a.py": b" b \n"}


def test_what_was_not_carried_out() -> None:
    refused = {
        "id": "r",
        "source": "environment",
        "kind": "UserRejectObservation",
        "action_id": "2",
        "rejection_reason": "no",
    }
    broken = {"id": "e", "source": "agent", "kind": "AgentErrorEvent", "tool_call_id": "3", "error": "Tool missing"}
    asked = {"arguments": '{"command": "create"}', "name": "file_editor"}
    never = {
        "id": "3",
        "source": "agent",
        "kind": "ActionEvent",
        "tool_name": "file_editor",
        "action": None,
        "tool_call": asked,
    }
    found = steps(
        editor("1", command="create", file_text="x"),
        saw("1", "exists", is_error=True),
        editor("2", command="create", file_text="x"),
        refused,
        never | {"id": "3", "tool_call_id": "3"},
        broken | {"action_id": "3"},
        editor("4", command="create", file_text="x"),
    )
    assert [(step.ok, step.observation, step.arguments.get("command")) for step in found] == [
        (Ok.NO, "exists", "create"),
        (Ok.NO, "no", "create"),
        (Ok.NO, "Tool missing", "create"),
        (Ok.UNKNOWN, "", "create"),
    ]
    assert not [step for step in found if step.lost]


def test_commands() -> None:
    (step,) = steps(
        acted("1", "TerminalAction", command="pytest", is_input=False),
        saw("1", "failed", exit_code=1, metadata={"exit_code": 1, "working_dir": "/w/sub"}),
    )
    assert step.commands == (Command(text="pytest", directory="/w", exit_code=1, output="failed"),)
    assert (step.ok, step.message, step.time, step.line) == (Ok.NO, "so", "2026-01-01T00:00:00", 2)
    (step,) = steps(acted("1", "ExecuteBashAction", command="sleep"), saw("1", metadata={"exit_code": -1}))
    assert (step.ok, step.commands[0].exit_code) == (Ok.UNKNOWN, -1)


def test_tools_made_like_geminis() -> None:
    write = acted("1", "WriteFileAction", file_path="/w/b.py", content="x")
    edit = acted("2", "EditAction", file_path="/w/a.py", old_string="a", new_string="b", expected_replacements=2)
    data = lines(STATE, write, saw("1", "Created", new_content="x"), edit, saw("2", "Successfully"))
    assert whole(rebuilt(READER, data, a_py=b"a a\n")) == {"a.py": b"b b\n", "b.py": b"x"}


def test_patches() -> None:
    text = "*** Begin Patch\n*** Update File: a.py\n-a\n+b\n*** End Patch"
    data = lines(STATE, acted("1", "ApplyPatchAction", patch=text), saw("1", "Done!"))
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"b\n"}
    changes = {
        "a.py": {"type": "update", "old_content": "a\n", "new_content": "c\n"},
        "b.py": {"type": "add", "new_content": "x"},
        "c.py": {"type": "delete", "old_content": "y"},
        "d.py": {"type": "update", "old_content": "z", "new_content": "Z", "move_path": "e.py"},
    }
    data = lines(STATE, acted("1", "ApplyPatchAction", patch=text), saw("1", "Done!", commit={"changes": changes}))
    done = whole(rebuilt(READER, data, a_py=b"a\n", c_py=b"y", d_py=b"z"))
    assert done == {"a.py": b"c\n", "b.py": b"x", "e.py": b"Z"}


def test_calls_behind_the_client_protocol() -> None:
    diff = {"type": "diff", "path": "/w/a.py", "old_text": "a", "new_text": "b"}
    made = {"type": "diff", "path": "/w/b.py", "oldText": None, "newText": "x"}
    edit = {
        "id": "1",
        "source": "agent",
        "kind": "ACPToolCallEvent",
        "tool_call_id": "t",
        "title": "Edit",
        "tool_kind": "edit",
    }
    run = edit | {"tool_call_id": "u", "tool_kind": "execute", "raw_input": {"command": "ls"}, "status": "failed"}
    data = lines(STATE, edit | {"status": "pending"}, edit | {"status": "completed", "content": [diff, made]}, run)
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"b\n", "b.py": b"x"}
    assert [(step.tool, step.ok, [command.text for command in step.commands]) for step in calls(READER, data)] == [
        ("edit", Ok.YES, []),
        ("execute", Ok.NO, ["ls"]),
    ]


def test_sub_agents_and_unknown_tools() -> None:
    task, known, unknown, browser = steps(
        acted("1", "TaskAction", prompt="x"),
        acted("2", "ThinkAction", thought="x"),
        acted("3", "MCPToolAction", data={"path": "/w/a.py"}),
        acted("4", "BrowserClickAction", index=1),
    )
    assert task.lost is not None
    assert (task.lost.reason, task.lost.kind) == (
        "the recording of its sub-agent is not here, with any edit it made",
        "sub_agent",
    )
    assert (known.known, unknown.known, unknown.names, browser.known) == (True, False, ("/w/a.py",), True)


def test_messages_and_kinds_that_it_does_not_know() -> None:
    said = {
        "id": "m",
        "source": "user",
        "kind": "MessageEvent",
        "llm_message": {"content": [{"type": "text", "text": "Hi"}]},
    }
    odd = {"id": "x", "source": "agent", "kind": "Oddity"}
    found = told(READER, lines(STATE, said, said | {"source": "agent"}, odd))
    assert [(step.source, step.message) for step in found.steps] == [("user", "Hi"), ("agent", "Hi")]
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("line 4 holds an event of the kind 'Oddity', which this reader does not know", False)
    ]


def test_survives_whatever_stands_in_it() -> None:
    acp: dict[str, Any] = {
        "id": "1",
        "source": "agent",
        "kind": "ACPToolCallEvent",
        "tool_call_id": "t",
        "title": "Edit",
        "status": "completed",
    }
    acp |= {
        "content": [{"type": "diff", "path": "a.py", "old_text": "a", "new_text": "b"}],
        "raw_input": {"command": "x"},
    }
    changes = {"a.py": {"type": "update", "old_content": "a\n", "new_content": "c\n"}}
    patched = [acted("5", "ApplyPatchAction", patch="x"), saw("5", "Done!", commit={"changes": changes})]
    survives(READER, REPLACE)
    survives(READER, [acp])
    survives(READER, patched)
    survives(READER, [[REPLACE[0]]], document=True)


def test_reads_what_is_recorded(cases: Path) -> None:
    data = (cases / "recordings" / "openhands-sdk" / "events.jsonl").read_bytes()
    found = told(READER, data)
    assert [(step.tool, step.ok) for step in found.steps] == [("terminal", Ok.NO), ("terminal", Ok.NO)]
    assert (found.directory, found.model) == ("/workspace/project", "litellm_proxy/minimax-m2.7")
    # The file was cut out of a longer one: the call of its third result is not in it.
    assert [(part.line, part.grave) for part in found.dropped] == [(7, True)]
