"""Which changes own both the judge and the product, in real repositories: first introduction, workflows, CODEOWNERS."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.github import Event
from gate.intake import Intake
from gate.policy import Judge
from gate.report import Severity
from gate.review import Review
from tests.commands.repository import write
from tests.conftest import ROOT, Git

MANIFEST = "version: 1\ntasks:\n  - {task: tasks/a.yaml, scope: [src/**]}\n"
TASK = """\
id: a
name: a
description: ""
prompt: ""
workspace: {a.py: a}
oracles: [{type: diff_empty}]
"""
FLOW, HOOKS = ".github/workflows/gate.yml", ".pre-commit-config.yaml"
CALL = "steps: [{uses: trajectory-gate/trajectory-gate@v1}]\n"
JUDGE = {"gate.yaml": MANIFEST, "tasks/a.yaml": TASK}
FIRST = {**JUDGE, FLOW: CALL, HOOKS: "repos: [{repo: https://github.com/trajectory-gate/trajectory-gate}]\n"}
OWNERS = "* @org\n/gate.yaml @ann\n"


def told(
    root: Path, git: Git, base: Mapping[str, str], head: Mapping[str, str], judge: Judge | None = None
) -> list[tuple[str, str | None]]:
    """The kinds and paths of what is told of the judge, of a change from these files to those beside them."""
    git("init", "-q")
    write(root, {"readme": "a", **base})
    git("add", "-A")
    git("commit", "-qm", "base")
    commit = git("rev-parse", "HEAD")
    write(root, head)
    git("add", "-A")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=commit, ci=True), judge=judge), root) as review:
        return [(note.kind, note.path) for note in Intake(review).plan().notices]


def test_a_submodule_that_no_task_protects(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    write(root, {"readme": "a", **JUDGE})
    git("add", "-A")
    git("commit", "-qm", "base")
    commit = git("rev-parse", "HEAD")
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},libs/x")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=commit, ci=True)), root) as review:
        (note,) = Intake(review).plan().notices
    assert (note.kind, note.path, note.severity) == ("submodule_changed", "libs/x", Severity.WARNING)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param({}, FIRST, [], id="nothing but the judge"),
        pytest.param({}, {**FIRST, "src/a.py": "a"}, [("judge_together", FLOW)], id="and product"),
        pytest.param(
            {FLOW: "steps: [{run: make}]\n"}, FIRST, [], id="in a workflow that did not start the gate before"
        ),
    ],
)
def test_the_first_introduction(
    tmp_path: Path,
    git: Git,
    base: Mapping[str, str],
    head: Mapping[str, str],
    expected: list[tuple[str, str | None]],
) -> None:
    found = told(tmp_path / "repo", git, base, head, Judge.HEAD)
    assert found[0] == ("judge_head", None)
    assert [each for each in found if each[0] == "judge_together"] == expected


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(
            FIRST,
            {FLOW: CALL + "#\n", "src/a.py": "a"},
            [("judge_caller", FLOW), ("judge_together", FLOW)],
            id="workflow that starts the gate, and product",
        ),
        pytest.param(FIRST, {FLOW: CALL + "#\n"}, [("judge_caller", FLOW)], id="such a workflow alone"),
        pytest.param(
            FIRST,
            {".github/workflows/x.yml": "steps: []\n", "src/a.py": "a"},
            [("judge_caller", ".github/workflows/x.yml")],
            id="another workflow, and product",
        ),
        pytest.param(
            {**JUDGE, "Jenkinsfile": "sh 'gate run --base main'"},
            {"Jenkinsfile": "sh 'gate run --judge head'"},
            [("judge_caller", "Jenkinsfile")],
            id="another CI that starts the gate",
        ),
        pytest.param(JUDGE, {"Jenkinsfile": "sh 'make'"}, [], id="another CI that does not"),
        pytest.param(
            {**JUDGE, "CODEOWNERS": OWNERS},
            {"CODEOWNERS": OWNERS + "/gate.yaml @bob\n", "src/a.py": "a"},
            [("judge_owners", "CODEOWNERS"), ("judge_together", "CODEOWNERS")],
            id="another owner of the manifest",
        ),
        pytest.param(
            {**JUDGE, "CODEOWNERS": OWNERS},
            {".github/CODEOWNERS": "* @bob\n"},
            [("judge_owners", ".github/CODEOWNERS")],
            id="another file that counts first",
        ),
        pytest.param(
            {**JUDGE, "CODEOWNERS": OWNERS},
            {"CODEOWNERS": OWNERS + "/src/ @bob\n", "src/a.py": "a"},
            [],
            id="another owner of the product",
        ),
        pytest.param(
            {**JUDGE, "CODEOWNERS": OWNERS}, {"docs/CODEOWNERS": "* @bob\n"}, [], id="a file that does not count"
        ),
    ],
)
def test_what_is_the_judges_besides_its_own_files(
    tmp_path: Path,
    git: Git,
    base: Mapping[str, str],
    head: Mapping[str, str],
    expected: list[tuple[str, str | None]],
) -> None:
    assert told(tmp_path / "repo", git, base, head) == expected


def test_who_owns_the_judge_now_is_said(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    told(root, git, {**JUDGE, "CODEOWNERS": OWNERS}, {"CODEOWNERS": "* @bob\n"})
    with Review(Asked(change=diff.Request(base="HEAD~1", ci=True)), root) as review:
        (notice,) = Intake(review).plan().notices
    assert notice.message == (
        "This change gives gate.yaml and 1 more, which the judge is made of, other owners in CODEOWNERS. Once merged, "
        "these may allow a change of the judge and of what it judges."
    )


def test_whatever_comes_to_lie_in_a_bundle_is_the_judges(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q")
    shutil.copytree(ROOT / "examples/bundle", root, dirs_exist_ok=True)
    git("add", "-A")
    git("commit", "-qm", "base")
    base = git("rev-parse", "HEAD")
    write(root, {"benchmark/tasks/median/golden.patch": "x\n", "src/a.py": "a"})
    git("add", "-A")
    git("commit", "-qm", "head")
    with Review(Asked(change=diff.Request(base=base, ci=True)), root) as review:
        found = [(note.kind, note.path) for note in Intake(review).plan().notices]
    added = "benchmark/tasks/median/golden.patch"
    assert [kind for kind, path in found if path == added] == ["judge_changed", "judge_broken", "judge_together"]


@pytest.mark.parametrize(
    ("owner", "kind"),
    [pytest.param("@ann", "judge_override", id="base"), pytest.param("@bob", "judge_together", id="head")],
)
def test_who_may_allow_both_is_named_by_the_base_even_where_the_head_judges(
    tmp_path: Path, git: Git, owner: str, kind: str
) -> None:
    root = tmp_path / "repo"
    both = {"gate.yaml": f"{MANIFEST}# more\n", "CODEOWNERS": "* @bob\n", "src/a.py": "a"}
    told(root, git, {**JUDGE, "CODEOWNERS": "* @ann\n"}, both, Judge.HEAD)
    head = git("rev-parse", "HEAD")
    payload = {
        "review": {"state": "approved", "user": {"login": owner[1:]}, "commit_id": head},
        "pull_request": {"user": {"login": "agent"}},
    }
    event = Event(name="pull_request_review", payload=payload, head_sha=head)
    asked = Asked(change=diff.Request(base="HEAD~1", ci=True), judge=Judge.HEAD, event=event)
    with Review(asked, root) as review:
        kinds = [note.kind for note in Intake(review).plan().notices]
    assert kinds == ["judge_head", kind]
