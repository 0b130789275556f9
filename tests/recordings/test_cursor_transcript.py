"""Cursor's transcripts: calls without results, and old ones without calls."""

from pathlib import Path
from typing import Any

import pytest

from gate.recordings.cursor_transcript import CursorTranscript
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = CursorTranscript()
PROMPT = "<user_info>\nWorkspace Path: /w\n</user_info>\n<timestamp>Mon</timestamp>\n<user_query>\ngo\n</user_query>"


def said(role: str, *content: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "message": {"content": list(content)}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def uses(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": arguments} | more


def made(*blocks: dict[str, Any]) -> bytes:
    return lines(said("user", text(PROMPT)), said("assistant", text("so"), *blocks), {"type": "turn_ended"})


@pytest.mark.parametrize(
    ("block", "after"),
    [
        pytest.param(
            uses("StrReplace", {"path": "/w/a.py", "old_string": "b", "new_string": "c"}), b"a\nc\n", id="replaced"
        ),
        pytest.param(uses("Write", {"path": "/w/a.py", "contents": "x"}), b"x", id="written"),
        pytest.param(uses("Delete", {"path": "/w/a.py"}), None, id="deleted"),
        pytest.param(
            uses("ApplyPatch", "*** Begin Patch\n*** Update File: /w/a.py\n@@\n-b\n+c\n*** End Patch"),
            b"a\nc\n",
            id="patched",
        ),
        pytest.param(
            uses("search_replace", {"file_path": "a.py", "old_string": "b", "new_string": "c"}),
            b"a\nc\n",
            id="older names",
        ),
    ],
)
def test_an_edit_is_applied_where_it_fits(block: dict[str, Any], after: bytes | None) -> None:
    done = rebuilt(READER, made(block), a_py=b"a\nb\n")
    assert whole(done) == ({} if after is None else {"a.py": after})
    assert [note.unknown for note in done.applied] == [True]


def test_what_does_not_fit_is_not_known_to_have_failed() -> None:
    block = uses("StrReplace", {"path": "/w/a.py", "old_string": "zz", "new_string": "c"})
    done = rebuilt(READER, made(block), a_py=b"a")
    assert (done.incomplete, [note.kind for note in done.skipped]) == ((), ["replay_mismatch"])


def test_some_files_do_have_results() -> None:
    block = uses("Write", {"path": "/w/a.py", "contents": "x"}, id="c1")
    failed = said("user", {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "no"})
    (step,) = calls(READER, made(block) + lines(failed))
    assert (step.ok, step.observation) == (Ok.NO, "no")


def test_what_is_told() -> None:
    seen = told(
        READER, made(uses("Shell", {"command": "make", "working_directory": "/w/sub"}), uses("Read", {"path": "x"}))
    )
    prompt, shell, read = seen.steps
    assert (prompt.source, prompt.message, prompt.time, seen.directory) == ("user", "go", "Mon", "/w")
    assert (shell.message, shell.ok, shell.line, read.message) == ("so", Ok.UNKNOWN, 2, "")
    (command,) = shell.commands
    assert (command.text, command.directory, command.exit_code) == ("make", "/w/sub", None)
    assert (seen.unverified, read.known) == (True, True)


def test_what_is_lost_is_said() -> None:
    task, edit = uses("Task", {"prompt": "x"}), uses("edit_file", {"target_file": "/w/a.py", "code_edit": "// ..."})
    done = rebuilt(
        READER, made(task, edit, uses("CallMcpTool", {"path": "/w/a.py"}), uses("Task", {"readonly": True})), a_py=b""
    )
    assert done.unknown == {"CallMcpTool": 1}
    assert done.incomplete == (
        "step 2 (line 2): the recording of its sub-agent is not here, with any edit it made",
        "step 3 (line 2): neither its arguments nor its result show what it did to /w/a.py",
        "step 4 (line 2): a.py: the tool CallMcpTool is not known here, it may have changed this file",
    )


def test_a_transcript_without_calls_is_not_whole() -> None:
    done = rebuilt(READER, made())
    assert done.incomplete == (
        "the transcript holds no call of a tool, as those of older versions of Cursor; "
        "an edit or a result may be lost with it",
    )


def test_broken_recordings() -> None:
    edits = [{"old_string": "a", "new_string": "b"}]
    block = uses("StrReplace", {"path": "/w/a.py", "old_string": "a", "new_string": "b", "edits": edits}, id="c1")
    result = {"type": "tool_result", "tool_use_id": "c1", "is_error": False, "content": "ok"}
    survives(READER, [said("user", text(PROMPT)), said("assistant", text("so"), block), said("user", result)])


def test_a_real_transcript(cases: Path) -> None:
    data = (cases / "recordings" / "cursor-transcript" / "f55b1d3b434a_0.jsonl").read_bytes()
    # The index says that there is no call in it; there is one.
    (step,) = calls(READER, data)
    (edit,) = step.edits
    assert edit.written == b"# Testing Cursor\n\nThis file is for testing Cursor.\n"
    assert (step.tool, step.ok, told(READER, data).dropped) == ("Write", Ok.UNKNOWN, ())


def test_an_old_real_transcript(cases: Path) -> None:
    data = (cases / "recordings" / "cursor-transcript" / "b8b6fbd5f55f_0.jsonl").read_bytes()
    seen = told(READER, data)
    assert (calls(READER, data), [part.grave for part in seen.dropped]) == ([], [True])
    assert len(list(seen.steps)) == 56
