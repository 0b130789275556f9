"""`test_must_pass`: commands that pass, that fail, and that say nothing."""

import sys

import pytest

from gate.errors import CannotJudge
from gate.oracle import Call, Need, Ran, Seconds, Trial
from gate.oracles.test_must_pass import TestMustPass as MustPass
from gate.process import Completed
from gate.tree import MemoryTree
from tests.oracles.trials import evidence, findings, trial

FILES = {
    "calc.py": b"def add(a, b):\n    return a + b\n",
    "test_calc.py": b"from calc import add\n\n\ndef test_add() -> None:\n    assert add(1, 2) == 3\n",
    "data": b"\0\xff",
}


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("true", id="plain"),
        pytest.param("test -f calc.py && cd / && exit 0", id="shell"),
        pytest.param(f"{sys.executable} -m pytest -q test_calc.py -p no:cacheprovider", id="pytest finds the product"),
        pytest.param("sleep 60 & exit 0", id="D01 background"),
        pytest.param("! read x", id="D15 no input"),
        pytest.param("head -c 1000000 /dev/zero; cat data", id="T09 much output"),
        pytest.param('test -z "$GITHUB_TOKEN$CI$GITHUB_ENV$GITHUB_ACTIONS"', id="16 environment"),
        pytest.param("  true\n", id="spaces around"),
    ],
)
def test_a_command_that_passes(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "GITHUB_ENV", "CI", "GITHUB_ACTIONS"):
        monkeypatch.setenv(name, "canary")
    [shown] = evidence(MustPass(command=command), trial(FILES))
    assert shown.message == f"Command passed: {command}"


@pytest.mark.parametrize(
    ("command", "message", "kind"),
    [
        pytest.param("exit 1", "Command failed (exit 1): exit 1", "command_failed", id="T10 silent"),
        pytest.param(
            "echo out; echo ' why ' >&2; exit 2",
            "Command failed (exit 2): echo out; echo ' why ' >&2; exit 2 — why",
            "command_failed",
            id="stderr first",
        ),
        pytest.param(
            "printf '\\n  \\nout\\nmore'; exit 3",
            "Command failed (exit 3): printf '\\n  \\nout\\nmore'; exit 3 — out",
            "command_failed",
            id="else stdout",
        ),
        pytest.param(
            "printf '%01000d' 0; exit 1",
            f"Command failed (exit 1): printf '%01000d' 0; exit 1 — {'0' * 500}",
            "command_failed",
            id="cut at 500",
        ),
        pytest.param("exit 77", "Command failed (exit 77): exit 77", "command_failed", id="D13 77"),
        pytest.param("exit 255", "Command failed (exit 255): exit 255", "command_failed", id="D13 255"),
        pytest.param(
            "exit 130", "Command failed (exit 130, as after SIGINT): exit 130", "command_failed", id="D13 130"
        ),
        pytest.param(
            "exit 137", "Command failed (exit 137, as after SIGKILL): exit 137", "command_failed", id="D13 137"
        ),
        pytest.param(
            "kill -SEGV $$", "Command failed (killed by SIGSEGV): kill -SEGV $$", "command_failed", id="D13 SEGV"
        ),
        pytest.param(
            "kill -40 $$", "Command failed (killed by signal 40): kill -40 $$", "command_failed", id="nameless signal"
        ),
        pytest.param(
            "printf '\\377\\000' >&2; exit 1",
            "Command failed (exit 1): printf '\\377\\000' >&2; exit 1 — \ufffd\0",
            "command_failed",
            id="D06 bytes",
        ),
        pytest.param("yes", "Command printed without end and was stopped: yes", "output_limit", id="D05 flood"),
        pytest.param(
            f"{sys.executable} -m pytest -q -p no:cacheprovider nowhere.py",
            f"Command failed (exit 4): {sys.executable} -m pytest -q -p no:cacheprovider nowhere.py "
            "— ERROR: file or directory not found: nowhere.py",
            "command_failed",
            id="a module that is there",
        ),
        pytest.param(
            f"{sys.executable} -c 'import gone_module'",
            f"Command failed (exit 1): {sys.executable} -c 'import gone_module' — ModuleNotFoundError: No module named 'gone_module'",
            "command_failed",
            id="the product misses a module",
        ),
    ],
)
def test_a_command_that_fails(command: str, message: str, kind: str) -> None:
    [found] = findings(MustPass(command=command), trial(FILES))
    assert (found.message, found.kind, found.path) == (message, kind, None)


def test_the_details_hold_both_streams() -> None:
    command = "echo out; echo why >&2; exit 1"
    [found] = findings(MustPass(command=command), trial(FILES))
    assert found.details == f"command: {command}\nstderr:\nwhy\n\nstdout:\nout\n"


@pytest.mark.parametrize(
    ("own", "default", "shown"),
    [
        pytest.param(Seconds(1.5), 60.0, "1.5", id="its own limit"),
        pytest.param(None, 1.25, "1.25", id="the default"),
    ],
)
def test_the_time_limit_is_a_fail_and_keeps_the_output(own: Seconds | None, default: float, shown: str) -> None:
    command = "trap '' TERM; echo so far; sleep 60; echo PASS"
    [found] = findings(MustPass(command=command, timeout=own), trial(FILES, timeout=default))
    assert (found.message, found.kind) == (f"Command timed out after {shown} s: {command}", "timeout")
    assert found.details == f"command: {command}\nstdout:\nso far\n"


@pytest.mark.parametrize(
    ("command", "message", "kind"),
    [
        pytest.param("", "the command is empty: ''", "command", id="D18 empty"),
        pytest.param(" \n\t", "the command is empty: ' \\n\\t'", "command", id="D18 only spaces"),
        pytest.param("a\0b", "the command holds a NUL byte: 'a\\x00b'", "command", id="D18 NUL"),
        pytest.param(
            "x" * 200_000, f"the command is longer than 131072 bytes: {'x' * 60!r}", "command", id="D18 200 KB"
        ),
        pytest.param(
            "echo \ud800",
            "the command cannot be started: 'utf-8' codec can't encode character '\\ud800' in position 5: "
            "surrogates not allowed",
            "command",
            id="half a surrogate pair",
        ),
        pytest.param(
            "no-such-program --flag",
            "the command was not found (exit 127): no-such-program --flag — /bin/sh: 1: no-such-program: not found",
            "command_not_found",
            id="D13 127",
        ),
        pytest.param(
            "./calc.py",
            "the command cannot be executed (exit 126): ./calc.py — /bin/sh: 1: ./calc.py: Permission denied",
            "command_not_found",
            id="D13 126",
        ),
        pytest.param(
            f"{sys.executable} -B -m no_such_module -q",
            f"{sys.executable} has no module 'no_such_module', so the command says nothing: {sys.executable} -B -m "
            "no_such_module -q; install the module there, or name another interpreter with `defaults.python`",
            "missing_module",
            id="missing module",
        ),
        pytest.param(
            f"{sys.executable} -W error -m no_such_module",
            f"{sys.executable} has no module 'no_such_module', so the command says nothing: {sys.executable} -W error -m "
            "no_such_module; install the module there, or name another interpreter with `defaults.python`",
            "missing_module",
            id="missing module behind an option with an argument",
        ),
    ],
)
def test_a_command_that_says_nothing(command: str, message: str, kind: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(MustPass(command=command), trial(FILES))
    if kind == "command_not_found":  # shells word it differently
        message, caught.value.message = (text.partition(" — ")[0] for text in (message, caught.value.message))
    assert (caught.value.message, caught.value.kind) == (message, kind)


def test_what_was_run_is_in_the_details_when_it_is_not_what_was_written() -> None:
    def runner(call: Call) -> Ran:
        return Ran(Completed(command=f"/venv/bin/{call.command}", exit_code=1))

    given = Trial(before=MemoryTree({}), after=MemoryTree({}), replayed=False, runner=runner)
    [found] = findings(MustPass(command="python x.py"), given)
    assert (found.message, found.details) == (
        "Command failed (exit 1): python x.py",
        "command: /venv/bin/python x.py",
    )


def test_it_needs_commands_and_looks_at_the_tree() -> None:
    assert (MustPass.needs, MustPass.asserts_absence, MustPass.reads_tree) == (
        frozenset({Need.COMMANDS}),
        False,
        True,
    )
