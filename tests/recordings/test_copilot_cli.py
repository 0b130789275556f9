"""Copilot CLI's sessions: the diff that a result shows goes before the call."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gate.recording import Recording, Sample
from gate.recordings.copilot_cli import CopilotCLI
from gate.trajectory import Command, Lost, Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = CopilotCLI()
ROOT = "/home/u/project"
CONTEXT = {"cwd": ROOT, "gitRoot": ROOT, "headCommit": "c0ffee", "repository": "u/project"}
AB = b"a\nb\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-b\n+x\n*** End Patch\n"


def event(kind: str, **more: Any) -> dict[str, Any]:
    data, head = more, {}
    if "agentId" in data:
        head["agentId"] = data.pop("agentId")
    return {"type": kind, "data": data, "id": data.pop("key", "e"), "timestamp": "t", "parentId": None} | head


def start(**more: Any) -> dict[str, Any]:
    told_ = {"sessionId": "s", "copilotVersion": "1.0.64", "selectedModel": "gpt", "context": CONTEXT} | more
    return event("session.start", **told_)


def call(tool: str, arguments: Any, key: str = "1", **more: Any) -> dict[str, Any]:
    return event("tool.execution_start", toolCallId=key, toolName=tool, arguments=arguments, **more)


def done(key: str = "1", *, diff: str = "", success: Any = True, text: str = "done", **more: Any) -> dict[str, Any]:
    result = {"content": text} | ({"detailedContent": diff} if diff else {})
    return event("tool.execution_complete", toolCallId=key, success=success, result=result, **more)


def edit(path: str = "a.py", old: str = "b", new: str = "x", **more: Any) -> dict[str, Any]:
    return call("edit", {"path": f"{ROOT}/{path}", "old_str": old, "new_str": new}, **more)


def shown(*hunk: str, path: str = "a.py", head: str = "@@ -1,3 +1,3 @@") -> str:
    """A diff as Copilot shows it: whole paths, and the nothing after the last line is a line too."""
    name = f"{ROOT}/{path}"
    top = f"\ndiff --git a{name} b{name}\nindex 0000000..0000000 100644\n--- a{name}\n+++ b{name}\n{head}\n"
    return top + "".join(f"{line}\n" for line in hunk)


AX = shown(" a", "-b", "+x", " ")


@pytest.mark.parametrize(
    ("asked", "result"),
    [
        pytest.param(edit(), done(), id="the call alone"),
        pytest.param(edit(old="?", new="?"), done(diff=AX), id="the diff goes first"),
        pytest.param(edit(), done(diff="no diff"), id="a diff that cannot be read"),
        pytest.param(edit(), done(diff="@@ what"), id="a broken diff"),
        pytest.param(edit(), done(diff=shown("-b", "+y", path="b.py", head="@@ -2 +2 @@")), id="another file's diff"),
        pytest.param(call("create", {"path": f"{ROOT}/a.py", "file_text": "a\nx\n"}), done(), id="create"),
        pytest.param(call("str_replace", {"path": "a.py", "old_str": "b", "new_str": "x"}), done(), id="an older name"),
        pytest.param(
            call("str_replace_editor", {"command": "str_replace", "path": "a.py", "old_str": "b", "new_str": "x"}),
            done(),
            id="the oldest name",
        ),
        pytest.param(call("apply_patch", PATCH), done(), id="a patch as text"),
        pytest.param(call("apply_patch", {"input": PATCH}), done(diff=AX), id="a patch with its diff"),
        pytest.param(call("apply_patch", json.dumps({"input": PATCH})), done(), id="a patch in JSON"),
        pytest.param(
            call("apply_patch", PATCH.replace("-b", "-?")), done(diff=AX), id="a patch of which the diff goes first"
        ),
    ],
)
def test_edits(asked: dict[str, Any], result: dict[str, Any]) -> None:
    assert whole(rebuilt(READER, lines(start(), asked, result), a_py=AB)) == {"a.py": b"a\nx\n"}


@pytest.mark.parametrize(
    ("tool", "arguments", "after"),
    [
        pytest.param("insert", {"path": "a.py", "insert_line": 1, "new_str": "i"}, b"a\ni\nb\n", id="insert"),
        pytest.param("edit", {"path": "a.py", "old_str": "a\n"}, b"b\n", id="nothing instead"),
        pytest.param("str_replace_editor", {"command": "view", "path": "a.py"}, AB, id="a look"),
    ],
)
def test_other_edits(tool: str, arguments: Any, after: bytes) -> None:
    assert whole(rebuilt(READER, lines(start(), call(tool, arguments), done()), a_py=AB)) == {"a.py": after}


def test_a_patch_of_several_files() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: n\n+n\n*** Delete File: o\n*** Update File: a.py\n*** Move to: b.py\n@@\n-?\n+?\n"
        "*** Update File: c\n@@\n-c\n+d\n*** End Patch"
    )
    diff = (
        AX + shown("-o", "+", path="o", head="@@ -1 +1 @@") + shown("-c", "+e", " ", path="c", head="@@ -1,2 +1,2 @@")
    )
    data = lines(start(), call("apply_patch", patch), done(diff=diff))
    assert whole(rebuilt(READER, data, a_py=AB, c=b"c\n", o=b"o\n")) == {"b.py": b"a\nx\n", "c": b"e\n", "n": b"n\n"}


def test_a_diff_out_of_place_gives_way_to_the_call() -> None:
    assert whole(rebuilt(READER, lines(start(), edit(), done(diff=AX)), a_py=b"new\na\nb\n")) == {
        "a.py": b"new\na\nx\n"
    }


def test_success_and_commands() -> None:
    data = lines(
        start(),
        edit(key="1"),
        event("tool.execution_complete", toolCallId="1", success=False, error={"code": "denied", "message": "no"}),
        edit(key="2"),
        event("tool.execution_complete", toolCallId="2", success=False, error="gone"),
        edit(key="3"),
        call("bash", {"command": "make"}, key="4"),
        done("4", text="bad\n<exited with exit code 2>"),
        call("bash", {"command": "ls"}, key="5"),
        done("5", text="<shellId: 1 completed with exit code 0>"),
        call("powershell", {"command": "dir"}, key="6"),
        done("6", shellExecution={"exitCode": 3}),
        call("write_bash", {"shellId": "1", "input": "y{enter}"}, key="7"),
        done("7"),
        call("view", {"path": "a.py"}, key="8"),
        done("8", success=None),
        call("github-mcp-server-get_file_contents", {"path": "a.py"}, key="9"),
        done("9"),
        call("lsp_rename", {"path": "a.py"}, key="10"),
        done("10"),
    )
    found = calls(READER, data)
    assert [(step.tool, step.ok, step.known, step.names) for step in found] == [
        ("edit", Ok.NO, True, ()),
        ("edit", Ok.NO, True, ()),
        ("edit", Ok.UNKNOWN, True, ()),
        ("bash", Ok.NO, True, ()),
        ("bash", Ok.YES, True, ()),
        ("powershell", Ok.NO, True, ()),
        ("write_bash", Ok.YES, True, ()),
        ("view", Ok.UNKNOWN, True, ()),
        ("github-mcp-server-get_file_contents", Ok.YES, True, ()),
        ("lsp_rename", Ok.YES, False, ("a.py",)),
    ]
    assert [step.observation for step in found[:2]] == ["no", "gone"]
    assert [(command.text, command.exit_code) for step in found for command in step.commands] == [
        ("make", 2),
        ("ls", 0),
        ("dir", 3),
        ("y{enter}", None),
    ]
    assert found[3].commands == (
        Command(text="make", directory=ROOT, exit_code=2, output="bad\n<exited with exit code 2>"),
    )


def test_what_the_session_says_of_itself() -> None:
    request = {"toolCallId": "1", "name": "edit", "arguments": {"path": "a.py", "old_str": "?", "new_str": "?"}}
    later = {"toolCallId": "2", "name": "view", "arguments": {"path": "a.py"}}
    data = lines(
        start(),
        event("user.message", content="do it"),
        event("user.message", content="injected", source="skill-x"),
        event("assistant.message", content="I will", model="gpt-5", toolRequests=[request, later], outputTokens=7),
        event("hook.start", input={}),
        edit(),
        done(),
        call("view", {"path": "a.py"}, key="2"),
        done("2"),
        event("session.model_change", newModel="other"),
        event("assistant.message", content="Done", toolRequests=[]),
    )
    found = told(READER, data)
    assert (found.agent, found.model, found.directory, found.start) == ("copilot 1.0.64", "gpt", ROOT, "c0ffee")
    assert found.unverified
    steps = list(found.steps)
    assert [(step.source, step.message, step.tool, step.tokens_out, step.turn) for step in steps] == [
        ("user", "do it", "", None, 1),
        ("agent", "I will", "edit", 7, 1),
        ("agent", "", "view", None, 1),
        ("agent", "Done", "", None, 1),
    ]
    assert steps[1].arguments["old_str"] == "b"  # what a hook made of the request is what ran
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}


def test_a_session_that_moves() -> None:
    write = {"path": "a.py", "file_text": "x"}
    data = lines(
        start(context=CONTEXT | {"cwd": f"{ROOT}/sub"}),
        call("create", write),
        done(),
        event("session.context_changed", **CONTEXT | {"cwd": "/home/u/tree", "gitRoot": "/home/u/tree"}),
        call("create", {"path": "/home/u/tree/b.py", "file_text": "y"}, key="2"),
        done("2"),
        event("session.resume", context={"cwd": "/elsewhere"}),
    )
    found = told(READER, data)
    assert (found.directory, found.roots) == (ROOT, ("/home/u/tree",))
    assert whole(rebuilt(READER, data)) == {"sub/a.py": b"x", "b.py": b"y"}


@pytest.mark.parametrize("by", [{"parentToolCallId": "t"}, {"agentId": "g"}])
def test_a_sub_agent_in_the_same_file(by: dict[str, str]) -> None:
    data = lines(
        start(),
        call("task", {"agent_type": "general-purpose"}, key="t"),
        event("subagent.started", toolCallId="t", agentName="general-purpose", agentId="g"),
        event("user.message", content="the task", **by),
        edit(**by),
        done(diff=AX, **by),
        done("t"),
    )
    found = calls(READER, data)
    assert [(step.tool, step.agent, step.lost) for step in found] == [
        ("task", "", None),
        ("edit", "general-purpose", None),
    ]
    assert [step.source for step in told(READER, data).steps] == ["agent", "agent"]
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}


def test_a_sub_agent_that_is_not_here() -> None:
    tasks = [{"agent_type": "general-purpose"}, {"agent_type": "explore"}, {"agent_type": "general-purpose"}]
    asked = [part for key, task in enumerate(tasks) for part in (call("task", task, str(key)), done(str(key)))]
    asked[-1] = done("2", success=False)
    reason = "no call of its sub-agent general-purpose is recorded here, with any edit it made"
    assert [step.lost for step in calls(READER, lines(start(), *asked))] == [Lost(reason, "sub_agent"), None, None]


def test_a_command_that_a_person_typed() -> None:
    asked = event("tool.user_requested", toolCallId="1", toolName="bash", arguments={"command": "make"})
    (step,) = calls(READER, lines(start(), asked, call("bash", {"command": "make"}), done()))
    assert (step.source, step.commands[0].text) == ("user", "make")


BACK = event("session.snapshot_rewind", upToEventId="e1", eventsRemoved=2)


def session(version: str, back: dict[str, Any]) -> bytes:
    return lines(
        start(copilotVersion=version),
        event("user.message", content="x", key="e1"),
        edit(),
        done(),
        back,
        edit(new="y", key="2"),
        done("2"),
        back,
    )


def test_going_back_takes_steps_back() -> None:
    assert [step.undone for step in calls(READER, session("1.0.64", BACK))] == [True, True]
    data = session("1.0.64", BACK)
    assert whole(rebuilt(READER, data[: data.rindex(b"\n", 0, -1) + 1], a_py=AB)) == {"a.py": b"a\ny\n"}


def test_going_back_to_what_is_not_here() -> None:
    back = event("session.snapshot_rewind", upToEventId="gone", eventsRemoved=2)
    assert [step.undone for step in calls(READER, session("1.0.64", back))] == [False, False]
    assert told(READER, session("1.0.64", back)).dropped == ()


@pytest.mark.parametrize("version", ["1.0.78", "2.0.0", ""])
def test_going_back_may_leave_the_files(version: str) -> None:
    first, _ = told(READER, session(version, BACK)).dropped
    reason = "line 5: a person went back to an earlier event; it is not recorded whether files went back too"
    assert (first.reason, first.grave) == (reason, True)


def test_an_older_session_inside() -> None:
    (part,) = told(READER, lines(start(), event("session.import_legacy", legacySession={}))).dropped
    assert part.reason == "line 2 holds an older session in another form, which this reader does not know"
    assert part.grave


@pytest.mark.parametrize(
    ("line", "grave"),
    [
        pytest.param(b'{"type": "tool.execution_start",\n', True, id="a call"),
        pytest.param(b'{"type": "session.usage_info",\n', True, id="the session"),
        pytest.param(b'{"type": "hook.start",\n', False, id="a hook"),
        pytest.param(b'{"type": "ho', True, id="broken off"),
    ],
)
def test_lines_that_cannot_be_read(line: bytes, grave: bool) -> None:
    (part,) = told(READER, lines(start()) + line).dropped
    assert part.grave is grave


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        pytest.param("edit", {"path": "a"}, "arguments.old_str: expected text, found nothing", id="no text"),
        pytest.param("edit", "{", "arguments.path: expected text, found nothing", id="no JSON"),
        pytest.param(
            "insert",
            {"path": "a", "new_str": "x"},
            "arguments.insert_line: expected a number, found nothing",
            id="no line",
        ),
        pytest.param("bash", {}, "arguments.command: expected text, found nothing", id="no command"),
        pytest.param(
            "str_replace_editor",
            {"command": "undo_edit", "path": "a"},
            "arguments.command: expected what to do, found the text 'undo_edit'",
            id="an unknown command",
        ),
        pytest.param(
            "apply_patch",
            "?",
            "the patch cannot be read: expected it to begin with '*** Begin Patch' and to end with '*** End Patch'",
            id="no patch",
        ),
    ],
)
def test_calls_that_do_not_say_what_they_did(tool: str, arguments: Any, reason: str) -> None:
    (step,) = calls(READER, lines(start(), call(tool, arguments), done()))
    assert step.lost == Lost(reason, step.lost.kind if step.lost else "")


def test_calls_without_an_id_stay_apart() -> None:
    asked = call("view", {"path": "a"}, key="")
    del asked["data"]["toolCallId"]
    asked["data"]["toolCallId"] = ""
    assert len(calls(READER, lines(start(), asked, asked))) == 2


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"type": "session.start", "data": {"copilotVersion": "1"}}, id="no id"),
        pytest.param({"type": "session.start", "data": {}, "id": "1", "parentId": None}, id="another agent's start"),
        pytest.param({"type": "user.message", "data": "x", "id": "1", "parentId": None}, id="no data"),
        pytest.param({"type": "tool.x", "data": {}, "id": "1", "parentId": None}, id="no call"),
    ],
)
def test_not_known(record: Any) -> None:
    assert not READER.recognises(Sample(Recording(lines(record))))


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([start(), BACK, event("session.context_changed", cwd="/x")], id="session"),
        pytest.param([edit(), done(diff=AX)], id="edit"),
        pytest.param([call("apply_patch", PATCH), done(diff=AX, agentId="g")], id="patch"),
        pytest.param([call("bash", {"command": "ls"}), done(shellExecution={"exitCode": 1})], id="bash"),
        pytest.param(
            [
                event("assistant.message", content="x", toolRequests=[{"toolCallId": "1", "name": "task"}]),
                event("subagent.started", toolCallId="1", agentName="a", agentId="g"),
            ],
            id="task",
        ),
    ],
)
def test_broken_recordings(records: list[Any]) -> None:
    survives(READER, records)


# Counts by other people's parsers; they agree. No public session with edits could be collected.
def test_real_sessions(cases: Path) -> None:
    with (cases / "recordings" / "INDEX.tsv").open() as file:
        index = [row for row in csv.DictReader(file, delimiter="\t") if row["format"] == "copilot-cli"]
    assert len(index) == 2
    for row in index:
        path = cases / "recordings" / "copilot-cli" / row["file"]
        found = READER.read(Recording(path.read_bytes(), path.name))
        steps = list(found.steps)
        assert sum(bool(step.tool) for step in steps) == int(row["tool_steps"])
        assert [step.source for step in steps] == ["user", "agent"]
        assert (found.agent, found.start) == ("copilot 1.0.64-1", "2de577249fd743b468824e1326b8603a00792511")
        assert found.dropped == ()
