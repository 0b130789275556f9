"""From a manifest and a change to a plan."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.errors import UsageError
from gate.github import Event
from gate.intake import Intake
from gate.oracle import type_name
from gate.plan import Plan, Planned
from gate.policy import Judge
from gate.report import Outcome
from gate.review import Review
from gate.task import State
from tests.conftest import Git as Run

TASK = """\
version: 1
tasks:
  - id: one
    workspace: {git: base}
    trajectory: recordings/*.json
    oracles: [{type: assertion_exists, path: a.py, pattern: x}]
"""
SECOND = """\
  - id: two
    oracles: [{type: assertion_exists, path: a.py, pattern: x}]
"""


def write(root: Path, files: Mapping[str, object]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content if isinstance(content, str) else json.dumps(content))


def recording(path: str = "a.py", content: str = "head") -> dict[str, Any]:
    return {"steps": [{"tool": "write_file", "args": {"path": path, "content": content}}]}


def session(start: str) -> str:
    """A Codex rollout that says from which commit it started."""
    meta = {"id": "s", "cwd": "/w", "originator": "codex_cli_rs", "git": {"commit_hash": start}}
    lines = [
        {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": meta},
        {
            "timestamp": "2026-01-01T00:00:01Z",
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        },
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    git("init", "-q")
    write(tmp_path / "repo", {"a.py": "base"})
    git("add", "-A")
    git("commit", "-qm", "first")
    git("checkout", "-q", "-b", "work")
    return tmp_path / "repo"


def commit(root: Path, git: Run, files: Mapping[str, object], message: str = "change") -> None:
    write(root, files)
    git("add", "-A")
    git("commit", "-qm", message)


def plan(
    root: Path, *, only: tuple[str, ...] = (), given: tuple[str, ...] = (), event: Event | None = None, **request: Any
) -> Plan:
    """The plan by the head's own manifest."""
    asked = Asked(
        change=diff.Request(**(request or {"base": "main"})), judge=Judge.HEAD, only=only, recordings=given, event=event
    )
    with Review(asked, root) as review:
        return Intake(review).plan()


def first(root: Path, **more: Any) -> Planned:
    return plan(root, **more).tasks[0]


def oracles(task: Planned) -> list[str]:
    assert task.task is not None, task.problem
    return [type_name(oracle) for oracle in task.task.oracles]


def verdicts(found: Plan) -> dict[str, list[str]]:
    return {task.id: [f"{verdict.outcome}: {verdict.message}" for verdict in task.verdicts] for task in found.tasks}


class TestExplained:
    """The oracle that is on by default."""

    def test_with_a_recording_of_this_change(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK, "a.py": "head", "recordings/1.json": recording()})
        task = first(repo)
        assert oracles(task) == ["assertion_exists", "explained"]
        assert task.notices == ()

    def test_without_one_nobody_asks(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK, "a.py": "head"})
        assert oracles(first(repo)) == ["assertion_exists"]

    def test_off_is_said(self, repo: Path, git: Run) -> None:
        manifest = TASK + "    explained: off\n"
        commit(repo, git, {"gate.yaml": manifest, "a.py": "head", "recordings/1.json": recording()})
        task = first(repo)
        assert oracles(task) == ["assertion_exists"]
        assert [notice.message for notice in task.notices] == [
            "`explained: off`: nobody asks whether the recording explains the change"
        ]

    @pytest.mark.parametrize("switch", ["", "    explained: off\n"])
    def test_one_that_is_named_is_asked_as_it_stands(self, repo: Path, git: Run, switch: str) -> None:
        manifest = TASK.replace("oracles: [", "oracles: [{type: explained, allow: [exact]}, ") + switch
        commit(repo, git, {"gate.yaml": manifest, "a.py": "head", "recordings/1.json": recording()})
        task = first(repo)
        assert (oracles(task), task.notices) == (["explained", "assertion_exists"], ())

    @pytest.mark.parametrize("state", ["replay", "{dir: recordings}"])
    def test_a_replay_and_a_finished_folder_are_not_asked(self, repo: Path, git: Run, state: str) -> None:
        manifest = TASK + f"    state: {state}\n"
        commit(repo, git, {"gate.yaml": manifest, "a.py": "head", "recordings/1.json": recording()})
        assert oracles(first(repo)) == ["assertion_exists"]

    def test_the_recordings_are_not_what_is_to_be_explained(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK, "a.py": "head", "recordings/1.json": recording()})
        assert first(repo).changed == ("a.py", "gate.yaml")

    def test_under_a_folder_paths_are_those_in_it(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("{git: base}", "{dir: sub}") + "    state: head\n"
        commit(repo, git, {"gate.yaml": manifest, "sub/b.py": "b", "recordings/1.json": recording()})
        task = first(repo)
        assert (task.changed, oracles(task)) == (("b.py",), ["assertion_exists", "explained"])


class TestRepeat:
    """Recorded commands, repeated where the task asks for it."""

    @pytest.mark.parametrize(
        ("more", "commands", "repeats", "said"),
        [
            pytest.param("", True, False, [], id="off by default"),
            pytest.param("    replay: {commands: off}\n", True, False, [], id="off"),
            pytest.param("    replay: {commands: repeat}\n", True, True, [], id="on"),
            pytest.param(
                "    replay: {commands: repeat}\n",
                False,
                False,
                ["`replay: {commands: repeat}`: no command is repeated: this run starts no commands"],
                id="in a run without commands, as the hook",
            ),
            pytest.param(
                "    replay: {commands: repeat}\n    state: replay\n",
                True,
                False,
                [
                    "`replay: {commands: repeat}`: no command is repeated: the task is judged on its replay, of edits "
                    "alone"
                ],
                id="under a replay",
            ),
        ],
    )
    def test_is_asked_for(
        self, repo: Path, git: Run, more: str, commands: bool, repeats: bool, said: list[str]
    ) -> None:
        commit(repo, git, {"gate.yaml": TASK + more, "a.py": "head", "recordings/1.json": recording()})
        with Review(Asked(change=diff.Request(base="main"), judge=Judge.HEAD, commands=commands), repo) as review:
            (task,) = Intake(review).plan().tasks
        assert task.task is not None, task.problem
        assert task.task.repeat is repeats
        assert [notice.message for notice in task.notices] == said


class TestFinished:
    """A finished folder."""

    def test_it_is_judged_in_the_place_of_the_head(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("{git: base}", '{files: {a.py: "start"}}') + "    state: {dir: out}\n"
        commit(repo, git, {"gate.yaml": manifest, "out/a.py": "x"})
        task = first(repo)
        assert task.task is not None
        assert task.head is not None
        assert task.start is not None
        assert (task.task.state, task.task.finished, task.checkout) == (State.HEAD, "out", "out")
        assert (task.start.read("a.py"), task.head.read("a.py")) == (b"start", b"x")
        assert (task.changed, task.silence[:36]) == (("a.py",), "recordings/*.json matches no file in")

    def test_one_that_is_missing_is_the_task_s_error(self, repo: Path, git: Run) -> None:
        manifest = TASK + "    state: {dir: out}\n"
        commit(repo, git, {"gate.yaml": manifest + SECOND, "a.py": "x"})
        head = git("rev-parse", "--short=12", "HEAD")
        one, two = plan(repo).tasks
        assert (one.problem, two.problem) == (
            f"gate.yaml:3: `state.dir`: there is no file in out in head {head}",
            "",
        )


class TestStart:
    """The commit that a recording says it started from."""

    def test_another_one_is_a_notice(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("*.json", "*.jsonl")
        commit(repo, git, {"gate.yaml": manifest, "a.py": "x", "recordings/1.jsonl": session("c" * 40)})
        base = git("rev-parse", "--short=12", "main")
        (notice,) = first(repo).notices
        assert (notice.severity, notice.kind, notice.path) == ("notice", "start", "recordings/1.jsonl")
        assert notice.message == (
            "The recording recordings/1.jsonl started from the commit cccccccccccc, and the task from the commit "
            f"{base}: edits may meet other content."
        )

    def test_the_base_is_none(self, repo: Path, git: Run) -> None:
        base = git("rev-parse", "main")
        manifest = TASK.replace("*.json", "*.jsonl")
        commit(repo, git, {"gate.yaml": manifest, "a.py": "x", "recordings/1.jsonl": session(base)})
        assert first(repo).notices == ()

    def test_the_commit_that_the_task_names_is_none(self, repo: Path, git: Run) -> None:
        named = git("rev-parse", "main")
        manifest = TASK.replace("*.json", "*.jsonl").replace("git: base", f"git: {named}")
        commit(repo, git, {"b": "1"})
        commit(repo, git, {"gate.yaml": manifest, "a.py": "x", "recordings/1.jsonl": session(named)})
        assert first(repo, base="HEAD~1").notices == ()

    def test_a_fixture_starts_from_no_commit(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("*.json", "*.jsonl").replace("{git: base}", '{files: {a.py: "x"}}')
        commit(repo, git, {"gate.yaml": manifest, "recordings/1.jsonl": session("c" * 40)})
        assert first(repo).notices == ()


def test_a_format_without_a_real_sample_is_said(repo: Path, git: Run) -> None:
    goose = {"id": "s", "working_dir": "/w", "conversation": [{"role": "user", "created": 1, "content": []}]}
    commit(repo, git, {"gate.yaml": TASK, "a.py": "x", "recordings/1.json": goose})
    (notice,) = first(repo).notices
    assert (notice.severity, notice.kind, notice.path) == ("notice", "unverified", "recordings/1.json")
    assert notice.message == (
        "The recording recordings/1.json is unverified: the reader of goose was built without a real sample of its "
        "edits."
    )


def test_what_a_reader_left_out_is_said(repo: Path, git: Run) -> None:
    lines = [
        {"type": "session", "id": "s", "version": 3, "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"},
        {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "hi"}},
        *({"type": kind, "id": kind, "parentId": None} for kind in ("odd", "odder")),
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    commit(repo, git, {"gate.yaml": TASK.replace("*.json", "*.jsonl"), "a.py": "x", "recordings/1.jsonl": text})
    (notice,) = first(repo).notices
    assert (notice.severity, notice.kind, notice.path) == ("notice", "dropped", "recordings/1.jsonl")
    assert notice.message == (
        "Of the recording recordings/1.jsonl 2 parts were left out: line 3 is of the type 'odd', which this reader "
        "does not know"
    )


REQUIRED = "policy: {require_recording: %s}\n"
MISSING = (
    "fail: A recording is required and missing: `require_recording: all`; this change adds or modifies no recording at "
    "recordings/*.json. Add the agent's recording to the change, at recordings/*.json, or give one with `gate run "
    "--recording FILE`."
)


class TestRequired:
    """Recordings that the policy wants."""

    def test_of_every_task_that_names_its_own(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK + SECOND + REQUIRED % "all", "a.py": "x"})
        assert verdicts(plan(repo)) == {"one": [MISSING], "two": []}

    def test_one_that_is_there(self, repo: Path, git: Run) -> None:
        manifest = TASK + SECOND + REQUIRED % "all"
        commit(repo, git, {"gate.yaml": manifest, "a.py": "x", "recordings/1.json": recording()})
        assert verdicts(plan(repo)) == {
            "one": ["pass: There is a recording, recordings/1.json: `require_recording: all`."],
            "two": [],
        }

    def test_where_no_task_in_scope_names_any_every_one_is_asked(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("workspace:", 'scope: ["docs/**"]\n    workspace:') + SECOND + REQUIRED % "all"
        commit(repo, git, {"gate.yaml": manifest, "a.py": "x"})
        assert verdicts(plan(repo)) == {
            "one": [],
            "two": [
                "fail: A recording is required and missing: `require_recording: all`; the task names no recording "
                "(`trajectory`). Name where its recordings lie with `trajectory` in the manifest, or give one with "
                "`gate run --recording FILE`."
            ],
        }

    def test_one_given_by_the_caller_is_enough(self, repo: Path, git: Run, tmp_path: Path) -> None:
        commit(repo, git, {"gate.yaml": TASK + SECOND + REQUIRED % "all", "a.py": "x"})
        write(tmp_path, {"given.json": recording()})
        found = verdicts(plan(repo, given=("../given.json",)))
        assert found["one"] == found["two"] == ["pass: There is a recording, ../given.json: `require_recording: all`."]

    @pytest.mark.parametrize(
        ("wanted", "message", "outcome"),
        [
            ("{authors: [test@example.org]}", "m", Outcome.FAIL),
            ("{authors: ['*[bot]']}", "m", None),
            ("{trailers: ['Co-authored-by: Claude*']}", "m\n\nCo-Authored-By: Claude <c@x>", Outcome.FAIL),
            ("{trailers: [Agent]}", "m", None),
        ],
    )
    def test_of_whoever_made_the_commits(
        self, repo: Path, git: Run, wanted: str, message: str, outcome: Outcome | None
    ) -> None:
        commit(repo, git, {"gate.yaml": TASK + REQUIRED % wanted, "a.py": "x"}, message)
        assert [verdict.outcome for verdict in first(repo).verdicts] == ([outcome] if outcome else [])

    def test_of_a_pull_request_with_a_label(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK + REQUIRED % "{labels: [ai]}", "a.py": "x"})
        event = Event(name="pull_request", payload={"pull_request": {"labels": [{"name": "ai"}]}})
        assert [verdict.outcome for verdict in first(repo, event=event).verdicts] == [Outcome.FAIL]

    def test_in_the_hook_files_can_be_there_and_authors_are_not_known(self, repo: Path, git: Run) -> None:
        write(repo, {"gate.yaml": TASK + REQUIRED % "all", "a.py": "x"})
        git("add", "-A")
        assert verdicts(plan(repo, hook=True)) == {"one": [MISSING]}
        write(repo, {"gate.yaml": TASK + REQUIRED % "{authors: ['*']}"})
        git("add", "-A")
        assert verdicts(plan(repo, hook=True)) == {
            "one": [
                "skip: whether a recording is required cannot be told yet: nothing is committed yet, so that nobody "
                "knows authors and trailers"
            ]
        }

    def test_notes_cannot_be_there_before_a_commit(self, repo: Path, git: Run) -> None:
        write(repo, {"gate.yaml": TASK.replace("recordings/*.json", "{notes: agent}") + REQUIRED % "all"})
        git("add", "-A")
        assert verdicts(plan(repo, hook=True)) == {
            "one": ["skip: the change is not committed yet, and git notes belong to commits"]
        }

    def test_a_fixture_without_one_fails_and_cannot_be_judged(self, repo: Path, git: Run) -> None:
        manifest = TASK.replace("{git: base}", '{files: {a.py: "x"}}') + REQUIRED % "all"
        commit(repo, git, {"gate.yaml": manifest})
        task = first(repo)
        assert [verdict.outcome for verdict in task.verdicts] == [Outcome.FAIL]
        assert task.kind == "no_recording"

    def test_a_task_that_cannot_be_read_is_that_error_alone(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK.replace("git: base", "git: nowhere") + REQUIRED % "all", "a.py": "x"})
        task = first(repo)
        assert (task.verdicts, task.kind) == ((), "workspace")

    def test_the_base_s_policy_counts(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK + REQUIRED % "all"})
        git("branch", "-qf", "main")
        commit(repo, git, {"gate.yaml": TASK, "a.py": "x"})
        with Review(Asked(change=diff.Request(base="main")), repo) as review:
            assert verdicts(Intake(review).plan()) == {"one": [MISSING]}

    def test_checking_files_as_they_lie_there_asks_nothing(self, repo: Path) -> None:
        write(repo, {"gate.yaml": TASK + REQUIRED % "all"})
        with Review.of_working_tree(Asked(change=diff.Request(everything=True)), repo) as review:
            assert verdicts(Intake(review).plan()) == {"one": []}

    def test_outside_of_git(self, tmp_path: Path) -> None:
        write(tmp_path, {"gate.yaml": TASK.replace("{git: base}", "{dir: .}") + REQUIRED % "all"})
        found = plan(tmp_path, everything=True)
        assert [verdict.outcome for verdict in found.tasks[0].verdicts] == [Outcome.FAIL]


class TestMistakes:
    """What ends a plan, and what is one task's alone."""

    def test_an_unknown_task(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK, "a.py": "x"})
        with pytest.raises(UsageError) as caught:
            plan(repo, only=("ones",))
        assert caught.value.message == "there is no task 'ones' in gate.yaml; did you mean `one`?"

    def test_the_same_id_in_a_document(self, repo: Path, git: Run) -> None:
        document: dict[str, Any] = {"id": "one", "name": "", "description": "", "prompt": "", "workspace": {"a.py": ""}}
        document["oracles"] = [{"type": "assertion_exists", "path": "a.py", "pattern": "x"}]
        manifest = TASK + "  - {task: t.json, trajectory: recordings/1.json}\n"
        commit(repo, git, {"gate.yaml": manifest, "t.json": document, "recordings/1.json": recording()})
        one, other = plan(repo).tasks
        assert (one.problem, other.problem) == ("", "a task 'one' stands above; ids must differ")

    def test_a_broken_task_out_of_scope_is_a_warning(self, repo: Path, git: Run) -> None:
        commit(repo, git, {"gate.yaml": TASK + "  - {task: none.json, scope: [docs]}\n", "a.py": "x"})
        out = plan(repo).tasks[1]
        assert (out.in_scope, out.problem, [notice.severity for notice in out.notices]) == (False, "", ["warning"])
