"""What is put on disk for a command, and with which Python."""

import pytest

from gate.tree import SYMLINK, MemoryTree
from gate.trial import with_python, without_old_links


def _tree(**links: bytes) -> MemoryTree:
    return MemoryTree({"a": b"x", **links}, modes=dict.fromkeys(links, SYMLINK))


@pytest.mark.parametrize("target", [b"/usr/share", b"../elsewhere", b"b/../../x"])
def test_a_link_that_led_out_before_is_left_out(target: bytes) -> None:
    assert list(without_old_links(_tree(link=target), _tree(link=target)).paths()) == ["a"]


@pytest.mark.parametrize(
    ("after", "before"),
    [
        pytest.param(_tree(link=b"/usr"), _tree(), id="the change brings it"),
        pytest.param(_tree(link=b"/usr"), _tree(link=b"/etc"), id="the change moves it"),
        pytest.param(_tree(link=b"a"), _tree(link=b"a"), id="it stays inside"),
    ],
)
def test_any_other_link_stays(after: MemoryTree, before: MemoryTree) -> None:
    assert without_old_links(after, before) is after


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python -m pytest", "/opt/py thon -m pytest"),
        ("python", "/opt/py thon"),
        ("python3 -m x", "python3 -m x"),
        ("pythonic", "pythonic"),
        ("echo python", "echo python"),
    ],
)
def test_python_means_the_one_that_was_named(command: str, expected: str) -> None:
    assert with_python(command, "/opt/py thon").replace("'", "") == expected
