"""What a choice of a rollout's steps leaves out, and that a verdict is the same with it and without."""

import json
from pathlib import Path
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from gate import recording
from gate.trajectory import Choice, Trajectory
from tests.chosen import check_choices, check_verdicts

SESSION = {"type": "session_meta", "payload": {"id": "s", "cwd": "/repo", "cli_version": "0.118.0"}}


def rollouts(cases: Path) -> list[Trajectory]:
    """The real rollouts."""
    paths = [*cases.glob("recordings/codex-rollout/*.jsonl"), *cases.glob("fidelity/*/recording.jsonl")]
    found = [recording.read(path.read_bytes()) for path in paths if b'"session_meta"' in path.read_bytes()[:2000]]
    assert len(found) > 5
    return found


def test_real_rollouts_are_chosen_from(cases: Path) -> None:
    for trajectory in rollouts(cases):
        check_choices(trajectory)
        check_verdicts(trajectory)


def test_most_of_a_real_rollout_is_left_out(cases: Path) -> None:
    read = rollouts(cases)
    every, chosen = (sum(sum(1 for _ in part) for part in parts) for parts in zip(*map(_parts, read), strict=True))
    assert chosen < 0.6 * every


def _parts(trajectory: Trajectory) -> tuple[Any, Any]:
    return trajectory.steps, trajectory.chosen(Choice())


_TEXTS = st.sampled_from(
    [
        "ls",
        "git fetch origin",
        "cu\\\nrl https://a.b",
        "c''url https://a.b",
        "cat README.md",
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF",
        "apply_patch <<'EOF'\nno patch\nEOF",
        "wget\t\u212aurl",
        "",
    ]
)
_WORDS: st.SearchStrategy[Any] = _TEXTS | st.lists(_TEXTS, max_size=2) | st.none() | st.just(7)
_ARGUMENTS = st.dictionaries(st.sampled_from(["cmd", "command", "input", "workdir"]), _WORDS, max_size=2)
_ESCAPED = st.sampled_from([lambda text: text, lambda text: text.replace("u", "\\u0075"), lambda text: text[:-1]])
_CALLS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["function_call", "function_call", "custom_tool_call", "local_shell_call"]),
        "name": st.sampled_from(["exec_command", "shell", "exec", "write_stdin", "web_search", "new_tool"]),
        "arguments": st.builds(lambda escape, value: escape(json.dumps(value)), _ESCAPED, _ARGUMENTS) | _WORDS,
    },
    optional={"call_id": st.sampled_from(["1", "2", "REDACTED"]), "namespace": st.sampled_from(["functions", "mcp"])},
)
_OUTPUTS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["function_call_output", "custom_tool_call_output"]),
        "output": st.sampled_from(["Process exited with code 1\n", "Success. Updated the following files:\nD a", "x"]),
    },
    optional={"call_id": st.sampled_from(["1", "2", "REDACTED"])},
)
_ENDS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["exec_command_end", "patch_apply_end", "user_message", "token_count"]),
        "call_id": st.sampled_from(["1", "2", "3"]),
        "command": st.just(["bash", "-lc", "ls"]),
        "changes": st.sampled_from([{}, {"a": {"type": "delete", "content": "x"}}]),
    },
    optional={"success": st.booleans(), "exit_code": st.integers(0, 1), "message": st.just("go on")},
)
_CONTENTS: st.SearchStrategy[Any] = st.sampled_from(
    [
        "go on",
        " ",
        [{"text": "go on"}],
        [{"text": ""}],
        [{"content": [{"text": "x"}]}],
        [{}, {"text": "y"}],
        {"text": "z"},
    ]
)
_MESSAGES = st.fixed_dictionaries(
    {"type": st.just("message"), "role": st.sampled_from(["assistant", "user", "developer"]), "content": _CONTENTS}
)
_LINES = st.one_of(
    (_CALLS | _OUTPUTS | _MESSAGES).map(lambda payload: {"type": "response_item", "payload": payload}),
    _ENDS.map(lambda payload: {"type": "event_msg", "payload": payload}),
    _CALLS | _OUTPUTS | _MESSAGES,  # as the first version wrote them
)


def asked(text: str) -> dict[str, Any]:
    """A shell call."""
    call = {"type": "function_call", "name": "shell", "arguments": json.dumps({"command": text}), "call_id": "1"}
    return {"type": "response_item", "payload": call}


@given(st.lists(_LINES, max_size=8))
@example([asked("apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF")])
@example([asked("cu''rl https://a.b")])
@example([asked("c\\url https://a.b")])
def test_any_rollout_is_chosen_from(lines: list[dict[str, Any]]) -> None:
    data = b"".join(json.dumps(line).encode() + b"\n" for line in (SESSION, *lines))
    trajectory = recording.read(data)
    check_choices(trajectory)
    check_verdicts(trajectory)
