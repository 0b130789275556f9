"""What lies in the checkout and in no commit."""

import os
from pathlib import Path

import pytest

from tests.reviewing import Run, commit, reviewed

STAGED = "staged and not judged, since `--base` names commits; commit"
ONE = "1 changed file is not committed and has no say; commit it first to have it judged"


@pytest.fixture
def repo(git: Run, tmp_path: Path) -> Path:
    """Two commits with `a`, `b` and `c`."""
    git("status")
    commit(git, tmp_path / "repo", {"a": b"a\n", "b": b"b\n", "c": b"c\n"})
    commit(git, tmp_path / "repo", {"a": b"committed\n"})
    return tmp_path / "repo"


def test_staged_work_that_is_not_judged_is_told(repo: Path, git: Run) -> None:
    (repo / "new").write_bytes(b"neither staged nor known")
    assert reviewed(repo, base="HEAD~1").notices == ()
    git("add", "new")
    assert reviewed(repo, base="HEAD~1").notices == (f"1 file is {STAGED} it, or run without `--base`",)
    git("rm", "-q", "--cached", "a")
    assert reviewed(repo, base="HEAD~1").notices == (f"2 files are {STAGED} them, or run without `--base`",)
    assert reviewed(repo, base="HEAD~1", ci=True).notices == ()
    assert reviewed(repo).notices == ()


def test_what_is_only_changed_is_told(repo: Path, git: Run) -> None:
    (repo / "a").write_bytes(b"changed\n")
    assert reviewed(repo, base="HEAD~1").notices == (ONE,)
    assert reviewed(repo, base="HEAD~1", head="HEAD").notices == (ONE,)
    assert reviewed(repo, base="HEAD~1", head="HEAD~1").notices == (), "another head has nothing to do with it"
    assert reviewed(repo, base="HEAD~1", ci=True).notices == ()
    (repo / "b").unlink()
    both = "2 changed files are not committed and have no say; commit them first to have them judged"
    assert reviewed(repo, base="HEAD~1").notices == (both,)
    git("add", "a")
    assert reviewed(repo, base="HEAD~1").notices == (f"1 file is {STAGED} it, or run without `--base`", ONE)
    assert reviewed(repo, hook=True).notices == ()


def test_by_hand_without_flags_too(repo: Path, git: Run) -> None:
    git("branch", "-q", "before", "HEAD~1")
    git("branch", "-q", "--set-upstream-to=before")
    assert reviewed(repo).notices == ()
    (repo / "a").write_bytes(b"changed\n")
    assert reviewed(repo).notices == (ONE,)


def test_a_file_that_was_only_touched_is_none_and_the_index_stays(repo: Path) -> None:
    os.utime(repo / "b", ns=(1, 1))
    before = (repo / ".git" / "index").read_bytes()
    assert reviewed(repo, base="HEAD~1").notices == ()
    assert (repo / ".git" / "index").read_bytes() == before


def test_no_filter_of_the_configuration_is_started(repo: Path, git: Run) -> None:
    mark = repo.parent / "started"
    commit(git, repo, {".gitattributes": b"* filter=x\n"})
    for key in ("clean", "process", "smudge"):
        git("config", f"filter.x.{key}", f"touch {mark}; cat")
    git("config", "filter.x.required", "true")
    (repo / "b").write_bytes(b"B\n")
    assert reviewed(repo, base="HEAD~1").notices == (ONE,)
    assert not mark.exists()
    git("config", "filter.a=b.clean", "cat")
    assert reviewed(repo, base="HEAD~1").notices == ()
