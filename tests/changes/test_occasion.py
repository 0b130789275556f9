"""How each event names its change, in checkouts as actions/checkout makes them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.changes.change import review
from gate.changes.diff import Change, Request
from gate.changes.occasion import admit
from gate.errors import ChangeError
from gate.github import Event
from tests.commands.repository import gate
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
        sha = server.get(commit, commit)
        wanted = f"+{sha}:refs/remotes/checked-out/here"
        if depth:
            git("fetch", "-q", "--no-tags", f"--depth={depth}", "origin", wanted, cwd=runner)
        else:
            git("fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", wanted, cwd=runner)
        git("checkout", "-q", "--detach", sha, cwd=runner)
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
        assert change.upstream == server["base"]
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


def _shown(change: Change) -> tuple[str, str | None, str | None, dict[str, str]]:
    return change.description, change.base, change.head, letters(change)


class TestMergeGroup:
    """The event `merge_group`, whose payload names both ends."""

    def _queued(self, server: dict[str, str], **facts: str) -> Event:
        shas = {"sha": server["merge"], "base_sha": server["base"], "head_sha": server["merge"], **facts}
        return an_event("merge_group", **shas)

    @pytest.mark.parametrize("depth", [1, 2, 0])
    def test_from_its_base_to_its_head(self, server: dict[str, str], checkout: Callable[..., Path], depth: int) -> None:
        change = reviewed(checkout("merge", depth=depth), self._queued(server), ci=True)
        words = f"merge group: {server['merge'][:12]} against its base {server['base'][:12]}"
        assert _shown(change) == (words, server["base"], server["merge"], PULLED)
        assert change.notices == ()

    def test_all_keeps_base_and_head(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        change = reviewed(checkout("merge"), self._queued(server), ci=True, everything=True)
        assert (change.base, change.head, change.everything) == (server["base"], server["merge"], True)

    def test_another_checkout_is_refused(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        error = refused(checkout("base"), self._queued(server), ci=True)
        assert (error.kind, error.message) == (
            "wrong_head",
            f"HEAD {server['base'][:12]} is not the head of the merge group, {server['merge'][:12]}; check out the "
            "event's own commit: actions/checkout without `ref`, and no commit of the job's own before the gate",
        )

    def test_a_base_that_cannot_be_had_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        error = refused(checkout("merge"), self._queued(server, base_sha="1" * 40), ci=True)
        assert error.kind == "history_missing"
        assert error.message.startswith(f"the base {'1' * 12} is not in this clone and cannot be fetched: `git fetch ")
        assert f"upload-pack: not our ref {'1' * 40}" in error.message


class TestPush:
    """The event `push` of a branch."""

    def _pushed(self, before: str | None, after: str, *, branch: str = "topic") -> Event:
        facts = {"ref": f"refs/heads/{branch}", "default_branch": "main", "sha": after}
        return an_event("push", base_sha=before, head_sha=after, **facts)

    @pytest.mark.parametrize("depth", [1, 0])
    @pytest.mark.parametrize("branch", ["topic", "main"])
    def test_from_what_the_branch_held_before(
        self, server: dict[str, str], checkout: Callable[..., Path], depth: int, branch: str
    ) -> None:
        event = self._pushed(server["fork"], server["head"], branch=branch)
        words = f"push to {branch}: {server['head'][:12]} against {server['fork'][:12]}"
        change = reviewed(checkout("head", depth=depth), event, ci=True)
        assert _shown(change) == (words, server["fork"], server["head"], PULLED)

    @pytest.mark.parametrize("branch", ["topic", "main"])
    def test_a_force_push_from_what_it_threw_away(
        self, server: dict[str, str], checkout: Callable[..., Path], branch: str
    ) -> None:
        event = self._pushed(server["base"], server["head"], branch=branch)
        change = reviewed(checkout("head"), event, ci=True)
        assert (change.base, change.head) == (server["base"], server["head"])
        assert letters(change) == PULLED | {"landed later": "D"}

    def test_a_force_push_over_what_is_gone_since_the_default_branch(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = reviewed(checkout("head"), self._pushed("1" * 40, server["head"]), ci=True)
        words = f"push to topic: {server['head'][:12]} against its merge base {server['fork'][:12]} with main"
        assert _shown(change) == (words, server["fork"], server["head"], PULLED)
        (notice,) = change.notices
        assert notice.startswith(
            f"Not judged against the branch's last state: what topic held before, {'1' * 12} is not in this clone and "
            "cannot be fetched: `git fetch "
        )

    def test_a_force_push_of_the_default_branch_over_what_is_gone_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        error = refused(checkout("head"), self._pushed("1" * 40, server["head"], branch="main"), ci=True)
        assert error.kind == "history_missing"
        assert error.message.startswith(f"what main held before, {'1' * 12} is not in this clone and cannot be fetched")

    @pytest.mark.parametrize("depth", [1, 0])
    def test_a_new_branch_since_the_default_branch(
        self, server: dict[str, str], checkout: Callable[..., Path], depth: int
    ) -> None:
        change = reviewed(checkout("head", depth=depth), self._pushed(None, server["head"]), ci=True)
        words = f"push to topic: {server['head'][:12]} against its merge base {server['fork'][:12]} with main"
        assert _shown(change) == (words, server["fork"], server["head"], PULLED)
        assert change.upstream == server["base"]

    def test_a_new_branch_without_commits_of_its_own_changes_nothing(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = reviewed(checkout("fork"), self._pushed(None, server["fork"]), ci=True)
        assert (change.base, change.head, change.entries) == (server["fork"], server["fork"], ())

    @pytest.mark.parametrize("branch", [None, "trunk", "m*", "heads/main"])
    def test_a_new_branch_without_anything_to_compare_with_is_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], branch: str | None
    ) -> None:
        event = an_event("push", ref="refs/heads/topic", default_branch=branch, head_sha=server["head"])
        error = refused(checkout("head"), event, ci=True)
        assert (error.kind, error.message) == (
            "history_missing",
            "topic is new, and `origin` does not tell where the default branch is to compare it with; name the change "
            "with `--base REF`, or judge every task with `--diff all`",
        )

    def test_unrelated_histories_are_refused(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        orphan = git("commit-tree", "-m", "orphan", f"{server['head']}^{{tree}}")
        error = refused(checkout(orphan), self._pushed(None, orphan), ci=True)
        assert (error.kind, error.message) == (
            "history_missing",
            f"`git merge-base {server['base']} {orphan}` finds no common ancestor; their histories are unrelated: name "
            "another commit with `--base`",
        )

    def test_all_of_a_push_keeps_the_judge_of_what_was_there(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        change = reviewed(checkout("head"), self._pushed(server["fork"], server["head"]), ci=True, everything=True)
        assert (change.base, change.head, change.everything) == (server["fork"], server["head"], True)

    def test_a_commit_that_the_job_made_is_not_what_was_pushed(
        self, server: dict[str, str], checkout: Callable[..., Path], git: Run
    ) -> None:
        runner = checkout("head")
        own = commit(git, runner, {"formatted": b"x"})
        assert refused(runner, self._pushed(server["fork"], server["head"]), ci=True).message == (
            f"HEAD {own[:12]} is not what was pushed to topic, {server['head'][:12]}; check out the event's own commit: "
            "actions/checkout without `ref`, and no commit of the job's own before the gate"
        )


NOTE = (
    "Under `{event}` the job holds this repository's own token, and the head is {whose}: no command is started, "
    "whatever was asked for."
)


class TestPullRequestTarget:
    """The event `pull_request_target`: the base is checked out, and the job holds our secrets."""

    def _target(self, server: dict[str, str], *, fork: bool = False) -> Event:
        shas = {"sha": server["base"], "base_sha": server["base"], "head_sha": server["head"]}
        return an_event("pull_request_target", number=7, fork=fork, **shas)

    @pytest.mark.parametrize("depth", [1, 0])
    @pytest.mark.parametrize("fork", [False, True])
    def test_the_head_that_is_not_checked_out_against_its_merge_base(
        self, server: dict[str, str], checkout: Callable[..., Path], depth: int, fork: bool
    ) -> None:
        change = reviewed(checkout("base", depth=depth), self._target(server, fork=fork), ci=True, allow_fork_head=fork)
        words = f"pull request #7: {server['head'][:12]} against its base {server['fork'][:12]}"
        assert _shown(change) == (words, server["fork"], server["head"], PULLED)
        assert change.upstream == server["base"]
        assert change.notices == (NOTE.format(event="pull_request_target", whose="a fork's" if fork else "a branch's"),)

    def test_a_head_that_cannot_be_had_is_refused(self, server: dict[str, str], checkout: Callable[..., Path]) -> None:
        event = an_event("pull_request_target", number=7, base_sha=server["base"], head_sha="1" * 40)
        error = refused(checkout("base"), event, ci=True)
        assert error.kind == "history_missing"
        assert error.message.startswith(f"the head {'1' * 12} is not in this clone and cannot be fetched: ")


class TestWorkflowRun:
    """The event `workflow_run`: the default branch is checked out, and the head is known by its commit alone."""

    @pytest.mark.parametrize("known", [True, False], ids=["pull-request-in-the-payload", "commit-alone"])
    @pytest.mark.parametrize("fork", [False, True])
    def test_the_head_of_the_run_against_its_merge_base(
        self, server: dict[str, str], checkout: Callable[..., Path], fork: bool, known: bool
    ) -> None:
        base = server["base"] if known else None
        event = an_event("workflow_run", sha=server["base"], base_sha=base, head_sha=server["head"], fork=fork)
        change = reviewed(checkout("base"), event, ci=True, allow_fork_head=fork)
        words = f"workflow run: {server['head'][:12]} against its base {server['fork'][:12]}"
        assert _shown(change) == (words, server["fork"], server["head"], PULLED)
        assert change.upstream == server["base"]
        assert change.notices == (NOTE.format(event="workflow_run", whose="a fork's" if fork else "a branch's"),)

    def test_a_run_of_the_default_branch_names_no_change(
        self, server: dict[str, str], checkout: Callable[..., Path]
    ) -> None:
        event = an_event("workflow_run", sha=server["base"], head_sha=server["fork"])
        error = refused(checkout("base"), event, ci=True)
        assert (error.kind, error.message) == (
            "no_change",
            f"the workflow ran for {server['fork'][:12]}, which {server['base'][:12]} holds already: that names no "
            "change; name one with `--base REF` and `--head REF`, or judge every task with `--diff all`",
        )


class TestAdmission:
    """A fork's head beside our secrets."""

    @pytest.mark.parametrize("name", ["pull_request_target", "workflow_run"])
    @pytest.mark.parametrize(
        "request_",
        [Request(), Request(base="main", head="topic"), Request(everything=True), Request(from_ref="a", to_ref="b")],
    )
    def test_is_refused_whatever_is_asked_for(self, name: str, request_: Request) -> None:
        with pytest.raises(ChangeError) as caught:
            admit(request_, an_event(name, fork=True))
        assert (caught.value.kind, caught.value.exit_code) == ("unsafe_trigger", 3)
        assert caught.value.message == (
            f"`{name}` for a fork is refused: it would judge a stranger's files with this repository's token and "
            "secrets at hand; let the workflow run `on: pull_request` (`--allow-fork-head` judges it all the same, and "
            "starts no command)"
        )

    @pytest.mark.parametrize(
        ("event", "request_"),
        [
            pytest.param(None, Request(), id="no-event"),
            pytest.param(an_event("pull_request", fork=True), Request(), id="without-secrets"),
            pytest.param(an_event("pull_request_target"), Request(), id="at-home"),
            pytest.param(an_event("workflow_run", fork=True), Request(allow_fork_head=True), id="asked-for"),
        ],
    )
    def test_is_no_matter_elsewhere(self, event: Event | None, request_: Request) -> None:
        admit(request_, event)


MANIFEST = """\
version: 1
{policy}tasks:
  - id: kept
    workspace: {{git: base}}
    oracles:
      - {{type: file_not_modified, path: a}}
      - {{type: test_must_pass, command: touch ran}}
"""


class TestRun:
    """`gate run` under an event, as the action starts it: the verdict, the reports, and what is never started."""

    @pytest.fixture
    def judged(self, tmp_path: Path, git: Run) -> dict[str, str]:
        """A repository with a manifest on `main` and a change on `topic`."""
        git("init", "-q")
        repo = tmp_path / "repo"
        first = commit(git, repo, {"gate.yaml": MANIFEST.format(policy="").encode(), "a": b"a\n", "b": b"b\n"})
        git("checkout", "-q", "-b", "topic")
        second = commit(git, repo, {"b": b"new\n"})
        return {"main": first, "topic": second}

    def _run(
        self, root: Path, name: str, payload: dict[str, Any], *options: str, **environ: str
    ) -> tuple[int, str, dict[str, Any]]:
        path = root.parent / "event.json"
        path.write_text(json.dumps({"repository": {"full_name": "o/r", "default_branch": "main"}} | payload))
        told = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(path), **environ}
        done = gate(root, "run", "--json", "../report.json", "--no-annotations", *options, **told)
        assert done.stderr == ""
        return done.returncode, done.stdout, json.loads((root.parent / "report.json").read_text())

    def _pull_request(self, judged: dict[str, str], repo: str | None) -> dict[str, Any]:
        head = {"sha": judged["topic"], "repo": repo and {"full_name": repo}}
        return {
            "pull_request": {"number": 7, "base": {"sha": judged["main"], "repo": {"full_name": "o/r"}}, "head": head}
        }

    @pytest.mark.parametrize("repo", ["someone/r", None], ids=["fork", "deleted-fork"])
    @pytest.mark.parametrize("options", [(), ("--commands",), ("--base", "main"), ("--diff", "all")])
    def test_a_fork_beside_our_secrets_is_refused(
        self, judged: dict[str, str], tmp_path: Path, repo: str | None, options: tuple[str, ...]
    ) -> None:
        payload = self._pull_request(judged, repo)
        code, text, report = self._run(tmp_path / "repo", "pull_request_target", payload, *options)
        assert (code, report["problem"]["kind"]) == (3, "unsafe_trigger")
        assert text.startswith("[ERROR] `pull_request_target` for a fork is refused: ")

    def test_a_fork_is_refused_before_its_repository_is_looked_at(self, judged: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "repo" / ".git" / "config").write_text("[broken")
        code, _, report = self._run(tmp_path / "repo", "pull_request_target", self._pull_request(judged, "someone/r"))
        assert (code, report["problem"]["kind"]) == (3, "unsafe_trigger")

    @pytest.mark.parametrize("repo", ["someone/r", None, "o/r"], ids=["fork", "deleted-fork", "at-home"])
    @pytest.mark.parametrize("options", [(), ("--commands",)])
    def test_beside_our_secrets_no_command_is_started(
        self, judged: dict[str, str], tmp_path: Path, git: Run, repo: str | None, options: tuple[str, ...]
    ) -> None:
        git("checkout", "-q", "main")
        allow = () if repo == "o/r" else ("--allow-fork-head",)
        payload = self._pull_request(judged, repo)
        code, _, report = self._run(tmp_path / "repo", "pull_request_target", payload, *allow, *options)
        (task,) = report["tasks"]
        assert code == 0
        assert [(verdict["name"], verdict["outcome"]) for verdict in task["verdicts"]] == [
            ("file_not_modified", "pass"),
            ("test_must_pass", "skip"),
        ]
        whose = "a branch's" if repo == "o/r" else "a fork's"
        assert NOTE.format(event="pull_request_target", whose=whose) in [note["message"] for note in report["notices"]]

    @pytest.mark.parametrize("where", ["option", "policy"])
    def test_beside_our_secrets_the_head_is_no_judge(
        self, judged: dict[str, str], tmp_path: Path, git: Run, where: str
    ) -> None:
        git("checkout", "-q", "main")
        if where == "policy":
            manifest = MANIFEST.format(policy="policy: {judge: head}\n").encode()
            judged["main"] = commit(git, tmp_path / "repo", {"gate.yaml": manifest})
            git("checkout", "-q", "topic")
            git("merge", "-q", "--no-edit", "main")
            judged["topic"] = git("rev-parse", "HEAD")
            git("checkout", "-q", "main")
        options = ("--judge", "head") if where == "option" else ()
        code, text, _ = self._run(tmp_path / "repo", "pull_request_target", self._pull_request(judged, "o/r"), *options)
        assert code == 3
        assert text.startswith(
            "[ERROR] `judge: head` under `pull_request_target` is refused: the head's plugins would run with this "
            "repository's token and secrets at hand; leave the judge to the base, or let the workflow run `on: "
            "pull_request`\n"
        )

    def test_a_merge_group_is_judged(self, judged: dict[str, str], tmp_path: Path) -> None:
        payload = {"merge_group": {"base_sha": judged["main"], "head_sha": judged["topic"]}}
        code, text, report = self._run(tmp_path / "repo", "merge_group", payload)
        assert (code, report["counts"]["passed"]) == (0, 2)
        assert f"change: merge group: {judged['topic'][:12]} against its base {judged['main'][:12]}" in text

    def test_a_push_is_judged_by_what_was_there_before(self, judged: dict[str, str], tmp_path: Path, git: Run) -> None:
        weakened = commit(git, tmp_path / "repo", {"gate.yaml": b"version: 1\n", "a": b"changed\n"})
        payload = {"ref": "refs/heads/topic", "before": judged["topic"], "after": weakened}
        code, _, report = self._run(tmp_path / "repo", "push", payload)
        assert (code, report["tasks"][0]["verdicts"][0]["outcome"]) == (1, "fail")

    def test_a_deletion_is_nothing_to_judge(self, judged: dict[str, str], tmp_path: Path) -> None:
        payload = {"ref": "refs/heads/gone", "before": judged["topic"], "after": "0" * 40}
        code, text, report = self._run(tmp_path / "repo", "push", payload)
        assert (code, report["verdict"]) == (0, "skip")
        assert text == (
            "notice: refs/heads/gone was deleted: there is no change any more to judge.\n"
            "Gate summary: 0/0 tasks passed\n"
            "exit 0: no task is in scope of this change\n"
        )

    @pytest.mark.parametrize(
        ("name", "payload", "said"),
        [
            ("workflow_dispatch", {"inputs": {}}, "it starts from a branch as it stands"),
            ("schedule", {"schedule": "0 0 * * *"}, "it starts from a branch as it stands"),
            (
                "issue_comment",
                {},
                "only `pull_request`, `pull_request_review`, `merge_group`, `push`, `pull_request_target`, `workflow_run` do",
            ),
        ],
    )
    def test_an_event_without_a_change_says_what_to_name(
        self, judged: dict[str, str], tmp_path: Path, name: str, payload: dict[str, Any], said: str
    ) -> None:
        code, text, report = self._run(tmp_path / "repo", name, payload)
        assert (code, report["problem"]["kind"]) == (3, "unknown_event")
        assert text == (
            f"[ERROR] the event `{name}` names no change: {said}; name the change with `--base REF` (and `--head REF`), "
            "or judge every task with `--diff all`\n"
            "exit 3: the change could not be computed, or must not be judged\n"
        )
        for options in (("--base", "main"), ("--diff", "all")):
            assert self._run(tmp_path / "repo", name, payload, *options)[0] == 0

    def test_a_payload_that_is_missing_ends_in_a_sentence_and_a_report(
        self, judged: dict[str, str], tmp_path: Path
    ) -> None:
        code, text, report = self._run(tmp_path / "repo", "push", {}, GITHUB_EVENT_PATH="gone.json")
        assert (code, report["verdict"], report["problem"]["kind"]) == (3, "error", "event")
        assert text == (
            "[ERROR] the event 'push' (`GITHUB_EVENT_NAME`) cannot be used: its payload cannot be read: gone.json: there "
            "is no such file; outside of GitHub Actions unset it\n"
            "exit 3: the change could not be computed, or must not be judged\n"
        )
