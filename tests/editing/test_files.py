"""A start tree and what is being done to it."""

import pytest

from gate.editing.edit import Replace, Write
from gate.editing.files import Files
from gate.errors import CannotApply
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree


@pytest.fixture
def files() -> Files:
    modes = {"run": EXECUTABLE, "link": SYMLINK, "module": SUBMODULE}
    return Files(MemoryTree({"a": b"1", "d/b": b"2", "run": b"", "link": b"d", "module": b""}, modes=modes))


def test_reads_through(files: Files) -> None:
    assert (files.content("a"), files.mode("a"), files.mode("run")) == (b"1", REGULAR, EXECUTABLE)
    assert (files.content("x"), files.mode("x")) == (None, None)
    assert sorted(files.paths()) == ["a", "d/b", "link", "module", "run"]


def test_writes_and_removes(files: Files) -> None:
    files.write("run", b"new")
    files.write("d/n", b"", EXECUTABLE)
    files.remove("a")
    files.remove("link")
    assert sorted(files.paths()) == ["d/b", "d/n", "module", "run"]
    assert [files.mode(path) for path in ("run", "d/n", "a")] == [EXECUTABLE, EXECUTABLE, None]
    assert files.changes == {"run": b"new", "d/n": b"", "a": None, "link": None}
    assert (files.below("d"), files.below("")) == (["d/b", "d/n"], ["d/b", "d/n", "module", "run"])
    assert files.start.read("a") == b"1"


def test_a_file_that_comes_back_is_a_plain_one(files: Files) -> None:
    files.write("n", b"", EXECUTABLE)
    files.remove("n")
    files.write("n", b"1")
    assert files.mode("n") == REGULAR


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("link", "link is a symbolic link"),
        ("link/x", "link is a symbolic link"),
        ("module/x", "module is a submodule"),
        ("a/x", "a is a file, expected a folder"),
        ("d", "a folder has this name, expected a file"),
        ("D/x", "the name 'D' is on some systems the same as 'd'"),
    ],
)
def test_what_no_file_can_be(files: Files, path: str, reason: str) -> None:
    with pytest.raises(CannotApply) as caught:
        files.write(path, b"")
    assert caught.value.message == reason
    assert files.changes == {}


def test_nothing_is_removed_through_a_link(files: Files) -> None:
    with pytest.raises(CannotApply) as caught:
        files.remove("link/b")
    assert caught.value.message == "link is a symbolic link"


def test_edits(files: Files) -> None:
    assert files.apply(Write(path="a", content=b"2", before=b"0"), "a", "a") is True
    assert files.content("a") == b"2"


def test_a_file_that_is_doubled_again_and_again(files: Files) -> None:
    """What is refused counts no more, and what the recording itself holds never does."""
    double = Replace(path="a", old=b"1", new=b"11", all=True)
    for _ in range(21):
        files.apply(double, "a", "a")
    refusals = []
    for _ in range(2):
        files.apply(Write(path="w", content=b"1" * 3_000_000), "w", "w")
        files.apply(Write(path="w", content=b""), "w", "w")
        with pytest.raises(CannotApply) as caught:
            files.apply(double, "a", "a")
        refusals.append(caught.value.message)
    said = "it repeats text to 4194260 bytes that no recording holds, more than the 2097152 that are kept"
    assert refusals == [said, said]
    assert len(files.content("a") or b"") == 2**21
