"""The change under review: what git's raw list means, which change is meant, and that it is found or refused."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.diff import Change, Entry, Request, Way, decide, entries, review
from gate.errors import ChangeError, GateError
from gate.git import Git
from gate.github import Event

Run = Callable[..., str]
ZERO, ONE, TWO = "0" * 40, "1" * 40, "2" * 40
ODD = ["a\nb", 'quo"te', "tab\t", "\udcff\udcfe", "é", "--output=pwn", "$(id).py", "\x1b[31m", " ", ":(top)x"]


def _entry(path: str, status: str, *, modes: tuple[int, int], ids: tuple[str, str] = (ONE, TWO)) -> Entry:
    return Entry(path=path, status=status, old_mode=modes[0], new_mode=modes[1], old_id=ids[0], new_id=ids[1])


class TestEntries:
    """The raw list, `-z`."""

    def test_nothing_is_no_entry(self) -> None:
        assert entries(b"") == ()

    @pytest.mark.parametrize(
        ("raw", "entry"),
        [
            pytest.param(
                f":000000 100644 {ZERO} {ONE} A\0a\nb\0",
                _entry("a\nb", "A", modes=(0, 0o100644), ids=(ZERO, ONE)),
                id="added",
            ),
            pytest.param(
                f":100755 000000 {ONE} {ZERO} D\0:x\0",
                _entry(":x", "D", modes=(0o100755, 0), ids=(ONE, ZERO)),
                id="deleted",
            ),
            pytest.param(
                f":100644 100755 {ONE} {ONE} M\0a\0",
                _entry("a", "M", modes=(0o100644, 0o100755), ids=(ONE, ONE)),
                id="mode",
            ),
            pytest.param(f":100644 120000 {ONE} {TWO} T\0a\0", _entry("a", "T", modes=(0o100644, 0o120000)), id="type"),
            pytest.param(f":160000 160000 {ONE} {TWO} M\0a\0", _entry("a", "M", modes=(0o160000,) * 2), id="submodule"),
        ],
    )
    def test_each_kind(self, raw: str, entry: Entry) -> None:
        assert entries(raw.encode()) == (entry,)

    @given(st.lists(st.tuples(st.binary(min_size=1).filter(lambda path: b"\0" not in path), st.sampled_from("AMDT"))))
    def test_every_path_comes_back_as_the_bytes_it_was(self, files: list[tuple[bytes, str]]) -> None:
        raw = b"".join(f":100644 100644 {ONE} {TWO} {status}\0".encode() + path + b"\0" for path, status in files)
        assert [(os.fsencode(entry.path), entry.status) for entry in entries(raw)] == files

    @pytest.mark.parametrize(
        ("raw", "message"),
        [
            pytest.param(b":100644 1", "git's list of changes is cut off: it ends in b':100644 1'", id="cut"),
            pytest.param(b"a\0", "git's list of changes is cut off: it ends in b'a\\x00'", id="no-path"),
            pytest.param(b"a\0b\0", "git's list of changes is not understood: b'a'", id="no-facts"),
            pytest.param(b":x y 1 2 A\0b\0", "git's list of changes is not understood: b':x y 1 2 A'", id="modes"),
            pytest.param(b"\xff\0b\0", "git's list of changes is not understood: b'\\xff'", id="bytes"),
        ],
    )
    def test_what_is_not_understood_is_no_empty_list(self, raw: bytes, message: str) -> None:
        with pytest.raises(ChangeError) as caught:
            entries(raw)
        assert (caught.value.message, caught.value.exit_code) == (message, 3)


def _event(name: str = "pull_request", **facts: Any) -> Event:
    return Event(name=name, payload={}, **facts)


HOOK, CI_HOOK, HAND = Request(hook=True), Request(hook=True, ci=True), Request()
RANGE = Request(base="main", head="topic", hook=True, from_ref="a", to_ref="b", ci=True)
PUSH = Request(from_ref="a", to_ref="b", hook=True, ci=True)
TARGET = _event("pull_request_target")


class TestDecide:
    """Which change is meant, from what is asked for, the event, and whether something is staged."""

    @pytest.mark.parametrize(
        ("request_", "event", "staged", "way"),
        [
            pytest.param(RANGE, _event(), True, Way.RANGE, id="--base-goes-first"),
            pytest.param(Request(base="main"), _event("push"), False, Way.RANGE, id="--base-under-any-event"),
            pytest.param(Request(base="main"), TARGET, False, Way.RANGE, id="--base-in-pull_request_target-at-home"),
            pytest.param(PUSH, _event(), True, Way.PUSH, id="refs-of-pre-commit"),
            pytest.param(Request(to_ref="b"), None, True, Way.PUSH, id="one-ref-is-not-overlooked"),
            pytest.param(HOOK, None, True, Way.STAGED, id="hook"),
            pytest.param(HOOK, None, False, Way.STAGED, id="hook-amends-a-message"),
            pytest.param(CI_HOOK, _event(), True, Way.EVENT, id="hook-in-ci-on-a-pull-request-whatever-is-staged"),
            pytest.param(CI_HOOK, None, True, Way.STAGED, id="hook-in-ci-commits"),
            pytest.param(CI_HOOK, _event(), False, Way.EVENT, id="hook-in-ci-on-all-files"),
            pytest.param(Request(ci=True), _event(), False, Way.EVENT, id="action"),
            pytest.param(Request(ci=True), _event(), True, Way.EVENT, id="action-after-git-add"),
            pytest.param(HAND, _event(), False, Way.EVENT, id="event-without-ci"),
            pytest.param(HAND, None, True, Way.STAGED, id="by-hand-staged"),
            pytest.param(HAND, None, False, Way.UPSTREAM, id="by-hand"),
            pytest.param(Request(everything=True), None, True, Way.STAGED, id="all-of-the-index"),
            pytest.param(Request(everything=True), None, False, Way.UPSTREAM, id="all-by-hand"),
            pytest.param(Request(everything=True), _event(), False, Way.EVENT, id="all-of-a-pull-request"),
            pytest.param(Request(everything=True), _event("push"), False, Way.ALL, id="all-of-a-push"),
            pytest.param(Request(everything=True, hook=True, ci=True), None, False, Way.ALL, id="all-in-a-hook-in-ci"),
        ],
    )
    def test_the_first_rule_that_fits(self, request_: Request, event: Event | None, staged: bool, way: Way) -> None:
        assert decide(request_, event, staged=staged) is way

    @pytest.mark.parametrize(
        ("request_", "event", "kind", "message"),
        [
            pytest.param(
                Request(head="topic"),
                _event(),
                "usage",
                "`--head` needs `--base`: name the commit that the change starts from",
                id="--head-alone",
            ),
            pytest.param(
                CI_HOOK,
                None,
                "no_change",
                "nothing is staged, and in CI no event says what the change is; give pre-commit `--from-ref` and "
                "`--to-ref`, or pass `--base REF` or `--diff all` in the hook's `args`",
                id="hook-in-ci-without-event",
            ),
            *(
                pytest.param(
                    request_,
                    _event(name),
                    "unknown_event",
                    f"the event {name!r} names no change that this version judges, only `pull_request` does; name the "
                    "change with `--base REF`, or judge every task with `--diff all`",
                    id=name,
                )
                for request_, name in [
                    (HAND, "push"),
                    (CI_HOOK, "merge_group"),
                    (HAND, "workflow_dispatch"),
                    (CI_HOOK, "workflow_run"),
                    (HAND, "schedule"),
                    (HAND, "pull_request_target"),
                    (HAND, "pull_request_review"),
                ]
            ),
        ],
    )
    def test_nothing_says_what_the_change_is(
        self, request_: Request, event: Event | None, kind: str, message: str
    ) -> None:
        with pytest.raises(ChangeError) as caught:
            decide(request_, event, staged=False)
        assert (caught.value.kind, caught.value.message, caught.value.exit_code) == (kind, message, 3)

    @pytest.mark.parametrize("request_", [HAND, RANGE, PUSH, CI_HOOK, Request(everything=True)])
    def test_a_fork_with_our_secrets_is_refused_whatever_is_asked_for(self, request_: Request) -> None:
        with pytest.raises(ChangeError) as caught:
            decide(request_, _event("pull_request_target", fork=True), staged=True)
        assert caught.value.kind == "unsafe_trigger"
        assert caught.value.message == (
            "`pull_request_target` for a fork is refused: it would judge a stranger's files with this repository's "
            "token and secrets at hand; let the workflow run `on: pull_request`"
        )


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


@contextmanager
def _open(folder: Path) -> Iterator[Git]:
    found = Git.discover(folder)
    assert found is not None
    with found:
        yield found


def _review(folder: Path, event: Event | None = None, **request: Any) -> Change:
    with _open(folder) as found:
        return review(Request(**request), found, event)


def _refused(folder: Path, event: Event | None = None, **request: Any) -> GateError:
    with pytest.raises(GateError) as caught:
        _review(folder, event, **request)
    assert caught.value.exit_code == 3
    return caught.value


def _letters(change: Change) -> dict[str, str]:
    assert change.paths == tuple(entry.path for entry in change.entries)
    return {entry.path: entry.status for entry in change.entries}


def _commit(git: Run, root: Path, files: dict[str, bytes | None], message: str = "next") -> str:
    """Commit files (None deletes one) in the repository at `root`; the commit's id."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            (root / path).unlink()
        else:
            (root / path).write_bytes(data)
    git("add", "-A", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root)


class TestStaged:
    """The index against HEAD, as a hook and a person see it."""

    @pytest.mark.parametrize("hook", [False, True])
    def test_what_is_staged_and_only_that(self, repo: Path, git: Run, hook: bool) -> None:
        head = git("rev-parse", "HEAD")
        (repo / "a").write_bytes(b"staged")
        (repo / "new").write_bytes(b"new")
        git("add", "a", "new")
        (repo / "a").write_bytes(b"not staged")
        (repo / "sub" / "b").write_bytes(b"not staged")
        (repo / "untracked").write_bytes(b"not staged")
        change = _review(repo, hook=hook)
        assert _letters(change) == {"a": "M", "new": "A"}
        assert (change.base, change.head, change.staged, change.upstream) == (head, None, True, None)
        assert change.description == f"the staged index against HEAD {head[:12]}"

    def test_every_kind_of_difference(self, repo: Path, git: Run) -> None:
        _commit(git, repo, {"mode.sh": b"x", "link": b"x", "gone": b"x", "old name": b"renamed" * 50})
        (repo / "mode.sh").chmod(0o755)
        (repo / "link").unlink()
        (repo / "link").symlink_to("a")
        (repo / "gone").unlink()
        (repo / "old name").rename(repo / "new name")
        for name in ODD:
            (repo / name).write_bytes(b"odd")
        git("add", "-A")
        git("update-index", "--add", "--cacheinfo", f"160000,{ONE},libs/inner")
        change = _review(repo, hook=True)
        assert _letters(change) == {
            **dict.fromkeys(ODD, "A"),
            "mode.sh": "M",
            "link": "T",
            "gone": "D",
            "old name": "D",
            "new name": "A",
            "libs/inner": "A",
        }
        modes = {entry.path: (entry.old_mode, entry.new_mode) for entry in change.entries}
        assert modes["mode.sh"] == (0o100644, 0o100755)
        assert modes["link"] == (0o100644, 0o120000)
        assert modes["libs/inner"] == (0, 0o160000)
        assert not (repo / "pwn").exists()

    def test_a_submodule_that_moves_is_seen_although_it_says_ignore(self, repo: Path, git: Run) -> None:
        git("update-index", "--add", "--cacheinfo", f"160000,{ONE},libs/inner")
        git("commit", "-qm", "submodule")
        (repo / ".gitmodules").write_text('[submodule "x"]\n\tpath = libs/inner\n\turl = ext::sh\n\tignore = all\n')
        git("config", "diff.ignoreSubmodules", "all")
        git("config", "submodule.x.ignore", "all")
        git("update-index", "--cacheinfo", f"160000,{TWO},libs/inner")
        assert _letters(_review(repo)) == {"libs/inner": "M"}

    def test_before_the_first_commit_everything_staged_is_new(self, git: Run, tmp_path: Path) -> None:
        git("status")
        root = tmp_path / "repo"
        (root / "a").write_bytes(b"a")
        git("add", "a")
        for hook in (True, False):
            change = _review(root, hook=hook)
            assert _letters(change) == {"a": "A"}
            assert (change.base, change.head, change.staged) == (None, None, True)
            assert change.description == "the staged index before the first commit"

    def test_amending_a_message_is_an_empty_change(self, repo: Path) -> None:
        change = _review(repo, hook=True)
        assert (change.entries, change.staged) == ((), True)

    def test_the_judge_s_commit_is_where_the_branch_left_upstream(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        shared = git("rev-parse", "HEAD", cwd=clone)
        mine = _commit(git, clone, {"mine": b"x"})
        (clone / "a").write_bytes(b"staged")
        git("add", "a", cwd=clone)
        change = _review(clone, hook=True)
        assert (change.base, change.upstream) == (mine, shared)

    def test_an_unmerged_index_is_refused(self, repo: Path, git: Run) -> None:
        git("checkout", "-q", "-b", "side")
        _commit(git, repo, {"a": b"side"})
        git("checkout", "-q", "main")
        _commit(git, repo, {"a": b"main"})
        git("merge", "side", check=False)
        requests: list[dict[str, Any]] = [{"hook": True}, {}, {"everything": True}]
        for request in requests:
            assert _refused(repo, **request).message == (
                "a is unmerged in the index; finish the merge with `git add` first"
            )

    def test_nothing_in_the_repository_hides_a_staged_change(self, repo: Path, git: Run) -> None:
        _commit(git, repo, {"test.py": b"assert True\n", "frozen.py": b"assert True\n"})
        (repo / ".gitattributes").write_text("* -diff -text binary export-ignore\n")
        (repo / ".git" / "info" / "exclude").write_text("*\n")
        git("config", "diff.external", "true")
        git("config", "core.fileMode", "false")
        (repo / "test.py").write_bytes(b"assert False\n")
        (repo / "conftest.py").write_bytes(b"evil\n")
        git("add", "-f", "test.py", "conftest.py", ".gitattributes")
        git("update-index", "--skip-worktree", "test.py")
        git("update-index", "--assume-unchanged", "conftest.py")
        git("replace", git("rev-parse", ":test.py"), git("rev-parse", "HEAD:test.py"))
        git("replace", git("rev-parse", "HEAD^{tree}"), git("write-tree"))
        assert git("diff", "HEAD", "--cached", "--name-only") == ""
        change = _review(repo, hook=True)
        assert _letters(change) == {".gitattributes": "A", "conftest.py": "A", "test.py": "M"}
        with _open(repo) as found:
            assert found.index().read("test.py") == b"assert False\n"


HOOK_SCRIPT = """#!/bin/sh
env | grep '^GIT_' >../environment
exec {python} ../hook.py
"""
HOOK_CODE = """
import json, os, sys
from pathlib import Path
from gate.diff import Request, review
from gate.git import Git
index = Path(os.environ["GIT_INDEX_FILE"])
before = index.read_bytes()
with Git.discover(Path.cwd()) as git:
    change = review(Request(hook=True), git, None)
    seen = {entry.path: [entry.status, git.index().read(entry.path).decode()] for entry in change.entries}
assert index.read_bytes() == before
Path("../seen").write_text(json.dumps(seen))
"""


class TestInsideGit:
    """Inside the hook that git itself calls, with the variables that it sets."""

    @pytest.fixture
    def hooked(self, repo: Path, tmp_path: Path) -> Path:
        """`repo` with a hook that reviews the index and says what it saw."""
        (tmp_path / "hook.py").write_text(HOOK_CODE)
        hook = repo / ".git" / "hooks" / "pre-commit"
        hook.write_text(HOOK_SCRIPT.format(python=sys.executable))
        hook.chmod(0o755)
        return repo

    def test_a_plain_commit(self, hooked: Path, git: Run, tmp_path: Path) -> None:
        (hooked / "a").write_bytes(b"staged")
        git("add", "a")
        (hooked / "a").write_bytes(b"later")
        git("commit", "-qm", "two")
        assert (tmp_path / "seen").read_text() == '{"a": ["M", "staged"]}'

    @pytest.mark.parametrize("options", [["--", "sub/b"], ["-o", "sub/b"], ["-i", "sub/b"], ["-a"]], ids=" ".join)
    def test_a_commit_of_some_files_has_an_index_of_its_own(
        self, hooked: Path, git: Run, tmp_path: Path, options: list[str]
    ) -> None:
        (hooked / "a").write_bytes(b"staged")
        git("add", "a")
        (hooked / "sub" / "b").write_bytes(b"named")
        git("commit", "-qm", "two", *options)
        staged_too = options[0] in ("-i", "-a")
        expected = '{"a": ["M", "staged"], "sub/b": ["M", "named"]}' if staged_too else '{"sub/b": ["M", "named"]}'
        assert (tmp_path / "seen").read_text() == expected
        assert "GIT_INDEX_FILE=" in (tmp_path / "environment").read_text()

    def test_a_linked_worktree_has_folder_and_index_in_the_environment(
        self, hooked: Path, git: Run, tmp_path: Path
    ) -> None:
        (hooked / "a").write_bytes(b"of the main worktree")
        git("add", "a")
        main_index = (hooked / ".git" / "index").read_bytes()
        git("worktree", "add", "-q", "../linked")
        linked = tmp_path / "linked"
        (linked / "sub" / "b").write_bytes(b"linked")
        git("commit", "-qam", "two", cwd=linked)
        environment = (tmp_path / "environment").read_text()
        assert f"GIT_DIR={hooked}/.git/worktrees/linked" in environment
        assert f"GIT_INDEX_FILE={hooked}/.git/worktrees/linked/" in environment
        assert (tmp_path / "seen").read_text() == '{"sub/b": ["M", "linked"]}'
        assert (hooked / ".git" / "index").read_bytes() == main_index


class TestRange:
    """`--base` and `--head`."""

    def test_from_the_merge_base_and_not_from_the_base_s_tip(self, repo: Path, git: Run) -> None:
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        topic = _commit(git, repo, {"a": b"topic", "sub/b": None})
        git("checkout", "-q", "main")
        _commit(git, repo, {"landed later": b"x"})
        requests: list[dict[str, Any]] = [
            {"base": "main", "head": "topic"},
            {"base": git("rev-parse", "main"), "head": topic[:8]},
        ]
        for request in requests:
            change = _review(repo, **request)
            assert _letters(change) == {"a": "M", "sub/b": "D"}
            assert (change.base, change.head, change.staged, change.upstream) == (fork, topic, False, None)
        assert change.description == f"{topic[:12]} against its merge base {fork[:12]} with {request['base']}"

    def test_the_head_is_head_where_nothing_else_is_said(self, repo: Path, git: Run) -> None:
        second = _commit(git, repo, {"a": b"two"})
        (repo / "sub" / "b").write_bytes(b"staged")
        git("add", "sub/b")
        change = _review(repo, base="HEAD~1")
        assert (change.head, _letters(change)) == (second, {"a": "M"})

    def test_a_range_of_nothing_is_empty(self, repo: Path) -> None:
        assert _review(repo, base="HEAD").entries == ()

    @pytest.mark.parametrize("option", ["base", "head"])
    @pytest.mark.parametrize("rev", ["none", "", "--output=pwn", "HEAD:a", "1" * 40])
    def test_a_name_of_no_commit_is_refused(self, repo: Path, option: str, rev: str) -> None:
        request: dict[str, Any] = {"base": "HEAD", option: rev}
        error = _refused(repo, **request)
        assert (error.kind, error.message) == (
            "base_unknown",
            f"`--{option}`: `git rev-parse --verify {rev}^{{commit}}` finds no such commit here; fetch it first (in a "
            "workflow: `fetch-depth: 0` at actions/checkout), or name one that exists",
        )

    def test_unrelated_histories_are_refused(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        git("checkout", "-q", "--orphan", "other")
        head = _commit(git, repo, {})
        error = _refused(repo, base="main")
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {base} {head}` finds no common ancestor; their histories are unrelated: name another "
            "commit with `--base`",
        )

    def test_a_shallow_clone_says_what_to_put_in_the_workflow(self, repo: Path, git: Run, tmp_path: Path) -> None:
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        topic = _commit(git, repo, {"a": b"topic"})
        git("checkout", "-q", "main")
        main = _commit(git, repo, {"b": b"main"})
        git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo}", "../shallow")
        error = _refused(tmp_path / "shallow", base="origin/main", head="origin/topic")
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {main} {topic}` finds no common ancestor; this clone is shallow: put `fetch-depth: 0` at "
            "actions/checkout, or run `git fetch --unshallow`",
        )
        git("fetch", "-q", "--unshallow", cwd=tmp_path / "shallow")
        assert _review(tmp_path / "shallow", base="origin/main", head="origin/topic").base == fork

    def test_neither_attributes_nor_replaced_objects_hide_a_change(self, repo: Path, git: Run) -> None:
        first = _commit(git, repo, {"test.py": b"assert True\n", ".gitattributes": b"* -diff -text\n"})
        second = _commit(git, repo, {"test.py": b"assert False\n"})
        git("replace", git("rev-parse", "HEAD:test.py"), git("rev-parse", "HEAD~1:test.py"))
        git("replace", second, first)
        assert git("diff", "--name-only", first, second) == ""
        assert _letters(_review(repo, base=first, head=second)) == {"test.py": "M"}


class TestPush:
    """What pre-commit says by `--from-ref` and `--to-ref`."""

    def test_from_their_merge_base(self, repo: Path, git: Run) -> None:
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        topic = _commit(git, repo, {"a": b"topic"})
        git("checkout", "-q", "main")
        main = _commit(git, repo, {"b": b"x"})
        change = _review(repo, hook=True, from_ref=main, to_ref="topic")
        assert (change.base, change.head, _letters(change)) == (fork, topic, {"a": "M"})
        assert change.description == f"{topic[:12]} against its merge base {fork[:12]}"

    def test_without_one_they_are_compared_as_they_are(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        git("checkout", "-q", "--orphan", "other")
        head = _commit(git, repo, {"a": b"other", "sub/b": None})
        change = _review(repo, hook=True, from_ref="main", to_ref="HEAD")
        assert (change.base, change.head, _letters(change)) == (first, head, {"a": "M", "sub/b": "D"})
        assert change.notices == (
            f"{first[:12]} and {head[:12]} have no common ancestor here; they are compared as they are",
        )

    def test_a_new_branch_starts_where_it_left_upstream(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        shared = git("rev-parse", "HEAD", cwd=clone)
        git("checkout", "-q", "--no-track", "-b", "topic", cwd=clone)
        topic = _commit(git, clone, {"mine": b"x"})
        change = _review(clone, hook=True, from_ref=ZERO, to_ref=topic)
        assert (change.base, change.head, _letters(change)) == (shared, topic, {"mine": "A"})
        assert change.description == f"{topic[:12]} since upstream {shared[:12]}"

    def test_a_new_branch_that_is_not_checked_out_starts_where_it_left_too(
        self, repo: Path, git: Run, tmp_path: Path
    ) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        fork = git("rev-parse", "HEAD", cwd=clone)
        git("checkout", "-q", "--no-track", "-b", "topic", cwd=clone)
        topic = _commit(git, clone, {"mine": b"x"})
        git("checkout", "-q", "main", cwd=clone)
        _commit(git, clone, {"on main": b"x"})
        git("update-ref", "refs/remotes/origin/main", "HEAD", cwd=clone)
        change = _review(clone, hook=True, from_ref=ZERO, to_ref="topic")
        assert (change.base, change.head, _letters(change)) == (fork, topic, {"mine": "A"})

    def test_a_new_branch_without_upstream_is_all_new(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "HEAD")
        change = _review(repo, hook=True, from_ref=ZERO, to_ref="HEAD")
        assert (change.base, change.head, _letters(change)) == (None, head, {"a": "A", "sub/b": "A"})
        assert change.notices == ("the pushed branch is new and there is no upstream: every file counts as added",)

    @pytest.mark.parametrize("refs", [{"from_ref": "HEAD"}, {"to_ref": "HEAD"}, {"from_ref": "HEAD", "to_ref": ""}])
    def test_one_alone_is_refused(self, repo: Path, refs: dict[str, Any]) -> None:
        assert _refused(repo, hook=True, **refs).message == (
            "`PRE_COMMIT_FROM_REF` and `PRE_COMMIT_TO_REF` go together, and only one is set; give pre-commit both "
            "`--from-ref` and `--to-ref`"
        )

    @pytest.mark.parametrize(("refs", "option"), [(("none", "HEAD"), "--from-ref"), (("HEAD", ZERO), "--to-ref")])
    def test_a_name_of_no_commit_is_refused(self, repo: Path, refs: tuple[str, str], option: str) -> None:
        error = _refused(repo, hook=True, from_ref=refs[0], to_ref=refs[1])
        assert error.message.startswith(f"`{option}`: `git rev-parse --verify ")


class TestByHand:
    """Without flags: the index, else since upstream."""

    @pytest.fixture
    def clone(self, repo: Path, git: Run, tmp_path: Path) -> Path:
        """A clone with one commit that its upstream does not have."""
        git("clone", "-q", str(repo), "../clone")
        _commit(git, tmp_path / "clone", {"mine": b"x"})
        return tmp_path / "clone"

    def test_since_the_merge_base_with_upstream(self, clone: Path, git: Run) -> None:
        shared, head = git("rev-parse", "HEAD~1", "HEAD", cwd=clone).split()
        change = _review(clone)
        assert (change.base, change.head, _letters(change)) == (shared, head, {"mine": "A"})
        assert (change.staged, change.upstream) == (False, None)
        assert change.description == f"HEAD {head[:12]} since upstream {shared[:12]}"

    def test_a_pushed_branch_has_nothing_left_to_judge_here_but_does_not_pass_ci(self, clone: Path, git: Run) -> None:
        git("push", "-q", "origin", "HEAD:topic", cwd=clone)
        git("branch", "-q", "--set-upstream-to=origin/topic", cwd=clone)
        head = git("rev-parse", "HEAD", cwd=clone)
        assert _review(clone).entries == ()
        assert _refused(clone, ci=True).message == (
            f"HEAD {head[:12]} since upstream {head[:12]} changes nothing, and in CI that is no reason to pass; name "
            "the change with `--base REF`, or judge every task with `--diff all`"
        )

    def test_without_an_upstream_it_is_refused(self, repo: Path) -> None:
        error = _refused(repo)
        assert (error.kind, error.message) == (
            "no_change",
            "nothing is staged, and `git merge-base HEAD @{upstream}` finds no upstream to compare with; stage "
            "something, name the change with `--base REF`, or judge every task with `--diff all`",
        )

    def test_before_the_first_commit_with_nothing_staged_it_is_refused(self, git: Run, tmp_path: Path) -> None:
        git("status")
        assert _refused(tmp_path / "repo").message == (
            "there is no commit yet and nothing is staged; stage files with `git add`, or check out a commit"
        )


class TestEverything:
    """`--diff all`: every file of the head, whatever the change is."""

    def _facts(self, change: Change) -> tuple[str | None, str | None, bool, bool]:
        assert {entry.status for entry in change.entries} <= {"A"}
        return change.base, change.head, change.staged, change.everything

    def test_base_and_head_stay_those_of_the_change(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second = _commit(git, repo, {"new": b"x"})
        change = _review(repo, base="HEAD~1", everything=True)
        assert self._facts(change) == (first, second, False, True)
        assert change.paths == ("a", "new", "sub/b")
        assert change.description == f"every file of {second[:12]}"

    def test_with_something_staged_it_is_the_index(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "HEAD")
        (repo / "new").write_bytes(b"x")
        git("add", "new")
        git("rm", "-q", "--cached", "a")
        change = _review(repo, everything=True)
        assert self._facts(change) == (head, None, True, True)
        assert change.paths == ("new", "sub/b")
        assert change.description == "every file of the index"

    @pytest.mark.parametrize(
        ("event", "request_"),
        [
            (None, {}),
            (_event("push"), {}),
            (_event("workflow_dispatch"), {"ci": True}),
            (_event("schedule"), {"ci": True, "hook": True}),
            (None, {"ci": True, "hook": True}),
        ],
    )
    def test_without_a_base_head_is_both(self, repo: Path, git: Run, event: Event | None, request_: Any) -> None:
        head = git("rev-parse", "HEAD")
        assert self._facts(_review(repo, event, everything=True, **request_)) == (head, head, False, True)

    def test_since_upstream_keeps_its_base(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        shared = git("rev-parse", "HEAD")
        head = _commit(git, tmp_path / "clone", {"mine": b"x"})
        assert self._facts(_review(tmp_path / "clone", everything=True)) == (shared, head, False, True)

    @pytest.mark.parametrize("event", [None, _event("push")])
    def test_before_the_first_commit_it_is_the_index(self, git: Run, tmp_path: Path, event: Event | None) -> None:
        git("status")
        assert self._facts(_review(tmp_path / "repo", event, everything=True)) == (None, None, True, True)

    def test_what_was_named_wrongly_stays_an_error(self, repo: Path) -> None:
        assert _refused(repo, everything=True, base="none").kind == "base_unknown"
        assert _refused(repo, everything=True, head="HEAD").kind == "usage"


PULLED = {"a": "D", "renamed": "A", "sub/b": "D", "odd\n": "A"}


class TestPullRequest:
    """The event `pull_request`, in a checkout as actions/checkout makes it."""

    @pytest.fixture
    def server(self, repo: Path, git: Run) -> dict[str, str]:
        """A repository with pull request 7: its fork, base, head and merge. `main` has moved since the fork."""
        git("config", "uploadpack.allowAnySHA1InWant", "true")
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        (repo / "a").rename(repo / "renamed")
        head = _commit(git, repo, {"sub/b": None, "odd\n": b"x"})
        git("checkout", "-q", "main")
        base = _commit(git, repo, {"landed later": b"x"})
        git("checkout", "-q", "--detach")
        git("merge", "-q", "--no-ff", "--no-edit", "topic")
        merge = git("rev-parse", "HEAD")
        git("update-ref", "refs/pull/7/merge", merge)
        git("checkout", "-q", "main")
        return {"url": f"file://{repo}", "fork": fork, "base": base, "head": head, "merge": merge}

    @pytest.fixture
    def checkout(self, server: dict[str, str], git: Run, tmp_path: Path) -> Callable[..., Path]:
        """What actions/checkout does: `ref` is fetched at `depth` (0 means all branches) and checked out, detached."""

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

    def _opened(self, server: dict[str, str], **facts: str) -> Event:
        shas = {"sha": server["merge"], "base_sha": server["base"], "head_sha": server["head"], **facts}
        return _event(number=7, **shas)

    @pytest.mark.parametrize("depth", [1, 2, 0])
    @pytest.mark.parametrize("stale", [False, True], ids=["base-is-current", "base-in-event-is-older"])
    def test_the_merge_commit_against_its_first_parent(
        self, server: dict[str, str], checkout: Callable[..., Path], depth: int, stale: bool
    ) -> None:
        event = self._opened(server, base_sha=server["fork"] if stale else server["base"])
        change = _review(checkout("merge", depth=depth), event, ci=True)
        assert (change.base, change.head, change.staged, change.upstream) == (
            server["base"],
            server["merge"],
            False,
            None,
        )
        assert _letters(change) == PULLED
        assert change.description == (f"pull request #7: {server['merge'][:12]} against its base {server['base'][:12]}")

    def test_its_base_can_be_read_after_that(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        with _open(checkout("merge")) as found:
            change = review(Request(ci=True), found, self._opened(server))
            assert found.tree(str(change.base)).read("a") == b"a\n"
            assert found.tree(str(change.head)).mode("a") is None

    def test_the_hook_on_all_files_judges_the_same(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        assert _letters(_review(checkout("merge"), self._opened(server), ci=True, hook=True)) == PULLED

    def test_all_keeps_base_and_head(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        change = _review(checkout("merge"), self._opened(server), ci=True, everything=True)
        assert (change.base, change.head) == (server["base"], server["merge"])
        assert set(change.paths) == {"landed later", "odd\n", "renamed"}

    def test_the_head_itself_against_the_merge_base(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = _review(checkout("head", depth=0), self._opened(server), ci=True)
        assert (change.base, change.head, _letters(change)) == (server["fork"], server["head"], PULLED)
        assert change.description == f"pull request #7: {server['head'][:12]} against its base {server['fork'][:12]}"

    def test_a_head_without_history_is_refused(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        error = _refused(checkout("head"), self._opened(server), ci=True)
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {server['base']} {server['head']}` finds no common ancestor; this clone is shallow: put "
            "`fetch-depth: 0` at actions/checkout, or run `git fetch --unshallow`",
        )

    @pytest.mark.parametrize(("commit", "depth"), [("merge", 2), ("head", 0)])
    @pytest.mark.parametrize("everything", [False, True])
    def test_a_base_that_cannot_be_fetched_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run, commit: str, depth: int, everything: bool
    ) -> None:
        runner = checkout(commit)
        git("remote", "set-url", "origin", "file:///no/such", cwd=runner)
        error = _refused(runner, self._opened(server), ci=True, everything=everything)
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
        error = _refused(checkout(commit), self._opened(server), ci=True)
        assert (error.kind, error.message) == (
            "wrong_head",
            f"HEAD {server[commit][:12]} is neither GitHub's merge of pull request #7 (`GITHUB_SHA` "
            f"{server['merge'][:12]}) nor its head {server['head'][:12]}; check out the event's own commit: "
            "actions/checkout without `ref`, or with `ref: ${{ github.event.pull_request.head.sha }}` and "
            "`fetch-depth: 0`",
        )

    def test_a_merge_of_another_head_is_refused(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        event = self._opened(server, head_sha=server["fork"])
        assert _refused(checkout("merge"), event, ci=True).kind == "wrong_head"

    def test_a_merge_that_the_author_made_does_not_choose_its_own_base(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        runner = checkout("head", depth=0)
        tree = git("rev-parse", "HEAD^{tree}", cwd=runner)
        evil = git("commit-tree", "-m", "evil base", tree, cwd=runner)
        forged = git("commit-tree", "-m", "forged", "-p", evil, "-p", server["head"], tree, cwd=runner)
        git("checkout", "-q", forged, cwd=runner)
        assert _refused(runner, self._opened(server), ci=True).kind == "wrong_head"

    def test_replaced_parents_do_not_choose_the_base(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        runner = checkout("merge", depth=2)
        git("replace", "--graft", server["merge"], server["head"], server["head"], cwd=runner)
        assert _review(runner, self._opened(server), ci=True).base == server["base"]

    def test_before_any_commit_it_is_refused(self, git: Run, tmp_path: Path, server: dict[str, str]) -> None:
        (tmp_path / "empty").mkdir()
        git("init", "-q", cwd=tmp_path / "empty")
        assert _refused(tmp_path / "empty", self._opened(server), ci=True).kind == "no_change"


def test_the_hook_s_path_takes_few_calls_of_git(repo: Path, git: Run, tmp_path: Path) -> None:
    (repo / "a").write_bytes(b"staged")
    git("add", "a")
    settings = tmp_path / "settings"
    settings.write_text(f"[trace2]\n\tnormalTarget = {tmp_path}/told\n")
    code = (
        "from pathlib import Path; from gate.git import Git; from gate.diff import Request, review\n"
        "git = Git.discover(Path.cwd()); review(Request(hook=True), git, None); git.close()\n"
    )
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(settings)}
    subprocess.run([sys.executable, "-c", code], cwd=repo, env=environment, check=True)
    told = (tmp_path / "told").read_text().splitlines()
    calls = [line.split(" cmd_name ")[1].split()[0] for line in told if " cmd_name " in line]
    assert calls == ["rev-parse", "rev-parse", "diff-index", "merge-base", "merge-base"]
