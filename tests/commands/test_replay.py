"""`gate replay`: what a recording explains of the change at hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.cli import main
from tests.commands.repository import gate, piped, write
from tests.conftest import Git

STEPS = [
    {"tool": "write_file", "args": {"path": "new.py", "content": "x = 1\n"}},
    {"tool": "run_command", "args": {"command": "sed -i 's/= 1/= 2/' src/page.py"}},
    {"tool": "run_command", "args": {"command": "go get example.org/x"}},
    {"tool": "write_file", "args": {"path": "other.py", "content": "x\n"}},
]

NOTHING = "notice: this is no git repository, so there is no change to compare the recording with; run inside one\n"


@pytest.fixture
def changed(repo: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A change of four files, and a recording of part of it."""
    write(repo, {"src/page.py": "last = 2\n", "new.py": "x = 1\n", "go.mod": "module x\n", "typed.py": "1\n"})
    git("add", "-A")
    git("commit", "-qm", "work")
    write(repo, {"rec.json": {"steps": STEPS}})
    monkeypatch.chdir(repo)
    return repo


def _told(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["replay", "rec.json", "--base", "origin/main", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("changed")
def test_edits_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert _told(capsys) == (
        "agentbench: recorded edits: 2 applied\n"
        "consistent   go.mod: no recorded edit touches it; a recorded command names it (step 3)\n"
        "             line 1: no recorded step\n"
        "exact        new.py (step 1)\n"
        "consistent   src/page.py: no recorded edit touches it; a recorded command names it (step 2)\n"
        "             line 1: no recorded step\n"
        "unexplained  typed.py: no recorded edit touches it\n"
        "             line 1: no recorded step\n"
        "outside      other.py (step 4)\n"
        "1 of 4 changed files proved, 1 of 4 hunks accounted for by recorded edits\n"
    )


@pytest.mark.usefixtures("changed")
def test_with_commands_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert _told(capsys, "--repeat") == (
        "agentbench: recorded edits: 2 applied\n"
        "consistent   go.mod: no recorded edit touches it; a recorded command names it (step 3); step 3: not repeated: go "
        "get is not a command that is repeated\n"
        "             line 1: no recorded step\n"
        "exact        new.py (step 1)\n"
        "proven       src/page.py: step 2: repeated: sed -i s/= 1/= 2/ src/page.py\n"
        "unexplained  typed.py: no recorded edit touches it\n"
        "             line 1: no recorded step\n"
        "outside      other.py (step 4)\n"
        "step 2: repeated: sed -i s/= 1/= 2/ src/page.py\n"
        "step 3: not repeated: go get is not a command that is repeated (go get example.org/x)\n"
        "2 of 4 changed files proved, 2 of 4 hunks accounted for by recorded edits and repeated commands\n"
    )


@pytest.mark.usefixtures("changed")
def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = json.loads(_told(capsys, "--repeat", "--format", "json"))
    files = {file["path"]: (file["explanation"], file["proof"], file["steps"]) for file in found["files"]}
    assert files == {
        "go.mod": ("consistent", False, [3]),
        "new.py": ("exact", True, [1]),
        "src/page.py": ("proven", True, [2]),
        "typed.py": ("unexplained", False, []),
        "other.py": ("outside", False, [4]),
    }
    hunk = {"line": 1, "end": 1, "removed": 1, "explained": True, "steps": [2]}
    assert next(file["hunks"] for file in found["files"] if file["path"] == "src/page.py") == [hunk]
    assert found["edits"] == {"applied": 2, "failed": 0, "skipped": 0, "unknown": 0, "outside": 0}
    assert found["commands"] == [
        {"step": 2, "command": "sed -i s/= 1/= 2/ src/page.py", "repeated": True, "reason": ""},
        {
            "step": 3,
            "command": "go get example.org/x",
            "repeated": False,
            "reason": "go get is not a command that is repeated",
        },
    ]
    assert json.loads(_told(capsys, "--format", "json"))["commands"] is None


def test_outside_of_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        tmp_path, {"rec.json": {"steps": [*STEPS[:1], {"tool": "run_command", "args": {"command": "cp new.py b.py"}}]}}
    )
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "rec.json", "--repeat"]) == 0
    assert capsys.readouterr().out == (
        "agentbench: recorded edits: 1 applied\noutside      new.py (step 1)\nstep 2: repeated: cp new.py b.py\n"
        + NOTHING
    )


def test_what_is_in_no_commit_is_told(changed: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    write(changed, {"src/page.py": "last = 3\n", "new.py": "x = 2\n"})
    notice = "2 changed files are not committed and have no say; commit them first to have them judged"
    assert _told(capsys).endswith(f"notice: {notice}\n")
    assert json.loads(_told(capsys, "--format", "json"))["notices"] == [notice]
    assert notice not in _told(capsys, "--quiet")
    git("checkout", "-q", ".")
    assert "notice" not in _told(capsys)


def test_tools_that_no_reader_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path, {"rec.json": {"steps": [*STEPS[:1], *({"tool": tool, "args": {}} for tool in ("b", "c", "a", "c"))]}}
    )
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "rec.json"]) == 0
    assert capsys.readouterr().out == (
        "agentbench: recorded edits: 1 applied\n"
        "  4 calls of tools unknown to this reader: c (2), a (1), b (1)\n"
        "outside      new.py (step 1)\n" + NOTHING
    )
    assert main(["replay", "rec.json", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unknown_tools"] == [
        {"name": "c", "calls": 2},
        {"name": "a", "calls": 1},
        {"name": "b", "calls": 1},
    ]
    assert found["edits"]["unknown"] == 4


def test_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["replay", "no.json"]) == 2
    assert capsys.readouterr().err == "gate: no.json: there is no such file\n"


@pytest.mark.usefixtures("changed")
def test_how_much_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert _told(capsys, "--quiet") == (
        "consistent   go.mod: no recorded edit touches it; a recorded command names it (step 3)\n"
        "             line 1: no recorded step\n"
        "consistent   src/page.py: no recorded edit touches it; a recorded command names it (step 2)\n"
        "             line 1: no recorded step\n"
        "unexplained  typed.py: no recorded edit touches it\n"
        "             line 1: no recorded step\n"
    )
    assert _told(capsys, "--verbose").splitlines()[:4] == [
        "agentbench: recorded edits: 2 applied",
        "  applied    step 1: new.py",
        "  applied    step 4: other.py",
        "consistent   go.mod: no recorded edit touches it; a recorded command names it (step 3)",
    ]


@pytest.mark.usefixtures("changed")
def test_a_recording_on_standard_input(capsys: pytest.CaptureFixture[str], changed: Path) -> None:
    plain = _told(capsys)
    done = piped(changed, (changed / "rec.json").read_text(), "replay", "-", "--base", "origin/main")
    assert (done.returncode, done.stdout) == (0, plain)


def test_nothing_is_repeated_where_secrets_are_at_hand(changed: Path, git: Git) -> None:
    """The formatter would run with the fork's own configuration."""
    base = {"sha": git("rev-parse", "origin/main"), "repo": {"full_name": "octo/repo"}}
    head = {"sha": git("rev-parse", "HEAD"), "repo": {"full_name": "fork/repo"}}
    event = {"action": "opened", "number": 7, "pull_request": {"number": 7, "base": base, "head": head}}
    write(changed.parent, {"event.json": event})
    environ = {
        "GITHUB_EVENT_NAME": "pull_request_target",
        "GITHUB_EVENT_PATH": str(changed.parent / "event.json"),
        "GITHUB_SHA": git("rev-parse", "origin/main"),
    }
    words = ("replay", "rec.json", "--base", "origin/main", "--head", "HEAD", "--allow-fork-head")
    alone, repeated = gate(changed, *words, **environ), gate(changed, *words, "--repeat", **environ)
    assert (repeated.returncode, repeated.stdout, repeated.stderr) == (
        3,
        "",
        "gate: `--repeat` starts programs on a change's files, and `pull_request_target` has this repository's token "
        "and secrets at hand; leave it out, or let the workflow run `on: pull_request`\n",
    )
    assert (alone.returncode, alone.stderr) == (0, "")
