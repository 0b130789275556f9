"""`system_event`: events that the harness recorded, and events that it did not."""

import pytest

from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.oracles.system_event import SystemEvent
from gate.patterns.jsregex import JsPattern
from gate.trajectory import SystemEvent as Recorded
from tests.oracles.talks import NOTHING, said, says, talk

RUN = talk(said("a"), events=(Recorded(kind="compaction"), Recorded(kind="message")))


def _oracle(*, required: str = "", disallowed: str = "") -> SystemEvent:
    return SystemEvent(
        required=(JsPattern(required),) if required else (), disallowed=(JsPattern(disallowed),) if disallowed else ()
    )


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(_oracle(required="^comp"), RUN, "System events: compaction, message", id="there"),
        pytest.param(_oracle(disallowed="error"), RUN, "System events: compaction, message", id="not there"),
        pytest.param(_oracle(disallowed="error"), NOTHING, "System events: none", id="nothing was done"),
    ],
)
def test_passes(oracle: SystemEvent, trial: Trial, message: str) -> None:
    assert says(oracle, trial) == [message]


@pytest.mark.parametrize(
    ("oracle", "trial", "messages"),
    [
        pytest.param(
            _oracle(required="pruning"), NOTHING,
            ["error event_missing: No system event matches 'pruning'; recorded: none"], id="nothing was done",
        ),
        pytest.param(
            _oracle(required="pruning", disallowed="comp"), RUN,
            [
                "error event_missing: No system event matches 'pruning'; recorded: compaction, message",
                "error event_disallowed: The system event compaction matches 'comp'",
            ],
            id="one missing, one too many",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: SystemEvent, trial: Trial, messages: list[str]) -> None:
    assert says(oracle, trial) == messages


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(
            _oracle(disallowed="a"), "recordings of the format test tell nothing of system events", id="no events"
        ),
        pytest.param(
            _oracle(required="("),
            "the pattern '(' is not a valid regular expression of JavaScript: a `(` without its `)` at character 1",
            id="not valid",
        ),
    ],
)
def test_cannot_judge(oracle: SystemEvent, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        says(oracle, talk(said("a")))
    assert caught.value.message == message


def test_only_what_is_disallowed_holds_untouched() -> None:
    assert _oracle(disallowed="a").holds_untouched
    assert not _oracle(required="b", disallowed="a").holds_untouched


def test_asking_for_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Expected `required` or `disallowed` with at least one event$"):
        SystemEvent()
