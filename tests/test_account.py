"""Which step wrote which line, and what that accounts for."""

from gate.account import Account, Hunk, content, extent
from gate.replay import Applied
from gate.tree import MemoryTree

START, HEAD = MemoryTree({"f": b"a\nb\nc\n"}), MemoryTree({"g": b"a\nB\nc\nd\n"})


def _applied(step: int, path: str, to: str | None = None) -> Applied:
    return Applied(step=step, line=step, path=path, recorded=path, to=to)


def test_lines_keep_their_step_when_a_file_moves() -> None:
    account = Account(START, HEAD)
    account.watch(_applied(2, "f"), b"a\nb\nc\n", b"a\nB\nc\n")
    account.watch(_applied(3, "f", to="g"), b"a\nB\nc\n", b"a\nB\nc\n")
    account.tree = MemoryTree({"g": b"a\nB\nc\n"})
    assert (account.steps("f"), account.steps("g"), account.steps("x")) == ((2, 3), (2, 3), ())
    (hunk,) = account.hunks("g")
    assert (hunk.steps, hunk.explained) == ((2,), False)


def test_a_step_that_changes_a_file_twice_counts_once() -> None:
    account = Account(START, HEAD)
    account.watch(_applied(2, "f"), b"a\nb\nc\n", b"a\n")
    account.watch(_applied(2, "f"), b"a\n", b"")
    assert account.steps("f") == (2,)


def test_what_is_no_text_has_no_hunks() -> None:
    binary = MemoryTree({"f": b"\0"})
    account = Account(binary, binary)
    account.tree = binary
    assert account.hunks("f") == ()


def test_removed_lines_are_those_of_the_steps_that_changed_the_file() -> None:
    account = Account(START, MemoryTree({"f": b"a\n"}))
    account.watch(_applied(4, "f"), b"a\nb\nc\n", b"a\n")
    account.tree = MemoryTree({"f": b"a\n"})
    assert account.hunks("f") == (Hunk(line=2, end=1, removed=2, explained=True, steps=(4,)),)


def test_content() -> None:
    assert (content(START, "f"), content(START, "x")) == (b"a\nb\nc\n", None)


def test_the_stretches_of_a_change() -> None:
    start = MemoryTree({"a": b"1\n2\n3\n4\n5\n", "gone": b"1\n", "same": b"1\n", "b": b"\0old"})
    head = MemoryTree({"a": b"1\nnew\nnew\n3\n5\n", "new": b"1\n2\n", "same": b"1\n", "b": b"\0new"})
    found = extent(["a", "gone", "new", "b", "unasked"], start, head, measured={"a", "gone", "new", "b", "same"})
    assert found.files == {"a": ((2, 3), (5, 4)), "gone": ((1, 0),), "new": ((1, 2),), "b": (), "unasked": ()}
