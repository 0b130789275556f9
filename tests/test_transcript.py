"""What graders see of a recording, and how it is narrowed to turns."""

import pytest

from gate.errors import CannotJudge
from gate.trajectory import Ok, SystemEvent
from gate.transcript import Answer, Call, Prompt, Scope, Skill, Transcript


def _answer(
    number: int, turn: int, *texts: str, calls: tuple[Call, ...] = (), agent: str = "", time: str = ""
) -> Answer:
    return Answer(number=number, turn=turn, texts=texts, calls=calls, agent=agent, times=(time,) if time else ())


def _call(tool: str, arguments: dict[str, object] | None = None, **more: object) -> Call:
    return Call(number=1, step=1, turn=1, tool=tool, arguments=arguments or {}, **more)  # type: ignore[arg-type]


TALK = Transcript(
    answers=(_answer(1, 0, "hello"), _answer(2, 1, "one"), _answer(3, 2, "two"), _answer(4, 3, "three")),
    prompts=(Prompt(turn=1, text="a"), Prompt(turn=2, text="b"), Prompt(turn=3, text="c")),
    events=(SystemEvent(kind="compaction", turn=2),),
)


@pytest.mark.parametrize(
    ("turn", "scope", "messages"),
    [
        pytest.param(None, Scope.TURN, ("hello", "one", "two", "three"), id="all"),
        pytest.param(1, Scope.TURN, ("one",), id="the first"),
        pytest.param(2, Scope.TURN, ("two",), id="one in the middle"),
        pytest.param(-1, Scope.TURN, ("three",), id="the last"),
        pytest.param(-3, Scope.TURN, ("one",), id="counted from the end"),
        pytest.param(2, Scope.UNTIL, ("hello", "one", "two"), id="until"),
        pytest.param(2, Scope.SINCE, ("two", "three"), id="since"),
    ],
)
def test_turns(turn: int | None, scope: Scope, messages: tuple[str, ...]) -> None:
    assert TALK.narrowed(turn, scope).messages == messages


def test_events_belong_to_turns() -> None:
    assert [len(TALK.narrowed(turn).events) for turn in (1, 2, 3)] == [0, 1, 0]


@pytest.mark.parametrize(
    ("seen", "turn", "message"),
    [
        pytest.param(TALK, 4, "the recording has 3 turns, and none of them is turn 4", id="too late"),
        pytest.param(TALK, -4, "the recording has 3 turns, and none of them is turn -4", id="too early"),
        pytest.param(TALK, 0, "the recording has 3 turns, and none of them is turn 0", id="turns count from 1"),
        pytest.param(
            Transcript(answers=(_answer(1, 1),), prompts=(Prompt(turn=1, text=""),)),
            2,
            "the recording has 1 turn, and none of them is turn 2",
            id="one",
        ),
        pytest.param(
            Transcript(answers=(_answer(1, 0, "x"),)),
            1,
            "the recording has no word of a person, so it has no turns",
            id="nobody spoke",
        ),
    ],
)
def test_a_turn_that_is_not_there(seen: Transcript, turn: int, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        seen.narrowed(turn)
    assert caught.value.message == message


def test_nothing_at_all_stays_nothing() -> None:
    nothing = Transcript()
    assert nothing.narrowed(3) == nothing
    assert (nothing.empty, nothing.output, nothing.used, nothing.seconds, nothing.ended) == (
        True,
        "",
        (0, 0),
        0.0,
        False,
    )


def test_what_sub_agents_say_is_not_said_to_the_person() -> None:
    seen = Transcript(answers=(_answer(1, 1, "mine"), _answer(2, 1, "its", agent="sub")))
    assert (seen.messages, seen.output) == (("mine",), "mine")


@pytest.mark.parametrize(
    ("call", "names"),
    [
        pytest.param(_call("Skill", {"skill": "pdf"}), ["pdf"], id="Claude Code"),
        pytest.param(_call("Skill", {"command": "/review fast"}), ["review"], id="with arguments"),
        pytest.param(_call("activate_skill", {"name": "pdf"}), ["pdf"], id="Gemini CLI"),
        pytest.param(_call("skill", {"name": "git-release"}), ["git-release"], id="opencode"),
        pytest.param(_call("shell", {}, commands=("cat ~/.codex/skills/pdf/SKILL.md",)), ["pdf"], id="its file is read"),
        pytest.param(_call("Read", {"file_path": "/a/.claude/skills/x.y/SKILL.md"}), ["x.y"], id="by a tool"),
        pytest.param(_call("Write", {"path": "skills/pdf/SKILL.md"}, paths=("skills/pdf/SKILL.md",)), [], id="written"),
        pytest.param(_call("bash", {"command": "ls skills"}), [], id="none"),
    ],
)  # fmt: skip
def test_skills(call: Call, names: list[str]) -> None:
    seen = Transcript(answers=(_answer(1, 1, calls=(call,)),))
    assert seen.skills == tuple(Skill(name, 1) for name in names)


def test_errors_are_failed_calls_and_what_the_harness_says() -> None:
    calls = (_call("bash", ok=Ok.NO), _call("bash", ok=Ok.UNKNOWN))
    events = (SystemEvent(kind="error", text="overloaded"), SystemEvent(kind="compaction"))
    seen = Transcript(answers=(_answer(1, 1, calls=calls),), events=events)
    assert seen.errors == ("overloaded", "call 1 (bash) failed")


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        pytest.param(("2026-01-01T10:00:00Z", "2026-01-01T10:00:02.5+00:00"), 2.5, id="ISO"),
        pytest.param(("2026-01-01 10:00:00", "2026-01-01 10:01:00"), 60.0, id="without a zone"),
        pytest.param(("1767261600000", "1767261601000"), 1.0, id="milliseconds"),
        pytest.param(("1767261600", "1767261601.5"), 1.5, id="seconds"),
        pytest.param(("yesterday", ""), None, id="none"),
        pytest.param(("2026-01-01T10:00:00Z", ""), None, id="one alone tells nothing"),
    ],
)
def test_seconds(times: tuple[str, str], seconds: float | None) -> None:
    seen = Transcript(answers=tuple(_answer(number, 1, "x", time=time) for number, time in enumerate(times, 1)))
    assert seen.seconds == seconds


@pytest.mark.parametrize(
    ("seen", "ended"),
    [
        pytest.param(Transcript(answers=(_answer(1, 0, "done"),)), True, id="it said something last"),
        pytest.param(Transcript(answers=(_answer(1, 0, calls=(_call("submit"),)),)), True, id="it handed in"),
        pytest.param(Transcript(answers=(_answer(1, 0, calls=(_call("bash"),)),)), False, id="stopped at a call"),
        pytest.param(
            Transcript(answers=(_answer(1, 1, "done"),), prompts=(Prompt(turn=1, text=""), Prompt(turn=2, text=""))),
            False,
            id="a prompt without an answer",
        ),
    ],
)
def test_ended(seen: Transcript, ended: bool) -> None:
    assert seen.ended is ended
