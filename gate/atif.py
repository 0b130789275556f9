"""Trajectories as ATIF documents."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from gate.agents.attachment import contents, described
from gate.editing.edit import Delete, Edit, Insert, Move, Replace, Write
from gate.editing.text import encoded
from gate.trajectory import Command, Ok, Step, Trajectory

VERSION = "ATIF-v1.7"
_KINDS = ((Write, "write"), (Replace, "replace"), (Insert, "insert"), (Delete, "delete"), (Move, "move"))
_LARGEST = 2**63


def document(trajectory: Trajectory) -> dict[str, Any]:
    """The trajectory as an ATIF 1.7 document.

    Each step is a step, in the same order, sub-agents' among the others. What ATIF has no field for is in `extra`:
    whether a call succeeded (`success`, and `is_error` for a failure; neither where that is not known), exit codes, the
    line in the recording, the directory, the sub-agent, and for each edit its kind, its file and the git blob ids of
    the contents before and after, where those are recorded; the document's `extra` holds each of those once. What the
    reader left out is in `notes`.
    """
    steps = [_step(index, step) for index, step in enumerate(trajectory.steps, 1)]
    found: dict[str, Any] = {"schema_version": VERSION, "agent": _agent(trajectory), "steps": steps}
    notes = "\n".join(_notes(trajectory))
    if notes:
        found["notes"] = notes
    found["final_metrics"] = _totals(steps)
    about = {"converter": "trajectory-gate", "format": trajectory.format, "recording": trajectory.path}
    kept = contents(edit for step in trajectory.steps for edit in step.edits)
    found["extra"] = _filled(about | {"contents": kept})
    plain: dict[str, Any] = _plain(found)
    return plain


def _agent(trajectory: Trajectory) -> dict[str, Any]:
    *name, version = trajectory.agent.split(" ") if trajectory.agent else ["", ""]
    known = bool(name) and version[:1].isdigit()
    family = trajectory.format
    if family == "atif":  # it has no tools of its own: what they mean is told by the name of its agent
        family = " ".join(name) if known or version == "unknown" else trajectory.agent
    directories = [trajectory.directory] if trajectory.directory else []
    extra = {"name": trajectory.agent, "cwds": directories, "start_commit": trajectory.start}
    extra |= {"roots": list(trajectory.roots)}
    agent = {"name": family or "unknown", "version": version if known else "unknown"}
    return agent | _filled({"model_name": trajectory.model, "extra": _filled(extra)})


def _notes(trajectory: Trajectory) -> Iterator[str]:
    if trajectory.unverified:
        yield "The reader of this format was built without a real sample of its edits."
    for part in trajectory.dropped:
        lost = " (an edit or a result may be lost with it)" if part.grave else ""
        yield f"Left out: {part.reason}{lost}"


def _step(number: int, step: Step) -> dict[str, Any]:
    agent = step.source != "user"
    found: dict[str, Any] = {"step_id": number, "source": "agent" if agent else "user", "message": step.message}
    extra: dict[str, Any] = {
        "line": step.line,
        "turn": step.turn,
        "agent_id": step.agent,
        "cwd": step.directory,
        "undone": step.undone,
        "lost": step.lost and {"reason": step.lost.reason, "kind": step.lost.kind},
    }
    if _is_time(step.time):
        found["timestamp"] = step.time
    else:
        extra["time"] = step.time
    if agent:
        found |= _filled({"metrics": _metrics(step)})
    if step.tool and agent:
        key = f"call_{number}"
        call = {"tool_call_id": key} | (
            _action(step) or {"function_name": step.tool, "arguments": dict(step.arguments)}
        )
        found["tool_calls"] = [call | _filled({"extra": _called(step)})]
        found |= _observed(step, key)
    elif step.tool:  # what a person ran; calls are the agent's alone
        extra |= {"tool": step.tool, "arguments": dict(step.arguments)} | _called(step)
        found |= _observed(step, None)
    else:
        found |= _observed(step, None)
    return found | _filled({"extra": _filled(extra)})


def _action(step: Step) -> dict[str, Any] | None:
    """A step of SWE-agent as Harbor's converter has it: its tools are words of an action, which other readers know."""
    action = step.raw.get("action") if isinstance(step.raw, dict) and "observation" in step.raw else None
    if not isinstance(action, str):
        return None
    return {"function_name": "swe_agent_action", "arguments": {"raw_action": action}}


def _called(step: Step) -> dict[str, Any]:
    return _filled(
        {
            "edits": [_edit(edit) for edit in step.edits],
            "commands": [_command(command) for command in step.commands],
            "unknown_tool": not step.known,
            "names": list(step.names),
        }
    )


def _edit(edit: Edit) -> dict[str, Any]:
    return described(edit, next((name for base, name in _KINDS if isinstance(edit, base)), "edit"))


def _command(command: Command) -> dict[str, Any]:
    found = {"command": command.text} | _filled({"cwd": command.directory})
    return found if command.exit_code is None else found | {"exit_code": command.exit_code}


def _observed(step: Step, key: str | None) -> dict[str, Any]:
    """What was answered; nothing where nothing was recorded, as for a call that was interrupted."""
    extra: dict[str, Any] = {}
    if step.tool and step.ok is not Ok.UNKNOWN:
        extra["success"] = step.ok is Ok.YES
    if step.tool and step.ok is Ok.NO:
        extra["is_error"] = True
    codes = [command.exit_code for command in step.commands if command.exit_code is not None]
    if codes:
        extra["exit_code"] = codes[-1]
    if not extra and not step.observation:
        return {}
    result = _filled({"source_call_id": key}) | {"content": step.observation} | _filled({"extra": extra})
    return {"observation": {"results": [result]}}


def _metrics(step: Step) -> dict[str, Any]:
    found = {"prompt_tokens": step.tokens_in, "completion_tokens": step.tokens_out, "cost_usd": step.cost}
    return {key: value for key, value in found.items() if value is not None}


def _totals(steps: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    measured = [step.get("metrics", {}) for step in steps]
    found: dict[str, Any] = {}
    for key in ("prompt_tokens", "completion_tokens", "cost_usd"):
        values = [metrics[key] for metrics in measured if key in metrics]
        if values:
            found[f"total_{key}"] = sum(values)
    return found | {"total_steps": len(measured)}


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def _filled(found: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is empty, unknown or false."""
    return {key: value for key, value in found.items() if value not in (None, "", False, [], {}, 0, ())}


def _plain(value: Any) -> Any:
    """The value as any JSON reader takes it: no half of a surrogate pair, no number that is none or too large."""
    if isinstance(value, str):
        return value if value.isascii() else encoded(value).decode()
    if isinstance(value, Mapping):
        return {_plain(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not abs(value) <= 1.8e308:  # also what is no number compares so
        return None
    if type(value) is int and not -_LARGEST <= value < _LARGEST:
        return str(value)
    return value
