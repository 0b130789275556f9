"""What commands that only show files print, and how outputs are compared."""

import pytest

from gate.claims.printed import Difference, Printed, difference, printed
from gate.editing.files import Files
from gate.places import Places
from gate.repeating.site import Site
from gate.trajectory import Command
from gate.tree import SYMLINK, MemoryTree

FILES = {"a.py": b"one\ntwo\nthree\n", "src/b.py": b"b\n", "src/c.py": b"c\n"}


def _printed(text: str, folder: str | None = "/w") -> Printed | None:
    tree = MemoryTree({**FILES, "link": b"a.py"}, modes={"link": SYMLINK})
    with Site(interest=(), seconds=5.0) as site, site.at(Files(tree), Places("/w", ())):
        return printed(Command(text=text), folder, site)


@pytest.mark.parametrize(
    ("text", "output", "paths"),
    [
        ("cat a.py", b"one\ntwo\nthree\n", ("a.py",)),
        ("cat /w/src/b.py", b"b\n", ("src/b.py",)),
        ("cd src && cat b.py", b"b\n", ("src/b.py",)),
        ("cat src/b.py src/c.py", b"b\nc\n", ("src/b.py", "src/c.py")),
        ("sed -n '2,3p' a.py", b"two\nthree\n", ("a.py",)),
        ("cat a.py | head -2 | tail -n 1", b"two\n", ("a.py",)),
        ("nl -ba a.py | sed -n '1p'", b"     1\tone\n", ("a.py",)),
        ("echo '--- b'; cat src/b.py; echo; wc -l a.py", b"--- b\nb\n\n3 a.py\n", ("src/b.py", "a.py")),
        ("bash -c 'cat a.py'", b"one\ntwo\nthree\n", ("a.py",)),
        ("head -1 a.py 2>/dev/null", b"one\n", ("a.py",)),
        ("cat a.py || true", b"one\ntwo\nthree\n", ("a.py",)),
    ],
)
def test_works_it_out(text: str, output: bytes, paths: tuple[str, ...]) -> None:
    assert _printed(text) == Printed(output, paths)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cat missing", id="no such file"),
        pytest.param("cat link", id="a link"),
        pytest.param("cat /etc/passwd", id="outside"),
        pytest.param("cat a.py > copy", id="it writes"),
        pytest.param("cat a.py | tee copy", id="a program writes"),
        pytest.param("sed -i s/a/b/ a.py", id="sed in place"),
        pytest.param("sed s/a/b/ a.py", id="a script of sed"),
        pytest.param("cat $FILE a.py", id="a variable"),
        pytest.param("cat a.py; pytest", id="another program"),
        pytest.param("cat a.py | grep one", id="a filter that is not known"),
        pytest.param("cat missing && cat a.py", id="the first part fails"),
        pytest.param("for f in *; do cat $f; done", id="a loop"),
        pytest.param("echo done", id="no file"),
        pytest.param("cd $X && cat a.py", id="an unknown folder"),
        pytest.param("", id="nothing"),
        pytest.param("exit 0; cat a.py", id="it ends before"),
    ],
)
def test_does_not_guess(text: str) -> None:
    assert _printed(text) is None


def test_a_folder_outside_is_not_known() -> None:
    assert _printed("cat a.py", "/elsewhere") is None


@pytest.mark.parametrize(
    ("recorded", "replayed"),
    [
        pytest.param("a\nb\n", b"a\nb", id="the end"),
        pytest.param("\n  a\r\nb  \n\n", b"  a\nb\n", id="blank space at the ends"),
        pytest.param("a\n[... 40 lines truncated ...]\nz", b"a\nb\nz\n", id="shortened by the harness"),
        pytest.param("a\n… +3 lines", b"a\nb\nc\nd\n", id="shortened with a sign"),
        pytest.param("key=REDACTED\nb", b"key=1\nb\n", id="blacked out"),
        pytest.param("caf\ufffd\nb", "caf\xe9\nb".encode("latin-1"), id="no UTF-8"),
        pytest.param("a\n...\nb", b"a\n...\nb\n", id="dots of the file's own"),
    ],
)
def test_the_same_output(recorded: str, replayed: bytes) -> None:
    assert difference(recorded, replayed) is None


@pytest.mark.parametrize(
    ("recorded", "replayed", "found"),
    [
        ("a\nB", b"a\nb\n", Difference(2, "B", "b")),
        ("a\nb\nc", b"a\nb\n", Difference(3, "c", None)),
        ("a", b"a\nb\n", Difference(2, None, "b")),
        ("A\n[... 40 lines truncated ...]", b"a\nb\n", Difference(1, "A", "a")),
        ("a\n...\nB", b"a\n...\nb\n", Difference(3, "B", "b")),
    ],
)
def test_another_output(recorded: str, replayed: bytes, found: Difference) -> None:
    assert difference(recorded, replayed) == found
