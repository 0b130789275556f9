"""SWE-agent's trajectories: both generations of tools, demonstrations, and what only the answer's words tell."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.swe_agent import SweAgent
from gate.trajectory import Command, Ok, Trajectory
from tests.recordings.recorded import calls, rebuilt, survives, told, whole

READER = SweAgent()


def entry(action: str, observation: str = "", *, state: Any = None, **more: Any) -> dict[str, Any]:
    state = {"open_file": "n/a", "working_dir": "/repo"} if state is None else state
    return {"action": action, "observation": observation, "thought": "why", "state": state} | more


def document(*entries: Any, **more: Any) -> bytes:
    return json.dumps({"environment": "main", "trajectory": list(entries), "history": [], "info": {}} | more).encode()


OLD_STATE = json.dumps({"open_file": "/repo/a.py", "working_dir": "/repo"})
OLD = entry(
    "edit 1:1\nx\nend_of_edit\n", "[File: /repo/a.py (2 lines total)]\n1:x\n2:b\nFile updated.", state=OLD_STATE
)


@pytest.mark.parametrize(
    "recorded",
    [
        document(OLD),
        document(entry("ls")),
        document(history=[{"role": "system", "content": "x"}]),
        json.dumps({"history": [{"role": "assistant", "action": "ls", "content": "x"}]}).encode(),
        json.dumps({"attempts": [{"trajectory": [entry("ls")]}]}).encode(),
    ],
)
def test_recognises(recorded: bytes) -> None:
    assert READER.recognises(Sample(Recording(recorded)))


@pytest.mark.parametrize(
    "recorded",
    [
        {"trajectory": [{"step": 1}]},
        {"trajectory": []},
        {"history": []},
        {"history": [{"action": "run", "args": {}}]},
        {"messages": [], "trajectory": [entry("ls")]},
        {"attempts": 5},
        [entry("ls")],
        5,
    ],
)
def test_does_not_recognise(recorded: Any) -> None:
    assert not READER.recognises(Sample(Recording(json.dumps(recorded).encode())))


def test_replays_the_shell_functions() -> None:
    create = entry("create b.py\n", "[File: /repo/b.py (1 lines total)]\n1:", state=OLD_STATE)
    assert whole(rebuilt(READER, document(OLD, create), a_py=b"a\r\nb\r\n")) == {
        "a.py": b"x\nb\r\n",
        "b.py": b"\n",
    }


def test_replays_the_editor() -> None:
    edited = "The file /repo/a.py has been edited. Here's the"
    data = document(
        entry("str_replace_editor str_replace /repo/a.py --old_str 'a' --new_str 'b'", edited),
        entry("str_replace_editor insert /repo/a.py --insert_line 1 --new_str 'c'", edited),
        entry("str_replace_editor undo_edit /repo/a.py", "Last edit to /repo/a.py undone successfully. Here's"),
        entry("str_replace_editor str_replace /repo/a.py --old_str 'x' --new_str 'b'", "No replacement was performed"),
        entry("str_replace_editor create /repo/c.py --file_text 'new\n'", "File created successfully at: /repo/c.py"),
    )
    done = rebuilt(READER, data, a_py=b"\ta\n")
    assert whole(done) == {"a.py": b"        b\n", "c.py": b"new\n"}
    assert [(edit.step, edit.kind) for edit in done.skipped] == [(2, "rewound"), (4, "recorded_failure")]


def test_the_state_of_newer_versions_is_that_after_the_step() -> None:
    data = document(
        entry("cd sub && ls", state={"open_file": "n/a", "working_dir": "/repo/sub"}),
        entry("cat x", state={"open_file": "/repo/a.py", "working_dir": "/repo"}),
        entry("edit 'a' 'b'", "Text replaced. Please review", state={"open_file": "/repo/b.py", "working_dir": "/"}),
    )
    first, second, third = calls(READER, data)
    assert (first.directory, second.directory, third.edits[0].path) == ("/repo/sub", "/repo/sub", "/repo/a.py")


def test_commands_have_no_exit_code() -> None:
    (step,) = calls(READER, document(entry("pytest -q\n", "1 passed")))
    assert (step.tool, step.ok, step.message) == ("bash", Ok.UNKNOWN, "why")
    assert step.commands == (Command(text="pytest -q", directory="/repo", output="1 passed"),)


def test_says_what_the_run_was_asked_for() -> None:
    asked = {
        "agent": {"model": {"name": "m"}},
        "env": {"repo": {"repo_name": "testbed", "base_commit": "a" * 40}},
    }
    found = told(
        READER, document(entry("ls", state={}), info={"swe_agent_version": "1.0"}, replay_config=json.dumps(asked))
    )
    assert (found.agent, found.model, found.directory, found.start) == ("SWE-agent 1.0", "m", "/testbed", "a" * 40)
    found = told(READER, document(entry("ls"), replay_config="{"))
    assert (found.agent, found.model, found.directory, found.start) == ("SWE-agent", "", "/repo", None)


def test_a_demonstration_has_its_actions_in_the_history() -> None:
    state = "\n(Open file: /repo/a.py)\n(Current directory: /repo)\nbash-$"
    edit = {"name": "edit", "arguments": json.dumps({"search": "a", "replace": "it's"})}
    history = [
        {"role": "system", "content": "x"},
        {"role": "assistant", "action": "rm -rf x", "content": "", "is_demo": True},
        {"role": "assistant", "action": 'open "a.py"', "content": "first", "thought": "first"},
        {"role": "tool", "content": "[File: a.py (1 lines total)]\r\n1:a" + state},
        {"role": "assistant", "content": "", "tool_calls": [{"function": edit, "id": "1"}]},
        {"role": "tool", "content": [{"type": "text", "text": "Text replaced. Please review" + state}]},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "bash", "arguments": {"command": "ls"}}}]},
    ]  # fmt: skip
    data = json.dumps({"history": history}).encode()
    assert [(step.tool, step.observation, step.ok) for step in calls(READER, data)] == [
        ("open", "[File: a.py (1 lines total)]\r\n1:a", Ok.YES),
        ("edit", "Text replaced. Please review", Ok.YES),
        ("bash", "", Ok.UNKNOWN),
    ]
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"it's\n"}


def test_a_call_becomes_the_action_that_sweagent_makes_of_it() -> None:
    def only(name: str, **arguments: Any) -> Any:
        call = {"function": {"name": name, "arguments": arguments}}
        opened = "(Open file: /repo/a.py)\n(Current directory: /repo)\nbash-$"
        said = [{"role": "assistant", "action": "open a.py"}, {"role": "tool", "content": opened}]
        history = [*said, {"role": "assistant", "content": "", "tool_calls": [call]}]
        return calls(READER, json.dumps({"history": history}).encode())[-1]

    assert only("edit", start_line=1, end_line=2, replacement_text="x").arguments == {
        "start_line": 1,
        "end_line": 2,
        "replacement_text": "x\n",
    }
    view = {"command": "view", "path": "/repo", "view_range": ["1", "5"]}
    assert only("str_replace_editor", **view).arguments == view
    old = {"command": "str_replace", "path": "/repo/a.py", "old_str": "a 'b'\n", "new_str": ""}
    assert only("str_replace_editor", **old).arguments == old


def test_reads_the_chosen_attempt() -> None:
    attempts = [{"trajectory": [entry("ls")]}, {"trajectory": [entry("cat a")]}]
    data = json.dumps({"attempts": attempts} | attempts[1]).encode()
    assert [step.commands[0].text for step in calls(READER, data)] == ["cat a"]
    data = json.dumps({"attempts": attempts[:1]}).encode()
    assert [step.commands[0].text for step in calls(READER, data)] == ["ls"]
    with pytest.raises(RecordingError) as caught:
        READER.read(Recording(json.dumps({"attempts": attempts}).encode(), "x.traj"))
    assert caught.value.message == ("x.traj: 2 attempts, and none of them is chosen yet; expected a run that has ended")


def test_what_is_broken_is_lost_or_dropped() -> None:
    found = told(READER, document(entry("ls"), {"action": 5, "observation": ""}, entry("ls", state="{")))
    assert [step.lost.reason for step in found.steps if step.lost] == ["expected an action, found the number 5"]
    assert [part.reason for part in found.dropped] == [
        "step 3: the state is no JSON; which file was open is not known"
    ]  # fmt: skip


def test_survives_whatever_stands_in_it() -> None:
    survives(READER, [json.loads(document(OLD, entry("edit 'a' 'b'", "Text replaced.")))], document=True)
    history = [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "bash", "arguments": "{}"}}]}]
    survives(READER, [{"history": history}], document=True)


# edits, failed edits and commands as the index has them, but for two files: it counts "Replaced 1 occurrences." as a
# failure, and does not look into the history of a demonstration.
COUNTS = {
    "crypto_BabyEncryption.traj": (8, 3, 4),
    "demonstrations_function_calling_simple.traj": (1, 0, 1),
    "hon__lcb__t-0.00__p-0.95__c-4.00__install-0_humanevalfix-python-0.traj": (1, 0, 2),
    "misc_networking_1.traj": (0, 0, 3),
    "pwn_warmup.traj": (3, 0, 3),
    "t-0.00__p-0.95__c-3.00__install-1_6e44b9__sweagenttestrepo-1c2844.traj": (1, 0, 1),
}


def recorded(cases: Path, name: str) -> Trajectory:
    return told(READER, (cases / "recordings" / "swe-agent" / name).read_bytes())


@pytest.mark.parametrize("name", COUNTS)
def test_reads_what_is_recorded(cases: Path, name: str) -> None:
    steps = list(recorded(cases, name).steps)
    edits = [step for step in steps if step.edits]
    failed = [step for step in edits if step.ok is Ok.NO]
    assert (len(edits), len(failed), sum(len(step.commands) for step in steps)) == COUNTS[name]
    assert not [step for step in steps if step.lost]


def test_a_recorded_run_gives_its_own_files(cases: Path) -> None:
    data = (cases / "recordings" / "swe-agent" / "crypto_BabyEncryption.traj").read_bytes()
    done = rebuilt(READER, data, chall_py=b"import string\n")
    shown = [step.observation for step in recorded(cases, "crypto_BabyEncryption.traj").steps if step.edits][-1]
    lines = done.tree.read("decrypt.py").decode().splitlines()
    assert [f"{number}:{line}" for number, line in enumerate(lines, 1)] == shown.splitlines()[1:8]
