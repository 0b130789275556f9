"""Factory Droid's sessions and stream."""

from pathlib import Path
from typing import Any

import pytest

from gate.recordings.factory_droid import FactoryDroid
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = FactoryDroid()
START = {"type": "session_start", "id": "s", "title": "t", "version": 2, "cwd": "/w"}


def said(role: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": list(content)}
    return {"type": "message", "id": "m", "timestamp": "t", "message": message} | more


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def uses(name: str, arguments: Any, key: str = "c1") -> dict[str, Any]:
    return {"type": "tool_use", "id": key, "name": name, "input": arguments}


def answers(words: Any = "ok", key: str = "c1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": key, "content": words} | more


def session(*blocks: dict[str, Any]) -> bytes:
    results = [answers(key=block["id"]) for block in blocks]
    return lines(START, said("user", text("go")), said("assistant", text("so"), *blocks), said("user", *results))


@pytest.mark.parametrize(
    ("block", "before", "after"),
    [
        pytest.param(uses("Create", {"file_path": "/w/a.py", "content": "x"}), b"", b"x", id="created"),
        pytest.param(
            uses("Edit", {"file_path": "/w/a.py", "old_str": "b", "new_str": "c"}),
            b"a\r\nb\r\n",
            b"a\r\nc\r\n",
            id="edited",
        ),
        pytest.param(
            uses("Edit", {"file_path": "a.py", "old_string": "b", "new_string": "c", "change_all": True}),
            b"b b",
            b"c c",
            id="everywhere",
        ),
        pytest.param(
            uses(
                "MultiEdit",
                {"file_path": "a.py", "changes": [{"old_str": "a", "new_str": "b"}, {"old_str": "b", "new_str": "c"}]},
            ),
            b"a",
            b"c",
            id="one after the other",
        ),
        pytest.param(
            uses("ApplyPatch", {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n-b\n+c\n*** End Patch"}),
            b"b\n",
            b"c\n",
            id="patched",
        ),
    ],
)
def test_an_edit(block: dict[str, Any], before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, session(block), a_py=before)) == {"a.py": after}


@pytest.mark.parametrize(
    ("result", "ok", "code"),
    [
        pytest.param(answers("hi\n[Process exited with code 0]"), Ok.YES, 0, id="well"),
        pytest.param(answers([text("Error: Command failed (exit code: 1)\nno")]), Ok.NO, 1, id="badly, in words"),
        pytest.param(answers("no", is_error=True), Ok.NO, None, id="marked"),
        pytest.param(answers("hi"), Ok.YES, None, id="the code is not told"),
    ],
)
def test_a_command(result: dict[str, Any], ok: Ok, code: int | None) -> None:
    (step,) = calls(READER, lines(START, said("assistant", uses("Execute", {"command": "make"})), said("user", result)))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, step.ok) == ("make", "/w", code, ok)
    assert command.output == step.observation != ""


def test_the_stream() -> None:
    data = lines(
        {"type": "system", "subtype": "init", "cwd": "/w", "session_id": "s", "tools": ["Read"], "model": "m"},
        {"type": "message", "role": "user", "id": "1", "text": "go", "timestamp": 1},
        {"type": "message", "role": "assistant", "id": "2", "text": "so", "timestamp": 2},
        {"type": "tool_call", "id": "c1", "toolName": "Create", "parameters": {"file_path": "a.py", "content": "x"}},
        {"type": "tool_result", "id": "c1", "isError": False, "value": "ok"},
        {"type": "tool_call", "id": "c2", "toolName": "Create", "parameters": {"file_path": "b.py", "content": "x"}},
        {"type": "tool_result", "id": "c2", "isError": True, "value": "no"},
        {"type": "completion", "finalText": "done"},
    )
    assert whole(rebuilt(READER, data)) == {"a.py": b"x"}
    seen = told(READER, data)
    assert [(step.source, step.message, step.ok) for step in seen.steps] == [
        ("user", "go", Ok.YES),
        ("agent", "so", Ok.YES),
        ("agent", "", Ok.YES),
        ("agent", "", Ok.NO),
    ]
    assert (seen.directory, seen.model, seen.agent, seen.unverified, seen.dropped) == (
        "/w",
        "m",
        "Factory Droid",
        True,
        (),
    )


def test_what_is_no_prompt() -> None:
    reminder = said("user", text("<system-reminder>\nls\n</system-reminder>"), text("go"))
    notice = said("user", text("Token limit reached"))
    notice["message"]["visibility"] = "user_only"
    assert [step.message for step in told(READER, lines(START, reminder, notice)).steps] == ["go"]


def test_what_it_cannot_see_is_said() -> None:
    data = session(uses("Task", {}), uses("mcp__save", {"path": "/w/a.py"}, "c2")) + lines({"type": "odd"})
    done = rebuilt(READER, data, a_py=b"")
    assert done.unknown == {"mcp__save": 1}
    assert done.incomplete == (
        "step 2 (line 3): the recording of its sub-agent is not here, with any edit it made",
        "step 3 (line 3): a.py: the tool mcp__save is not known here, it may have changed this file",
    )
    assert [part.reason for part in told(READER, data).dropped] == [
        "line 5 is of the type 'odd', which this reader does not know"
    ]


def test_broken_recordings() -> None:
    edits = [{"old_str": "a", "new_str": "b"}]
    block = uses("MultiEdit", {"file_path": "a.py", "edits": edits})
    survives(
        READER,
        [START, said("assistant", text("so"), block, uses("Execute", {"command": "x"}, "c2")), said("user", answers())],
    )
    call = {"type": "tool_call", "id": "c1", "toolName": "Edit", "parameters": {"file_path": "a.py"} | edits[0]}
    survives(READER, [call, {"type": "tool_result", "id": "c1", "isError": False, "value": "ok"}])


@pytest.mark.parametrize("name", ["a0f8612fcb64_0.jsonl", "b1b2d74d8ef1_0.jsonl"])
def test_real_sessions_that_did_nothing(cases: Path, name: str) -> None:
    data = (cases / "recordings" / "factory-droid" / name).read_bytes()
    seen = told(READER, data)
    assert (calls(READER, data), seen.dropped) == ([], ())
    assert seen.directory is not None
    assert seen.directory.startswith("/home/dev/entire/test-repos/test-repo/")
    assert [step.source for step in seen.steps] == ["user"]
