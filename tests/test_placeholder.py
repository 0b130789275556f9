"""What stands in a tree for files that lie elsewhere, and what is said of it where a command fails."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gate.placeholder import told
from gate.tree import SUBMODULE, SYMLINK, MemoryTree
from tests.commands.repository import gate, write
from tests.conftest import Git

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"
MANIFEST = """\
version: 1
tasks:
  - id: t
    workspace: {git: base}
    oracles: [{type: test_must_pass, command: python -c "import lib.calc"}]
"""


def said(files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> list[str]:
    return [notice.message for notice in told(MemoryTree(files, modes=modes or {}))]


def test_submodules_are_named() -> None:
    files = {"lib": b"1" * 40, "other": b"2" * 40, "a.txt": b"x"}
    assert said(files, {"lib": SUBMODULE}) == [
        "The workspace of commands holds only the commit of the submodule lib, none of the files in it: a command that "
        "needs it fails."
    ]
    (both,) = told(MemoryTree(files, modes={"lib": SUBMODULE, "other": SUBMODULE}))
    assert "the submodule lib and 1 more, none" in both.message
    assert both.details == "lib\nother"


@pytest.mark.parametrize(
    ("place", "line"),
    [
        pytest.param(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text", id="a kind of file"),
        pytest.param(".gitattributes", "data/*.bin filter=lfs", id="in a folder"),
        pytest.param(".gitattributes", "/data/** filter=lfs", id="all below a folder"),
        pytest.param("data/.gitattributes", "*.bin\tfilter=lfs", id="said in the folder"),
    ],
)
def test_pointers_are_named(place: str, line: str) -> None:
    files = {place: f"# ours\n\n{line}\n".encode(), "data/a.bin": POINTER, "data/b.bin": b"content", "c.txt": POINTER}
    assert said(files) == [
        "The workspace of commands holds only Git LFS's pointer to data/a.bin, not what it points to: a command that "
        "needs it fails."
    ]


@pytest.mark.parametrize(
    ("files", "modes"),
    [
        pytest.param({"a.bin": POINTER}, {}, id="no attributes"),
        pytest.param({".gitattributes": b"*.bin -text\n", "a.bin": POINTER}, {}, id="other attributes"),
        pytest.param({".gitattributes": b"*.bin filter=lfs\n", "a.bin": POINTER}, {"a.bin": SYMLINK}, id="a link"),
        pytest.param(
            {".gitattributes": b"*.bin filter=lfs\n", "a.bin": POINTER * 20}, {}, id="no pointer is that large"
        ),
        pytest.param({".gitattributes": b"*.bin filter=lfs\n"}, {".gitattributes": SYMLINK}, id="attributes by a link"),
    ],
)
def test_nothing_is_said(files: Mapping[str, bytes], modes: Mapping[str, int]) -> None:
    assert said(files, modes) == []


def test_a_command_that_fails_is_told_beside_them(tmp_path: Path, git: Git) -> None:
    other = tmp_path / "other"
    write(other, {"calc.py": "x = 1\n"})
    git("init", "-q", cwd=other)
    git("add", "-A", cwd=other)
    git("commit", "-qm", "lib", cwd=other)
    root = tmp_path / "repo"
    git("submodule", "add", "-q", str(other), "lib")
    write(root, {"gate.yaml": MANIFEST})
    git("add", "-A")
    git("commit", "-qm", "base")
    done = gate(root, "run", "--diff", "all")
    notice = "The workspace of commands holds only the commit of the submodule lib, none of the files in it"
    assert (done.returncode, done.stdout.count(notice)) == (1, 1)
    write(root, {"gate.yaml": MANIFEST.replace("lib.calc", "sys")})
    git("commit", "-qam", "needs nothing of it")
    done = gate(root, "run", "--diff", "all")
    assert (done.returncode, done.stdout.count(notice)) == (0, 0)
