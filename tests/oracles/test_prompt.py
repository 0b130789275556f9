"""`prompt`: one model scores the run."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.prompt import Prompt
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree
from tests.judges import says as judged_by
from tests.judges import scoring
from tests.oracles.talks import says


def _trial(told: object = 5, *steps: Step, **more: object) -> Trial:
    tree = MemoryTree({})
    recording = Trajectory(format="test", steps=steps or (Step(number=1, message="done"),))
    consultant = scoring(told, **more)
    return Trial(before=tree, after=tree, replayed=False, trajectory=recording, consultant=consultant)


def _nothing() -> Trial:
    tree = MemoryTree({})
    return Trial(before=tree, after=tree, replayed=False, trajectory=Trajectory(format="test", steps=()))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            Prompt(), _trial(3), "0.50 of 1, at least 0.5 expected (judged by a model, not deterministic)", id="just enough"
        ),
        pytest.param(
            Prompt(rubric=("a", "b"), threshold=0.6, model="m"), _trial({"m": {"1": 5, "2": 3}}),
            "0.75 of 1, at least 0.6 expected (judged by m, not deterministic)", id="the mean of two criteria",
        ),
        pytest.param(
            Prompt(), _trial(5, model="default"), "1.00 of 1, at least 0.5 expected (judged by default, not deterministic)",
            id="the model of the manifest",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: Prompt, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            Prompt(), _trial(2), "error judged: 0.25 of 1, at least 0.5 expected (judged by a model, not deterministic)",
            id="too little",
        ),
        pytest.param(
            Prompt(), _nothing(),
            "error no_evidence: Nothing of the run is left to judge by: trajectory: nothing is recorded",
            id="nothing was done, and nobody is asked",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: Prompt, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_the_reasons_are_told() -> None:
    [finding] = Prompt(rubric=("It works.",)).judge(_trial(2))
    assert finding.details == "1: 2 (It works.) so"


def test_a_command_that_fails_is_an_error_and_is_not_asked_again() -> None:
    tree = MemoryTree({})
    recording = Trajectory(format="test", steps=(Step(number=1, message="done"),))
    consultant = judged_by("print('no')")
    trial = Trial(before=tree, after=tree, replayed=False, trajectory=recording, consultant=consultant)
    with pytest.raises(CannotJudge, match=r"^the answer of the judge command cannot be read: "):
        says(Prompt(), trial)
