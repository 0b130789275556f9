"""What programs leave in a folder."""

from pathlib import Path

import pytest

from gate.errors import CannotJudge
from gate.groundwork.snapshot import taken
from gate.tree import EXECUTABLE, SUBMODULE, SYMLINK, MemoryTree
from gate.workspace import on_disk

START = MemoryTree({"a": b"1"})


def test_what_is_left_in_a_folder() -> None:
    start = MemoryTree(
        {"same": b"1", "mode": b"2", "gone": b"3", "sub": b"0" * 40, "led/out": b"/etc"},
        modes={"sub": SUBMODULE, "led/out": SYMLINK},
    )
    put = MemoryTree({path: start.read(path) for path in ("same", "mode", "gone")})
    with on_disk(put) as folder:
        (folder / "mode").chmod(0o755)
        (folder / "gone").unlink()
        (folder / "new").symlink_to("same")
        (folder / ".git").mkdir()
        (folder / ".git" / "config").write_text("x")
        found = taken(folder, start, put)
    assert found.changes == {"gone": None, "mode": b"2", "new": b"same"}
    assert (found.mode("mode"), found.mode("new"), found.mode("sub")) == (EXECUTABLE, SYMLINK, SUBMODULE)
    assert found.read("led/out") == b"/etc"


def test_what_cannot_be_read_again_cannot_be_judged(tmp_path: Path) -> None:
    with pytest.raises(CannotJudge) as caught:
        taken(tmp_path / "none", START, START)
    assert caught.value.message.startswith("what the command has left cannot be read: ")
