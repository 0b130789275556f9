"""Where converters to ATIF leave a failure, and what the words of tools say."""

from typing import Any

import pytest

from gate.agents.flag import Outcome, outcome_of
from gate.trajectory import Ok


def said(family: str, content: Any, *, tool: str = "x", call: Any = None, step: Any = None, **extra: Any) -> Outcome:
    result = {"content": content} | ({"extra": extra} if extra else {})
    return outcome_of(family, tool, call=call or {}, result=result, step=step or {})


@pytest.mark.parametrize(
    "extra",
    [
        {"tool_result_is_error": True},
        {"tool_result_metadata": {"is_error": True}},
        {"is_error": True},
        {"isError": True},
        {"error": "no"},
        {"success": False},
        {"status": "failed"},
    ],
)
def test_a_flag_beside_the_result(extra: dict[str, Any]) -> None:
    assert said("any", "fine", **extra).ok is Ok.NO


def test_flags_elsewhere() -> None:
    assert said("any", "fine", call={"extra": {"tool_use_is_error": True}}).ok is Ok.NO
    call = {"tool_call_id": "1"}
    details = {"extra": {"tool_call_details": {"1": {"status": "failed"}}}}
    assert said("any", "fine", call=call, step=details).ok is Ok.NO
    assert said("codex", "Success. Updated", call=call, step=details).ok is Ok.YES, "its status says nothing"
    assert said("any", "fine", success=True).ok is Ok.YES


@pytest.mark.parametrize(
    ("family", "content", "outcome"),
    [
        ("claude-code", "no\n\n[error] tool reported failure", Outcome(Ok.NO)),
        ("claude-code", "[error] tool reported failure\nis what it printed", Outcome(Ok.YES)),
        ("claude-code", "x\n[exit_code] 2", Outcome(Ok.NO, 2)),
        ("claude-code", "fine", Outcome(Ok.YES)),
        ("opencode", "fine", Outcome(Ok.YES)),
        ("codex", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nx", Outcome(Ok.NO, 1)),
        ("codex", "Exit code: 0\nOutput:\nExit code: 1", Outcome(Ok.YES, 0)),
        ("codex", "apply_patch verification failed: x", Outcome(Ok.NO)),
        ("codex", None, Outcome(Ok.UNKNOWN)),
        ("openhands", "x\n[The command completed with exit code 0.]\n[Command finished with exit code 0]", Outcome(Ok.YES, 0)),
        ("openhands", "x\n[Command finished with exit code 1]", Outcome(Ok.NO, 1)),
        ("openhands", "[Command finished with exit code -1]", Outcome(Ok.UNKNOWN, -1)),
        ("mini-swe-agent", "<returncode>3</returncode>\n<output>\n</output>", Outcome(Ok.NO, 3)),
        ("mini-swe-agent", '{\n  "returncode": 0,\n  "output": ""\n}', Outcome(Ok.YES, 0)),
        ("gemini", None, Outcome(Ok.UNKNOWN)),
        ("gemini", "Successfully modified file: /a (1 replacements).", Outcome(Ok.YES)),
        ("gemini", "Failed to edit, could not find the string to replace.", Outcome(Ok.NO)),
        ("gemini", "Command: x\nExit Code: 2\nSignal: 0", Outcome(Ok.NO, 2)),
        ("any", "fine", Outcome(Ok.UNKNOWN)),
        ("any", "Error: no", Outcome(Ok.NO)),
    ],
)  # fmt: skip
def test_what_the_words_say(family: str, content: Any, outcome: Outcome) -> None:
    assert said(family, content) == outcome


def test_the_editor_has_its_own_words() -> None:
    assert said("openhands", "File created successfully at: /a", tool="str_replace_editor").ok is Ok.YES
    assert said("openhands", "--- /a\n+++ /a\n@@ -1 +1 @@", tool="str_replace_editor").ok is Ok.YES
    assert said("any", "--- /a\n+++ /a", tool="str_replace_editor").ok is Ok.NO
    assert said("openhands", "ERROR:\nNo replacement was performed", tool="str_replace_editor").ok is Ok.NO


def test_a_recorded_exit_code_goes_before_one_in_the_text() -> None:
    assert said("copilot", "x\n[exit_code] 2", exitCode=0) == Outcome(Ok.YES, 0)
    step = {"extra": {"tool_metadata": {"exit_code": 7}}}
    assert said("codex", "x", step=step) == Outcome(Ok.NO, 7)


def test_no_result() -> None:
    assert outcome_of("any", "x", call={}, result=None, step={}) == Outcome(Ok.UNKNOWN)
    assert outcome_of("any", "x", call={"extra": {"status": "error"}}, result=None, step={}) == Outcome(Ok.NO)
