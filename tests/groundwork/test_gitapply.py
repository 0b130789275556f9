"""Patches applied by git, one by one and many at once."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.groundwork import gitapply
from gate.groundwork.gitapply import Applied, Job
from gate.tree import EXECUTABLE, SYMLINK, MemoryTree, Tree
from tests.machine import environment

START = MemoryTree(
    {"src/a.py": b"one\ntwo\nthree\n", "b.txt": b"x\n", "run.sh": b"#!/bin/sh\n", "out": b"/tmp"},
    modes={"run.sh": EXECUTABLE, "out": SYMLINK},
)
CHANGE = b"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
WRONG = CHANGE.replace(b"-two", b"-2")
NEW = b"diff --git a/n/e/w b/n/e/w\nnew file mode 100755\n--- /dev/null\n+++ b/n/e/w\n@@ -0,0 +1 @@\n+hello\n"
GONE = b"diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
MOVED = b"diff --git a/run.sh b/go now.sh\nsimilarity index 100%\nrename from run.sh\nrename to go now.sh\n"


def one(patch: bytes, start: Tree = START) -> Applied:
    (found,) = gitapply.apply([Job(start, patch)])
    return found


def contents(found: Applied, start: Tree = START) -> dict[str, tuple[int, bytes] | None]:
    """What differs from the start, by path."""
    tree = found.tree
    assert tree is not None, found.problem
    paths = sorted({*tree.paths(), *start.paths()})
    here = {path: (tree.mode(path) or 0, tree.read(path)) if path in tree else None for path in paths}
    return {path: value for path, value in here.items() if not tree.same(path, start)}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        pytest.param(CHANGE, {"src/a.py": (0o100644, b"one\nTWO\nthree\n")}, id="a change"),
        pytest.param(NEW, {"n/e/w": (0o100755, b"hello\n")}, id="a new file"),
        pytest.param(GONE, {"b.txt": None}, id="a file taken away"),
        pytest.param(MOVED, {"run.sh": None, "go now.sh": (0o100755, b"#!/bin/sh\n")}, id="a rename"),
        pytest.param(CHANGE.rstrip(b"\n"), {"src/a.py": (0o100644, b"one\nTWO\nthree\n")}, id="without its last end"),
        pytest.param(
            CHANGE.replace(b"a/src/a.py", b'"a/src/a.py"').replace(b"b/src/a.py", b'"b/src/a.py"'),
            {"src/a.py": (0o100644, b"one\nTWO\nthree\n")},
            id="quoted names",
        ),
        pytest.param(b"Some words first.\n" + NEW + b"-- \n2.39\n", {"n/e/w": (0o100755, b"hello\n")}, id="a mail"),
    ],
)
def test_a_patch_gives_what_git_gives(patch: bytes, expected: object) -> None:
    assert contents(one(patch)) == expected


def test_many_patches_are_told_apart() -> None:
    found = gitapply.apply([Job(START, patch) for patch in (CHANGE, WRONG, NEW, WRONG, GONE)])
    assert [each.problem for each in found] == [
        "",
        "patch failed: src/a.py:1; src/a.py: patch does not apply",
        "",
        "patch failed: src/a.py:1; src/a.py: patch does not apply",
        "",
    ]
    assert contents(found[4]) == {"b.txt": None}


def test_a_patch_that_does_not_apply_in_one_place_applies_in_none() -> None:
    found = gitapply.apply([Job(START, NEW + WRONG), Job(START, NEW)])
    assert found[0].tree is None
    assert contents(found[1]) == {"n/e/w": (0o100755, b"hello\n")}


@pytest.mark.parametrize(
    ("patch", "problem", "kind"),
    [
        pytest.param(
            b"--- /dev/null\n+++ b/out/x\n@@ -0,0 +1 @@\n+x\n",
            "it names out/x, and out is a link",
            "symlink",
            id="beyond a link",
        ),
        pytest.param(
            b'--- /dev/null\n+++ "b/out/x"\n@@ -0,0 +1 @@\n+x\n',
            "it names out/x, and out is a link",
            "symlink",
            id="beyond a link, by a quoted name",
        ),
        pytest.param(
            b'diff --git "a/l" "b/l"\nnew file mode 120000\n--- /dev/null\n+++ "b/l"\n@@ -0,0 +1 @@\n+x\n',
            "it makes, changes or takes away a symbolic link ('new file mode 120000'), which golden patches do not",
            "symlink",
            id="a link",
        ),
        pytest.param(
            b'--- /dev/null\n+++ "b/.git/config"\n@@ -0,0 +1 @@\n+x\n',
            "invalid path '.git/config'",
            "patch",
            id="git's folder, by a quoted name",
        ),
        pytest.param(
            b'--- /dev/null\n+++ "b/../../x"\n@@ -0,0 +1 @@\n+x\n',
            "invalid path '../../x'",
            "patch",
            id="out, by a quoted name",
        ),
        pytest.param(b"words\n", 'No valid patches in input (allow with "--allow-empty")', "patch", id="no patch"),
        pytest.param(
            b"--- /dev/null\n+++ b/b.txt/x\n@@ -0,0 +1 @@\n+x\n",
            "unable to write file 'b.txt/x' mode 100644: Not a directory",
            "patch",
            id="a file in a file",
        ),
    ],
)
def test_what_is_no_patch_of_this_tree(patch: bytes, problem: str, kind: str) -> None:
    assert one(patch) == Applied(problem=problem, kind=kind)


COPIED = b"diff --git a/big b/c%d\nsimilarity index 100%%\ncopy from big\ncopy to c%d\n"
QUOTED = b'diff --git "a/\\303\\244" "b/c%d"\nsimilarity index 100%%\ncopy from "\\303\\244"\ncopy to c%d\n'
PACKED = (
    b"diff --git a/p b/p\nnew file mode 100644\nGIT binary patch\nliteral %d\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n"
)
MIB = 1024 * 1024


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(b"".join(COPIED % (n, n) for n in range(129)), id="one file again and again"),
        pytest.param(b"".join(QUOTED % (n, n) for n in range(129)), id="by a quoted name"),
        pytest.param(PACKED % (129 * MIB), id="packed"),
        pytest.param(PACKED % (100 * MIB) + b"".join(COPIED % (n, n) for n in range(40)), id="together"),
    ],
)
def test_a_small_patch_that_would_become_large(patch: bytes) -> None:
    start = MemoryTree({"big": b"x" * MIB, "ä": b"x" * MIB})
    assert one(patch, start) == Applied(problem="it copies and unpacks more than 134217728 bytes", kind="expansion")


def test_a_few_copies_and_words_about_size_are_no_matter() -> None:
    start = MemoryTree({"big": b"x" * MIB})
    found = one(b"literal 999999999999\n" + b"".join(COPIED % (n, n) for n in range(3)), start)
    assert sorted(contents(found, start)) == ["c0", "c1", "c2"]


def test_no_configuration_of_the_machine_or_the_workspace_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text(
        f'[filter "evil"]\n\tsmudge = touch {tmp_path}/ran; cat\n[core]\n\tautocrlf = true\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    start = MemoryTree({".gitattributes": b"* filter=evil text eol=crlf\n", "a": b"1\n"})
    patch = b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n"
    attributes = b"--- a/.gitattributes\n+++ b/.gitattributes\n@@ -1 +1,2 @@\n * filter=evil text eol=crlf\n+#\n"
    for each in (patch, attributes + patch, patch.replace(b"a/a", b'"a/a"').replace(b"b/a", b'"b/a"')):
        found = one(each, start)
        assert found.tree is not None
        assert found.tree.read("a") == b"2\n"
    assert not (tmp_path / "ran").exists()


def test_a_person_who_lets_git_ignore_whitespace_does_not_let_the_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text("[apply]\n\tignoreWhitespace = change\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    patch = b"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1 2\n+3\n"
    assert one(patch, MemoryTree({"a": b"1  2\n"})).problem == "patch failed: a:1; a: patch does not apply"


TEXTS = st.lists(st.sampled_from(["a", "b", "", " x", "-- y", "++ z", "@@ -1 +1 @@", "diff --git a/q b/q"]), max_size=6)


@settings(max_examples=15)
@given(st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), min_size=1, max_size=4))
def test_what_git_writes_is_applied_side_by_side(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[list[str], list[str], bool]]
) -> None:
    root = tmp_path_factory.mktemp("pairs")
    jobs, ends = [], []
    for number, (old, new, ended) in enumerate(pairs):
        texts = ["\n".join(lines) + ("\n" if ended and lines else "") for lines in (old, new)]
        for side, text in zip("ab", texts, strict=True):
            (root / f"{number}" / side).mkdir(parents=True)
            (root / f"{number}" / side / "f").write_bytes(text.encode())
        done = subprocess.run(
            ["git", "diff", "--no-index", "--no-prefix", "--text", "a", "b"],
            cwd=root / f"{number}",
            env=environment(),
            capture_output=True,
            check=False,
        )
        if done.stdout:
            jobs.append(Job(MemoryTree({"f": texts[0].encode()}), done.stdout))
            ends.append(texts[1].encode())
    assert [found.tree.read("f") if found.tree else found.problem for found in gitapply.apply(jobs)] == ends
