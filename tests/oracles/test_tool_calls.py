"""`tool_calls`: what must be called, what must not, in which order, what together."""

import pytest

from gate.errors import CannotJudge
from gate.grading.wanted import Wanted
from gate.oracle import Trial
from gate.oracles.tool_calls import ToolCalls
from gate.patterns.jsregex import JsPattern
from gate.trajectory import Ok
from tests.oracles.talks import LOST, NOTHING, STRAY, STRAY_WARNING, called, said, says, shell, talk, user, wrote

RUN = talk(
    user("Fix it."),
    shell("pytest -q", "1 failed", ok=Ok.NO),
    called("Read", {"file_path": "src/calc.py"}, "def add"),
    wrote("src/calc.py"),
    shell("pytest -q tests", "3 passed"),
    said("Fixed."),
)
SHOWN = "4 calls: bash 2, Read 1, Write 1"


def _wanted(name: str, **more: object) -> Wanted:
    patterns = {key: JsPattern(value) if isinstance(value, str) else value for key, value in more.items()}
    return Wanted(name=JsPattern(name), **patterns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "oracle",
    [
        pytest.param(ToolCalls(required=("^Read$", "bash")), id="names"),
        pytest.param(ToolCalls(required=(_wanted("bash", command="pytest", min_count=2),)), id="so many times"),
        pytest.param(ToolCalls(required=(_wanted(".", path=r"calc\.py$", write_only=True),)), id="writes a file"),
        pytest.param(ToolCalls(required=(_wanted(".", path=r"calc\.py$", read_only=True),)), id="reads a file"),
        pytest.param(ToolCalls(required=(_wanted("bash", result="passed", final=True),)), id="the last call"),
        pytest.param(ToolCalls(required=(_wanted("Write", at_step=3), _wanted("Read", before_step=3))), id="at its step"),
        pytest.param(ToolCalls(required=(_wanted("Read", args={"file_path": JsPattern("^src/")}),)), id="an argument"),
        pytest.param(ToolCalls(required=(_wanted("Read", pattern='"file_path":"src'),)), id="all arguments"),
        pytest.param(ToolCalls(sequence=("Read", "Write", "bash")), id="in order"),
        pytest.param(ToolCalls(sequence=(_wanted("bash", result="failed"), _wanted("bash", result="passed"))), id="in order twice"),
        pytest.param(ToolCalls(disallowed=("WebFetch", _wanted("bash", command=r"rm\b"))), id="not called"),
        pytest.param(ToolCalls(disallowed=(_wanted("bash", min_count=3),)), id="not called so often"),
        pytest.param(ToolCalls(disallowed=(_wanted("Write", before_step=3),)), id="not called before"),
    ],
)  # fmt: skip
def test_passes(oracle: ToolCalls) -> None:
    assert says(oracle, RUN) == [SHOWN]


def test_parallel_calls_pass() -> None:
    trial = talk(shell("a", answer="1"), called("Read", answer="1"), shell("b", answer="2"))
    assert says(ToolCalls(parallel=("Read", "bash")), trial) == ["3 calls: bash 2, Read 1"]


def test_nothing_done_calls_nothing() -> None:
    assert says(ToolCalls(disallowed=("bash",)), NOTHING) == ["No tool was called"]


@pytest.mark.parametrize(
    ("oracle", "trial", "messages"),
    [
        pytest.param(
            ToolCalls(required=("bash",)), NOTHING, ["error call_missing: Never called: 'bash'"], id="nothing was done"
        ),
        pytest.param(
            ToolCalls(required=("^bas$", _wanted("bash", command="pytest", min_count=3))), RUN,
            [
                "error call_missing: Never called: '^bas$'",
                "error call_missing: 2 of 3 times called: 'bash', command 'pytest'",
            ],
            id="two are missing",
        ),
        pytest.param(
            ToolCalls(required=(_wanted("bash", result="failed", final=True),)), RUN,
            ["error call_missing: Never called: 'bash', result 'failed', final"], id="not the last call",
        ),
        pytest.param(
            ToolCalls(required=(_wanted("Write", at_step=2),)), RUN,
            ["error call_missing: Never called: 'Write', at_step 2"], id="at another step",
        ),
        pytest.param(
            ToolCalls(sequence=("Write", "Read")), RUN,
            ["error sequence: The sequence stops at entry 2 of 2: 'Read' after 'Write' is not called"], id="out of order",
        ),
        pytest.param(
            ToolCalls(sequence=("Grep",)), RUN,
            ["error sequence: The sequence stops at entry 1 of 1: 'Grep' is not called"], id="no beginning",
        ),
        pytest.param(
            ToolCalls(parallel=("Read", "Write")), RUN,
            ["error parallel: No answer of the model calls all of these together: 'Read'; 'Write'"], id="one by one",
        ),
        pytest.param(
            ToolCalls(parallel=("Read", ".")), talk(called("Read", answer="1"), said("a", answer="1")),
            ["error parallel: No answer of the model calls all of these together: 'Read'; '.'"],
            id="one call is not two",
        ),
        pytest.param(
            ToolCalls(disallowed=("Write",)), RUN,
            ["error call_disallowed: Called and not allowed: 'Write' (Write, call 3)"], id="not allowed",
        ),
        pytest.param(
            ToolCalls(disallowed=("Write",), required=("Grep",)), talk(wrote("a"), dropped=(LOST, STRAY)),
            [
                f"warning foreign_result: {STRAY_WARNING}",
                "error call_missing: Never called: 'Grep'",
                "error call_disallowed: Called and not allowed: 'Write' (Write, call 1)",
            ],
            id="whatever is lost",
        ),
        pytest.param(
            ToolCalls(required=(_wanted(".", write_only=True),)), talk(shell("make")),
            ["error call_missing: Never called: '.', write_only"], id="it may write, or not",
        ),
    ],
)  # fmt: skip
def test_fails(oracle: ToolCalls, trial: Trial, messages: list[str]) -> None:
    assert says(oracle, trial) == messages


@pytest.mark.parametrize(
    ("oracle", "trial", "message"),
    [
        pytest.param(
            ToolCalls(disallowed=("Grep",)), talk(said("a"), dropped=(LOST,)),
            "the recording could not be read whole: line 3 is no JSON", id="a part is lost",
        ),
        pytest.param(
            ToolCalls(disallowed=(_wanted("bash", result="secret"),)), talk(shell("a", "", ok=Ok.UNKNOWN)),
            "call 1 of bash may be 'bash', result 'secret': its result is not recorded whole", id="no result",
        ),
        pytest.param(
            ToolCalls(disallowed=(_wanted("bash", result="secret"),)), talk(shell("a", "x… [9 more characters]")),
            "call 1 of bash may be 'bash', result 'secret': its result is not recorded whole", id="half a result",
        ),
        pytest.param(
            ToolCalls(disallowed=(_wanted(".", write_only=True),)), talk(shell("make")),
            "call 1 of bash may be '.', write_only: whether it writes files is not known", id="it may write",
        ),
        pytest.param(
            ToolCalls(required=(_wanted("bash", command="("),)), NOTHING,
            "the pattern '(' is not a valid regular expression of JavaScript: a `(` without its `)` at character 1",
            id="not valid",
        ),
    ],
)  # fmt: skip
def test_cannot_judge(oracle: ToolCalls, trial: Trial, message: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        says(oracle, trial)
    assert caught.value.message == message


def test_only_what_is_disallowed_holds_untouched() -> None:
    assert ToolCalls(disallowed=("a",)).holds_untouched
    assert not ToolCalls(disallowed=("a",), sequence=("b",)).holds_untouched


def test_asking_for_nothing_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^Expected at least one of `required`, `disallowed`, `sequence` and `parallel`$"
    ):
        ToolCalls()
