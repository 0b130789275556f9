"""Cline's conversations: calls by blocks and by XML, results in words, and the sessions of its SDK."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample
from gate.recordings.cline import Cline
from gate.replay import replay
from gate.trajectory import Ok, Trajectory
from gate.tree import MemoryTree
from tests.recordings.recorded import calls, rebuilt, survives, told, whole

READER = Cline()
SURROUNDINGS = "<environment_details>\n# Current Working Directory (/w) Files\na.py\n</environment_details>"


def message(role: str, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]}


def xml(tool: str, **parameters: str) -> str:
    inner = "".join(f"<{name}>{value}</{name}>\n" for name, value in parameters.items())
    return f"<{tool}>\n{inner}</{tool}>"


def saved(content: str, path: str = "a.py") -> str:
    return (
        f"The content was successfully saved to {path}.\n\nHere is the full, updated content of the file that was "
        f'saved:\n\n<final_file_content path="{path}">\n{content}\n</final_file_content>\n\nIMPORTANT: …'
    )


def written(call: str, result: str, header: str | None = None) -> bytes:
    """A conversation with one call in XML."""
    tool = call[1 : call.index(">")]
    head = f"[{tool} for 'a.py'] Result:" if header is None else header
    return document(message("assistant", f"I will.\n\n{call}"), message("user", head, result, SURROUNDINGS))


def document(*messages: dict[str, Any]) -> bytes:
    return json.dumps([message("user", "<task>\nDo it\n</task>", SURROUNDINGS), *messages]).encode()


def native(tool: str, arguments: Any, result: str, **more: Any) -> bytes:
    """A conversation with one call in blocks."""
    return document(
        message("assistant", {"type": "tool_use", "id": "t1", "name": tool, "input": arguments}),
        message(
            "user", {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": result}]} | more
        ),
    )


def blocks(*pairs: tuple[str, str], new: bool = True) -> str:
    first, last = ("------- SEARCH", "+++++++ REPLACE") if new else ("<<<<<<< SEARCH", ">>>>>>> REPLACE")
    return "\n".join(f"{first}\n{old}=======\n{fresh}{last}" for old, fresh in pairs)


@pytest.mark.parametrize(
    ("call", "result", "before", "after"),
    [
        pytest.param(
            xml("write_to_file", path="a.py", content="\nx = 1\n"), saved("x = 1"), b"a\n", b"x = 1\n", id="written"
        ),
        pytest.param(
            xml("write_to_file", path="a.py", content="\n```py\nx\n```\n"),
            saved("x"),
            b"",
            b"x",
            id="without its fence",
        ),
        pytest.param(
            xml("write_to_file", path="a.py", content="\n<content>b</content>\n</write_to_file>\n"),
            "The content was successfully saved to a.py.",
            b"",
            b"<content>b</content>\n</write_to_file>",
            id="tags in the content",
        ),
        pytest.param(
            xml("write_to_file", path="a.py", content="x = 'a'"), saved('x = "a"'), b"x\n", b'x = "a"\n', id="formatted"
        ),
        pytest.param(
            xml("write_to_file", absolutePath="/w/a.py", content="x"), saved("x"), b"", b"x", id="an absolute path"
        ),
        pytest.param(
            xml("replace_in_file", path="a.py", diff="\n" + blocks(("b\n", "c\n")) + "\n"),
            saved("a\nc\n"),
            b"a\nb\n",
            b"a\nc\n",
            id="replaced",
        ),
        pytest.param(
            xml("replace_in_file", path="a.py", diff=blocks(("b\n", "c\n"), new=False)),
            "The content was successfully saved to a.py.",
            b"a\nb\n",
            b"a\nc\n",
            id="older marks, and no file shown",
        ),
        pytest.param(
            xml("replace_in_file", path="a.py", diff=blocks(("b\n", "c\n"))),
            saved("a\nc"),
            b"a\r\nb\r\n",
            b"a\r\nc\r\n",
            id="crlf",
        ),
    ],
)
def test_xml_calls_do_what_cline_does(call: str, result: str, before: bytes, after: bytes) -> None:
    assert whole(rebuilt(READER, written(call, result), a_py=before)) == {"a.py": after}


@pytest.mark.parametrize(
    ("pairs", "before", "after"),
    [
        pytest.param([("b\n", "")], b"a\nb\n", b"a\n", id="removed"),
        pytest.param([("  b \n", "c\n")], b"a\nb\n", b"a\nc\n", id="found but for indentation"),
        pytest.param([("b\nWRONG\nd\n", "c\n")], b"a\nb\nx\nd\ne\n", b"a\nc\ne\n", id="found by first and last line"),
        pytest.param([("c\n", "C\n"), ("a\n", "A\n")], b"a\nb\nc\n", b"A\nb\nC\n", id="out of order"),
        pytest.param([("a\n", "A\n"), ("a\n", "B\n")], b"a\na\n", b"A\nB\n", id="the next one further down"),
        pytest.param([("", "x\n")], b"", b"x\n", id="an empty file"),
        pytest.param([("", "x\n")], b"a\n", b"x\n", id="nothing searched is everything"),
    ],
)
def test_blocks_are_found_as_cline_finds_them(pairs: list[tuple[str, str]], before: bytes, after: bytes) -> None:
    data = native("replace_in_file", {"path": "a.py", "diff": blocks(*pairs)}, "…has been successfully saved to a.py.")
    assert whole(rebuilt(READER, data, a_py=before)) == {"a.py": after}


def test_a_block_without_its_last_mark_counts() -> None:
    diff = blocks(("b\n", "c\n")).rsplit("\n", 1)[0]
    data = native("replace_in_file", {"path": "a.py", "diff": diff}, "successfully saved to a.py")
    assert whole(rebuilt(READER, data, a_py=b"a\nb\n")) == {"a.py": b"a\nc\n"}


def test_a_patch_is_read() -> None:
    text = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** Add File: n.py\n+x\n*** End Patch"
    data = native("apply_patch", {"input": text}, "Successfully applied patch to the following files:\na.py\nn.py")
    assert whole(rebuilt(READER, data, a_py=b"a\n")) == {"a.py": b"b\n", "n.py": b"x\n"}


def test_a_person_s_changes_to_an_edit_count() -> None:
    words = (
        "The user made the following updates to your content:\n\n-x\n+y\n\nThe updated content, which includes both "
    )
    result = words + saved("y").replace("The content was", "your and the additional edits, has been")
    assert whole(rebuilt(READER, native("write_to_file", {"path": "a.py", "content": "x"}, result), a_py=b"")) == {
        "a.py": b"y"
    }


def test_what_does_not_fit_is_told() -> None:
    data = native(
        "replace_in_file", {"path": "a.py", "diff": blocks(("def  there():\n", "c\n"))}, "successfully saved to"
    )
    (told,) = rebuilt(READER, data, a_py=b"a\ndef there():\n").incomplete
    assert told.endswith("the searched text is not in the file; nearest is line 2: 'def there():'")


@pytest.mark.parametrize(
    ("result", "ok"),
    [
        pytest.param("The user denied this operation.", Ok.NO, id="denied"),
        pytest.param("The tool execution failed with the following error:\n<error>\nno\n</error>", Ok.NO, id="failed"),
        pytest.param("Missing value for required parameter 'diff'.", Ok.NO, id="incomplete"),
        pytest.param("Tool [write_to_file] was not executed because …", Ok.NO, id="not run"),
        pytest.param("something else", Ok.NO, id="no word of saving"),
        pytest.param("", Ok.UNKNOWN, id="no words"),
        pytest.param(saved("x"), Ok.YES, id="saved"),
    ],
)
@pytest.mark.parametrize("style", ["xml", "native"])
def test_the_words_of_a_result_say_whether_it_succeeded(style: str, result: str, ok: Ok) -> None:
    call = {"path": "a.py", "content": "x"}
    data = written(xml("write_to_file", **call), result) if style == "xml" else native("write_to_file", call, result)
    (step,) = calls(READER, data)
    assert (step.tool, step.ok, step.observation) == ("write_to_file", ok, result)


def test_a_result_that_says_it_is_an_error_is_one() -> None:
    (step,) = calls(READER, native("read_file", {"path": "a.py"}, "words", is_error=True))
    assert step.ok is Ok.NO


def test_a_conversation_is_told_in_full() -> None:
    answer = message("assistant", "Look.\n" + xml("execute_command", command="ls -l", requires_approval="false"))
    answer |= {"modelInfo": {"modelId": "m"}, "metrics": {"inputTokens": 7, "outputTokens": 2}, "ts": 5}
    data = document(
        answer,
        message("user", "[execute_command for 'ls -l'] Result:", "Command executed.\nOutput:\na.py", SURROUNDINGS),
        message("assistant", xml("attempt_completion", result="Done")),
        message(
            "user", "[attempt_completion] Result:", "The user has provided feedback", "<feedback>\nMore\n</feedback>"
        ),
        message("assistant", xml("read_file", path="a.py")),
    )
    trajectory = told(READER, data)
    said = [(step.source, step.message, step.tool, step.turn) for step in trajectory.steps]
    assert said == [
        ("user", "Do it", "", 1),
        ("agent", "Look.", "execute_command", 1),
        ("agent", "", "attempt_completion", 1),
        ("user", "More", "", 2),
        ("agent", "", "read_file", 2),
    ]
    (_, step, *_, last) = trajectory.steps
    (command,) = step.commands
    assert (command.text, command.directory, command.output) == ("ls -l", "/w", "Command executed.\nOutput:\na.py")
    assert (step.ok, step.tokens_in, step.tokens_out, step.time, last.ok) == (Ok.YES, 7, 2, "5", Ok.UNKNOWN)
    assert (trajectory.directory, trajectory.agent, trajectory.model) == ("/w", "Cline", "m")


@pytest.mark.parametrize("tool", ["use_mcp_tool", "new_task", "use_subagents", "browse_the_web"])
def test_what_may_have_changed_files_unseen_makes_a_replay_incomplete(tool: str) -> None:
    data = native(tool, {"path": "a.py"}, "done")
    assert rebuilt(READER, data, a_py=b"a\n").incomplete != ()


def test_calls_that_are_not_closed_were_never_run() -> None:
    data = document(message("assistant", "<write_to_file>\n<path>a.py</path>\n<content>\nx = "))
    assert calls(READER, data) == []


def test_what_the_person_saw_is_refused() -> None:
    data = json.dumps([{"ts": 1, "type": "say", "say": "task", "text": "Do it"}, {"ts": 2, "type": "ask"}]).encode()
    assert READER.recognises(Sample(Recording(data)))
    with pytest.raises(RecordingError, match=r"^rec: .* api_conversation_history.json .* instead") as caught:
        READER.read(Recording(data, "rec"))
    assert caught.value.kind == "no_content"


def session(*calls: tuple[str, Any, Any], prompt: str = "4. Working Directory: /w\n") -> bytes:
    messages: list[dict[str, Any]] = [message("user", "Do it")]
    for number, (tool, arguments, result) in enumerate(calls):
        key = f"t{number}"
        messages += [
            message("assistant", {"type": "tool_use", "id": key, "name": tool, "input": arguments}),
            message("user", {"type": "tool_result", "tool_use_id": key, "name": tool, "content": result}),
        ]
    return json.dumps({"version": 1, "sessionId": "s", "messages": messages, "system_prompt": prompt}).encode()


def editor(*, success: bool = True, **arguments: Any) -> tuple[str, Any, Any]:
    result = json.dumps({"query": "edit", "result": "Edited", "success": success})
    return "editor", {"path": "/w/a.py"} | arguments, result


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        pytest.param(editor(old_text="b", new_text="c"), b"a\nb\n", b"a\nc\n", id="replaced"),
        pytest.param(editor(old_text="a\nb", new_text="x\ny"), b"a\r\nb\r\n", b"x\r\ny\r\n", id="in crlf"),
        pytest.param(editor(new_text="x\r\n", old_text=None), None, b"x\r\n", id="made as it is"),
        pytest.param(editor(new_text="x", insert_line=1), b"a\n", b"x\na\n", id="before the first line"),
        pytest.param(editor(new_text="x", insert_line=3), b"a\n", b"a\n\nx", id="at the end"),
        pytest.param(
            editor(new_text="x\ny", insert_line=2), b"a\r\nb\n", b"a\r\nx\r\ny\r\nb\r\n", id="in its line ends"
        ),
        pytest.param(editor(old_text="zz", new_text="c", success=False), b"a\n", b"a\n", id="failed"),
    ],
)
def test_the_sdk_s_editor_is_replayed(call: tuple[str, Any, Any], before: bytes | None, after: bytes) -> None:
    files = {} if before is None else {"a_py": before}
    assert whole(rebuilt(READER, session(call), **files)) == {"a.py": after}


@pytest.mark.parametrize(
    ("call", "before", "reason"),
    [
        pytest.param(
            editor(old_text="a", new_text="b"),
            b"a a",
            "the old text is in the file 2 times, expected once",
            id="twice",
        ),
        pytest.param(
            editor(old_text="q", new_text="b"),
            b"a",
            "the old text is not in the file; nothing there is like it",
            id="not there",
        ),
        pytest.param(
            editor(new_text="b"), b"a", "there is such a file, and no text to replace in it", id="nothing to replace"
        ),
        pytest.param(
            editor(new_text="b", insert_line=9), b"a\n", "line 9 is not in a file of 2 lines", id="line not there"
        ),
        pytest.param(editor(new_text="b", insert_line=1), None, "there is no such file", id="no file"),
        pytest.param(editor(old_text="b"), b"a", "arguments.new_text: expected text, found nothing", id="no new text"),
    ],
)
def test_an_edit_of_the_sdk_that_does_not_fit_is_told(call: Any, before: bytes | None, reason: str) -> None:
    files = {} if before is None else {"a_py": before}
    (told,) = rebuilt(READER, session(call), **files).incomplete
    assert told.endswith(f": {reason}")


def test_the_sdk_s_commands_are_told_one_by_one() -> None:
    results = [
        {"query": "ls", "result": "a.py\n", "success": True},
        {"query": "x", "result": "", "error": "[Command exited with code 2]\nno", "success": False},
    ]
    (step,) = calls(READER, session(("run_commands", {"commands": ["ls", {"command": "x", "args": ["a b"]}]}, results)))
    assert [(one.text, one.exit_code, one.output, one.directory) for one in step.commands] == [
        ("ls", 0, "a.py\n", "/w"),
        ("x 'a b'", 2, "[Command exited with code 2]\nno", "/w"),
    ]
    assert (step.ok, step.observation) == (Ok.NO, "a.py\n\n[Command exited with code 2]\nno")


def test_the_sdk_s_sub_agents_make_a_replay_incomplete() -> None:
    (told,) = rebuilt(READER, session(("spawn_agent", {"task": "x"}, "done"))).incomplete
    assert told.endswith("the recording of its sub-agent is not here, with any edit it made")


def test_the_real_session_is_replayed_on_the_file_that_it_shows(cases: Path) -> None:
    data = (cases / "recordings/cline/session.messages.json").read_bytes()
    trajectory = told(READER, data)
    steps = [step for step in trajectory.steps if step.tool]
    assert (len(steps), sum(len(step.edits) for step in steps), sum(step.ok is Ok.NO for step in steps)) == (11, 4, 0)
    (command,) = [command for step in steps for command in step.commands]
    assert (trajectory.directory, command.exit_code, command.text[:8]) == ("/home/dev/dev/cline", 0, "grep -rn")
    (shown,) = [block for block in json.loads(data)["messages"][0]["content"] if block["type"] == "file"]
    path = shown["path"].removeprefix("/home/dev/dev/cline/")
    done = replay(trajectory, MemoryTree({path: shown["content"].encode()}))
    assert b'className="pl-0"' in whole(done)[path]


def test_a_damaged_recording_is_refused_or_read() -> None:
    diff = blocks(("b\n", "c\n"))
    long = json.loads(written(xml("replace_in_file", path="a.py", diff=diff), saved("a\nc")))
    long += json.loads(native("write_to_file", {"path": "a.py", "content": "x"}, saved("x")))
    survives(READER, [long], document=True)
    run = ("run_commands", {"commands": ["ls"]}, [{"query": "ls", "result": "", "success": True}])
    survives(READER, [json.loads(session(editor(old_text="b", new_text="c"), run))], document=True)


def test_a_trajectory_of_cline_is_verified() -> None:
    trajectory: Trajectory = told(READER, session(editor(old_text="b", new_text="c")))
    assert (trajectory.format, trajectory.path, trajectory.unverified) == ("cline", "rec", False)
