"""Eval specs, and the environments and weights in them."""

from typing import Any

import pytest

from gate.catalogue import Catalogue
from gate.desk import Desk, Drafted
from gate.errors import TaskError
from gate.formats.eval_spec import EvalSpec
from gate.oracle import type_name
from gate.reference import References, Text, Value
from gate.scoring import Scoring
from gate.source import Source
from gate.task import Environment, FileFrom, Repository, Revision, Setup, State
from gate.tree import MemoryTree

ONE = "stimuli:\n  - name: add\n    graders: [{type: diff-empty}]\n"


def drafts(text: str, **files: str) -> list[Drafted]:
    held = {"evals/eval.yaml": text, **{name.replace("__", "/"): content for name, content in files.items()}}
    tree = MemoryTree({name: content.encode() for name, content in held.items()})
    return list(EvalSpec().tasks("evals/eval.yaml", Desk(Source("base", tree), Catalogue())))


def one(text: str, **files: str) -> Any:
    """The only task of a spec."""
    (found,) = drafts(text, **files)
    assert found.task is not None, found.problem
    return found.task


WHOLE = """\
name: demo
description: What it is about.
version: "1.0"
type: capability
area: payments
tags: {team: core}
environment: {commands: [make ready], commandTimeout: 2m, env: {A: 1, B: true}, skills: [../x]}
defaults: {runs: 3, timeout: 2m, model: m, executor: {name: mock}, judge_model: j, judge_reasoning_effort: high}
stimuli:
  - name: add
    prompt: Add.
    tags: {priority: p0}
    rubric: [It is short.]
    environment:
      files:
        - {src: fixtures/a.py, dest: ./src/a.py}
        - {src: ../shared, dest: .}
        - {dest: note.txt, content: hello}
      git: {type: worktree, ref: v1, sparse: [src]}
      env: {B: 2}
      mcpServers: {one: {command: x}}
    constraints: {max_turns: 3, max_tokens: 100, max_duration: 1m, expect_skills: [a], expect_tools: [b]}
    attachments: []
    artifacts: {include: ["*"]}
    simulation: {}
    supported_executors: [mock]
    graders:
      - {type: output-contains, name: says, config: {value: done}, turn: -1, scope: until, weight: 2}
      - {type: prompt, config: {prompt: Is it good?}}
      - {type: file_exists, config: {path: a}}
    golden_patch: {inline: x}
    golden_command: make
    golden_trajectory: {path: golden.json}
    golden_custom_metrics: {inline: {speed: 3}}
scoring: {weights: {output-contains: 0.5, prompt: 0.25}, threshold: 0.75}
"""


def test_a_whole_spec() -> None:
    (found,) = drafts(WHOLE)
    task = found.task
    assert task is not None, found.problem
    assert (found.name, found.path, found.line) == ("add", "evals/eval.yaml", 10)
    assert (task.id, task.prompt, task.description) == ("add", "Add.", "What it is about.")
    assert (task.tags, task.rubric, task.state) == (("team:core", "priority:p0"), ("It is short.",), State.REPLAY)
    assert task.workspace == Environment(
        repository=Repository(ref="v1", sparse=("src",)),
        files=(
            FileFrom(at="src/a.py", source="evals/fixtures/a.py"),
            FileFrom(at="", source="shared"),
            FileFrom(at="note.txt", text="hello"),
        ),
    )
    assert task.setup == (Setup(command="make ready", seconds=120.0),)
    assert task.variables == {"A": "1", "B": "2"}
    says, prompt, exists = task.oracles
    assert [type_name(oracle) for oracle in task.oracles] == ["output_contains", "prompt", "file_exists"]
    assert (says.name, says.turn, says.scope) == ("says", -1, "until")  # type: ignore[attr-defined]
    assert (prompt.rubric, prompt.model, prompt.reasoning_effort) == (("It is short.",), "j", "high")  # type: ignore[attr-defined]
    assert exists.path == "a"  # type: ignore[attr-defined]
    assert task.scoring == Scoring(
        threshold=0.75, weights={"output_contains": 0.5, "prompt": 0.25}, named={"says": 2.0}
    )
    assert found.golden is not None
    assert found.golden.references == References(
        patch=Text(inline="x"),
        command="make",
        trajectory=Value(path="golden.json"),
        custom_metrics=Value(inline={"speed": 3}),
    )
    assert (found.golden.folder, found.golden.where, found.golden.prefix) == ("evals", "evals/eval.yaml:10", "golden_")


def test_what_is_left_out_has_a_default() -> None:
    task = one(ONE)
    assert task.workspace == Environment()
    assert (task.setup, task.scoring, task.state) == ((), None, State.REPLAY)
    assert drafts(ONE)[0].golden is None


@pytest.mark.parametrize(
    ("root", "stimulus", "expected"),
    [
        pytest.param("{commands: [a, b]}", "{commands: [c]}", (["c"], {}, 60.0), id="a list is replaced"),
        pytest.param("{commands: [a]}", "{commands: []}", ([], {}, 60.0), id="also by an empty one"),
        pytest.param("{env: {A: 1, B: 2}}", "{env: {B: 3}}", ([], {"A": "1", "B": "3"}, 60.0), id="a map is merged"),
        pytest.param(
            "{commands: [a], commandTimeout: 500ms}",
            "{env: {A: x}}",
            (["a"], {"A": "x"}, 0.5),
            id="what is not said stays",
        ),
        pytest.param(
            "{commands: [a], commandTimeout: 2m}", "{commandTimeout: 5}", (["a"], {}, 5.0), id="the nearer limit"
        ),
    ],
)
def test_how_environments_are_merged(root: str, stimulus: str, expected: object) -> None:
    task = one(f"environment: {root}\n" + ONE.replace("name: add", f"name: add\n    environment: {stimulus}"))
    limit = task.setup[0].seconds if task.setup else 60.0
    assert ([step.command for step in task.setup], dict(task.variables), limit) == expected


def test_an_environment_of_the_project_lies_below_the_one_of_the_spec() -> None:
    text = "agent_environment: base\nenvironment: {env: {A: 2}}\n" + ONE
    project = "environments:\n  base: {files: [{src: shared/x, dest: x}], env: {A: 1, B: 1}}\n"
    task = one(text, **{".vally.yaml": project})
    assert task.workspace == Environment(files=(FileFrom(at="x", source="shared/x"),))
    assert task.variables == {"A": "2", "B": "1"}


def test_the_nearest_project_counts() -> None:
    far, near = ("environments: {base: {env: {A: far}}}", "environments: {base: {env: {A: near}}}")
    task = one("environment: base\n" + ONE, **{".vally.yaml": far, "evals__.vally.yaml": near})
    assert task.variables == {"A": "near"}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        pytest.param("{git: {type: worktree}}", (Revision("base"), State.HEAD), id="this repository"),
        pytest.param(
            "{git: {type: worktree}, commands: [a]}",
            (Environment(repository=Repository()), State.REPLAY),
            id="this repository made ready",
        ),
        pytest.param(
            "{git: {type: clone, url: ../../other, ref: main, shallow: true}}",
            (Environment(repository=Repository(url="../other", ref="main")), State.REPLAY),
            id="another repository",
        ),
        pytest.param(
            "{git: {type: clone, url: 'file:///srv/other'}}",
            (Environment(repository=Repository(url="file:///srv/other")), State.REPLAY),
            id="one by its address",
        ),
    ],
)
def test_repositories(environment: str, expected: object) -> None:
    task = one(ONE.replace("name: add", f"name: add\n    environment: {environment}"))
    assert (task.workspace, task.state) == expected


def test_aliases_are_read() -> None:
    task = one(
        "stimuli:\n  - name: add\n    environment: &env {env: &vars {A: 1}}\n    graders: [&g {type: diff-empty}, *g]\n"
    )
    assert (len(task.oracles), task.variables) == (2, {"A": "1"})


def test_a_broken_stimulus_leaves_the_others() -> None:
    text = (
        ONE
        + "  - {name: typo, graders: [{type: diff-emty}]}\n  - {prompt: x}\n"
        + ONE.partition("\n")[2].replace("add", "last")
    )
    found = drafts(text)
    assert [draft.name for draft in found] == ["add", "typo", "stimuli[2]", "last"]
    assert [draft.problem for draft in found] == [
        "",
        "evals/eval.yaml:4: `stimuli[1].graders[0].type`: there is no oracle 'diff-emty'; did you mean `diff_empty`?",
        "evals/eval.yaml:5: `stimuli[2]`: `name` is missing",
        "",
    ]


def stimulus(more: str) -> str:
    return ONE.replace("name: add", f"name: add\n    {more}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(
            stimulus("golden_patches: x"),
            "evals/eval.yaml:3: `stimuli[0].golden_patches`: unknown key; did you mean `golden_patch`?",
            id="an unknown key",
        ),
        pytest.param(
            stimulus("whatever: x"),
            "evals/eval.yaml:3: `stimuli[0].whatever`: unknown key; known here: `agent_environment`, `artifacts`, "
            "`attachments`, `constraints`, `description`, `environment`, `golden_command`, `golden_custom_metrics`, "
            "`golden_patch`, `golden_trajectory`, `graders`, `name`, `prompt`, `rubric`, `simulation`, "
            "`supported_executors`, `tags`",
            id="another unknown key",
        ),
        pytest.param(
            "stimuli: [{name: add, graders: []}]",
            "evals/eval.yaml:1: `stimuli[0].graders`: there is no grader, so nothing would be asked",
            id="no grader",
        ),
        pytest.param(
            "stimuli: [{name: ' ', graders: [{type: diff-empty}]}]",
            "evals/eval.yaml:1: `stimuli[0].name`: expected a name, found nothing",
            id="no name",
        ),
        pytest.param(
            "stimuli: [{name: add, graders: [{type: file-exists, config: {path: a}, turn: 1}, "
            "{type: diff-empty, name: nothing, scope: until}, {type: completed, turn: 1}]}]",
            "evals/eval.yaml:1: `stimuli[0].graders`: these graders cannot be narrowed to a turn (they look at the "
            "workspace): file-exists, nothing; take `turn` and `scope` out",
            id="turns of the workspace",
        ),
        pytest.param(
            "stimuli: [{name: add, graders: [{type: diff-empty, weight: 2}]}]",
            "evals/eval.yaml:1: `stimuli[0].graders[0].weight`: a weight that is not negative needs a `name` beside it",
            id="a weight of nobody",
        ),
        pytest.param(
            stimulus("environment: {files: [{src: a}]}"),
            "evals/eval.yaml:3: `stimuli[0].environment.files[0]`: `dest` is missing",
            id="a file without a place",
        ),
        pytest.param(
            stimulus("environment: {files: [{src: a, content: b, dest: c}]}"),
            "evals/eval.yaml:3: `stimuli[0].environment.files[0]`: expected exactly one of `src` and `content`, found both",
            id="a file of two",
        ),
        pytest.param(
            stimulus("environment: {files: [{src: ../../a, dest: c}]}"),
            "evals/eval.yaml:3: `stimuli[0].environment.files[0].src`: ../../a leads out of the repository",
            id="a file of nobody",
        ),
        pytest.param(
            stimulus("environment: {git: {type: checkout}}"),
            "evals/eval.yaml:3: `stimuli[0].environment.git.type`: expected `worktree` or `clone`, found 'checkout'",
            id="a repository of no kind",
        ),
        pytest.param(
            stimulus("environment: {git: {type: clone}}"),
            "evals/eval.yaml:3: `stimuli[0].environment.git`: a clone needs a `url`",
            id="a clone of nothing",
        ),
        pytest.param(
            stimulus("environment: {commandTimeout: soon}"),
            "evals/eval.yaml:3: `stimuli[0].environment.commandTimeout`: expected a time such as `90s`, `2m` or `500ms`, "
            "found 'soon'",
            id="no time",
        ),
        pytest.param(
            stimulus("environment: other"),
            "evals/eval.yaml:3: `stimuli[0].environment`: there is no environment 'other' in .vally.yaml; it has `base`",
            id="an environment that is not there",
        ),
    ],
)
def test_what_is_wrong_with_a_stimulus(text: str, problem: str) -> None:
    (found,) = drafts(text, **{".vally.yaml": "environments: {base: {}}"})
    assert found.problem == problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "evals/eval.yaml: expected an eval spec as a mapping, found nothing", id="empty"),
        pytest.param("stimuli: []", "evals/eval.yaml:1: `stimuli`: there is no stimulus in the list", id="no stimulus"),
        pytest.param("name: x", "evals/eval.yaml:1: `stimuli` is missing", id="no stimuli"),
        pytest.param(
            ONE + "config: {}\ndefaults: {}\n",
            "evals/eval.yaml:4: `config`: stands beside `defaults`, which is its newer name; keep one of them",
            id="two defaults",
        ),
        pytest.param(
            ONE + "scoring: {threshold: 2}\n",
            "evals/eval.yaml:4: `scoring.threshold`: expected a number from 0 to 1, found 2",
            id="too much",
        ),
        pytest.param(
            ONE + "scoring: {weights: {diff-emty: 1}}\n",
            "evals/eval.yaml:4: `scoring.weights.diff-emty`: there is no grader 'diff-emty'",
            id="a weight of no grader",
        ),
        pytest.param(
            ONE + "scoring: {weights: {diff-empty: -1}}\n",
            "evals/eval.yaml:4: `scoring.weights.diff-empty`: expected a number that is not negative, found -1",
            id="a negative weight",
        ),
        pytest.param(
            "environment: base\n" + ONE,
            "evals/eval.yaml:1: `environment`: the environment 'base' is named, and there is no .vally.yaml here or above "
            "that holds it",
            id="no project",
        ),
        pytest.param("a: *x", "evals/eval.yaml:1: there is no &x above", id="an alias of nothing"),
    ],
)
def test_what_is_wrong_with_a_spec(text: str, message: str) -> None:
    with pytest.raises(TaskError) as caught:
        drafts(text)
    assert caught.value.message == message


def test_a_spec_that_is_not_there() -> None:
    with pytest.raises(TaskError) as caught:
        list(EvalSpec().tasks("none.yaml", Desk(Source("base", MemoryTree({})), Catalogue())))
    assert caught.value.message == "the eval spec cannot be read: none.yaml: there is no such file in base"
