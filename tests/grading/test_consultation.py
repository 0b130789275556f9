"""The evidence that a model is shown, and the request that it gets."""

import json
from typing import Any

import msgspec
import pytest

from gate.errors import CannotJudge
from gate.grading.consultation import Exhibit, case, consult, same_change, shown
from gate.grading.opinion import Scoring
from gate.oracle import Need, Trial
from gate.oracles.prompt import Prompt
from gate.trajectory import Trajectory
from gate.tree import MemoryTree
from tests.judges import says
from tests.oracles.talks import LOST, NOTHING, STRAY, said, shell, talk, user

PATCH = b"--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


def _trial(*, after: bytes = b"x = 2\n", golden: bytes | None = None, circular: bool = False, **more: Any) -> Trial:
    steps = tuple(msgspec.structs.replace(step, number=1) for step in (said("done"),))
    return Trial(
        before=MemoryTree({"calc.py": b"x = 1\n"}),
        after=MemoryTree({"calc.py": after}),
        replayed=False,
        trajectory=Trajectory(format="test", steps=steps),
        golden_patch=golden,
        circular=circular,
        **more,
    )


def _prompt(*evidence: str, **more: Any) -> Prompt:
    return Prompt(evidence=tuple(map(Exhibit, evidence)), **more)


def test_a_transcript_as_a_model_reads_it() -> None:
    seen = talk(user("Look."), shell("ls", "a.py"), said("There."), dropped=(LOST, STRAY)).transcript
    assert shown(seen) == {
        "prompts": [{"turn": 1, "text": "Look."}],
        "answers": [
            {
                "step": 1,
                "turn": 1,
                "agent": "",
                "texts": [],
                "calls": [{"tool": "bash", "arguments": {"command": "ls"}, "result": "a.py", "ok": "yes"}],
            },
            {"step": 2, "turn": 1, "agent": "", "texts": ["There."], "calls": []},
        ],
        "output": "There.",
        "not_counted": ["steps[3] cites 'a'"],
        "not_read": ["line 3 is no JSON"],
    }


@pytest.mark.parametrize(
    ("oracle", "trial", "left", "missing"),
    [
        pytest.param(_prompt("trajectory"), _trial(), ["trajectory"], (), id="trajectory"),
        pytest.param(_prompt("trajectory"), NOTHING, [], ("trajectory: nothing is recorded",), id="none"),
        pytest.param(_prompt("diff"), _trial(), ["diff"], (), id="diff"),
        pytest.param(_prompt("diff"), _trial(after=b"x = 1\n"), [], ("diff: nothing is changed",), id="no diff"),
        pytest.param(_prompt("repo"), _trial(), ["repo"], (), id="repo"),
        pytest.param(
            _prompt("trajectory", "golden_patch"), _trial(after=b"x = 3\n", golden=PATCH),
            ["trajectory", "golden_patch"], (), id="a golden patch to compare with",
        ),
        pytest.param(
            _prompt("golden_patch"), _trial(golden=PATCH), [],
            ("golden_patch: it is the output itself, which proves nothing",), id="a golden patch that is the output",
        ),
        pytest.param(
            _prompt("golden_patch"), _trial(after=b"x = 3\n", golden=PATCH, circular=True), [],
            ("golden_patch: it is the output itself, which proves nothing",), id="a trial made from it",
        ),
        pytest.param(_prompt("golden_patch"), _trial(), [], ("golden_patch: the task has none",), id="no golden patch"),
    ],
)  # fmt: skip
def test_evidence(oracle: Prompt, trial: Trial, left: list[str], missing: tuple[str, ...]) -> None:
    found = case(oracle, trial)
    given = {name: value for name, value in msgspec.structs.asdict(found.given).items() if value is not None}
    assert (list(given), found.missing) == (left, missing)
    assert found.empty is not bool({"trajectory", "diff", "repo"} & set(given))


def test_a_golden_patch_alone_is_nothing_of_the_run() -> None:
    assert case(_prompt("golden_patch"), _trial(after=b"x = 3\n", golden=PATCH)).empty


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(PATCH, True, id="the same"),
        pytest.param(b"diff --git a/calc.py b/calc.py\nindex 1..2 100644\n" + PATCH, True, id="with git's own lines"),
        pytest.param(PATCH.replace(b"-x = 1", b" y\n-x = 1").replace(b"@@ -1 +1 @@", b"@@ -1,2 +1,2 @@"), True, id="more context"),
        pytest.param(PATCH.replace(b"x = 2", b"x = 3"), False, id="another line"),
        pytest.param(PATCH.replace(b"calc", b"cold"), False, id="another file"),
    ],
)  # fmt: skip
def test_same_change(other: bytes, *, same: bool) -> None:
    assert same_change(PATCH, other) is same


def _asked(oracle: Prompt, trial: Trial) -> dict[str, Any]:
    """What the command reads, which it says as the reason of its score."""
    scores = consult(oracle, trial, case(oracle, trial), model=oracle.model, criteria=oracle.from_rubric)
    found: dict[str, Any] = json.loads(next(iter(scores.values())).reason)
    return found


ECHO = """
import json, os, sys
request = json.load(sys.stdin)
request["files"] = {
    os.path.join(folder, name): open(os.path.join(folder, name)).read()
    for folder, _, names in os.walk(".") for name in names
}
scores = {one["name"]: {"score": request["most"], "reason": json.dumps(request)} for one in request["criteria"]}
print(json.dumps({"scores": scores}))
"""


def test_the_request_as_a_command_reads_it() -> None:
    trial = _trial(
        after=b"x = 3\n", golden=PATCH, consultant=says(ECHO, model="m", reasoning_effort="low"), prompt="Fix it."
    )
    oracle = _prompt(
        "diff", "golden_patch", "repo", rubric=("It works.",), prompt="Be strict.", scoring=Scoring.BINARY, model="mine"
    )  # fmt: skip
    assert _asked(oracle, trial) == {
        "version": 1,
        "task": "Fix it.",
        "prompt": "Be strict.",
        "criteria": [{"name": "1", "description": "It works."}],
        "scoring": "binary",
        "least": 0,
        "most": 1,
        "model": "mine",
        "reasoning_effort": "low",
        "evidence": {
            "trajectory": None,
            "diff": trial.diff.decode(),
            "golden_patch": "evidence/golden-patch.patch",
            "repo": "repo",
        },
        "files": {"./evidence/golden-patch.patch": PATCH.decode(), "./repo/calc.py": "x = 3\n"},
    }


def test_without_a_rubric_the_run_is_scored_as_a_whole() -> None:
    asked = _asked(_prompt("trajectory"), _trial(consultant=says(ECHO)))
    assert asked["criteria"] == [{"name": "overall", "description": "How well does the run do what the task asks for?"}]
    assert (asked["least"], asked["most"], asked["model"]) == (1, 5, None)


def test_nobody_to_ask() -> None:
    with pytest.raises(CannotJudge) as caught:
        _asked(_prompt("diff"), _trial())
    assert caught.value.message == (
        "nobody can be asked: name the command that asks a model in the manifest, `judge: {command: [...]}`"
    )


def test_too_much_evidence() -> None:
    trial = _trial(after=b"x" * (17 * 1024 * 1024), consultant=says(ECHO))
    with pytest.raises(CannotJudge, match="are shown to a model; select less of it"):
        _asked(_prompt("diff"), trial)


@pytest.mark.parametrize(
    ("oracle", "needs", "reads"),
    [
        pytest.param(_prompt("trajectory"), frozenset({Need.COMMANDS, Need.RECORDING}), False, id="trajectory"),
        pytest.param(_prompt("diff"), frozenset({Need.COMMANDS}), True, id="diff"),
        pytest.param(_prompt("trajectory", "repo"), frozenset({Need.COMMANDS, Need.RECORDING}), True, id="both"),
    ],
)
def test_what_it_needs_follows_from_its_evidence(oracle: Prompt, needs: frozenset[Need], *, reads: bool) -> None:
    assert (oracle.needs, oracle.reads_tree, oracle.deterministic) == (needs, reads, False)
    assert Prompt.needs == {Need.COMMANDS, Need.RECORDING}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({"evidence": ()}, "Expected `evidence` with at least one part", id="no evidence"),
        pytest.param({"rubric": ("",)}, "Expected criteria in `rubric` that are not empty", id="an empty criterion"),
        pytest.param({"reasoning_effort": " "}, "Expected `reasoning_effort` that is not empty", id="an empty effort"),
        pytest.param(
            {"evidence": (Exhibit.DIFF,), "turn": 1}, "Expected `trajectory` among the `evidence` beside `turn`",
            id="a turn of no trajectory",
        ),
    ],
)  # fmt: skip
def test_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Prompt(**parameters)
