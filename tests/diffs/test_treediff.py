"""The difference of two trees, byte for byte as git prints it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.diffs.treediff import changed, unified
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, Tree
from tests.machine import environment, git


def tree_diff(before: Tree, after: Tree, **tracked: bool) -> bytes:
    return unified(before, after, changed(before, after, **tracked))


def _written(folder: Path, tree: Tree) -> None:
    """The folder holds the tree and nothing else but `.git`."""
    git(folder, "rm", "-rfq", "--ignore-unmatch", ".")
    git(folder, "clean", "-fdxq")
    for path in tree.paths():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if tree.mode(path) == SYMLINK:
            place.symlink_to(tree.read(path).decode())
        else:
            place.write_bytes(tree.read(path))
            place.chmod(0o755 if tree.mode(path) == EXECUTABLE else 0o644)


def _as_git_prints(folder: Path, before: Tree, after: Tree) -> bytes:
    """Both trees added to an index one after the other, as a person would."""
    _written(folder, before)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin")
    _written(folder, after)
    git(folder, "reset", "-q")
    git(folder, "add", "-A")
    words = ["git", "-c", "core.abbrev=7", "diff", "--cached", "--no-renames", "--no-color", "--no-ext-diff"]
    return subprocess.run(words, cwd=folder, env=environment(), capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("diff")
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Begin")
    return folder


_LONG = b"".join(b"line %d\n" % number for number in range(40))
_CODE = b"""class Calc:
    def add(self, a, b):
        if a:
            return a + b
        return b

    def sub(self, a, b):
        return a - b
"""


def _edited(content: bytes, *edits: tuple[bytes, bytes]) -> bytes:
    for old, new in edits:
        assert old in content
        content = content.replace(old, new, 1)
    return content


@pytest.mark.parametrize(
    ("before", "after", "modes"),
    [
        pytest.param({"a": b"x\n"}, {"a": b"x\n"}, ({}, {}), id="nothing"),
        pytest.param({"a": b"x\n"}, {"a": b"y\n"}, ({}, {}), id="one line"),
        pytest.param({}, {"a": b"x\ny\n"}, ({}, {}), id="new"),
        pytest.param({"a": b"x\n"}, {}, ({}, {}), id="deleted"),
        pytest.param({}, {"a": b""}, ({}, {}), id="new and empty"),
        pytest.param({"a": b""}, {}, ({}, {}), id="empty and deleted"),
        pytest.param({"a": b""}, {"a": b"x"}, ({}, {}), id="from empty"),
        pytest.param({"a": b"x"}, {"a": b"x\n"}, ({}, {}), id="an end of line"),
        pytest.param({"a": b"x\ny"}, {"a": b"z\ny"}, ({}, {}), id="none on both sides"),
        pytest.param({"a": b"x\r\n"}, {"a": b"x\n"}, ({}, {}), id="CRLF"),
        pytest.param({"a": b"x"}, {"a": b"x"}, ({}, {"a": EXECUTABLE}), id="mode"),
        pytest.param({"a": b"x"}, {"a": b"y"}, ({}, {"a": EXECUTABLE}), id="mode and content"),
        pytest.param({}, {"a": b"x"}, ({}, {"a": EXECUTABLE}), id="new program"),
        pytest.param({"a": b"x"}, {"a": b"b"}, ({}, {"a": SYMLINK}), id="a file becomes a link"),
        pytest.param({"a": b"b"}, {"a": b"c"}, ({"a": SYMLINK}, {"a": SYMLINK}), id="link"),
        pytest.param({"a": b"x\0"}, {"a": b"y\0"}, ({}, {}), id="binary"),
        pytest.param({}, {"a": b"y\0"}, ({}, {}), id="new binary"),
        pytest.param({"a": b"y\0"}, {}, ({}, {}), id="binary deleted"),
        pytest.param({"a": b"x\0"}, {"a": b"x"}, ({}, {}), id="from binary"),
        pytest.param({"a": b"x"}, {"a/b": b"y"}, ({}, {}), id="a file becomes a folder"),
        pytest.param({"a b": b"x"}, {"a b": b"y"}, ({}, {}), id="blank in a name"),
        pytest.param({'é\t"\\': b"x"}, {'é\t"\\': b"y"}, ({}, {}), id="quoted name"),
        pytest.param({"é ": b"x"}, {}, ({}, {}), id="quoted name with a blank"),
        pytest.param({"a": b"caf\xe9\n"}, {"a": b"caf\xc3\xa9\n"}, ({}, {}), id="not UTF-8"),
        pytest.param(
            {"a": _LONG},
            {"a": _edited(_LONG, (b"line 3\n", b"x\n"), (b"line 10\n", b""), (b"line 30\n", b"line 30\nnew\n"))},
            ({}, {}),
            id="hunks that meet and one apart",
        ),
        pytest.param(
            {"a": _LONG},
            {"a": _edited(_LONG, (b"line 3\n", b"x\n"), (b"line 11\n", b"y\n"))},
            ({}, {}),
            id="apart by one",
        ),
        pytest.param(
            {"calc.py": _CODE},
            {
                "calc.py": _edited(
                    _CODE, (b"    def sub", b"    def mul(self, a, b):\n        return a * b\n\n    def sub")
                )
            },
            ({}, {}),
            id="a function between two",
        ),
        pytest.param(
            {"calc.py": _CODE}, {"calc.py": _edited(_CODE, (b"a - b", b"b - a"))}, ({}, {}), id="head of a hunk"
        ),
        pytest.param(
            {"calc.py": b"def " + b"x" * 200 + b":\n" + _LONG},
            {"calc.py": b"def " + b"x" * 200 + b":\n" + _LONG + b"y"},
            ({}, {}),
            id="long head",
        ),
        pytest.param({".gitignore": b"*.log\n"}, {".gitignore": b"*.log\n", "a.log": b"x"}, ({}, {}), id="ignored"),
        pytest.param({"a.log": b"x"}, {".gitignore": b"*.log\n", "a.log": b"y"}, ({}, {}), id="ignored too late"),
        pytest.param(
            {".gitignore": b"*.log\n", "a.log": b"x"},
            {".gitignore": b"", "a.log": b"x"},
            ({}, {}),
            id="ignored no more",
        ),
        pytest.param(
            {".gitignore": b"*.log\n", "a.log": b"x"}, {".gitignore": b"*.log\n"}, ({}, {}), id="ignored and deleted"
        ),
    ],
)
def test_a_change(
    repository: Path,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    modes: tuple[Mapping[str, int], Mapping[str, int]],
) -> None:
    trees = MemoryTree(before, modes=modes[0]), MemoryTree(after, modes=modes[1])
    assert tree_diff(*trees) == _as_git_prints(repository, *trees)


def test_a_submodule() -> None:
    one, other = (MemoryTree({"sub": digit * 40}, modes={"sub": SUBMODULE}) for digit in (b"1", b"2"))
    assert tree_diff(one, other).decode() == (
        "diff --git a/sub b/sub\nindex 1111111..2222222 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n"
        f"-Subproject commit {'1' * 40}\n+Subproject commit {'2' * 40}\n"
    )


def test_a_commit_ignores_nothing() -> None:
    before = MemoryTree({".gitignore": b"*.log\n", "a.log": b"x\n"})
    after = MemoryTree({".gitignore": b"*.log\n", "a.log": b"y\n", "b.log": b"z\n"})
    heads = [line for line in tree_diff(before, after, tracked_before=True).split(b"\n") if line[:4] == b"diff"]
    assert heads == [b"diff --git a/a.log b/a.log"]
    both = tree_diff(before, after, tracked_before=True, tracked_after=True)
    assert [line for line in both.split(b"\n") if line[:4] == b"diff"][1:] == [b"diff --git a/b.log b/b.log"]


def test_what_lies_in_git_is_left_out() -> None:
    assert tree_diff(MemoryTree({}), MemoryTree({".git/config": b"x", "a/.git": b"x"}), tracked_after=True) == b""


_LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"  c\n", b"def d:\n", b"\te\n"]), max_size=14).map(b"".join)
_CONTENTS = st.one_of(_LINES, _LINES.map(lambda text: text.rstrip(b"\n")), st.binary(max_size=6))
_FILES = st.dictionaries(
    st.sampled_from(["a", "b/c", "b/d e", "é", ".gitignore"]),
    st.tuples(_CONTENTS, st.sampled_from([REGULAR, EXECUTABLE])),
)


def _tree(files: Mapping[str, tuple[bytes, int]]) -> MemoryTree:
    return MemoryTree(
        {path: data for path, (data, _) in files.items()}, modes={path: mode for path, (_, mode) in files.items()}
    )


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=_FILES, after=_FILES)
def test_git_can_apply_any_difference(
    repository: Path, before: Mapping[str, tuple[bytes, int]], after: Mapping[str, tuple[bytes, int]]
) -> None:
    old, new = _tree(before), _tree(after)
    theirs = _as_git_prints(repository, old, new)
    ours = tree_diff(old, new)
    assert _without_lines(ours) == _without_lines(theirs)
    if b"Binary files" in ours or not ours:
        return
    git(repository, "reset", "-q", "--hard", "HEAD")
    words = ["git", "apply", "--index", "--whitespace=nowarn", "-"]
    subprocess.run(words, cwd=repository, env=environment(), input=ours, capture_output=True, check=True)
    again = subprocess.run(
        ["git", "-c", "core.abbrev=7", "diff", "--cached", "--no-renames"],
        cwd=repository,
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert again.stdout == theirs


def _without_lines(diff: bytes) -> list[bytes]:
    """The heads of all files, and how many lines each part adds and removes, wherever they stand."""
    heads = [line for line in diff.split(b"\n") if line[:1] not in (b" ", b"+", b"-", b"@", b"\\", b"")]
    counts = [b"%d" % sum(line[:1] == mark for line in diff.split(b"\n")) for mark in (b"+", b"-")]
    return [*heads, *counts]
