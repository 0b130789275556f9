"""Which lines a rewind takes back, and which forks are none."""

import pytest

from gate.agents.branches import Branches


def rewound(lines: str) -> list[tuple[int, int]]:
    """What is taken back of lines that are written `key kind parent`: `v>a` is a prompt after `a`.

    The kind is `>` for a prompt, `*` for work, `.` for anything else; `-` is no parent; numbers count from 1.
    """
    branches = Branches()
    for number, (key, kind, parent) in enumerate(map(tuple, lines.split()), 1):
        above = None if parent == "-" else parent
        mark = branches.new(key)
        assert mark is not None
        branches.add(mark, above, line=number, session="s", prompt=kind == ">", work=kind == "*")
    return [(span.start, span.stop) for span in branches.rewound()]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("", id="nothing"),
        pytest.param("u>- a*u v>a b*v", id="a straight line"),
        pytest.param("u>- a*u b*a r*a s*b c*r", id="parallel calls, the first result goes on"),
        pytest.param("u>- a*u p.a r*a b*r v>b", id="progress lines fork"),
        pytest.param("u>- a*u v>a w>v b*w", id="a prompt after a prompt"),
        pytest.param("u>- a*u z*- v>z b*v", id="a summary of what came before"),
        pytest.param("u>- a*u v>a b*v w>a c*b d*w", id="two that go on side by side"),
        pytest.param("u>- v>? a*v", id="a parent that is not in the file"),
    ],
)
def test_nothing_is_taken_back(lines: str) -> None:
    assert rewound(lines) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param("u>- a*u v>a b*v w>a c*w", [(3, 5)], id="the last prompt, again"),
        pytest.param("u>- a*u s.a v>s b*v t.a w>t c*w", [(4, 7)], id="lines in between do not matter"),
        pytest.param("u>- a*u v>- b*v", [(1, 3)], id="back to the beginning"),
        pytest.param("u>? a*u v>? b*v", [(1, 3)], id="back to the beginning of a file that lacks its own"),
        pytest.param("u>- a*u v>a b*v w>b c*w x>a d*x", [(3, 7)], id="over several prompts"),
        pytest.param("u>- a*u v>a b*v w>a c*w x>a d*x", [(3, 7), (5, 7)], id="twice from the same place"),
        pytest.param("u>- a*u v>a b*v w>b c*w x>b d*x y>d e*y", [(5, 7)], id="only what was left behind"),
        pytest.param("u>- a*u v>a b*v w>a c*w z*c x>z d*x", [(3, 5)], id="before a summary"),
        pytest.param("u>- a*u v>a b*v w>a c*w z*- x>z d*x", [(3, 5)], id="before a summary that names no parent"),
    ],
)
def test_what_a_person_went_back_to_before(lines: str, expected: list[tuple[int, int]]) -> None:
    assert rewound(lines) == expected


def test_a_key_is_new_once() -> None:
    branches = Branches()
    assert branches.new("u") is not None
    assert branches.new("u") is None
