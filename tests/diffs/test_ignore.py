"""`.gitignore` files: what they leave out, as git says too."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.diffs.ignore import Ignored
from gate.tree import SYMLINK, MemoryTree
from tests.machine import environment, git


@pytest.mark.parametrize(
    ("rules", "path", "ignored"),
    [
        pytest.param("*.log\n", "a/b.log", True, id="any folder"),
        pytest.param("/a.log\n", "x/a.log", False, id="anchored"),
        pytest.param("/a.log\n", "a.log", True, id="anchored at the top"),
        pytest.param("a/b\n", "x/a/b", False, id="a slash anchors"),
        pytest.param("build/\n", "build/x", True, id="folder"),
        pytest.param("build/\n", "build", False, id="folders only"),
        pytest.param("*\n!keep\n", "keep", False, id="taken back"),
        pytest.param("build/\n!build/keep\n", "build/keep", True, id="not below an ignored folder"),
        pytest.param("a/**/z\n", "a/z", True, id="no folder between"),
        pytest.param("a/**/z\n", "a/b/c/z", True, id="folders between"),
        pytest.param("a/**\n", "a/b/c", True, id="all below"),
        pytest.param("**/z\n", "z", True, id="anywhere"),
        pytest.param("a**z\n", "a/z", False, id="two stars are one"),
        pytest.param("[ab]c\n", "bc", True, id="set"),
        pytest.param("[!ab]c\n", "bc", False, id="negated set"),
        pytest.param("[[:digit:]]c\n", "1c", True, id="named set"),
        pytest.param("# x\n\\#y\n", "#y", True, id="comment and escape"),
        pytest.param("x  \ny\\ \n", "x", True, id="blanks at the end"),
        pytest.param("x  \ny\\ \n", "y ", True, id="a blank that is meant"),
        pytest.param("x\r\n", "x", True, id="CRLF"),
        pytest.param("x\\\n", "x", False, id="backslash at the end"),
        pytest.param("[x\n", "[x", False, id="open set"),
        pytest.param("\ufeffx\n", "x", True, id="byte order mark"),
        pytest.param("", "x", False, id="no rule"),
    ],
)
def test_a_rule(rules: str, path: str, ignored: bool) -> None:
    assert Ignored(MemoryTree({".gitignore": rules.encode(), path: b""})).match(path) is ignored


def test_a_deeper_file_comes_after_one_above() -> None:
    tree = MemoryTree({".gitignore": b"*.log\n", "a/.gitignore": b"!x.log\n/y\n", "a/x.log": b"", "a/y": b"", "y": b""})
    ignored = Ignored(tree)
    assert [path for path in tree.paths() if ignored.match(path)] == ["a/y"]


@pytest.mark.parametrize(
    ("rule", "path", "ignored"),
    [
        pytest.param("*a" * 20 + "b", "a" * 250, False, id="stars"),
        pytest.param("*a" * 20 + "b", "a" * 250 + "b", True, id="stars that match"),
        pytest.param("**/a/" * 20 + "b", "a/" * 250 + "c", False, id="folders"),
        pytest.param("**/a/" * 20 + "b", "a/" * 250 + "b", True, id="folders that match"),
        pytest.param("**/*a*a*/" * 8 + "b", "aaa/" * 250 + "c", False, id="both"),
    ],
)
def test_a_rule_of_many_stars_comes_to_an_end(rule: str, path: str, ignored: bool) -> None:
    assert Ignored(MemoryTree({".gitignore": rule.encode(), path: b""})).match(path) is ignored


def test_a_link_of_that_name_is_not_read() -> None:
    tree = MemoryTree({".gitignore": b"x", "x": b""}, modes={".gitignore": SYMLINK})
    assert not Ignored(tree).match("x")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ignore")
    git(folder, "init", "-q")
    return folder


_NAMES = st.sampled_from(["a", "b", "ab", "b.c", "é", "a b"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map("/".join).filter(lambda path: path != "a")  # a folder there
_GLOBS = st.lists(st.sampled_from(["a", "b", "*", "**", "?", "/", "[ab]", "[!a]", ".c", "é", "\\a", " "]), max_size=5)
_RULES = st.lists(st.tuples(st.sampled_from(["", "!"]), _GLOBS.map("".join)).map("".join), max_size=4).map("\n".join)


@given(
    glob=st.lists(st.sampled_from(["a", "b", "*", "**/", "/", "?", "[ab]"]), max_size=9).map("".join),
    path=st.text("ab/", max_size=12).filter(lambda path: "//" not in path and path[:1] != "/" and path[-1:] != "/"),
)
def test_what_gives_nothing_back_matches_what_would(glob: str, path: str) -> None:
    plain = re.sub("[*]+", "*", re.sub("(?:(?<=/)|^)[*][*]/", "\0", glob))
    words = {"\0": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    naive = "".join(words.get(piece, piece) for piece in re.findall(r"\[ab\]|.", plain, re.DOTALL))
    anchored = "/" in glob.removesuffix("/")
    expected = bool(path) and bool(glob.strip("/")) and glob[-1:] != "/"
    naive = naive.removeprefix("/") if anchored else f"(?:.*/)?{naive}"
    found = Ignored(MemoryTree({".gitignore": glob.encode()}))
    if expected and "**" not in glob.replace("**/", ""):
        whole = any(re.fullmatch(naive, "/".join(path.split("/")[: depth + 1])) for depth in range(path.count("/") + 1))
        assert found.match(path) is whole


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=_RULES, deeper=_RULES, paths=st.sets(_PATHS, min_size=1, max_size=12))
def test_any_rules_ignore_what_git_ignores(repository: Path, rules: str, deeper: str, paths: set[str]) -> None:
    files = {".gitignore": rules, "a/.gitignore": deeper}
    for name, text in files.items():
        (repository / name).parent.mkdir(exist_ok=True)
        (repository / name).write_text(text)
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=repository,
        env=environment(),
        input="\0".join(sorted(paths)),
        capture_output=True,
        text=True,
        check=False,
    )
    ours = Ignored(MemoryTree({name: text.encode() for name, text in files.items()}))
    assert {path for path in paths if ours.match(path)} == {path for path in done.stdout.split("\0") if path}
