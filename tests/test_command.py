"""Commands in a workspace: what is put on disk for them, with which Python, and why they did not do their work."""

import sys
from pathlib import Path

import pytest

from gate.command import Interpreter, Shell, failure, inside, with_python, without_old_links
from gate.errors import CannotJudge
from gate.process import Completed
from gate.tree import SYMLINK, MemoryTree


def _tree(**links: bytes) -> MemoryTree:
    return MemoryTree({"a": b"x", **links}, modes=dict.fromkeys(links, SYMLINK))


@pytest.mark.parametrize("target", [b"/usr/share", b"../elsewhere", b"b/../../x"])
def test_a_link_that_led_out_before_is_left_out(target: bytes) -> None:
    assert list(without_old_links(_tree(link=target), _tree(link=target)).paths()) == ["a"]


@pytest.mark.parametrize(
    ("after", "before"),
    [
        pytest.param(_tree(link=b"/usr"), _tree(), id="the change brings it"),
        pytest.param(_tree(link=b"/usr"), _tree(link=b"/etc"), id="the change moves it"),
        pytest.param(_tree(link=b"a"), _tree(link=b"a"), id="it stays inside"),
    ],
)
def test_any_other_link_stays(after: MemoryTree, before: MemoryTree) -> None:
    assert without_old_links(after, before) is after


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python -m pytest", "/opt/py thon -m pytest"),
        ("python", "/opt/py thon"),
        ("python3 -m x", "python3 -m x"),
        ("pythonic", "pythonic"),
        ("echo python", "echo python"),
    ],
)
def test_python_means_the_one_that_was_named(command: str, expected: str) -> None:
    assert with_python(command, "/opt/py thon").replace("'", "") == expected


def test_variables_are_added_to_the_environment(tmp_path: Path) -> None:
    shell = Shell(variables={"ONE": "1", "TWO": "2"})
    assert shell.run("echo $ONE$TWO", cwd=tmp_path, timeout=30, more={"TWO": "3"}).stdout == b"13\n"


def test_a_program_gets_its_arguments_as_they_are(tmp_path: Path) -> None:
    words = ["printf", "%s|", "a b", "$HOME", "*"]
    assert Shell().run(words, cwd=tmp_path, timeout=30).stdout == b"a b|$HOME|*|"


def test_a_program_named_python_is_the_one_that_was_named(tmp_path: Path) -> None:
    done = Shell(python=Interpreter("/bin/echo")).run(["python", "-c", "x"], cwd=tmp_path, timeout=30)
    assert done.stdout == b"-c x\n"


def test_a_folder_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "work" / "src").mkdir(parents=True)
    (tmp_path / "work" / "out").symlink_to("/usr")
    assert inside(tmp_path / "work", "src", root=tmp_path) == tmp_path / "work" / "src"
    for name in ("gone", "out", "../.."):
        with pytest.raises(CannotJudge) as caught:
            inside(tmp_path / "work", name, root=tmp_path)
        assert caught.value.message == f"there is no folder {name} in the workspace"


@pytest.mark.parametrize(
    ("done", "sentence"),
    [
        pytest.param(Completed(command="make", exit_code=0), "", id="good"),
        pytest.param(
            Completed(command="make", exit_code=2, stdout=b"cc\n", stderr=b"no rule\n"),
            "the command 'make' exited 2; it printed last: no rule",
            id="bad",
        ),
        pytest.param(
            Completed(command="make", exit_code=-9, stdout=b"cc\n"),
            "the command 'make' was ended by the signal 9; it printed last: cc",
            id="signal",
        ),
        pytest.param(
            Completed(command="make", exit_code=None, timed_out=True),
            "the command 'make' took longer than 5 s and was ended",
            id="time",
        ),
        pytest.param(
            Completed(command="yes", exit_code=-9, flooded=True),
            "the command 'yes' printed more than is kept, and was ended",
            id="flood",
        ),
        pytest.param(
            Completed(command="serve &", exit_code=0, left_running=True),
            "the command 'serve &' left a process running; it must do all of its work before it ends",
            id="left",
        ),
    ],
)
def test_why_a_command_did_not_do_its_work(done: Completed, sentence: str) -> None:
    assert failure(done, "the command", 5.0) == sentence


def test_which_modules_an_interpreter_has() -> None:
    shell = Shell(python=Interpreter(sys.executable))
    found = [name for name in ("pytest", "json", "gate_has_no_such_module") if shell.has_module(name)]
    assert found == ["pytest", "json"]
    assert not Shell(python=Interpreter("/no/such/python")).has_module("json")


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        pytest.param("/no/such/python", "there is no such program on this machine", id="not there"),
        pytest.param("no-such-python", "there is no such program on this machine", id="a name that is on no PATH"),
        pytest.param("/", "it is no program that can be started", id="a folder"),
        pytest.param("/etc/passwd", "it is no program that can be started", id="a file that may not be executed"),
    ],
)
@pytest.mark.parametrize("command", ["python -m pytest", "cd a && python -V", "(python)", ["python", "-V"]])
def test_an_interpreter_that_is_not_there_is_told_with_who_names_it(
    tmp_path: Path, program: str, wrong: str, command: str | list[str]
) -> None:
    shell = Shell(python=Interpreter(program, "gate.yaml:3: `defaults.python`"))
    with pytest.raises(CannotJudge) as caught:
        shell.run(command, cwd=tmp_path, timeout=30)
    assert (caught.value.kind, caught.value.message) == (
        "python",
        f"gate.yaml:3: `defaults.python`: {wrong}: {program}; make it, or name another interpreter",
    )


@pytest.mark.parametrize("command", ["echo pythonic", "true --python", ["true", "python"]])
def test_a_command_that_needs_none_is_started_all_the_same(tmp_path: Path, command: str | list[str]) -> None:
    shell = Shell(python=Interpreter("/no/such/python", "gate.yaml:3: `defaults.python`"))
    assert shell.run(command, cwd=tmp_path, timeout=30).exit_code == 0
