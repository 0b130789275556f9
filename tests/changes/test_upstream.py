"""What the branch at hand is to be merged into."""

from pathlib import Path

import pytest

from gate.changes import upstream
from gate.changes.upstream import Upstream
from gate.git import Git
from tests.reviewing import Run, commit, reviewed


@pytest.fixture
def repo(git: Run, tmp_path: Path) -> Path:
    """One commit with `a`."""
    git("status")
    commit(git, tmp_path / "repo", {"a": b"a\n"})
    return tmp_path / "repo"


@pytest.fixture
def clone(repo: Path, git: Run, tmp_path: Path) -> Path:
    """A clone on its branch `topic`, with one commit that nobody else has."""
    git("clone", "-q", str(repo), "../clone")
    folder = tmp_path / "clone"
    git("checkout", "-q", "-b", "topic", cwd=folder)
    commit(git, folder, {"mine": b"x"})
    return folder


@pytest.fixture
def shared(repo: Path, git: Run) -> str:
    """The commit that the clone starts from."""
    return git("rev-parse", "HEAD")


def _found(folder: Path) -> Upstream | None:
    with Git.discover(folder) as git:  # type: ignore[union-attr]
        return upstream.find(git)


DEFAULT = ("refs/remotes/origin/main", "the default branch origin/main", "origin/main", "")


@pytest.mark.parametrize(
    ("calls", "facts"),
    [
        pytest.param((), ("refs/remotes/origin/HEAD", "upstream", "upstream", ""), id="none configured"),
        pytest.param(
            ("branch -q --set-upstream-to=origin/main",),
            ("refs/remotes/origin/main", "upstream", "origin/main", ""),
            id="the branch that it goes to",
        ),
        pytest.param(
            ("branch -q --set-upstream-to=main",),
            ("refs/heads/main", "upstream", "main", ""),
            id="a branch of this clone",
        ),
        pytest.param(
            ("checkout -q -B main", "push -q -u origin HEAD~1:main --force"),
            ("refs/remotes/origin/main", "upstream", "origin/main", ""),
            id="the default branch itself",
        ),
        pytest.param(("push -q -u origin topic",), DEFAULT, id="its own copy"),
        pytest.param(
            ("checkout -q -b fix/topic", "push -q -u origin fix/topic", "commit -q --allow-empty -m more"),
            DEFAULT,
            id="its own copy, and more since",
        ),
        pytest.param(
            ("remote rename origin far/off", "push -q -u far/off topic"),
            ("refs/remotes/far/off/main", "the default branch far/off/main", "far/off/main", ""),
            id="its own copy on another remote",
        ),
    ],
)
def test_where_a_branch_goes(
    clone: Path, shared: str, git: Run, calls: tuple[str, ...], facts: tuple[str, ...]
) -> None:
    git("config", "receive.denyCurrentBranch", "ignore", cwd=clone.parent / "repo")
    for call in calls:
        git(*call.split(), cwd=clone)
    found = _found(clone)
    assert found is not None
    assert (found.ref, found.called, found.name, found.notice) == facts
    assert found.start == shared


def test_an_own_copy_is_told_where_no_default_branch_is_known(clone: Path, git: Run) -> None:
    git("push", "-q", "-u", "origin", "topic", cwd=clone)
    git("remote", "set-head", "origin", "--delete", cwd=clone)
    found = _found(clone)
    assert found is not None
    assert (found.ref, found.start) == ("refs/remotes/origin/topic", git("rev-parse", "HEAD", cwd=clone))
    told = (
        "the branch topic is judged by its own pushed version origin/topic, since this clone does not know the default "
        "branch of origin: run `git remote set-head origin --auto`, or name `--base`"
    )
    assert found.notice == told
    assert reviewed(clone, hook=True).notices == (told,)
    nothing = "nothing differs from origin/topic; name `--base` to say what the change starts from"
    assert reviewed(clone).notices == (told, nothing)


def test_a_pushed_branch_is_judged_whole_and_by_the_default_one(clone: Path, shared: str, git: Run) -> None:
    git("push", "-q", "-u", "origin", "topic", cwd=clone)
    head = git("rev-parse", "HEAD", cwd=clone)
    tip = commit(git, clone.parent / "repo", {"later": b"x"})
    git("fetch", "-q", cwd=clone)
    change = reviewed(clone)
    assert (change.base, change.head, change.upstream, change.paths) == (shared, head, tip, ("mine",))
    assert change.description == f"HEAD {head[:12]} since the default branch origin/main {shared[:12]}"
    assert change.notices == ()
    staged = reviewed(clone, hook=True)
    assert (staged.base, staged.upstream, staged.notices) == (head, shared, ())
    pushed = reviewed(clone, from_ref="0" * 40, to_ref="HEAD")
    assert (pushed.base, pushed.upstream) == (shared, tip)


def test_where_nothing_differs_from_upstream_it_is_told(clone: Path, git: Run) -> None:
    git("checkout", "-q", "main", cwd=clone)
    nothing = "nothing differs from origin/main; name `--base` to say what the change starts from"
    assert reviewed(clone).notices == (nothing,)
    assert reviewed(clone, everything=True).notices == ()
    (clone / "a").write_bytes(b"staged")
    git("add", "a", cwd=clone)
    assert reviewed(clone).notices == ()


def test_without_an_upstream_origin_s_default_branch_stands_in(clone: Path, git: Run) -> None:
    git("checkout", "-q", "--detach", cwd=clone)
    assert _found(clone) is not None
    git("remote", "set-head", "origin", "--delete", cwd=clone)
    assert _found(clone) is None


def test_an_upstream_that_shares_no_history_is_none(clone: Path, git: Run) -> None:
    git("checkout", "-q", "--orphan", "other", cwd=clone)
    commit(git, clone, {"other": b"x"})
    git("branch", "-q", "--set-upstream-to=origin/main", cwd=clone)
    assert _found(clone) is None


def test_a_branch_of_another_name_is_no_copy(clone: Path, git: Run) -> None:
    git("push", "-q", "origin", "topic:fix/topic", cwd=clone)
    git("branch", "-q", "--set-upstream-to=origin/fix/topic", cwd=clone)
    found = _found(clone)
    assert found is not None
    assert (found.ref, found.notice) == ("refs/remotes/origin/fix/topic", "")
