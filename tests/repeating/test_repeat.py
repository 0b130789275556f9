"""Commands repeated between edits: which steps count, and who is told."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.editing.edit import Move, Replace, Write
from gate.repeating.repeat import Attempt, repeat
from gate.replay import Applied
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import MemoryTree
from tests.repeated import command, run

START = {"a": b"1\n"}


def test_in_the_order_of_the_steps() -> None:
    edit = Step(number=1, tool="edit", ok=Ok.YES, edits=(Replace(path="b", old=b"1", new=b"2"),))
    move = Step(number=1, tool="edit", ok=Ok.YES, edits=(Move(path="b", to="c"),))
    ran = run("cp a b", edit, "sed -i s/2/3/ b", move, "cat c >> a", start=START)
    assert ran.files == {"a": b"1\n3\n", "c": b"3\n"}
    assert ran.repeated.attempts == (
        Attempt(1, "cp a b"),
        Attempt(3, "sed -i s/2/3/ b"),
        Attempt(5, "cat c >> a"),
    )
    assert ran.repeated.replay.failed == ()


def test_an_edit_of_what_only_a_command_makes_fits() -> None:
    edit = Step(number=1, tool="edit", ok=Ok.YES, edits=(Replace(path="b", old=b"1", new=b"2"),))
    assert run(edit, start=START).repeated.replay.failed
    assert not run("cp a b", edit, start=START).repeated.replay.failed


@pytest.mark.parametrize(
    ("step", "done"),
    [
        pytest.param(command("rm a"), True, id="it succeeded"),
        pytest.param(command("rm a", ok=Ok.UNKNOWN, exit_code=None), True, id="no outcome is recorded"),
        pytest.param(command("rm a", ok=Ok.NO, exit_code=None), False, id="it was refused"),
        pytest.param(command("rm a", exit_code=1), False, id="it failed"),
        pytest.param(command("rm a", ok=Ok.YES, exit_code=1), False, id="its exit code says so"),
        pytest.param(command("rm a", undone=True), False, id="a person went back to before it"),
    ],
)
def test_which_steps_count(step: Step, done: bool) -> None:
    assert ("a" not in run(step, start=START).files) is done


@pytest.mark.parametrize(
    ("text", "directory", "root", "roots", "done"),
    [
        pytest.param("rm f", None, "/w", (), True, id="the root"),
        pytest.param("rm f", "/w", "/w", (), True, id="named"),
        pytest.param("rm ../f", "/w/d", "/w", (), True, id="a folder"),
        pytest.param("rm ../f", "d", "/w", (), True, id="a relative folder"),
        pytest.param("rm f", "/w2/d/..", "/w", ("/w2",), True, id="a worktree"),
        pytest.param("rm /w2/f", None, "/w", ("/w2",), True, id="a path of a worktree"),
        pytest.param("rm f", "/elsewhere", "/w", (), False, id="elsewhere"),
        pytest.param("rm f", None, None, (), True, id="not recorded"),
        pytest.param("rm /w/f", None, None, (), False, id="an absolute path without a root"),
    ],
)
def test_where_it_ran(text: str, directory: str | None, root: str | None, roots: tuple[str, ...], done: bool) -> None:
    ran = run(command(text, directory=directory), start={"f": b"", "d/g": b""}, directory=root, roots=roots)
    assert ("f" not in ran.files) is done


def test_powershell_is_another_language() -> None:
    step = Step(number=1, tool="PowerShell", ok=Ok.YES, commands=(Command(text="rm a", exit_code=0),))
    assert run(step, start=START).files == START


def test_who_changed_what_is_told_as_of_an_edit() -> None:
    told: list[tuple[Applied, bytes | None, bytes | None]] = []
    steps = (
        Step(number=1, line=4, tool="write", ok=Ok.YES, edits=(Write(path="n", content=b"n"),)),
        Step(number=2, line=6, tool="bash", ok=Ok.YES, commands=(Command(text="mv n m; echo x > a; rm a; ls"),)),
    )
    trajectory = Trajectory(format="test", steps=steps)
    repeat(trajectory, MemoryTree(START), (), watch=lambda *news: told.append(news))
    first = Applied(step=1, line=4, path="n", recorded="n")
    assert told == [
        (first, None, b"n"),
        (Applied(step=2, line=6, path="n", to="m", recorded="mv n m"), b"n", b"n"),
        (Applied(step=2, line=6, path="a", recorded="echo x > a"), b"1\n", b"x\n"),
        (Applied(step=2, line=6, path="a", recorded="rm a"), b"x\n", None),
    ]


def test_the_start_tree_is_not_touched() -> None:
    start = MemoryTree(START)
    run("rm a; echo x > b", start=start)
    assert dict.fromkeys(start.paths(), start.read("a")) == START


_WORDS = st.sampled_from(
    [
        "rm",
        "mv",
        "cp",
        "cat",
        "echo",
        ">",
        ">>",
        "<",
        "&&",
        "||",
        ";",
        "|",
        "&",
        "(",
        ")",
        "{",
        "}",
        "cd",
        "a",
        "b",
        "d/c",
        "..",
        "/",
        "$x",
        "`y`",
        "*",
        "'q",
        "r'",
        '"z"',
        "<<E",
        "\nE\n",
        "sed",
        "-i",
        "s/a/b/",
        "tee",
        "if",
        "fi",
        "git",
        "checkout",
        "--",
        "-r",
        "-f",
        "sh",
        "-c",
        "printf",
        "%s",
        "apply",
    ]
)


@settings(max_examples=150)
@given(st.lists(_WORDS, max_size=14))
def test_no_line_raises(words: list[str]) -> None:
    run(" ".join(words), start={"a": b"a\n", "d/c": b"c\n"})
