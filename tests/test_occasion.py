"""How each event names its change, in checkouts as actions/checkout makes them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.change import review
from gate.diff import Request
from gate.github import Event
from tests.conftest import Git as Run
from tests.reviewing import an_event, commit, letters, opened, refused, reviewed

PULLED = {"a": "D", "renamed": "A", "sub/b": "D", "odd\n": "A"}


@pytest.fixture
def server(tmp_path: Path, git: Run) -> dict[str, str]:
    """A repository with pull request 7: its fork, base, head and merge. `main` has moved since the fork."""
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo = tmp_path / "repo"
    fork = commit(git, repo, {"a": b"a\n", "sub/b": b"b\n"})
    git("checkout", "-q", "-b", "topic")
    (repo / "a").rename(repo / "renamed")
    head = commit(git, repo, {"sub/b": None, "odd\n": b"x"})
    git("checkout", "-q", "main")
    base = commit(git, repo, {"landed later": b"x"})
    git("checkout", "-q", "--detach")
    git("merge", "-q", "--no-ff", "--no-edit", "topic")
    merge = git("rev-parse", "HEAD")
    git("update-ref", "refs/pull/7/merge", merge)
    git("checkout", "-q", "main")
    return {"url": f"file://{repo}", "fork": fork, "base": base, "head": head, "merge": merge}


@pytest.fixture
def checkout(server: dict[str, str], git: Run, tmp_path: Path) -> Callable[..., Path]:
    """What actions/checkout does: a commit is fetched at `depth` (0 means all branches) and checked out, detached."""

    def run(commit: str, *, depth: int = 1) -> Path:
        runner = tmp_path / "runner"
        runner.mkdir()
        git("init", "-q", cwd=runner)
        git("remote", "add", "origin", server["url"], cwd=runner)
        wanted = f"+{server[commit]}:refs/remotes/pull/7/{commit}"
        if depth:
            git("fetch", "-q", "--no-tags", f"--depth={depth}", "origin", wanted, cwd=runner)
        else:
            git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", wanted, cwd=runner)
        git("checkout", "-q", "--detach", server[commit], cwd=runner)
        return runner

    return run


class TestPullRequest:
    """The event `pull_request`, in a checkout as actions/checkout makes it."""

    def _opened(self, server: dict[str, str], **facts: str) -> Event:
        shas = {"sha": server["merge"], "base_sha": server["base"], "head_sha": server["head"], **facts}
        return an_event(number=7, **shas)

    @pytest.mark.parametrize("depth", [1, 2, 0])
    @pytest.mark.parametrize("stale", [False, True], ids=["base-is-current", "base-in-event-is-older"])
    def test_the_merge_commit_against_its_first_parent(
        self, server: dict[str, str], checkout: Callable[..., Path], depth: int, stale: bool
    ) -> None:
        event = self._opened(server, base_sha=server["fork"] if stale else server["base"])
        change = reviewed(checkout("merge", depth=depth), event, ci=True)
        assert (change.base, change.head, change.staged, change.upstream) == (
            server["base"],
            server["merge"],
            False,
            None,
        )
        assert letters(change) == PULLED
        assert change.description == (f"pull request #7: {server['merge'][:12]} against its base {server['base'][:12]}")

    def test_its_base_can_be_read_after_that(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        with opened(checkout("merge")) as found:
            change = review(Request(ci=True), found, self._opened(server))
            assert found.tree(str(change.base)).read("a") == b"a\n"
            assert found.tree(str(change.head)).mode("a") is None

    def test_the_hook_on_all_files_judges_the_same(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        assert letters(reviewed(checkout("merge"), self._opened(server), ci=True, hook=True)) == PULLED

    def test_all_keeps_base_and_head(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        change = reviewed(checkout("merge"), self._opened(server), ci=True, everything=True)
        assert (change.base, change.head) == (server["base"], server["merge"])
        assert set(change.paths) == {"landed later", "odd\n", "renamed"}

    def test_the_head_itself_against_the_merge_base(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = reviewed(checkout("head", depth=0), self._opened(server), ci=True)
        assert (change.base, change.head, letters(change)) == (server["fork"], server["head"], PULLED)
        assert change.description == f"pull request #7: {server['head'][:12]} against its base {server['fork'][:12]}"

    def test_the_head_itself_without_history_brings_it(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = reviewed(checkout("head"), self._opened(server), ci=True)
        assert (change.base, change.head, letters(change)) == (server["fork"], server["head"], PULLED)

    @pytest.mark.parametrize(("commit", "depth"), [("merge", 2), ("head", 0)])
    @pytest.mark.parametrize("everything", [False, True])
    def test_a_base_that_cannot_be_fetched_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run, commit: str, depth: int, everything: bool
    ) -> None:
        runner = checkout(commit)
        git("remote", "set-url", "origin", "file:///no/such", cwd=runner)
        error = refused(runner, self._opened(server), ci=True, everything=everything)
        assert error.kind == "history_missing"
        assert error.message.startswith(
            f"the base {server['base'][:12]} is not in this clone and cannot be fetched: `git fetch --no-tags --depth=1 "
            f"--no-recurse-submodules --no-write-fetch-head origin {server['base']}` failed in {runner}: fatal: "
            "'/no/such' does not appear to be a git repository"
        )
        assert error.message.endswith(
            f"; put `fetch-depth: {depth}` at actions/checkout, or leave its `persist-credentials` on"
        )

    @pytest.mark.parametrize("commit", ["base", "fork"])
    def test_another_commit_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], commit: str
    ) -> None:
        error = refused(checkout(commit), self._opened(server), ci=True)
        assert (error.kind, error.message) == (
            "wrong_head",
            f"HEAD {server[commit][:12]} is neither GitHub's merge of pull request #7 (`GITHUB_SHA` "
            f"{server['merge'][:12]}) nor its head {server['head'][:12]}; check out the event's own commit: "
            "actions/checkout without `ref`, or with `ref: ${{ github.event.pull_request.head.sha }}`",
        )

    def test_a_merge_of_another_head_is_refused(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        event = self._opened(server, head_sha=server["fork"])
        assert refused(checkout("merge"), event, ci=True).kind == "wrong_head"

    def test_a_merge_that_the_author_made_does_not_choose_its_own_base(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        runner = checkout("head", depth=0)
        tree = git("rev-parse", "HEAD^{tree}", cwd=runner)
        evil = git("commit-tree", "-m", "evil base", tree, cwd=runner)
        forged = git("commit-tree", "-m", "forged", "-p", evil, "-p", server["head"], tree, cwd=runner)
        git("checkout", "-q", forged, cwd=runner)
        assert refused(runner, self._opened(server), ci=True).kind == "wrong_head"

    def test_replaced_parents_do_not_choose_the_base(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        runner = checkout("merge", depth=2)
        git("replace", "--graft", server["merge"], server["head"], server["head"], cwd=runner)
        assert reviewed(runner, self._opened(server), ci=True).base == server["base"]

    def test_before_any_commit_it_is_refused(self, git: Run, tmp_path: Path, server: dict[str, str]) -> None:
        (tmp_path / "empty").mkdir()
        git("init", "-q", cwd=tmp_path / "empty")
        assert refused(tmp_path / "empty", self._opened(server), ci=True).kind == "no_change"
