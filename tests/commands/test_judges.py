"""Runs in which a model is asked: what its verdict is worth, and how every surface says what it is."""

import json
import sys
from collections.abc import Mapping
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


ASK = """
import json, sys
from scale import score
request = json.load(sys.stdin)
scores = {one["name"]: {"score": score(), "reason": "so"} for one in request["criteria"]}
print(json.dumps({"scores": scores}))
"""
LOW, HIGH = "def score():\n    return 1\n", "def score():\n    return 5\n"
FAILED = "0.00 of 1, at least 0.5 expected (judged by m, not deterministic)"
REFUSED = (
    "leads into the checkout, where the change under review writes; expected a path relative to gate.yaml and without "
    "`..`, so that the file is read from the base"
)


def _scripted(*words: str, **more: Any) -> dict[str, Any]:
    return _manifest() | {"judge": {"command": [sys.executable, *words]}} | more


def _changed(
    git: Git, tmp_path: Path, manifest: dict[str, Any], files: Mapping[str, object], *words: str
) -> tuple[int, dict[str, Any], str]:
    """A judge that finds the run bad is the base's; the change brings these files."""
    root, out = tmp_path / "repo", tmp_path / "report.json"
    judge = {"judges/ask.py": ASK, "judges/scale.py": LOW}
    git("init", "-q")
    write(root, {"gate.yaml": json.dumps(manifest), "rec.json": RECORDING, **judge})
    git("add", "-A")
    git("commit", "-qm", "base")
    write(root, files)
    git("add", "-A")
    git("commit", "-qm", "head")
    done = gate(root, "run", "--base", "HEAD~1", "--json", str(out), *words)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, json.loads(out.read_text()) if out.exists() else {}, done.stdout + done.stderr


def _edited(data: dict[str, Any]) -> list[str]:
    return [notice["path"] for notice in data["notices"] if notice["kind"] == "judge_changed"]


@pytest.mark.parametrize("word", ["judges/ask.py", "./judges//ask.py"])
def test_a_script_of_the_repository_is_started_with_what_lies_beside_it(git: Git, tmp_path: Path, word: str) -> None:
    code, data, _ = _changed(git, tmp_path, _scripted(word), {"a": "1"})
    assert (code, _verdicts(data)["prompt"]) == (1, ("fail", FAILED, False))


def test_a_change_to_the_script_is_told_and_has_no_effect(git: Git, tmp_path: Path) -> None:
    rewritten = {"judges/ask.py": ASK + "# 5", "judges/scale.py": HIGH, "judges/json.py": "raise SystemExit", "a": "1"}
    code, data, text = _changed(git, tmp_path, _scripted("judges/ask.py"), rewritten)
    assert (code, _verdicts(data)["prompt"]) == (1, ("fail", FAILED, False))
    assert _edited(data) == ["judges/ask.py", "judges/scale.py", "judges/json.py"]
    assert "This change touches the judge (judges/ask.py and 2 more) and what it judges (a)." in text


def test_the_head_s_judge_has_the_head_s_script(git: Git, tmp_path: Path) -> None:
    manifest = _scripted("judges/ask.py", policy={"judges": "binding"})
    code, data, _ = _changed(git, tmp_path, manifest, {"judges/scale.py": HIGH}, "--judge", "head")
    assert (code, _verdicts(data)["prompt"][0], _edited(data)) == (0, "pass", [])


def test_a_script_that_the_change_brings_is_the_judge_s_too(git: Git, tmp_path: Path) -> None:
    brings = {"gate.yaml": json.dumps(_scripted("other/ask.py")), "other/ask.py": ASK}
    _, data, text = _changed(git, tmp_path, _scripted("judges/ask.py"), brings)
    assert _edited(data) == ["gate.yaml"]
    assert "This change touches the judge" not in text


def test_a_path_into_the_checkout_that_the_change_brings_is_told(git: Git, tmp_path: Path) -> None:
    place = str(tmp_path / "repo" / "judges" / "ask.py")
    brings = {"gate.yaml": json.dumps(_scripted(place))}
    code, data, _ = _changed(git, tmp_path, _scripted("judges/ask.py"), brings)
    assert code == 1
    told = f"This change leaves the judge broken: gate.yaml: `judge.command`: {place} {REFUSED}. Once merged, nothing "
    assert f"{told}is judged." in [notice["message"] for notice in data["notices"]]


@pytest.mark.parametrize("word", ["{top}/judges/ask.py", "--file={top}/judges/ask.py", "judges/../judges/ask.py"])
@pytest.mark.parametrize("linked", [False, True])
def test_a_path_past_the_base_is_refused(git: Git, tmp_path: Path, word: str, linked: bool) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "repo")
    word = word.format(top=tmp_path / ("link" if linked else "repo"))
    code, _, text = _changed(git, tmp_path, _scripted(word), {"a": "1"})
    assert code == 2
    assert f"gate.yaml: `judge.command`: {word.removeprefix('--file=')} {REFUSED}" in text


def test_a_script_among_what_is_judged_is_refused(git: Git, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    write(root, {"repo/ask.py": ASK})
    code, _, text = _changed(git, tmp_path, _scripted("repo/ask.py"), {"a": "1"})
    why = "repo/ask.py would lie in the folder of what is judged; keep it in another one"
    assert (code, f"gate.yaml: `judge.command`: {why}" in text) == (2, True)


def test_of_a_large_folder_the_script_comes_alone(git: Git, tmp_path: Path) -> None:
    lone = "import os, sys; sys.exit(' '.join(os.listdir('judges')))"
    files = {f"judges/{number}.txt": "" for number in range(200)}
    write(tmp_path / "repo", {"judges/lone.py": lone, **files})
    code, data, _ = _changed(git, tmp_path, _scripted("judges/lone.py"), {"judges/scale.py": HIGH})
    why = f"the judge command {sys.executable!r} exited 1: lone.py"
    assert (code, _verdicts(data)["prompt"], _edited(data)) == (4, ("error", why, False), [])
    assert [notice["message"] for notice in data["notices"] if notice["kind"] == "judge_script"] == [
        "`judge.command`: the folder judges has more than 200 files or 4194304 bytes, so the judge command finds "
        "judges/lone.py alone of it."
    ]


def test_a_program_of_the_repository_is_started(git: Git, tmp_path: Path) -> None:
    write(tmp_path / "repo", {"bin/ask": f"#!/bin/sh\nexec {sys.executable} judges/ask.py\n"})
    (tmp_path / "repo" / "bin" / "ask").chmod(0o755)
    manifest = _manifest() | {"judge": {"command": ["bin/ask", "judges/ask.py"]}}
    code, data, _ = _changed(git, tmp_path, manifest, {"a": "1"})
    assert (code, _verdicts(data)["prompt"]) == (1, ("fail", FAILED, False))
