"""Modules that a change brings where a command starts Python, and that hide an installed one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gate.integrity.launch import launch
from gate.integrity.loaded import OWN, shadowed
from gate.integrity.shadow import Shadows
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.tree import MemoryTree

BASE = MemoryTree(dict.fromkeys(["calc/__init__.py", "json.py", "nox/__init__.py", "web/x.py", "robot/readme"], b""))


def shadows(command: str, *installed: str) -> Shadows:
    launched = launch(MustPass(command=command), "")
    assert launched is not None
    return Shadows([launched], BASE, lambda name: name in installed)


@pytest.mark.parametrize(
    ("command", "path", "expected"),
    [
        pytest.param("pytest", "pygments/__init__.py", True, id="what pytest imports"),
        pytest.param("pytest", "pygments/lexers.py", False, id="a file in a folder that is no package"),
        pytest.param("pytest", "argparse.py", True, id="a module of Python"),
        pytest.param("pytest", "_json.cpython-311-x86_64-linux-gnu.so", True, id="a compiled one"),
        pytest.param("pytest", "json.py", False, id="the base has one of that name"),
        pytest.param("pytest", "json/__init__.py", False, id="the same, as a package"),
        pytest.param("pytest", "lib/argparse.py", False, id="elsewhere"),
        pytest.param("cd web && pytest", "web/argparse.py", True, id="where the command starts"),
        pytest.param("cd web && pytest", "web/json.py", True, id="the base has it elsewhere"),
        pytest.param("pytest", "test/__init__.py", False, id="a package of tests"),
        pytest.param("pytest", "profile.py", False, id="a module of Python that no runner imports"),
        pytest.param("pytest", "argparse.pyi", False, id="no module"),
        pytest.param("python -m coverage run -m unittest", "coverage/__init__.py", True, id="coverage"),
        pytest.param("python -m tox", "virtualenv.py", True, id="what tox imports"),
        pytest.param("tox", "tox.py", True, id="tox"),
        pytest.param("python -m pytest", "tox.py", False, id="a runner that is not started"),
        pytest.param("python -m nox", "nox/__init__.py", False, id="the repository is that of the runner"),
        pytest.param("robot x", "robot/__init__.py", True, id="a folder that becomes a package"),
        pytest.param("python -m checker", "checker.py", True, id="installed"),
        pytest.param("python -m checker.main", "checker/__init__.py", True, id="a module of an installed one"),
        pytest.param("python -m greeter", "greeter.py", False, id="the work itself"),
        pytest.param("python -m calc", "calc/__init__.py", False, id="the product"),
        pytest.param("python run.py", "checker.py", False, id="not asked for"),
    ],
)
def test_what_hides_a_module(command: str, path: str, *, expected: bool) -> None:
    found = shadows(command, "checker", "calc")
    assert found.match(path, launch(MustPass(command=command), "").folders) is expected  # type: ignore[union-attr]


@pytest.mark.parametrize("arguments", [["pytest", "-q", "."], ["unittest", "discover"]], ids=lambda words: words[0])
def test_all_of_python_that_a_runner_imports_is_known(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "test_a.py").write_text("import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n")
    loaded, given = (imported(tmp_path, words) for words in (["-m", *arguments], ["-c", ""]))
    found = (loaded - given).intersection(sys.stdlib_module_names).difference(sys.builtin_module_names, OWN)
    assert found - shadowed(frozenset()) == set()


def imported(folder: Path, words: list[str]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-X", "importtime", *words],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in re.findall(r"^import time:.*\| +(\w[\w.]*)$", done.stderr, re.MULTILINE)}
