"""The hook, installed from a clone of this checkout by the real pre-commit and by prek."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT
from tests.machine import BIN, environment, git


class Ended(NamedTuple):
    code: int
    output: str


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of this checkout in which what is not committed yet is."""
    folder = tmp_path_factory.mktemp("hook") / "published"
    git(ROOT, "clone", "-q", str(ROOT), str(folder))
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        elif name:
            (folder / name).unlink(missing_ok=True)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "As it is now")
    return folder


class Tool:
    """pre-commit or prek, with the one environment that all tests share."""

    def __init__(self, name: str, home: Path) -> None:
        self.name = name
        self.environ = environment(PRE_COMMIT_HOME=str(home), PREK_HOME=str(home), NO_COLOR="1")

    def run(self, folder: Path, *words: str, **more: str) -> Ended:
        return self.call(folder, BIN / self.name, "run", *words, **more)

    def call(self, folder: Path, *words: str | Path, **more: str) -> Ended:
        done = subprocess.run(
            words,
            cwd=folder,
            env=self.environ | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode("utf-8", "replace"))


@pytest.fixture(scope="session", params=["pre-commit", "prek"])
def tool(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tool:
    return Tool(request.param, tmp_path_factory.mktemp(request.param))


_MANIFEST = """\
version: 1
tasks:
  - id: mend-add
    prompt: Mend add(). The tests stay as they are.
    workspace: {git: base}
    oracles:
      - {type: file_not_modified, path: "tests/**"}
      - {type: assertion_exists, path: calc.py, pattern: 'return a \\+ b'}
      - {type: test_must_pass, command: "git init -q . && git add -A && git commit -q -m mine && test -f .git/index"}
"""


class Repository:
    """A repository that uses the hook; its first commit was made without it."""

    def __init__(self, folder: Path, published: Path, tool: Tool, *, args: str = "[]") -> None:
        self.folder, self.tool = folder, tool
        folder.mkdir()
        git(folder, "init", "-q")
        self.write("gate.yaml", _MANIFEST)
        self.write("calc.py", "def add(a, b):\n    return a + b\n")
        self.write("tests/test_calc.py", "from calc import add\n\nassert add(1, 2) == 3\n")
        self.write("notes/old.md", "Old.\n")
        rev = git(published, "rev-parse", "HEAD")
        self.write(
            ".pre-commit-config.yaml",
            f"repos:\n- repo: {published}\n  rev: {rev}\n  hooks:\n  - {{id: gate, args: {args}}}\n",
        )
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "Begin")
        tool.call(folder, BIN / tool.name, "install")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def commit(self, *words: str) -> Ended:
        git(self.folder, "add", "-A")
        return self.tool.call(self.folder, "git", "commit", *(words or ("-m", "Change")))

    @property
    def tip(self) -> str:
        return git(self.folder, "log", "-1", "--format=%s")


@pytest.fixture
def repository(tmp_path: Path, published: Path, tool: Tool) -> Repository:
    return Repository(tmp_path / "repository", published, tool)


def test_passes_a_good_commit_and_counts_what_it_left_out(repository: Repository) -> None:
    repository.write("calc.py", "def add(a, b):\n    return a + b  # mended\n")
    done = repository.commit()
    assert (done.code, repository.tip) == (0, "Change"), done.output
    shown = repository.tool.run(repository.folder, "--from-ref", "HEAD~1", "--to-ref", "HEAD", "--verbose")
    assert shown.code == 0
    assert "1 oracle" in shown.output.strip().splitlines()[-1], shown.output


def test_refuses_a_commit_that_breaks_an_oracle(repository: Repository) -> None:
    repository.write("tests/test_calc.py", "assert True\n")
    done = repository.commit()
    assert (done.code, repository.tip) == (1, "Begin"), done.output
    assert "tests/test_calc.py" in done.output


def test_judges_the_index_and_not_the_folder(repository: Repository) -> None:
    repository.write("tests/test_calc.py", "assert True\n")
    git(repository.folder, "add", "-A")
    repository.write("tests/test_calc.py", "from calc import add\n\nassert add(1, 2) == 3\n")
    done = repository.tool.call(repository.folder, "git", "commit", "-m", "Change")
    assert (done.code, repository.tip) == (1, "Begin"), done.output


def test_judges_a_commit_that_only_deletes(repository: Repository) -> None:
    (repository.folder / "tests/test_calc.py").unlink()
    done = repository.commit()
    assert (done.code, repository.tip) == (1, "Begin"), done.output
    git(repository.folder, "reset", "-q", "--hard")
    (repository.folder / "notes/old.md").unlink()
    done = repository.commit("-m", "Delete")
    assert (done.code, repository.tip) == (0, "Delete"), done.output


def test_judges_the_range_of_two_refs(repository: Repository) -> None:
    repository.write("tests/test_calc.py", "assert True\n")
    repository.commit("-q", "--no-verify", "-m", "Weaken")
    repository.write("notes/new.md", "New.\n")
    repository.commit("-q", "--no-verify", "-m", "Write")
    run = repository.tool.run
    assert run(repository.folder, "--from-ref", "HEAD~1", "--to-ref", "HEAD").code == 0
    done = run(repository.folder, "--from-ref", "HEAD~2", "--to-ref", "HEAD")
    assert done.code == 1
    assert "tests/test_calc.py" in done.output


def test_is_never_green_for_all_files_in_ci(repository: Repository) -> None:
    done = repository.tool.run(repository.folder, "--all-files", CI="true")
    assert done.code == 1
    assert "- exit code: 3" in done.output
    assert "give pre-commit `--from-ref` and `--to-ref`" in " ".join(done.output.split())


def test_leaves_an_empty_commit_and_an_amended_one_alone(repository: Repository) -> None:
    done = repository.commit("--allow-empty", "-m", "Nothing")
    assert (done.code, repository.tip) == (0, "Nothing"), done.output
    repository.write("notes/new.md", "New.\n")
    repository.commit()
    done = repository.commit("--amend", "-m", "Reworded")
    assert (done.code, repository.tip) == (0, "Reworded"), done.output


def test_leaves_the_index_of_a_linked_worktree_as_it_was(tmp_path: Path, published: Path, tool: Tool) -> None:
    repository = Repository(tmp_path / "repository", published, tool, args="[--commands]")
    linked = tmp_path / "linked"
    git(repository.folder, "worktree", "add", "-q", str(linked))
    (linked / "calc.py").write_text("def add(a, b):\n    return a + b  # mended\n")
    git(linked, "add", "-A")
    own = Path(git(linked, "rev-parse", "--absolute-git-dir"))
    indexes = [own / "index", repository.folder / ".git" / "index"]
    given = {"GIT_DIR": str(own), "GIT_INDEX_FILE": str(indexes[0]), "GIT_PREFIX": ""}
    tool.run(linked, **given)  # the tool itself may refresh the index once
    before = [index.read_bytes() for index in indexes]
    done = tool.run(linked, "--verbose", **given)
    assert done.code == 0, done.output
    assert "3 passed" in done.output
    assert [index.read_bytes() for index in indexes] == before
    assert git(linked, "log", "--format=%s") == "Begin"
    done = tool.call(linked, "git", "commit", "-m", "Change")
    assert (done.code, git(linked, "log", "-1", "--format=%s")) == (0, "Change"), done.output


def test_runs_commands_where_told(tmp_path: Path, published: Path, tool: Tool) -> None:
    repository = Repository(tmp_path / "repository", published, tool, args="[--commands]")
    repository.write("gate.yaml", _MANIFEST.replace("test -f .git/index", "exit 7"))
    done = repository.commit()
    assert (done.code, repository.tip) == (1, "Begin"), done.output
    assert "Command failed (exit 7)" in done.output


def test_is_declared_as_the_page_says() -> None:
    for checker in ("pre-commit", "prek"):
        done = subprocess.run([BIN / checker, "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], check=False)
        assert done.returncode == 0
    config = subprocess.run([BIN / "pre-commit", "validate-config", ROOT / ".pre-commit-config.yaml"], check=False)
    assert config.returncode == 0
