"""Trees: what they hold, whether two hold the same, and where their links lead."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import PathRefused
from gate.tree import (
    EXECUTABLE,
    REGULAR,
    SUBMODULE,
    SYMLINK,
    MemoryTree,
    Overlay,
    Placed,
    Subtree,
    Tree,
    blob_id,
    differing,
    follow,
)
from tests.conftest import Git

BELOW = MemoryTree(
    {"b.py": b"b\n", "a/x.sh": b"#!\n", "a.txt": b"", "l": b"a.txt"}, modes={"a/x.sh": EXECUTABLE, "l": SYMLINK}
)


def _held(tree: Tree) -> dict[str, tuple[int | None, bytes]]:
    return {path: (tree.mode(path), tree.read(path)) for path in tree.paths()}


def test_a_tree_in_memory_holds_what_it_was_given() -> None:
    assert list(BELOW.paths()) == ["a.txt", "a/x.sh", "b.py", "l"]
    assert _held(BELOW) == {
        "a.txt": (REGULAR, b""),
        "a/x.sh": (EXECUTABLE, b"#!\n"),
        "b.py": (REGULAR, b"b\n"),
        "l": (SYMLINK, b"a.txt"),
    }
    assert BELOW.mode("gone") is None
    assert "gone" not in BELOW
    assert "a" not in BELOW
    with pytest.raises(KeyError):
        BELOW.read("gone")


def test_an_overlay_changes_adds_and_deletes_and_leaves_the_tree_below() -> None:
    changed = Overlay(
        BELOW, {"b.py": b"new", "a/x.sh": b"kept mode", "a.txt": None, "z": b"z"}, modes={"z": EXECUTABLE}
    )
    assert _held(changed) == {
        "a/x.sh": (EXECUTABLE, b"kept mode"),
        "b.py": (REGULAR, b"new"),
        "l": (SYMLINK, b"a.txt"),
        "z": (EXECUTABLE, b"z"),
    }
    assert "a.txt" not in changed
    with pytest.raises(KeyError):
        changed.read("a.txt")
    with pytest.raises(KeyError):
        changed.blob("a.txt")
    assert BELOW.read("b.py") == b"b\n"


def test_a_folder_is_a_tree_of_its_own() -> None:
    folder = Subtree(Overlay(BELOW, {"a/y": b"y", "ab/z": b"z"}), "a")
    assert _held(folder) == {"x.sh": (EXECUTABLE, b"#!\n"), "y": (REGULAR, b"y")}
    assert _held(Subtree(BELOW, "")) == _held(BELOW)
    assert folder.blob("y") == blob_id(b"y")


def test_a_limit_on_reading_holds_on_every_tree() -> None:
    changed = Overlay(BELOW, {"z": b"12345"})
    for tree, path in ((changed, "z"), (Subtree(changed, ""), "z")):
        assert tree.read_at_most(path, 5) == b"12345"
        assert tree.read_at_most(path, 4) is None
    assert changed.read_at_most("b.py", 2) == b"b\n"
    assert changed.read_at_most("b.py", 1) is None


@pytest.mark.parametrize(
    ("path", "other", "same"),
    [
        pytest.param("b.py", {"b.py": b"b\n"}, True, id="same bytes"),
        pytest.param("b.py", {"b.py": b"c\n"}, False, id="other bytes of the same size"),
        pytest.param("b.py", {}, False, id="gone"),
        pytest.param("new", {"new": b""}, False, id="added"),
        pytest.param("nowhere", {}, True, id="in neither"),
        pytest.param("a/x.sh", {"a/x.sh": b"#!\n"}, False, id="other mode"),
        pytest.param("l", {"l": b"a.txt"}, False, id="a link became a file"),
    ],
)
def test_same_is_mode_and_bytes(path: str, other: dict[str, bytes], same: bool) -> None:
    assert BELOW.same(path, MemoryTree(other)) is same
    assert MemoryTree(other).same(path, BELOW) is same


class Stored(Tree):
    """A tree whose files are read one by one, and whose blob ids are at hand."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def paths(self) -> Iterator[str]:
        return iter(sorted(self._files))

    def mode(self, path: str) -> int | None:
        return REGULAR if path in self._files else None

    def read(self, path: str) -> bytes:
        raise AssertionError(f"{path} was read")

    def blob(self, path: str) -> str:
        return blob_id(self._files[path])


def test_only_what_is_in_memory_is_held() -> None:
    below = Stored({"a": b"1", "d/b": b"2"})
    over = Overlay(below, {"new": b"3", "a": None})
    assert [tree.held("new") for tree in (below, over, Subtree(over, ""))] == [None, b"3", b"3"]
    assert [tree.held("a") for tree in (below, over)] == [None, None]
    assert (Subtree(over, "d").held("b"), MemoryTree({"a": b"1"}).held("a")) == (None, b"1")


def test_files_that_are_not_in_memory_are_compared_by_their_blob_ids() -> None:
    below = Stored({"a": b"1", "d/b": b"2"})
    assert Overlay(below, {}).same("d/b", below)
    assert Overlay(below, {"a": b"1"}).same("a", below)
    assert below.same("a", MemoryTree({"a": b"1"}))
    assert not below.same("d/b", Overlay(below, {"d/b": b"1"}))


def test_trees_of_repositories_with_other_hashes_are_compared_by_their_bytes() -> None:
    class Modern(MemoryTree):
        algorithm = "sha256"

    assert Modern({"a": b"a"}).same("a", MemoryTree({"a": b"a"}))
    assert not Modern({"a": b"a"}).same("a", MemoryTree({"a": b"b"}))
    assert Overlay(Modern({}), {"a": b"a"}).blob("a") == hashlib.sha256(b"blob 1\0a").hexdigest()


@pytest.mark.parametrize("data", [b"", b"x\n", b"\r\n\0\xff"])
def test_a_blob_id_is_gits(git: Git, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "data").write_bytes(data)
    assert blob_id(data) == git("hash-object", "--no-filters", str(tmp_path / "data"))


LINKS = {
    "here": b"a.txt",
    "d/up": b"../a.txt",
    "d/deep": b"e/f",
    "d/e/f/file": b"",
    "folder": b"d/e",
    "through": b"folder/f/file",
    "dots": b"./d/./e//f/../f",
    "dangling": b"nowhere/at/all",
    "root": b".",
    "self": b"self",
    "one": b"two",
    "two": b"one",
    "out": b"..",
    "d/out": b"../../x",
    "absolute": b"/etc/passwd",
    "sly": b"d/deep/../../../..",
    "d/flat": b"..",
    "slier": b"d/flat/..",
}
LINKED = MemoryTree(LINKS, modes={path: SYMLINK for path in LINKS if path != "d/e/f/file"})


@pytest.mark.parametrize(
    ("path", "end"),
    [
        pytest.param("a.txt", "a.txt", id="no link"),
        pytest.param("here", "a.txt", id="beside"),
        pytest.param("d/up", "a.txt", id="above"),
        pytest.param("d/deep/file", "d/e/f/file", id="through a folder"),
        pytest.param("through", "d/e/f/file", id="through two"),
        pytest.param("dots", "d/e/f", id="dots"),
        pytest.param("dangling", "nowhere/at/all", id="dangling"),
        pytest.param("root", "", id="the tree itself"),
        pytest.param("d/flat/here", "a.txt", id="by the root"),
    ],
)
def test_links_are_followed_as_the_system_does(path: str, end: str) -> None:
    assert follow(LINKED, path) == end


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("self", "the link 'self' leads in a circle", id="to itself"),
        pytest.param("one", "the link 'one' leads in a circle", id="circle"),
        pytest.param("out", "the link 'out' leads out of the workspace", id="above the tree"),
        pytest.param("d/out", "the link 'd/out' leads out of the workspace", id="above from a folder"),
        pytest.param("absolute", "the link 'absolute' leads out of the workspace, to '/etc/passwd'", id="absolute"),
        pytest.param("sly", "the link 'sly' leads out of the workspace", id="dots after a deep link"),
        pytest.param("slier", "the link 'slier' leads out of the workspace", id="dots after a flat link"),
    ],
)
def test_links_that_lead_out_or_nowhere_are_refused(path: str, message: str) -> None:
    with pytest.raises(PathRefused) as caught:
        follow(LINKED, path)
    assert (caught.value.message, caught.value.kind) == (message, "symlink")


NAMES = st.sampled_from(["a", "b", "..", "."])
TARGETS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(st.dictionaries(st.sampled_from(["a", "b", "d/a", "d/b", "d/e/a"]), TARGETS))
def test_a_followed_link_is_where_the_system_finds_it(
    tmp_path_factory: pytest.TempPathFactory, links: dict[str, str]
) -> None:
    outer = tmp_path_factory.mktemp("links", numbered=True)
    root = outer / "o" / "u" / "t" / "er" / "s" / "root"
    (root / "d" / "e").mkdir(parents=True)
    tree = MemoryTree({path: target.encode() for path, target in links.items()}, modes=dict.fromkeys(links, SYMLINK))
    for path, target in links.items():
        (root / path).symlink_to(target)
    for path in links:
        try:
            end = follow(tree, path)
        except PathRefused:
            continue
        real = os.path.realpath(root / path)
        assert real == os.path.realpath(root / end)
        assert real == str(root) or real.startswith(f"{root}/")


def test_a_submodule_is_no_file() -> None:
    tree = MemoryTree({"sub": b"0" * 40}, modes={"sub": SUBMODULE})
    assert tree.mode("sub") == SUBMODULE


def test_a_placed_tree_has_its_files_in_a_folder() -> None:
    placed = Placed(MemoryTree({"a": b"1", "b/c": b"2"}, modes={"a": EXECUTABLE}), "repo")
    assert list(placed.paths()) == ["repo/a", "repo/b/c"]
    assert (placed.mode("repo/a"), placed.mode("a"), placed.read("repo/b/c")) == (EXECUTABLE, None, b"2")
    with pytest.raises(KeyError):
        placed.read("b/c")


BELOW_A_FOLDER = st.sampled_from(["a", "b", "c", "d/e", "sub/f", "sub"])


@given(st.dictionaries(BELOW_A_FOLDER, st.binary(max_size=3)), st.sampled_from(["", "sub", "x/y"]))
def test_a_placed_tree_is_the_same_one_in_its_folder(files: dict[str, bytes], folder: str) -> None:
    tree = MemoryTree(files, modes={"a": 0o100755})
    placed = Placed(tree, folder)
    back = Subtree(placed, folder)
    assert list(back.paths()) == list(tree.paths())
    for path in files:
        assert (back.mode(path), back.read(path), back.blob(path)) == (tree.mode(path), files[path], tree.blob(path))
        assert back.read_at_most(path, 1) == tree.read_at_most(path, 1)
        assert tree.same(path, back)
    assert placed.mode("elsewhere") is None
    with pytest.raises(KeyError):
        placed.read("elsewhere")


def test_paths_that_differ_are_those_of_other_bytes_or_modes_and_those_of_one_side() -> None:
    one = MemoryTree({"c": b"1", "a": b"1", "same": b"1", "b": b"1"})
    other = MemoryTree({"d": b"1", "a": b"2", "same": b"1", "b": b"1"}, modes={"b": EXECUTABLE})
    assert list(differing(one, other)) == list(differing(other, one)) == ["a", "b", "c", "d"]
