"""Commits fetched where a clone lacks them, and history deepened down to a common ancestor."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.changes.ancestry import common, named
from gate.errors import ChangeError
from tests.conftest import Git as Run
from tests.reviewing import opened, refused, reviewed

Server = Callable[..., Callable[[str], str]]


@pytest.fixture
def server(tmp_path: Path, git: Run) -> Server:
    """Fills the server's repository with empty commits; gives what finds an id there.

    Each line is `BRANCH FROM COUNT`, with a branch to merge into the first of them at its end, or none.
    """

    def run(*lines: str) -> Callable[[str], str]:
        git("config", "uploadpack.allowAnySHA1InWant", "true")
        stream, moment = [], 1_700_000_000
        for branch, start, count, *merged in (line.split() for line in lines):
            for number in range(int(count)):
                moment += 1
                stream.append(f"commit refs/heads/{branch}\ncommitter T <t@x> {moment} +0000\ndata 1\nx\n")
                if number == 0 and start != "-":
                    stream.append(f"from refs/heads/{start}\n")
                    stream += [f"merge refs/heads/{other}\n" for other in merged]
        repo, text = tmp_path / "repo", "".join(stream).encode()
        subprocess.run(["git", "fast-import", "--quiet"], cwd=repo, input=text, check=True)
        return lambda name: git("rev-parse", name)

    return run


@pytest.fixture
def clone(tmp_path: Path, git: Run) -> Callable[..., Path]:
    """A clone of these branches as they are at depth 1."""

    def run(*branches: str, origin: str = "repo", name: str = "clone", depth: int = 1) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        git("init", "-q", "-b", "unborn", cwd=folder)
        git("remote", "add", "origin", f"file://{tmp_path / origin}", cwd=folder)
        git("fetch", "-q", f"--depth={depth}", "origin", *(f"{one}:refs/heads/{one}" for one in branches), cwd=folder)
        return folder

    return run


class TestCommon:
    """The best common ancestor."""

    def test_history_is_deepened_until_it_holds_it_and_no_further(
        self, server: Server, clone: Callable[..., Path], git: Run
    ) -> None:
        find = server("fork - 3000", "main fork 150", "topic fork 320")
        main, topic = find("main"), find("topic")
        folder = clone("main", "topic")
        with opened(folder) as found:
            assert common(found, main, topic, fetch=True) == find("fork")
            assert found.is_shallow
        assert int(git("rev-list", "--count", main, topic, cwd=folder)) < 1300

    def test_the_first_one_that_turns_up_may_not_be_the_best(self, server: Server, clone: Callable[..., Path]) -> None:
        find = server(
            "old - 1", "best old 1", "left best 130", "right best 130", "main old 1 left", "topic old 1 right"
        )
        main, topic = find("main"), find("topic")
        with opened(clone("main", "topic", depth=50)) as git:
            assert git.merge_base(main, topic) == find("old")
            assert common(git, main, topic, fetch=True) == find("best")

    def test_one_that_the_other_holds_needs_no_more_history(
        self, server: Server, clone: Callable[..., Path], git: Run
    ) -> None:
        find = server("main - 30", "topic main 3")
        folder = clone("main", "topic", depth=5)
        with opened(folder) as found:
            assert common(found, find("main"), find("topic"), fetch=True) == find("main")
        assert git("rev-list", "--count", find("main"), cwd=folder) == "5"

    def test_one_that_the_other_holds_is_best_wherever_else_history_ends(
        self, server: Server, clone: Callable[..., Path], git: Run
    ) -> None:
        find = server("old - 1", "side old 50", "main old 1", "topic main 3 side")
        folder = clone("main", "topic", depth=5)
        git("remote", "remove", "origin", cwd=folder)
        with opened(folder) as found:
            assert common(found, find("main"), find("topic"), fetch=True) == find("main")

    def test_one_that_is_here_already_is_found_although_no_commit_is_added(
        self, server: Server, clone: Callable[..., Path]
    ) -> None:
        find = server("fork - 1", "main fork 1")
        with opened(clone("main", "fork")) as git:
            assert common(git, find("main"), find("fork"), fetch=True) == find("fork")

    def test_nothing_is_fetched_where_nobody_may(self, server: Server, clone: Callable[..., Path]) -> None:
        find = server("fork - 1", "main fork 1", "topic fork 1")
        with opened(clone("main", "topic")) as git, pytest.raises(ChangeError) as caught:
            common(git, find("main"), find("topic"), fetch=False)
        assert caught.value.message == (
            f"`git merge-base {find('main')} {find('topic')}` finds no common ancestor; this clone is shallow: put "
            "`fetch-depth: 0` at actions/checkout, or run `git fetch --unshallow`"
        )

    @pytest.mark.parametrize("depth", [1, 9])
    def test_unrelated_histories_have_none(self, server: Server, clone: Callable[..., Path], depth: int) -> None:
        find = server("main - 3", "topic - 3")
        with opened(clone("main", "topic", depth=depth)) as git, pytest.raises(ChangeError) as caught:
            common(git, find("main"), find("topic"), fetch=True)
        assert (caught.value.kind, caught.value.message) == (
            "history_missing",
            f"`git merge-base {find('main')} {find('topic')}` finds no common ancestor; their histories are unrelated: "
            "name another commit with `--base`",
        )

    def test_there_is_a_bound(self, server: Server, clone: Callable[..., Path]) -> None:
        find = server("fork - 1", "main fork 350", "topic fork 1")
        with opened(clone("main", "topic")) as git, pytest.raises(ChangeError) as caught:
            common(git, find("main"), find("topic"), fetch=True, rounds=2)
        assert caught.value.message == (
            f"where {find('main')[:12]} and {find('topic')[:12]} part is not in this shallow clone, and it is more than "
            "300 commits away; put `fetch-depth: 0` at actions/checkout"
        )

    def test_an_origin_that_is_cut_off_itself_has_no_more(
        self, server: Server, clone: Callable[..., Path], git: Run
    ) -> None:
        find = server("fork - 1", "main fork 20", "topic fork 20")
        mirror = clone("main", "topic", name="mirror", depth=10)
        git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=mirror)
        with opened(clone("main", "topic", origin="mirror")) as found, pytest.raises(ChangeError) as caught:
            common(found, find("main"), find("topic"), fetch=True)
        assert caught.value.message == (
            f"where {find('main')[:12]} and {find('topic')[:12]} part is not in this shallow clone, and `origin` has no "
            "more of their history either; put `fetch-depth: 0` at actions/checkout"
        )

    def test_an_origin_that_does_not_answer(self, server: Server, clone: Callable[..., Path], git: Run) -> None:
        find = server("fork - 1", "main fork 1", "topic fork 1")
        folder = clone("main", "topic")
        git("remote", "set-url", "origin", "file:///no/such", cwd=folder)
        with opened(folder) as found, pytest.raises(ChangeError) as caught:
            common(found, find("main"), find("topic"), fetch=True)
        assert caught.value.message.startswith(
            f"where {find('main')[:12]} and {find('topic')[:12]} part is not in this shallow clone, and more of their "
            f"history cannot be fetched: `git fetch --no-tags --deepen=100 --no-recurse-submodules "
        )
        assert caught.value.message.endswith("; put `fetch-depth: 0` at actions/checkout")


class TestNamed:
    """A base that a person typed, in a clone that does not hold it."""

    @pytest.fixture
    def shallow(self, server: Server, clone: Callable[..., Path], git: Run) -> tuple[Path, Callable[[str], str]]:
        find = server("main - 3", "topic main 2")
        git("tag", "-am", "annotated", "v1", "main~1")
        folder = clone("topic")
        git("symbolic-ref", "HEAD", "refs/heads/topic", cwd=folder)
        git("reset", "-q", "--hard", cwd=folder)
        return folder, find

    @pytest.mark.parametrize("typed", ["main", "origin/main", "v1", "refs/heads/main", "refs/tags/v1", "the id"])
    def test_is_fetched_in_ci(self, shallow: tuple[Path, Callable[[str], str]], typed: str) -> None:
        folder, find = shallow
        base = find("v1^{commit}" if "v1" in typed else "main")
        change = reviewed(folder, ci=True, base=base if typed == "the id" else typed)
        assert (change.base, change.head) == (base, find("topic"))

    @pytest.mark.parametrize("ci", [False, True])
    @pytest.mark.parametrize("typed", ["none", "main", "ma*", "heads/main", "-x"])
    def test_is_refused_where_there_is_none_or_nobody_may_fetch(
        self, shallow: tuple[Path, Callable[[str], str]], typed: str, ci: bool
    ) -> None:
        if ci and typed == "main":
            return
        error = refused(shallow[0], ci=ci, base=typed)
        assert (error.kind, error.message) == (
            "base_unknown",
            f"`--base`: `git rev-parse --verify {typed}^{{commit}}` finds no such commit here; fetch it first (in a "
            "workflow: `fetch-depth: 0` at actions/checkout), or name one that exists",
        )

    def test_that_is_gone_everywhere_says_so(self, shallow: tuple[Path, Callable[[str], str]]) -> None:
        with opened(shallow[0]) as git, pytest.raises(ChangeError) as caught:
            named(git, "1" * 40, option="--base", fetch=True)
        assert caught.value.message.startswith(
            f"the commit {'1' * 12} is not in this clone and cannot be fetched: `git fetch "
        )


RIVAL = """
import os, pathlib, subprocess, sys
clone, once = pathlib.Path({clone!r}), pathlib.Path({once!r})
served = subprocess.Popen(["git", "upload-pack", *sys.argv[1:]], stdout=subprocess.PIPE)
while data := os.read(served.stdout.fileno(), 65536):
    if b"shallow-info" in data and not once.exists():
        once.touch()
        alone = {{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}}
        subprocess.run(["git", "fetch", "-q", "--deepen=1", "file://{server}", "main"], cwd=clone, env=alone, check=True)
    os.write(1, data)
sys.exit(served.wait())
"""


def test_a_shallow_file_that_another_git_writes_meanwhile_is_read_anew(
    server: Server, clone: Callable[..., Path], tmp_path: Path, git: Run
) -> None:
    """Between our question and the server's answer somebody else makes the clone's history longer, once."""
    find = server("fork - 30", "main fork 30", "topic fork 30")
    folder, once = clone("main", "topic"), tmp_path / "once"
    rival = tmp_path / "rival.py"
    rival.write_text(RIVAL.format(clone=str(folder), once=str(once), server=tmp_path / "repo"))
    git("config", "remote.origin.uploadpack", f"{sys.executable} {rival}", cwd=folder)
    with opened(folder) as found:
        assert common(found, find("main"), find("topic"), fetch=True) == find("fork")
    assert once.exists()
