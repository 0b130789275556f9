"""What Cursor's command line prints: the file as a result shows it goes before all."""

from pathlib import Path
from typing import Any

import pytest

from gate.recordings.cursor_stream import CursorStream
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = CursorStream()
INIT = {
    "type": "system",
    "subtype": "init",
    "cwd": "/w",
    "session_id": "s",
    "model": "Auto",
    "permissionMode": "default",
}


def call(tool: str, args: Any, result: Any = None, *, key: str = "c1", subtype: str = "completed") -> dict[str, Any]:
    body = {"args": args} | ({"result": result} if result is not None else {})
    about = {"toolCallId": key, "startedAtMs": "1", "hookAdditionalContexts": []}
    event = {"type": "tool_call", "subtype": subtype, "call_id": key, "session_id": "s", "timestamp_ms": 5}
    return event | {"tool_call": {f"{tool}ToolCall": body} | about}


def edit(args: dict[str, Any], **success: Any) -> bytes:
    path = {"path": "/w/a.py"}
    return lines(
        INIT, call("edit", path | args, subtype="started"), call("edit", path | args, {"success": path | success})
    )


@pytest.mark.parametrize(
    ("args", "success", "before", "after"),
    [
        pytest.param(
            {"streamContent": "c"},
            {"beforeFullFileContent": "a\nb\n", "afterFullFileContent": "a\nc\n", "diffString": "?"},
            b"a\nb\n",
            b"a\nc\n",
            id="the whole file",
        ),
        pytest.param(
            {"streamContent": "c"},
            {"beforeFullFileContent": "a\nb\n", "afterFullFileContent": "a\nc\n"},
            b"a\r\nb\r\n",
            b"a\r\nc\r\n",
            id="in its own line ends",
        ),
        pytest.param({"streamContent": "new"}, {"afterFullFileContent": "new"}, b"", b"new", id="a file written"),
        pytest.param(
            {"streamContent": "c"},
            {"diffString": "--- a//w/a.py\n+++ b//w/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
            b"a\nb\n",
            b"a\nc\n",
            id="by its diff",
        ),
        pytest.param(
            {"streamContent": "x\n"},
            {"diffString": "--- /dev/null\n+++ b//w/a.py\n@@ -1,0 +1 @@\n+x"},
            b"",
            b"x\n",
            id="a new file",
        ),
        pytest.param(
            {"streamContent": "x"},
            {"diffString": "-\n+x", "message": "Wrote contents to /w/a.py"},
            b"",
            b"x",
            id="written",
        ),
        pytest.param({"strReplace": {"oldText": "b", "newText": "c"}}, {}, b"a\nb\n", b"a\nc\n", id="by its arguments"),
        pytest.param(
            {"multiStrReplace": {"edits": [{"oldText": "a", "newText": "b"}, {"oldText": "b", "newText": "c"}]}},
            {"diffString": "?"},
            b"a",
            b"c",
            id="by several",
        ),
        pytest.param(
            {"applyPatch": {"patchContent": "*** Begin Patch\n*** Update File: /w/a.py\n@@\n-a\n+b\n*** End Patch"}},
            {},
            b"a\n",
            b"b\n",
            id="by a patch",
        ),
    ],
)
def test_an_edit(args: dict[str, Any], success: dict[str, Any], before: bytes, after: bytes) -> None:
    done = rebuilt(READER, edit(args, **success), a_py=before)
    assert whole(done) == {"a.py": after}
    assert [note.unknown for note in done.applied] == [False] * len(done.applied)


def test_a_text_alone_may_be_the_file_or_a_part_of_it() -> None:
    done = rebuilt(READER, edit({"streamContent": "x"}, linesAdded=1), a_py=b"a")
    assert done.incomplete == ("step 1 (line 2): neither its arguments nor its result show what it did to /w/a.py",)


def test_what_the_file_was_before_counts_as_evidence() -> None:
    data = edit({}, beforeFullFileContent="other", afterFullFileContent="x")
    assert [note.drift for note in rebuilt(READER, data, a_py=b"a").applied] == [True]


def test_write_and_delete() -> None:
    write = call("write", {"path": "a.py", "fileText": "x"}, {"success": {"path": "/w/a.py", "fileSize": 1}})
    assert whole(rebuilt(READER, lines(INIT, write))) == {"a.py": b"x"}
    gone = call("delete", {"path": "/w/a.py"}, {"success": {"path": "/w/a.py", "prevContent": "x"}}, key="c2")
    assert whole(rebuilt(READER, lines(INIT, write, gone))) == {}


@pytest.mark.parametrize(
    ("result", "code", "ok", "said"),
    [
        pytest.param({"success": {"exitCode": 0, "interleavedOutput": "hi", "stdout": ""}}, 0, Ok.YES, "hi", id="well"),
        pytest.param({"success": {"exitCode": 2, "stdout": "a", "stderr": "b"}}, 2, Ok.NO, "a\nb", id="badly"),
        pytest.param({"failure": {"exitCode": 3, "stdout": "", "stderr": "b"}}, 3, Ok.NO, "b", id="failed"),
        pytest.param({"rejected": {"command": "make", "reason": "no"}}, None, Ok.NO, "no", id="rejected"),
        pytest.param(None, None, Ok.UNKNOWN, "", id="no result"),
    ],
)
def test_a_command(result: Any, code: int | None, ok: Ok, said: str) -> None:
    args = {"command": "make", "workingDirectory": ""}
    (step,) = calls(READER, lines(INIT, call("shell", args, subtype="started"), call("shell", args, result)))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, step.ok) == ("make", "/w", code, ok)
    assert (step.tool, step.observation, command.output, step.time) == ("shell", said, said, "5")


def test_a_call_that_was_only_started() -> None:
    args = {"path": "/w/a.py", "strReplace": {"oldText": "a", "newText": "b"}}
    done = rebuilt(READER, lines(INIT, call("edit", args, subtype="started")), a_py=b"a")
    assert [note.unknown for note in done.applied] == [True]


def test_text_that_is_printed_in_pieces_counts_once() -> None:
    def piece(text: str, **more: Any) -> dict[str, Any]:
        return {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
        } | more

    user = {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "go"}]}}
    pieces = [piece("a", timestamp_ms=1), piece("b", timestamp_ms=2), piece("ab", timestamp_ms=3, model_call_id="m")]
    seen = told(READER, lines(INIT, user, *pieces, {"type": "thinking", "subtype": "delta"}, piece("end")))
    assert [(step.source, step.message, step.turn) for step in seen.steps] == [
        ("user", "go", 1),
        ("agent", "ab", 1),
        ("agent", "end", 1),
    ]
    assert (seen.agent, seen.model, seen.directory, seen.unverified) == ("Cursor", "Auto", "/w", True)


def test_a_sub_agent() -> None:
    inner = {
        "toolCallId": "i1",
        "editToolCall": {"args": {"path": "/w/a.py"}, "result": {"success": {"afterFullFileContent": "b"}}},
    }
    success = {"agentId": "sub", "conversationSteps": [{"toolCall": inner}, {"assistantMessage": {"text": "done"}}]}
    done = rebuilt(READER, lines(INIT, call("task", {"prompt": "x"}, {"success": success})), a_py=b"a")
    assert whole(done) == {"a.py": b"b"}
    (task, step) = calls(READER, lines(INIT, call("task", {"prompt": "x"}, {"success": success})))
    assert (task.lost, step.agent, step.tool) == (None, "sub", "edit")
    hidden = {"success": {"conversationSteps": [{"assistantMessage": {"text": "done"}}]}}
    done = rebuilt(READER, lines(INIT, call("task", {}, hidden)))
    assert done.incomplete == ("step 1 (line 2): the calls of its sub-agent are not here, with any edit it made",)
    assert rebuilt(READER, lines(INIT, call("task", {"subagentType": {"explore": {}}}, hidden))).incomplete == ()


def test_what_it_does_not_know_is_counted() -> None:
    data = lines(
        INIT, call("mcp", {"toolName": "save", "args": {"path": "/w/a.py"}}), call("", {}, key="c2"), {"type": "odd"}
    )
    data += lines(
        {"type": "tool_call", "subtype": "completed", "call_id": "c3", "tool_call": {"function": {"name": "f"}}}
    )
    data += lines({"type": "tool_call", "subtype": "completed", "call_id": "c4", "tool_call": {}})
    done = rebuilt(READER, data, a_py=b"a")
    assert done.unknown == {"mcp": 1, "f": 1}
    assert done.incomplete == (
        "step 1 (line 2): a.py: the tool mcp is not known here, it may have changed this file",
        "line 3 holds a call of no tool; an edit or a result may be lost with it",
        "line 6 holds a call of no tool; an edit or a result may be lost with it",
    )


def test_broken_recordings() -> None:
    args = {"path": "/w/a.py", "strReplace": {"oldText": "a", "newText": "b"}, "streamContent": "x"}
    shown = {
        "path": "/w/a.py",
        "beforeFullFileContent": "a",
        "afterFullFileContent": "b",
        "diffString": "@@ -1 +1 @@\n-a\n+b",
    }
    nested = {"conversationSteps": [{"toolCall": {"toolCallId": "i", "shellToolCall": {"args": {"command": "x"}}}}]}
    records = [INIT, call("edit", args, {"success": shown}), call("task", {}, {"success": nested}, key="c2")]
    survives(READER, [*records, call("delete", {"path": "a.py"}, {"success": {"prevContent": "b"}}, key="c3")])


# Each file holds the two events of one shell call.
@pytest.mark.parametrize("name", ["full_session.jsonl", "subagent-sleep.jsonl"])
def test_real_streams(cases: Path, name: str) -> None:
    data = (cases / "recordings" / "cursor-stream" / name).read_bytes()
    (step,) = calls(READER, data)
    (command,) = step.commands
    assert (step.ok, command.exit_code, command.text[:5]) == (Ok.YES, 0, "sleep")
    assert command.directory in ("/home/dev/project", "")
    assert told(READER, data).dropped == ()
