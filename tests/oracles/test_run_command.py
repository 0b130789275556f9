"""`run_command`: commands that end and print as expected, that do not, and that say nothing."""

import sys

import pytest

from gate.errors import CannotJudge, PathRefused
from gate.oracle import Need, Seconds
from gate.oracles.run_command import RunCommand
from gate.tree import EXECUTABLE, MemoryTree
from tests.oracles.trials import evidence, findings, trial

TREE = MemoryTree(
    {"src/app/x.txt": b"hello\n", "bin/tool": b"#!/bin/sh\necho tool $1\n", "bin/plain": b"x", "two": b"2"},
    modes={"bin/tool": EXECUTABLE},
)


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(RunCommand(command="true"), "Command ended as expected (exit 0): true", id="shell"),
        pytest.param(
            RunCommand(command="cat x.txt && pwd | grep -c 'src/app$'", sub_path="src/app", stdout_matches=r"(?m)^1$"),
            "Command ended as expected (exit 0): cat x.txt && pwd | grep -c 'src/app$'",
            id="folder",
        ),
        pytest.param(
            RunCommand(command="printf", args=("%s|", "a b", "$HOME"), stdout_contains="a b|$HOME|"),
            "Command ended as expected (exit 0): printf '%s|' 'a b' '$HOME'",
            id="no shell",
        ),
        pytest.param(
            RunCommand(command="./bin/tool", args=("x",), stdout_matches=("^tool x", "(?i)TOOL")),
            "Command ended as expected (exit 0): ./bin/tool x",
            id="program of the workspace",
        ),
        pytest.param(
            RunCommand(command="exit 3", expected_exit_code=3),
            "Command ended as expected (exit 3): exit 3",
            id="other exit",
        ),
        pytest.param(
            RunCommand(command="echo $ONE >&2", env={"ONE": "1"}, stderr_contains="1", stdout_not_matches=("x", "1")),
            "Command ended as expected (exit 0): echo $ONE >&2",
            id="environment and stderr",
        ),
        pytest.param(
            RunCommand(
                command="python", args=("-c", "import sys; print(sys.executable)"), stdout_contains=sys.executable
            ),
            "Command ended as expected (exit 0): python -c 'import sys; print(sys.executable)'",
            id="this Python",
        ),
        pytest.param(
            RunCommand(command="! read line"), "Command ended as expected (exit 0): ! read line", id="no input"
        ),
    ],
)
def test_what_passes(oracle: RunCommand, message: str) -> None:
    [shown] = evidence(oracle, trial(TREE))
    assert shown.message == message


@pytest.mark.parametrize(
    ("oracle", "message", "kind"),
    [
        pytest.param(
            RunCommand(command="echo no >&2; exit 2"),
            "Command failed (exit 2): echo no >&2; exit 2 — no",
            "command_failed",
            id="exit",
        ),
        pytest.param(
            RunCommand(command="true", expected_exit_code=1),
            "Command ended well, and exit 1 was expected: true",
            "command_failed",
            id="ended well",
        ),
        pytest.param(
            RunCommand(command="echo a", stdout_contains=("a", "b")),
            "Command's stdout does not contain 'b': echo a",
            "output",
            id="stdout",
        ),
        pytest.param(
            RunCommand(command="echo a", stderr_contains="a"),
            "Command's stderr does not contain 'a': echo a",
            "output",
            id="stderr",
        ),
        pytest.param(
            RunCommand(command="echo a", stdout_matches="^b"),
            "Command's stdout does not match '^b': echo a",
            "output",
            id="pattern",
        ),
        pytest.param(
            RunCommand(command="echo a", stdout_not_matches="^a"),
            "Command's stdout matches '^a': echo a",
            "output",
            id="forbidden pattern",
        ),
        pytest.param(
            RunCommand(command="sleep 60", timeout=Seconds(0.3)),
            "Command timed out after 0.3 s: sleep 60",
            "timeout",
            id="time limit",
        ),
        pytest.param(
            RunCommand(command="yes"), "Command printed without end and was stopped: yes", "output_limit", id="flood"
        ),
        pytest.param(
            RunCommand(command="true", sub_path="gone"),
            "There is no folder gone to start in",
            "folder_missing",
            id="no folder",
        ),
        pytest.param(
            RunCommand(command="true", sub_path="two"),
            "There is no folder two to start in",
            "folder_missing",
            id="a file",
        ),
        pytest.param(
            RunCommand(command="./dist/app", args=()),
            "There is no program ./dist/app in the workspace",
            "program_missing",
            id="no program",
        ),
        pytest.param(
            RunCommand(command="../../bin/plain", args=(), sub_path="src/app"),
            "The program ../../bin/plain may not be executed: its mode is 100644",
            "program_mode",
            id="no right to execute",
        ),
    ],
)
def test_what_fails(oracle: RunCommand, message: str, kind: str) -> None:
    [found] = findings(oracle, trial(TREE))
    assert (found.message, found.kind) == (message, kind)


@pytest.mark.parametrize("command", ["./dist/app --x", "cd src && ./gone"])
def test_a_program_that_the_workspace_does_not_have_is_no_error(command: str) -> None:
    [found] = findings(RunCommand(command=command), trial(TREE))
    assert found.message.startswith(f"Command failed (exit 127): {command} — ")


@pytest.mark.parametrize(
    ("oracle", "message", "kind"),
    [
        pytest.param(
            RunCommand(command="nosuchprogram", args=("x",)),
            "the command cannot be started: [Errno 2] No such file or directory: 'nosuchprogram'",
            "command",
            id="no such program",
        ),
        pytest.param(RunCommand(command=" "), "the command is empty: ' '", "command", id="empty"),
        pytest.param(
            RunCommand(command="echo", args=("a\0",)), "the command holds a NUL byte: 'echo'", "command", id="NUL"
        ),
        pytest.param(
            RunCommand(command="exit 3", stdout_matches="("),
            "the pattern '(' is not a valid regular expression of JavaScript: a `(` without its `)` at character 1",
            "regex_syntax",
            id="pattern, before the command is run",
        ),
    ],
)
def test_what_says_nothing(oracle: RunCommand, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(oracle, trial(TREE))
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_a_program_that_the_machine_does_not_have_is_an_error() -> None:
    with pytest.raises(CannotJudge, match=r"^the command was not found \(exit 127\): nosuchprogram x — "):
        findings(RunCommand(command="nosuchprogram x"), trial(TREE))


def test_a_link_is_no_way_out() -> None:
    given = trial(MemoryTree({"out": b"/usr"}, modes={"out": 0o120000}))
    with pytest.raises(PathRefused, match="leads out of the workspace"):
        findings(RunCommand(command="true", sub_path="out"), given)


@pytest.mark.parametrize("path", ["..", "/", "a/../../b"])
def test_a_folder_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="Expected `sub_path` to stay inside the workspace: "):
        RunCommand(command="true", sub_path=path)


def test_a_variable_must_have_a_name() -> None:
    with pytest.raises(ValueError, match="Expected the name of a variable in `env`, got 'A=B'"):
        RunCommand(command="true", env={"A=B": "x"})


def test_it_needs_commands_and_proves_something() -> None:
    assert RunCommand.needs == frozenset({Need.COMMANDS})
    assert not RunCommand(command="true").holds_untouched
