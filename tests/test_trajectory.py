"""The one vocabulary."""

from gate.trajectory import Ok, Step, Trajectory


def test_a_step_says_nothing_that_was_not_recorded() -> None:
    step = Step(number=1)
    assert (step.ok, step.edits, step.commands, step.known, step.source) == (Ok.UNKNOWN, (), (), True, "agent")


def test_what_is_asked_of_a_recording_is_asked_once() -> None:
    trajectory = Trajectory(format="x", steps=())
    numbers = iter(range(9))
    assert [trajectory.once("number", lambda: next(numbers)) for _ in range(3)] == [0, 0, 0]
    assert trajectory.once("other", lambda: next(numbers)) == 1
    assert trajectory == Trajectory(format="x", steps=())
