"""Which lines a rewind takes back, and which forks are none."""

import pytest

from gate.branches import Branches

# key, parent, kind: `>` a prompt, `*` work, `.` anything else. The line is the place in the list, from 1.
Lines = list[tuple[str, str | None, str]]


def rewound(lines: Lines) -> list[tuple[int, int]]:
    branches = Branches()
    for number, (key, parent, kind) in enumerate(lines, 1):
        branches.add(key, parent, line=number, session="s", prompt=kind == ">", work=kind == "*")
    return [(span.start, span.stop) for span in branches.rewound()]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([], id="nothing"),
        pytest.param([("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*")], id="a straight line"),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("b", "a", "*"), ("ra", "a", "*"), ("rb", "b", "*"), ("c", "ra", "*")],
            id="parallel calls, the first result goes on",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("p", "a", "."), ("r", "a", "*"), ("b", "r", "*"), ("v", "b", ">")],
            id="progress lines fork",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("w", "v", ">"), ("b", "w", "*")],
            id="a prompt after a prompt",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("c", "a", "*"), ("v", "c", ">"), ("b", "v", "*")],
            id="a summary of what came before",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*"), ("w", "a", ">"), ("c", "b", "*")]
            + [("d", "w", "*")],
            id="two that go on side by side",
        ),
        pytest.param([("u", None, ">"), ("v", "gone", ">"), ("a", "v", "*")], id="a parent that is not in the file"),
    ],
)
def test_nothing_is_taken_back(lines: Lines) -> None:
    assert rewound(lines) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*"), ("w", "a", ">"), ("c", "w", "*")],
            [(3, 5)],
            id="the last prompt, again",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("s", "a", "."), ("v", "s", ">"), ("b", "v", "*"), ("t", "a", ".")]
            + [("w", "t", ">"), ("c", "w", "*")],
            [(4, 7)],
            id="lines in between do not matter",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", None, ">"), ("b", "v", "*")], [(1, 3)], id="back to the beginning"
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*"), ("w", "b", ">"), ("c", "w", "*")]
            + [("x", "a", ">"), ("d", "x", "*")],
            [(3, 7)],
            id="over several prompts",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*"), ("w", "a", ">"), ("c", "w", "*")]
            + [("x", "a", ">"), ("d", "x", "*")],
            [(3, 7), (5, 7)],
            id="twice from the same place",
        ),
        pytest.param(
            [("u", None, ">"), ("a", "u", "*"), ("v", "a", ">"), ("b", "v", "*"), ("w", "b", ">"), ("c", "w", "*")]
            + [("x", "b", ">"), ("d", "x", "*"), ("y", "d", ">"), ("e", "y", "*")],
            [(5, 7)],
            id="only what was left behind",
        ),
    ],
)
def test_what_a_person_went_back_to_before(lines: Lines, expected: list[tuple[int, int]]) -> None:
    assert rewound(lines) == expected
