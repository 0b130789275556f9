"""Bounded, confined reads: what is read, and in which words the rest is refused."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.errors import SourceError
from gate.path import fold
from gate.source import LIMIT, DiskTree, Source, open_file
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, Overlay, Subtree, Tree

COMMIT = "1" * 40
FILES = MemoryTree(
    {
        "gate.yaml": b"version: 1\n",
        "docs/latest": b"v2",
        "libs/inner": COMMIT.encode(),
        "src/a.py": b"a\n",
        "src/deep/b.py": b"b\n",
        "odd\n\udcff": b"odd",
    },
    modes={"docs/latest": SYMLINK, "libs/inner": SUBMODULE, "src/a.py": EXECUTABLE},
)


@pytest.mark.parametrize(
    ("folder", "path", "data"),
    [
        pytest.param("", "gate.yaml", b"version: 1\n", id="top"),
        pytest.param("", "./src//deep/./b.py", b"b\n", id="written-loosely"),
        pytest.param("src", "a.py", b"a\n", id="below-a-folder"),
        pytest.param("src/deep", "../a.py", b"a\n", id="up-and-down"),
        pytest.param("src", "../gate.yaml", b"version: 1\n", id="up-to-the-top"),
        pytest.param("", "odd\n\udcff", b"odd", id="odd-name"),
    ],
)
def test_a_file_is_read_by_its_name_below_the_folder(folder: str, path: str, data: bytes) -> None:
    source = Source("the index", FILES, folder)
    assert source.read(path) == data
    assert source.exists(path)


@pytest.mark.parametrize(
    ("folder", "path", "kind", "message"),
    [
        pytest.param("", "b.py", "not_found", "b.py: there is no such file in the index", id="missing"),
        pytest.param("src", "b.py", "not_found", "src/b.py: there is no such file in the index", id="whole-path"),
        pytest.param("", "a\n.py", "not_found", "'a\\n.py': there is no such file in the index", id="escaped"),
        pytest.param("", "src", "not_regular", "src in the index is a folder; expected a file", id="folder"),
        pytest.param("src", ".", "not_regular", "src in the index is a folder; expected a file", id="dot"),
        pytest.param("", "", "not_regular", ". in the index is a folder; expected a file", id="nothing"),
        pytest.param(
            "", "libs/inner", "not_regular", "libs/inner in the index is a submodule; expected a file", id="submodule"
        ),
        pytest.param(
            "",
            "libs/inner/x.py",
            "not_regular",
            "libs/inner in the index is a submodule; expected a file",
            id="in-a-submodule",
        ),
        pytest.param(
            "",
            "docs/latest",
            "is_link",
            "docs/latest in the index is a symbolic link, and links are not followed; expected the file itself",
            id="link",
        ),
        pytest.param(
            "docs",
            "latest/index.md",
            "is_link",
            "docs/latest in the index is a symbolic link, and links are not followed; expected the file itself",
            id="through-a-link",
        ),
        pytest.param("src", "../../x", "path_escape", "../../x leads out of the index", id="out"),
        pytest.param("", "..", "path_escape", ".. leads out of the index", id="above"),
        pytest.param("", "/etc/passwd", "path_escape", "/etc/passwd leads out of the index", id="absolute"),
        pytest.param("", "a\0b", "path_escape", "'a\\x00b' leads out of the index", id="nul"),
    ],
)
def test_what_is_no_file_is_refused_in_words(folder: str, path: str, kind: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        Source("the index", FILES, folder).read(path)
    assert (caught.value.kind, caught.value.message) == (kind, message)


def test_only_files_links_and_submodules_exist() -> None:
    source = Source("the index", FILES)
    assert [path for path in ("gate.yaml", "docs/latest", "libs/inner") if source.exists(path)] == [
        "gate.yaml",
        "docs/latest",
        "libs/inner",
    ]
    assert not any(source.exists(path) for path in ("src", "", "..", "/gate.yaml", "b.py", "libs/inner/x", "\ud800"))


def test_paths_are_those_below_the_folder() -> None:
    assert list(Source("x", FILES, "src").paths()) == ["a.py", "deep/b.py"]
    assert list(Source("x", FILES).paths()) == list(FILES.paths())
    assert list(Source("x", FILES, "sr").paths()) == []


@pytest.mark.parametrize(
    "wrapped",
    [
        pytest.param(lambda tree: tree, id="plain"),
        pytest.param(lambda tree: Subtree(tree, ""), id="subtree"),
        pytest.param(lambda tree: Overlay(tree, {"other": b""}), id="below-an-overlay"),
        pytest.param(lambda tree: Overlay(MemoryTree({}), {"big": tree.read("big")}), id="in-an-overlay"),
    ],
)
def test_the_limit_is_the_last_size_that_is_read(tmp_path: Path, wrapped: Callable[[Tree], Tree]) -> None:
    (tmp_path / "big").write_bytes(b"x" * 10)
    for tree in (MemoryTree({"big": b"x" * 10}), DiskTree(tmp_path)):
        source = Source("the index", wrapped(tree))
        assert source.read("big", limit=10) == b"x" * 10
        with pytest.raises(SourceError) as caught:
            source.read("big", limit=9)
        assert caught.value.kind == "too_large"
        assert caught.value.message == "big in the index has more than 9 bytes, which is the most that is read"


class TestDiskTree:
    """A folder on disk, with everything in it that is no plain file."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """`root` with files, links, a pipe, a socket and nested git folders, and `outside` beside it."""
        root, outside = tmp_path / "root", tmp_path / "outside"
        for path in ("sub/deep", ".git/objects", "vendored/.git", "worktree"):
            (root / path).mkdir(parents=True)
        outside.mkdir()
        (outside / "secret").write_bytes(b"secret")
        (root / "run.sh").write_bytes(b"#!/bin/sh\n")
        (root / "run.sh").chmod(0o755)
        for path in ("sub/deep/b", ".git/config", "vendored/.git/HEAD", "vendored/a.c", "worktree/.git", ".gitignore"):
            (root / path).write_bytes(path.encode())
        Path(os.fsdecode(os.fsencode(root) + b"/\xff\n")).write_bytes(b"odd")
        (root / "to-file").symlink_to("sub/deep/b")
        (root / "to-folder").symlink_to("sub")
        (root / "out").symlink_to(outside)
        (root / "loop").symlink_to("loop")
        os.mkfifo(root / "pipe")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(root / "socket"))
        return root

    def test_files_and_links_are_listed_and_nothing_else(self, folder: Path) -> None:
        assert {path: DiskTree(folder).mode(path) for path in DiskTree(folder).paths()} == {
            ".gitignore": REGULAR,
            "loop": SYMLINK,
            "out": SYMLINK,
            "run.sh": EXECUTABLE,
            "sub/deep/b": REGULAR,
            "to-file": SYMLINK,
            "to-folder": SYMLINK,
            "vendored/a.c": REGULAR,
            "\udcff\n": REGULAR,
        }
        assert list(DiskTree(folder).paths()) == sorted(DiskTree(folder).paths())

    def test_a_file_gives_its_bytes_and_a_link_its_target(self, folder: Path) -> None:
        tree = DiskTree(folder)
        assert tree.read("sub/deep/b") == b"sub/deep/b"
        assert tree.read("\udcff\n") == b"odd"
        assert tree.read("to-file") == b"sub/deep/b"
        assert tree.read("out") == os.fsencode(folder.parent / "outside")

    @pytest.mark.parametrize(
        "path",
        [
            "none",
            "sub",
            "sub/deep/b/c",
            "to-folder/deep/b",
            "out/secret",
            "loop/x",
            "../outside/secret",
            "sub/../run.sh",
            "./run.sh",
            "sub//deep/b",
            "/etc/passwd",
            "",
            ".git/config",
            "vendored/.git/HEAD",
            "vendored/.GIT/HEAD",
            "worktree/.git",
            "run.sh\0",
            "\ud800",
            "n" * 300,
        ],
    )
    def test_there_is_no_other_way_to_a_file(self, folder: Path, path: str) -> None:
        tree = DiskTree(folder)
        assert tree.mode(path) is None
        with pytest.raises((KeyError, SourceError)):
            tree.read(path)

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("pipe", "the folder: pipe is a named pipe; expected a regular file"),
            ("socket", "the folder: socket is a socket; expected a regular file"),
        ],
    )
    def test_what_is_neither_file_nor_link_is_refused(self, folder: Path, path: str, message: str) -> None:
        with pytest.raises(SourceError) as caught:
            Source("the folder", DiskTree(folder)).read(path)
        assert (caught.value.kind, caught.value.message) == ("not_regular", message)
        assert DiskTree(folder).mode(path) is None

    def test_a_folder_that_is_not_there_cannot_be_listed(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError) as caught:
            list(DiskTree(tmp_path / "none").paths())
        assert caught.value.message == f"{tmp_path}/none cannot be read: No such file or directory"
        assert caught.value.kind == "unreadable"
        assert DiskTree(tmp_path / "none").mode("x") is None

    def test_a_path_may_be_as_long_as_the_system_allows_and_no_longer(self, tmp_path: Path) -> None:
        (tmp_path / "end").write_bytes(b"end")
        for depth in range(21):
            if depth == 15:
                (found,) = DiskTree(tmp_path).paths()
                assert found == f"{'d' * 250}/" * 15 + "end"
                assert DiskTree(tmp_path).read(found) == b"end"
            (tmp_path / "new").mkdir()
            for name in ("end", "d" * 250):
                if (tmp_path / name).exists():
                    (tmp_path / name).rename(tmp_path / "new" / name)
            (tmp_path / "new").rename(tmp_path / ("d" * 250))
        with pytest.raises(SourceError) as caught:
            list(DiskTree(tmp_path).paths())
        assert (caught.value.kind, caught.value.message) == (
            "path_too_long",
            f"{'d' * 80}… is longer than 4096 characters",
        )

    def test_without_descriptors_of_folders_links_are_not_followed_either(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        by_descriptor = {path: DiskTree(folder).read(path) for path in DiskTree(folder).paths()}
        monkeypatch.setattr(os, "supports_dir_fd", set())  # as on Windows
        assert {path: DiskTree(folder).read(path) for path in DiskTree(folder).paths()} == by_descriptor
        for path in ("to-folder/deep/b", "out/secret", "sub/none"):
            assert DiskTree(folder).mode(path) is None
            with pytest.raises(KeyError):
                DiskTree(folder).read(path)


_NAMES = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..") and fold(name) != ".git"
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(st.tuples(_NAMES, _NAMES).map("/".join), st.binary(max_size=40), max_size=6))
def test_a_tree_that_was_written_is_the_tree_that_is_read(
    files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("written")
    for path, data in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data)
    tree, memory = DiskTree(root), MemoryTree(files)
    assert list(tree.paths()) == list(memory.paths())
    assert all(tree.same(path, memory) for path in files)


class TestOpenFile:
    """A file that the caller names by its path on this machine."""

    @pytest.mark.parametrize("size", [0, 1, 100])
    def test_a_file_is_read_whole(self, tmp_path: Path, size: int) -> None:
        (tmp_path / "f").write_bytes(b"\xff" * size)
        assert open_file(tmp_path / "f", 100) == b"\xff" * size

    def test_one_without_a_size_is_read_too_and_bounded(self) -> None:
        assert open_file(Path("/proc/self/status")).startswith(b"Name:")
        with pytest.raises(SourceError) as caught:
            open_file(Path("/proc/self/status"), 20)
        assert caught.value.message == "/proc/self/status has more than 20 bytes, which is the most that is read"

    def test_a_folder_may_be_reached_through_a_link_and_the_file_may_not_be_one(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "f").write_bytes(b"x")
        (tmp_path / "linked").symlink_to("real")
        (tmp_path / "link").symlink_to("real/f")
        assert open_file(tmp_path / "linked" / "f") == b"x"
        with pytest.raises(SourceError) as caught:
            open_file(tmp_path / "link")
        assert caught.value.kind == "is_link"
        assert caught.value.message == (
            f"{tmp_path}/link is a symbolic link, and links are not followed; expected the file itself"
        )

    @pytest.mark.parametrize("size", [2 << 30, 4 << 40])
    def test_a_sparse_file_larger_than_memory_is_refused_unread(self, tmp_path: Path, size: int) -> None:
        with open(tmp_path / "sparse", "wb") as stream:
            stream.truncate(size)
        with pytest.raises(SourceError) as caught:
            open_file(tmp_path / "sparse")
        assert caught.value.kind == "too_large"
        assert caught.value.message == (
            f"{tmp_path}/sparse has more than {LIMIT} bytes, which is the most that is read"
        )

    def test_a_pipe_without_a_writer_is_refused_at_once(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(SourceError) as caught:
            open_file(tmp_path / "pipe")
        assert caught.value.kind == "not_regular"
        assert caught.value.message == f"{tmp_path}/pipe is a named pipe; expected a regular file"

    @pytest.mark.parametrize(
        ("path", "kind", "message"),
        [
            ("/dev/zero", "not_regular", "/dev/zero is a device; expected a regular file"),
            ("/", "not_regular", "/ is a folder; expected a regular file"),
            ("/no/such", "not_found", "/no/such: there is no such file"),
            ("/etc/passwd/x", "not_found", "/etc/passwd/x: there is no such file"),
            ("/a\0b", "unreadable", "'/a\\x00b' cannot be read: embedded null byte"),
            ("/" + "n" * 300, "unreadable", "/" + "n" * 300 + " cannot be read: File name too long"),
        ],
    )
    def test_the_rest_is_refused_in_words(self, path: str, kind: str, message: str) -> None:
        with pytest.raises(SourceError) as caught:
            open_file(Path(path))
        assert (caught.value.kind, caught.value.message) == (kind, message)
