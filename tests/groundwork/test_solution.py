"""Golden input at work, start workspaces made ready, and what programs leave."""

import sys
from typing import Any

import pytest

from gate.catalogue import Catalogue
from gate.command import Shell
from gate.document import Document
from gate.golden import Golden
from gate.groundwork.preparation import Prepared
from gate.groundwork.solution import Solved, Work, solve, unserved, with_metrics
from gate.oracle import Oracle
from gate.oracles.completed import Completed
from gate.oracles.file_exists import FileExists
from gate.oracles.output_contains import OutputContains
from gate.task import Setup
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree, Tree


def decoded(value: dict[str, Any]) -> Oracle:
    return Catalogue().decode(Document(value, ""), value, ())


START = MemoryTree({"app/a.py": b"one\n", "app/b.py": b"b\n"})
PATCH = b"--- a/app/a.py\n+++ b/app/a.py\n@@ -1 +1 @@\n-one\n+two\n"


def contents(tree: Tree | None) -> dict[str, bytes]:
    assert tree is not None
    return {path: tree.read(path) for path in tree.paths()}


def one(golden: Golden, *, start: Tree = START, folder: str = "", metrics: tuple[str, ...] = ()) -> Solved:
    (found,) = solve([Work(start=start, golden=golden, folder=folder, metrics=metrics)])
    return found


def test_patch_then_command_then_metrics() -> None:
    golden = Golden(patch=PATCH, command="cp a.py seen && rm b.py && echo done", custom_metrics={"speed": 3})
    found = one(golden, folder="app", metrics=("custom_metrics.json", "out/m.json"))
    metrics = b'{\n  "speed": 3\n}\n'
    placed = {"app/custom_metrics.json": metrics, "app/out/m.json": metrics}
    assert contents(found.after) == {"app/a.py": b"two\n", "app/seen": b"two\n", **placed}
    assert contents(found.before) == {"app/a.py": b"one\n", "app/b.py": b"b\n", **placed}
    assert found.printed == b"done\n"


def test_one_task_that_cannot_be_solved_does_not_stop_the_others() -> None:
    wrong = Golden(patch=PATCH.replace(b"-one", b"-1"), patch_name="fix.patch")
    broken = Prepared(START, [Setup(command="exit 7")], Shell())
    works = [
        Work(start=START, golden=wrong),
        Work(start=broken, golden=Golden(patch=PATCH)),
        Work(start=START, golden=Golden(patch=PATCH)),
    ]
    found = solve(works)
    assert [each.problem for each in found] == [
        "fix.patch does not apply: hunk 1 of app/a.py (line 1) does not apply: it expects '1', which is not there; "
        "nothing there is like it",
        "command 1 of the environment 'exit 7' exited 7",
        "",
    ]
    assert contents(found[2].after)["app/a.py"] == b"two\n"


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        pytest.param(
            "echo no >&2; exit 3", "the golden command 'echo no >&2; exit 3' exited 3; it printed last: no", id="fails"
        ),
        pytest.param(
            "no-such-program",
            "the golden command 'no-such-program' exited 127; it printed last: /bin/sh: 1: no-such-program: not found",
            id="is not there",
        ),
        pytest.param(
            "sleep 30 & exit 0",
            "the golden command 'sleep 30 & exit 0' left a process running; it must do all of its work before it ends",
            id="leaves a process",
        ),
    ],
)
def test_a_golden_command_that_does_not_do_its_work(command: str, problem: str) -> None:
    if "left a process" in problem and sys.platform != "linux":
        pytest.skip("orphans are seen on Linux alone")
    assert one(Golden(command=command)) == Solved(problem=problem, kind="golden_command")


def test_the_golden_command_starts_in_the_folder_of_the_task() -> None:
    assert one(Golden(command="true"), folder="none").problem == "the workspace has no folder none to run a command in"


def test_metrics_outside_of_the_workspace_are_refused() -> None:
    found = one(Golden(custom_metrics={}), metrics=("../m.json",))
    assert found == Solved(problem="'../m.json' leads out of the workspace", kind="path_escape")


def test_oracles_say_where_they_look_for_metrics() -> None:
    speed = {"metric": "speed", "min": 1}
    found = decoded(
        {"type": "any-of", "oracles": [{"type": "custom-metrics", "path": "m.json", "assertions": [speed]}]}
    )
    assert found.metrics_paths == ("m.json",)
    assert decoded({"type": "custom-metrics", "assertions": [speed]}).metrics_paths == ("custom_metrics.json",)
    assert decoded({"type": "diff-empty"}).metrics_paths == ()


def test_metrics_that_nobody_reads_are_not_placed() -> None:
    assert with_metrics(START, (), {"a": 1}) is START


MESSAGE = Step(number=1, source="agent", message="done")


@pytest.mark.parametrize(
    ("golden", "sentence"),
    [
        pytest.param(
            Golden(patch=PATCH),
            "these graders look at what an agent said and did, and golden input has none of it: says, completed; add a "
            "`golden_trajectory`",
            id="no trajectory",
        ),
        pytest.param(
            None,
            "these graders look at what an agent said and did, and golden input has none of it: says, completed; add a "
            "`golden_trajectory`",
            id="no golden input",
        ),
        pytest.param(
            Golden(trajectory=Trajectory(format="atif", steps=(MESSAGE,))),
            "these graders look at single turns, and golden input has none of it: says; add a step of the user to the "
            "golden trajectory",
            id="nobody says anything",
        ),
        pytest.param(
            Golden(trajectory=Trajectory(format="atif", steps=(Step(number=1, source="user"), MESSAGE))),
            "",
            id="all there",
        ),
    ],
)
def test_graders_that_golden_input_does_not_serve(golden: Golden | None, sentence: str) -> None:
    says = OutputContains(name="says", value="done", turn=1)
    assert unserved([FileExists(path="a"), says, Completed()], golden) == sentence
