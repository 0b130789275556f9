"""OpenHands' actions: what they do to files, by what each version recorded."""

from typing import Any

import pytest

from gate.agents.conversation import About, Call, Deed, Result
from gate.agents.openhands import LinesWritten, deed, outcome
from gate.editing.edit import Edit
from gate.errors import RecordingError
from gate.trajectory import Command, Ok, Step

DONE = "The file /w/a.py has been edited. Here's the result of running `cat -n` on a snippet:\n     1\t"


def did(tool: str, args: dict[str, Any], time: str = "2025-06-01T00:00:00", **observed: Any) -> Deed:
    """What an action did, with what was observed."""
    step = Step(number=1, tool=tool, arguments=args, time=time, directory="/w")
    event = {"observation": tool, "content": "", "extras": {}} | observed
    result = Result(id="1", ok=outcome(event, event["observation"]), detail=event) if observed else None
    return deed(Call("1", step), result, About())


def edit(command: str = "str_replace", *, path: str = "/w/a.py", **args: Any) -> dict[str, Any]:
    return {"command": command, "path": path, "impl_source": "oh_aci"} | args


def only(found: Deed) -> Edit:
    (made,) = found.edits
    return made


def test_applies_the_call_where_only_its_texts_are_recorded() -> None:
    extras = {"old_content": "b", "new_content": "c", "prev_exist": False, "impl_source": "oh_aci"}
    made = only(did("edit", edit(old_str="b", new_str="c"), content=DONE, extras=extras))
    assert made.outcome(b"a\tb\r\n") == b"a\tc\n"


@pytest.mark.parametrize(
    ("time", "snippet", "after"),
    [
        pytest.param("2025-04-01T00:00:00", "a       c", b"a       c\n", id="an early version"),
        pytest.param("2025-04-01T00:00:00", "a\tc", b"a\tc\n", id="it shows a tab, so it was none"),
        pytest.param("2025-05-02T00:00:00", "x", b"a\tc\n", id="a later version"),
        pytest.param("", "x", b"a\tc\n", id="no time"),
    ],
)
def test_early_versions_took_the_tabs_away(time: str, snippet: str, after: bytes) -> None:
    made = only(did("edit", edit(old_str="b", new_str="c"), time, content=DONE + snippet))
    assert made.outcome(b"a\tb\n") == after


def test_believes_a_recorded_content() -> None:
    code = "print(file_editor(**{'command': 'str_replace', 'path': '/w/a.py', 'old_str': 'b', 'new_str': 'c'}))"
    args = {"path": "/w/a.py", "content": "", "impl_source": "oh_aci", "translated_ipython_code": code}
    extras = {"path": "/w/a.py", "old_content": "b\n", "new_content": "C\n", "prev_exist": True}
    made = only(did("edit", args, content="diff", extras=extras))
    assert (made.outcome(b"b\r\n"), made.outcome(b"x"), made.written) == (b"C\n", b"C\n", b"c")
    assert made.start(b"b\r\n") == b"b\r\n"
    made = only(did("edit", args))
    assert made.outcome(b"\tb\n") == b"        c\n"


@pytest.mark.parametrize(
    ("extras", "after"),
    [
        ({"prev_exist": True, "old_content": "a\nb\n", "new_content": "a\nc\n"}, b"a\nc\n\n"),
        ({"prev_exist": False, "old_content": "", "new_content": "\na\n\n"}, b"a\n"),
    ],
)
def test_a_draft_is_written_as_lines(extras: dict[str, Any], after: bytes) -> None:
    made = only(did("edit", {"path": "/w/a.py", "content": "draft", "start": 1, "end": -1}, extras=extras))
    assert (made.outcome(b"a\nb\n"), made.written) == (after, b"draft")


def test_a_draft_that_the_linter_refused_was_written_all_the_same() -> None:
    refused = {"observation": "error", "content": "\n[Linting failed for edited file /w/a.py. 1 lint errors found.]"}
    args = {"path": "/w/a.py", "content": "draft"}
    assert outcome(refused, "error") is Ok.UNKNOWN
    found = did("edit", args, **refused)
    assert found.lost is not None
    assert found.lost.reason == (
        "the draft for /w/a.py was written, though the linter refused it; what is not recorded"
    )
    assert only(did("edit", args, observation="error", content="Invalid range")).written == b"draft"
    with pytest.raises(RecordingError) as caught:
        did("edit", args)
    assert caught.value.message == "extras.new_content: what a second model made of the draft is not recorded"


@pytest.mark.parametrize(
    ("first", "last", "before", "after"),
    [
        (0, -1, None, b"x\ny\n"),
        (0, -1, b"a\nb\n", b"x\ny\n"),
        (1, -1, b"a\r\nb\n", b"a\nx\ny\n"),
        (1, 2, b"a\nb\nc", b"a\nx\ny\nc"),
        (9, 9, b"a\n", b"a\nx\ny\n"),
        (9, 9, b"a", b"ax\ny\n"),
    ],
)
def test_write_puts_lines(first: int, last: int, before: bytes | None, after: bytes) -> None:
    made = only(did("write", {"path": "/w/a.py", "content": "x\ny", "start": first, "end": last}))
    assert (made.outcome(before), made.written) == (after, b"x\ny")


def test_write_without_a_place_is_the_whole_file() -> None:
    assert only(did("write", {"path": "a", "content": "x"})) == LinesWritten(path="a", content=b"x")


def test_commands() -> None:
    ended: dict[str, Any] = {"content": "ok", "extras": {"metadata": {"exit_code": 3, "working_dir": "/w"}}}
    assert did("run", {"command": "ls"}, observation="run", **ended).commands == (
        Command(text="ls", directory="/w", exit_code=3, output="ok"),
    )
    assert did("run", {"command": "ls", "cwd": "/x"}, observation="run", extras={"exit_code": 0}).commands == (
        Command(text="ls", directory="/x", exit_code=0),
    )
    assert did("run_ipython", {"code": "open('a')"}).commands == (
        Command(text="python3 - <<'IPYTHON'\nopen('a')\nIPYTHON", directory="/w"),
    )


@pytest.mark.parametrize(
    ("observed", "kind", "ok"),
    [
        ({"content": "ERROR:\nNo replacement was performed"}, "edit", Ok.NO),
        ({"content": DONE}, "edit", Ok.YES),
        ({"content": "Invalid"}, "error", Ok.NO),
        ({"content": ""}, "user_rejected", Ok.NO),
        ({"extras": {"metadata": {"exit_code": 0}}}, "run", Ok.YES),
        ({"extras": {"metadata": {"exit_code": 1}}}, "run", Ok.NO),
        ({"extras": {"metadata": {"exit_code": -1}}}, "run", Ok.UNKNOWN),
        ({}, "run_ipython", Ok.UNKNOWN),
        ({}, "think", Ok.YES),
    ],
)
def test_what_an_observation_says(observed: dict[str, Any], kind: str, ok: Ok) -> None:
    assert outcome(observed, kind) is ok


def test_tools_that_touch_no_file_and_those_not_known() -> None:
    assert did("think", {"thought": "x"}) == Deed()
    assert did("call_tool_mcp", {"name": "x", "arguments": {}}) == Deed(known=False)
