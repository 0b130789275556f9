"""Claude Code's recordings: what becomes of their lines."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.fidelity import explained, tree
from gate import recording
from gate.agents.claude import ClaudeReplace
from gate.explanation import Kind
from gate.recording import Recording, Sample
from gate.recordings.claude_code import ClaudeCode
from gate.replay import Replay, replay
from gate.trajectory import Command, Dropped, Ok, Step, Trajectory
from gate.tree import MemoryTree

Line = dict[str, Any]


class Session:
    """A session under the pen: every line follows the one before it unless it says otherwise."""

    def __init__(self, version: str = "2.1.50", cwd: str = "/repo") -> None:
        self.lines: list[Line] = []
        self._common = {"version": version, "cwd": cwd, "sessionId": "s", "isSidechain": False}

    def line(self, kind: str, *, parent: str | None = "", **more: Any) -> str:
        uuid = f"l{len(self.lines) + 1}"
        before = next((line["uuid"] for line in reversed(self.lines) if not line["isSidechain"]), None)
        line = self._common | {"type": kind, "uuid": uuid, "parentUuid": before if parent == "" else parent} | more
        self.lines.append(line)
        return uuid

    def prompt(self, text: str = "do it", **more: Any) -> str:
        return self.line("user", message={"role": "user", "content": text}, **more)

    def say(self, text: str, message: str = "m", **more: Any) -> str:
        content = [{"type": "text", "text": text}]
        return self.line("assistant", message={"id": message, "role": "assistant", "content": content}, **more)

    def call(self, key: str, tool: str, arguments: Any, message: str = "m", **more: Any) -> str:
        content = [{"type": "tool_use", "id": key, "name": tool, "input": arguments}]
        usage = more.pop("usage", None)
        told = {"id": message, "role": "assistant", "model": "claude-x", "content": content, "usage": usage}
        return self.line("assistant", message=told, **more)

    def result(self, key: str, content: Any = "ok", told: Any = None, **more: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": key, "content": content}
        if more.pop("failed", False):
            block["is_error"] = True
        return self.line("user", message={"role": "user", "content": [block]}, toolUseResult=told, **more)

    def write(self, path: str, content: str, **more: Any) -> None:
        key = f"c{len(self.lines)}"
        self.call(key, "Write", {"file_path": path, "content": content}, **more)
        self.result(key, told={"type": "create", "filePath": path, "content": content}, **more)

    @property
    def data(self) -> bytes:
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in self.lines)

    def read(self) -> Trajectory:
        return recording.read(self.data, "s.jsonl")

    def steps(self) -> list[Step]:
        return list(self.read().steps)

    def replay(self, **start: str) -> Replay:
        return replay(self.read(), MemoryTree({path: text.encode() for path, text in start.items()}))


def files(found: Replay) -> dict[str, str]:
    return {path: found.tree.read(path).decode() for path in found.tree.paths()}


def test_a_session() -> None:
    session = Session()
    session.prompt("Rename it.")
    session.say("I look first.")
    session.call(
        "1", "Bash", {"command": "git mv a b", "description": "x"}, usage={"input_tokens": 1, "output_tokens": 9}
    )
    session.result("1", "done", {"stdout": "done", "stderr": "warning", "interrupted": False}, timestamp="2026-01-01")
    session.call(
        "2", "Edit", {"file_path": "/repo/b", "old_string": "1", "new_string": "2"}, "m2", timestamp="2026-01-02"
    )
    session.result("2", "updated", {"filePath": "/repo/b", "oldString": "1", "newString": "2", "originalFile": "1\n"})
    session.say("Done.", "m3")
    found = session.read()
    assert (found.format, found.path, found.agent, found.model) == (
        "claude-code",
        "s.jsonl",
        "Claude Code 2.1.50",
        "claude-x",
    )
    assert (found.directory, found.roots, found.dropped) == ("/repo", (), ())
    prompt, command, edit, last = found.steps
    assert (prompt.source, prompt.message, prompt.turn, prompt.raw, prompt.line) == ("user", "Rename it.", 1, None, 1)
    assert command.commands == (Command(text="git mv a b", directory="/repo", exit_code=0, output="done\nwarning"),)
    assert (command.message, command.line, command.tokens_in, command.tokens_out) == ("I look first.", 3, 1, 9)
    assert (command.ok, command.observation, command.tool) == (Ok.YES, "done", "Bash")
    assert edit.edits == (ClaudeReplace(path="/repo/b", old=b"1", new=b"2", before=b"1\n"),)
    assert (edit.number, edit.line, edit.turn, edit.time, edit.directory) == (3, 5, 1, "2026-01-02", "/repo")
    assert edit.raw["name"] == "Edit"
    assert (last.message, last.tool, last.source) == ("Done.", "", "agent")


def test_steps_can_be_told_again() -> None:
    session = Session()
    session.write("/repo/a", "x")
    found = session.read()
    assert list(found.steps) == list(found.steps) != []


def test_results_come_out_of_order() -> None:
    session = Session()
    session.call("1", "Write", {"file_path": "/repo/a", "content": "1"})
    session.call("2", "Write", {"file_path": "/repo/a", "content": "2"})
    session.call("3", "Write", {"file_path": "/repo/a", "content": "3"})
    session.result("3", "<tool_use_error>no</tool_use_error>", "Error: no", failed=True, parent="l3")
    session.result("1", parent="l1")
    session.result("2", parent="l2")
    assert [(step.arguments["content"], step.ok) for step in session.steps()] == [
        ("1", Ok.YES),
        ("2", Ok.YES),
        ("3", Ok.NO),
    ]
    assert files(session.replay()) == {"a": "2"}


def test_tokens_are_the_message_s_and_counted_once() -> None:
    session = Session()
    usage = {"input_tokens": 1, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 2}
    session.call("1", "Read", {}, "m1", usage=usage)
    session.call("2", "Read", {}, "m1", usage=usage | {"output_tokens": 50})
    session.result("1")
    session.result("2")
    session.call("3", "Read", {}, "m2", usage={"input_tokens": 7, "output_tokens": 3})
    assert [(step.tokens_in, step.tokens_out) for step in session.steps()] == [(None, None), (111, 50), (7, 3)]


def test_prompts_begin_turns() -> None:
    session = Session()
    session.prompt("one")
    session.prompt("a rule", isMeta=True)
    session.say("a")
    session.prompt("[Request interrupted by user]")
    session.prompt("This session is being continued.", isCompactSummary=True)
    session.prompt("two")
    assert [(step.source, step.message, step.turn) for step in session.steps()] == [
        ("user", "one", 1),
        ("agent", "a", 1),
        ("user", "[Request interrupted by user]", 1),
        ("user", "two", 2),
    ]


@pytest.mark.parametrize(
    ("content", "told", "failed", "ok", "code", "output"),
    [
        pytest.param("Exit code 2\nboom", "Error: Exit code 2\nboom", True, Ok.NO, 2, "Exit code 2\nboom", id="failed"),
        pytest.param(
            "<tool_use_error>Sibling tool call errored</tool_use_error>", "x", True, Ok.NO, None, None, id="never ran"
        ),
        pytest.param(
            "", {"stdout": "a", "stderr": "", "interrupted": True}, False, Ok.UNKNOWN, None, "a", id="interrupted"
        ),
        pytest.param("running", {"backgroundTaskId": "b"}, False, Ok.YES, None, "running", id="in the background"),
        pytest.param([{"type": "text", "text": "a"}, {"type": "image"}], None, False, Ok.YES, 0, "a", id="in parts"),
        pytest.param("x" * 100_000, None, False, Ok.YES, 0, "x" * 65536, id="cut"),
    ],
)
def test_commands(content: Any, told: Any, failed: bool, ok: Ok, code: int | None, output: str | None) -> None:
    session = Session()
    session.call("1", "Bash", {"command": "c"})
    session.result("1", content, told, failed=failed)
    (step,) = session.steps()
    (command,) = step.commands
    assert (step.ok, command.exit_code) == (ok, code)
    assert command.output == (content if output is None else output)


def test_a_call_without_a_result_applies_where_it_fits() -> None:
    session = Session()
    session.call("1", "Edit", {"file_path": "/repo/a", "old_string": "1", "new_string": "2"})
    session.call("2", "Edit", {"file_path": "/repo/a", "old_string": "9", "new_string": "2"})
    found = session.replay(a="1")
    assert (files(found), found.incomplete) == ({"a": "2"}, ())
    assert [edit.unknown for edit in found.applied] == [True]
    assert len(found.skipped) == 1


def test_lines_of_a_resumed_session_count_once() -> None:
    session = Session()
    session.prompt()
    session.write("/repo/a", "x")
    session.lines += [line | {"sessionId": "t"} for line in session.lines]  # older versions copied them
    session.lines += [line | {"uuid": f"n{number}"} for number, line in enumerate(session.lines[1:3])]
    assert [step.tool for step in session.steps()] == ["", "Write"]
    assert len(session.replay().applied) == 1


def rewound(version: str) -> Session:
    session = Session(version)
    session.prompt("one")
    session.write("/repo/a", "1")
    fork = session.lines[-1]["uuid"]
    session.prompt("two")
    session.write("/repo/a", "2")
    session.write("/repo/b", "2")
    session.prompt("two, better", parent=fork)
    session.write("/repo/c", "3")
    return session


def test_what_was_rewound_is_not_applied() -> None:
    found = rewound("2.0.1").replay()
    assert files(found) == {"a": "1", "c": "3"}
    assert [(edit.path, edit.kind) for edit in found.skipped] == [("a", "rewound"), ("b", "rewound")]


def test_what_was_rewound_before_a_compaction_stays_so() -> None:
    session = rewound("2.0.1")
    last = session.lines[-1]["uuid"]
    session.line("system", subtype="compact_boundary", parent=None, logicalParentUuid=last)
    session.prompt("four")
    session.write("/repo/d", "4")
    assert files(session.replay()) == {"a": "1", "c": "3", "d": "4"}


def test_before_version_two_a_rewind_left_the_files() -> None:
    assert files(rewound("1.0.120").replay()) == {"a": "2", "b": "2", "c": "3"}


def test_compaction_is_no_rewind() -> None:
    session = Session()
    session.prompt("one")
    session.write("/repo/a", "1")
    last = session.lines[-1]["uuid"]
    session.line("system", subtype="compact_boundary", parent=None, logicalParentUuid=last)
    session.prompt("summary", isCompactSummary=True)
    session.prompt("two")
    session.write("/repo/b", "1")
    session.line("system", subtype="compact_boundary", parent=None)
    session.prompt("summary", isCompactSummary=True)
    session.write("/repo/c", "1")
    session.prompt("summary", parent=None, isCompactSummary=True)
    session.prompt("three")
    session.write("/repo/d", "1")
    assert sorted(files(session.replay())) == ["a", "b", "c", "d"]


def test_parallel_calls_and_progress_are_no_rewind() -> None:
    session = Session()
    session.prompt()
    session.call("1", "Write", {"file_path": "/repo/a", "content": "1"})
    session.call("2", "Write", {"file_path": "/repo/b", "content": "1"})
    session.line("progress", parent="l2", data={"type": "hook_progress"})
    session.result("2", parent="l3")
    session.result("1", parent="l2")
    session.prompt("next", parent="l6")
    session.write("/repo/c", "1")
    assert sorted(files(session.replay())) == ["a", "b", "c"]


def test_sub_agents_in_the_same_file() -> None:
    session = Session()
    session.prompt()
    session.call("1", "Task", {"prompt": "p", "subagent_type": "general-purpose"})
    session.prompt("p", isSidechain=True, parent=None)
    session.write("/repo/a", "1", isSidechain=True)
    session.result("1", told={"content": [], "totalToolUseCount": 1})
    assert [(step.tool, step.agent) for step in session.steps()] == [("", ""), ("Task", ""), ("Write", "sidechain")]
    found = session.replay()
    assert (files(found), found.incomplete) == ({"a": "1"}, ())


def test_a_sub_agent_s_own_file() -> None:
    session = Session()
    session.prompt("p", isSidechain=True, parent=None, agentId="a7")
    session.write("/repo/a", "1", isSidechain=True, agentId="a7")
    found = session.read()
    assert (found.directory, [step.agent for step in found.steps]) == ("/repo", ["a7"])
    assert files(session.replay()) == {"a": "1"}


def test_a_sub_agent_s_messages_in_progress_lines() -> None:
    session = Session()
    session.call("1", "Task", {"prompt": "p"})
    call = {"type": "tool_use", "id": "9", "name": "Write", "input": {"file_path": "/repo/a", "content": "1"}}
    done = {"type": "tool_result", "tool_use_id": "9", "content": "ok"}
    for kind, block in (("assistant", call), ("user", done)):
        inner = {"type": kind, "uuid": f"i{kind}", "message": {"role": kind, "content": [block]}}
        session.line("progress", data={"type": "agent_progress", "agentId": "a7", "message": inner})
    session.result("1", told={"agentId": "a7"})
    assert [(step.tool, step.agent, step.ok) for step in session.steps()] == [
        ("Task", "", Ok.YES),
        ("Write", "a7", Ok.YES),
    ]
    assert session.replay().incomplete == ()


LOST = "step 1 (line 1): the recording of its sub-agent a7 is not here, with any edit it made"


@pytest.mark.parametrize(
    ("arguments", "told", "incomplete"),
    [
        pytest.param({}, {"agentId": "a7"}, (LOST,), id="missing"),
        pytest.param({}, {"agentId": "a7", "status": "async_launched"}, (LOST,), id="in the background"),
        pytest.param({"subagent_type": "Explore"}, {"agentId": "a7"}, (), id="one that only looks"),
        pytest.param({}, {"agentId": "a7", "agentType": "Plan"}, (), id="one that only plans"),
        pytest.param({}, {"agentId": "a7", "toolStats": {"editFileCount": 0}}, (), id="one that edited nothing"),
        pytest.param({}, {"agentId": "a7", "toolStats": {"editFileCount": 2}}, (LOST,), id="one that edited"),
    ],
)
def test_sub_agents_whose_recording_is_missing(arguments: Line, told: Line, incomplete: tuple[str, ...]) -> None:
    session = Session()
    session.call("1", "Agent", {"prompt": "p"} | arguments)
    session.result("1", told=told)
    found = session.replay()
    assert found.incomplete == incomplete
    assert found.kind == ("sub_agent" if incomplete else "")


def test_a_failed_sub_agent_edited_nothing() -> None:
    session = Session()
    session.call("1", "Agent", {"prompt": "p"})
    session.result("1", "rejected", "User rejected tool use", failed=True)
    assert session.replay().incomplete == ()


def test_worktrees_that_the_session_moved_to_are_the_same_workspace() -> None:
    session = Session()
    session.write("/repo/a", "1")
    session.write("/repo/.claude/worktrees/w/b", "1", cwd="/repo/.claude/worktrees/w")
    session.write("/repo/src/c", "1", cwd="/repo/src")
    session.write("/other/d", "1", cwd="/other")
    session.write("d", "1", cwd="/repo/src")
    found = session.replay()
    assert sorted(files(found)) == ["a", "b", "src/c", "src/d"]
    assert [(edit.recorded, edit.kind) for edit in found.outside] == [("/other/d", "path_absolute")]
    assert session.read().roots == ("/repo/.claude/worktrees/w",)


def test_a_session_that_began_in_a_worktree() -> None:
    session = Session(cwd="/repo/.claude/worktrees/w")
    session.write("/repo/.claude/worktrees/w/a", "1")
    session.write("/repo/b", "1")
    assert sorted(files(session.replay())) == ["a"]
    assert session.read().roots == ()


def test_unknown_tools() -> None:
    session = Session()
    session.call("1", "mcp__fs__write_file", {"path": "/repo/a"})
    session.call("2", "mcp__db__query", {"sql": "select 1"})
    found = session.replay()
    assert found.unknown == {"mcp__fs__write_file": 1, "mcp__db__query": 1}
    assert found.incomplete == (
        "step 1 (line 1): a: the tool mcp__fs__write_file is not known here, it may have changed this file",
    )


@pytest.mark.parametrize(
    ("arguments", "failed", "incomplete"),
    [
        ({"file_path": 5}, False, ("step 1 (line 1): input.file_path: expected text, found the number 5",)),
        ('{"file_pa', False, ("step 1 (line 1): input: expected an object, found the text '{\"file_pa'",)),
        ({"file_path": 5}, True, ()),
    ],
)
def test_broken_calls(arguments: Any, failed: bool, incomplete: tuple[str, ...]) -> None:
    session = Session()
    session.call("1", "Edit", arguments)
    session.result("1", failed=failed)
    session.write("/repo/b", "1")
    found = session.replay()
    assert (found.incomplete, files(found)) == (incomplete, {"b": "1"})


def test_a_line_separator_ends_no_line() -> None:
    session = Session()
    session.write("/repo/a", "1\u20282\u0085\x0c3")
    assert files(session.replay()) == {"a": "1\u20282\u0085\x0c3"}


def test_line_ends_of_the_file_are_kept() -> None:
    session = Session()
    session.call("1", "Edit", {"file_path": "/repo/a", "old_string": "2\n3", "new_string": "2\n2\n3"})
    session.result("1", told={"originalFile": "1\n2\n3\n", "oldString": "2\n3", "newString": "2\n2\n3"})
    found = session.replay(a="1\r\n2\r\n3\r\n")
    assert files(found) == {"a": "1\r\n2\r\n2\r\n3\r\n"}
    assert [edit.drift for edit in found.applied] == [False]


def test_broken_lines_are_kept_and_told() -> None:
    session = Session()
    session.prompt()
    session.write("/repo/a", "1")
    lines = session.data.splitlines(keepends=True)
    strange = b'{"type":"user","sessionId":"s","uuid":"x","parentUuid":"y","message":7}\n'
    data = b"".join(
        [
            lines[0],
            b"npm warn\n",
            b"\n",
            b'{"type":"progress","sessionId":"s", "data":{"x":\n',
            strange,
            b'{"type":"system","sessionId":"s","message":7}\n',
            b'{"type":"wormhole"}\n{"type":"wormhole"}\n',
            lines[1],
            lines[2][:50],
        ]
    )
    found = recording.read(data, "s.jsonl")
    assert found.dropped == (
        Dropped(line=2, reason="line 2: it is no JSON at column 1 (Expecting value)", grave=True),
        Dropped(line=4, reason="line 4: it is no JSON at column 49 (Expecting value)", grave=False),
        Dropped(line=5, reason="line 5 has a message of an unknown shape: the number 7", grave=True),
        Dropped(line=7, reason="line 7 and 1 more are of the type 'wormhole', which this reader does not know"),
        Dropped(line=10, reason="line 10 breaks off: it is no JSON at column 51 (Expecting value)", grave=True),
    )
    assert [step.ok for step in found.steps if step.tool] == [Ok.UNKNOWN]
    assert len(replay(found, MemoryTree({})).incomplete) == 3


def test_results_whose_call_is_not_in_the_recording() -> None:
    session = Session()
    session.result("1", told={"filePath": "/repo/a", "structuredPatch": []})
    session.result("2", told={"stdout": ""})
    assert session.read().dropped == (
        Dropped(line=1, reason="line 1 answers a call that is not in the recording", grave=True),
        Dropped(line=2, reason="line 2 answers a call that is not in the recording", grave=False),
    )


def test_what_the_fast_decoder_refuses_is_read_all_the_same() -> None:
    session = Session()
    session.write("/repo/a", "half \ud83d")
    for line in session.lines:
        line["odd"] = float("nan")
    data = "".join(json.dumps(line) + "\n" for line in session.lines).encode()
    assert files(replay(recording.read(data, "s"), MemoryTree({}))) == {"a": "half \ufffd"}


def test_an_odd_part_of_a_message_does_not_take_the_others_with_it() -> None:
    session = Session()
    session.write("/repo/a", "1")
    for line in session.lines:
        line["message"]["content"] += ["text", 5, {"type": ["x"]}]
    found = session.replay()
    assert (files(found), found.incomplete) == ({"a": "1"}, ())


def _odd(value: Any, chance: random.Random) -> Any:
    """The value with some of its parts taken out or replaced by something else."""
    if chance.random() < 0.03:
        return chance.choice(
            [None, True, 5, 10**30, 1.5, "", "../x", "/a\0b", "\ud800", [], {}, [[1]], [{"type": "text"}]]
        )
    if isinstance(value, dict):
        return {key: _odd(item, chance) for key, item in value.items() if chance.random() > 0.01}
    return [_odd(item, chance) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(20))
def test_whatever_stands_in_a_line_the_others_are_read(seed: int) -> None:
    chance = random.Random(seed)
    session = rewound("2.0.1")
    session.call("t", "Agent", {"prompt": "p", "subagent_type": "x"})
    session.result("t", told={"agentId": "a", "toolStats": {"editFileCount": 1}})
    session.call("b", "Bash", {"command": "ls"})
    session.result("b", [{"type": "text", "text": "x"}], {"stdout": "x", "interrupted": False})
    session.lines = [_odd(line, chance) or {} for line in session.lines]
    data = "".join(json.dumps(line) + "\n" for line in session.lines).encode()
    found = ClaudeCode().read(Recording(data, "s"))
    done = replay(found, MemoryTree({}))
    assert isinstance(done.incomplete, tuple)
    assert [step.number for step in found.steps] == list(range(1, len(list(found.steps)) + 1))


STREAM: list[Line] = [
    {
        "type": "system",
        "subtype": "init",
        "cwd": "/repo",
        "session_id": "s",
        "tools": [],
        "claude_code_version": "2.1.60",
    },
    {"type": "stream_event", "event": {}, "session_id": "s", "parent_tool_use_id": None},
    {
        "type": "assistant",
        "message": {
            "id": "m",
            "role": "assistant",
            "model": "claude-x",
            "content": [
                {"type": "text", "text": "Both."},
                {
                    "type": "tool_use",
                    "id": "1",
                    "name": "Edit",
                    "input": {"file_path": "/repo/a", "old_string": "1", "new_string": "2"},
                },
                {"type": "tool_use", "id": "2", "name": "Task", "input": {"prompt": "p"}},
            ],
        },
        "parent_tool_use_id": None,
        "session_id": "s",
        "uuid": "u1",
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}]},
        "parent_tool_use_id": None,
        "session_id": "s",
        "tool_use_result": {"filePath": "/repo/a", "oldString": "1", "newString": "3", "userModified": True},
    },
    {
        "type": "assistant",
        "message": {
            "id": "n",
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "3", "name": "Write", "input": {"file_path": "/repo/b", "content": "4"}}
            ],
        },
        "parent_tool_use_id": "2",
        "session_id": "s",
    },
    {
        "type": "user",
        "message": {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "2", "content": "ok"},
                {"type": "tool_result", "tool_use_id": "3", "content": "ok"},
            ],
        },
        "parent_tool_use_id": None,
        "session_id": "s",
    },
    {"type": "result", "subtype": "success", "total_cost_usd": 0.1, "session_id": "s"},
]


def test_the_stream() -> None:
    data = b"".join(json.dumps(line).encode() + b"\n" for line in STREAM)
    found = recording.read(data, "s.jsonl")
    assert (found.agent, found.model, found.directory, found.dropped) == ("Claude Code 2.1.60", "claude-x", "/repo", ())
    assert [(step.tool, step.agent, step.ok, step.message) for step in found.steps] == [
        ("Edit", "", Ok.YES, "Both."),
        ("Task", "", Ok.YES, ""),
        ("Write", "2", Ok.YES, ""),
    ]
    done = replay(found, MemoryTree({"a": b"1"}))
    assert (files(done), done.incomplete) == ({"a": "3", "b": "4"}, ())


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"type": "summary", "summary": "x", "leafUuid": "y"}], id="a summary"),
        pytest.param(
            [{"type": "mode"}, {"type": "attachment", "sessionId": "s", "uuid": "u", "parentUuid": None}], id="later"
        ),
        pytest.param([STREAM[0]], id="the stream's beginning"),
        pytest.param([STREAM[2]], id="the stream's middle"),
    ],
)
def test_recognises(records: list[Line]) -> None:
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    assert ClaudeCode().recognises(Sample(Recording(data)))


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([], id="nothing"),
        pytest.param(
            [{"type": "user", "sessionId": "s", "uuid": "u", "parentUuid": None, "message": {"parts": []}}], id="qwen"
        ),
        pytest.param([{"type": "system", "subtype": "init", "session_id": "s", "cwd": "/r"}], id="cursor"),
        pytest.param([STREAM[0], {"type": "tool_call", "session_id": "s"}], id="droid"),
        pytest.param([{"type": "message", "message": {"role": "user", "content": []}}], id="pi"),
    ],
)
def test_does_not_recognise(records: list[Line]) -> None:
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    assert not ClaudeCode().recognises(Sample(Recording(data)))


def test_counts_agree_with_the_index(cases: Path) -> None:
    folder = cases / "recordings"
    for row in (folder / "INDEX.tsv").read_text().splitlines():
        name, file, *_, tools, commands, edits, failed = row.split("\t")
        if name != "claude-code":
            continue
        steps = [step for step in recording.read((folder / name / file).read_bytes(), file).steps if step.tool]
        edited = [step for step in steps if step.edits]
        assert (len(steps), sum(len(step.commands) for step in steps)) == (int(tools), int(commands)), file
        assert len(edited) == int(edits), file
        assert sum(step.ok is Ok.NO for step in edited) == int(failed), file


def claude_cases(cases: Path) -> list[Path]:
    found = sorted(file.parent for file in (cases / "fidelity").glob("*/case.json"))
    return [case for case in found if json.loads((case / "case.json").read_text())["agent"] == "Claude Code"]


def test_every_recorded_edit_applies_or_is_explained(cases: Path) -> None:
    for case in claude_cases(cases):
        data, start = (case / "recording.jsonl").read_bytes(), tree(case / "before")
        found = replay(recording.read(data, case.name), start)
        recorded = data.count(b'"name":"Edit"') + data.count(b'"name":"Write"')
        told = (found.applied, found.failed, found.skipped, found.outside)
        assert sum(map(len, told)) == recorded, case.name
        assert all(edit.reason for part in told[1:] for edit in part)
        assert found.incomplete == (), case.name
        assert {edit.kind for edit in found.skipped} <= {"recorded_failure"}


def test_fidelity(cases: Path) -> None:
    """Edits alone rebuild these files byte for byte; the rest was changed by commands, formatters and people."""
    found = [file for case in claude_cases(cases) for file in explained(case, repeat=False).changed]
    rest = [file for file in found if file.explanation is not Kind.EXACT]
    assert len(found) - len(rest) >= 25, "\n".join(f"{file.path}: {file.reason}" for file in rest)
    assert all(file.reason for file in rest)
