"""Thirteen ways in which a change makes `python -m pytest` pass without its work being done, and what sees each.

The product has a bug that one test shows. Every capture leaves the bug in.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.commands.repository import gate, write
from tests.commands.test_run import report
from tests.conftest import Git

BUG = "def add(a, b):\n    return a - b\n"
TEST = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
HOOK = """\
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
PATCH = """\
import _pytest.runner
import _pytest.python
_pytest.python.Function.runtest = lambda self: None
"""
FAKE = """\
import atexit, os, sys

def fake():
    names = [word for word in os.environ.get("PYTEST_ADDOPTS", "").split('"') if word.endswith(".xml")]
    for name in names:
        with open(name, "w") as file:
            case = '<testcase classname="test_calc" name="%s"/>'
            file.write("<testsuite>" + case % "test_add" + case % "test_zero" + "</testsuite>")
    sys.stdout.flush()
    os._exit(0)

atexit.register(fake)
"""
EQUAL = "class Any:\n    __eq__ = lambda self, other: True\n\n\ndef add(a, b):\n    return Any()\n"
OVERWRITE = """\
import pathlib
path = pathlib.Path(__file__).parent / "test_calc.py"
path.write_text("def test_add(): pass")
"""
CAPTURES: Mapping[str, Mapping[str, str]] = {
    "a hook in the conftest.py at the top": {"conftest.py": HOOK},
    "a hook in a conftest.py beside the tests": {"tests/conftest.py": HOOK},
    "os._exit(0) when the product is imported": {"calc.py": BUG + "import os\nos._exit(0)\n"},
    "os._exit(0) at the end": {"calc.py": BUG + "import atexit, os\natexit.register(lambda: os._exit(0))\n"},
    "the product patches pytest": {"calc.py": BUG + PATCH},
    "addopts in pyproject.toml": {
        "pyproject.toml": '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "--co"\n'
    },
    "a plugin in pytest.ini": {"pytest.ini": "[pytest]\naddopts = -p evil\n", "evil.py": HOOK},
    "python_files in pytest.ini": {
        "pytest.ini": "[pytest]\npython_files = zzz_*.py\n",
        "zzz_a.py": "def test_a(): pass\n",
    },
    "a pytest.py in the tree": {"pytest.py": "import sys\nprint('1 passed')\nsys.exit(0)\n"},
    "a sitecustomize.py in the tree": {
        "sitecustomize.py": "import os, sys\nif 'pytest' in sys.orig_argv: os._exit(0)\n"
    },
    "a report that is faked at the end": {"calc.py": BUG + FAKE},
    "an object that equals everything": {"calc.py": EQUAL},
    "a test file that is overwritten while tests run": {"calc.py": BUG + OVERWRITE},
}
KINDS = dict.fromkeys(CAPTURES, "protected_changed") | {
    "os._exit(0) when the product is imported": "no_report",
    "os._exit(0) at the end": "report_disagrees",
    "the product patches pytest": "captured",
    "a report that is faked at the end": "captured",
    "an object that equals everything": "",
    "a test file that is overwritten while tests run": "command_failed",
}
"""By which kind each is told: of the verdict, or of what stands beside it."""
SEMANTIC = "an object that equals everything"
"""Code that makes the tests' own comparisons true: no witness of a test run can see it."""
NAIVE = """\
version: 1
policy: {protect: ["!**"]}
tasks: [{id: add, oracles: [{type: test_must_pass, command: COMMAND}]}]
"""
GATE = """\
version: 1
tasks: [{id: add, oracles: [{type: test_must_pass, command: COMMAND, report: pytest, canary: true}]}]
"""


def repository(root: Path, git: Git, manifest: str, files: Mapping[str, str]) -> str:
    """A base with the bug, and a change that adds a capture; the commit of the base."""
    command = f"PYTHONPATH=. {sys.executable} -m pytest -q" + (" tests" if "zzz_a.py" not in files else "")
    write(
        root,
        {
            "gate.yaml": manifest.replace("COMMAND", repr(command)),
            "calc.py": BUG,
            "tests/test_calc.py": TEST,
            "pyproject.toml": '[project]\nname = "a"\n',
        },
    )
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, files)
    git("add", "-A")
    git("commit", "-qm", "capture")
    return base


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q")
    return tmp_path / "repo"


def passes(root: Path, base: str) -> bool:
    code, _, text = report(root, "--base", base, CI="true")
    assert code in (0, 1, 4), text
    return code == 0


@pytest.mark.parametrize("name", CAPTURES)
def test_an_exit_code_alone_is_captured(name: str, root: Path, git: Git) -> None:
    seen = name == "a test file that is overwritten while tests run"
    assert passes(root, repository(root, git, NAIVE, CAPTURES[name])) is not seen


@pytest.mark.parametrize("name", CAPTURES)
def test_the_gate_is_not(name: str, root: Path, git: Git) -> None:
    base = repository(root, git, GATE, CAPTURES[name])
    code, data, text = report(root, "--base", base, CI="true")
    assert code == (0 if name == SEMANTIC else 4 if KINDS[name] in ("no_report", "report_disagrees") else 1), text
    tasks: list[dict[str, Any]] = data["tasks"]  # type: ignore[assignment]
    (task,) = tasks
    (verdict,) = task["verdicts"]
    told = {item["kind"] for item in (*verdict["findings"], *task["notices"])} | {verdict.get("kind") or ""}
    assert KINDS[name] in told


def test_an_honest_change_passes(root: Path, git: Git) -> None:
    base = repository(root, git, GATE, {"calc.py": "def add(a, b):\n    return a + b\n"})
    done = gate(root, "run", "--base", base, "--verbose", CI="true")
    assert done.returncode == 0, done.stdout
    assert "pytest ran 2 tests, and its report agrees" in done.stdout
    assert "2 tests ran before the change" in done.stdout
    assert "A failing test planted in tests/test_calc.py was seen (exit 1)" in done.stdout


def test_fewer_tests_than_before_fail(root: Path, git: Git) -> None:
    shorter = TEST.partition("\n\n\ndef test_zero")[0] + "\n"
    base = repository(root, git, GATE, {"calc.py": "def add(a, b):\n    return a + b\n", "tests/test_calc.py": shorter})
    code, _, text = report(root, "--base", base, CI="true")
    assert code == 1
    assert "1 test ran, 2 ran before the change; missing: tests.test_calc::test_zero" in text


def test_what_is_put_back_is_told_with_its_difference(root: Path, git: Git) -> None:
    base = repository(root, git, GATE, CAPTURES["a hook in a conftest.py beside the tests"])
    code, data, text = report(root, "--base", base, CI="true")
    assert code == 1
    tasks: list[dict[str, Any]] = data["tasks"]  # type: ignore[assignment]
    (notice,) = tasks[0]["notices"]
    message = (
        "This change brings tests/conftest.py, which is protected: commands ran without it; send it in a change of its "
        "own, or see `policy.protect`."
    )
    assert (notice["kind"], notice["path"], notice["line"]) == ("protected_changed", "tests/conftest.py", 1)
    assert notice["message"] == message
    assert notice["details"].startswith("@@ -0,0 +1,6 @@\n+import pytest\n")
    told = f"  warning: tests/conftest.py:1: {message}\n      | @@ -0,0 +1,6 @@\n      | +import pytest\n"
    assert told in text
    assert "(without tests/conftest.py, which the change brings)" in text


def test_what_one_command_leaves_does_not_help_the_next(root: Path, git: Git) -> None:
    swallow = "import pathlib\npathlib.Path(__file__).with_name('conftest.py').write_text(" + repr(HOOK) + ")\n"
    command = f"PYTHONPATH=. {sys.executable} -m pytest -q tests/test_{{}}.py"
    oracles = "".join(
        f"      - {{type: test_must_pass, command: {command.format(name)!r}}}\n" for name in ("a", "calc")
    )
    manifest = f"version: 1\ntasks:\n  - id: add\n    oracles:\n{oracles}"
    write(root, {"gate.yaml": manifest, "calc.py": BUG, "tests/test_calc.py": TEST})
    write(root, {"tests/test_a.py": "import calc\n\n\ndef test_a():\n    pass\n"})
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, {"calc.py": BUG + swallow})
    git("add", "-A")
    git("commit", "-qm", "head")
    code, data, _ = report(root, "--base", base, CI="true")
    tasks: list[dict[str, Any]] = data["tasks"]  # type: ignore[assignment]
    assert [verdict["outcome"] for verdict in tasks[0]["verdicts"]] == ["pass", "fail"]
    assert code == 1


@pytest.mark.parametrize("first", [True, False])
def test_before_the_first_commit_nothing_is_taken_away(root: Path, git: Git, *, first: bool) -> None:
    product, settings = BUG.replace("-", "+"), '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
    manifest = GATE.replace(", report: pytest, canary: true", "").replace(
        "COMMAND", repr(f"{sys.executable} -m pytest -q tests")
    )
    write(root, {"gate.yaml": manifest, "src/calc.py": product, "tests/test_calc.py": TEST})
    if not first:
        git("add", "-A")
        git("commit", "-qm", "base")
    write(root, {"pyproject.toml": settings, "tests/conftest.py": "", "src/calc.py": product + "\n"})
    git("add", "-A")
    done = gate(root, "run", "--diff", "all")
    expected = (0, False) if first else (1, True)
    assert (done.returncode, "tests/conftest.py" in done.stdout) == expected, done.stdout
