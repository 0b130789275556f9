"""Hashes of every file: the same from the disk, from memory and from sha256sum; only plain files."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.digest import digests, folder_digest, on_disk, sha256
from gate.errors import SourceError
from gate.source import DiskTree
from gate.tree import SUBMODULE, SYMLINK, MemoryTree, Subtree

FILES = {"b/manifest.json": b"{}\n", "b/z.bin": bytes(range(256)) * 3000, "a": b"", "b.txt": b"x"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("not content")
    return tmp_path


def test_the_disk_and_the_memory_agree(folder: Path) -> None:
    expected = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(FILES.items())}
    assert digests(DiskTree(folder)) == expected
    assert list(digests(DiskTree(folder))) == list(expected)
    assert digests(MemoryTree(FILES)) == expected


def test_a_folder_of_a_folder(folder: Path) -> None:
    below = Subtree(DiskTree(folder), "b")
    assert on_disk(below) == folder / "b"
    assert digests(below) == {name[2:]: sha256(data) for name, data in FILES.items() if name.startswith("b/")}
    assert on_disk(Subtree(MemoryTree(FILES), "b")) is None
    assert digests(Subtree(MemoryTree(FILES), "b")) == digests(below)


@pytest.mark.parametrize(
    ("make", "message", "kind"),
    [
        pytest.param(
            lambda path: path.symlink_to("../a"),
            "b/odd is a symbolic link; expected a plain file",
            "is_link",
            id="link to a file",
        ),
        pytest.param(
            lambda path: path.symlink_to(".."),
            "b/odd is a symbolic link; expected a plain file",
            "is_link",
            id="link up",
        ),
        pytest.param(os.mkfifo, "b/odd is no regular file; expected a plain file", "not_regular", id="pipe"),
    ],
)
def test_only_plain_files(folder: Path, make, message: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    make(folder / "b" / "odd")
    with pytest.raises(SourceError) as caught:
        digests(DiskTree(folder))
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_the_folder_may_be_a_worktree(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /elsewhere\n")
    assert digests(DiskTree(tmp_path)) == {}


@pytest.mark.parametrize("name", [".GIT", "b/.git", "b/.Git", "b/git~1", "b/.g\u200cit", "b/c/.git"])
@pytest.mark.parametrize("is_folder", [True, False])
def test_git_s_own_name_further_down_is_refused(folder: Path, name: str, is_folder: bool) -> None:
    place = folder / name / "hook.py" if is_folder else folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("seen by nobody")
    with pytest.raises(SourceError) as caught:
        digests(DiskTree(folder))
    shown = repr(name) if not name.isprintable() else name
    reason = "is git's own, which is neither read nor hashed; expected one at the top alone"
    assert (caught.value.message, caught.value.kind) == (f"{shown} {reason}", "path_git_dir")


def test_a_link_of_a_revision_is_none_either() -> None:
    for mode, words in ((SYMLINK, "a symbolic link"), (SUBMODULE, "a submodule")):
        with pytest.raises(SourceError, match=f"^x is {words}; expected a plain file$"):
            digests(MemoryTree({"x": b"y"}, modes={"x": mode}))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none cannot be read: No such file or directory$"):
        digests(DiskTree(tmp_path / "none"))


def test_too_deep(tmp_path: Path) -> None:
    (tmp_path / "/".join(["d"] * 70)).mkdir(parents=True)
    with pytest.raises(SourceError, match=r"… lies deeper than 64 folders$") as caught:
        digests(DiskTree(tmp_path))
    assert caught.value.kind == "path_too_long"


def test_a_folder_has_the_digest_that_the_tools_of_a_shell_give(folder: Path) -> None:
    command = "find . -name .git -prune -o -type f -print | cut -c3- | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c-64"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
    assert folder_digest(digests(DiskTree(folder))) == done.stdout.strip()


@given(st.binary(max_size=600_000))
def test_any_bytes(data: bytes) -> None:
    assert digests(MemoryTree({"f": data})) == {"f": hashlib.sha256(data).hexdigest()}
