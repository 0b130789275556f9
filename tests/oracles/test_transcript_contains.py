"""`transcript_contains`: one of the agent's messages holds a text."""

import pytest

from gate.oracle import Trial
from gate.oracles.transcript_contains import TranscriptContains
from gate.transcript import Scope
from tests.oracles.talks import NOTHING, called, said, says, talk, user

TURNS = talk(user("one"), said("a"), user("two"), said("b"), user("three"), said("c"))


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            TranscriptContains(value="a"), talk(said("A"), said("b")),
            "The transcript contains 'a': message 1 of 2", id="said before",
        ),
        pytest.param(
            TranscriptContains(value="a\nb"), talk(said("a"), said("b")),
            "The transcript contains 'a\\nb': 2 messages", id="over two messages",
        ),
        pytest.param(
            TranscriptContains(value="b", turn=2), TURNS, "The transcript contains 'b': message 1 of 1", id="a turn"
        ),
        pytest.param(
            TranscriptContains(value="a", turn=2, scope=Scope.UNTIL), TURNS,
            "The transcript contains 'a': message 1 of 2", id="until a turn",
        ),
        pytest.param(
            TranscriptContains(value="c", turn=2, scope=Scope.SINCE), TURNS,
            "The transcript contains 'c': message 2 of 2", id="since a turn",
        ),
        pytest.param(
            TranscriptContains(value="c", turn=-1), TURNS, "The transcript contains 'c': message 1 of 1", id="the last turn"
        ),
    ],
)  # fmt: skip
def test_passes(oracle: TranscriptContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            TranscriptContains(value="a"), NOTHING,
            "error transcript: The transcript does not contain 'a': the agent said nothing", id="nothing was done",
        ),
        pytest.param(
            TranscriptContains(value="a", turn=2), TURNS,
            "error transcript: The transcript does not contain 'a': 1 message", id="another turn",
        ),
        pytest.param(
            TranscriptContains(value="a", case_sensitive=True), talk(said("A")),
            "error transcript: The transcript does not contain 'a': 1 message", id="case that matters",
        ),
        pytest.param(
            TranscriptContains(value="a"), talk(user("a"), called("bash", result="a"), said("b")),
            "error transcript: The transcript does not contain 'a': 1 message", id="said by others",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: TranscriptContains, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


def test_nothing_does_not_hold_it() -> None:
    assert not TranscriptContains(value="a").holds_untouched
