"""What Codex's tools say: how a call ended, which files a patch changed, where it stopped."""

import json
from typing import Any

import pytest

from gate.agents.codex import Said, changes_fit, done_before, keeps_line_ends, patched, place_of, said, text_of
from gate.editing.edit import Delete, Move, Write
from gate.editing.patch import edits_of
from gate.errors import RecordingError
from gate.trajectory import Ok

PATCH = "*** Begin Patch\n*** Update File: a.py\n-b\n+x\n*** Delete File: sub/a.py\n*** End Patch"


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        pytest.param("Plan updated", Said(text="Plan updated", ok=Ok.YES), id="words"),
        pytest.param("", Said(text="", ok=Ok.YES), id="nothing"),
        pytest.param(
            "Exit code: 3\nOutput:\nx", Said(text="Exit code: 3\nOutput:\nx", exit_code=3, ok=Ok.NO), id="code"
        ),
        pytest.param(
            "Command: ls\nChunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n",
            Said(
                text="Command: ls\nChunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n",
                exit_code=0,
                ok=Ok.YES,
            ),
            id="a chunk",
        ),
        pytest.param(
            "Wall time: 1\nOutput:\nExit code: 1\n",
            Said(text="Wall time: 1\nOutput:\nExit code: 1\n", ok=Ok.YES),
            id="its own words",
        ),
        pytest.param(
            json.dumps({"output": "out", "metadata": {"exit_code": 1, "duration_seconds": 0.1}}),
            Said(text="out", exit_code=1, ok=Ok.NO),
            id="json",
        ),
        pytest.param('{"a": "metadata"', Said(text='{"a": "metadata"', ok=Ok.YES), id="no json"),
        pytest.param({"content": "no", "success": False}, Said(text="no", ok=Ok.NO), id="a flag"),
        pytest.param(
            [{"type": "input_text", "text": "Script failed"}], Said(text="Script failed", ok=Ok.NO), id="parts"
        ),
        pytest.param("Script running with cell ID 4\n", Said(text="Script running with cell ID 4\n"), id="under way"),
        pytest.param("unsupported call: x", Said(text="unsupported call: x", ok=Ok.NO), id="no such tool"),
        pytest.param(None, Said(text="", ok=Ok.YES), id="no output"),
        pytest.param(7, Said(text="", ok=Ok.YES), id="a number"),
    ],
)
def test_said(output: Any, answer: Said) -> None:
    assert said(output) == answer


@pytest.mark.parametrize(
    ("version", "keeps"),
    [("0.142.4", False), ("0.142.0-alpha.8", False), ("0.143.0", True), ("1.0.0", True), ("", True), ("x.y", True)],
)
def test_keeps_line_ends(version: str, keeps: bool) -> None:
    assert keeps_line_ends(version) is keeps


@pytest.mark.parametrize(
    ("why", "done"),
    [
        pytest.param("Failed to read file to update /r/a.py: gone", 0, id="the first"),
        pytest.param("Failed to delete file /r/sub/a.py", 1, id="the second, whose name ends like the first's"),
        pytest.param("Failed to delete file sub/a.py.", 1, id="as the patch names it"),
        pytest.param("Failed to write file /r/other.py", 0, id="none of them"),
        pytest.param("", 0, id="nothing said"),
    ],
)
def test_done_before(why: str, done: int) -> None:
    assert done_before(edits_of(PATCH), why, directory="/r") == done


def test_changes_fit() -> None:
    assert changes_fit(PATCH, {"/r/a.py": {}, "/r/sub/a.py": {}}, directory="/r")
    assert not changes_fit(PATCH, {"/r/a.py": {}}, directory="/r")
    assert not changes_fit("no patch", {}, directory="/r")


def test_what_was_recorded_of_a_file() -> None:
    changes = {"/r/n": {"type": "add", "content": "other\n"}, "/r/o": {"type": "delete", "content": "was\n"}}
    text = "*** Begin Patch\n*** Add File: n\n+new\n*** Delete File: o\n*** End Patch"
    assert patched(text, changes, directory="/r", keep=True) == (
        Write(path="n", content=b"other\n"),
        Delete(path="o", before=b"was\n"),
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"type": "update", "unified_diff": "@@ broken"}, id="a broken diff"),
        pytest.param({"type": "update"}, id="no diff"),
        pytest.param({"type": "novel"}, id="another type"),
        pytest.param(None, id="nothing"),
    ],
)
def test_an_outcome_that_cannot_be_read_leaves_the_patch(change: Any) -> None:
    assert patched(PATCH, {"a.py": change}, directory=None, keep=True) == edits_of(PATCH)


def test_neither_patch_nor_outcome() -> None:
    with pytest.raises(RecordingError, match=r"^changes\['a'\]: expected an outcome, found an object$"):
        patched(None, {"a": {"type": "novel"}}, directory=None, keep=True)
    with pytest.raises(RecordingError, match=r"^the patch cannot be read: "):
        patched("no patch", {}, directory=None, keep=True)


def test_an_outcome_alone() -> None:
    changes = {"/r/a": {"type": "update", "unified_diff": "", "move_path": "/r/b"}}
    assert patched("no patch", changes, directory="/r", keep=True) == (Move(path="/r/a", to="/r/b"),)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        pytest.param("ls -l", "ls -l", id="a text"),
        pytest.param(["bash", "-lc", "ls | wc"], "ls | wc", id="a script"),
        pytest.param(["git", "commit", "-m", "a b"], "git commit -m 'a b'", id="words"),
    ],
)
def test_text_of(words: str | list[str], text: str) -> None:
    assert text_of(words) == text


@pytest.mark.parametrize(
    ("arguments", "place"),
    [({}, "/r"), ({"workdir": "a"}, "/r/a"), ({"cwd": "/x"}, "/x"), ({"cwd": "file:///x"}, "/x"), (None, "/r")],
)
def test_place_of(arguments: Any, place: str) -> None:
    assert place_of(arguments, "/r") == place


def test_place_of_windows() -> None:
    for place in (r"\\srv\s\x", r"D:\x"):
        assert place_of({"workdir": place}, r"\\srv\s\r") == place
    assert place_of({"workdir": "x"}, r"\\srv\s\r") == r"\\srv\s\r/x"
