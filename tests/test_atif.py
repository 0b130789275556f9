"""Trajectories as ATIF documents: valid by another's rules, and nothing lost that ATIF can carry."""

from pathlib import Path
from typing import Any

import atif
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import recording
from gate.agents.conformance import breaches
from gate.agents.editor import OPENHANDS, EditorUndo
from gate.atif import document
from gate.editing.edit import Delete, Insert, Move, Replace, Write
from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.replay import replay
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory
from gate.tree import MemoryTree


def made(*steps: Step, **more: Any) -> dict[str, Any]:
    """The document of a trajectory, once it is found to be valid."""
    found = document(Trajectory(format="pi", steps=steps, **more))
    atif.Trajectory.model_validate(found)
    assert list(breaches(found)) == []
    return found


def test_the_whole_of_a_document() -> None:
    prompt = Step(number=1, line=2, source="user", turn=1, message="Fix it")
    edit = Step(
        number=2,
        line=4,
        agent="helper",
        turn=1,
        tool="edit",
        arguments={"path": "a"},
        observation="done",
        message="I fix it.",
        time="2026-01-01T00:00:00Z",
        tokens_in=7,
        tokens_out=3,
        cost=0.5,
        ok=Ok.YES,
        edits=(Replace(path="a", old=b"x", new=b"y", before=b"x\n", after=b"y\n"),),
        directory="/w/sub",
    )
    found = made(
        prompt,
        edit,
        path="rec.jsonl",
        agent="pi 0.5.1",
        model="m",
        directory="/w",
        roots=("/v",),
        start="c" * 40,
        dropped=(Dropped(line=9, reason="line 9 breaks off", grave=True), Dropped(line=0, reason="odd")),
        unverified=True,
    )
    assert found == {
        "schema_version": "ATIF-v1.7",
        "agent": {
            "name": "pi",
            "version": "0.5.1",
            "model_name": "m",
            "extra": {"name": "pi 0.5.1", "cwds": ["/w"], "roots": ["/v"], "start_commit": "c" * 40},
        },
        "steps": [
            {"step_id": 1, "source": "user", "message": "Fix it", "extra": {"line": 2, "turn": 1}},
            {
                "step_id": 2,
                "source": "agent",
                "message": "I fix it.",
                "timestamp": "2026-01-01T00:00:00Z",
                "metrics": {"prompt_tokens": 7, "completion_tokens": 3, "cost_usd": 0.5},
                "tool_calls": [
                    {
                        "tool_call_id": "call_2",
                        "function_name": "edit",
                        "arguments": {"path": "a"},
                        "extra": {
                            "edits": [
                                {
                                    "kind": "replace",
                                    "path": "a",
                                    "before": "587be6b4c3f93f93c489c0111bba5596147a26cb",
                                    "after": "975fbec8256d3e8a3797e7a3611380f27c49f4ac",
                                }
                            ]
                        },
                    }
                ],
                "observation": {"results": [{"source_call_id": "call_2", "content": "done", "extra": {"success": True}}]},
                "extra": {"line": 4, "turn": 1, "agent_id": "helper", "cwd": "/w/sub"},
            },
        ],
        "notes": "The reader of this format was built without a real sample of its edits.\n"
        "Left out: line 9 breaks off (an edit or a result may be lost with it)\n"
        "Left out: odd",
        "final_metrics": {
            "total_prompt_tokens": 7,
            "total_completion_tokens": 3,
            "total_cost_usd": 0.5,
            "total_steps": 2,
        },
        "extra": {
            "converter": "trajectory-gate",
            "format": "pi",
            "recording": "rec.jsonl",
            "contents": {
                "587be6b4c3f93f93c489c0111bba5596147a26cb": "x\n",
                "975fbec8256d3e8a3797e7a3611380f27c49f4ac": "y\n",
            },
        },
    }  # fmt: skip


def step(**more: Any) -> dict[str, Any]:
    """The one step of a document."""
    found: dict[str, Any] = made(Step(number=1, **more))["steps"][0]
    return found


def extra(**more: Any) -> Any:
    """What stands beside the call of the one step."""
    return step(tool="x", **more)["tool_calls"][0]["extra"]


@pytest.mark.parametrize(
    ("ok", "observation", "observed"),
    [
        (Ok.NO, "no", {"source_call_id": "call_1", "content": "no", "extra": {"success": False, "is_error": True}}),
        (Ok.YES, "", {"source_call_id": "call_1", "content": "", "extra": {"success": True}}),
        (Ok.UNKNOWN, "x", {"source_call_id": "call_1", "content": "x"}),
        (Ok.UNKNOWN, "", None),
    ],
)
def test_whether_it_succeeded(ok: Ok, observation: str, observed: Any) -> None:
    found = step(tool="x", ok=ok, observation=observation).get("observation")
    assert found == (observed and {"results": [observed]})


def test_commands_and_their_ends() -> None:
    ran = (Command(text="ls", directory="/w", exit_code=0), Command(text="false", exit_code=1))
    found = step(tool="bash", ok=Ok.NO, commands=ran)
    assert found["tool_calls"][0]["extra"] == {
        "commands": [{"command": "ls", "cwd": "/w", "exit_code": 0}, {"command": "false", "exit_code": 1}]
    }
    assert found["observation"]["results"][0]["extra"] == {"success": False, "is_error": True, "exit_code": 1}


def test_the_kinds_of_edits() -> None:
    edits = (
        Write(path="a", content=b"x"),
        Insert(path="a", line=1, text=b"x"),
        Delete(path="a", before=b"x"),
        Move(path="a", to="b"),
        EditorUndo(path="a", editor=OPENHANDS, after=b"x"),
    )
    x = "c1b0730e0133447badcfd47fd144e254807b06e1"
    assert extra(edits=edits)["edits"] == [
        {"kind": "write", "path": "a", "after": x},
        {"kind": "insert", "path": "a"},
        {"kind": "delete", "path": "a", "before": x},
        {"kind": "move", "path": "a", "to": "b"},
        {"kind": "edit", "path": "a", "after": x},
    ]


def test_what_is_left_open() -> None:
    assert extra(known=False, names=("a",)) == {"unknown_tool": True, "names": ["a"]}
    assert step(tool="x", lost=Lost("why"), undone=True)["extra"] == {
        "undone": True,
        "lost": {"reason": "why", "kind": "broken_step"},
    }
    assert step(message="x", time="noon")["extra"] == {"time": "noon"}


def test_what_a_person_ran_is_no_call_of_the_agent() -> None:
    ran = (Command(text="ls"),)
    found = step(source="user", tool="bash", arguments={"command": "ls"}, commands=ran, observation="a", message="x")
    assert "tool_calls" not in found
    assert found["extra"] == {"tool": "bash", "arguments": {"command": "ls"}, "commands": [{"command": "ls"}]}
    assert found["observation"] == {"results": [{"content": "a"}]}


def test_sweagents_actions_have_the_name_that_others_know() -> None:
    raw = {"action": "ls -a", "observation": "x"}
    (made_call,) = step(tool="bash", arguments={"command": "ls -a"}, raw=raw)["tool_calls"]
    assert (made_call["function_name"], made_call["arguments"]) == ("swe_agent_action", {"raw_action": "ls -a"})


def test_an_agent_without_a_version() -> None:
    assert made(agent="aider")["agent"] == {"name": "pi", "version": "unknown", "extra": {"name": "aider"}}
    assert made()["agent"] == {"name": "pi", "version": "unknown"}


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _VALUES, max_size=3), st.text(), st.text(max_size=30))
def test_whatever_was_recorded_makes_a_valid_document(arguments: dict[str, Any], text: str, time: str) -> None:
    found = made(Step(number=1, tool="x", arguments=arguments, observation=text, message=text, time=time))
    assert recording.read(msgspec.json.encode(found), "x").format == "atif"


def _outline(trajectory: Trajectory) -> list[Any]:
    return [
        (
            step.tool,
            step.ok,
            step.agent,
            [(type(edit).__name__, edit.path) for edit in step.edits],
            [(command.text, command.exit_code) for command in step.commands],
        )
        for step in trajectory.steps
        if step.tool and step.source == "agent"
    ]


def _made(trajectory: Trajectory) -> dict[str, bytes]:
    """The files that a replay makes out of nothing."""
    tree = replay(trajectory, MemoryTree({})).tree
    return {path: tree.read(path) for path in tree.paths()}


def _recordings(cases: Path) -> list[tuple[str, Trajectory]]:
    """Every real recording that can be read at all."""
    found = []
    for path in sorted([*cases.glob("recordings/*/*"), *cases.glob("atif/*")]):
        data = path.read_bytes()
        try:
            found.append((path.name, recording.read(data, path.name)))
        except RecordingError:
            continue
    return found


def test_every_real_recording_becomes_a_valid_document_that_says_the_same(cases: Path) -> None:
    read = _recordings(cases)
    assert len(read) > 40
    for name, trajectory in read:
        found = document(trajectory)
        atif.Trajectory.model_validate(found)
        data = msgspec.json.encode(found)
        assert Sample(Recording(data)).document == found, name
        again = recording.read(data, name)
        assert (again.directory, again.roots, again.start) == (trajectory.directory, trajectory.roots, trajectory.start)
        before, after = _outline(trajectory), _outline(again)
        assert [one[:3] for one in after] == [one[:3] for one in before], name
        assert [[path for _, path in one[3]] for one in after] == [[path for _, path in one[3]] for one in before], name
        assert [[text for text, _ in one[4]] for one in after] == [[text for text, _ in one[4]] for one in before], name
        assert [part.reason for part in again.dropped] == [], name
        if trajectory.format != "codex-rollout":  # it records a diff of what a patch did, which is no content
            assert _made(again) == _made(trajectory), name


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_converted_recording_replays_as_the_original_does(cases: Path) -> None:
    folders = [path for path in sorted((cases / "fidelity").iterdir()) if (path / "recording.jsonl").exists()]
    assert len(folders) > 20
    for folder in folders:
        original = recording.read((folder / "recording.jsonl").read_bytes(), folder.name)
        again = recording.read(msgspec.json.encode(document(original)), folder.name)
        twice = recording.read(msgspec.json.encode(document(again)), folder.name)
        start = MemoryTree(_files(folder / "before"))
        one = replay(original, start)
        for other in (replay(again, start), replay(twice, start)):
            assert {path: other.tree.read(path) for path in other.tree.paths()} == {
                path: one.tree.read(path) for path in one.tree.paths()
            }, folder.name
            assert [edit.path for edit in other.failed if edit.path] == [edit.path for edit in one.failed if edit.path]


@pytest.mark.parametrize(
    ("agent", "name", "version"),
    [
        pytest.param("claude-code 2.1.3", "claude-code", "2.1.3", id="with its version"),
        pytest.param("Claude Code unknown", "Claude Code", "unknown", id="of an unknown version"),
        pytest.param("mini-swe-agent", "mini-swe-agent", "unknown", id="without one"),
        pytest.param("", "unknown", "unknown", id="not told"),
    ],
)
def test_a_document_made_of_one_keeps_the_name_of_its_agent(agent: str, name: str, version: str) -> None:
    found = document(Trajectory(format="atif", steps=(Step(number=1, message="Hi"),), agent=agent))
    assert (found["agent"]["name"], found["agent"]["version"]) == (name, version)
