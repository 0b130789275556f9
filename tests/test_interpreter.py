"""The Python that a manifest names for commands."""

import os
from pathlib import Path

import pytest

from gate import interpreter, manifest
from gate.asked import Asked
from gate.changes.diff import Request
from gate.command import Interpreter
from gate.errors import ManifestError
from gate.review import Review
from tests.commands.repository import gate
from tests.conftest import Git as Run
from tests.reviewing import commit

TASK = "version: 1\ntasks: [{id: a, oracles: [{type: diff_empty}]}]\n"


@pytest.fixture
def root(tmp_path: Path, git: Run) -> Path:
    """An empty repository."""
    git("init", "-q", "-b", "main")
    return tmp_path / "repo"


def found(root: Path, python: str, *, path: str = "gate.yaml") -> Interpreter | None:
    known = manifest.read(f"{TASK}defaults: {{python: {python}}}\n".encode(), path)
    with Review(Asked(change=Request(base="HEAD")), root) as review:
        return interpreter.find(known, review)


@pytest.mark.parametrize(
    ("file", "python"),
    [
        pytest.param(".venv/bin/python", ".venv/bin/python", id="the program"),
        pytest.param(".venv/lib/python3.11/site-packages/calc.py", ".venv/bin/python", id="a package beside it"),
        pytest.param(".venv/pyvenv.cfg", ".venv/bin/python", id="what says where its library is"),
        pytest.param(".venv", ".venv/bin/python", id="a link in the place of its environment"),
        pytest.param(".VENV/pyvenv.cfg", ".venv/bin/python", id="in other letters, which some file systems ignore"),
        pytest.param("tools", "tools/env/bin/python", id="a link far above"),
        pytest.param("lib/python3.11/calc.py", "bin/python", id="an environment that is the repository itself"),
        pytest.param(".venv/pyvenv.cfg", "./x/../.venv/bin/python", id="written roundabout"),
        pytest.param(".venv/pyvenv.cfg", "{root}/.venv/bin/python", id="written from the root of the disk"),
    ],
)
def test_one_that_the_change_could_bring_along_is_refused(root: Path, git: Run, file: str, python: str) -> None:
    commit(git, root, {file: b"x"})
    named = python.format(root=root)
    with pytest.raises(ManifestError) as caught:
        found(root, named)
    assert (caught.value.kind, caught.value.message) == (
        "python",
        f"gate.yaml:3: `defaults.python`: {named} would run or load {file} of the change itself; name an interpreter "
        "that the change cannot bring along",
    )


def test_a_link_is_refused_as_well(root: Path, git: Run) -> None:
    commit(git, root, {"tool/bin/python": b"#!"})
    os.symlink("tool", root / ".venv")
    git("add", ".venv")
    git("commit", "-qm", "link")
    with pytest.raises(ManifestError, match=r"would run or load \.venv of the change itself"):
        found(root, ".venv/bin/python")


@pytest.mark.parametrize(
    ("python", "path", "expected"),
    [
        pytest.param(".venv/bin/python", "gate.yaml", "{root}/.venv/bin/python", id="not in the repository"),
        pytest.param(".venv/bin/python", "sub/gate.yaml", "{root}/sub/.venv/bin/python", id="below the manifest"),
        pytest.param("../env/bin/python", "gate.yaml", "{above}/env/bin/python", id="beside the checkout"),
        pytest.param("/opt/env/bin/python", "gate.yaml", "/opt/env/bin/python", id="elsewhere"),
        pytest.param("python3.11", "gate.yaml", "python3.11", id="a name"),
    ],
)
def test_one_that_it_cannot_bring_is_a_path_on_this_machine(
    root: Path, git: Run, python: str, path: str, expected: str
) -> None:
    commit(git, root, {".venvs/bin/python": b"x", "env/bin/python": b"x", "opt/env/bin/python": b"x"})
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").touch()
    program = expected.format(root=root, above=root.parent)
    assert found(root, python, path=path) == Interpreter(program, f"{path}:3: `defaults.python`")


def test_where_files_are_only_read_whatever_lies_there_is_nobody_s_change(root: Path, git: Run) -> None:
    commit(git, root, {".venv/bin/python": b"x"})
    known = manifest.read(f"{TASK}defaults: {{python: .venv/bin/python}}\n".encode(), "gate.yaml")
    with Review.of_working_tree(Asked(change=Request(everything=True)), root) as review:
        program = Interpreter(f"{root}/.venv/bin/python", "gate.yaml:3: `defaults.python`")
        assert interpreter.find(known, review) == program


def test_one_that_is_not_there_is_an_error_and_no_failure(root: Path, git: Run) -> None:
    oracle = "{type: run_command, command: python -V}"
    text = f"version: 1\ndefaults:\n  python: .venv/bin/python\ntasks: [{{id: a, oracles: [{oracle}]}}]\n"
    commit(git, root, {"gate.yaml": text.encode()})
    done = gate(root, "run", "--diff", "all")
    assert done.returncode == 4
    assert (
        f"[error] run_command: gate.yaml:3: `defaults.python`: there is no such program on this machine: "
        f"{root}/.venv/bin/python; make it, or name another interpreter\n"
    ) in done.stdout
