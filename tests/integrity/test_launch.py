"""What the command of an oracle starts, and in which folders."""

import pytest

from gate.integrity.launch import Launch, joined, launch
from gate.oracle import Oracle
from gate.oracles.file_exists import FileExists
from gate.oracles.program import Program
from gate.oracles.run_command import RunCommand
from gate.oracles.test_must_pass import TestMustPass as MustPass


def started(oracle: Oracle | str, folder: str = "") -> Launch:
    found = launch(MustPass(command=oracle) if isinstance(oracle, str) else oracle, folder)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("command", "folders"),
    [
        ("pytest", {""}),
        ("cd a && cd b; make", {"", "a", "b", "a/b"}),
        ("cd a && cd .. && make", {"", "a"}),
        ("cd /etc && cd ../x && make", {""}),
        ("make -C a", {"", "a"}),
        ("make -Ca test", {"", "a"}),
        ("make -f a/ci.mk", {"", "a"}),
        ("npm --prefix a test", {"", "a"}),
        ("npm --prefix=a test", {"", "a"}),
        ("npm test -w packages/a", {"", "packages/a"}),
        ("pnpm -C a test", {"", "a"}),
        ("yarn --cwd a test", {"", "a"}),
        ("bun --cwd a test", {"", "a"}),
        ("cargo test --manifest-path a/Cargo.toml", {"", "a"}),
        ("cargo -C a test", {"", "a"}),
        ("go -C a test ./...", {"", "a"}),
        ("uv run --directory a pytest", {"", "a"}),
        ("uv --project=a run pytest", {"", "a"}),
        ("poetry -P a run pytest", {"", "a"}),
        ("just -d a -f a/b/justfile", {"", "a", "a/b"}),
        ("tox -c a/tox.ini", {"", "a"}),
        ("env --chdir=a make", {"", "a"}),
        ("python -m unittest discover -s a", {"", "a"}),
        ("bash -c 'cd a && make'", {"", "a"}),
        ("echo $(cd a && pwd)", {"", "a"}),
        ("pytest -s a -d b -w c", {""}),
        ("(cd a && make)\ncd b\nmake", {"", "a", "b", "a/b"}),
    ],
)
def test_folders(command: str, folders: set[str]) -> None:
    assert set(started(command).folders) == folders


def test_folders_are_seen_from_the_tasks_folder() -> None:
    assert set(started("cd a && cd .. && cd ..", "deep").folders) == {"deep", "deep/a", ""}
    assert set(started(RunCommand(command="make", sub_path="a"), "deep").folders) == {"deep", "deep/a"}
    assert set(started(RunCommand(command="sh", args=("-c", "cd a && make"))).folders) == {"", "a"}
    assert set(started(Program(program="./run.sh", args=("-C", "a"))).folders) == {"", "a"}


@pytest.mark.parametrize(
    ("command", "modules"),
    [
        ("python -m pytest -m slow", {"pytest"}),
        ("pytest -m slow", set()),
        ("python3.12 -W error -Im tox -e py", {"tox"}),
        ("/x/.venv/bin/python -mnox", {"nox"}),
        ("python -m coverage run -m unittest", {"coverage", "unittest"}),
        ("coverage run --source=a -m a.tests", {"a.tests"}),
        ("uv run --module nose2", {"nose2"}),
        ("uv run python -m 'nose2'", {"nose2"}),
        ("python run.py -m slow && git commit -m done", set()),
        ("sh -c 'python -m tox'", {"tox"}),
        ("python -m", set()),
        ("python -m ./x", set()),
    ],
)
def test_modules(command: str, modules: set[str]) -> None:
    assert started(command).modules == modules


def test_an_oracle_without_a_command_starts_nothing() -> None:
    assert launch(FileExists(path="a"), "") is None


def test_many_folders_are_no_more_than_twice_as_many() -> None:
    assert len(started(" && ".join(f"cd a{number}" for number in range(200))).folders) == 400


def test_a_path_outside_is_none() -> None:
    assert [joined("a", name) for name in ("b", "..", "../..", "../../b", "/b", ".")] == [
        "a/b",
        "",
        None,
        None,
        None,
        "a",
    ]
