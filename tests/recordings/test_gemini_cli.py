"""Gemini CLI's chats: what was written counts, not what was proposed."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from gate.recording import Recording, Sample
from gate.recordings.gemini_cli import GeminiCli
from gate.trajectory import Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = GeminiCli()
ROOT = "/home/u/project"
HASH = hashlib.sha256(ROOT.encode()).hexdigest()
HEADER = {"sessionId": "s", "projectHash": HASH, "startTime": "t0", "lastUpdated": "t1", "kind": "main"}


def call(name: str, args: dict[str, Any], *, status: str = "success", key: str = "c1", **more: Any) -> dict[str, Any]:
    said = more.pop("said", "done")
    response = {"functionResponse": {"id": key, "name": name, "response": {"output": said}}}
    return {"id": key, "name": name, "args": args, "status": status, "timestamp": "t", "result": [response]} | more


def answer(*made: dict[str, Any], key: str = "m1", text: str = "") -> dict[str, Any]:
    tokens = {"input": 10, "output": 2, "total": 12}
    return {"id": key, "timestamp": "t", "type": "gemini", "content": text, "toolCalls": list(made), "tokens": tokens}


def prompt(text: str = "do it", key: str = "u1") -> dict[str, Any]:
    return {"id": key, "timestamp": "t", "type": "user", "content": [{"text": text}]}


def chat(*messages: dict[str, Any]) -> bytes:
    return json.dumps(HEADER | {"messages": list(messages)}).encode()


def shown(before: str | None, after: str, path: str = f"{ROOT}/a.py") -> dict[str, Any]:
    display = {"fileDiff": "…", "fileName": "a.py", "filePath": path, "originalContent": before, "newContent": after}
    return {"resultDisplay": display | {"isNewFile": before is None}}


def replaced(old: str, new: str, **more: Any) -> dict[str, Any]:
    extra = {key: more.pop(key) for key in ("allow_multiple", "expected_replacements") if key in more}
    return call("replace", {"file_path": "a.py", "old_string": old, "new_string": new} | extra, **more)


def test_what_the_result_shows_goes_before_the_arguments() -> None:
    data = chat(prompt(), answer(replaced("b", "x", **shown("a\nb\n", "a\nmended by a person\n"))))
    assert whole(rebuilt(READER, data, a_py=b"a\nb\n")) == {"a.py": b"a\nmended by a person\n"}


def test_a_file_with_crlf_keeps_it() -> None:
    data = chat(answer(replaced("b", "x", **shown("a\nb\n", "a\nx\n"))))
    assert whole(rebuilt(READER, data, a_py=b"a\r\nb\r\n")) == {"a.py": b"a\r\nx\r\n"}


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        pytest.param("b", "c", "a\nb\n", "a\nc\n", id="exact"),
        pytest.param("b\n", "", "a\nb\n", "a\n", id="the last line end stays"),
        pytest.param("b", "c\n", "a\nb", "a\nc", id="and so does its lack"),
        pytest.param("$&", "$1", "$&\n", "$1\n", id="no pattern"),
        pytest.param(
            "if x:\n  y()", "if z:\n  y()", "    if x:\n      y()\n", "    if z:\n      y()\n", id="indentation"
        ),
        pytest.param("f( a,b )", "g(a)", "  f(a,b\n)\n", "  g(a)\n", id="words"),
        pytest.param("a\r\nb", "c\r\nd", "a\r\nb\r\n", "c\r\nd\r\n", id="crlf in both"),
    ],
)
def test_without_a_result_it_does_what_the_tool_does(old: str, new: str, before: str, after: str) -> None:
    assert whole(rebuilt(READER, chat(answer(replaced(old, new))), a_py=before.encode())) == {"a.py": after.encode()}


def test_several_places_need_leave() -> None:
    assert whole(rebuilt(READER, chat(answer(replaced("b", "c", allow_multiple=True))), a_py=b"b b\n")) == {
        "a.py": b"c c\n"
    }
    assert whole(rebuilt(READER, chat(answer(replaced("b", "c", expected_replacements=2))), a_py=b"b b\n")) == {
        "a.py": b"c c\n"
    }
    done = rebuilt(READER, chat(answer(replaced("b", "c"))), a_py=b"b b\n")
    assert done.incomplete == ("step 1: a.py: the old text is in the file 2 times, expected once",)
    done = rebuilt(READER, chat(answer(replaced("f (x)", "c"))), a_py=b"f(x)\nf( x)\n")
    assert done.incomplete == ("step 1: a.py: text like the old one is in the file 2 times, expected once",)
    done = rebuilt(READER, chat(answer(replaced("f (y)", "c"))), a_py=b"f(x)\n")
    assert done.incomplete == ("step 1: a.py: the old text is not in the file; nearest is line 1: 'f(x)'",)


def test_an_empty_old_text_makes_a_file() -> None:
    assert whole(rebuilt(READER, chat(answer(replaced("", "new\n"))))) == {"a.py": b"new\n"}


def test_write_file() -> None:
    def write(path: str, content: str, **more: Any) -> bytes:
        return chat(answer(call("write_file", {"file_path": path, "content": content}, **more)))

    assert whole(rebuilt(READER, write("a.py", "x\ny\n"), a_py=b"a\r\n")) == {"a.py": b"x\r\ny\r\n"}
    assert whole(rebuilt(READER, write(f"{ROOT}/a.py", "x", **shown("", "mended")))) == {"a.py": b"mended"}
    for folder in ("C:\\w", "\\\\srv\\s\\w"):
        data = json.loads(write(f"{folder}\\a.py", "x\n"))
        data["projectHash"] = hashlib.sha256(folder.encode()).hexdigest()
        assert whole(rebuilt(READER, json.dumps(data).encode())) == {"a.py": b"x\r\n"}


def test_the_folder_is_the_one_whose_hash_the_chat_names() -> None:
    seen = told(READER, chat(answer(call("read_file", {"file_path": f"{ROOT}/deep/down/x"}))))
    assert (seen.directory, seen.agent) == (ROOT, "Gemini CLI")
    assert told(READER, chat(answer(call("read_file", {"file_path": "/elsewhere/x"})))).directory is None
    for elsewhere in ("C:\\x\\y", "C:/x", "//x", "\\\\srv\\s\\x"):
        assert told(READER, chat(answer(call("read_file", {"file_path": elsewhere})))).directory is None
    mac = HEADER | {"projectHash": hashlib.sha256(b"/private/tmp/w").hexdigest()}
    message = answer(call("write_file", {"file_path": "/tmp/w/a.py", "content": "x"}))
    assert whole(rebuilt(READER, json.dumps(mac | {"messages": [message]}).encode())) == {"a.py": b"x"}


@pytest.mark.parametrize(
    ("said", "status", "code", "ok"),
    [
        pytest.param("Output: hi", "success", 0, Ok.YES, id="a success is not told"),
        pytest.param("Output: no\nExit Code: 3", "success", 3, Ok.NO, id="a failure is"),
        pytest.param("Command: x\nStdout: (empty)\nExit Code: 0", "success", 0, Ok.YES, id="as older versions have it"),
        pytest.param("Command moved to background (PID: 7).", "success", None, Ok.YES, id="not ended"),
        pytest.param("Command was cancelled by user", "cancelled", None, Ok.NO, id="cancelled"),
    ],
)
def test_a_command(said: str, status: str, code: int | None, ok: Ok) -> None:
    args = {"command": "make", "dir_path": "sub"}
    (step,) = calls(READER, chat(answer(call("run_shell_command", args, said=said, status=status))))
    (command,) = step.commands
    assert (command.text, command.directory, command.exit_code, step.ok) == ("make", "sub", code, ok)
    assert command.output == said == step.observation


def test_failed_and_unfinished_calls() -> None:
    failed, waiting = replaced("b", "c", status="error"), replaced("q", "c", status="awaiting_approval", key="c2")
    done = rebuilt(READER, chat(answer(failed, waiting)), a_py=b"b\n")
    assert [(edit.step, edit.kind) for edit in done.skipped] == [(1, "recorded_failure"), (2, "replay_mismatch")]
    assert [step.ok for step in calls(READER, chat(answer(failed, waiting)))] == [Ok.NO, Ok.UNKNOWN]


def test_a_journal_tells_the_last_version_of_a_message() -> None:
    first = answer(replaced("a", "b"), text="so")
    second = answer(replaced("a", "b"), replaced("b", "c", key="c2"), text="so")
    seen = told(READER, lines(HEADER, prompt(), first, {"$set": {"summary": "x"}}, second))
    assert [(step.number, step.line, step.turn, step.tool, step.message) for step in seen.steps] == [
        (1, 2, 1, "", "do it"),
        (2, 5, 1, "replace", "so"),
        (3, 5, 1, "replace", ""),
    ]
    assert [step.tokens_in for step in seen.steps] == [None, 10, None]


def test_a_checkpoint_repeats_nothing_and_may_bring_what_no_line_has() -> None:
    told_once, only_there = answer(replaced("a", "b")), answer(replaced("b", "c", key="c2"), key="m2")
    data = lines(
        HEADER, told_once, {"$set": {"messages": [told_once, only_there]}}, {"$set": {"messages": [only_there]}}
    )
    assert [step.line for step in calls(READER, data)] == [2, 3]


def test_a_rewind_puts_back_what_the_tool_had_shown() -> None:
    before = answer(replaced("a", "b", **shown("a\n", "b\n")), key="m1")
    gone = answer(replaced("b", "c", key="c2", **shown("b\n", "c\n")), key="m2")
    again = answer(replaced("b", "d", key="c3", **shown("b\n", "d\n")), key="m3")
    data = lines(HEADER, before, prompt(key="u2"), gone, {"$rewindTo": "u2"}, prompt(key="u3"), again)
    done = rebuilt(READER, data, a_py=b"a\n")
    assert whole(done) == {"a.py": b"d\n"}
    assert [edit.kind for edit in done.skipped] == ["rewound"]


def test_a_rewind_that_nothing_shows_later_is_said() -> None:
    gone = answer(replaced("a", "c", key="c2", **shown("a\n", "c\n")), key="m2")
    kept = answer(replaced("", "new\n", key="c3") | {"resultDisplay": "Created a.py"}, key="m3")
    done = rebuilt(READER, lines(HEADER, prompt(key="u2"), gone, kept, {"$rewindTo": "u2"}), b_py=b"x")
    assert done.incomplete == (
        f"line 5: a person went back to before an edit of {ROOT}/a.py; whether it was put back is not recorded; "
        "an edit or a result may be lost with it",
    )
    assert done.tree.read("a.py") == b"new\n"


def test_a_rewind_to_what_is_not_there_takes_everything_back() -> None:
    data = lines(HEADER, answer(replaced("a", "c", **shown("a\n", "c\n"))), {"$rewindTo": "?"})
    assert [step.undone for step in calls(READER, data)] == [True]


def test_a_sub_agent() -> None:
    own = lines(HEADER | {"kind": "subagent", "sessionId": "sub", "directories": [ROOT]}, answer(replaced("a", "b")))
    assert whole(rebuilt(READER, own, a_py=b"a")) == {"a.py": b"b"}
    assert (told(READER, own).directory, calls(READER, own)[0].agent) == (ROOT, "sub")
    for name, missing in (("generalist", True), ("codebase_investigator", False)):
        (step,) = calls(READER, chat(answer(call(name, {"request": "x"}, agentId="ab"))))
        assert (step.lost is not None, step.known) == (missing, True)
    done = rebuilt(READER, chat(answer(call("generalist", {}, agentId="ab"))))
    assert done.incomplete == ("step 1: the recording of its sub-agent ab is not here, with any edit it made",)


def test_what_it_does_not_know_is_counted() -> None:
    data = lines(
        HEADER, answer(call("mcp_x_save", {"path": "a.py"})), {"type": "odd", "id": "o", "toolCalls": []}, "text"
    )
    done = rebuilt(READER, data, a_py=b"a")
    assert done.unknown == {"mcp_x_save": 1}
    assert done.incomplete == (
        "step 1 (line 2): a.py: the tool mcp_x_save is not known here, it may have changed this file",
    )
    assert [(part.reason, part.grave) for part in told(READER, data).dropped] == [
        ("line 3 holds a message of the type 'odd', which this reader does not know", False),
        ("line 4 holds the text 'text'; expected a JSON object", False),
    ]


def test_arguments_that_say_nothing() -> None:
    done = rebuilt(READER, chat(answer(call("replace", {"file_path": "a.py", "old_string": 5, "new_string": ""}))))
    assert done.incomplete == ("step 1: arguments.old_string: expected text, found the number 5",)


def test_broken_recordings() -> None:
    made = [
        replaced("a", "b", **shown("a\nb\n", "b\nb\n")),
        call("write_file", {"file_path": f"{ROOT}/a.py", "content": "x"}, key="c2"),
        call("run_shell_command", {"command": "ls"}, key="c3"),
    ]
    records = [HEADER, prompt(), answer(*made), {"$set": {"directories": [ROOT]}}, {"$rewindTo": "m1"}]
    survives(READER, records)
    survives(READER, [HEADER | {"messages": [prompt(), answer(*made)]}], document=True)


@pytest.mark.parametrize(
    ("name", "tools", "edits", "failed"),
    [
        # The index counts sessions: of a single message it says no tool step.
        pytest.param("gemini-with-thoughts.json", 1, 0, 0, id="a message alone"),
        pytest.param("tool-list_directory.json", 1, 0, 0, id="another"),
        pytest.param("session-2025-10-29T10-36-f96c76b0.json", 1, 1, 0, id="a file written"),
        pytest.param("session-2025-10-29T10-39-a63242d9.json", 1, 1, 1, id="a tool refused"),
        pytest.param("session-2025-10-29T10-40-359abdd0.json", 1, 1, 0, id="another file written"),
    ],
)
def test_real_chats(cases: Path, name: str, tools: int, edits: int, failed: int) -> None:
    data = (cases / "recordings" / "gemini-chat" / name).read_bytes()
    assert READER.recognises(Sample(Recording(data)))
    steps = calls(READER, data)
    assert len(steps) == tools
    assert sum(len(step.edits) for step in steps) == edits
    assert sum(bool(step.edits) and step.ok is Ok.NO for step in steps) == failed
    assert all(step.known and step.time and step.ok is not Ok.UNKNOWN for step in steps)
