"""Whether what a command changes is a file of the workspace."""

import pytest

from gate.cmdline.target import EVERYTHING, MADE, How, Target

ROOT = "/home/u/repo"


@pytest.mark.parametrize(
    ("target", "path", "directory", "root"),
    [
        pytest.param(Target("a.py"), "a.py", "", None, id="itself"),
        pytest.param(Target("./a.py"), "a.py", "", None, id="4 dot slash"),
        pytest.param(Target("src/../a.py"), "a.py", "", None, id="dots"),
        pytest.param(Target("a.py"), "src/a.py", "src", None, id="in its folder"),
        pytest.param(Target("../a.py"), "a.py", "src", None, id="from a folder"),
        pytest.param(Target("/home/u/repo/a.py"), "a.py", "", ROOT, id="absolute"),
        pytest.param(Target("a.py"), "src/a.py", "/home/u/repo/src", ROOT, id="in an absolute folder"),
        pytest.param(Target("../repo/a.py"), "a.py", "/home/u/repo", ROOT, id="out and in again"),
        pytest.param(Target("/work/src/a.py"), "src/a.py", "", None, id="10 absolute, root not known"),
        pytest.param(Target("a.py"), "src/a.py", None, None, id="folder not known"),
        pytest.param(Target("src/a.py"), "src/a.py", None, None, id="folder not known, whole path"),
        pytest.param(Target("tests", below=True), "tests/x/t.py", "", None, id="folder"),
        pytest.param(Target("tests/", below=True), "tests/t.py", "", None, id="folder with a slash"),
        pytest.param(Target(".", below=True), "tests/t.py", "", None, id="this folder"),
        pytest.param(Target("..", below=True), "tests/t.py", "src", None, id="the folder above"),
        pytest.param(Target("/home/u/repo", below=True), "tests/t.py", "", ROOT, id="the root"),
        pytest.param(Target("/work/tests", below=True), "tests/t.py", "", None, id="folder, root not known"),
        pytest.param(Target("tests/*.py"), "tests/t.py", "", None, id="glob"),
        pytest.param(Target("tests/**/*.py"), "tests/t.py", "", None, id="deep glob, no folder"),
        pytest.param(Target("tests/**/*.py"), "tests/a/b/t.py", "", None, id="deep glob"),
        pytest.param(Target("tests/**/cache", below=True), "tests/a/cache/t.py", "", None, id="deep glob of folders"),
        pytest.param(Target("**/cache", below=True), "cache/t.py", "", None, id="deep glob of folders, here"),
        pytest.param(Target("t?sts", below=True), "tests/t.py", "", None, id="glob of folders"),
        pytest.param(Target("src/{a,b}.{js,ts}"), "src/b.ts", "", None, id="alternatives"),
        pytest.param(Target("tests/t{1..3}.py"), "tests/t2.py", "", None, id="a range"),
        pytest.param(Target("~/repo/a.py"), "a.py", "", ROOT, id="below the home folder"),
        pytest.param(Target("~/repo/a.py"), "a.py", "", "/app", id="below a home folder that is not known"),
        pytest.param(Target("../repo/a.py"), "a.py", "", None, id="out and in again, root not known"),
        pytest.param(Target("../repo/a.py"), "a.py", "", ROOT, id="out and in again from the top"),
        pytest.param(Target("..", below=True), "tests/t.py", "", None, id="the folder above all"),
        pytest.param(EVERYTHING, "tests/t.py", "src", ROOT, id="everything"),
        pytest.param(EVERYTHING, "tests/t.py", None, None, id="everything somewhere"),
        pytest.param(Target("open('tests/t.py', 'w')", How.MENTIONS), "tests/t.py", "", None, id="script"),
        pytest.param(Target("open('/home/u/repo/t.py')", How.MENTIONS), "t.py", "", ROOT, id="absolute in a script"),
        pytest.param(Target("open('t.py', 'w')", How.MENTIONS), "tests/t.py", "tests", None, id="script in its folder"),
        pytest.param(Target("open('t.py')", How.MENTIONS), "tests/t.py", f"{ROOT}/tests", ROOT, id="script, absolute"),
    ],
)
def test_what_is_reached(target: Target, path: str, directory: str | None, root: str | None) -> None:
    assert target.reaches(path, directory=directory, root=root)


@pytest.mark.parametrize(
    ("target", "path", "directory", "root"),
    [
        pytest.param(Target("b.py"), "a.py", "", None, id="another"),
        pytest.param(Target("a.py"), "src/a.py", "", None, id="in another folder"),
        pytest.param(Target("src/a.py"), "a.py", "", None, id="below"),
        pytest.param(Target("a.py"), "aXpy", "", None, id="a dot is a dot"),
        pytest.param(Target("tests"), "tests/t.py", "", None, id="folder, not below it"),
        pytest.param(Target("test", below=True), "tests/t.py", "", None, id="start of a name"),
        pytest.param(Target("tests/*.py"), "tests/a/t.py", "", None, id="a star stays in its folder"),
        pytest.param(Target("/etc/a.py"), "a.py", "", ROOT, id="absolute elsewhere"),
        pytest.param(Target("/home/u/repo2/a.py"), "a.py", "", ROOT, id="a root that begins alike"),
        pytest.param(Target("../a.py"), "a.py", "", None, id="above"),
        pytest.param(Target("a.py"), "a.py", "/tmp", ROOT, id="run elsewhere"),
        pytest.param(Target("/work/src/b.py"), "src/a.py", "", None, id="another, root not known"),
        pytest.param(Target("$FILE"), "a.py", "", None, id="not expanded"),
        pytest.param(Target("\0"), "a.py", "", None, id="not told"),
        pytest.param(Target("~/x/a.py"), "a.py", "", ROOT, id="elsewhere below the home folder"),
        pytest.param(Target("/tmp/a.py"), "a.py", "", None, id="among temporary files"),
        pytest.param(Target(f"{MADE}/a.py"), "a.py", "", None, id="in a folder that mktemp made"),
        pytest.param(EVERYTHING, "a.py", MADE, None, id="everything in a folder that mktemp made"),
        pytest.param(Target("../repo/b.py"), "a.py", "", None, id="out and in again, another"),
        pytest.param(EVERYTHING, "a.py", "/tmp/clone", ROOT, id="everything elsewhere"),
        pytest.param(Target("open('data.py')", How.MENTIONS), "a.py", "", None, id="end of another name"),
        pytest.param(Target("open('t.pyc')", How.MENTIONS), "t.py", "", None, id="start of another name"),
        pytest.param(Target("a.py", How.RUNS), "a.py", "", None, id="a script that is only run"),
        pytest.param(Target("print(1)", How.MENTIONS), "a.py", "/", ROOT, id="script without it"),
    ],
)
def test_what_is_not_reached(target: Target, path: str, directory: str | None, root: str | None) -> None:
    assert not target.reaches(path, directory=directory, root=root)


@pytest.mark.parametrize(
    ("target", "path", "directory", "root"),
    [
        pytest.param(Target("\0"), "src/a.py", "", None, id="a name"),
        pytest.param(Target("\0"), "src/a.py", "lib", ROOT, id="a name, which may be absolute"),
        pytest.param(Target("\0/a.py"), "src/a.py", "", None, id="a folder"),
        pytest.param(Target("\0/repo/a.py"), "a.py", "", ROOT, id="a folder above the root"),
        pytest.param(Target("\0.py"), "src/a.py", "", None, id="a name with its ending"),
        pytest.param(Target("src/\0"), "src/x/a.py", "", None, id="in a folder"),
        pytest.param(Target("/home/u/repo/src/\0"), "src/a.py", "", ROOT, id="in an absolute folder"),
        pytest.param(Target("/work/src/\0"), "src/a.py", "", None, id="in an absolute folder, root not known"),
        pytest.param(Target("~/repo/\0"), "src/a.py", "", ROOT, id="below the home folder"),
        pytest.param(Target("\0", below=True), "src/a.py", "", None, id="a folder and all below"),
        pytest.param(Target("x/\0/../../a.py"), "src/a.py", "", None, id="up again"),
        pytest.param(Target("../repo/\0"), "a.py", "", ROOT, id="out and in again"),
        pytest.param(Target("tests/*/\0.[jt]s"), "tests/x/a.ts", "", None, id="with a pattern"),
        pytest.param(Target("\0"), "src/a.py", None, ROOT, id="folder not known"),
        pytest.param(Target("\0/**/*.py"), "a.py", "", None, id="with a deep glob"),
    ],
)
def test_what_may_be_reached(target: Target, path: str, directory: str | None, root: str | None) -> None:
    assert target.may_reach(path, directory=directory, root=root)
    assert not target.reaches(path, directory=directory, root=root)


@pytest.mark.parametrize(
    ("target", "path", "directory", "root"),
    [
        pytest.param(Target("a.py"), "a.py", "", None, id="all is told"),
        pytest.param(Target("build/\0"), "src/a.py", "", None, id="in another folder"),
        pytest.param(Target("\0.md"), "src/a.py", "", None, id="another ending"),
        pytest.param(Target("\0/b.py"), "src/a.py", "", None, id="another name"),
        pytest.param(Target("/tmp/\0"), "src/a.py", "", None, id="among temporary files"),
        pytest.param(Target("/tmp/x-\0.py/a.py"), "a.py", "/w", "/w", id="below them"),
        pytest.param(Target("\0"), "a.py", "/tmp/clone", ROOT, id="run elsewhere"),
        pytest.param(Target("\0"), "a.py", MADE, None, id="run in a folder that mktemp made"),
        pytest.param(Target("~/.cache/\0"), "a.py", "", ROOT, id="elsewhere below the home folder"),
        pytest.param(Target("open('\0')", How.MENTIONS), "a.py", "", None, id="a script"),
        pytest.param(Target("\0", How.RUNS), "a.py", "", None, id="a script in a file"),
    ],
)
def test_what_is_not_even_then(target: Target, path: str, directory: str | None, root: str | None) -> None:
    assert not target.may_reach(path, directory=directory, root=root)


def test_alternatives_of_alternatives_end() -> None:
    assert not Target("{a,b}" * 50).reaches("a.py", directory="")


@pytest.mark.parametrize(
    ("target", "directory", "root", "place"),
    [
        pytest.param(Target("./x/../a.py"), "src", None, "src/a.py", id="relative"),
        pytest.param(Target("/home/u/repo/a.py"), "", ROOT, "a.py", id="absolute"),
        pytest.param(Target("a.py"), "/home/u/repo/src", ROOT, "src/a.py", id="absolute folder"),
        pytest.param(Target("a.py"), None, ROOT, None, id="folder not known"),
        pytest.param(Target("/home/u/repo/a.py"), "", None, None, id="root not known"),
        pytest.param(Target("../a.py"), "", None, None, id="above"),
        pytest.param(Target("/etc/a.py"), "", ROOT, None, id="elsewhere"),
        pytest.param(EVERYTHING, "", ROOT, None, id="everything"),
        pytest.param(Target("x", How.MENTIONS), "", ROOT, None, id="script"),
    ],
)
def test_the_place_of_a_target(target: Target, directory: str | None, root: str | None, place: str | None) -> None:
    assert target.place(directory=directory, root=root) == place
