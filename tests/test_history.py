"""The commits of a change."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gate.changes.change import review
from gate.changes.diff import Change, Request
from gate.git import Git
from gate.github import Event
from gate.history import Commit, History, Trailer, read
from tests.conftest import Git as Run

SHALLOW = (
    "this clone is shallow and does not hold every commit of the change; put `fetch-depth: 0` at actions/checkout, or "
    "run `git fetch --unshallow`"
)


@contextmanager
def _open(folder: Path) -> Iterator[Git]:
    found = Git.discover(folder)
    assert found is not None
    with found:
        yield found


def _history(folder: Path, base: str | None, head: str | None, event: Event | None = None) -> History:
    with _open(folder) as found:
        return read(Change(description="", base=base, head=head), found, event)


def _said(history: History) -> list[str]:
    return [commit.message for commit in history.commits]


def _commit(git: Run, message: str, *, cwd: Path | None = None) -> str:
    git("commit", "-q", "--allow-empty", "-m", message, cwd=cwd)
    return git("rev-parse", "HEAD", cwd=cwd)


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    git("init", "-q")
    _commit(git, "first")
    return tmp_path / "repo"


class TestMessages:
    """What stands in one commit."""

    def test_everything_as_it_is_stored(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        message = "Füge hinzu\n\n    four spaces\n\nSigned-off-by: A <a@b>"
        git("-c", "user.name=Zoë <", "commit", "-q", "--allow-empty", "--author=Jürgen <j@x.org>", "-m", message)
        head = git("rev-parse", "HEAD")
        assert _history(repo, base, head).commits == (
            Commit(
                id=head,
                parents=(base,),
                author="Jürgen <j@x.org>",
                committer="Zoë <test@example.org>",
                message=message,
            ),
        )

    def test_a_message_in_another_encoding(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        (repo / "message").write_bytes("größer\n".encode("latin-1"))
        git("-c", "i18n.commitEncoding=latin-1", "commit", "-q", "--allow-empty", "-F", "message")
        assert _said(_history(repo, base, git("rev-parse", "HEAD"))) == ["größer"]

    def test_neither_a_mailmap_nor_replaced_commits_rename_people(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        head = _commit(git, "mine")
        (repo / ".mailmap").write_text("Nobody <nobody@x> <test@example.org>\n")
        git("config", "log.mailmap", "true")
        git("replace", head, git("commit-tree", "-m", "other", "-p", base, f"{head}^{{tree}}"))
        assert [(commit.message, commit.author) for commit in _history(repo, base, head).commits] == [
            ("mine", "Test <test@example.org>")
        ]

    @pytest.mark.parametrize(
        ("message", "trailers"),
        [
            pytest.param("Subject: no trailer", [], id="the subject is none"),
            pytest.param("s\n\nA: b", [("A", "b")], id="the last line"),
            pytest.param("s\n\nA:b\nC-d : e ", [("A", "b"), ("C-d", "e")], id="spaces around the colon"),
            pytest.param("s\n\nA: b\n c\n\td\ne", [("A", "b c d")], id="continued lines"),
            pytest.param("s\n\n* one\n\nA: b\n\n* two\n\nA: c", [("A", "b"), ("A", "c")], id="in the middle"),
            pytest.param("s\n\nprose\n indented\nhttps://x", [("https", "//x")], id="prose"),
            pytest.param("s\r\n\r\nA: b\r\n", [("A", "b")], id="other line ends"),
            pytest.param("", [], id="nothing"),
        ],
    )
    def test_trailers(self, message: str, trailers: list[tuple[str, str]]) -> None:
        commit = Commit(id="1", parents=(), author="", committer="", message=message)
        assert commit.trailers == tuple(Trailer(*pair) for pair in trailers)

    def test_people(self) -> None:
        message = "s\n\nCo-Authored-By: Claude <noreply@anthropic.com>\nReviewed-by: R <r@x>"
        commit = Commit(id="1", parents=(), author="A <a@x>", committer="A <a@x>", message=message)
        assert commit.people == ("A <a@x>", "Claude <noreply@anthropic.com>")


class TestRange:
    """Which commits are the change's."""

    def test_parents_first_and_merges_with_them(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "side")
        _commit(git, "side")
        git("checkout", "-q", "main")
        _commit(git, "main")
        git("merge", "-q", "--no-ff", "-m", "joined", "side")
        found = _said(_history(repo, base, git("rev-parse", "HEAD")))
        assert found[-1] == "joined"
        assert sorted(found) == ["joined", "main", "side"]

    def test_what_the_base_has_is_left_out(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second = _commit(git, "second")
        assert _said(_history(repo, first, second)) == ["second"]
        assert _said(_history(repo, second, first)) == []
        assert _said(_history(repo, None, second)) == ["first", "second"]
        assert _history(repo, second, second) == History()

    def test_the_index_is_pending(self, repo: Path, git: Run) -> None:
        assert _history(repo, git("rev-parse", "HEAD"), None) == History(pending=True)

    def test_without_a_change_or_a_repository_there_is_none(self) -> None:
        assert read(None, None, None) == History()

    def test_what_git_cannot_tell_is_a_problem(self, repo: Path, git: Run) -> None:
        history = _history(repo, "1" * 40, git("rev-parse", "HEAD"))
        assert history.commits == ()
        assert history.problem.endswith(f"failed in {repo}: fatal: bad object {'1' * 40}")


class TestPullRequest:
    """A pull request of three commits, as actions/checkout brings it at several depths."""

    @pytest.fixture
    def server(self, repo: Path, git: Run) -> dict[str, str]:
        git("config", "uploadpack.allowAnySHA1InWant", "true")
        for number in range(3):
            _commit(git, f"old {number}")
        git("checkout", "-q", "-b", "topic")
        for number in range(3):
            _commit(git, f"mine {number}")
        head = git("rev-parse", "HEAD")
        git("checkout", "-q", "main")
        for number in range(5):
            base = _commit(git, f"landed later {number}")
        git("checkout", "-q", "--detach")
        git("merge", "-q", "--no-ff", "--no-edit", "topic")
        return {"base": base, "head": head, "merge": git("rev-parse", "HEAD")}

    @pytest.fixture
    def seen(self, server: dict[str, str], repo: Path, git: Run, tmp_path: Path) -> Callable[..., History]:
        def run(*, depth: int, commits: int | None = None, also: str | None = None) -> History:
            runner = tmp_path / "runner"
            git("clone", "-q", "--no-checkout", "--depth=1", f"file://{repo}", str(runner), cwd=tmp_path)
            deep = [f"--depth={depth}"] if depth else ["--unshallow"]
            git("fetch", "-q", *deep, "origin", server["merge"], cwd=runner)
            if also is not None:
                git("fetch", "-q", "--depth=1", "origin", also, cwd=runner)
            git("checkout", "-q", "--detach", server["merge"], cwd=runner)
            payload = {"pull_request": {} if commits is None else {"commits": commits}}
            event = Event(
                name="pull_request",
                payload=payload,
                sha=server["merge"],
                base_sha=server["base"],
                head_sha=server["head"],
                number=1,
            )
            with _open(runner) as found:
                return read(review(Request(ci=True), found, event), found, event)

        return run

    @pytest.mark.parametrize("depth", [0, 8])
    def test_the_merge_is_nobody_s(self, seen: Callable[..., History], depth: int) -> None:
        history = seen(depth=depth)
        assert (_said(history), history.problem) == (["mine 0", "mine 1", "mine 2"], "")

    @pytest.mark.parametrize("name", ["pull_request", "push"])
    @pytest.mark.parametrize("told", [True, False], ids=["sha", "no-sha"])
    def test_what_was_committed_on_top_of_the_head_is_somebody_s(
        self, server: dict[str, str], repo: Path, git: Run, name: str, told: bool
    ) -> None:
        git("checkout", "-q", "topic")
        own = _commit(git, "on top")
        number, sha = (1 if name == "pull_request" else None), (server["merge"] if told else None)
        event = Event(name=name, payload={}, sha=sha, head_sha=server["head"], number=number)
        said = _said(_history(repo, server["base"], own, event))
        assert said == ["mine 0", "mine 1", "mine 2", "on top"]

    def test_another_merge_than_github_s_is_somebody_s(self, server: dict[str, str], repo: Path, git: Run) -> None:
        own = git("commit-tree", "-m", "own", "-p", server["base"], "-p", server["head"], f"{server['merge']}^{{tree}}")
        event = Event(name="pull_request", payload={}, sha=server["merge"], head_sha=server["head"], number=1)
        assert _said(_history(repo, server["base"], own, event))[-1] == "own"

    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_a_history_cut_short_is_said(self, seen: Callable[..., History], depth: int) -> None:
        history = seen(depth=depth, commits=3)
        assert _said(history) == [f"mine {number}" for number in range(4 - depth, 3)]
        assert history.problem == SHALLOW

    @pytest.mark.parametrize("depth", [4, 6])
    def test_as_many_as_github_counts_are_all(self, seen: Callable[..., History], depth: int) -> None:
        history = seen(depth=depth, commits=3)
        assert (_said(history), history.problem) == (["mine 0", "mine 1", "mine 2"], "")

    def test_a_commit_that_came_by_itself_shows_no_way_to_the_base(
        self, seen: Callable[..., History], server: dict[str, str], git: Run
    ) -> None:
        history = seen(depth=2, also=git("rev-parse", f"{server['head']}~1"))
        assert (_said(history), history.problem) == (["mine 2"], SHALLOW)

    @pytest.mark.parametrize("depth", [4, 6])
    def test_without_a_count_nobody_knows(self, seen: Callable[..., History], depth: int) -> None:
        assert seen(depth=depth).problem == SHALLOW


def test_a_count_says_nothing_of_a_branch_with_merges(repo: Path, git: Run, tmp_path: Path) -> None:
    """Three commits and one of the base's below the head: which of them the three are, the count cannot tell."""
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    fork = _commit(git, "old")
    git("checkout", "-q", "-b", "topic")
    _commit(git, "mine")
    git("checkout", "-q", "-b", "side", fork)
    _commit(git, "side")
    git("checkout", "-q", "topic")
    git("merge", "-q", "--no-ff", "-m", "joined", "side")
    head = git("rev-parse", "HEAD")
    git("checkout", "-q", "main")
    for number in range(5):
        base = _commit(git, f"landed later {number}")
    git("clone", "-q", "--no-checkout", "--depth=1", f"file://{repo}", "../runner")
    runner = tmp_path / "runner"
    git("fetch", "-q", "--depth=3", "origin", head, cwd=runner)
    event = Event(name="pull_request", payload={"pull_request": {"commits": 3}}, head_sha=head)
    assert _history(runner, base, head, event).problem == SHALLOW
