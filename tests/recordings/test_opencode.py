"""opencode's sessions: what a result records goes before the call."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gate.recording import Recording, Sample
from gate.recordings.opencode import OpenCode
from gate.trajectory import Command, Lost, Ok
from tests.recordings.recorded import calls, lines, rebuilt, survives, told, whole

READER = OpenCode()
ROOT = "/home/u/project"
INFO = {"id": "ses_1", "directory": ROOT, "version": "1.2.24", "title": "t"}
AB = b"a\nb\n"
DIFF = f"Index: {ROOT}/a.py\n===\n--- {ROOT}/a.py\n+++ {ROOT}/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+x\n"


def tool(name: str, arguments: Any, metadata: Any = None, *, status: str = "completed", **more: Any) -> dict[str, Any]:
    state = {"status": status, "input": arguments, "output": "done", "metadata": metadata or {}, "title": ""} | more
    return {"type": "tool", "callID": "REDACTED", "tool": name, "state": state, "id": f"prt_{name}"}


def said(*parts: Any, role: str = "assistant", key: str = "msg_1", **more: Any) -> dict[str, Any]:
    info = {"role": role, "id": key, "modelID": "gpt", "path": {"cwd": ROOT, "root": ROOT}, "time": {"created": 1}}
    tokens = {"input": 5, "output": 2, "reasoning": 1, "cache": {"read": 10, "write": 0}}
    return {"info": info | {"tokens": tokens, "cost": 0.5} | more, "parts": list(parts)}


def session(*messages: Any, **info: Any) -> bytes:
    return json.dumps({"info": INFO | info, "messages": list(messages)}, indent=1).encode()


def edit(metadata: Any = None, path: str = "a.py", old: str = "b", new: str = "x", **more: Any) -> dict[str, Any]:
    arguments = {"filePath": f"{ROOT}/{path}", "oldString": old, "newString": new}
    return tool("edit", arguments | {key: more.pop(key) for key in ("replaceAll",) if key in more}, metadata, **more)


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-b\n+x\n*** End Patch"


def patched(**file: Any) -> dict[str, Any]:
    told = {"filePath": f"{ROOT}/a.py", "relativePath": "a.py", "type": "update"} | file
    return tool("apply_patch", {"patchText": PATCH}, {"files": [told]})


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(edit(), id="the call alone"),
        pytest.param(edit({"diff": DIFF}), id="a diff"),
        pytest.param(edit({"filediff": {"file": "a.py", "before": "a\nb\n", "after": "a\nx\n"}}), id="contents"),
        pytest.param(edit({"filediff": {"file": "a.py", "patch": DIFF}, "diff": DIFF}), id="a later version's diff"),
        pytest.param(edit({"diff": "no diff"}), id="no diff"),
        pytest.param(edit({"diff": "@@ what"}), id="a diff that cannot be read"),
        pytest.param(tool("write", {"filePath": f"{ROOT}/a.py", "content": "a\nx\n"}), id="a write"),
        pytest.param(
            tool(
                "multiedit",
                {
                    "filePath": f"{ROOT}/a.py",
                    "edits": [{"oldString": "a", "newString": "c"}, {"oldString": "c\nb", "newString": "a\nx"}],
                },
            ),
            id="several edits",
        ),
        pytest.param(patched(before="a\nb\n", after="a\nx\n"), id="a patch with its contents"),
        pytest.param(patched(patch=DIFF), id="a patch with a diff"),
        pytest.param(patched(), id="a patch with nothing"),
        pytest.param(tool("patch", {"patchText": PATCH}), id="the older patch"),
        pytest.param(
            tool(
                "apply_patch",
                {"patchText": "?"},
                {"files": [{"filePath": f"{ROOT}/a.py", "type": "update", "diff": DIFF}]},
            ),
            id="a patch that only its diff tells",
        ),
    ],
)
def test_edits(part: dict[str, Any]) -> None:
    assert whole(rebuilt(READER, session(said(part)), a_py=AB)) == {"a.py": b"a\nx\n"}


def test_the_content_after_is_the_formatter_s() -> None:
    done = rebuilt(READER, session(said(edit({"filediff": {"before": "a\nb\n", "after": "a\nx;\n"}}))), a_py=AB)
    assert whole(done) == {"a.py": b"a\nx;\n"}
    assert not done.applied[0].drift


def test_the_diff_shows_what_the_formatter_did() -> None:
    diff = DIFF.replace("+x", "+x;")
    assert whole(rebuilt(READER, session(said(edit({"diff": diff}))), a_py=AB)) == {"a.py": b"a\nx;\n"}


def test_a_diff_without_the_indentation_of_its_lines() -> None:
    """As opencode shows it, where every line of the diff is indented."""
    diff = "@@ -2,3 +2,4 @@\n if a:\n-    b\n+    x\n+\n c\n"
    before = b"def f():\n\tif a:\n\t    b\n\tc\n"
    done = rebuilt(READER, session(said(edit({"diff": diff}, old="?", new="?"))), a_py=before)
    assert whole(done) == {"a.py": b"def f():\n\tif a:\n\t    x\n\n\tc\n"}


@pytest.mark.parametrize(
    ("part", "before", "after"),
    [
        pytest.param(edit(), b"a\r\nb\r\n", b"a\r\nx\r\n", id="crlf"),
        pytest.param(edit(old="a\nb", new="a\nx"), b"a\r\nb\r\n", b"a\r\nx\r\n", id="crlf in several lines"),
        pytest.param(edit({"diff": DIFF}), b"a\r\nb\r\n", b"a\r\nx\r\n", id="crlf with a diff"),
        pytest.param(edit({"diff": DIFF}), b"a\nb\r\n", b"a\nx\r\n", id="both kinds of ends"),
        pytest.param(
            edit({"filediff": {"before": "a\nb\n", "after": "a\nx\n"}}),
            b"\xef\xbb\xbfa\nb\n",
            b"\xef\xbb\xbfa\nx\n",
            id="a byte order mark",
        ),
        pytest.param(edit(replaceAll=True), b"b\nb\n", b"x\nx\n", id="everywhere"),
        pytest.param(edit(old=" b ", new="x"), b"a\n\tb\nc\n", b"a\nx\nc\n", id="white space around a line"),
        pytest.param(edit(old="", new="n\n"), None, b"n\n", id="a new file"),
        pytest.param(edit(old="", new="n\n"), b"o\n", b"n\n", id="all of a file"),
        pytest.param(edit({"diff": DIFF}), b"new\na\nb\n", b"new\na\nx\n", id="a diff out of place"),
        pytest.param(patched(patch=DIFF), b"new\na\nb\n", b"new\na\nx\n", id="a patch's diff out of place"),
    ],
)
def test_as_the_tool_does(part: dict[str, Any], before: bytes | None, after: bytes) -> None:
    files = {} if before is None else {"a_py": before}
    assert whole(rebuilt(READER, session(said(part)), **files)) == {"a.py": after}


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        pytest.param(edit(old="q"), "the old text is not in the file; nothing there is like it", id="not there"),
        pytest.param(edit(), "the old text is in the file 2 times, expected once", id="twice"),
        pytest.param(edit(path="n.py"), "there is no such file", id="no file"),
        pytest.param(
            tool(
                "patch", {"patchText": PATCH.replace("a.py", "n.py")}, {"files": [{"filePath": "n.py", "diff": DIFF}]}
            ),
            "there is no such file",
            id="a diff of no file",
        ),
        pytest.param(
            tool(
                "patch", {"patchText": "?"}, {"files": [{"filePath": f"{ROOT}/a.py", "type": "update", "diff": DIFF}]}
            ),
            "the recorded diff does not fit at line 1; nothing there is like it",
            id="nothing but a diff, which does not fit",
        ),
    ],
)
def test_what_does_not_fit(part: dict[str, Any], reason: str) -> None:
    (edit_,) = rebuilt(READER, session(said(part)), a_py=b"b\nb\n").failed
    assert edit_.reason == reason


def test_every_kind_of_a_patch() -> None:
    text = (
        "*** Begin Patch\n*** Add File: n\n+n\n*** Delete File: o\n*** Update File: a.py\n*** Move to: b.py\n@@\n-b\n+x\n"
        "*** Update File: c\n*** Move to: d\n@@\n-c\n+d\n*** End Patch"
    )
    files = [
        {"filePath": f"{ROOT}/n", "type": "add", "before": "", "after": "n\n"},
        {"filePath": f"{ROOT}/o", "type": "delete", "before": "o\n", "after": ""},
        {"filePath": f"{ROOT}/a.py", "type": "move", "movePath": f"{ROOT}/b.py", "before": "a\nb\n", "after": "a\nx\n"},
        {"filePath": f"{ROOT}/c", "type": "move", "movePath": f"{ROOT}/d", "patch": "@@ -1 +1 @@\n-c\n+d\n"},
    ]
    expected = {"b.py": b"a\nx\n", "d": b"d\n", "n": b"n\n"}
    for told_text in (text, "no patch"):
        part = tool("apply_patch", {"patchText": told_text}, {"files": files})
        if told_text != text:
            files[0] |= {"after": "n\n"}
        assert whole(rebuilt(READER, session(said(part)), o=b"o\n", a_py=AB, c=b"c\n")) == expected
    assert [found.written for found in calls(READER, session(said(part)))[0].edits] == [b"n\n", b"", b"", b"d\n"]


def test_success_and_commands() -> None:
    data = session(
        said(
            edit(status="error", error="oldString not found", output=None),
            tool("edit", {}, status="error", error="bad", output=None),
            edit(status="running"),
            tool("bash", {"command": "make", "workdir": "/tmp"}, {"exit": 2, "output": "bad"}, output="bad"),
            tool("bash", {"command": "ls"}, {"exit": 0}),
            tool("bash", {"command": "sleep"}, {"exit": None}, status="error", error="aborted"),
            tool("todowrite", {"todos": []}),
            tool("files_write", {"path": "a.py"}),
        )
    )
    found = calls(READER, data)
    assert [(step.tool, step.ok, step.known, step.names) for step in found] == [
        ("edit", Ok.NO, True, ()),
        ("edit", Ok.NO, True, ()),
        ("edit", Ok.UNKNOWN, True, ()),
        ("bash", Ok.NO, True, ()),
        ("bash", Ok.YES, True, ()),
        ("bash", Ok.NO, True, ()),
        ("todowrite", Ok.YES, True, ()),
        ("files_write", Ok.YES, False, ("a.py",)),
    ]
    assert found[3].commands == (Command(text="make", directory="/tmp", exit_code=2, output="bad"),)
    assert found[4].commands == (Command(text="ls", directory=ROOT, exit_code=0, output="done"),)
    assert found[0].observation == "oldString not found"


@pytest.mark.parametrize(
    ("revert", "after"),
    [
        pytest.param({"messageID": "msg_2"}, b"a\nx\n", id="a message"),
        pytest.param({"messageID": "msg_2", "partID": "prt_write"}, b"a\ny\n", id="a part"),
        pytest.param({"messageID": "msg_1"}, AB, id="all of it"),
    ],
)
def test_what_a_person_reverted(revert: dict[str, Any], after: bytes) -> None:
    second = said(edit(old="x", new="y"), tool("write", {"filePath": "a.py", "content": "z"}), key="msg_2")
    data = session(said(edit()), second, said(edit(old="q"), key="msg_3"), revert=revert)
    assert whole(rebuilt(READER, data, a_py=AB)) == {"a.py": after}


def test_a_revert_that_cannot_be_placed() -> None:
    (part,) = told(READER, session(said(edit()), revert={"messageID": "msg_9"})).dropped
    assert (part.reason, part.grave) == ("a person reverted to a message that is not here", True)


def test_what_the_session_says_of_itself() -> None:
    prompt = [{"type": "text", "text": "do it"}, {"type": "text", "text": "…", "synthetic": True}, {"type": "file"}]
    parts = [{"type": "step-start"}, {"type": "text", "text": "I will"}, edit(), tool("read", {"filePath": "a.py"})]
    found = told(READER, session(said(*prompt, role="user"), said(*parts, agent="general"), parentID="ses_0"))
    assert (found.agent, found.model, found.directory, found.start) == ("opencode 1.2.24", "gpt", ROOT, None)
    steps = list(found.steps)
    assert [(step.source, step.message, step.tool, step.agent, step.turn) for step in steps] == [
        ("user", "do it", "", "", 1),
        ("agent", "I will", "edit", "general", 1),
        ("agent", "", "read", "general", 1),
    ]
    assert [(step.tokens_in, step.tokens_out, step.cost) for step in steps[1:]] == [(15, 3, 0.5), (None, None, None)]


def test_a_session_that_runs_below_the_root() -> None:
    path = {"cwd": f"{ROOT}/sub", "root": ROOT}
    part = tool("write", {"filePath": "a.py", "content": "x"})
    data = session(said(part, path=path), directory=f"{ROOT}/sub")
    assert told(READER, data).directory == ROOT
    assert [edit_.path for edit_ in rebuilt(READER, data).applied] == ["sub/a.py"]


def test_a_sub_agent_leaves_the_replay_open() -> None:
    data = session(said(tool("task", {"subagent_type": "general"}), tool("task", {"subagent_type": "explore"})))
    first, second = calls(READER, data)
    assert first.lost == Lost(
        "the session of its sub-agent general is another export, with any edit it made", "sub_agent"
    )
    assert second.lost is None


def test_the_events_of_a_run() -> None:
    data = lines(
        {"type": "step_start", "timestamp": 1, "sessionID": "s", "part": {"type": "step-start"}},
        {"type": "text", "timestamp": 2, "sessionID": "s", "part": {"type": "text", "text": "I will"}},
        {
            "type": "tool_use",
            "timestamp": 3,
            "sessionID": "s",
            "part": tool("write", {"filePath": "a.py", "content": "x"}),
        },
        {"type": "error", "timestamp": 4, "sessionID": "s", "error": {"name": "x"}},
    )
    assert whole(rebuilt(READER, data)) == {"a.py": b"x"}
    assert [(step.line, step.tool, step.message) for step in told(READER, data).steps] == [
        (2, "", "I will"),
        (3, "write", ""),
    ]


def test_parts_that_cannot_be_read() -> None:
    found = told(READER, session(said(edit(), 7), 8, {"info": {}, "parts": None}))
    assert [(part.reason, part.grave) for part in found.dropped] == [
        ("messages[0].parts: expected objects, found the number 7", True),
        ("messages[1]: expected a message with parts, found the number 8", True),
        ("messages[2]: expected a message with parts, found an object", True),
    ]


def test_calls_that_do_not_say_what_they_did() -> None:
    data = session(
        said(
            tool("edit", {"filePath": "a.py"}),
            tool("apply_patch", {"patchText": "?"}),
            tool("apply_patch", {}, {"files": [{"filePath": "a.py", "type": "update"}]}),
            tool("bash", None),
        )
    )
    assert [step.lost and step.lost.reason for step in calls(READER, data)] == [
        "arguments.oldString: expected text, found nothing",
        "the patch cannot be read: expected it to begin with '*** Begin Patch' and to end with '*** End Patch'",
        "metadata.files: the result tells nothing of what became of 'a.py'",
        "arguments.command: expected text, found nothing",
    ]


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"info": {"id": "x"}, "messages": []}, id="no session"),
        pytest.param({"info": "x", "messages": [{"info": {}, "parts": []}]}, id="no info"),
        pytest.param({"messages": [{"info": {}, "parts": []}]}, id="no info at all"),
        pytest.param([], id="a list"),
    ],
)
def test_not_known(document: Any) -> None:
    assert not READER.recognises(Sample(Recording(json.dumps(document).encode())))


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(edit({"filediff": {"before": "a\nb\n", "after": "a\nx\n"}, "diff": DIFF}), id="edit"),
        pytest.param(patched(before="a", patch=DIFF), id="patch"),
        pytest.param(
            tool("multiedit", {"filePath": "a", "edits": [{"oldString": "a", "newString": "b"}]}), id="multiedit"
        ),
        pytest.param(tool("bash", {"command": "ls", "workdir": "x"}, {"exit": 1}), id="bash"),
    ],
)
def test_broken_recordings(part: dict[str, Any]) -> None:
    survives(READER, [{"info": {"directory": ROOT}, "messages": [{"info": {}, "parts": [part]}]}], document=True)


def test_broken_messages() -> None:
    prompt = {"info": {"role": "user"}, "parts": [{"type": "text", "text": "x"}]}
    answer = said({"type": "tool", "tool": "write", "state": {"input": {"filePath": "a", "content": "b"}}})
    info = {"directory": ROOT, "revert": {"messageID": "msg_2", "partID": "x"}}
    survives(READER, [{"info": info, "messages": [prompt, answer]}], document=True)


# Counts by other people's parsers; they agree.
def test_real_sessions(cases: Path) -> None:
    with (cases / "recordings" / "INDEX.tsv").open() as file:
        index = [row for row in csv.DictReader(file, delimiter="\t") if row["format"] == "opencode"]
    assert len(index) == 2
    for row in index:
        path = cases / "recordings" / "opencode" / row["file"]
        found = READER.read(Recording(path.read_bytes(), path.name))
        steps = [step for step in found.steps if step.tool]
        counted = [
            len(steps),
            *(sum(map(bool, part)) for part in ([s.commands for s in steps], [s.edits for s in steps])),
        ]
        assert counted == [int(row[name]) for name in ("tool_steps", "shell_steps", "edits")], row["file"]
        assert found.dropped == ()
