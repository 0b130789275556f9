"""Git on the user's own repository: discovery, revisions, fetching, raw differences."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import GitError
from gate.git import Git

Run = Callable[..., str]
ZERO = "0" * 40


@pytest.fixture
def repo(git: Run, tmp_path: Path) -> Path:
    """One commit with `a` and `sub/b`."""
    git("status")
    root = tmp_path / "repo"
    (root / "sub").mkdir()
    (root / "a").write_bytes(b"a\n")
    (root / "sub" / "b").write_bytes(b"b\n")
    git("add", ".")
    git("commit", "-qm", "one")
    return root


def _discover(folder: Path) -> Git:
    found = Git.discover(folder)
    assert found is not None
    return found


def _commit(git: Run, message: str = "next", *, cwd: Path | None = None) -> str:
    git("commit", "-q", "--allow-empty", "-m", message, cwd=cwd)
    return git("rev-parse", "HEAD", cwd=cwd)


class TestDiscover:
    """Which repository a folder lies in."""

    @pytest.mark.parametrize("prefix", ["", "sub", "sub/odd $(x) é\udcff"])
    def test_a_folder_of_a_checkout(self, repo: Path, prefix: str) -> None:
        (repo / prefix).mkdir(exist_ok=True)
        with _discover(repo / prefix) as found:
            assert (found.top, found.prefix, found.algorithm) == (repo, prefix, "sha1")

    def test_outside_of_any_repository_there_is_none(self, tmp_path: Path) -> None:
        assert Git.discover(tmp_path) is None

    def test_longer_object_ids(self, git: Run, tmp_path: Path) -> None:
        (tmp_path / "long").mkdir()
        git("init", "-q", "--object-format=sha256", cwd=tmp_path / "long")
        with _discover(tmp_path / "long") as found:
            assert found.algorithm == "sha256"
            assert found.raw_diff(None, None) == b""

    def test_a_linked_worktree_as_a_hook_sees_it(
        self, repo: Path, git: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        git("worktree", "add", "-q", "../linked")
        monkeypatch.setenv("GIT_DIR", str(repo / ".git/worktrees/linked"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(repo / ".git/worktrees/linked/index"))
        with _discover(tmp_path / "linked") as found:
            assert (found.top, found.prefix) == (tmp_path / "linked", "")
            assert found.index().read("sub/b") == b"b\n"

    def test_relative_variables_mean_the_same_from_everywhere(
        self, repo: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_DIR", "../.git")
        monkeypatch.setenv("GIT_WORK_TREE", "..")
        monkeypatch.setenv("GIT_COMMON_DIR", str(repo / ".git"))
        with _discover(repo / "sub") as found:
            assert (found.top, found.prefix) == (repo, "sub")
            (repo / "a").unlink()
            assert found.tree(str(found.resolve("HEAD"))).read("a") == b"a\n"

    @pytest.mark.parametrize(
        ("place", "words"),
        [
            pytest.param(
                ".git",
                "lies in a repository's own folder (`.git`, or a bare repository), where no files are checked "
                "out; run this in a checkout",
                id="in-git's-folder",
            ),
            pytest.param("bare", "; run this in a checkout", id="bare"),
            pytest.param("none", "git cannot be started", id="no-such-folder"),
            pytest.param("stray", "fatal: not a git repository: ", id="stray-gitfile"),
        ],
    )
    def test_what_git_refuses_is_said_in_its_words(self, repo: Path, place: str, words: str) -> None:
        subprocess.run(["git", "init", "-q", "--bare", "bare"], cwd=repo, check=True)
        (repo / "stray").mkdir()
        (repo / "stray" / ".git").write_text("gitdir: /no/such\n")
        with pytest.raises(GitError) as caught:
            Git.discover(repo / place)
        assert words in caught.value.message
        assert str(repo / place) in caught.value.message
        assert caught.value.exit_code == 3

    def test_a_variable_that_names_no_repository_is_not_taken_for_being_outside(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_DIR", "/no/such")
        with pytest.raises(GitError) as caught:
            Git.discover(tmp_path)
        assert caught.value.message == (
            "`git rev-parse --show-object-format --absolute-git-dir --git-common-dir --show-toplevel --show-prefix` "
            f"failed in {tmp_path}: fatal: not a git repository: '/no/such'"
        )

    def test_a_newline_in_the_way_is_refused(self, repo: Path) -> None:
        (repo / "x\ny").mkdir()
        with pytest.raises(GitError) as caught:
            Git.discover(repo / "x\ny")
        assert caught.value.message.endswith(
            "a repository whose own folders have a newline in their name is not supported; rename the folder"
        )

    def test_a_machine_without_git(self, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(GitError) as caught:
            Git.discover(repo)
        assert (caught.value.kind, caught.value.message) == (
            "no_git",
            f"git cannot be started in {repo}: [Errno 2] No such file or directory: 'git'; "
            "install git 2.29 or later and put it on the PATH",
        )

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can give a repository to somebody else")
    def test_somebody_else_s_repository(self, repo: Path) -> None:
        os.chown(repo, 1234, 1234)
        with pytest.raises(GitError) as caught:
            Git.discover(repo)
        assert caught.value.kind == "dubious_ownership"
        assert caught.value.message == (
            "`git rev-parse --show-object-format --absolute-git-dir --git-common-dir --show-toplevel --show-prefix` "
            f"failed in {repo}: fatal: detected dubious ownership in repository at '{repo}'; run "
            f"`git config --global --add safe.directory {repo}` first if you trust that folder (in a container job: "
            "as a step of its own before the gate)"
        )

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can give a repository to somebody else")
    def test_somebody_else_s_repository_in_the_workspace_of_a_job(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "HEAD")
        (repo / "sub").mkdir(exist_ok=True)
        os.chown(repo, 1234, 1234)
        with pytest.raises(GitError, match="dubious ownership"):
            Git.discover(repo, repo / "sub")
        for folder, trusted in ((repo, repo), (repo / "sub", repo), (repo, repo.parent)):
            found = Git.discover(folder, trusted)
            assert found is not None
            with found:
                assert (found.resolve("HEAD"), found.top) == (head, repo)
                assert found.prefix == folder.relative_to(repo).as_posix().strip(".")
                assert list(found.tree(head).paths())
                assert found.raw_diff(head, None) == b""


class TestResolve:
    """What a person may type for a commit."""

    def test_names_of_commits(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        git("tag", "-am", "annotated", "v1")
        second = _commit(git)
        names = {"HEAD": second, "main": second, "v1": first, "HEAD~1": first, first[:9]: first}
        with _discover(repo) as found:
            assert {name: found.resolve(name) for name in names} == names

    @pytest.mark.parametrize(
        "rev",
        [
            *("", "none", "HEAD^", "HEAD:a", "HEAD~0..HEAD", "-h", "--all", "--output=pwn", "@{upstream}"),
            *(":/one", "1" * 40, "a\0b", "\ud800", "x;$(touch${IFS}pwn)", "HEAD\n"),
        ],
    )
    def test_everything_else_names_none(self, repo: Path, rev: str) -> None:
        with _discover(repo) as found:
            assert found.resolve(rev) is None
        assert not (repo / "pwn").exists()

    @pytest.mark.parametrize(
        ("twin", "rev", "name"),
        [
            pytest.param("refs/tags/main", "main", "main", id="a tag"),
            pytest.param("refs/tags/main", "main~0", "main", id="a tag, and a step back"),
            pytest.param("refs/main", "main", "main", id="a ref of no kind"),
            pytest.param("refs/remotes/main", "main", "main", id="a branch of elsewhere"),
        ],
    )
    def test_a_name_of_several_things_is_refused(self, repo: Path, git: Run, twin: str, rev: str, name: str) -> None:
        """Git would take the tag, which an agent may have set, and say so on standard error alone."""
        git("update-ref", twin, "HEAD")
        second = _commit(git)
        with _discover(repo) as found:
            assert found.resolve("refs/heads/main") == second
            with pytest.raises(GitError) as caught:
                found.resolve(rev)
        assert caught.value.message == (
            f"{name} is the name of several things in this repository (`git show-ref {name}` lists them); expected one: "
            f"write it in full, as refs/heads/{name} or refs/remotes/{name}, or as a commit"
        )

    def test_a_ref_called_head_or_like_a_commit_is_no_matter(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second = _commit(git)
        for name in ("HEAD", second):
            git("update-ref", f"refs/tags/{name}", first)
        with _discover(repo) as found:
            assert (found.resolve("HEAD"), found.resolve(second)) == (second, second)

    def test_before_the_first_commit_head_names_none(self, git: Run, tmp_path: Path) -> None:
        git("status")
        with _discover(tmp_path / "repo") as found:
            assert found.resolve("HEAD") is None
            assert (found.left("refs/remotes/origin/HEAD"), found.tracked()) == (None, None)


class TestHistory:
    """Ancestors, parents."""

    def test_the_best_common_ancestor(self, repo: Path, git: Run) -> None:
        fork = git("rev-parse", "HEAD")
        main = _commit(git)
        git("checkout", "-q", "-b", "side", fork)
        side = _commit(git, "side")
        git("checkout", "-q", "--orphan", "other")
        other = _commit(git, "other")
        with _discover(repo) as found:
            assert found.merge_base(main, side) == fork
            assert found.merge_base(main, other) is None
            with pytest.raises(GitError) as caught:
                found.merge_base(main, "1" * 40)
        assert caught.value.message == (
            f"`git merge-base {main} {'1' * 40}` failed in {repo}: fatal: Not a valid commit name {'1' * 40}"
        )

    @pytest.mark.parametrize("name", ["main", "--output=pwn", "", "HEAD", "1" * 39, "G" * 40])
    def test_only_full_ids_go_to_git(self, repo: Path, name: str) -> None:
        with _discover(repo) as found:
            for ask in (
                lambda: found.merge_base(name, name),
                lambda: found.parents(name),
                lambda: found.fetch(name),
                lambda: found.tree(name),
                lambda: found.raw_diff(name, None),
                lambda: found.raw_diff(None, name),
            ):
                with pytest.raises(GitError) as caught:
                    ask()
                assert caught.value.message == f"{name!r} is no full object id"

    def test_parents_are_those_that_the_commit_names(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "side")
        side = _commit(git, f"side\n\nparent {'1' * 40}\n")
        git("checkout", "-q", "main")
        main = _commit(git)
        git("merge", "-q", "--no-edit", "side")
        with _discover(repo) as found:
            assert found.parents(git("rev-parse", "HEAD")) == (main, side)
            assert found.parents(side) == (first,)
            assert found.parents(first) == ()

    def test_the_raw_commits_of_a_range(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second, third = _commit(git, "two\n\nbody"), _commit(git, "three")
        with _discover(repo) as found:
            records = found.commits(first, third).split(b"\0")
            assert [record.partition(b"\n")[0].decode() for record in records] == [second, third, ""]
            assert records[0].endswith(b"\n\n    two\n    \n    body\n")
            assert found.commits(third, first) == b""
            assert found.commits(None, third).count(b"\0") == 3

    def test_neither_replaced_commits_nor_grafts_move_the_past(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second = _commit(git, "two")
        third = _commit(git, "three")
        git("replace", "--graft", third)
        (repo / ".git" / "info" / "grafts").write_text(f"{second}\n")
        assert git("rev-list", "--count", third) == "1"
        with _discover(repo) as found:
            assert found.parents(third) == (second,)
            assert found.merge_base(first, third) == first
            assert found.resolve("HEAD~2") == first


class TestFetch:
    """One commit more from `origin`."""

    @pytest.fixture
    def server(self, repo: Path, git: Run) -> Path:
        """`repo` with a second commit on `main` and a tag, ready to give any commit."""
        git("config", "uploadpack.allowAnySHA1InWant", "true")
        git("tag", "v1")
        (repo / "a").write_bytes(b"two\n")
        git("commit", "-qam", "two")
        return repo

    def test_a_shallow_clone_gets_the_commit_alone(self, server: Path, git: Run, tmp_path: Path) -> None:
        first = git("rev-parse", "HEAD~1")
        git("clone", "-q", "--depth=1", f"file://{server}", "../shallow")
        with _discover(tmp_path / "shallow") as found:
            head = str(found.resolve("HEAD"))
            assert found.is_shallow
            assert found.parents(head) == (first,)
            assert found.resolve(first) is None
            assert found.resolve("HEAD~1") is None
            found.fetch(first)
            assert found.resolve(first) == first
            assert found.tree(first).read("a") == b"a\n"
            assert found.tree(first) is found.tree(first)
            assert git("tag", cwd=found.top) == ""
            assert not (found.top / ".git" / "FETCH_HEAD").exists()

    def test_a_whole_clone_stays_whole(self, server: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", "--single-branch", f"file://{server}", "../whole")
        git("checkout", "-q", "-b", "later")
        _commit(git)
        later = _commit(git)
        with _discover(tmp_path / "whole") as found:
            assert not found.is_shallow
            found.fetch(later)
            assert not found.is_shallow
            assert found.merge_base(later, str(found.resolve("HEAD"))) == found.resolve("HEAD")

    def test_what_cannot_be_fetched_is_said_with_the_command(self, server: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", "--depth=1", f"file://{server}", "../shallow")
        git("remote", "set-url", "origin", "file:///no/such", cwd=tmp_path / "shallow")
        with _discover(tmp_path / "shallow") as found, pytest.raises(GitError) as caught:
            found.fetch("1" * 40)
        assert caught.value.message.startswith(
            f"`git fetch --no-tags --depth=1 --no-recurse-submodules --no-write-fetch-head origin {'1' * 40}` failed in "
            f"{tmp_path}/shallow: fatal: '/no/such' does not appear to be a git repository"
        )


class TestRawDiff:
    """One call that nothing in the repository can blind."""

    def test_between_trees_and_from_nothing(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        (repo / "a").write_bytes(b"A\n")
        git("commit", "-qam", "two")
        second = git("rev-parse", "HEAD")
        ids = {rev: git("rev-parse", rev) for rev in (f"{first}:a", f"{second}:a", f"{first}:sub/b")}
        with _discover(repo) as found:
            assert found.raw_diff(first, second).decode() == (
                f":100644 100644 {ids[f'{first}:a']} {ids[f'{second}:a']} M\0a\0"
            )
            assert found.raw_diff(None, first).decode() == (
                f":000000 100644 {ZERO} {ids[f'{first}:a']} A\0a\0"
                f":000000 100644 {ZERO} {ids[f'{first}:sub/b']} A\0sub/b\0"
            )
            assert found.raw_diff(second, None) == b""
            assert found.raw_diff(first, None) == found.raw_diff(first, second)
            assert found.raw_diff(None, None) == found.raw_diff(None, second)

    def test_a_file_only_announced_is_not_staged(self, repo: Path, git: Run) -> None:
        (repo / "later").write_text("x")
        git("add", "-N", "later")
        with _discover(repo) as found:
            assert found.raw_diff(found.resolve("HEAD"), None) == b""
            assert "later" not in found.index()
            assert list(found.index().paths()) == ["a", "sub/b"]

    def test_no_program_of_the_repository_s_configuration_runs(self, repo: Path, git: Run, tmp_path: Path) -> None:
        evil = tmp_path / "evil"
        evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwn\ncat\n")
        evil.chmod(0o755)
        (repo / ".gitattributes").write_text("* filter=x diff=x\n")
        git("add", ".gitattributes")
        (repo / "hooks").mkdir()
        shutil.copy(evil, repo / "hooks" / "post-index-change")
        shutil.copy(evil, repo / "hooks" / "reference-transaction")
        for name in ("core.fsmonitor", "filter.x.clean", "filter.x.smudge", "diff.x.command", "diff.x.textconv"):
            git("config", name, str(evil))
        git("config", "diff.external", str(evil))
        git("config", "core.hooksPath", str(repo / "hooks"))
        (repo / "a").write_bytes(b"changed")
        with _discover(repo) as found:
            head = found.resolve("HEAD")
            assert found.raw_diff(head, None).endswith(b"A\0.gitattributes\0")
            assert found.tree(str(head)).read("a") == b"a\n"
            assert found.index().read("a") == b"a\n"
            assert (found.left("refs/remotes/origin/HEAD"), found.tracked()) == (None, None)
        assert not (tmp_path / "pwn").exists()

    def test_the_user_s_index_is_left_as_it_was(self, repo: Path, git: Run) -> None:
        (repo / "a").write_bytes(b"staged")
        git("add", "a")
        os.utime(repo / "sub" / "b", ns=(1, 1))  # git would refresh its cached times if it were let
        before = (repo / ".git" / "index").read_bytes(), (repo / ".git" / "index").stat().st_mtime_ns
        with _discover(repo) as found:
            found.raw_diff(found.resolve("HEAD"), None)
            list(found.index().paths())
            found.index().read("a")
            found.tracked()
            found.left("refs/heads/main")
        assert ((repo / ".git" / "index").read_bytes(), (repo / ".git" / "index").stat().st_mtime_ns) == before


def test_an_error_of_git_names_the_command_the_folder_and_its_words(repo: Path) -> None:
    with _discover(repo) as found, pytest.raises(GitError) as caught:
        found.run("cat-file", "-p", "no such")
    assert (
        caught.value.message == f"`git cat-file -p 'no such'` failed in {repo}: fatal: Not a valid object name no such"
    )


def test_a_command_that_does_not_end_is_ended(repo: Path) -> None:
    with _discover(repo) as found, pytest.raises(GitError) as caught:
        found.run("-c", "alias.wait=!sleep 60", "wait", timeout=0.3)
    assert (caught.value.kind, caught.value.message) == (
        "timeout",
        f"`git -c 'alias.wait=!sleep 60' wait` took longer than 0.3 s in {repo} and was ended",
    )


def test_the_quick_path_imports_no_gitpython(repo: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from gate.git import Git\n"
        "git = Git.discover(Path.cwd()); head = git.resolve('HEAD')\n"
        "assert git.raw_diff(head, None) == b''\n"
        "assert git.tree(head).read('a') == git.index().read('a') == b'a\\n'\n"
        "git.tracked(); git.close()\n"
        "print([name for name in ('git', 'gitdb', 'logging', 'tempfile', 'dataclasses') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
