"""git's commands on the files of a work tree."""

import pytest

from tests.repeated import run

START = {"a": b"1\n", "d/b": b"2\n"}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        pytest.param("git mv a x", {"a": None, "x": b"1\n"}, id="git mv"),
        pytest.param("git -C d mv b c", {"d/b": None, "d/c": b"2\n"}, id="git -C mv"),
        pytest.param("git rm -q a", {"a": None}, id="git rm"),
        pytest.param("git rm -r d", {"d/b": None}, id="git rm -r"),
        pytest.param("git rm --cached a", {}, id="git rm of the index"),
        pytest.param("rm a; git checkout -- a", {}, id="git checkout --"),
        pytest.param("rm -r d; echo x > a; git checkout -- d", {"a": b"x\n"}, id="git checkout of a folder"),
        pytest.param("rm a; git checkout a", {}, id="git checkout of a file"),
        pytest.param("rm a; git add -A; git checkout HEAD -- a", {}, id="git checkout of HEAD"),
        pytest.param("rm a; git restore .", {}, id="git restore"),
        pytest.param("echo x > n; rm a; git restore a", {"n": b"x\n"}, id="what git does not know stays"),
    ],
)
def test_is_done(text: str, changed: dict[str, bytes | None]) -> None:
    ran = run(text, start=START)
    assert ran.files == {path: data for path, data in {**START, **changed}.items() if data is not None}
    assert not [line for line in ran.said if "not repeated" in line]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("git checkout main", "it may name another branch or commit", id="a branch"),
        pytest.param("git checkout main -- a", "it may name another branch or commit", id="a file of a branch"),
        pytest.param("git restore --source=main a", "the option --source=main of git restore is not one that is repeated", id="another source"),
        pytest.param("git checkout -- x", "x is not in the start", id="a file that was never there"),
        pytest.param("git add .; git checkout -- a", "git's index may have held something else than the start", id="after git add"),
        pytest.param("git commit -m x; git checkout HEAD -- a", "git's index may have held something else than the start", id="after a commit"),
        pytest.param('git commit -m "$(date)"; git restore a', "git's index may have held something else than the start", id="after a commit that a shell would tell"),
        pytest.param("git mv a x; git restore d", "git's index may have held something else than the start", id="after git mv"),
        pytest.param("git stash pop", "git stash is not a command that is repeated", id="git stash"),
        pytest.param("git reset --hard", "git reset is not a command that is repeated", id="git reset"),
        pytest.param("git mv x y", "x is not in the workspace", id="a missing file"),
    ],
)  # fmt: skip
def test_is_not_done(text: str, reason: str) -> None:
    assert run(text, start=START).said[-1:] == [f"step 1: not repeated: {reason}"]
