"""Pinned before the run: shown by commits, by the recording's bytes whatever its name, or said not to be."""

import subprocess
from pathlib import Path

import pytest

from gate.bundles.provenance import UNKNOWN, Provenance
from gate.git import Git as Repository
from tests.conftest import Git


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q")
    git("commit", "-qm", "start", "--allow-empty")
    return tmp_path / "repo"


def commit(git: Git, root: Path, name: str, text: str) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git("add", "-A")
    git("commit", "-qm", name)
    return git("rev-parse", "HEAD")


def why(root: Path, *paths: str, folders: bool = False, judge: str = "HEAD") -> str:
    repository = Repository.discover(root)
    assert repository is not None
    with repository as found:
        head = found.resolve("HEAD")
        assert head is not None
        asked = Provenance(found, place="bench", judge=found.resolve(judge), head=head)
        return asked.of_folders(paths) if folders else asked.of_files(paths, found.tree(head))


def test_the_recording_came_after(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "r/one.json", "1")
    commit(git, root, "r/one.json", "2")
    commit(git, root, "out/one/a", "1")
    assert why(root, "r/one.json") == ""
    assert why(root, "out/one", folders=True) == ""


def test_it_was_there_before(root: Path, git: Git) -> None:
    early = commit(git, root, "r/one.json", "1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    commit(git, root, "r/two.json", "2")
    said = f"came with the commit {early[:12]}, which does not come after the bundle's pin ({pinned[:12]})"
    assert why(root, "r/one.json", "r/two.json") == f"r/one.json {said}"
    assert why(root, "r", folders=True) == f"r {said}"


def test_it_was_there_before_under_another_name(root: Path, git: Git) -> None:
    early = commit(git, root, "elsewhere.txt", "1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    git("rm", "-q", "elsewhere.txt")
    commit(git, root, "r/one.json", "1")
    assert why(root, "r/one.json") == (
        f"r/one.json came with the commit {early[:12]}, which does not come after the bundle's pin ({pinned[:12]})"
    )


def test_it_came_with_the_pin_itself(root: Path, git: Git) -> None:
    (root / "r.json").write_text("1")
    pinned = commit(git, root, "bench/manifest.json", "{}")
    assert why(root, "r.json") == (
        f"r.json came with the commit {pinned[:12]}, which does not come after the bundle's pin ({pinned[:12]})"
    )


def test_the_bundle_was_pinned_anew_after_the_run(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    run = commit(git, root, "r.json", "1")
    pinned = commit(git, root, "bench/manifest.json", '{"other": 1}')
    assert f"came with the commit {run[:12]}" in why(root, "r.json")
    assert pinned[:12] in why(root, "r.json")
    assert why(root, "r.json", judge="HEAD~1") == "", "the judge's own version was pinned before"


def test_it_came_on_a_branch_that_had_left_before_the_pin(root: Path, git: Git) -> None:
    git("switch", "-qc", "other")
    early = commit(git, root, "r.json", "1")
    git("switch", "-q", "main")
    commit(git, root, "bench/manifest.json", "{}")
    git("merge", "-q", "--no-edit", "other")
    assert f"r.json came with the commit {early[:12]}" in why(root, "r.json")


def test_a_branch_from_after_the_pin_is_merged(root: Path, git: Git) -> None:
    commit(git, root, "bench/manifest.json", "{}")
    git("switch", "-qc", "other")
    commit(git, root, "r.json", "1")
    git("switch", "-q", "main")
    commit(git, root, "x", "1")
    git("merge", "-q", "--no-edit", "other")
    assert why(root, "r.json") == ""


def test_nothing_to_show(root: Path, git: Git, tmp_path: Path) -> None:
    assert Provenance(None, place="bench", judge=None, head=None).of_files([], None) == UNKNOWN  # type: ignore[arg-type]
    commit(git, root, "r.json", "1")
    assert why(root, "r.json") == "bench/manifest.json is in no commit, so nothing shows when it was written"
    commit(git, root, "bench/manifest.json", "{}")
    subprocess.run(["git", "clone", "-q", "--depth=1", root.as_uri(), str(tmp_path / "shallow")], check=True)
    assert why(tmp_path / "shallow", "r.json") == (
        "the history is cut off here (`fetch-depth`), so nothing shows that the bundle was pinned before the run"
    )
    assert why(root, "out", folders=True) == (
        "out is in no commit yet, so nothing shows that the bundle was pinned before it"
    )
    assert why(root, "none.json") == ""
