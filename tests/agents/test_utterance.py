"""Calls in what an agent says, as each family writes them."""

import pytest

from gate.agents.utterance import block, calls


@pytest.mark.parametrize(
    ("family", "message", "answer", "found"),
    [
        (
            "openhands",
            "So:\n<function=execute_bash>\n<parameter=command>ls\npwd\n</parameter>\n<parameter=x>1</parameter>\n</function> <function=y>\n</function>",
            "",
            [("execute_bash", {"command": "ls\npwd\n", "x": "1"})],
        ),
        ("openhands", "<function=x>", "", []),
        ("mini-swe-agent", "So\n```bash\nls\n```", "", [("bash", {"command": "ls"})]),
        ("mini-swe-agent", "```bash\nls\n```\n```bash\npwd\n```", "", []),
        (
            "terminus",
            'I will. {"commands": [{"keystrokes": "ls\\n", "duration": 0.1}], "task_complete": true}',
            "New Terminal Output:",
            [("bash_command", {"keystrokes": "ls\n", "duration": 0.1}), ("mark_task_complete", {})],
        ),
        ("terminus", '{"commands": [{"keystrokes": "ls\\n"}]}', "Previous response had parsing errors:\nERROR", []),
        ("terminus", '{"commands": [', "", []),
        ("terminus", "no", "", []),
        ("claude-code", "```bash\nls\n```", "", []),
    ],
)  # fmt: skip
def test_finds_calls(family: str, message: str, answer: str, found: list[object]) -> None:
    assert calls(family, message, answer) == found


def test_the_one_block() -> None:
    assert block("```mswea_bash_command\n ls \n```") == "ls"
    assert block("ls") is None
