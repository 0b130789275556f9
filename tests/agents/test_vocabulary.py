"""Well-known tools by agent and name: the edits and commands that a call means."""

from typing import Any

import pytest

from gate.agents.claude import ClaudeReplace, ClaudeWrite
from gate.agents.clinesdk import Edited
from gate.agents.conversation import Deed
from gate.agents.editor import OPENHANDS, SWE_AGENT, EditorReplace
from gate.agents.gemini import GeminiReplace, GeminiWrite
from gate.agents.goose import GooseReplace
from gate.agents.hunks import HunkEdit
from gate.agents.notebook import CellEdit
from gate.agents.pi import Pair, PiEdit
from gate.agents.searchblock import ClineBlocks, SavedWrite
from gate.agents.searchreplace import SearchReplace
from gate.agents.vocabulary import Use, deed, family_of
from gate.editing.edit import Delete, Edit, Move, Replace, TextReplace, Write
from gate.editing.patch import Patched
from gate.errors import RecordingError
from gate.trajectory import Command


def did(tool: str, family: str = "", **arguments: Any) -> Deed:
    return deed(Use(tool=tool, arguments=arguments, family=family))


def only(tool: str, family: str = "", **arguments: Any) -> Edit:
    (edit,) = did(tool, family, **arguments).edits
    return edit


@pytest.mark.parametrize(
    ("agent", "family"),
    [
        ("Claude Code", "claude-code"),
        ("claude-code", "claude-code"),
        ("openhands-sdk", "openhands"),
        ("mini-swe-agent", "mini-swe-agent"),
        ("swe-agent", "swe-agent"),
        ("terminus-2", "terminus"),
        ("gemini_cli", "gemini"),
        ("copilot-cli", "copilot"),
        ("Nobody's own", "nobody's-own"),
    ],
)
def test_families(agent: str, family: str) -> None:
    assert family_of(agent) == family


OLD = {"file_path": "a", "old_string": "x", "new_string": "y"}


@pytest.mark.parametrize(
    ("found", "edit"),
    [
        pytest.param(only("Edit", "claude-code", **OLD), ClaudeReplace(path="a", old=b"x", new=b"y"), id="claude"),
        pytest.param(only("Edit", "", **OLD), ClaudeReplace(path="a", old=b"x", new=b"y"), id="like claude's"),
        pytest.param(only("Write", "claude-code", file_path="a", content="x"), Write(path="a", content=b"x"), id="write"),
        pytest.param(only("replace", "gemini", **OLD), GeminiReplace(path="a", old=b"x", new=b"y"), id="gemini"),
        pytest.param(
            only("replace", "gemini", **OLD, expected_replacements=2),
            GeminiReplace(path="a", old=b"x", new=b"y", all=True),
            id="gemini, several",
        ),
        pytest.param(only("write_file", "gemini", file_path="a", content="x"), GeminiWrite(path="a", content=b"x"), id="gemini's write"),
        pytest.param(
            only("edit", "opencode", filePath="a", oldString="x", newString="y", replaceAll=True),
            TextReplace(path="a", old=b"x", new=b"y", all=True),
            id="opencode",
        ),
        pytest.param(only("write", "opencode", filePath="a", content="x"), Write(path="a", content=b"x"), id="opencode's write"),
        pytest.param(only("create", "copilot", path="a", file_text="x"), Write(path="a", content=b"x"), id="copilot's create"),
        pytest.param(
            only("edit", "copilot", path="a", old_str="x", new_str="y"), Replace(path="a", old=b"x", new=b"y"), id="copilot"
        ),
        pytest.param(
            only("edit", "pi", path="a", edits=[{"oldText": "x", "newText": "y"}]),
            PiEdit(path="a", pairs=(Pair("x", "y"),)),
            id="pi",
        ),
        pytest.param(
            only("str_replace_editor", "openhands", command="str_replace", path="a", old_str="x", new_str="y"),
            EditorReplace(path="a", old=b"x", new=b"y", editor=OPENHANDS),
            id="openhands",
        ),
        pytest.param(
            only("edit", "openhands", command="str_replace", path="a", old_str="x", new_str="y"),
            EditorReplace(path="a", old=b"x", new=b"y", editor=OPENHANDS),
            id="openhands, in its own words",
        ),
        pytest.param(
            only("str_replace_editor", "swe-agent", command="str_replace", path="a", old_str="x", new_str="y"),
            EditorReplace(path="a", old=b"x", new=b"y", editor=SWE_AGENT),
            id="swe-agent",
        ),
        pytest.param(
            only("developer.text_editor", "goose", command="str_replace", path="a", old_str="x", new_str="y"),
            GooseReplace(path="a", old=b"x", new=b"y"),
            id="goose",
        ),
        pytest.param(only("search_replace", "aider", path="a", search="x", replace="y"), SearchReplace(path="a", search="x", replace="y"), id="aider"),
        pytest.param(only("udiff", "aider", path="a", diff="-x\n+y\n"), HunkEdit(path="a", lines=("-x\n", "+y\n")), id="aider's diff"),
        pytest.param(only("whole", "aider", path="a", content="x"), Write(path="a", content=b"x"), id="aider's listing"),
        pytest.param(only("editor", "cline", path="a", old_text="x", new_text="y"), Edited(path="a", old="x", new="y"), id="cline"),
        pytest.param(only("write_to_file", "cline", path="a", content="x"), SavedWrite(path="a", content=b"x"), id="cline's write"),
        pytest.param(only("delete_file", path="a"), Delete(path="a"), id="delete"),
        pytest.param(only("move_file", source="a", destination="b"), Move(path="a", to="b"), id="move"),
    ],
)  # fmt: skip
def test_edits(found: Edit, edit: Edit) -> None:
    assert found == edit
    assert type(found) is type(edit)


def test_edits_told_by_their_result_or_version() -> None:
    use = Use(tool="Edit", arguments=OLD, family="claude-code", detail={"originalFile": "x\n", "newString": "z"})
    assert deed(use).edits == (ClaudeReplace(path="a", old=b"x", new=b"z", before=b"x\n"),)
    use = Use(tool="Write", arguments={"file_path": "a", "content": "x"}, family="claude-code", version="2.0.27")
    assert deed(use).edits == (ClaudeWrite(path="a", content=b"x"),)


def test_patches_and_blocks() -> None:
    text = "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"
    assert isinstance(only("apply_patch", "codex", input=text), Patched)
    assert isinstance(only("apply_patch", "opencode", patchText=text), Patched)
    assert isinstance(only("shell", "codex", command=["apply_patch", text]), Patched)
    diff = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"
    assert isinstance(only("replace_in_file", "cline", path="a", diff=diff), ClineBlocks)
    cell = {"notebook_path": "a", "new_source": "x", "cell_id": "1"}
    assert isinstance(only("NotebookEdit", "claude-code", **cell), CellEdit)


def test_the_line_ends_of_a_patch_are_those_of_the_version() -> None:
    text = "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"
    old = deed(Use(tool="apply_patch", arguments={"input": text}, family="codex", version="0.100.0"))
    new = deed(Use(tool="apply_patch", arguments={"input": text}, family="codex", version="0.150.0"))
    assert (old.edits[0].outcome(b"x\r\n"), new.edits[0].outcome(b"x\r\n")) == (b"y\n", b"y\r\n")


@pytest.mark.parametrize(
    ("tool", "arguments", "texts"),
    [
        ("Bash", {"command": "ls"}, ["ls"]),
        ("shell", {"command": ["bash", "-lc", "ls -a"]}, ["ls -a"]),
        ("shell", {"command": ["rm", "a b"]}, ["rm 'a b'"]),
        ("exec_command", {"cmd": "ls"}, ["ls"]),
        ("run_commands", {"commands": ["ls", "pwd"]}, ["ls", "pwd"]),
        ("bash_command", {"keystrokes": "ls\n", "duration": 0.1}, ["ls"]),
        ("bash_command", {"keystrokes": "C-c"}, []),
    ],
)
def test_commands(tool: str, arguments: dict[str, Any], texts: list[str]) -> None:
    assert [command.text for command in did(tool, **arguments).commands] == texts


def test_a_draft_is_not_what_was_written() -> None:
    with pytest.raises(RecordingError) as caught:
        did("edit", "openhands", path="a", content="draft", start=1, end=-1)
    assert caught.value.message == "what a second model made of the draft is not recorded"


def test_what_is_known_of_a_command() -> None:
    use = Use(tool="exec_command", arguments={"cmd": "ls", "workdir": "sub"}, directory="/w", answer="x", exit_code=2)
    assert deed(use).commands == (Command(text="ls", directory="/w/sub", exit_code=2, output="x"),)


def test_gooses_tools_have_the_name_of_their_extension() -> None:
    assert only("developer__write", "goose", path="a", content="x") == Write(path="a", content=b"x")
    assert only("developer__edit", "goose", path="a", before="x", after="y") == Replace(path="a", old=b"x", new=b"y")
    assert did("developer__shell", "goose", command="ls").commands == (Command(text="ls"),)
    assert did("developer__text_editor", "goose", command="view", path="a") == Deed()
    lost = did("developer__text_editor", "goose", command="undo_edit", path="a").lost
    assert lost is not None
    assert lost.reason == "the edit that it takes back is not told"


def test_sub_agents() -> None:
    lost = did("Task", "claude-code", subagent_type="writer").lost
    assert lost is not None
    assert (lost.reason, lost.kind) == (
        "the recording of its sub-agent writer is not here, with any edit it made",
        "sub_agent",
    )
    assert did("Task", "claude-code", subagent_type="Explore") == Deed()


@pytest.mark.parametrize("tool", ["read_file", "Grep", "think", "finish", "TodoWrite", "update_plan", "browser_click"])
def test_tools_that_change_nothing(tool: str) -> None:
    assert did(tool, path="a") == Deed()


@pytest.mark.parametrize("tool", ["mcp__x__write", "", "exec", "Oddity"])
def test_tools_that_it_does_not_know(tool: str) -> None:
    assert did(tool, path="a") == Deed(known=False)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("Edit", {"path": "a"}, "arguments.old_string: expected text, found nothing"),
        ("Write", {"path": "a"}, "arguments.content: expected text, found nothing"),
        ("edit", {"old_string": "x"}, "arguments.file_path: expected text, found nothing"),
        ("apply_patch", {}, "arguments.patch: expected text, found nothing"),
        ("Bash", {}, "arguments.command: expected a command, found null"),
        ("str_replace_editor", {}, "path: expected text, found nothing"),
    ],
)
def test_says_what_a_call_lacks(tool: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordingError) as caught:
        did(tool, **arguments)
    assert caught.value.message == message
