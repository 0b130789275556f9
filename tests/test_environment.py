"""Start workspaces that are put together."""

from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.environment import built
from gate.errors import TaskError
from gate.review import Review
from gate.task import Environment, FileFrom, Repository, State, Task
from gate.tree import EXECUTABLE, Tree
from tests.conftest import Git as Run


def write(root: Path, **files: str) -> None:
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, src__a="base", lib__b="b", top="t", fix__one="1", fix__deep__two="2")
    (root / "fix" / "one").chmod(0o755)
    git("add", "-A")
    git("commit", "-qm", "first")
    git("tag", "old")
    git("checkout", "-q", "-b", "work")
    write(root, src__a="head")
    git("commit", "-qam", "second")
    return root


@pytest.fixture
def other(tmp_path: Path, repo: Path, git: Run) -> Path:
    git("clone", "-q", "--branch", "main", ".", "../other")
    return tmp_path / "other"


def tree(root: Path, environment: Environment) -> Tree:
    task = Task(id="t", workspace=environment, oracles=(), state=State.REPLAY, path="eval.yaml", line=3)
    review = Review(Asked(change=diff.Request(base="main")), root)
    with review:
        found = built(environment, review, review.head, task)
        for path in found.paths():
            found.read(path)
        return found


def contents(root: Path, environment: Environment) -> dict[str, str]:
    found = tree(root, environment)
    return {path: found.read(path).decode() for path in found.paths()}


def test_nothing_is_an_empty_workspace(repo: Path) -> None:
    assert contents(repo, Environment()) == {}


def test_files_of_the_repository_and_written_ones(repo: Path) -> None:
    files = (
        FileFrom(at="x/a", source="src/a"),
        FileFrom(at="", source="fix"),
        FileFrom(at="copy", source="fix/deep"),
        FileFrom(at="one", text="written"),
    )
    assert contents(repo, Environment(files=files)) == {
        "copy/two": "2",
        "deep/two": "2",
        "one": "written",
        "x/a": "head",
    }


def test_a_program_stays_one(repo: Path) -> None:
    assert tree(repo, Environment(files=(FileFrom(at="run", source="fix/one"),))).mode("run") == EXECUTABLE


def test_the_repository_at_the_base_with_files_over_it(repo: Path) -> None:
    environment = Environment(repository=Repository(), files=(FileFrom(at="lib/b", text="new"),))
    found = contents(repo, environment)
    assert (found["src/a"], found["lib/b"], found["top"]) == ("base", "new", "t")


def test_some_folders_of_it(repo: Path) -> None:
    assert contents(repo, Environment(repository=Repository(ref="work", sparse=("src",)))) == {
        "src/a": "head",
        "top": "t",
    }


def test_another_repository_of_this_machine(repo: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(other, src__a="elsewhere, not committed")
    for url in ("../other", f"file://{other}", str(other)):
        assert contents(repo, Environment(repository=Repository(url=url, ref="old")))["src/a"] == "base"
    assert contents(repo, Environment(repository=Repository(url="../other")))["src/a"] == "base"


def test_another_repository_in_a_hook_whose_environment_names_this_one(
    repo: Path, other: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo / ".git" / "index"))
    assert contents(repo, Environment(repository=Repository(url="../other")))["src/a"] == "base"


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        pytest.param(
            Environment(repository=Repository(url="https://example.org/x.git")),
            "`environment.git`: https://example.org/x.git is not on this machine, and the gate does not fetch; clone it "
            "beside this repository and name that folder",
            id="a repository elsewhere",
        ),
        pytest.param(
            Environment(repository=Repository(url="git@example.org:x.git")),
            "`environment.git`: git@example.org:x.git is not on this machine, and the gate does not fetch; clone it beside "
            "this repository and name that folder",
            id="one by ssh",
        ),
        pytest.param(
            Environment(repository=Repository(url="../none")),
            "`environment.git`: there is no folder ROOT/../none",
            id="no folder",
        ),
        pytest.param(
            Environment(repository=Repository(ref="none")),
            "`environment.git`: none names no commit there",
            id="no commit",
        ),
        pytest.param(
            Environment(files=(FileFrom(at="x", source="none"),)),
            "`environment.files`: none: there is no such file in ",
            id="no file",
        ),
        pytest.param(
            Environment(files=(FileFrom(at="../x", text=""),)),
            "`environment.files`: '../x' leads out of the workspace",
            id="a place outside",
        ),
        pytest.param(
            Environment(files=(FileFrom(at=".git/config", text=""),)),
            "`environment.files`: '.git' is git's own folder on some file system",
            id="a place in git's folder",
        ),
    ],
)
def test_what_cannot_be_had(repo: Path, environment: Environment, message: str) -> None:
    with pytest.raises(TaskError) as caught:
        tree(repo, environment)
    assert caught.value.message.replace(str(repo), "ROOT").startswith(f"eval.yaml:3: {message}")
