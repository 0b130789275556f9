"""The examples: manual and end-to-end test at once. Each has its expected output."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

EXAMPLES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/gate.yaml"))
EQUALS = """\
class Equals:
    def __eq__(self, other):
        return True


def median(values):
    return Equals()


slug = median
"""
"""A module whose answers equal everything."""

EXITS = {"bundle": 0, "evals": 0, "quickstart": 0, "regression": 1, "plugin": 0}


def output(name: str, tmp_path: Path) -> tuple[int, str]:
    """What `gate run --diff all` prints for a copy of the example outside of git."""
    folder = tmp_path / name
    subprocess.run(["cp", "-r", str(ROOT / "examples" / name), str(folder)], check=True)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gate", "run", "--diff", "all"],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    shown = re.sub(r"(is sha256:[0-9a-f]{64})\. .*", r"\1. How this machine compares.", done.stdout)
    return done.returncode, re.sub(r"\d+\.\d+ s\b", "N s", shown)


def test_every_example_says_how_it_ends() -> None:
    assert set(EXAMPLES) == set(EXITS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_output_is_the_expected_one(name: str, tmp_path: Path) -> None:
    code, text = output(name, tmp_path)
    expected = (ROOT / "examples" / name / "expected.txt").read_text()
    assert text == expected, f"if this is right: cd examples/{name} && gate run --diff all > expected.txt"
    assert code == EXITS[name]


@pytest.mark.parametrize("task", ["median", "slug"])
@pytest.mark.parametrize("trick", ["import os\nos._exit(0)\n", "import sys\nsys.exit()\n", EQUALS])
def test_no_trick_of_the_tested_code_solves_a_task_of_the_bundle(task: str, trick: str, tmp_path: Path) -> None:
    for name in ("stats.py", "text.py"):
        (tmp_path / name).write_text(trick)
    tests = ROOT / "examples/bundle/benchmark/tasks" / task / "oracle/tests.py"
    done = subprocess.run([sys.executable, str(tests), str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done
