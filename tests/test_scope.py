"""Path patterns."""

import itertools

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scope import Patterns, is_glob, never, placed


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        pytest.param(["src/app.py"], "src/app.py", id="a literal path is itself"),
        pytest.param(["./src/app.py"], "src/app.py", id="a leading ./ means nothing"),
        pytest.param(["*.py"], "app.py", id="a star matches within the folder"),
        pytest.param(["src/*"], "src/.hidden", id="names with a leading dot are names"),
        pytest.param(["src/**"], "src/a/b/c.py", id="two stars cross folders"),
        pytest.param(["src/**/t.py"], "src/t.py", id="two stars match no folder too"),
        pytest.param(["**/t.py"], "t.py", id="two stars at the start match the top"),
        pytest.param(["docs/"], "docs/a/b.md", id="a trailing slash means all below"),
        pytest.param(["a[bc]d"], "acd", id="a class"),
        pytest.param(["a?c"], "abc", id="a question mark"),
        pytest.param(["**"], "a\nb", id="a newline in a name"),
        pytest.param(["**"], "\udcff\udcfe/x", id="a name that is not UTF-8"),
        pytest.param(["src/**", "!src/gen/**", "src/gen/keep.py"], "src/gen/keep.py", id="the last match wins"),
        pytest.param(["!src/**", "src/**"], "src/a", id="taken back before it was given"),
    ],
)
def test_in_scope(patterns: list[str], path: str) -> None:
    assert Patterns(patterns).match(path)


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        pytest.param(["src/app.py"], "src/app.pyc", id="a literal path is no prefix"),
        pytest.param(["src"], "src/app.py", id="a folder's name alone is a file's name"),
        pytest.param(["*.py"], "src/app.py", id="a star does not cross folders"),
        pytest.param(["app.py"], "src/app.py", id="patterns are anchored"),
        pytest.param(["src/**"], "srcs/a", id="the folder's name is whole"),
        pytest.param(["SRC/**"], "src/a", id="case matters"),
        pytest.param(["a{b,c}"], "ab", id="braces are no alternatives"),
        pytest.param(["src/**", "!src/gen/**"], "src/gen/a.py", id="taken back"),
        pytest.param(["!src/**"], "src/a", id="nothing was given"),
        pytest.param([], "src/a", id="no pattern"),
    ],
)
def test_out_of_scope(patterns: list[str], path: str) -> None:
    assert not Patterns(patterns).match(path)


def test_the_first_path_in_scope_is_named() -> None:
    assert Patterns(["*.py"]).first(["a.md", "b.py", "c.py"]) == "b.py"
    assert Patterns(["*.py"]).first(["a.md"]) is None


@pytest.mark.parametrize(
    "pattern",
    [
        *("src/**", "./src/**", "!src/gen/", "docs/", "**", "a:b", "src/[id]/**", "...", "a/.hidden", "a/..b"),
        pytest.param(r"a\[b\]", id="a sign of patterns that means itself"),
        pytest.param("[{]a,b}", id="a real brace"),
        pytest.param("{{cookiecutter.slug}}/**", id="braces without a choice"),
        pytest.param("src/{name}/**", id="a task's name"),
    ],
)
def test_what_may_match(pattern: str) -> None:
    assert never(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param("/src/**", "'/src/**' is absolute, and no path is here; write `src/**`", id="absolute"),
        pytest.param("!/src", "'!/src' is absolute, and no path is here; write `!src`", id="absolute, taken back"),
        pytest.param("/", "'/' is absolute, and no path is here; write `**`", id="the root"),
        pytest.param("src//**", "'src//**' is in no normal form, and paths are; write `src/**`", id="empty name"),
        pytest.param("src/./a/", "'src/./a/' is in no normal form, and paths are; write `src/a/`", id="a dot"),
        pytest.param("src/../a", "'src/../a' is in no normal form, and paths are; write `a`", id="up and down"),
        pytest.param("./", "'./' is in no normal form, and paths are; write `**`", id="the folder itself"),
        pytest.param(
            "./../x", "'./../x' leads out of the folder that it is relative to, where no path matches", id="outside"
        ),
        pytest.param(
            "C:\\x",
            r"'C:\\x' names a drive, and no path does here; write it relative, with `/` between folders",
            id="drive",
        ),
        pytest.param(
            "src\\a.py", r"'src\\a.py' has a backslash, which is no `/` here; write `src/a.py`", id="backslash"
        ),
        pytest.param("src\\**", r"'src\\**' has a backslash, which is no `/` here; write `src/**`", id="before stars"),
        pytest.param(
            "{src,lib}/**",
            "'{src,lib}/**' has braces, which are no pattern here; write one for each, or `[{]` for a real brace",
            id="braces",
        ),
        pytest.param(
            "v{1..3}",
            "'v{1..3}' has braces, which are no pattern here; write one for each, or `[{]` for a real brace",
            id="a range",
        ),
        pytest.param("", "'' is empty, and no path is", id="empty"),
    ],
)
def test_what_never_does(pattern: str, why: str) -> None:
    assert never(pattern) == why


def test_one_that_stands_alone_takes_nothing_back() -> None:
    assert never("!a", alone=True) == "'!a' takes back what no pattern before it gave; write it without `!`"


def test_one_that_is_brought_into_normal_form_may_go_up() -> None:
    assert never("../r//./x", climbs=True) == ""
    assert placed("sub", "../r//./x") == "r/x"
    assert (placed("sub", "r/"), placed("", "./r")) == ("sub/r/**", "r")


@given(st.lists(st.sampled_from(["a", "/", ".", "*", "!"]), max_size=6).map("".join))
def test_nothing_that_matches_is_refused(pattern: str) -> None:
    """But for an empty name behind a wildcard, which means nothing there."""
    tried = Patterns(["**", pattern] if pattern.startswith("!") else [pattern])
    paths = ["/".join(names) for size in (1, 2, 3) for names in itertools.product(["a", ".a", "a.a", "!"], repeat=size)]
    if never(pattern) and not ("*" in pattern and "//" in pattern):
        assert all(tried.match(path) is pattern.startswith("!") for path in paths)


@pytest.mark.parametrize(("text", "expected"), [("a/b.py", False), ("a/*.py", True), ("!a", True), ("a[b]", True)])
def test_is_glob(text: str, expected: bool) -> None:
    assert is_glob(text) is expected


_NAMES = st.text("ab.", min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))


@given(
    st.lists(st.one_of(_NAMES, st.sampled_from(["*", "**", "a*", "?"])), min_size=1, max_size=4).map("/".join),
    st.lists(_NAMES, min_size=1, max_size=4).map("/".join),
)
def test_agrees_with_gitignore_rules_on_anchored_patterns(pattern: str, path: str) -> None:
    """An anchored pattern means what it means in a .gitignore, but that it names files and not what lies below them."""
    expected = pathspec.GitIgnoreSpec.from_lines([f"/{pattern}"]).match_file(path)
    if Patterns([pattern]).match(path):
        assert expected
    elif expected:
        parents = [path.rsplit("/", cut)[0] for cut in range(1, path.count("/") + 1)]
        below = pathspec.GitIgnoreSpec.from_lines([f"/{pattern}"])
        assert any(below.match_file(parent) for parent in parents)
