"""The trees that a task is judged on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.errors import TaskError
from gate.material import trees
from gate.review import Review
from gate.source import Source
from gate.task import Folder, Inline, Revision, State, Task
from gate.tree import Subtree, Tree
from tests.conftest import Git as Run

FILES = Inline({"a.py": "start"})
BASE = Revision("base")


def task(workspace: Any, finished: str | None = None) -> Task:
    return Task(id="t", workspace=workspace, oracles=(), state=State.HEAD, finished=finished, path="gate.yaml", line=3)


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    """A base with two folders, and a change staged on it."""
    git("init", "-q")
    root = tmp_path / "repo"
    write(root, {"sub/a.py": "base", "fixture/a.py": "fixture", "out/old.py": "old"})
    git("add", "-A")
    git("commit", "-qm", "first")
    write(root, {"sub/a.py": "head", "fixture/a.py": "fixture of the head", "out/a.py": "out", "sub/out/a.py": "deep"})
    git("add", "-A")
    return root


def content(tree: Tree | None, folder: str = "") -> dict[str, str] | None:
    if tree is None:
        return None
    seen = Subtree(tree, folder)
    return {path: seen.read(path).decode() for path in seen.paths()}


def ground(root: Path, of: Task, folder: str = "") -> dict[str, Any]:
    """What oracles see at the start and at the end, and the rest of the ground."""
    with Review(Asked(change=diff.Request(hook=True)), root) as review:
        judge = Source("base", review.start())
        found = trees(review, judge, of, folder)
        return {
            "start": content(found.start, found.folder),
            "head": content(found.head, found.folder),
            "folder": found.folder,
            "checkout": found.checkout,
            "commit": found.commit,
            "changed": found.changed,
        }


def refused(root: Path, of: Task, folder: str = "") -> str:
    with pytest.raises(TaskError) as caught:
        ground(root, of, folder)
    return caught.value.message


class TestWorkspaces:
    """Where a task starts, and the head's own workspace."""

    def test_the_repository(self, repo: Path, git: Run) -> None:
        found = ground(repo, task(BASE), "sub")
        assert found == {
            "start": {"a.py": "base"},
            "head": {"a.py": "head", "out/a.py": "deep"},
            "folder": "sub",
            "checkout": "sub",
            "commit": git("rev-parse", "HEAD"),
            "changed": None,
        }

    def test_another_commit(self, repo: Path, git: Run) -> None:
        git("commit", "-qm", "second")
        write(repo, {"sub/a.py": "third"})
        git("add", "-A")
        found = ground(repo, task(Revision("HEAD~1")), "sub")
        assert (found["start"], found["head"]) == ({"a.py": "base"}, {"a.py": "third", "out/a.py": "deep"})
        assert found["commit"] == git("rev-parse", "HEAD~1")

    def test_a_folder_is_the_judge_s(self, repo: Path) -> None:
        found = ground(repo, task(Folder("../fixture")), "sub")
        assert (found["start"], found["head"]) == ({"a.py": "fixture"}, {"a.py": "fixture of the head"})
        assert (found["folder"], found["checkout"], found["commit"]) == ("", "fixture", None)

    def test_the_manifest_s_own_folder(self, repo: Path) -> None:
        assert ground(repo, task(Folder(".")), "sub")["start"] == {"a.py": "base"}
        assert ground(repo, task(Folder(".")))["checkout"] == ""

    def test_files_in_the_task(self, repo: Path) -> None:
        found = ground(repo, task(FILES))
        assert (found["start"], found["head"], found["checkout"]) == ({"a.py": "start"}, None, None)

    @pytest.mark.parametrize(
        ("workspace", "message"),
        [
            (Folder("none"), "gate.yaml:3: `workspace.dir`: there is no file in none in base"),
            (Folder("../.."), "gate.yaml:3: `workspace.dir`: there is no file in ../.. in base"),
            (Folder("/etc"), "gate.yaml:3: `workspace.dir`: there is no file in /etc in base"),
            (Revision("no"), "gate.yaml:3: `workspace.git`: 'no' names no commit here; expected `base` or one"),
        ],
    )
    def test_what_cannot_be_had(self, repo: Path, workspace: Any, message: str) -> None:
        assert refused(repo, task(workspace)) == message

    def test_a_revision_needs_a_repository(self, tmp_path: Path) -> None:
        with (
            Review(Asked(change=diff.Request(everything=True)), tmp_path) as review,
            pytest.raises(TaskError) as caught,
        ):
            trees(review, review.head, task(BASE), "")
        assert caught.value.message == (
            "gate.yaml:3: `workspace: {git: base}` needs a git repository, and here is none"
        )


class TestFinished:
    """A finished folder of the head in the place of the head's own workspace."""

    @pytest.mark.parametrize(
        ("workspace", "start"),
        [(FILES, {"a.py": "start"}), (Folder("fixture"), {"a.py": "fixture"})],
        ids=["files", "folder"],
    )
    def test_after_a_fixture(self, repo: Path, workspace: Any, start: dict[str, str]) -> None:
        assert ground(repo, task(workspace, "out")) == {
            "start": start,
            "head": {"a.py": "out", "old.py": "old"},
            "folder": "",
            "checkout": "out",
            "commit": None,
            "changed": ("a.py", "old.py"),
        }

    @pytest.mark.parametrize("named", ["out", "./out/", "../sub/out"])
    def test_after_the_repository(self, repo: Path, git: Run, named: str) -> None:
        assert ground(repo, task(BASE, named), "sub") == {
            "start": {"a.py": "base"},
            "head": {"a.py": "deep"},
            "folder": "sub",
            "checkout": "sub/out",
            "commit": git("rev-parse", "HEAD"),
            "changed": ("sub/a.py",),
        }

    def test_what_is_the_same_is_not_changed(self, repo: Path) -> None:
        assert ground(repo, task(Inline({"a.py": "out", "old.py": "older"}), "out"))["changed"] == ("old.py",)

    @pytest.mark.parametrize(
        ("named", "message"),
        [
            ("none", "gate.yaml:3: `state.dir`: there is no file in none in the index"),
            ("sub/a.py", "gate.yaml:3: `state.dir`: there is no file in sub/a.py in the index"),
            ("../repo", "gate.yaml:3: `state.dir`: ../repo leads out of the repository"),
            ("/tmp", "gate.yaml:3: `state.dir`: /tmp leads out of the repository"),
        ],
    )
    def test_what_is_missing_or_elsewhere(self, repo: Path, named: str, message: str) -> None:
        assert refused(repo, task(FILES, named)) == message

    def test_a_folder_on_disk_only_is_empty(self, repo: Path, git: Run) -> None:
        (repo / "late").mkdir()
        (repo / "late" / "a.py").write_text("not staged")
        assert refused(repo, task(FILES, "late")) == "gate.yaml:3: `state.dir`: there is no file in late in the index"
