"""How a command ended, in words."""

import pytest

from gate.grading.ending import because, ending
from gate.process import Completed


@pytest.mark.parametrize(
    ("stdout", "stderr", "expected"),
    [
        pytest.param(b"", b"", "", id="nothing"),
        pytest.param(b"out\n", b"\nerr\nmore\n", " — err", id="stderr goes first"),
        pytest.param(b"first\nsecond\n", b"", " — first", id="the first line"),
        pytest.param(
            b".F     [100%]\n==== FAILURES ====\n____ test_add ____\n    def test_add():\n"
            b"E       assert 1 == 2\n==== short test summary info ====\nFAILED test_a.py::test_add - assert 1 == 2\n",
            b"",
            " — E       assert 1 == 2",
            id="pytest",
        ),
        pytest.param(b"==== ERRORS ====\n-----\nrest\n", b"", " — rest", id="rulers and headlines"),
        pytest.param(b"--- expected\n+++ found\n", b"", " — --- expected", id="a diff is no ruler"),
    ],
)
def test_what_a_command_said_in_a_line(stdout: bytes, stderr: bytes, expected: str) -> None:
    assert because(Completed(command="x", exit_code=1, stdout=stdout, stderr=stderr)) == expected


def test_an_ending() -> None:
    assert [ending(Completed(command="x", exit_code=code)) for code in (None, 1, -9, 137)] == [
        "it did not end",
        "exit 1",
        "killed by SIGKILL",
        "exit 137, as after SIGKILL",
    ]
