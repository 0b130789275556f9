"""AgentBench's trajectories: its vocabulary, and the inputs that its own replay gets wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate import recording
from gate.editing.edit import Edit, Replace, Write
from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.agentbench import AgentBench
from gate.replay import Replay, replay
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import MemoryTree


def trajectory(*steps: Any, **more: Any) -> Trajectory:
    return recording.read(json.dumps({"steps": list(steps)} | more).encode(), "t.json")


def one(step: Any) -> Step:
    (found,) = trajectory(step).steps
    return found


def run(*steps: Any, **start: str) -> Replay:
    return replay(trajectory(*steps), MemoryTree({path: text.encode() for path, text in start.items()}))


def call(tool: str, args: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_call", "tool": tool, "args": args} | more


@pytest.mark.parametrize(
    "document",
    [
        {"steps": []},
        {"steps": [], "metadata": {"agent": "a"}},
        {"steps": [{"type": "tool_call", "tool": "Read"}], "x": 1},
        {"steps": 5},
    ],
)
def test_recognises(document: Any) -> None:
    assert AgentBench().recognises(Sample(Recording(json.dumps(document).encode())))


@pytest.mark.parametrize(
    "document",
    [
        [],
        {"trajectory": []},
        {"schema_version": "ATIF-v1.7", "steps": []},
        {"steps": [{"step_id": 1, "source": "user", "message": "x"}]},
    ],
)
def test_does_not_recognise(document: Any) -> None:
    assert not AgentBench().recognises(Sample(Recording(json.dumps(document).encode())))


@pytest.mark.parametrize("tool", ["write_file", "edit_file", "str_replace", "Write", "StrReplace", "Edit", "MultiEdit"])
@pytest.mark.parametrize("key", ["path", "file_path", "target_file"])
def test_writes(tool: str, key: str) -> None:
    assert one(call(tool, {key: "a", "content": "x"})).edits == (Write(path="a", content=b"x"),)


@pytest.mark.parametrize(
    ("args", "edits"),
    [
        pytest.param({"path": "a", "content": ""}, (Write(path="a", content=b""),), id="empty"),
        pytest.param({"path": "a", "new_string": "x"}, (Write(path="a", content=b"x"),), id="new_string as content"),
        pytest.param(
            {"path": "a", "content": "", "new_string": "x"}, (Write(path="a", content=b"x"),), id="empty content yields"
        ),
        pytest.param(
            {"path": "", "file_path": "b", "content": "x"}, (Write(path="b", content=b"x"),), id="an empty path yields"
        ),
        pytest.param(
            {"path": "a", "old_string": "1", "new_string": "2"},
            (Replace(path="a", old=b"1", new=b"2"),),
            id="old_string",
        ),
        pytest.param(
            {"path": "a", "old_str": "1", "new_str": ""}, (Replace(path="a", old=b"1", new=b""),), id="old_str"
        ),
        pytest.param(
            {"path": "a", "old": "1", "content": "2"}, (Replace(path="a", old=b"1", new=b"2"),), id="old and content"
        ),
        pytest.param(
            {"path": "a", "old_string": "", "new_string": "2"}, (Replace(path="a", old=b"", new=b"2"),), id="empty old"
        ),
        pytest.param(
            {"path": "a", "old_string": "1", "new_string": "2", "replace_all": True},
            (Replace(path="a", old=b"1", new=b"2", all=True),),
            id="replace_all",
        ),
        pytest.param(
            {"path": "a", "old": "1", "new": "2", "all": True},
            (Replace(path="a", old=b"1", new=b"2", all=True),),
            id="all",
        ),
        pytest.param(
            {
                "file_path": "a",
                "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "4"}],
            },
            (Replace(path="a", old=b"1", new=b"2"), Replace(path="a", old=b"3", new=b"4")),
            id="several",
        ),
    ],
)
def test_edits(args: dict[str, Any], edits: tuple[Edit, ...]) -> None:
    assert one(call("edit_file", args)).edits == edits


def test_types_say_what_a_tool_does_not() -> None:
    edit = one({"type": "file_edit", "args": {"path": "a", "content": "x"}})
    command = one({"type": "command", "args": {"cmd": "ls"}})
    assert edit.edits == (Write(path="a", content=b"x"),)
    assert command.commands == (Command(text="ls"),)


@pytest.mark.parametrize("tool", ["run_command", "shell", "bash", "Bash", "execute"])
def test_commands(tool: str) -> None:
    step = one(call(tool, {"command": "pytest -q", "cwd": "/r"}, exit_code=0, output="1 passed"))
    assert step.commands == (Command(text="pytest -q", directory="/r", exit_code=0, output="1 passed"),)
    assert (step.ok, step.observation, step.known) == (Ok.YES, "1 passed", True)


def test_a_command_as_a_list_of_words() -> None:
    assert one(call("shell", {"cmd": ["bash", "-c", "a b"]})).commands == (Command(text="bash -c 'a b'"),)


@pytest.mark.parametrize(
    ("more", "ok"),
    [
        ({}, Ok.YES),
        ({"error": ""}, Ok.YES),
        ({"ok": True, "exit_code": 0, "status": "completed"}, Ok.YES),
        ({"ok": False}, Ok.NO),
        ({"success": False}, Ok.NO),
        ({"is_error": True}, Ok.NO),
        ({"error": "no such file"}, Ok.NO),
        ({"status": "Failed"}, Ok.NO),
        ({"exit_code": 1}, Ok.NO),
        ({"result": {"success": False}}, Ok.NO),
        ({"observation": {"returncode": 2}}, Ok.NO),
    ],
)
def test_success_unless_the_step_says_otherwise(more: dict[str, Any], ok: Ok) -> None:
    assert one(call("write_file", {"path": "a", "content": ""}, **more)).ok is ok


def test_failed_steps_are_not_applied() -> None:
    found = run(call("write_file", {"path": "a", "content": "x"}, ok=False), call("write_file", None, ok=False), a="1")
    assert (found.tree.read("a"), found.incomplete) == (b"1", ())


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        pytest.param(5, "step 1: expected an object, found the number 5", id="no object"),
        pytest.param(call("write_file", None), "step 1: args: expected an object, found null", id="args null"),
        pytest.param(call("bash", None), "step 1: args: expected an object, found null", id="args null of a command"),
        pytest.param(call("bash", {}), "step 1: args.command: expected a command, found nothing", id="no command"),
        pytest.param(
            call("bash", {"command": [1]}), "step 1: args.command: expected a command, found a list", id="no words"
        ),
        pytest.param(
            call("write_file", {"path": "a", "content": 5}),
            "step 1: args.content: expected the text to write, found the number 5",
            id="content 5",
        ),
        pytest.param(
            call("write_file", {"path": "a"}),
            "step 1: args.content: expected the text to write, found nothing",
            id="no content",
        ),
        pytest.param(
            call("write_file", {"content": "x"}), "step 1: args.path: expected a file name, found nothing", id="no path"
        ),
        pytest.param(
            call("write_file", {"path": ["a"], "content": "x"}),
            "step 1: args.path: expected a file name, found a list",
            id="no name",
        ),
        pytest.param(
            call("str_replace", {"path": "a", "old_string": "x"}),
            "step 1: args.new_string: expected the new text, found nothing",
            id="no new text",
        ),
        pytest.param(
            call("str_replace", {"path": "a", "old_string": "x", "new_string": "y", "replace_all": "no"}),
            "step 1: args.replace_all: expected true or false, found the text 'no'",
            id="replace_all",
        ),
        pytest.param(
            call("MultiEdit", {"path": "a", "edits": [{"old_string": "x", "new_string": None}]}),
            "step 1: args.edits[0].new_string: expected the new text, found nothing",
            id="one of several",
        ),
        pytest.param(
            call("MultiEdit", {"path": "a", "edits": ["x"]}),
            "step 1: args.edits[0]: expected an object, found the text 'x'",
            id="one of several is no object",
        ),
        pytest.param(
            call("MultiEdit", {"path": "a", "edits": []}),
            "step 1: args.edits: expected a list of replacements, found an empty list",
            id="none of several",
        ),
        pytest.param(
            call("write_file", {"path": "a", "content": "\ud800"}),
            "step 1: args: the text holds half of a surrogate pair, expected whole characters",
            id="half a pair",
        ),
    ],
)
def test_a_broken_step_is_told_and_the_others_apply(step: Any, sentence: str) -> None:
    found = run(step, call("write_file", {"path": "b", "content": "x"}))
    assert found.incomplete == (sentence,)
    assert dict(found.tree.changes) == {"b": b"x"}


def test_an_empty_path_is_none_in_normal_form() -> None:
    """A17: refused by the kind of such paths, and still a step of which nobody can tell what it did."""
    found = run(call("write_file", {"path": "", "content": "x"}), call("write_file", {"content": "x"}))
    assert [(note.kind, note.reason) for note in found.failed] == [
        ("path_not_normal", "args.path: expected a file name, found nothing in it"),
        ("broken_step", "args.path: expected a file name, found nothing"),
    ]
    lost = one(call("write_file", {"path": "", "content": "x"})).lost
    assert lost is not None
    assert lost.is_shapeless


@pytest.mark.parametrize("tool", ["read_file", "Read", "grep", "ls", "TodoWrite", "web_search"])
def test_tools_that_change_nothing(tool: str) -> None:
    found = run(call(tool, {"path": "a"}), call(tool, None))
    assert (found.unknown, found.incomplete) == ({}, ())


@pytest.mark.parametrize(
    ("step", "suspects"),
    [
        (call("lint", {"level": "all"}), []),
        (call("delete_file", {"path": "a"}), ["a"]),
        (call("patch_file", {"input": "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch"}), ["a"]),
        ({"type": "patch", "args": {"file": "a"}}, ["a"]),
    ],
)
def test_unknown_tools_are_counted(step: dict[str, Any], suspects: list[str]) -> None:
    found = run(step)
    assert found.unknown == {step.get("tool") or step["type"]: 1}
    assert [edit.path for edit in found.suspects] == suspects
    assert bool(found.incomplete) == bool(suspects)


def test_the_second_version_of_the_format() -> None:
    step = one(call("Read", {}, tokens_in=5, tokens_out=True, cost=0.5, parent_step_id="x", timestamp="2026"))
    assert (step.tokens_in, step.tokens_out, step.cost, step.time) == (5, None, 0.5, "2026")
    assert step.raw["parent_step_id"] == "x"


def test_a_message() -> None:
    step = one({"type": "thought", "content": "Let me see."})
    assert (step.tool, step.message, step.known) == ("", "Let me see.", True)


def test_metadata() -> None:
    found = trajectory(
        call("write_file", {"path": "/r/a", "content": ""}), metadata={"agent": "A", "model": "M", "cwd": "/r"}
    )
    assert (found.format, found.agent, found.model, found.directory) == ("agentbench", "A", "M", "/r")
    assert replay(found, MemoryTree({})).touched == {"a"}


@pytest.mark.parametrize(
    ("data", "message", "kind"),
    [
        (b'{"steps": {}}', "t.json: `steps`: expected a list, found an object", "type"),
        (
            b'{"steps": [{"tool": "bash", "args": {"command": "true", "command": "evil"}}]}',
            "t.json: the key 'command' stands twice in one object",
            "duplicate_key",
        ),
        (b'{"steps": [{"cost": NaN}]}', "t.json: NaN is no JSON number", "json_number"),
    ],
)
def test_refused(data: bytes, message: str, kind: str) -> None:
    with pytest.raises(RecordingError) as caught:
        recording.read(data, "t.json")
    assert (caught.value.message, caught.value.kind) == (message, kind)


# What AgentBench's own replay gets wrong, from its first HEAD on.


def test_a_replacement_keeps_the_other_lines() -> None:
    found = run(call("str_replace", {"path": "a", "old_string": "y=2", "new_string": "y=3"}), a="x=1\ny=2\n")
    assert found.tree.read("a") == b"x=1\ny=3\n"


def test_a_path_that_leads_out_writes_nothing() -> None:
    found = run(call("write_file", {"path": "../../x", "content": "evil"}))
    assert (found.incomplete, found.kind) == (("step 1: '../../x' leads out of the workspace",), "path_escape")


def test_a_path_with_a_dot_is_the_file_itself() -> None:
    assert run(call("write_file", {"path": "./a.py", "content": "x"})).touched == {"a.py"}


def test_an_absolute_path_is_no_file_of_the_workspace() -> None:
    found = run(call("write_file", {"path": "/home/u/repo/src/a.py", "content": "x"}))
    assert found.kind == "path_absolute"
    assert not found.touched


def test_real_recordings(cases: Path) -> None:
    counts = {}
    for file in sorted((cases / "agentbench" / "recordings").iterdir()):
        found = recording.read(file.read_bytes(), file.name)
        steps = list(found.steps)
        counts[file.stem] = (
            len(steps),
            sum(len(step.edits) for step in steps),
            sum(len(step.commands) for step in steps),
        )
        assert replay(found, MemoryTree({})).incomplete == ()
    assert counts == {
        "trajectory_network": (2, 1, 1),
        "trajectory_pass": (3, 1, 1),
        "trajectory_regression": (3, 1, 1),
    }
