"""ATIF documents: every agent's tools and failures, sub-agents, and what breaks the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.atif import Atif
from gate.trajectory import Command, Ok, Step
from tests.recordings.recorded import calls, rebuilt, survives, told, whole

READER = Atif()


def step(number: int, *made: dict[str, Any], **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"step_id": number, "source": "agent", "message": ""}
    if made:
        found["tool_calls"] = list(made)
    return found | more


def call(tool: str, key: str = "c", **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": key, "function_name": tool, "arguments": arguments}


def observed(content: Any, key: str | None = "c", **extra: Any) -> dict[str, Any]:
    result = {"source_call_id": key, "content": content} | ({"extra": extra} if extra else {})
    return {"results": [result]}


def document(*steps: Any, agent: str = "claude-code", version: str = "2.1.0", **more: Any) -> dict[str, Any]:
    about = {"name": agent, "version": version, "model_name": "m", "extra": {"cwds": ["/w"]}}
    return {"schema_version": "ATIF-v1.7", "agent": about, "steps": list(steps)} | more


def encode(value: Any) -> bytes:
    return json.dumps(value).encode()


EDIT = call("Edit", file_path="/w/a.py", old_string="a", new_string="b")


@pytest.mark.parametrize(
    "recorded",
    [
        document(step(1)),
        {"schema_version": "ATIF-v9.9", "steps": []},
        {"steps": [{"step_id": 1, "source": "agent"}]},
    ],
)
def test_recognises(recorded: Any) -> None:
    assert READER.recognises(Sample(Recording(encode(recorded))))


@pytest.mark.parametrize(
    "recorded",
    [{"steps": []}, {"steps": [{"tool": "x"}]}, {"schema_version": "1", "steps": []}, [step(1)], {"schema_version": "ATIF-v1.7"}],
)  # fmt: skip
def test_does_not_recognise(recorded: Any) -> None:
    assert not READER.recognises(Sample(Recording(encode(recorded))))


def test_reads_a_step() -> None:
    run = step(
        2,
        call("Bash", command="pytest"),
        message="I test.",
        timestamp="2026-01-01T00:00:00Z",
        observation=observed("1 passed"),
        metrics={"prompt_tokens": 7, "completion_tokens": 3, "cost_usd": 0.5},
        extra={"cwd": "/w/sub", "agent_id": "x"},
    )
    found = told(READER, encode(document(step(1, source="user", message="Please"), run)))
    assert (found.agent, found.model, found.directory, found.dropped) == ("claude-code 2.1.0", "m", "/w", ())
    user, ran = found.steps
    assert (user.source, user.message, user.raw, user.turn) == ("user", "Please", None, 1)
    assert ran.commands == (Command(text="pytest", directory="/w/sub", output="1 passed"),)
    assert (ran.tool, ran.message, ran.time, ran.turn) == ("Bash", "I test.", "2026-01-01T00:00:00Z", 2)
    assert (ran.tokens_in, ran.tokens_out, ran.cost, ran.agent, ran.ok) == (7, 3, 0.5, "x", Ok.YES)


def test_an_edit_that_the_converter_says_failed_is_not_applied() -> None:
    failed = observed("no\n\n[error] tool reported failure", tool_result_is_error=True)
    data = encode(document(step(1, EDIT, observation=failed), step(2, EDIT, observation=observed("ok"))))
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"b\n"}
    assert [one.ok for one in calls(READER, data)] == [Ok.NO, Ok.YES]


def test_the_recorded_result_counts() -> None:
    result = {"tool_use_result": {"originalFile": "a a\n", "oldString": "a a", "newString": "c"}}
    data = encode(document(step(1, EDIT, observation=observed("ok", tool_result_metadata=result))))
    assert rebuilt(READER, data, a_py=b"x\n").tree.read("a.py") == b"c\n"


@pytest.mark.parametrize(
    ("agent", "made", "answer", "before", "after"),
    [
        ("codex", call("apply_patch", input="*** Begin Patch\n*** Update File: a.py\n-a\n+b\n*** End Patch"), "Success. Updated the following files:\nM a.py", b"a\n", b"b\n"),
        ("openhands", call("str_replace_editor", command="str_replace", path="/w/a.py", old_str="a", new_str="b"), "The file /w/a.py has been edited. ", b"a\tx\n", b"b\tx\n"),
        ("swe-agent", call("swe_agent_action", raw_action="str_replace_editor str_replace /w/a.py --old_str a --new_str b"), "The file /w/a.py has been edited. ", b"a\tx\n", b"b       x\n"),
        ("swe-agent", call("swe_agent_action", raw_action="edit 1:1\nb\nend_of_edit"), "[File: /w/a.py (1 lines total)]\n1:b\nFile updated. Please review", b"a\n", b"b\n"),
        ("gemini-cli", call("replace", file_path="/w/a.py", old_string="a", new_string="b"), "Successfully modified file: /w/a.py (1 replacements).", b"a\n", b"b\n"),
        ("opencode", call("edit", filePath="/w/a.py", oldString="a", newString="b"), "ok", b"a\n", b"b\n"),
        ("copilot-cli", call("edit", path="/w/a.py", old_str="a", new_str="b"), "ok", b"a\n", b"b\n"),
        ("pi", call("edit", path="a.py", oldText="a", newText="b"), "ok", b"a\n", b"b\n"),
    ],
)  # fmt: skip
def test_each_agent_has_its_own_tools(agent: str, made: Any, answer: str, before: bytes, after: bytes) -> None:
    data = encode(document(step(1, made, observation=observed(answer)), agent=agent, version="1.0"))
    assert whole(rebuilt(READER, data, a_py=before)) == {"a.py": after}
    assert calls(READER, data)[0].ok is Ok.YES


def test_an_undo_takes_the_edit_back() -> None:
    edited = call("str_replace_editor", command="str_replace", path="/w/a.py", old_str="a", new_str="b")
    undo = call("str_replace_editor", command="undo_edit", path="/w/a.py")
    data = document(
        step(1, edited, observation=observed("The file /w/a.py has been edited. ")),
        step(2, undo, observation=observed("Last edit to /w/a.py undone successfully. ")),
        agent="openhands",
    )
    assert whole(rebuilt(READER, encode(data), a_py=b"a\n")) == {"a.py": b"a\n"}


def test_agents_without_function_calling() -> None:
    said = 'So {"analysis": "", "plan": "", "commands": [{"keystrokes": "ls\\n"}, {"keystrokes": "pwd\\n"}]}'
    (first, second) = calls(
        READER, encode(document(step(1, message=said, observation=observed("x", None)), agent="terminus-2"))
    )
    assert [one.commands[0].text for one in (first, second)] == ["ls", "pwd"]
    assert (first.observation, second.observation, first.message, second.message) == ("", "x", said, "")
    answer = observed("<returncode>1</returncode>\n<output>\nx\n</output>", None)
    mini = document(step(1, message="```bash\nls\n```", observation=answer), agent="mini-swe-agent")
    (ran,) = calls(READER, encode(mini))
    assert (ran.commands[0].text, ran.commands[0].exit_code, ran.ok) == ("ls", 1, Ok.NO)


def test_the_outcome_is_unknown_where_the_converter_cannot_say_it() -> None:
    made = call("replace", file_path="/w/a.py", old_string="a", new_string="b")
    data = encode(document(step(1, made, observation=observed(None)), agent="gemini-cli"))
    done = rebuilt(READER, data, a_py=b"a\n")
    assert (done.tree.read("a.py"), [edit.unknown for edit in done.applied]) == (b"b\n", [True])


def test_copied_context_is_left_out() -> None:
    data = document(step(1, EDIT, is_copied_context=True, observation=observed("ok")), step(2, message="x"))
    found = told(READER, encode(data))
    assert [one.message for one in found.steps] == ["x"]
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("1 steps are copied from an earlier recording, and left out here", False)
    ]


def reference(**ref: Any) -> dict[str, Any]:
    return {"results": [{"source_call_id": "c", "content": "done", "subagent_trajectory_ref": [ref]}]}


def test_embedded_sub_agents_work_where_they_are_referred_to() -> None:
    inner = document(step(1, EDIT, observation=observed("ok")), trajectory_id="i")
    task = step(1, call("Task", subagent_type="writer"), observation=reference(trajectory_id="i"))
    after = step(2, call("Edit", file_path="/w/a.py", old_string="b", new_string="c"), observation=observed("ok"))
    data = encode(document(task, after, subagent_trajectories=[inner]))
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"c\n"}
    assert [(one.number, one.tool, one.agent) for one in calls(READER, data)] == [
        (1, "Task", ""),
        (2, "Edit", "i"),
        (3, "Edit", ""),
    ]


def test_sub_agents_that_are_not_here_are_said() -> None:
    task = step(1, call("Task", subagent_type="writer"), observation=reference(trajectory_path="sub.json"))
    summary = step(
        2, source="system", observation={"results": [{"subagent_trajectory_ref": [{"trajectory_path": "sum.json"}]}]}
    )
    found = told(READER, encode(document(task, summary, continued_trajectory_ref="next.json")))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("the recording of a sub-agent (sub.json) is not here, with any edit it made", True),
        ("the recording of a sub-agent (sum.json) is not here", False),
        ("the recording goes on in 'next.json', which is not here", True),
    ]
    assert [one.lost and one.lost.kind for one in found.steps] == ["sub_agent"]


def test_sub_agents_that_nobody_refers_to_come_last() -> None:
    inner = document(step(1, EDIT, observation=observed("ok")), trajectory_id="i")
    found = told(READER, encode(document(step(1, message="x"), subagent_trajectories=[inner])))
    assert [(one.tool, one.agent) for one in found.steps] == [("", ""), ("Edit", "i")]
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("no result refers to the sub-agent 'i'; its steps are put last", True)
    ]


def test_breaches_are_said_the_grave_ones_first() -> None:
    data = document(step(1, EDIT, EDIT, odd=1, observation=observed("ok")), step(7), odd=1)
    found = told(READER, encode(data))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("steps[0].tool_calls[1].tool_call_id: 'c' stands twice in this step; whose result is whose?", True),
        ("steps[1].step_id: expected 2, found the number 7", True),
        ("the document: 'odd' is no key of ATIF there", False),
        ("steps[0]: 'odd' is no key of ATIF there", False),
    ]
    assert [one.ok for one in found.steps if one.tool] == [Ok.UNKNOWN, Ok.UNKNOWN]
    many = told(READER, encode(document(*(step(n, odd=1, message="x") for n in range(1, 31)))))
    assert [part.reason for part in many.dropped[-2:]] == [
        "steps[19]: 'odd' is no key of ATIF there",
        "it breaks ATIF's rules in 10 more places",
    ]


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        (document(step(1)) | {"schema_version": "ATIF-v1.9"}, "x: schema_version: expected ATIF-v1.0 to ATIF-v1.8, found the text 'ATIF-v1.9'"),
        (document(), "x: steps: expected a list with at least one step, found none"),
        (document() | {"steps": 5}, "x: steps: expected a list with at least one step, found none"),
    ],
)  # fmt: skip
def test_what_it_refuses(recorded: Any, message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        READER.read(Recording(encode(recorded), "x"))
    assert caught.value.message == message


def test_calls_that_do_not_say_what_they_did() -> None:
    def only(made: Any, answer: str = "ok") -> Step:
        (one,) = calls(READER, encode(document(step(1, made, observation=observed(answer)))))
        return one

    one = only(EDIT | {"arguments": "{}"})
    assert one.lost is not None
    assert one.lost.reason == "arguments: expected an object, found the text '{}'"
    assert only(call("Edit", file_path="/w/a.py"), "no\n[error] tool reported failure").lost is None
    unknown = only(call("mcp__files__put", path="/w/a.py"))
    assert (unknown.known, unknown.names) == (False, ("/w/a.py",))


@pytest.mark.parametrize(("agent", "unverified"), [("goose", True), ("cursor-cli", True), ("codex", False)])
def test_agents_whose_reader_has_seen_no_real_edit(agent: str, unverified: bool) -> None:
    assert told(READER, encode(document(step(1, message="x"), agent=agent))).unverified is unverified


@pytest.mark.parametrize(
    ("more", "directory", "start"),
    [
        ({"extra": {"cwd": "/x", "git": {"commit_hash": "a" * 40}}}, "/x", "a" * 40),
        ({"extra": {"working_directory": "/y", "start_commit": "b" * 40}}, "/y", "b" * 40),
        ({"extra": {"start_commit": "HEAD"}}, "/app", None),
    ],
)
def test_where_it_worked_and_from_what(more: dict[str, Any], directory: str, start: str | None) -> None:
    ran = step(1, call("execute_bash", command="ls"), observation=observed("x\n[Current working directory: /app]\n"))
    data = document(ran, agent="openhands")
    data["agent"] = {"name": "openhands", "version": "1"} | more
    found = told(READER, encode(data))
    assert (found.directory, found.start) == (directory, start)


def test_survives_whatever_stands_in_it() -> None:
    task = step(1, call("Task"), observation=reference(trajectory_id="i"), metrics={"cost_usd": 1}, extra={"cwd": "/w"})
    survives(READER, [document(task)], document=True)
    inner = document(step(1, EDIT, observation=observed("ok")), trajectory_id="i")
    survives(
        READER, [{"schema_version": "ATIF-v1.7", "steps": [step(1)], "subagent_trajectories": [inner]}], document=True
    )
    action = call("swe_agent_action", raw_action="edit 1:1\nb\nend_of_edit")
    survives(READER, [document(step(1, action, observation=observed("x")), agent="swe-agent")], document=True)


# Calls of tools, edits, failed edits and commands in each document.
COUNTS = {
    "harbor-tool-edit.jsonl.atif.json": (1, 1, 0, 0),
    "harbor-tool-write.jsonl.atif.json": (1, 1, 0, 0),
    "hello-world-context-summarization-linear-history.trajectory.json": (3, 0, 0, 3),
    "hello-world-context-summarization.trajectory.json": (7, 0, 0, 5),
    "hello-world-invalid-json.trajectory.json": (3, 0, 0, 1),
    "hello-world-timeout.trajectory.json": (3, 0, 0, 3),
    "hello-world.trajectory.json": (2, 1, 0, 0),
    "hello-world.trajectory.no_function_calling.json": (2, 0, 0, 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_reads_what_is_recorded(cases: Path, name: str) -> None:
    steps = calls(READER, (cases / "atif" / name).read_bytes())
    edits = [one for one in steps if one.edits]
    failed = [one for one in edits if one.ok is Ok.NO]
    assert (len(steps), len(edits), len(failed), sum(len(one.commands) for one in steps)) == COUNTS[name]
    assert not [one for one in steps if one.lost or not one.known]
