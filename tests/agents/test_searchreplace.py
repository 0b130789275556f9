"""aider's SEARCH/REPLACE: where the searched lines are found."""

import pytest

from gate.agents.searchreplace import SearchReplace
from gate.errors import CannotApply

FILE = "def f():\n    if a:\n        b()\n\n    c()\n"


def put(search: str, replace: str, content: str | bytes | None = FILE, path: str = "src/a.py") -> str:
    data = content.encode() if isinstance(content, str) else content
    return (SearchReplace(path=path, search=search, replace=replace).outcome(data) or b"").decode()


@pytest.mark.parametrize(
    ("search", "replace", "after"),
    [
        pytest.param("    c()\n", "    d()\n", FILE.replace("c", "d"), id="exactly"),
        pytest.param("    c()", "    d()", FILE.replace("c", "d"), id="without a last line end"),
        pytest.param("c()\n", "d()\n", FILE.replace("c", "d"), id="without the indentation"),
        pytest.param("if a:\n    b()\n", "if x:\n    y()\n", FILE.replace("a:", "x:").replace("b", "y"), id="two lines"),
        pytest.param("\n    if a:\n        b()\n", "    x()\n", "def f():\n    x()\n\n    c()\n", id="a blank line first"),
        pytest.param("def f():\n...\n    c()\n", "def g():\n...\n    d()\n", "def g():\n    if a:\n        b()\n\n    d()\n", id="elided"),
        pytest.param("def f():\n...\n", "def g():\n...\n    d()\n", FILE.replace("f()", "g()") + "    d()\n", id="added after it"),
        pytest.param("", "    d()\n", FILE + "    d()\n", id="nothing searched is put at the end"),
        pytest.param("src/a.py\n```python\n    c()\n```\n", "```\n    d()\n```\n", FILE.replace("c", "d"), id="wrapped"),
        pytest.param("    c()\n", "", FILE.replace("    c()\n", ""), id="removed"),
    ],
)  # fmt: skip
def test_finds(search: str, replace: str, after: str) -> None:
    assert put(search, replace) == after


def test_the_first_place_counts() -> None:
    assert put("a\n", "b\n", "a\na\n") == "b\na\n"


def test_reads_text_as_python_does() -> None:
    assert put("b\n", "B\n", "a\r\nb\r\nc") == "a\nB\nc\n"


def test_makes_a_file() -> None:
    assert put("", "new\n", None) == "new\n"


@pytest.mark.parametrize(
    ("search", "content", "message"),
    [
        ("    x()\n", FILE, "the searched lines are not in the file; nearest is line 5: 'c()'"),
        ("def f():\n  if a:\n", FILE, "the searched lines are not in the file; nearest is line 1: 'def f():'"),
        ("a\n...\n", "a\n", "the searched lines are not in the file; nearest is line 1: 'a'"),
        ("a\n...\na\n", "a\na\n", "the searched lines are not in the file; nearest is line 1: 'a'"),
        ("a\n", None, "there is no such file"),
    ],
)
def test_does_not_guess(search: str, content: str | None, message: str) -> None:
    with pytest.raises(CannotApply) as caught:
        put(search, "y\n", content)
    assert caught.value.message == message


def test_a_file_left_without_a_letter_counts_as_not_found() -> None:
    with pytest.raises(CannotApply):
        put("a\n", "", "a\n")


def test_what_was_written_is_the_new_text() -> None:
    assert SearchReplace(path="a", search="x", replace="y").written == b"y"
