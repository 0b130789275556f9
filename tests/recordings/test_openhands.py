"""OpenHands' events: every shape they come in, delegates, and files with several runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.recording import Recording, Sample
from gate.recordings.openhands import OpenHands
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = OpenHands()


def action(key: Any, kind: str, source: str = "agent", **args: Any) -> dict[str, Any]:
    return {"id": key, "timestamp": "2025-06-01T00:00:00", "source": source, "action": kind, "args": args}


def observed(cause: Any, kind: str, content: str = "", **extras: Any) -> dict[str, Any]:
    return {"id": 99, "source": "agent", "cause": cause, "observation": kind, "content": content, "extras": extras}


DONE = "The file /workspace/a.py has been edited. Here's the"


def replace(key: Any, old: str, new: str) -> dict[str, Any]:
    return action(key, "edit", path="/workspace/a.py", command="str_replace", old_str=old, new_str=new)


EVENTS = [
    action(0, "message", "user", content="Please"),
    action(1, "run", command="cd /workspace && ls", thought="look"),
    observed(1, "run", "a.py", metadata={"exit_code": 0, "working_dir": "/workspace"}),
    replace(2, "a", "b"),
    observed(2, "edit", DONE),
    action(3, "message", content="Done"),
]


def encode(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param(encode(EVENTS), id="a list"),
        pytest.param(encode({"trajectory": EVENTS}), id="a download"),
        pytest.param(encode([[EVENTS[1], EVENTS[2]], [EVENTS[3], EVENTS[4]]]), id="pairs"),
        pytest.param(lines({"instance_id": "x", "history": EVENTS}), id="a line of output"),
        pytest.param(lines(*EVENTS), id="a line each"),
    ],
)
def test_every_shape_holds_the_same(recorded: bytes) -> None:
    run, edit = calls(READER, recorded)
    assert (run.tool, run.commands[0].exit_code, run.ok, run.message) == ("run", 0, Ok.YES, "look")
    assert (edit.tool, edit.ok, edit.directory) == ("edit", Ok.YES, "/workspace")
    assert rebuilt(READER, recorded, a_py=b"a\n").tree.read("a.py") == b"b\n"


@pytest.mark.parametrize(
    "recorded",
    [
        [],
        [5],
        [[]],
        [["x"]],
        [{"role": "user", "content": "x"}],
        {"trajectory": [{"action": "ls", "observation": "a", "state": {}}]},
        {"history": [{"action": "ls", "role": "assistant"}]},
        {"kind": "ActionEvent", "id": "1", "source": "agent", "action": {"command": "x"}},
    ],
)
def test_does_not_recognise(recorded: Any) -> None:
    assert not READER.recognises(Sample(Recording(encode(recorded))))


def test_people_and_messages() -> None:
    found = list(told(READER, encode(EVENTS)).steps)
    assert [(step.number, step.source, step.tool, step.message, step.turn) for step in found] == [
        (1, "user", "", "Please", 1),
        (2, "agent", "run", "look", 1),
        (3, "agent", "edit", "", 1),
        (4, "agent", "", "Done", 1),
    ]
    assert found[0].raw is None


def test_what_a_delegate_did_counts_under_its_name() -> None:
    inner = replace(6, "b", "c")
    outer = [action(5, "delegate", agent="Browser", inputs={}), inner, observed(6, "edit", DONE)]
    events = [*EVENTS, *outer, observed(5, "delegate", ""), action(7, "run", command="ls")]
    assert [(step.tool, step.agent) for step in calls(READER, encode(events))] == [
        ("run", ""),
        ("edit", ""),
        ("delegate", ""),
        ("edit", "Browser"),
        ("run", ""),
    ]
    assert whole(rebuilt(READER, encode(events), a_py=b"a\n")) == {"a.py": b"c\n"}


def test_an_undo_takes_the_edit_back() -> None:
    undo = action(5, "edit", path="/workspace/a.py", command="undo_edit")
    events = [*EVENTS, undo, observed(5, "edit", "Last edit to /workspace/a.py undone successfully. Here's")]
    assert whole(rebuilt(READER, encode(events), a_py=b"a\n")) == {"a.py": b"a\n"}


def test_the_first_resolver_wrote_arguments_beside_the_action() -> None:
    flat = [
        {"content": "Please fix it in /workspace", "action": "message"},
        {"command": "touch x", "thought": "so", "action": "run"},
        {"content": "done", "command_id": -1, "command": "touch x", "exit_code": 0, "observation": "run"},
        {"code": "open('a.py', 'w')", "thought": "", "action": "run_ipython"},
        {"content": "1", "code": "open('a.py', 'w')", "observation": "run_ipython"},
    ]
    data = lines({"issue": {"title": "Fix it"}, "base_commit": "a" * 40, "history": flat})
    found = told(READER, data)
    assert (found.start, found.directory) == ("a" * 40, "/workspace")
    user, run, code = found.steps
    assert (user.source, user.message) == ("user", "Please fix it in /workspace")
    assert (run.commands[0].text, run.commands[0].exit_code, run.observation, run.ok) == ("touch x", 0, "done", Ok.YES)
    assert (code.tool, code.observation, code.ok) == ("run_ipython", "1", Ok.UNKNOWN)


def test_several_runs_are_said() -> None:
    instance = {"base_commit": "a" * 40}
    model = {"metadata": {"llm_config": {"model": "m"}}}
    first = {"instance_id": "x-1", "history": EVENTS, "instance": instance} | model
    found = told(READER, lines(first))
    assert (found.start, found.model, found.directory, found.dropped) == ("a" * 40, "m", "/workspace", ())
    found = told(READER, lines(first, {"instance_id": "x-2", "history": EVENTS}))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("the file holds 2 runs (x-1, x-2); they start from different trees, split the file", True)
    ]
    assert {step.agent for step in found.steps if step.tool} == {"x-1", "x-2"}
    assert (found.start, {step.line for step in found.steps}) == (None, {1, 2})


@pytest.mark.parametrize(
    ("events", "directory"),
    [
        (
            [action(0, "message", "user", content="<uploaded_files>\n/workspace/x__1\n</uploaded_files>")],
            "/workspace/x__1",
        ),
        ([EVENTS[1], observed(7, "recall", repo_directory="tool")], "/workspace/tool"),
        ([EVENTS[1], observed(7, "recall", repo_directory="/src")], "/src"),
        ([EVENTS[3]], "/workspace"),
        ([action(1, "run", command="ls")], None),
    ],
)
def test_where_it_worked(events: list[Any], directory: str | None) -> None:
    assert told(READER, encode(events)).directory == directory


def test_what_is_broken_is_dropped() -> None:
    found = told(READER, encode([EVENTS[1], 5, [EVENTS[1], 5]]))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("event 2: expected an object, found the number 5", True),
        ("event 3: expected an object, found a list", True),
    ]
    found = told(READER, lines({"history": EVENTS})[:-5] + b"\n" + lines({"history": EVENTS}))
    assert [part.line for part in found.dropped if part.grave] == [1]


def test_survives_whatever_stands_in_it() -> None:
    drafted = action(4, "edit", path="/workspace/a.py", content="x", start=1, end=-1)
    survives(READER, [[*EVENTS, drafted, observed(4, "edit", "", new_content="x", prev_exist=True)]], document=True)
    written = [action(1, "write", path="/workspace/b", content="x", start=0, end=-1), observed(1, "write")]
    survives(READER, [{"history": [*written, action(2, "delegate", agent="x")], "instance": {"base_commit": "x"}}])


# Calls of the editor and failed ones as the index has them; a failed call whose arguments say nothing has no edit.
COUNTS = {
    "basic.json": (1, 0, 0),
    "basic_gui_mode.json": (2, 0, 2),
    "basic_interactions.json": (0, 0, 0),
    "c7c5d0_output.jsonl": (29, 23, 49),
    "wrong_initial_state.json": (0, 0, 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_reads_what_is_recorded(cases: Path, name: str) -> None:
    steps = calls(READER, (cases / "recordings" / "openhands" / name).read_bytes())
    edits = [step for step in steps if step.tool == "edit"]
    failed = [step for step in edits if step.ok is Ok.NO]
    assert (len(edits), len(failed), sum(len(step.commands) for step in steps)) == COUNTS[name]
    assert not [step for step in steps if step.lost]


def test_a_recorded_run_gives_its_own_files(cases: Path) -> None:
    data = (cases / "recordings" / "openhands" / "basic_gui_mode.json").read_bytes()
    made = whole(rebuilt(READER, data))
    contents = {
        event["extras"]["path"]: event["extras"]["new_content"]
        for event in json.loads(data)
        if event.get("observation") == "edit"
    }
    assert made == {path.removeprefix("/workspace/"): text.encode() for path, text in contents.items()}
