"""Where the repository was for an agent that started elsewhere in it."""

import pytest

from gate.editing.edit import Edit, Replace
from gate.placement import placed
from gate.replay import replay
from gate.trajectory import Ok, Step, Trajectory
from gate.tree import MemoryTree

TREE = MemoryTree({"pkg/a/src/calc.py": b"a - b\n", "pkg/a/README.md": b"x\n", "top.py": b"a - b\n"})


def _replayed(directory: str | None, *paths: str, folder: str = "") -> tuple[str | None, dict[str, bytes | None]]:
    edits: list[Edit] = [Replace(path=path, old=b"a - b", new=b"a + b") for path in paths]
    steps = tuple(Step(number=n, tool="edit", ok=Ok.YES, edits=(edit,)) for n, edit in enumerate(edits, 1))
    trajectory = Trajectory(format="test", steps=steps, directory=directory)
    moved = placed(trajectory, replay(trajectory, TREE), (TREE,), folder)
    if moved is None:
        return None, {}
    return moved.directory, replay(moved, TREE).tree.changes


@pytest.mark.parametrize(
    ("directory", "paths", "folder", "top", "changed"),
    [
        pytest.param("/h/c/pkg/a", ["/h/c/pkg/a/src/calc.py"], "", "/h/c", ["pkg/a/src/calc.py"], id="absolute"),
        pytest.param("/h/c/pkg/a", ["src/calc.py"], "", "/h/c", ["pkg/a/src/calc.py"], id="relative"),
        pytest.param(
            "/h/c/pkg/a",
            ["/h/c/pkg/a/src/calc.py", "/h/c/top.py"],
            "",
            "/h/c",
            ["pkg/a/src/calc.py", "top.py"],
            id="both",
        ),
        pytest.param(None, ["src/calc.py"], "pkg/a", "/workspace", ["pkg/a/src/calc.py"], id="the task's folder"),
        pytest.param("//h/c/r/pkg/a", ["//h/c/r/top.py"], "", "//h/c/r", ["top.py"], id="two slashes"),
        pytest.param(r"C:\r\pkg\a", [r"src\calc.py"], "", r"C:\r", ["pkg/a/src/calc.py"], id="drive"),
        pytest.param(r"\\s\t\r\pkg\a", [r"\\s\t\r\top.py"], "", r"\\s\t\r", ["top.py"], id="share"),
        pytest.param(r"\\s\t\pkg\a", [r"src\calc.py"], "", "\\\\s\\t\\", ["pkg/a/src/calc.py"], id="share's top"),
    ],
)
def test_a_start_in_a_folder(
    directory: str | None, paths: list[str], folder: str, top: str, changed: list[str]
) -> None:
    found, changes = _replayed(directory, *paths, folder=folder)
    assert found == top
    assert {path: data for path, data in changes.items() if data} == dict.fromkeys(changed, b"a + b\n")


@pytest.mark.parametrize(
    ("directory", "paths", "folder"),
    [
        pytest.param("/h/c", ["/h/c/pkg/a/src/calc.py"], "", id="started at the top"),
        pytest.param("/h/other", ["/h/other/x.py"], "", id="another repository"),
        pytest.param("/h/c/pkg/a", ["/h/c/pkg/a/unknown.py"], "", id="no file is known"),
        pytest.param(None, ["top.py"], "pkg/a", id="paths from the top"),
        pytest.param(None, ["top.py"], "", id="no folder"),
        pytest.param("//home/u/p", ["src/unknown.py"], "", id="two slashes, no file is known"),
        pytest.param("//a", ["src/unknown.py"], "", id="two slashes and a name"),
        pytest.param("C:\\p\\q", ["src/unknown.py"], "", id="drive, no file is known"),
        pytest.param("\\\\s\\t\\q", ["src/unknown.py"], "", id="share, no file is known"),
    ],
)
def test_nothing_to_move(directory: str | None, paths: list[str], folder: str) -> None:
    assert _replayed(directory, *paths, folder=folder) == (None, {})
