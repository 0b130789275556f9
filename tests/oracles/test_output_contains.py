"""`output_contains`: the last thing said holds a text, or does not."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.output_contains import OutputContains
from tests.oracles.talks import LOST, NOTHING, said, says, shell, talk, user


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(OutputContains(substring="done"), talk(said("All Done.")), "The output contains 'done'", id="case"),
        pytest.param(OutputContains(value="a"), talk(said("a"), shell("ls")), "The output contains 'a'", id="then a call"),
        pytest.param(
            OutputContains(value="a", turn=1), talk(user("x"), said("a"), user("y"), said("b")),
            "The output contains 'a'", id="the output of a turn",
        ),
        pytest.param(
            OutputContains(value="x", negate=True), talk(said("y")), "The output does not contain 'x'", id="turned round"
        ),
    ],
)  # fmt: skip
def test_passes(oracle: OutputContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            OutputContains(value="done"), NOTHING,
            "error output: The output does not contain 'done': there is no output", id="nothing was done",
        ),
        pytest.param(
            OutputContains(value="done", turn=2), NOTHING,
            "error output: The output does not contain 'done': there is no output", id="a turn of nothing",
        ),
        pytest.param(
            OutputContains(value="a"), talk(said("a"), said("b")), "error output: The output does not contain 'a'",
            id="said before",
        ),
        pytest.param(
            OutputContains(value="A", case_sensitive=True), talk(said("a")),
            "error output: The output does not contain 'A'", id="case that matters",
        ),
        pytest.param(
            OutputContains(value="a"), talk(said("b"), said("a", agent="sub")),
            "error output: The output does not contain 'a'", id="a sub-agent said it",
        ),
        pytest.param(
            OutputContains(value="a", negate=True), talk(said("ba")), "error output: The output contains 'a'",
            id="turned round",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: OutputContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            OutputContains(value="a", negate=True), talk(said("b"), dropped=(LOST,)),
            "the recording could not be read whole: line 3 is no JSON", id="a part is lost",
        ),
        pytest.param(
            OutputContains(value="a", turn=1), talk(said("a")),
            "the recording has no word of a person, so it has no turns", id="no turns",
        ),
    ],
)  # fmt: skip
def test_cannot_judge(oracle: OutputContains, trial: Trial, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        says(oracle, trial)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        pytest.param({}, "Expected exactly one of `substring` and `value`", id="neither"),
        pytest.param({"value": "a", "substring": "a"}, "Expected exactly one of `substring` and `value`", id="both"),
        pytest.param({"value": ""}, "Expected a text that is not empty: every text contains the empty one", id="empty"),
        pytest.param({"value": "a", "scope": "until"}, "Expected `turn` beside `scope`", id="a scope of no turn"),
    ],
)
def test_refused(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        OutputContains(**parameters)  # type: ignore[arg-type]


def test_only_turned_round_it_holds_untouched() -> None:
    assert not OutputContains(value="a").holds_untouched
    assert OutputContains(value="a", negate=True).holds_untouched
