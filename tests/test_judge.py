"""From which commit the judge is read where the base has moved on since the change was cut."""

from pathlib import Path

import pytest

from gate.asked import Asked
from gate.changes import diff
from gate.intake import Intake
from gate.review import Review
from tests.conftest import Git as Run
from tests.reviewing import commit

LAX = b"version: 1\ntasks:\n  - {id: a, oracles: [{type: diff_empty}]}\n"
STRICT = LAX + b"  - {id: b, oracles: [{type: no_network}]}\n"


def notices(root: Path, request: diff.Request) -> tuple[list[str], list[tuple[str, str]], str | None]:
    """The ids of the tasks, what is told of the judge, and the commit of the start tree."""
    with Review(Asked(change=request), root) as review:
        plan = Intake(review).plan()
        told = [(notice.kind, notice.message) for notice in plan.notices]
        assert review.change is not None
        return [task.id for task in plan.tasks], told, review.change.base


@pytest.fixture
def root(tmp_path: Path, git: Run) -> Path:
    """`topic` is cut from `main` before the manifest becomes strict there, and is checked out."""
    git("init", "-q", "-b", "main")
    root = tmp_path / "repo"
    commit(git, root, {"gate.yaml": LAX, "a.py": b"a"})
    git("branch", "cut")
    git("checkout", "-q", "-b", "topic")
    commit(git, root, {"a.py": b"b"})
    git("checkout", "-q", "main")
    commit(git, root, {"gate.yaml": STRICT})
    git("checkout", "-q", "topic")
    return root


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(diff.Request(base="main"), id="--base"),
        pytest.param(diff.Request(base="main", ci=True), id="--base in CI"),
        pytest.param(diff.Request(base="main", everything=True), id="--diff all"),
        pytest.param(diff.Request(from_ref="main", to_ref="topic", ci=True), id="refs of pre-commit in CI"),
        pytest.param(diff.Request(), id="upstream"),
    ],
)
def test_an_old_branch_is_judged_by_the_tip(root: Path, git: Run, request_: diff.Request) -> None:
    git("branch", "-q", "--set-upstream-to=main", "topic")
    cut, tip = git("rev-parse", "cut", "main").split()
    tasks, told, base = notices(root, request_)
    message = (
        f"The judge has moved on since this change was cut from {cut[:12]}: gate.yaml; the version of base {tip[:12]} "
        "judges it."
    )
    assert (tasks, told, base) == (["a", "b"], [("moved_on", message)], cut)


def test_where_nothing_moved_nothing_is_said(root: Path) -> None:
    assert notices(root, diff.Request(base="cut"))[:2] == (["a"], [])


def test_only_what_the_change_does_is_told_as_its_own(root: Path, git: Run) -> None:
    commit(git, root, {"gate.yaml": b"version: 1\npolicy: {on_empty: fail}\n" + LAX.removeprefix(b"version: 1\n")})
    tasks, told, _ = notices(root, diff.Request(base="main"))
    assert tasks == ["a", "b"]
    assert [(kind, message.partition(":")[2]) for kind, message in told if kind == "judge_weakened"] == []
    assert [kind for kind, _ in told if kind != "judge_together"] == ["moved_on", "judge_changed", "judge_altered"]
    assert told[2][1] == "This change sets: `policy.on_empty` goes from 'pass' to 'fail'."


def test_a_manifest_that_came_since_is_found(root: Path, git: Run) -> None:
    git("checkout", "-q", "cut")
    commit(git, root, {"gate.yaml": None})
    first = git("rev-parse", "HEAD")
    late = commit(git, root, {"gate.yaml": STRICT})
    git("checkout", "-q", "-b", "older", first)
    commit(git, root, {"a.py": b"c"})
    assert notices(root, diff.Request(base=late, ci=True))[0] == ["a", "b"]
