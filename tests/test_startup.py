"""What is imported for what: by the hook on a commit that no task is about, and by a run on many small tasks.

The hook runs on every commit, so that is what most people wait for.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.startup import hook_manifest, write_suite
from tests.machine import environment, git

_HEAVY = {
    "ahocorasick_rs",
    "asyncio",
    "concurrent.futures",
    "dataclasses",
    "difflib",
    "git",
    "github",
    "importlib.metadata",
    "junit_xml",
    "logging",
    "pkgutil",
    "regex",
    "rich",
    "shutil",
    "tempfile",
}
_LISTING = """
import sys
from gate.cli import main
code = main(["run", "--pre-commit"])
import json
print(json.dumps([code, sorted(sys.modules)]))
"""


@pytest.fixture
def loaded(tmp_path: Path) -> set[str]:
    (tmp_path / "gate.yaml").write_text(hook_manifest(200))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    (tmp_path / "unrelated.txt").write_text("Nothing that a task is about.\n")
    git(tmp_path, "add", ".")
    done = subprocess.run(
        [sys.executable, "-c", _LISTING],
        cwd=tmp_path,
        env=environment(PRE_COMMIT="1"),
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert (code, "200 tasks out of scope" in done.stdout) == (0, True), done.stdout + done.stderr
    return set(modules)


def test_nothing_heavy_is_imported_for_nothing(loaded: set[str]) -> None:
    assert loaded & _HEAVY == set()


def test_no_room_of_judging_is_entered_for_nothing(loaded: set[str]) -> None:
    judging = {"effects", "explanation", "network", "places", "replay", "shell", "target", "trial", "workspace"}
    assert loaded & {f"gate.{room}" for room in judging} == set()


_SUITE = """
import sys
from gate.cli import main
code = main(["run", "--tasks", "tasks", "--trajectory", "recording.json", "--junit", "junit.xml", "--quiet"])
import json
print(json.dumps([code, sorted(sys.modules)]))
"""


def test_a_run_on_plain_tasks_loads_no_more_than_it_uses(tmp_path: Path) -> None:
    write_suite(tmp_path, tasks=2)
    done = subprocess.run(
        [sys.executable, "-c", _SUITE],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stdout.splitlines()[-1].replace("\n", ""))
    assert code == 0, done.stdout + done.stderr
    unused = _HEAVY - {"ahocorasick_rs", "junit_xml"} | {"configparser", "tomllib", "yaml"}
    assert {*modules} & unused == set()
    readers = {name.removeprefix("gate.recordings.") for name in modules if name.startswith("gate.recordings.")}
    assert readers == {"agentbench", "agentbench_log", "codex_exec_json"}
