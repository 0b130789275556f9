"""The review at hand."""

from pathlib import Path
from typing import Any

import pytest

from gate import judge
from gate.asked import Asked
from gate.changes import diff
from gate.errors import ChangeError, ManifestError, UsageError
from gate.history import History
from gate.holdings import Holdings
from gate.judge import Bench
from gate.policy import Judge
from gate.review import Review
from tests.conftest import Git as Run


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    """A base with a manifest at the top and one in `deep`, and a change committed on it."""
    git("init", "-q")
    root = tmp_path / "repo"
    (root / "deep" / "er").mkdir(parents=True)
    for name in ("gate.yaml", "deep/gate.yaml", "deep/er/file"):
        (root / name).write_text("base")
    git("add", "-A")
    git("commit", "-qm", "first")
    git("checkout", "-q", "-b", "work")
    (root / "deep" / "er" / "file").write_text("head")
    git("commit", "-qam", "second")
    return root


def opened(folder: Path, *, manifest: str | None = None, **request: Any) -> Review:
    return Review(Asked(change=diff.Request(**(request or {"base": "main"})), manifest=manifest), folder)


class TestTrees:
    """What is the head's and what the base's."""

    def test_a_range_has_the_commit_s_files(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "--short=12", "HEAD")
        (repo / "deep" / "er" / "file").write_text("on disk")
        with opened(repo) as review:
            assert (review.head.label, review.head.read("deep/er/file")) == (f"head {head}", b"head")
            assert review.start().read("deep/er/file") == b"base"

    def test_a_hook_has_the_index_s(self, repo: Path, git: Run) -> None:
        (repo / "deep" / "er" / "file").write_text("staged")
        git("add", "-A")
        (repo / "deep" / "er" / "file").write_text("on disk")
        with opened(repo, hook=True) as review:
            assert (review.head.label, review.head.read("deep/er/file")) == ("the index", b"staged")
            assert review.start().read("deep/er/file") == b"head"

    def test_outside_of_git_the_folder_s(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("a")
        with opened(tmp_path, everything=True) as review:
            assert (review.head.label, review.head.read("a")) == ("the folder", b"a")
            assert list(review.start().paths()) == []
            assert review.description == "every task, outside of git"

    def test_outside_of_git_there_is_no_change(self, tmp_path: Path) -> None:
        with pytest.raises(ChangeError) as caught:
            opened(tmp_path)
        assert caught.value.message == (
            f"{tmp_path} is in no git repository, so there is no change to judge; run inside one, or pass `--diff all` "
            "to judge every task"
        )


class TestHistory:
    """The commits, read when asked for."""

    def test_of_a_range(self, repo: Path) -> None:
        with opened(repo) as review:
            assert [commit.message for commit in review.history.commits] == ["second"]

    def test_of_the_index(self, repo: Path, git: Run) -> None:
        (repo / "new").write_text("x")
        git("add", "-A")
        with opened(repo, hook=True) as review:
            assert review.history == History(pending=True)

    def test_of_files_as_they_lie_there(self, repo: Path) -> None:
        asked = Asked(change=diff.Request(everything=True))
        with Review.of_working_tree(asked, repo) as review:
            assert review.history == History()


class TestPlaces:
    """Paths as typed, and the manifest that counts."""

    @pytest.mark.parametrize(
        ("folder", "typed", "place"),
        [("", "a", "a"), ("deep", "a", "deep/a"), ("deep", "../a", "a"), ("deep", "{root}/deep/a", "deep/a")],
    )
    def test_a_path_in_the_checkout(self, repo: Path, folder: str, typed: str, place: str) -> None:
        with opened(repo / folder) as review:
            assert review.place(typed.format(root=repo)) == place

    @pytest.mark.parametrize("typed", ["../../a", "/etc/passwd", "{root}/../a"])
    def test_a_path_out_of_it(self, repo: Path, typed: str) -> None:
        typed = typed.format(root=repo)
        with opened(repo / "deep") as review, pytest.raises(UsageError) as caught:
            review.place(typed)
        assert caught.value.message.endswith(f"expected a path inside the repository {repo}")

    @pytest.mark.parametrize(
        ("folder", "manifest"), [("", "gate.yaml"), ("deep", "deep/gate.yaml"), ("deep/er", "deep/gate.yaml")]
    )
    def test_the_nearest_manifest(self, repo: Path, folder: str, manifest: str) -> None:
        with opened(repo / folder) as review:
            assert review.manifest_path() == manifest

    def test_the_manifest_that_is_named(self, repo: Path) -> None:
        with opened(repo / "deep", manifest="../other.yaml") as review:
            assert review.manifest_path() == "other.yaml"

    def test_a_manifest_of_the_base_alone_counts_too(self, repo: Path, git: Run) -> None:
        git("rm", "-q", "gate.yaml", "deep/gate.yaml")
        git("commit", "-qm", "third")
        with opened(repo / "deep") as review:
            assert review.manifest_path() == "deep/gate.yaml"

    def test_no_manifest(self, tmp_path: Path) -> None:
        with opened(tmp_path, everything=True) as review, pytest.raises(ManifestError) as caught:
            review.manifest_path()
        assert caught.value.message == (
            "there is no gate.yaml in the folder nor in the base; write one with `gate init --minimal` and add it to "
            "git, or name one with `--manifest`"
        )


def changed(review: Review, bench: Bench, *files: str) -> list[str | None]:
    """Those of the judge's files that the change edits."""
    assert review.git is not None
    assert review.change is not None
    return [notice.path for notice in judge.changed(bench, Holdings(files), git=review.git, change=review.change)]


class TestJudge:
    """From where the judge is read."""

    def test_from_the_base(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "main")
        with opened(repo) as review:
            bench = review.bench(None, "gate.yaml")
            assert (bench.commit, bench.from_head, bench.source.read("deep/er/file")) == (base, False, b"base")
            assert changed(review, bench, "gate.yaml", "deep/er/file") == ["deep/er/file"]

    def test_from_the_head_when_asked(self, repo: Path) -> None:
        with opened(repo) as review:
            bench = review.bench(Judge.HEAD, "gate.yaml")
            assert (bench.from_head, bench.source.read("deep/er/file")) == (True, b"head")
            assert changed(review, bench, "deep/er/file") == []

    def test_outside_of_git_from_the_folder(self, tmp_path: Path) -> None:
        with opened(tmp_path, everything=True) as review:
            bench = review.bench(None, "gate.yaml")
            assert (bench.commit, bench.from_head, bench.notices) == (None, True, ())
