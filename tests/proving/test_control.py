"""Controls as values: which oracle stands how, on golden input and on none."""

from collections.abc import Mapping
from typing import Any

import pytest

from gate import deadline
from gate.catalogue import Catalogue
from gate.document import Document
from gate.golden import Control, Golden
from gate.plan import Plan, Planned
from gate.proving.control import Asking, run
from gate.scoring import Scoring
from gate.standing import PAIR, Controlled, Standing
from gate.task import Inline, Setup, State, Task
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree
from tests.judges import scoring

START = MemoryTree({"a.txt": b"one\n"})
PATCH = b"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
SAID = Trajectory(
    format="atif", steps=(Step(number=1, source="user", message="Go"), Step(number=2, message="Done two"))
)


def task(*oracles: dict[str, Any], golden: Golden | None = None, name: str = "t", **more: Any) -> Planned:
    listed = list(oracles)
    found = Catalogue().decode_all(Document(listed, ""), listed, ())
    whole = Task(id=name, workspace=Inline({}), oracles=found, state=State.REPLAY, golden=golden, **more)
    return Planned(id=name, in_scope=True, scope="", task=whole, start=START)


def one(planned: Planned, control: Control, asking: Asking | None = None, plan: Plan | None = None) -> Controlled:
    (found,) = run(plan or Plan(tasks=(planned,), change="", judge=""), [planned], control, asking)
    return found


def standings(found: Controlled) -> list[str]:
    return [proof.standing.value for proof in found.proofs]


TWO = {"type": "file_contains", "path": "a.txt", "value": "two"}
METRIC = {"type": "custom_metrics", "assertions": [{"metric": "n", "min": 1}]}
ABSENT = {"type": "custom_metrics", "path": "m.json", "assertions": [{"metric": "n", "absent": True}]}

NOT_APPLICABLE: Mapping[str, dict[str, Any]] = {
    "tool_calls": {"disallowed": ["Bash"]},
    "skill_invocation": {"disallowed": ["x"]},
    "system_event": {"disallowed": ["error"]},
    "output_not_contains": {"value": "x"},
    "output_not_matches": {"pattern": "x"},
    "output_contains": {"value": "x", "negate": True},
    "transcript_not_contains": {"value": "x"},
    "transcript_not_matches": {"pattern": "x"},
    "file_not_exists": {"path": "x"},
    "file_not_contains": {"path": "*", "value": "x"},
    "file_not_matches": {"path": "*", "pattern": "x"},
    "file_exists": {"path": "x", "negate": True},
    "diff_not_contains": {"value": "x"},
    "diff_empty": {},
    "max_repeat": {"max": 1},
    "loop_outcome": {"max_acceptable_retries": 0},
    "custom_metrics": {"assertions": [{"metric": "n", "absent": True}]},
    "token_budget": {"max": 1},
    "tool_call_count": {"max": 1},
    "step_count": {"max": 1},
    "turn_count": {"max": 1},
    "error_count": {"max": 1},
    "wall_time": {"max": "1s"},
}


@pytest.mark.parametrize("kind", NOT_APPLICABLE)
def test_an_absence_says_nothing_on_the_baseline(kind: str) -> None:
    found = one(task({"type": kind, **NOT_APPLICABLE[kind]}), Control.BASELINE)
    assert (standings(found), found.ok, found.advice) == (["not_applicable"], True, PAIR)


PRESENT: Mapping[str, dict[str, Any]] = {
    "tool_calls": {"required": ["Bash"], "disallowed": ["x"]},
    "tool_call_count": {"min": 1, "max": 5},
    "loop_outcome": {"max_acceptable_retries": 0, "should_loop": True},
    "output_contains": {"value": "x"},
    "output_not_contains": {"value": "x", "negate": True},
    "turn_count": {"min": 1, "max": 2, "turn": 2},
    "completed": {"turn": 1, "scope": "since"},
    "diff_contains": {"value": "x"},
    "file_not_contains": {"path": "a.txt", "value": "one"},
}


@pytest.mark.parametrize("kind", PRESENT)
def test_what_must_be_there_fails_on_the_baseline(kind: str) -> None:
    found = one(task({"type": kind, **PRESENT[kind]}), Control.BASELINE)
    assert (standings(found), found.ok, found.score) == (["holds"], True, 0.0)


def test_what_passes_untouched_or_cannot_judge_is_told_apart() -> None:
    broken = {"type": "file_matches", "path": "a.txt", "pattern": "("}
    found = one(task({"type": "file_exists", "path": "a.txt"}, broken, TWO), Control.BASELINE)
    assert (standings(found), found.ok) == (["trivial", "error", "holds"], False)
    assert found.proofs[0].evidence == "There is a.txt"


@pytest.mark.parametrize(
    ("golden", "oracles", "expected"),
    [
        pytest.param(Golden(custom_metrics={"n": 3}), [METRIC], ["holds"], id="golden ones, withheld"),
        pytest.param(None, [METRIC], ["error"], id="none to withhold"),
        pytest.param(None, [ABSENT, METRIC], ["not_applicable", "error"], id="only to be absent"),
        pytest.param(Golden(patch=PATCH), [ABSENT], ["not_applicable"], id="only to be absent, beside a patch"),
        pytest.param(
            None, [{**ABSENT, "path": "custom_metrics.json"}, METRIC], ["error", "error"], id="one file of both"
        ),
    ],
)
def test_metrics_on_the_baseline(golden: Golden | None, oracles: list[dict[str, Any]], expected: list[str]) -> None:
    found = one(task({"type": "diff_empty"}, *oracles, golden=golden), Control.BASELINE)
    assert standings(found) == ["not_applicable", *expected]


def test_on_golden_input_all_must_pass() -> None:
    fails = {"type": "file_contains", "path": "a.txt", "value": "three"}
    found = one(task(TWO, fails, METRIC, golden=Golden(patch=PATCH)), Control.GOLDEN)
    assert (standings(found), found.ok) == (["holds", "fails", "error"], False)
    assert found.score == pytest.approx(1 / 3)
    assert found.diff.endswith(b"@@ -1 +1 @@\n-one\n+two\n")


def test_weights_count_in_the_score() -> None:
    fails = {"type": "file_contains", "path": "a.txt", "value": "three"}
    weighed = task(TWO, {**fails, "name": "heavy"}, golden=Golden(patch=PATCH), scoring=Scoring(named={"heavy": 3.0}))
    assert one(weighed, Control.GOLDEN).score == 0.25


def test_an_oracle_is_left_out_where_it_says_so() -> None:
    found = one(task({**TWO, "control": "none"}, TWO, golden=Golden(patch=PATCH)), Control.GOLDEN)
    assert standings(found) == ["left_out", "holds"]
    assert found.proofs[0].reason == "`control: none`: it is meant to hold before and after"


def test_what_golden_input_does_not_serve_is_refused_or_left_out() -> None:
    served = task(TWO, {"type": "completed"}, golden=Golden(patch=PATCH))
    refused = one(served, Control.GOLDEN)
    assert (refused.kind, refused.proofs) == ("unserved", ())
    left = one(served, Control.GOLDEN, Asking(rejects=False))
    assert (standings(left), left.ok) == (["holds", "left_out"], True)


def test_a_golden_trajectory_serves_it() -> None:
    oracles: list[dict[str, Any]] = [TWO, {"type": "output_contains", "value": "two", "turn": 1}]
    found = one(task(*oracles, golden=Golden(patch=PATCH, trajectory=SAID)), Control.GOLDEN)
    assert standings(found) == ["holds", "holds"]


def test_a_model_sees_the_patch_as_the_run_s_output_and_not_as_what_to_compare_with() -> None:
    seen = task({"type": "prompt", "evidence": ["trajectory", "golden_patch"]}, golden=Golden(patch=PATCH))
    plan = Plan(tasks=(seen,), change="", judge="", consultant=scoring(5))
    assert standings(one(seen, Control.GOLDEN, plan=plan)) == ["holds"]
    more = Golden(patch=PATCH, command="echo more > more.txt")
    circular = task({"type": "prompt", "evidence": ["golden_patch"]}, golden=more)
    found = one(circular, Control.GOLDEN, plan=plan)
    assert found.proofs[0].evidence == (
        "Nothing of the run is left to judge by: golden_patch: it is the output itself, which proves nothing"
    )


def test_without_commands_what_needs_them_is_left_out() -> None:
    plan = Plan(tasks=(), change="", judge="", commands=False)
    made = task(TWO, golden=Golden(command="true"))
    assert one(made, Control.GOLDEN, plan=plan).omitted == "its golden input is a command, and this run starts none"
    assert one(made, Control.BASELINE, plan=plan).ok
    ready = task(TWO, golden=Golden(patch=PATCH), setup=(Setup(command="true"),))
    omitted = "its workspace is made by commands, and this run starts none"
    assert one(ready, Control.GOLDEN, plan=plan).omitted == omitted
    asks = task(TWO, {"type": "run_command", "command": "true"}, golden=Golden(patch=PATCH))
    assert standings(one(asks, Control.GOLDEN, plan=plan)) == ["holds", "left_out"]


def test_one_that_cannot_be_run_stops_no_other() -> None:
    tasks = [
        task(TWO, golden=Golden(patch=PATCH.replace(b"-one", b"-1")), name="no patch"),
        Planned(id="broken", in_scope=True, scope="", problem="it is broken", kind="type"),
        task(TWO, name="no golden input"),
        task(TWO, golden=Golden(patch=PATCH), name="good"),
    ]
    found = run(Plan(tasks=tuple(tasks), change="", judge=""), tasks, Control.GOLDEN)
    assert [(each.id, each.ok, each.readable, each.kind) for each in found] == [
        ("no patch", False, True, "patch"),
        ("broken", False, False, "type"),
        ("no golden input", False, True, "no_golden"),
        ("good", True, True, ""),
    ]


def test_where_the_time_is_up_nothing_is_proved() -> None:
    with deadline.limit(0.000001):
        found = one(task(TWO, golden=Golden(patch=PATCH)), Control.GOLDEN)
    assert (found.ok, found.kind) == (False, "time_limit")


def test_grading_may_be_skipped() -> None:
    found = one(task(TWO, {"type": "completed"}, golden=Golden(patch=PATCH)), Control.GOLDEN, Asking(graded=False))
    assert (found.ok, found.proofs, found.graded) == (True, (), False)
    assert found.after is not None
    assert found.after.read("a.txt") == b"two\n"


def test_whose_work_a_change_is_no_control_can_tell() -> None:
    found = one(task(TWO, {"type": "explained"}, golden=Golden(patch=PATCH)), Control.GOLDEN)
    assert [proof.name for proof in found.proofs] == ["file_contains"]
    assert found.count(Standing.HOLDS) == 1
