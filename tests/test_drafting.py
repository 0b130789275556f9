"""Entries of a manifest with several tasks, from the manifest to the plan."""

import json
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.errors import ManifestError
from gate.intake import Intake
from gate.plan import Plan, Planned
from gate.policy import Judge
from gate.report import Outcome, Report
from gate.review import Review
from gate.run import run
from tests.conftest import Git as Run
from tests.test_intake import commit, write

SPEC = """\
stimuli:
  - name: add
    environment: {files: [{src: app, dest: .}]}
    graders: [{type: file-contains, config: {path: a.py, value: new}}]
    golden_patch: {path: add.patch}
  - name: sub
    environment: {files: [{src: app/a.py, dest: b.py}]}
    graders: [{type: file-exists, config: {path: b.py}}]
"""
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+new\n"


def steps(path: str, content: str) -> dict[str, object]:
    return {"steps": [{"tool": "write_file", "args": {"path": path, "content": content}}]}


def plan(root: Path, judge: Judge | None = Judge.HEAD) -> Plan:
    with Review(Asked(change=diff.Request(base="HEAD~1"), judge=judge), root) as review:
        return Intake(review).plan()


def report(root: Path, *, commands: bool = True) -> Report:
    asked = Asked(change=diff.Request(base="HEAD~1"), judge=Judge.HEAD, commands=commands)
    with Review(asked, root) as review:
        return run(Intake(review).plan())


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    git("init", "-q")
    root = tmp_path / "repo"
    write(
        root,
        {
            "evals/eval.yaml": SPEC,
            "evals/app/a.py": "old\n",
            "evals/add.patch": PATCH,
            "rec/add.json": steps("a.py", "new\n"),
            "rec/sub.json": steps("b.py", "new\n"),
        },
    )
    git("add", "-A")
    git("commit", "-qm", "first")
    git("checkout", "-q", "-b", "work")
    return root


def tasks(root: Path, git: Run, entry: str, **files: object) -> tuple[Planned, ...]:
    text = f"version: 1\ntasks:\n  - {{spec: evals/eval.yaml, {entry}}}\n"
    commit(root, git, {"gate.yaml": text, **files})
    return plan(root).tasks


def seen(found: tuple[Planned, ...]) -> list[tuple[str, bool, list[str]]]:
    return [(task.id, task.in_scope, [recorded.path for recorded in task.recordings]) for task in found]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param('trajectory: "rec/{name}.json", scope: ["src/{name}/**"]', id="by {name}"),
        pytest.param(
            'trajectory: {add: rec/add.json, sub: rec/sub.json}, scope: {add: ["src/add/**"], sub: ["src/sub/**"]}',
            id="by mapping",
        ),
    ],
)
def test_every_stimulus_has_its_own_recording_and_scope(repo: Path, git: Run, entry: str) -> None:
    found = tasks(repo, git, entry, **{"src/add/x": "1"})
    assert seen(found) == [("add", True, ["rec/add.json"]), ("sub", False, [])]


def test_every_stimulus_is_judged_on_its_own_environment(repo: Path, git: Run) -> None:
    commit(repo, git, {"gate.yaml": "version: 1\ntasks: [{spec: evals/eval.yaml, trajectory: 'rec/{name}.json'}]\n"})
    assert [(task.id, task.outcome) for task in report(repo).tasks] == [("add", Outcome.PASS), ("sub", Outcome.PASS)]


def test_golden_input_is_read_from_the_judge_and_counts_as_its_file(repo: Path, git: Run) -> None:
    commit(repo, git, {"gate.yaml": "version: 1\ntasks: [{spec: evals/eval.yaml, trajectory: 'rec/{name}.json'}]\n"})
    commit(repo, git, {"evals/add.patch": "nothing"})
    found = plan(repo, judge=None)
    assert found.tasks[0].task is not None
    assert found.tasks[0].task.golden is not None
    assert found.tasks[0].task.golden.patch == PATCH.encode()
    assert any("evals/add.patch" in notice.message for notice in found.notices)


def test_a_broken_stimulus_leaves_the_other_one(repo: Path, git: Run) -> None:
    found = tasks(
        repo, git, 'trajectory: "rec/{name}.json"', **{"evals/eval.yaml": SPEC.replace("value: new", "valeu: new")}
    )
    assert [(task.id, task.problem) for task in found] == [
        ("add", "evals/eval.yaml:4: `stimuli[0].graders[0].valeu`: unknown key; did you mean `value`?"),
        ("sub", ""),
    ]


def test_a_broken_spec_is_one_broken_task_in_the_scope_of_all(repo: Path, git: Run) -> None:
    found = tasks(repo, git, 'scope: ["src/{name}/**"]', **{"evals/eval.yaml": "stimuli: []", "src/x/y": "1"})
    assert [(task.id, task.in_scope, task.problem, task.path) for task in found] == [
        ("eval", True, "evals/eval.yaml:1: `stimuli`: there is no stimulus in the list", "gate.yaml")
    ]


def test_a_recording_of_a_task_that_is_not_there(repo: Path, git: Run) -> None:
    with pytest.raises(ManifestError) as caught:
        tasks(repo, git, "trajectory: {ad: rec/add.json}")
    assert caught.value.message == (
        "gate.yaml:3: `tasks[0].trajectory`: there is no task 'ad' in evals/eval.yaml; did you mean `add`?"
    )


def without_lines(entry: dict[str, object]) -> str:
    """A manifest in JSON with a character that YAML refuses."""
    allow = [{"oracle": "diff_empty", "reason": "\x7f"}]
    return json.dumps({"version": 1, "tasks": [entry], "allow": allow}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param(
            {"id": "one", "oracles": [{"type": "file_exists"}]},
            "gate.yaml: `tasks[0].oracles[0]`: `path` is missing",
            id="an oracle",
        ),
        pytest.param(
            {"spec": "evals/eval.yaml", "trajectory": {"ad": "rec/add.json"}},
            "gate.yaml: `tasks[0].trajectory`: there is no task 'ad' in evals/eval.yaml; did you mean `add`?",
            id="a stranger",
        ),
    ],
)
def test_where_json_tells_no_line_the_file_alone_is_named(
    repo: Path, git: Run, entry: dict[str, object], message: str
) -> None:
    commit(repo, git, {"gate.yaml": without_lines(entry)})
    with pytest.raises(ManifestError) as caught:
        plan(repo)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param({"golden": {}}, "gate.yaml: `golden`: expected at least one of ", id="golden input"),
        pytest.param(
            {"state": "replay"}, "gate.yaml: a task with `state: replay` needs a `trajectory`", id="recording"
        ),
        pytest.param({"workspace": {"dir": "no"}}, "gate.yaml: `workspace.dir`: ", id="a folder"),
        pytest.param(
            {"workspace": {"files": {"../a": ""}}}, "gate.yaml: `workspace.files`: '../a' leads ", id="a file"
        ),
    ],
)
def test_nor_does_a_task_written_in_it(repo: Path, git: Run, entry: dict[str, object], message: str) -> None:
    task = {"id": "one", "oracles": [{"type": "diff_empty"}], "trajectory": "rec/add.json", **entry}
    if "state" in entry:
        del task["trajectory"]
    commit(repo, git, {"gate.yaml": without_lines(task)})
    (planned,) = plan(repo).tasks
    assert planned.problem.startswith(message)


def test_golden_input_of_a_task_in_the_manifest(repo: Path, git: Run) -> None:
    text = (
        "version: 1\ntasks:\n  - id: one\n    golden: {patch: evals/add.patch, custom_metrics: {inline: {a: 1}}}\n"
        "    oracles: [{type: file_exists, path: a.py, control: none}]\n"
    )
    commit(repo, git, {"gate.yaml": text})
    (task,) = (planned.task for planned in plan(repo).tasks)
    assert task is not None
    assert task.golden is not None
    assert (task.golden.patch_name, task.golden.custom_metrics) == ("evals/add.patch", {"a": 1})
    assert task.oracles[0].control == "none"


def test_golden_input_that_is_not_there_is_the_tasks_error(repo: Path, git: Run) -> None:
    text = "version: 1\ntasks: [{id: one, golden: {patch: no.patch}, oracles: [{type: diff-empty}]}]\n"
    commit(repo, git, {"gate.yaml": text})
    (task,) = plan(repo).tasks
    assert task.problem.startswith(
        "gate.yaml:2: `golden.patch`: the file cannot be read: no.patch: there is no such file in "
    )


def test_without_commands_a_workspace_that_they_make_ready_is_left_out(repo: Path, git: Run) -> None:
    spec = SPEC.replace("files: [{src: app, dest: .}]", "files: [{src: app, dest: .}], commands: [echo new > a.py]")
    commit(
        repo,
        git,
        {
            "evals/eval.yaml": spec,
            "gate.yaml": "version: 1\ntasks: [{spec: evals/eval.yaml, trajectory: {add: rec/sub.json, sub: rec/sub.json}}]\n",
        },
    )
    without = report(repo, commands=False)
    assert [(verdict.outcome, verdict.reason) for verdict in without.tasks[0].verdicts] == [
        (Outcome.SKIP, "its workspace is made ready by commands, and this run starts none")
    ]
    assert report(repo).tasks[0].outcome is Outcome.PASS
