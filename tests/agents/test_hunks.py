"""aider's unified diffs: where the lines of a hunk are found."""

import pytest

from gate.agents.hunks import HunkEdit, normal, sides
from gate.errors import CannotApply

FILE = "def first():\n    one_call()\n    another_call()\n\n\ndef second():\n    one_call()\n"


def put(hunk: str, content: str | None = FILE) -> str:
    lines = normal(hunk.splitlines(keepends=True))
    return (HunkEdit(path="a.py", lines=lines).outcome(None if content is None else content.encode()) or b"").decode()


@pytest.mark.parametrize(
    ("hunk", "after"),
    [
        pytest.param(
            " def first():\n-    one_call()\n+    new_call()\n", FILE.replace("one_call", "new_call", 1), id="exactly"
        ),
        pytest.param("-    one_call()\n+    new_call()\n", FILE.replace("one_call", "new_call"), id="everywhere"),
        pytest.param(
            " one_call()\n-another_call()\n+new_call()\n", FILE.replace("another", "new"), id="at another indentation"
        ),
        pytest.param(
            " def nowhere_to_be_found():\n-    another_call()\n+    new_call()\n",
            FILE.replace("another", "new"),
            id="without the lines around",
        ),
        pytest.param("+def third():\n+    pass\n", FILE + "def third():\n    pass\n", id="nothing to find: at the end"),
        pytest.param(
            " def first():\n-    one_call()\n+    x_call()\n     another_call()\n \n \n-def second():\n+def third():\n",
            FILE.replace("one_call", "x_call", 1).replace("second", "third"),
            id="two changes",
        ),
        pytest.param(
            " def first():\n-    one_call()\n+    x_call()\n the lines between are not told\n-def second():\n+def third():\n",
            FILE.replace("one_call", "x_call", 1).replace("second", "third"),
            id="two changes, one by one",
        ),
    ],
)  # fmt: skip
def test_finds(hunk: str, after: str) -> None:
    assert put(hunk) == after


def test_makes_a_file() -> None:
    assert put("+new\n", None) == "new\n"


@pytest.mark.parametrize(
    ("hunk", "content", "message"),
    [
        ("-    onecall()\n+x\n", FILE, "the lines of the hunk are not in the file; nearest is line 2: 'one_call()'"),
        ("-a()\n+x\n", "a()\na()\n", "the lines of the hunk are not in the file; nearest is line 1: 'a()'"),
        ("-a\n+x\n", None, "there is no such file"),
    ],
)
def test_does_not_guess(hunk: str, content: str | None, message: str) -> None:
    with pytest.raises(CannotApply) as caught:
        put(hunk, content)
    assert caught.value.message == message


def test_the_sides_of_a_hunk() -> None:
    assert sides([" a\n", "-b\n", "+c\n", "\n", "@x\n"]) == ("a\nb\n\n", "a\nc\n\n")


def test_blank_lines_are_really_blank() -> None:
    assert normal([" a\n", "   \n", "-b\n", "+c\n"]) == (" a\n", " \n", "-b\n", "+c\n")
    assert normal([" a\n"]) == ()


def test_what_was_written_is_what_was_added() -> None:
    assert HunkEdit(path="a", lines=(" a\n", "-b\n", "+c\n")).written == b"c\n"
