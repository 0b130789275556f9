"""`program`: programs that say that a run is good, that it is not, and that say nothing of use."""

import json
from pathlib import Path

import pytest

from gate.errors import CannotJudge
from gate.oracle import Seconds
from gate.oracles.program import Program
from gate.tree import EXECUTABLE, MemoryTree
from tests.oracles.trials import evidence, findings, steps_of, trial

TREE = MemoryTree({"src/x": b"x\n", "grade": b'#!/bin/sh\necho "$@"\n'}, modes={"grade": EXECUTABLE})


def _says(result: object, exit_code: int = 0) -> Program:
    """A program that prints this."""
    text = result if isinstance(result, str) else json.dumps(result)
    return Program(program="sh", args=("-c", 'printf %s "$0"; exit "$1"', text, str(exit_code)))


@pytest.mark.parametrize(
    ("oracle", "message"),
    [
        pytest.param(Program(program="true"), "Program passed: true", id="exit code"),
        pytest.param(
            Program(program="test", args=("-f", "x"), sub_path="src"), "Program passed: test -f x", id="folder"
        ),
        pytest.param(
            Program(program="test", args=("$ONE", "=", "1", "&&", "echo", "note", ">&2"), shell=True, env={"ONE": "1"}),
            "Program passed: test $ONE = 1 && echo note >&2",
            id="shell",
        ),
        pytest.param(
            Program(program="./grade", args=('{"passed": true, "score": 0.75, "evidence": "3 of 4"}',)),
            'Program passed (score 0.75): ./grade \'{"passed": true, "score": 0.75, "evidence": "3 of 4"}\': 3 of 4',
            id="result",
        ),
    ],
)
def test_what_passes(oracle: Program, message: str) -> None:
    [shown] = evidence(oracle, trial(TREE))
    assert shown.message == message


@pytest.mark.parametrize(
    ("oracle", "end", "kind"),
    [
        pytest.param(
            Program(program="sh", args=("-c", "echo why >&2; exit 3")),
            "Command failed (exit 3): sh -c 'echo why >&2; exit 3' — why",
            "command_failed",
            id="exit code",
        ),
        pytest.param(
            _says({"passed": False, "score": 0, "evidence": "no file"}, 1), " 1: no file", "program", id="result"
        ),
        pytest.param(
            _says(
                {"passed": False, "details": [{"name": "one", "passed": False, "evidence": "gone"}, {"passed": True}]}
            ),
            " 0; one: gone",
            "program",
            id="parts",
        ),
        pytest.param(
            Program(program="sleep", args=("60",), timeout=Seconds(0.3)),
            "Command timed out after 0.3 s: sleep 60",
            "timeout",
            id="time limit",
        ),
        pytest.param(
            Program(program="./gone"), "There is no program ./gone in the workspace", "program_missing", id="no program"
        ),
        pytest.param(
            Program(program="true", sub_path="gone"),
            "There is no folder gone to start in",
            "folder_missing",
            id="no folder",
        ),
    ],
)
def test_what_fails(oracle: Program, end: str, kind: str) -> None:
    [found] = findings(oracle, trial(TREE))
    assert found.message.endswith(end)
    assert found.kind == kind


@pytest.mark.parametrize(
    ("oracle", "what"),
    [
        pytest.param(_says("all is well"), "expected nothing or one JSON object on stdout", id="text"),
        pytest.param(_says([]), "expected an object with `passed` as true or false, found a list of 0", id="list"),
        pytest.param(
            _says({"score": 1}),
            "expected an object with `passed` as true or false, found `passed` as nothing",
            id="score",
        ),
        pytest.param(_says({"passed": True, "score": 2}), "expected `score` from 0 to 1, found 2", id="high score"),
        pytest.param(
            _says({"passed": True}, 4), "it says that it passed, and ended otherwise (exit 4)", id="contradiction"
        ),
    ],
)
def test_a_result_that_cannot_be_used(oracle: Program, what: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        findings(oracle, trial(TREE))
    assert caught.value.message.startswith(f"the program's result cannot be used: {what}: sh -c ")
    assert caught.value.kind == "result"


def test_a_program_that_the_machine_does_not_have_is_an_error() -> None:
    with pytest.raises(CannotJudge, match=r"^the command cannot be started: "):
        findings(Program(program="nosuchprogram"), trial(TREE))
    with pytest.raises(CannotJudge, match=r"^the command was not found "):
        findings(Program(program="nosuchprogram", shell=True), trial(TREE))


_LOOK = """
import json, os
given = json.load(open(os.environ["EVALUATE_GRADER_INPUT"]))
seen = given["trajectory"]
wrong = []
if not os.path.samefile(os.environ["EVALUATE_WORKSPACE"], os.path.join(os.getcwd(), "..")): wrong.append("workspace")
if seen["workDir"] != os.environ["EVALUATE_WORKSPACE"]: wrong.append("workDir")
if os.path.dirname(os.environ["EVALUATE_GRADER_INPUT"]).startswith(seen["workDir"]): wrong.append("beside")
calls = [event["data"]["arguments"] for event in seen["events"] if event["type"] == "tool_call"]
if calls != CALLS: wrong.append(str(calls))
if seen["metrics"]["toolCallCount"] != len(CALLS): wrong.append(str(seen["metrics"]))
if "+y" not in seen["diff"]: wrong.append(seen["diff"])
if given["config"]["program"] != "python": wrong.append(str(given["config"]))
print(json.dumps({"passed": not wrong, "evidence": ", ".join(wrong)}))
"""


@pytest.mark.parametrize(
    ("commands", "calls"),
    [
        pytest.param((), [], id="no recording"),
        pytest.param(("ls", "make"), [{"command": "ls"}, {"command": "make"}], id="recording"),
    ],
)
def test_what_the_program_is_given(commands: tuple[str, ...], calls: list[dict[str, str]]) -> None:
    script = _LOOK.replace("CALLS", repr(calls))
    asks = Program(program="python", args=("-c", script), sub_path="src", timeout=Seconds(90))
    assert evidence(asks, trial(TREE, {"src/x": b"y\n"}, steps=steps_of(*commands) if commands else None))


@pytest.mark.parametrize("name", ["EVALUATE_WORKSPACE", "evaluate_grader_input"])
def test_its_own_variables_cannot_be_set(name: str) -> None:
    with pytest.raises(ValueError, match=f"Expected no {name} in `env`: the oracle itself sets it"):
        Program(program="true", env={name: "x"})


def test_the_input_is_gone_afterwards(tmp_path: Path) -> None:
    note = tmp_path / "note"
    evidence(Program(program="sh", args=("-c", f'printf %s "$EVALUATE_GRADER_INPUT" > {note}')), trial(TREE))
    assert note.read_text()
    assert not Path(note.read_text()).exists()
