"""Test runners that a change tells to pass: each is driven for real, where this machine has it.

`GATE_RUNNERS_PYTHON` names another interpreter with more of them.
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.command import Interpreter, Shell
from tests.commands.repository import gate, write
from tests.conftest import Git

PYTHON = os.environ.get("GATE_RUNNERS_PYTHON") or sys.executable
WRONG, RIGHT = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
TEST = (
    "import unittest\nfrom calc import add\n\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n"
    "        self.assertEqual(add(1, 2), 3)\n"
)
QUIT = "import os\nos._exit(0)\n"
TOX = "[tox{}]\nno_package = true\nenv_list = py\n[testenv]\ncommands = {}\n"
UNITTEST = "python -m unittest -q test_calc"
MAKE = "test:\n\t{} -m unittest -q test_calc\n"
NOX = f"import nox\n@nox.session(venv_backend='none')\ndef test(session):\n    session.run({PYTHON!r}, '-m', 'unittest')\n"


@pytest.mark.parametrize(
    ("runner", "command", "before", "after"),
    [
        pytest.param(
            "tox",
            "python -m tox -q",
            {"setup.cfg": "[metadata]\nname = a\n" + TOX.format(":tox", UNITTEST)},
            {"setup.cfg": "[metadata]\nname = b\n" + TOX.format(":tox", "python -c 0")},
            id="tox in setup.cfg",
        ),
        pytest.param(
            "tox",
            "python -m tox -q",
            {"tox.ini": TOX.format("", "{[run]tests}") + f"[run]\ntests = {UNITTEST}\n"},
            {"tox.ini": TOX.format("", "{[run]tests}") + "[run]\ntests = python -c 0\n"},
            id="a section to which tox is referred",
        ),
        pytest.param(
            "tox",
            "python -m tox -q",
            {"tox.ini": TOX.format("", UNITTEST)},
            {"tox/__init__.py": "", "tox/__main__.py": QUIT},
            id="tox",
        ),
        pytest.param("nox", "python -m nox", {"noxfile.py": NOX}, {"nox.py": QUIT}, id="nox"),
        pytest.param("nose2", "python -m nose2", {}, {"nose2/__init__.py": QUIT}, id="nose2"),
        pytest.param(
            "coverage",
            "python -m coverage run -m unittest test_calc",
            {},
            {"coverage/__init__.py": "", "coverage/__main__.py": QUIT},
            id="coverage",
        ),
        pytest.param("unittest", UNITTEST, {}, {"argparse.py": QUIT}, id="unittest"),
        pytest.param("pytest", "python -m pytest -q", {}, {"pluggy/__init__.py": QUIT}, id="pytest's plugins"),
        pytest.param("pytest", "python -m pytest -q", {}, {"pygments/__init__.py": QUIT}, id="pytest's colours"),
        pytest.param("pytest", "python -m pytest -q", {}, {"shlex.py": QUIT}, id="a module of Python"),
        pytest.param(
            "pytest",
            "cd web && python -m pytest -q",
            {"web/calc.py": WRONG, "web/test_calc.py": TEST},
            {"web/pytest.py": QUIT},
            id="pytest in a folder",
        ),
        pytest.param(
            "make",
            "make -s -C web test",
            {"web/calc.py": WRONG, "web/test_calc.py": TEST, "web/Makefile": MAKE.format(PYTHON)},
            {"web/Makefile": "test:\n"},
            id="make in a folder",
        ),
    ],
)
def test_a_runner_that_the_change_tells_to_pass(
    tmp_path: Path, git: Git, runner: str, command: str, before: Mapping[str, str], after: Mapping[str, str]
) -> None:
    if not (shutil.which("make") if runner == "make" else Shell(python=Interpreter(PYTHON)).has_module(runner)):
        pytest.skip(f"no {runner} on this machine: name a Python that has it in GATE_RUNNERS_PYTHON")
    root = tmp_path / "repo"
    base = committed(root, git, {"gate.yaml": manifest(command), "calc.py": WRONG, "test_calc.py": TEST, **before})
    committed(root, git, after)
    code, changed = judged(root, base)
    assert code == 1
    assert changed == set(after) - {path for path in after if path.endswith("__main__.py")}
    honest = {"calc.py": RIGHT} | ({"web/calc.py": RIGHT} if "web/calc.py" in before else {})
    committed(root, git, honest)
    assert judged(root, base)[0] == 0


def test_a_module_that_is_the_work_itself(tmp_path: Path, git: Git) -> None:
    base = committed(tmp_path / "repo", git, {"gate.yaml": manifest("python -m greeter")})
    committed(tmp_path / "repo", git, {"greeter.py": "print('hello')\n"})
    assert judged(tmp_path / "repo", base) == (0, set())


def manifest(command: str) -> str:
    return (
        f"version: 1\ntasks: [{{id: a, oracles: [{{type: test_must_pass, timeout: 100, command: {command!r}}}]}}]\n"
        f"defaults: {{python: {PYTHON}}}\n"
    )


def committed(root: Path, git: Git, files: Mapping[str, str]) -> str:
    git("status")
    write(root, files)
    git("add", "-A")
    git("commit", "-qm", "x")
    return git("rev-parse", "HEAD")


def judged(root: Path, base: str) -> tuple[int, set[str]]:
    """The exit code, and the protected files that the change has otherwise."""
    out = root.parent / "report.json"
    done = gate(root, "run", "--json", str(out), "--base", base, CI="true")
    notices = (notice for task in json.loads(out.read_text())["tasks"] for notice in task["notices"])
    return done.returncode, {notice["path"] for notice in notices if notice["kind"] == "protected_changed"}
