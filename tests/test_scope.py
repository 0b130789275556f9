"""Path patterns."""

import pathspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scope import Patterns, is_glob


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
