"""`gate init --minimal`."""

from pathlib import Path

import pytest

from gate import manifest
from gate.commands.init import look
from gate.commands.init import manifest as text_of
from tests.commands.repository import gate
from tests.conftest import Git

FILES = ("gate.yaml", ".pre-commit-config.yaml", ".github/workflows/gate.yml")


@pytest.fixture
def tested(tmp_path: Path, git: Git) -> Path:
    """A repository without a commit, of Python, with one test that passes."""
    git("init", "-q")
    root = tmp_path / "repo"
    (root / "pyproject.toml").write_text("")
    (root / "tests").mkdir()
    (root / "tests" / "test_a.py").write_text("def test_a():\n    assert True\n")
    return root


def test_it_writes_what_works(tested: Path, git: Git) -> None:
    done = gate(tested, "init", "--minimal")
    assert done.stdout.splitlines() == [
        *(f"written {name}" for name in FILES),
        "next    read gate.yaml, then judge all there is: git add gate.yaml && gate run --diff all",
    ]
    git("add", "-A")
    assert gate(tested, "check").returncode == 0
    judged = gate(tested, "run")
    assert judged.returncode == 0, judged.stdout
    assert "Command passed: python -m pytest -q" in judged.stdout


def test_where_there_is_a_commit_an_exit_code_is_not_enough(tested: Path, git: Git) -> None:
    git("add", "-A")
    git("commit", "-qm", "begin")
    gate(tested, "init", "--minimal")
    git("add", "gate.yaml")
    judged = gate(tested, "run", "--diff", "all", "--verbose")
    assert judged.returncode == 0, judged.stdout
    assert "pytest ran 1 tests, and its report agrees" in judged.stdout


def test_it_overwrites_nothing(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    root = tmp_path / "repo"
    (root / ".pre-commit-config.yaml").write_text("repos: []\n")
    (root / "gate.yaml").write_text("mine\n")
    done = gate(root, "init", "--minimal")
    assert (root / "gate.yaml").read_text() == "mine\n"
    assert (root / ".pre-commit-config.yaml").read_text() == "repos: []\n"
    assert "left    gate.yaml: it exists already\n" in done.stdout
    assert "left    .pre-commit-config.yaml: it exists already; add this under `repos:`\n" in done.stdout
    assert "    - id: gate" in done.stdout


@pytest.mark.parametrize(
    ("names", "command", "tests"),
    [
        ([], "make test", "tests/**"),
        (["package.json", "spec/a"], "npm test", "spec/**"),
        (["go.mod"], "go test ./...", "**/*_test.go"),
        (["Cargo.toml"], "cargo test", "tests/**"),
        (["pyproject.toml", "test/a"], "python -m pytest -q", "test/**"),
    ],
)
def test_it_looks_at_the_repository(tmp_path: Path, names: list[str], command: str, tests: str) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = look(tmp_path)
    assert (found.command, found.tests) == (command, tests)
    read = manifest.read(text_of(found).encode(), "gate.yaml")
    oracle = (read.entries[0].oracles or [])[0]
    assert (oracle["command"], oracle.get("report", "")) == (command, found.report)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "gate: say which set of files to write: `gate init --minimal`\n"),
        (["--minimal"], None),
    ],
)
def test_what_it_cannot_do_is_said(tmp_path: Path, arguments: list[str], message: str | None) -> None:
    done = gate(tmp_path, "init", *arguments)
    assert done.returncode == 2
    assert done.stderr == message or f"{tmp_path} is in no git repository; run `git init` first" in done.stderr
