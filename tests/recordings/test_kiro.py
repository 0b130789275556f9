"""Kiro's conversations: whole ones are replayed, thinned-out ones are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample, read
from gate.recordings.kiro import Kiro
from gate.trajectory import Ok
from tests.recordings.recorded import calls, rebuilt, survives, told, whole

READER = Kiro()
INSTEAD = (
    "record the conversation as Kiro's /chat save writes it, or the session over the Agent Client Protocol instead"
)


def conversation(*uses: tuple[str, Any], status: str = "Success", kind: str = "ToolUseResults", **json_: Any) -> bytes:
    """A conversation with some calls in one answer."""
    made = [{"id": f"t{n}", "name": name, "args": args} for n, (name, args) in enumerate(uses)]
    content = [{"Json": json_}] if json_ else [{"Text": "ok"}]
    results = [{"tool_use_id": use["id"], "content": content, "status": status} for use in made]
    state = {"env_state": {"current_working_directory": "/w"}}
    history = [
        {
            "user": {"content": {"Prompt": {"prompt": "Do it"}}, "timestamp": "T", "env_context": state},
            "assistant": {"ToolUse": {"message_id": "m", "content": "I will", "tool_uses": made}},
        },
        {
            "user": {"content": {kind: {"tool_use_results": results}}, "timestamp": None},
            "assistant": {"Response": {"content": "Done"}},
        },
    ]
    return json.dumps({"conversation_id": "c", "history": history, "model_info": {"model_id": "m"}}).encode()


def wrote(command: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "fs_write", {"command": command, "path": "/w/a.py"} | arguments


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        pytest.param(wrote("create", file_text="a\r\nb"), b"x", b"a\r\nb\n", id="created with a line end"),
        pytest.param(wrote("create", new_str="a\n"), b"x", b"a\n", id="created by the other name"),
        pytest.param(wrote("str_replace", old_str="b", new_str=""), b"a\r\nb", b"a\r\n", id="replaced"),
        pytest.param(wrote("insert", insert_line=1, new_str="x\n"), b"a\nb", b"a\nx\nb\n", id="inserted"),
        pytest.param(wrote("insert", insert_line=0, new_str="x\n"), b"a\n", b"x\na\n", id="before the first line"),
        pytest.param(wrote("insert", insert_line=9, new_str="x"), b"a\n", b"a\nx\n", id="after the last line"),
        pytest.param(wrote("append", new_str="x"), b"a", b"a\nx\n", id="appended"),
        pytest.param(
            ("write", {"command": "strReplace", "path": "a.py", "oldStr": "a", "newStr": "b"}),
            b"a\n",
            b"b\n",
            id="newer",
        ),
    ],
)
def test_a_whole_conversation_is_replayed(call: tuple[str, Any], before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, conversation(call), a_py=before)) == {"a.py": after}


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        pytest.param(wrote("append", new_str="x"), "there is no such file", id="no file"),
        pytest.param(
            wrote("str_replace", old_str="", new_str="x"),
            "arguments.old_str: expected the text to replace, found nothing",
            id="nothing to replace",
        ),
        pytest.param(
            wrote("insert", new_str="x"), "arguments.insert_line: expected a number, found nothing", id="no line"
        ),
        pytest.param(
            wrote("burn", new_str="x"),
            "arguments.command: expected create, str_replace, insert or append, found 'burn'",
            id="another command",
        ),
        pytest.param(
            ("use_subagent", {}), "the recording of its sub-agent is not here, with any edit it made", id="agent"
        ),
    ],
)
def test_what_cannot_be_replayed_is_told(call: tuple[str, Any], reason: str) -> None:
    (told,) = rebuilt(READER, conversation(call)).incomplete
    assert told.endswith(f": {reason}")


def test_one_edit_without_its_text_is_told() -> None:
    data = conversation(wrote("create", file_text="x\n"), wrote("create"))
    (told,) = rebuilt(READER, data).incomplete
    assert told.endswith(": arguments.file_text: expected text, found nothing")


@pytest.mark.parametrize(
    ("status", "kind", "ok"),
    [
        ("Success", "ToolUseResults", Ok.YES),
        ("Error", "ToolUseResults", Ok.NO),
        ("", "ToolUseResults", Ok.UNKNOWN),
        ("Success", "CancelledToolUses", Ok.NO),
    ],
)
def test_the_status_says_whether_a_call_succeeded(status: str, kind: str, ok: Ok) -> None:
    (step,) = calls(READER, conversation(wrote("create", file_text="x"), status=status, kind=kind))
    assert step.ok is ok


def test_a_conversation_is_told_in_full() -> None:
    data = conversation(("execute_bash", {"command": "ls"}), exit_status="exit status: 2", stdout="out", stderr="err")
    trajectory = told(READER, data)
    assert [(step.source, step.message, step.tool, step.time) for step in trajectory.steps] == [
        ("user", "Do it", "", "T"),
        ("agent", "I will", "execute_bash", "T"),
        ("agent", "Done", "", ""),
    ]
    (command,) = [command for step in trajectory.steps for command in step.commands]
    assert (command.text, command.directory, command.exit_code, command.output) == ("ls", "/w", 2, "out\nerr")
    assert (trajectory.agent, trajectory.model, trajectory.directory, trajectory.unverified) == (
        "Kiro",
        "m",
        "/w",
        True,
    )


def test_calls_without_a_name_of_their_own_are_paired_by_their_place() -> None:
    document = json.loads(
        conversation(wrote("create", file_text="x\n"), wrote("create", file_text="y\n"), status="Error")
    )
    for use in document["history"][0]["assistant"]["ToolUse"]["tool_uses"]:
        del use["id"]
    for result in document["history"][1]["user"]["content"]["ToolUseResults"]["tool_use_results"]:
        del result["tool_use_id"]
    assert [step.ok for step in calls(READER, json.dumps(document).encode())] == [Ok.NO, Ok.NO]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(
            b'{"history": [{"user": {"content": {"Prompt": {"prompt": "x"}}}, "assistant": {"Response": {}}}]}',
            f"this conversation of Kiro's holds what was said, and no tool call; {INSTEAD}",
            id="no tool call",
        ),
        pytest.param(
            conversation(wrote("create")),
            f"the edits in this conversation of Kiro's name files, and not what was written; {INSTEAD}",
            id="no text",
        ),
    ],
)
def test_what_does_not_tell_what_was_done_is_refused(data: bytes, reason: str) -> None:
    assert READER.recognises(Sample(Recording(data)))
    with pytest.raises(RecordingError) as caught:
        read(data, "k.json")
    assert (caught.value.message, caught.value.kind) == (f"k.json: {reason}", "no_content")


def test_the_real_conversations_are_refused(cases: Path) -> None:
    for path in sorted((cases / "recordings/kiro").iterdir()):
        with pytest.raises(RecordingError, match="holds what was said, and no tool call"):
            read(path.read_bytes(), path.name)


def test_a_damaged_recording_is_refused_or_read() -> None:
    data = conversation(wrote("create", file_text="x"), ("execute_bash", {"command": "ls"}), exit_status="1")
    survives(READER, [json.loads(data)], document=True)
