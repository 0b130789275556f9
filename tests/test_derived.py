"""A value that a class has, and that its objects have more exactly."""

from typing import Any, ClassVar

from gate.derived import derived


class _Box:
    weight: ClassVar[int] = derived(0, lambda box: len(box.things))

    def __init__(self, *things: Any) -> None:
        self.things = things


def test_the_class_has_the_plain_one_and_an_object_its_own() -> None:
    assert (_Box.weight, _Box().weight, _Box(1, 2).weight) == (0, 0, 2)
