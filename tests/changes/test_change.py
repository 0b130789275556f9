"""Which change is meant, and that it is found or refused."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gate.changes.change import Way, decide
from gate.changes.diff import Change, Request
from gate.errors import ChangeError, NothingToJudge, UsageError
from gate.github import Event
from tests.reviewing import Run, an_event, commit, letters, opened, refused, reviewed

ZERO, ONE, TWO = "0" * 40, "1" * 40, "2" * 40
ODD = ["a\nb", 'quo"te', "tab\t", "\udcff\udcfe", "é", "--output=pwn", "$(id).py", "\x1b[31m", " ", ":(top)x"]


NAME_ONE = "name the change with `--base REF` (and `--head REF`), or judge every task with `--diff all`"
STANDING = "names no change: it starts from a branch as it stands"
UNKNOWN = (
    "names no change: only `pull_request`, `pull_request_review`, `merge_group`, `push`, `pull_request_target`, "
    "`workflow_run` do"
)
HOOK, CI_HOOK, HAND = Request(hook=True), Request(hook=True, ci=True), Request()
RANGE = Request(base="main", head="topic", hook=True, from_ref="a", to_ref="b", ci=True)
PUSH = Request(from_ref="a", to_ref="b", hook=True, ci=True)
TARGET = an_event("pull_request_target")
PUSHED = an_event("push", ref="refs/heads/topic", default_branch="main", base_sha=ONE, head_sha=TWO)


class TestDecide:
    """Which change is meant, from what is asked for, the event, and whether something is staged."""

    @pytest.mark.parametrize(
        ("request_", "event", "staged", "way"),
        [
            pytest.param(RANGE, an_event(), True, Way.RANGE, id="--base-goes-first"),
            pytest.param(Request(base="main"), PUSHED, False, Way.RANGE, id="--base-under-any-event"),
            pytest.param(Request(base="main"), TARGET, False, Way.RANGE, id="--base-in-pull_request_target-at-home"),
            pytest.param(PUSH, an_event(), True, Way.PUSH, id="refs-of-pre-commit"),
            pytest.param(Request(to_ref="b"), None, True, Way.PUSH, id="one-ref-is-not-overlooked"),
            pytest.param(HOOK, None, True, Way.STAGED, id="hook"),
            pytest.param(HOOK, None, False, Way.STAGED, id="hook-amends-a-message"),
            pytest.param(CI_HOOK, an_event(), True, Way.EVENT, id="hook-in-ci-on-a-pull-request-whatever-is-staged"),
            pytest.param(CI_HOOK, None, True, Way.STAGED, id="hook-in-ci-commits"),
            pytest.param(CI_HOOK, an_event(), False, Way.EVENT, id="hook-in-ci-on-all-files"),
            pytest.param(Request(ci=True), an_event(), False, Way.EVENT, id="action"),
            pytest.param(Request(ci=True), an_event(), True, Way.EVENT, id="action-after-git-add"),
            pytest.param(HAND, an_event(), False, Way.EVENT, id="event-without-ci"),
            pytest.param(HAND, None, True, Way.STAGED, id="by-hand-staged"),
            pytest.param(HAND, None, False, Way.UPSTREAM, id="by-hand"),
            pytest.param(Request(everything=True), None, True, Way.STAGED, id="all-of-the-index"),
            pytest.param(Request(everything=True), None, False, Way.UPSTREAM, id="all-by-hand"),
            pytest.param(Request(everything=True), an_event(), False, Way.EVENT, id="all-of-a-pull-request"),
            pytest.param(Request(everything=True), PUSHED, False, Way.EVENT, id="all-of-a-push"),
            pytest.param(CI_HOOK, PUSHED, True, Way.EVENT, id="hook-in-ci-on-a-push-whatever-is-staged"),
            pytest.param(HAND, an_event("merge_group"), False, Way.EVENT, id="merge_group"),
            pytest.param(HAND, TARGET, False, Way.EVENT, id="pull_request_target-at-home"),
            pytest.param(HAND, an_event("workflow_run"), False, Way.EVENT, id="workflow_run"),
            pytest.param(CI_HOOK, an_event("schedule"), True, Way.STAGED, id="hook-in-ci-commits-on-a-schedule"),
            pytest.param(Request(everything=True), an_event("schedule"), False, Way.ALL, id="all-on-a-schedule"),
            pytest.param(Request(base="main"), an_event("schedule"), False, Way.RANGE, id="--base-on-a-schedule"),
            pytest.param(Request(everything=True, hook=True, ci=True), None, False, Way.ALL, id="all-in-a-hook-in-ci"),
        ],
    )
    def test_the_first_rule_that_fits(self, request_: Request, event: Event | None, staged: bool, way: Way) -> None:
        assert decide(request_, event, staged=staged) is way

    @pytest.mark.parametrize(
        ("request_", "event", "kind", "message"),
        [
            pytest.param(
                CI_HOOK,
                None,
                "no_change",
                "nothing is staged, and in CI no event says what the change is; give pre-commit `--from-ref` and "
                "`--to-ref`, or pass `--base REF` or `--diff all` in the hook's `args`",
                id="hook-in-ci-without-event",
            ),
            *(
                pytest.param(request_, event, "unknown_event", f"the {words}; {NAME_ONE}", id=words)
                for request_, event, words in [
                    (HAND, an_event("workflow_dispatch"), f"event `workflow_dispatch` {STANDING}"),
                    (CI_HOOK, an_event("schedule"), f"event `schedule` {STANDING}"),
                    (HAND, an_event("pull_request_comment"), f"event `pull_request_comment` {UNKNOWN}"),
                    (HAND, an_event("issue_comment"), f"event `issue_comment` {UNKNOWN}"),
                    (HAND, an_event("\x1b[2J"), f"event `'\\x1b[2J'` {UNKNOWN}"),
                    (
                        HAND,
                        an_event("push", ref="refs/tags/v1", base_sha=None, head_sha=TWO),
                        "push of refs/tags/v1 names no change: only the push of a branch does",
                    ),
                    (
                        HAND,
                        an_event("push", ref="refs/heads/main", default_branch="main", head_sha=TWO),
                        "first push of main names no change: nothing was there before it",
                    ),
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

    def test_a_head_without_a_base_is_the_caller_s_mistake(self) -> None:
        with pytest.raises(UsageError) as caught:
            decide(Request(head="topic"), an_event(), staged=False)
        assert (caught.value.message, caught.value.exit_code) == (
            "`--head` needs `--base`: name the commit that the change starts from (`--base REF --head REF`)",
            2,
        )

    @pytest.mark.parametrize("request_", [HAND, CI_HOOK, Request(everything=True)])
    def test_a_deletion_leaves_nothing_to_judge(self, request_: Request) -> None:
        gone = an_event("push", ref="refs/heads/topic", base_sha=ONE)
        with pytest.raises(NothingToJudge) as caught:
            decide(request_, gone, staged=False)
        assert (caught.value.kind, caught.value.exit_code) == ("deletion", 0)
        assert caught.value.message == "refs/heads/topic was deleted: there is no change any more to judge"
        assert decide(Request(base="main"), gone, staged=False) is Way.RANGE


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
        change = reviewed(repo, hook=hook)
        assert letters(change) == {"a": "M", "new": "A"}
        assert (change.base, change.head, change.staged, change.upstream) == (head, None, True, None)
        assert change.description == f"the staged index against HEAD {head[:12]}"

    def test_every_kind_of_difference(self, repo: Path, git: Run) -> None:
        commit(git, repo, {"mode.sh": b"x", "link": b"x", "gone": b"x", "old name": b"renamed" * 50})
        (repo / "mode.sh").chmod(0o755)
        (repo / "link").unlink()
        (repo / "link").symlink_to("a")
        (repo / "gone").unlink()
        (repo / "old name").rename(repo / "new name")
        for name in ODD:
            (repo / name).write_bytes(b"odd")
        git("add", "-A")
        git("update-index", "--add", "--cacheinfo", f"160000,{ONE},libs/inner")
        change = reviewed(repo, hook=True)
        assert letters(change) == {
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
        assert letters(reviewed(repo)) == {"libs/inner": "M"}

    def test_before_the_first_commit_everything_staged_is_new(self, git: Run, tmp_path: Path) -> None:
        git("status")
        root = tmp_path / "repo"
        (root / "a").write_bytes(b"a")
        git("add", "a")
        for hook in (True, False):
            change = reviewed(root, hook=hook)
            assert letters(change) == {"a": "A"}
            assert (change.base, change.head, change.staged) == (None, None, True)
            assert change.description == "the staged index before the first commit"
            assert change.notices == (
                "there is no commit yet, so every file counts as added, one that must not be modified too: commit once, "
                "and gate what comes after",
            )

    def test_amending_a_message_is_an_empty_change(self, repo: Path) -> None:
        change = reviewed(repo, hook=True)
        assert (change.entries, change.staged) == ((), True)

    def test_the_judge_s_commit_is_where_the_branch_left_upstream(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        shared = git("rev-parse", "HEAD", cwd=clone)
        mine = commit(git, clone, {"mine": b"x"})
        (clone / "a").write_bytes(b"staged")
        git("add", "a", cwd=clone)
        change = reviewed(clone, hook=True)
        assert (change.base, change.upstream) == (mine, shared)

    def test_an_unmerged_index_is_refused(self, repo: Path, git: Run) -> None:
        git("checkout", "-q", "-b", "side")
        commit(git, repo, {"a": b"side"})
        git("checkout", "-q", "main")
        commit(git, repo, {"a": b"main"})
        git("merge", "side", check=False)
        requests: list[dict[str, Any]] = [{"hook": True}, {}, {"everything": True}]
        for request in requests:
            assert refused(repo, **request).message == (
                "a is unmerged in the index; finish the merge with `git add` first"
            )

    def test_nothing_in_the_repository_hides_a_staged_change(self, repo: Path, git: Run) -> None:
        commit(git, repo, {"test.py": b"assert True\n", "frozen.py": b"assert True\n"})
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
        change = reviewed(repo, hook=True)
        assert letters(change) == {".gitattributes": "A", "conftest.py": "A", "test.py": "M"}
        with opened(repo) as found:
            assert found.index().read("test.py") == b"assert False\n"


HOOK_SCRIPT = """#!/bin/sh
env | grep '^GIT_' >../environment
exec {python} ../hook.py
"""
HOOK_CODE = """
import json, os, sys
from pathlib import Path
from gate.changes.change import review
from gate.changes.diff import Request
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
        topic = commit(git, repo, {"a": b"topic", "sub/b": None})
        git("checkout", "-q", "main")
        commit(git, repo, {"landed later": b"x"})
        requests: list[dict[str, Any]] = [
            {"base": "main", "head": "topic"},
            {"base": git("rev-parse", "main"), "head": topic[:8]},
        ]
        for request in requests:
            change = reviewed(repo, **request)
            assert letters(change) == {"a": "M", "sub/b": "D"}
            tip = git("rev-parse", "main")
            assert (change.base, change.head, change.staged, change.upstream) == (fork, topic, False, tip)
        assert change.description == f"{topic[:12]} against its merge base {fork[:12]} with {request['base']}"

    def test_the_head_is_head_where_nothing_else_is_said(self, repo: Path, git: Run) -> None:
        second = commit(git, repo, {"a": b"two"})
        (repo / "sub" / "b").write_bytes(b"staged")
        git("add", "sub/b")
        change = reviewed(repo, base="HEAD~1")
        assert (change.head, letters(change)) == (second, {"a": "M"})

    def test_a_range_of_nothing_is_empty(self, repo: Path) -> None:
        assert reviewed(repo, base="HEAD").entries == ()

    @pytest.mark.parametrize("option", ["base", "head"])
    @pytest.mark.parametrize("rev", ["none", "", "--output=pwn", "HEAD:a", "1" * 40])
    def test_a_name_of_no_commit_is_refused(self, repo: Path, option: str, rev: str) -> None:
        request: dict[str, Any] = {"base": "HEAD", option: rev}
        error = refused(repo, **request)
        assert (error.kind, error.message) == (
            "base_unknown",
            f"`--{option}`: `git rev-parse --verify {rev}^{{commit}}` finds no such commit here; fetch it first (in a "
            "workflow: `fetch-depth: 0` at actions/checkout), or name one that exists",
        )

    def test_unrelated_histories_are_refused(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "HEAD")
        git("checkout", "-q", "--orphan", "other")
        head = commit(git, repo, {})
        error = refused(repo, base="main")
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {base} {head}` finds no common ancestor; their histories are unrelated: name another "
            "commit with `--base`",
        )

    def test_a_shallow_clone_says_what_to_put_in_the_workflow(self, repo: Path, git: Run, tmp_path: Path) -> None:
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        topic = commit(git, repo, {"a": b"topic"})
        git("checkout", "-q", "main")
        main = commit(git, repo, {"b": b"main"})
        git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repo}", "../shallow")
        error = refused(tmp_path / "shallow", base="origin/main", head="origin/topic")
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {main} {topic}` finds no common ancestor; this clone is shallow: put `fetch-depth: 0` at "
            "actions/checkout, or run `git fetch --unshallow`",
        )
        git("fetch", "-q", "--unshallow", cwd=tmp_path / "shallow")
        assert reviewed(tmp_path / "shallow", base="origin/main", head="origin/topic").base == fork

    def test_neither_attributes_nor_replaced_objects_hide_a_change(self, repo: Path, git: Run) -> None:
        first = commit(git, repo, {"test.py": b"assert True\n", ".gitattributes": b"* -diff -text\n"})
        second = commit(git, repo, {"test.py": b"assert False\n"})
        git("replace", git("rev-parse", "HEAD:test.py"), git("rev-parse", "HEAD~1:test.py"))
        git("replace", second, first)
        assert git("diff", "--name-only", first, second) == ""
        assert letters(reviewed(repo, base=first, head=second)) == {"test.py": "M"}


class TestPush:
    """What pre-commit says by `--from-ref` and `--to-ref`."""

    def test_from_their_merge_base(self, repo: Path, git: Run) -> None:
        fork = git("rev-parse", "HEAD")
        git("checkout", "-q", "-b", "topic")
        topic = commit(git, repo, {"a": b"topic"})
        git("checkout", "-q", "main")
        main = commit(git, repo, {"b": b"x"})
        change = reviewed(repo, hook=True, from_ref=main, to_ref="topic")
        assert (change.base, change.head, letters(change)) == (fork, topic, {"a": "M"})
        assert change.description == f"{topic[:12]} against its merge base {fork[:12]}"

    def test_what_was_pushed_before_is_no_judge(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        shared = git("rev-parse", "HEAD", cwd=clone)
        git("checkout", "-q", "-b", "topic", cwd=clone)
        pushed = commit(git, clone, {"mine": b"x"})
        git("push", "-q", "-u", "origin", "topic", cwd=clone)
        topic = commit(git, clone, {"mine": b"y"})
        by_hand, in_ci = (reviewed(clone, hook=True, ci=ci, from_ref=pushed, to_ref=topic) for ci in (False, True))
        assert (by_hand.base, by_hand.head, by_hand.upstream) == (pushed, topic, shared)
        assert (in_ci.base, in_ci.head, in_ci.upstream) == (pushed, topic, pushed)

    def test_without_one_they_are_compared_as_they_are(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        git("checkout", "-q", "--orphan", "other")
        head = commit(git, repo, {"a": b"other", "sub/b": None})
        change = reviewed(repo, hook=True, from_ref="main", to_ref="HEAD")
        assert (change.base, change.head, letters(change)) == (first, head, {"a": "M", "sub/b": "D"})
        assert change.notices == (
            f"{first[:12]} and {head[:12]} have no common ancestor here; they are compared as they are",
        )

    def test_a_new_branch_starts_where_it_left_upstream(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        shared = git("rev-parse", "HEAD", cwd=clone)
        git("checkout", "-q", "--no-track", "-b", "topic", cwd=clone)
        topic = commit(git, clone, {"mine": b"x"})
        change = reviewed(clone, hook=True, from_ref=ZERO, to_ref=topic)
        assert (change.base, change.head, letters(change)) == (shared, topic, {"mine": "A"})
        assert change.description == f"{topic[:12]} since upstream {shared[:12]}"

    def test_a_new_branch_that_is_not_checked_out_starts_where_it_left_too(
        self, repo: Path, git: Run, tmp_path: Path
    ) -> None:
        git("clone", "-q", str(repo), "../clone")
        clone = tmp_path / "clone"
        fork = git("rev-parse", "HEAD", cwd=clone)
        git("checkout", "-q", "--no-track", "-b", "topic", cwd=clone)
        topic = commit(git, clone, {"mine": b"x"})
        git("checkout", "-q", "main", cwd=clone)
        commit(git, clone, {"on main": b"x"})
        git("update-ref", "refs/remotes/origin/main", "HEAD", cwd=clone)
        change = reviewed(clone, hook=True, from_ref=ZERO, to_ref="topic")
        assert (change.base, change.head, letters(change)) == (fork, topic, {"mine": "A"})

    def test_a_new_branch_without_upstream_is_all_new(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "HEAD")
        change = reviewed(repo, hook=True, from_ref=ZERO, to_ref="HEAD")
        assert (change.base, change.head, letters(change)) == (None, head, {"a": "A", "sub/b": "A"})
        assert change.notices == ("the pushed branch is new and there is no upstream: every file counts as added",)

    @pytest.mark.parametrize("refs", [{"from_ref": "HEAD"}, {"to_ref": "HEAD"}, {"from_ref": "HEAD", "to_ref": ""}])
    def test_one_alone_is_refused(self, repo: Path, refs: dict[str, Any]) -> None:
        assert refused(repo, hook=True, **refs).message == (
            "`PRE_COMMIT_FROM_REF` and `PRE_COMMIT_TO_REF` go together, and only one is set; give pre-commit both "
            "`--from-ref` and `--to-ref`"
        )

    @pytest.mark.parametrize(("refs", "option"), [(("none", "HEAD"), "--from-ref"), (("HEAD", ZERO), "--to-ref")])
    def test_a_name_of_no_commit_is_refused(self, repo: Path, refs: tuple[str, str], option: str) -> None:
        error = refused(repo, hook=True, from_ref=refs[0], to_ref=refs[1])
        assert error.message.startswith(f"`{option}`: `git rev-parse --verify ")


class TestByHand:
    """Without flags: the index, else since upstream."""

    @pytest.fixture
    def clone(self, repo: Path, git: Run, tmp_path: Path) -> Path:
        """A clone with one commit that its upstream does not have."""
        git("clone", "-q", str(repo), "../clone")
        commit(git, tmp_path / "clone", {"mine": b"x"})
        return tmp_path / "clone"

    def test_since_the_merge_base_with_upstream(self, clone: Path, git: Run) -> None:
        shared, head = git("rev-parse", "HEAD~1", "HEAD", cwd=clone).split()
        change = reviewed(clone)
        assert (change.base, change.head, letters(change)) == (shared, head, {"mine": "A"})
        assert (change.staged, change.upstream) == (False, shared)
        assert change.description == f"HEAD {head[:12]} since upstream {shared[:12]}"

    def test_a_pushed_branch_has_nothing_left_to_judge_here_but_does_not_pass_ci(self, clone: Path, git: Run) -> None:
        git("push", "-q", "origin", "HEAD:topic", cwd=clone)
        git("branch", "-q", "--set-upstream-to=origin/topic", cwd=clone)
        head = git("rev-parse", "HEAD", cwd=clone)
        assert reviewed(clone).entries == ()
        assert refused(clone, ci=True).message == (
            f"HEAD {head[:12]} since upstream {head[:12]} changes nothing, and in CI that is no reason to pass; name "
            "the change with `--base REF`, or judge every task with `--diff all`"
        )

    def test_without_an_upstream_it_is_refused(self, repo: Path) -> None:
        error = refused(repo)
        assert (error.kind, error.message) == (
            "no_change",
            "nothing is staged, and `git merge-base HEAD @{upstream}` finds no upstream to compare with; stage "
            "something, name the change with `--base REF`, or judge every task with `--diff all`",
        )

    def test_before_the_first_commit_with_nothing_staged_it_is_refused(self, git: Run, tmp_path: Path) -> None:
        git("status")
        assert refused(tmp_path / "repo").message == (
            "there is no commit yet and nothing is staged; stage files with `git add`, or check out a commit"
        )


class TestEverything:
    """`--diff all`: every file of the head, whatever the change is."""

    def _facts(self, change: Change) -> tuple[str | None, str | None, bool, bool]:
        assert {entry.status for entry in change.entries} <= {"A"}
        return change.base, change.head, change.staged, change.everything

    def test_base_and_head_stay_those_of_the_change(self, repo: Path, git: Run) -> None:
        first = git("rev-parse", "HEAD")
        second = commit(git, repo, {"new": b"x"})
        change = reviewed(repo, base="HEAD~1", everything=True)
        assert self._facts(change) == (first, second, False, True)
        assert change.paths == ("a", "new", "sub/b")
        assert change.description == f"every file of {second[:12]}"

    def test_with_something_staged_it_is_the_index(self, repo: Path, git: Run) -> None:
        head = git("rev-parse", "HEAD")
        (repo / "new").write_bytes(b"x")
        git("add", "new")
        git("rm", "-q", "--cached", "a")
        change = reviewed(repo, everything=True)
        assert self._facts(change) == (head, None, True, True)
        assert change.paths == ("new", "sub/b")
        assert change.description == "every file of the index"

    @pytest.mark.parametrize(
        ("event", "request_"),
        [
            (None, {}),
            (an_event("push", ref="refs/tags/v1"), {}),
            (an_event("workflow_dispatch"), {"ci": True}),
            (an_event("schedule"), {"ci": True, "hook": True}),
            (None, {"ci": True, "hook": True}),
        ],
    )
    def test_without_a_base_head_is_both(self, repo: Path, git: Run, event: Event | None, request_: Any) -> None:
        head = git("rev-parse", "HEAD")
        assert self._facts(reviewed(repo, event, everything=True, **request_)) == (head, head, False, True)

    def test_since_upstream_keeps_its_base(self, repo: Path, git: Run, tmp_path: Path) -> None:
        git("clone", "-q", str(repo), "../clone")
        shared = git("rev-parse", "HEAD")
        head = commit(git, tmp_path / "clone", {"mine": b"x"})
        assert self._facts(reviewed(tmp_path / "clone", everything=True)) == (shared, head, False, True)

    @pytest.mark.parametrize("event", [None, an_event("push", ref="refs/heads/main")])
    def test_before_the_first_commit_it_is_the_index(self, git: Run, tmp_path: Path, event: Event | None) -> None:
        git("status")
        assert self._facts(reviewed(tmp_path / "repo", event, everything=True)) == (None, None, True, True)

    def test_what_was_named_wrongly_stays_an_error(self, repo: Path) -> None:
        assert refused(repo, everything=True, base="none").kind == "base_unknown"
        with pytest.raises(UsageError, match="`--head` needs `--base`"):
            reviewed(repo, everything=True, head="HEAD")


def test_the_hook_s_path_takes_few_calls_of_git(repo: Path, git: Run, tmp_path: Path) -> None:
    (repo / "a").write_bytes(b"staged")
    git("add", "a")
    settings = tmp_path / "settings"
    settings.write_text(f"[trace2]\n\tnormalTarget = {tmp_path}/told\n")
    code = (
        "from pathlib import Path; from gate.git import Git; from gate.changes.change import review; from gate.changes.diff import Request\n"
        "git = Git.discover(Path.cwd()); review(Request(hook=True), git, None); git.close()\n"
    )
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(settings)}
    subprocess.run([sys.executable, "-c", code], cwd=repo, env=environment, check=True)
    told = (tmp_path / "told").read_text().splitlines()
    calls = [line.split(" cmd_name ")[1].split()[0] for line in told if " cmd_name " in line]
    assert calls == ["rev-parse", "rev-parse", "diff-index", "rev-parse", "merge-base"]
