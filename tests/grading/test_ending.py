"""How a command ended, in words."""

import pytest

from gate.grading.ending import because, details, ending
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
        pytest.param(
            b"",
            "\n\x1b[31m⎯⎯⎯⎯\x1b[39m\x1b[1m Failed Tests 1 \x1b[22m⎯⎯⎯⎯\n\n\x1b[41m FAIL \x1b[49m a.test.js\x1b[2m > \x1b[22ma\n".encode(),
            " — FAIL  a.test.js > a",
            id="Vitest in colours",
        ),
        pytest.param(
            b"=== RUN   TestA\n    a_test.go:3: no\n--- FAIL: TestA (0.00s)\n",
            b"",
            " — --- FAIL: TestA (0.00s)",
            id="go",
        ),
        pytest.param(b"--- expected\n+++ found\n", b"", " — --- expected", id="a diff is no ruler"),
    ],
)
def test_what_a_command_said_in_a_line(stdout: bytes, stderr: bytes, expected: str) -> None:
    assert because(Completed(command="x", exit_code=1, stdout=stdout, stderr=stderr)) == expected


def test_the_details_show_no_colours() -> None:
    done = Completed(command="x", exit_code=1, stdout=b"\x1b[1;38:5:9mred\x1b[0m \x1b[2J\n", stderr=b"")
    assert details(done) == "command: x\nstdout:\nred \x1b[2J\n"


def test_an_ending() -> None:
    assert [ending(Completed(command="x", exit_code=code)) for code in (None, 1, -9, 137)] == [
        "it did not end",
        "exit 1",
        "killed by SIGKILL",
        "exit 137, as after SIGKILL",
    ]
