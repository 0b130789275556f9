"""The one vocabulary, and the files that an unknown tool names."""

from typing import Any

import pytest

from gate.trajectory import Ok, Step, Trajectory, named_files

PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@
-*** Delete File: no.py
*** Add File: c d.py
+x
*** End Patch"""
DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\t2024\n+++ b/y.py\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        pytest.param(None, (), id="nothing"),
        pytest.param({"query": "a.py", "pattern": "*.py"}, (), id="no key that means a file"),
        pytest.param({"path": ""}, (), id="an empty name"),
        pytest.param({"path": 5}, (), id="no text"),
        pytest.param({"path": "x" * 5000}, (), id="no name is that long"),
        pytest.param({"text": "see\nfile a.py\n"}, (), id="prose"),
        pytest.param({"path": "a.py", "target_file": "b.py"}, ("a.py", "b.py"), id="two keys"),
        pytest.param({"files": ["a.py", {"path": "b.py"}, "a.py"]}, ("a.py", "b.py"), id="a list"),
        pytest.param({"options": {"file_path": "a.py"}}, ("a.py",), id="deeper"),
        pytest.param({"input": PATCH}, ("src/a.py", "src/b.py", "c d.py"), id="a patch"),
        pytest.param(PATCH, ("src/a.py", "src/b.py", "c d.py"), id="a patch as it is"),
        pytest.param({"diff": DIFF}, ("x.py", "y.py"), id="a diff"),
    ],
)
def test_named_files(arguments: Any, names: tuple[str, ...]) -> None:
    assert named_files(arguments) == names


def test_names_are_not_looked_for_without_end() -> None:
    deep: Any = {"path": "a"}
    for _ in range(5000):
        deep = {"x": deep}
    assert named_files(deep) == ()


def test_a_step_says_nothing_that_was_not_recorded() -> None:
    step = Step(number=1)
    assert (step.ok, step.edits, step.commands, step.known, step.source) == (Ok.UNKNOWN, (), (), True, "agent")


def test_what_is_asked_of_a_recording_is_asked_once() -> None:
    trajectory = Trajectory(format="x", steps=())
    numbers = iter(range(9))
    assert [trajectory.once("number", lambda: next(numbers)) for _ in range(3)] == [0, 0, 0]
    assert trajectory.once("other", lambda: next(numbers)) == 1
    assert trajectory == Trajectory(format="x", steps=())
