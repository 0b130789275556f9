"""`token_budget`: the tokens of a run, within its limits."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.token_budget import TokenBudget
from gate.trajectory import Tokens
from tests.oracles.talks import LOST, NOTHING, said, says, talk, user

RUN = talk(said("a", tokens_in=100, tokens_out=20), said("b", tokens_in=30, agent="sub"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(TokenBudget(max=150), RUN, "150 tokens, at most 150 tokens allowed", id="just so many"),
        pytest.param(TokenBudget(max=0), NOTHING, "0 tokens, at most 0 tokens allowed", id="nothing was done"),
        pytest.param(
            TokenBudget(min=100, max=200), RUN, "150 tokens, at least 100 tokens and at most 200 tokens allowed", id="between"
        ),
        pytest.param(TokenBudget(max=9), talk(said("a"), tokens=Tokens(8, 1)), "9 tokens, at most 9 tokens allowed", id="of the run"),
        pytest.param(
            TokenBudget(max=5, turn=2), talk(user("x"), said("a", tokens_in=90), user("y"), said("b", tokens_in=1)),
            "1 token, at most 5 tokens allowed", id="of a turn",
        ),
    ],
)  # fmt: skip
def test_passes(oracle: TokenBudget, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(TokenBudget(max=149), RUN, "error too_many: 150 tokens, at most 149 tokens allowed", id="too many"),
        pytest.param(
            TokenBudget(min=1, max=10), NOTHING, "error too_few: 0 tokens, at least 1 token expected", id="nothing was done"
        ),
    ],
)  # fmt: skip
def test_fails(oracle: TokenBudget, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        pytest.param(talk(said("a")), "the recording does not tell how many tokens were used", id="no numbers"),
        pytest.param(
            talk(user("x"), said("a"), user("y"), said("b"), tokens=Tokens(1, 1)),
            "the recording does not tell how many tokens were used", id="numbers of the whole run only",
        ),
        pytest.param(
            talk(user("x"), said("a", tokens_in=1), dropped=(LOST,)),
            "the recording could not be read whole: line 3 is no JSON", id="a part is lost",
        ),
    ],
)  # fmt: skip
def test_cannot_judge(trial: Trial, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        says(TokenBudget(max=9, turn=1 if trial.transcript.turns else None), trial)
    assert caught.value.message == message


def test_only_a_limit_above_holds_untouched() -> None:
    assert TokenBudget(max=1).holds_untouched
    assert TokenBudget(min=0, max=1).holds_untouched
    assert not TokenBudget(min=1, max=1).holds_untouched


def test_limits_that_nothing_can_keep_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected `min` to be at most `max`$"):
        TokenBudget(min=2, max=1)
