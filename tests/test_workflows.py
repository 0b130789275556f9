"""The workflows of this repository, and those that its pages tell others to write."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

BIN = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "gate" / "commands" / "init.py"]


def _run(*words: str | Path) -> None:
    done = subprocess.run([BIN / words[0], *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_are_valid() -> None:
    _run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    _run("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")


def test_are_safe() -> None:
    _run("zizmor", "--offline", "--quiet", "--no-progress", "--pedantic", ".github")


def _load(path: Path) -> dict[Any, Any]:
    loaded = yaml.safe_load(path.read_text())
    assert isinstance(loaded, dict)
    return loaded


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_may_do_no_more_than_read(path: Path) -> None:
    workflow = _load(path)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert job["permissions"] == {"contents": "read"}
        checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert [step["with"]["persist-credentials"] for step in checkouts] == [False]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_run_for_every_pull_request(path: Path) -> None:
    triggers = _load(path)[True]  # YAML 1.1 reads the key `on` as true
    assert triggers["pull_request"] is None
    assert not re.search(r"^\s*paths(-ignore)?:", path.read_text(), re.MULTILINE)


def _uses(path: Path) -> list[str]:
    return re.findall(r"\bactions/[\w-]+@[^\n\"]*", path.read_text())


def test_pin_actions_by_commit_and_say_the_tag() -> None:
    pins: dict[str, set[str]] = {}
    for path in (*WORKFLOWS, *PAGES):
        for pin in _uses(path):
            found = re.fullmatch(r"([\w/-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", pin)
            assert found, f"{path.name}: {pin}"
            pins.setdefault(found[1], set()).add(pin)
    assert "actions/checkout" in pins
    assert {name: len(found) for name, found in pins.items()} == dict.fromkeys(pins, 1)


def test_the_examples_of_the_page_on_the_action_are_valid(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "action.md").read_text()
    first = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0]
    (tmp_path / "gate.yml").write_text(first)
    _run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", tmp_path / "gate.yml")
