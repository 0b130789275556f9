"""Runs in which a model is asked: what its verdict is worth, and how every surface says what it is."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands.repository import gate, write
from tests.conftest import Git

CODE = """
import json, os, sys
request = json.load(sys.stdin)
score = int(os.environ.get("SCORE", 4))
scores = {one["name"]: {"score": score, "reason": "so"} for one in request["criteria"]}
print(json.dumps({"scores": scores}))
"""
PASSED = "0.75 of 1, at least 0.5 expected (judged by m, not deterministic)"
HELD = (
    "only models passed this task (prompt), and their verdicts are not deterministic; add an oracle that is, or say "
    "`judges: binding` in the policy"
)


def _manifest(*oracles: dict[str, Any], **more: Any) -> dict[str, Any]:
    task = {
        "id": "t",
        "prompt": "Write a.",
        "workspace": {"files": {"b": "x"}},
        "trajectory": "rec.json",
        "oracles": [{"type": "prompt", "rubric": ["It works."], "model": "m"}, *oracles],
    }
    judge = {"command": [sys.executable, "-c", CODE], "environment": ["SCORE"]}
    return {"version": 1, "tasks": [task], "judge": judge} | more


RECORDING = {"steps": [{"type": "tool_call", "tool": "write_file", "args": {"path": "a", "content": "1"}}]}


def _run(
    git: Git, tmp_path: Path, manifest: dict[str, Any], *words: str, **environ: str
) -> tuple[int, dict[str, Any], str]:
    git("commit", "-qm", "start", "--allow-empty")
    root, out = tmp_path / "repo", tmp_path / "report.json"
    write(root, {"gate.yaml": json.dumps(manifest), "rec.json": RECORDING})
    git("add", "-A")
    surfaces = ("--json", str(out), "--junit", str(tmp_path / "junit.xml"), "--summary", str(tmp_path / "summary.md"))
    done = gate(root, "run", "--diff", "all", *surfaces, *words, **environ)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, json.loads(out.read_text()), done.stdout


def _verdicts(data: dict[str, Any]) -> dict[str, tuple[str, str, bool]]:
    [task] = data["tasks"]
    return {one["name"]: (one["outcome"], one["message"], one["deterministic"]) for one in task["verdicts"]}


def test_a_model_alone_does_not_pass_a_task(git: Git, tmp_path: Path) -> None:
    code, data, text = _run(git, tmp_path, _manifest())
    assert _verdicts(data) == {"prompt": ("pass", PASSED, False), "judges": ("error", HELD, True)}
    assert code == 4
    assert f"[ok] prompt: {PASSED}\n" in text
    assert f"[error] judges: {HELD}\n" in text
    assert PASSED[1:] in (tmp_path / "summary.md").read_text()
    assert '<property name="not deterministic" value="prompt"' in (tmp_path / "junit.xml").read_text()


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        pytest.param(_manifest({"type": "tool_calls", "required": ["write_file"]}), 0, id="with a proof beside it"),
        pytest.param(_manifest(policy={"judges": "binding"}), 0, id="where the policy says so"),
        pytest.param(_manifest({"type": "tool_calls", "required": ["bash"]}), 1, id="whatever it says of what failed"),
    ],
)
def test_what_a_model_passes_with(git: Git, tmp_path: Path, manifest: dict[str, Any], code: int) -> None:
    assert _run(git, tmp_path, manifest)[0] == code


def test_a_model_that_fails_a_task_fails_it(git: Git, tmp_path: Path) -> None:
    code, data, _ = _run(git, tmp_path, _manifest({"type": "tool_calls", "required": ["write_file"]}), SCORE="1")
    told = "0.00 of 1, at least 0.5 expected (judged by m, not deterministic)"
    assert (code, _verdicts(data)["prompt"]) == (1, ("fail", told, False))


def test_without_a_command_nobody_can_be_asked(git: Git, tmp_path: Path) -> None:
    manifest = _manifest()
    del manifest["judge"]
    code, data, _ = _run(git, tmp_path, manifest)
    why = "nobody can be asked: name the command that asks a model in the manifest, `judge: {command: [...]}`"
    assert (code, _verdicts(data)) == (4, {"prompt": ("error", why, False)})


def test_the_hook_asks_no_model(git: Git, tmp_path: Path) -> None:
    code, data, _ = _run(git, tmp_path, _manifest(), "--no-commands")
    told = "it runs a command, and this run starts none"
    assert (code, _verdicts(data)) == (0, {"prompt": ("skip", told, False)})
