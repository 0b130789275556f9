"""Codex's rollouts: patches in every shape that versions gave them, and what came of each."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gate.editing.edit import Move, Write
from gate.editing.unified import Diffed
from gate.recording import Recording, Sample
from gate.recordings.codex_rollout import CodexRollout
from gate.replay import replay
from gate.trajectory import Command, Lost, Ok
from gate.tree import MemoryTree
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = CodexRollout()
ROOT = "/home/u/project"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-b\n+x\n*** End Patch\n"
DIFF = {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n a\n-b\n+x\n", "move_path": None}
AB = b"a\nb\n"


def line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "t", "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    payload = {"id": "s", "timestamp": "t", "cwd": ROOT, "originator": "codex-tui", "cli_version": "0.125.0"}
    return line("session_meta", payload | {"git": {"commit_hash": "c" * 40, "branch": "main"}} | more)


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return line("response_item", {"type": kind, **payload})


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **payload})


def patch(text: str = PATCH, key: str = "c1") -> dict[str, Any]:
    return item("custom_tool_call", status="completed", call_id=key, name="apply_patch", input=text)


def function(name: str, arguments: Any, key: str = "c1", **more: Any) -> dict[str, Any]:
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id=key, **more)


def script(source: str, key: str = "c1") -> dict[str, Any]:
    return item("custom_tool_call", status="completed", call_id=key, name="exec", input=source)


def output(
    text: Any = "Exit code: 0\nWall time: 0 seconds\nOutput:\nok\n", key: str = "c1", kind: str = "custom_tool"
) -> Any:
    return item(f"{kind}_call_output", call_id=key, output=text)


def patched(success: bool = True, key: str = "c1", changes: Any = None, **more: Any) -> dict[str, Any]:
    changes = {f"{ROOT}/a.py": DIFF} if changes is None else changes
    outcome = {"call_id": key, "success": success, "changes": changes, "stdout": "", "stderr": ""}
    return event("patch_apply_end", **(outcome | more))


def told_lines(*records: Any) -> bytes:
    return lines(meta(), *records)


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([patch(), patched(), output()], id="a tool of its own"),
        pytest.param([patch(), output()], id="without an outcome"),
        pytest.param([patch(), patched()], id="without an answer"),
        pytest.param([patch(PATCH.replace("a.py", f"{ROOT}/a.py")), patched(), output()], id="an absolute path"),
        pytest.param([function("apply_patch", {"input": PATCH}), output(kind="function")], id="a function"),
        pytest.param(
            [function("shell", {"command": ["apply_patch", PATCH], "workdir": ROOT}), output(kind="function")],
            id="a command of two words",
        ),
        pytest.param(
            [
                function("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF\n"]}),
                output(kind="function"),
            ],
            id="a heredoc for bash",
        ),
        pytest.param(
            [
                function("exec_command", {"cmd": f"cd . && apply_patch <<'EOF'\n{PATCH}EOF"}),
                patched(),
                output(kind="function"),
            ],
            id="a heredoc with its outcome",
        ),
        pytest.param(
            [
                function("exec_command", {"cmd": f"applypatch <<EOF\n{PATCH}EOF", "workdir": "sub/.."}),
                output(kind="function"),
            ],
            id="the other name, and a folder",
        ),
        pytest.param(
            [
                item(
                    "local_shell_call",
                    call_id="c1",
                    status="completed",
                    action={"type": "exec", "command": ["zsh", "-lc", f"apply_patch <<'EOF'\n{PATCH}EOF"]},
                ),
                output(kind="function"),
            ],
            id="the model's own shell",
        ),
        pytest.param(
            [script(f"text(await tools.apply_patch({json.dumps(PATCH)}))"), output("Script completed\n")], id="a script"
        ),
        pytest.param(
            [
                script("const p = [make(), ''].join('\\n'); await tools.apply_patch(p)"),
                patched(key="exec-1"),
                output([{"type": "input_text", "text": "Script completed\nOutput:\n"}]),
            ],
            id="a script whose patch only its outcome shows",
        ),
        pytest.param([patched(key="exec-1")], id="an outcome whose call is not there"),
        pytest.param(
            [
                event(
                    "item_completed",
                    item={"type": "FileChange", "id": "i", "changes": {f"{ROOT}/a.py": DIFF}, "status": "completed"},
                )
            ],
            id="a completed item",
        ),
    ],
)
def test_shapes_of_a_patch(records: list[Any]) -> None:
    assert whole(rebuilt(READER, told_lines(*records), a_py=AB)) == {"a.py": b"a\nx\n"}


def test_the_first_version() -> None:
    context = f"<environment_context>\n  <cwd>{ROOT}</cwd>\n</environment_context>"
    data = lines(
        {"id": "s", "timestamp": "t", "instructions": None, "git": {"commit_hash": "c" * 40}},
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": context}]},
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": "do it"}]},
        {"type": "reasoning", "summary": []},
        {
            "type": "function_call",
            "name": "shell",
            "arguments": json.dumps({"command": ["apply_patch", PATCH.replace("a.py", f"{ROOT}/a.py")]}),
            "call_id": "c1",
        },
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"Done!","metadata":{"exit_code":0}}'},
    )
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}
    found = told(READER, data)
    assert (found.start, found.directory) == ("c" * 40, ROOT)
    assert [(step.source, step.turn, step.message or step.observation) for step in found.steps] == [
        ("user", 1, "do it"),
        ("agent", 1, "Done!"),
    ]


@pytest.mark.parametrize(
    ("records", "ok"),
    [
        pytest.param([patched(False), output("Exit code: 1\nOutput:\nno")], Ok.NO, id="an outcome"),
        pytest.param([patched(False, status="declined"), output("patch rejected by user")], Ok.NO, id="declined"),
        pytest.param([output("apply_patch verification failed: Failed to find context")], Ok.NO, id="not verified"),
        pytest.param([output("Exit code: 1\nWall time: 0 seconds\nOutput:\nFailed\n")], Ok.NO, id="an exit code"),
        pytest.param([output('{"output":"no","metadata":{"exit_code":1}}')], Ok.NO, id="an exit code in json"),
        pytest.param([output({"content": "no", "success": False})], Ok.NO, id="a flag"),
        pytest.param([output({"content": "Done", "success": True})], Ok.YES, id="a flag for success"),
        pytest.param([output("aborted by user after 3.1s")], Ok.NO, id="aborted"),
        pytest.param([], Ok.UNKNOWN, id="no answer"),
        pytest.param([event("turn_aborted", reason="interrupted")], Ok.UNKNOWN, id="the turn was aborted"),
    ],
)
def test_success(records: list[Any], ok: Ok) -> None:
    (step,) = calls(READER, told_lines(patch(), *records))
    assert step.ok is ok
    assert len(step.edits) == 1


def test_a_failed_patch_is_not_applied() -> None:
    done = rebuilt(READER, told_lines(patch(), output("apply_patch verification failed: no")), a_py=AB)
    assert (done.tree.read("a.py"), len(done.skipped), done.incomplete) == (AB, 1, ())


TWO = PATCH.replace("*** End Patch", "*** Update File: b.py\n@@\n-b\n+y\n*** Delete File: c.py\n*** End Patch")


@pytest.mark.parametrize(
    "records",
    [
        pytest.param(
            [
                patch(TWO),
                patched(False, changes={}, status="failed", stderr=f"Failed to read file to update {ROOT}/b.py: gone"),
                output("Exit code: 1\nOutput:\nFailed to read"),
            ],
            id="the tool",
        ),
        pytest.param(
            [
                function("exec_command", {"cmd": f"ls; apply_patch <<'EOF'\n{TWO}EOF"}),
                output("Exit code: 1\nOutput:\nFailed to find expected lines in b.py:\nb", kind="function"),
            ],
            id="the program in a script",
        ),
    ],
)
def test_a_patch_that_stops_part_way_leaves_the_files_before_changed(records: list[Any]) -> None:
    done = rebuilt(READER, told_lines(*records), a_py=AB, b_py=AB, c_py=AB)
    assert whole(done) == {"a.py": b"a\nx\n", "b.py": AB, "c.py": AB}
    assert [edit.path for edit in done.skipped] == ["b.py", "c.py"]


def test_the_outcome_goes_before_the_patch() -> None:
    """It says where the tool found the line, and what was there."""
    diff = {"type": "update", "unified_diff": "@@ -3 +3 @@\n-b \n+x\n"}
    data = told_lines(patch(), patched(changes={f"{ROOT}/a.py": diff}), output())
    assert whole(rebuilt(READER, data, a_py=b"b\na\nb \n")) == {"a.py": b"b\na\nx\n"}


def test_the_patch_counts_where_the_outcome_does_not_fit() -> None:
    data = told_lines(patch(), patched(), output())
    assert whole(rebuilt(READER, data, a_py=b"new\na\nb\n")) == {"a.py": b"new\na\nx\n"}


def test_a_file_that_one_patch_changes_twice_has_no_outcome_of_its_own() -> None:
    text = PATCH.replace("*** End Patch", "*** Update File: a.py\n@@\n-x\n+y\n*** End Patch")
    diff = {"type": "update", "unified_diff": "@@ -2 +2 @@\n-x\n+y\n"}
    data = told_lines(patch(text), patched(changes={f"{ROOT}/a.py": diff}), output())
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\ny\n"}


def test_outcomes_of_every_kind() -> None:
    changes = {
        f"{ROOT}/new.py": {"type": "add", "content": "n\n"},
        f"{ROOT}/old.py": {"type": "delete", "content": "o\n"},
        f"{ROOT}/a.py": DIFF | {"move_path": f"{ROOT}/b.py"},
        f"{ROOT}/c.py": {"type": "update", "unified_diff": "", "move_path": f"{ROOT}/d.py"},
        f"{ROOT}/e.py": {"type": "update", "unified_diff": "", "move_path": None},
    }
    data = told_lines(patched(changes=changes))
    done = rebuilt(READER, data, a_py=AB, old_py=b"o\n", c_py=b"c", e_py=b"e")
    assert whole(done) == {"b.py": b"a\nx\n", "d.py": b"c", "e.py": b"e", "new.py": b"n\n"}


@pytest.mark.parametrize(
    ("version", "after"),
    [
        pytest.param("0.125.0", b"a\nx\nc\r\n", id="wrote lf"),
        pytest.param("0.142.4-alpha.1", b"a\nx\nc\r\n", id="the last that did"),
        pytest.param("0.143.0", b"a\r\nx\r\nc\r\n", id="keeps them"),
        pytest.param("dev", b"a\r\nx\r\nc\r\n", id="not known"),
    ],
)
def test_line_ends_without_an_outcome(version: str, after: bytes) -> None:
    data = lines(meta(cli_version=version), patch(PATCH.replace("-b", " a\n-b")), output())
    assert whole(rebuilt(READER, data, a_py=b"a\r\nb\r\nc\r\n")) == {"a.py": after}


def test_an_outcome_keeps_line_ends_whatever_the_version() -> None:
    diff = {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n"}
    data = told_lines(patch(), patched(changes={f"{ROOT}/a.py": diff}), output())
    assert whole(rebuilt(READER, data, a_py=b"a\r\nb\r\n")) == {"a.py": b"a\r\nx\r\n"}


def test_a_heredoc_in_a_folder() -> None:
    data = told_lines(
        function("exec_command", {"cmd": f"cd sub/x && apply_patch <<'EOF'\n{PATCH}EOF"}), output(kind="function")
    )
    (step,) = calls(READER, data)
    assert [edit.path for edit in step.edits] == ["sub/x/a.py"]


def test_a_move_in_a_folder() -> None:
    text = PATCH.replace("a.py\n", "a.py\n*** Move to: b.py\n")
    asked = function("exec_command", {"cmd": f"cd sub && apply_patch <<'EOF'\n{text}EOF"})
    data = told_lines(asked, patched(changes={f"{ROOT}/sub/a.py": DIFF}), output(kind="function"))
    (edit,) = calls(READER, data)[0].edits
    assert isinstance(edit, Move)
    assert isinstance(edit.edit, Diffed)
    assert (edit.path, edit.to, edit.edit.path) == ("sub/a.py", "sub/b.py", "sub/a.py")


@pytest.mark.parametrize(
    ("command", "lost"),
    [
        pytest.param(
            f"ls; apply_patch <<EOF\n{PATCH.replace('+x', '+$x')}EOF",
            Lost("the shell may have changed the text of its patch", "shell_patch"),
            id="expanded",
        ),
        pytest.param(
            f"cd $DIR && apply_patch <<'EOF'\n{PATCH}EOF",
            Lost("the folder that its patch starts from is not known", "shell_patch"),
            id="a folder that is not known",
        ),
        pytest.param(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n*** End Patch\nEOF",
            Lost("the patch cannot be read: line 3: expected lines that change 'a.py', found its end", "patch_syntax"),
            id="no patch",
        ),
    ],
)
def test_a_patch_in_a_command_that_is_not_told(command: str, lost: Lost) -> None:
    (step,) = calls(READER, told_lines(function("exec_command", {"cmd": command}), output(kind="function")))
    assert (step.edits, step.lost) == ((), lost)


def test_commands() -> None:
    data = told_lines(
        function("exec_command", {"cmd": "make", "workdir": "sub"}, "c1"),
        output("Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 2\nOutput:\nbad\n", "c1", "function"),
        function("shell", {"command": ["bash", "-lc", "ls | wc"], "workdir": "/tmp"}, "c2"),
        event("exec_command_end", call_id="c2", exit_code=0, aggregated_output="3\n", status="completed"),
        output("Exit code: 0\nOutput:\n3\n", "c2", "function"),
        function("shell", {"command": ["git", "commit", "-m", "a b"]}, "c3"),
        output("exec command rejected by user", "c3", "function"),
        function("exec_command", {"cmd": "sleep 9"}, "c4"),
        output("Chunk ID: 2\nProcess running with session ID 7\nOutput:\n", "c4", "function"),
        function("write_stdin", {"session_id": 7, "chars": "y\n"}, "c5"),
        output("Process exited with code 0\nOutput:\nend\n", "c5", "function"),
        function("write_stdin", {"session_id": 7, "chars": ""}, "c6"),
    )
    found = calls(READER, data)
    assert [(step.ok, step.commands[0].text if step.commands else "") for step in found] == [
        (Ok.NO, "make"),
        (Ok.YES, "ls | wc"),
        (Ok.NO, "git commit -m 'a b'"),
        (Ok.UNKNOWN, "sleep 9"),
        (Ok.YES, "y\n"),
        (Ok.UNKNOWN, ""),
    ]
    assert [step.commands[0].directory for step in found[:4]] == [f"{ROOT}/sub", "/tmp", ROOT, ROOT]
    assert [step.commands[0].exit_code for step in found[:5]] == [2, 0, None, None, 0]
    assert found[1].commands[0].output == "3\n"


def test_a_command_of_which_only_its_outcome_is_there() -> None:
    ran = {"type": "CommandExecution", "id": "i", "command": ["/bin/zsh", "-lc", "make"], "cwd": f"file://{ROOT}/sub"}
    data = told_lines(event("item_completed", item=ran | {"exit_code": 1, "stdout": "bad", "status": "failed"}))
    (step,) = calls(READER, data)
    assert step.commands == (Command(text="make", directory=f"{ROOT}/sub", exit_code=1, output="bad"),)
    assert (step.tool, step.ok, step.observation) == ("exec_command", Ok.NO, "bad")


def test_the_calls_of_a_script() -> None:
    other = PATCH.replace("a.py", "b.py")
    source = (
        "const a = await tools.exec_command({cmd: 'ls', workdir: 'sub'});\n"
        f"await tools.apply_patch({json.dumps(PATCH)});\n"
        f"try {{ await tools.apply_patch({json.dumps(other)}); }} catch (e) {{ text(e) }}\n"
        "await tools.mcp__files__write({path: 'c.py'}); await tools.update_plan({plan: []});"
    )
    data = told_lines(script(source), patched(key="exec-1"), output("Script completed\nOutput:\n"))
    found = calls(READER, data)
    assert [(step.tool, step.ok, [edit.path for edit in step.edits]) for step in found] == [
        ("exec", Ok.YES, []),
        ("exec_command", Ok.UNKNOWN, []),
        ("apply_patch", Ok.YES, ["a.py"]),
        ("apply_patch", Ok.NO, ["b.py"]),  # the others have their outcome: this one was not made
        ("mcp__files__write", Ok.UNKNOWN, []),
        ("update_plan", Ok.UNKNOWN, []),
    ]
    assert found[1].commands == (Command(text="ls", directory=ROOT + "/sub"),)
    assert [step.known for step in found] == [True, True, True, True, False, True]
    assert found[4].names == ("c.py",)
    assert isinstance(found[2].edits[0], Diffed)


def test_commands_of_a_script_with_their_outcomes() -> None:
    source = f"await tools.apply_patch({{patch: {json.dumps(PATCH)}}}); await tools.exec_command({{cmd: list(n)}});"
    told_ = event("exec_command_end", call_id="exec-1", command=["bash", "-lc", "ls"], cwd="/w", exit_code=2)
    more = event("exec_command_end", call_id="exec-2", command=["make"], exit_code=0)
    found = calls(READER, told_lines(script(source), told_, more, output("Script completed\nOutput:\n")))
    assert [(step.tool, step.ok) for step in found] == [
        ("exec", Ok.YES),
        ("apply_patch", Ok.UNKNOWN),
        ("exec_command", Ok.NO),
        ("exec_command", Ok.YES),
    ]
    assert [(command.text, command.directory, command.exit_code) for step in found for command in step.commands] == [
        ("ls", "/w", 2),
        ("make", ROOT, 0),
    ]
    assert [edit.path for edit in found[1].edits] == ["a.py"]


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        pytest.param("Script failed\nOutput:\nScript error:\n…", Ok.NO, id="failed"),
        pytest.param("Script completed\nOutput:\n", Ok.UNKNOWN, id="ended"),
        pytest.param("Script running with cell ID 3\nOutput:\n", Ok.UNKNOWN, id="under way"),
        pytest.param(None, Ok.UNKNOWN, id="no answer"),
    ],
)
def test_a_patch_of_a_script_without_outcomes(said: str | None, ok: Ok) -> None:
    source = f"await tools.apply_patch({json.dumps(PATCH)})"
    found = calls(READER, told_lines(script(source), *([output(said)] if said else [])))
    assert [(step.tool, step.ok) for step in found][1:] == [("apply_patch", ok)]


def test_a_patch_that_only_running_the_script_would_tell() -> None:
    found = calls(READER, told_lines(script("await tools.apply_patch(make())"), output("Script completed\n")))
    reason = "the patch is put together by a script, and its outcome is not recorded"
    assert found[1].lost == Lost(reason, "script")


def test_outcomes_that_come_while_a_script_goes_on() -> None:
    data = told_lines(
        script("await tools.apply_patch(p)"),
        output("Script running with cell ID 3\nOutput:\n"),
        function("wait", {"cell_id": "3"}, "c2"),
        patched(key="exec-1"),
        output("Script completed\nOutput:\n", "c2", "function"),
    )
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}


def test_what_counts_once() -> None:
    forked = [meta(id="parent", cwd="/elsewhere"), patch(), output()]
    history = line("compacted", {"message": "…", "replacement_history": [patch()["payload"]]})
    data = told_lines(patch(), output(), *forked, history, event("thread_rolled_back", num_turns=1))
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}
    assert len(calls(READER, data)) == 1
    assert told(READER, data).directory == ROOT


def test_ids_that_were_blacked_out() -> None:
    data = told_lines(
        patch(key="REDACTED"),
        output(key="REDACTED"),
        patch(PATCH.replace("-b", "-x").replace("+x", "+y"), "REDACTED"),
        output("apply_patch verification failed", "REDACTED"),
    )
    assert [step.ok for step in calls(READER, data)] == [Ok.YES, Ok.NO]


def test_an_undo_leaves_the_replay_open() -> None:
    data = told_lines(patch(), output(), event("undo_completed", success=True, message="Undo complete."))
    done = rebuilt(READER, data, a_py=AB)
    assert done.incomplete == (
        "step 2 (line 4): a person had the files put back to a state that the recording does not hold",
    )


def test_a_sub_agent_leaves_the_replay_open() -> None:
    data = told_lines(function("spawn_agent", {"message": "do it"}), output('{"agent_id":"x"}', kind="function"))
    (step,) = calls(READER, data)
    assert step.lost == Lost("the recording of its sub-agent is another file, with any edit it made", "sub_agent")


def test_a_sub_agent_that_was_never_started() -> None:
    data = told_lines(function("spawn_agent", {"message": "do it"}), output("execution error: no", kind="function"))
    assert [(step.ok, step.lost) for step in calls(READER, data)] == [(Ok.NO, None)]


def test_the_rollout_of_a_sub_agent() -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1, "agent_nickname": "Boole"}}}
    assert [step.agent for step in calls(READER, lines(meta(source=spawned), patch(), output()))] == ["Boole"]
    assert [step.agent for step in calls(READER, lines(meta(source={"subagent": "review"}), patch()))] == ["review"]


def test_what_the_rollout_says_of_itself() -> None:
    data = told_lines(
        line("turn_context", {"cwd": "/home/u/.codex/worktrees/1f/project", "model": "gpt-5.4"}),
        event("user_message", message="do it"),
        item("message", role="user", content=[{"type": "input_text", "text": "do it"}]),
        item("message", role="assistant", content=[{"type": "output_text", "text": "I will"}]),
        patch(),
        output(),
        event("token_count", info=None),
        event(
            "token_count",
            info={
                "last_token_usage": {"input_tokens": 9, "output_tokens": 2},
                "total_token_usage": {"total_tokens": 11},
            },
        ),
    )
    found = told(READER, data)
    assert (found.agent, found.model, found.directory, found.start) == ("Codex 0.125.0", "gpt-5.4", ROOT, "c" * 40)
    assert found.roots == ("/home/u/.codex/worktrees/1f/project",)
    steps = list(found.steps)
    assert [(step.source, step.message, step.tool) for step in steps] == [
        ("user", "do it", ""),
        ("agent", "I will", ""),
        ("agent", "", "apply_patch"),
    ]
    assert [(step.tokens_in, step.tokens_out) for step in steps] == [(None, None), (None, None), (9, 2)]
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": b"a\nx\n"}


def test_tools_that_are_not_known() -> None:
    data = told_lines(
        function("write_note", {"path": "a.py"}, namespace="mcp__notes"),
        output("ok", kind="function"),
        item("novel_call", call_id="c2", arguments={"file": "b.py"}),
        item("web_search_call", status="completed", action={"type": "search"}),
    )
    assert [(step.tool, step.known, step.names, step.ok) for step in calls(READER, data)] == [
        ("mcp__notes.write_note", False, ("a.py",), Ok.YES),
        ("novel", False, ("b.py",), Ok.UNKNOWN),
        ("web_search", True, (), Ok.YES),
    ]


def test_lines_that_cannot_be_read() -> None:
    data = told_lines(patch(), output(), item("strange", a=1), item("strange", a=2), {"type": "novel", "payload": {}})
    data += b'noise\n{"timestamp":"t","type":"event_msg","payload":{"type":"agent_message"'
    assert [(part.line, part.grave, part.reason) for part in told(READER, data).dropped] == [
        (7, True, "line 7: it is no JSON at column 1 (Expecting value)"),
        (8, True, "line 8 breaks off: it is no JSON at column 70 (Expecting ',' delimiter)"),
        (4, False, "line 4 and 1 more are of the type 'strange', which this reader does not know"),
        (6, False, "line 6 is of the type 'novel', which this reader does not know"),
    ]


def test_a_result_whose_call_is_lost() -> None:
    (part,) = told(READER, told_lines(output(key="gone"))).dropped
    assert (part.grave, part.reason) == (True, "line 2 holds the result of 'gone', a call that is not there")


def test_arguments_that_are_no_json() -> None:
    broken = item("function_call", name="apply_patch", arguments='{"input', call_id="c1")
    (step,) = calls(READER, told_lines(broken, output("ok", kind="function")))
    assert step.lost == Lost("arguments: it is no JSON at column 2 (Unterminated string starting at)", "json")


SPAWNED = {"subagent": {"thread_spawn": {"agent_nickname": "x"}}}
USAGE = {"last_token_usage": {"input_tokens": 1}, "total_token_usage": {}}


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([patch(TWO), patched(changes={"a.py": DIFF, "b.py": {"type": "add"}}), output()], id="a patch"),
        pytest.param([patched(), output(key="exec-1"), event("token_count", info=USAGE)], id="an outcome"),
        pytest.param(
            [
                function("exec_command", {"cmd": f"apply_patch <<'EOF'\n{PATCH}EOF"}),
                event("exec_command_end", call_id="c1", exit_code=1, aggregated_output="x"),
                output([{"type": "input_text", "text": "x"}], "c1", "function"),
            ],
            id="a command",
        ),
        pytest.param(
            [
                script(f"tools.apply_patch({json.dumps(PATCH)})"),
                event("item_completed", item={"type": "FileChange", "id": "i", "changes": {"a.py": DIFF}}),
                event("user_message", message="m"),
            ],
            id="a script",
        ),
    ],
)
def test_broken_recordings(records: list[Any]) -> None:
    survives(READER, [meta(source=SPAWNED), *records, line("turn_context", {"cwd": ROOT, "model": "m"})])


# Counts by other people's parsers; they agree.
_COUNTS = ("tool_steps", "shell_steps", "edits", "failed_edits")


def test_real_rollouts(cases: Path) -> None:
    with (cases / "recordings" / "INDEX.tsv").open() as file:
        index = [row for row in csv.DictReader(file, delimiter="\t") if row["format"] == "codex-rollout"]
    assert len(index) == 5
    for row in index:
        path = cases / "recordings" / "codex-rollout" / row["file"]
        trajectory = READER.read(Recording(path.read_bytes(), path.name))
        steps = [step for step in trajectory.steps if step.tool]
        edits = [step for step in steps if step.edits]
        shells = [step for step in steps if step.tool in ("exec_command", "write_stdin")]
        counted = (len(steps), len(shells), len(edits), sum(step.ok is Ok.NO for step in edits))
        expected = [int(row[name]) for name in _COUNTS]
        # The index counts what is typed into a running process as no shell step.
        expected[1] += sum(step.tool == "write_stdin" for step in steps)
        assert list(counted) == expected, row["file"]
        assert trajectory.dropped == ()


# Why a file is not what the edits alone make of it: read in the recording, and in the diff to the commit.
_NOT_EXACT = {
    ("agentv-a57b22d8d4bd", ".pi/extensions/entire/index.ts"): "step 146 runs `biome check --write` on it: a formatter",
    ("git-sync-6857343fdac4", "go.mod"): "step 62 runs `go get`: a command",
    ("git-sync-6857343fdac4", "go.sum"): "step 62 runs `go get`: a command",
}
_CODEX_FILES = 38


def test_commits_of_codex_are_rebuilt(cases: Path) -> None:
    wrong, total = set(), 0
    for case in sorted((cases / "fidelity").iterdir()):
        recording = Recording((case / "recording.jsonl").read_bytes(), case.name)
        if not READER.recognises(Sample(recording)):
            continue
        before, after = _tree(case / "before"), _tree(case / "after")
        tree = replay(READER.read(recording), before).tree
        files = json.loads((case / "case.json").read_text())["files"]
        total += len(files)
        wrong |= {(case.name, path) for path in files if not tree.same(path, after)}
    assert (total, wrong) == (_CODEX_FILES, set(_NOT_EXACT))


def _tree(folder: Path) -> MemoryTree:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return MemoryTree({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})


def test_written_is_what_a_patch_adds() -> None:
    text = "*** Begin Patch\n*** Add File: n\n+curl x\n*** Update File: a.py\n-b\n+wget y\n*** End Patch"
    (step,) = calls(READER, told_lines(patch(text), patched(), output()))
    assert [edit.written for edit in step.edits] == [b"curl x\n", b"x\n"]  # the outcome's, where there is one
    assert isinstance(step.edits[0], Write)
