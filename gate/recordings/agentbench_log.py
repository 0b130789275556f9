"""AgentBench's tool logs: one JSON object for each step, as its recorder reads them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate.agents.agentbench import step
from gate.editing.text import encoded
from gate.errors import RecordingError
from gate.jsontext import decode, shown
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Dropped, Step, Trajectory

_TOOL = ("tool", "name", "tool_name", "function", "tool_call")
_ARGS = ("args", "arguments", "input", "parameters", "params")
_TYPE = ("type", "step_type", "kind")
_OTHERS = (
    *("jsonrpc", "method", "payload", "part", "subtype", "steps", "schema_version"),
    *("call_id", "tool_id", "tool_use_id", "tool_call_id", "toolCallId"),  # what came of a call stands elsewhere there
)


class AgentBenchLog(Reader):
    """AgentBench's tool log, which its recorder makes a trajectory of: every line is one step as a JSON object.

    The tool is `tool`, `name`, `tool_name`, `function` or `tool_call`, the first that is there; its arguments are
    `args`, `arguments`, `input`, `parameters` or `params`, also as JSON in a text; the type is `type`, `step_type` or
    `kind`, else "tool_call". A function given as an object has its name and its arguments in it. Blank lines and those
    that begin with `#` are skipped. What the tools do, and when a step counts as failed, is as in AgentBench's
    trajectory. A line that is no JSON object is left out, and the replay is incomplete.
    """

    def recognises(self, sample: Sample) -> bool:
        """Lines that name a tool or a type, at least one with a tool and its arguments, and nothing of other logs."""
        if any(key in record for record in sample.records for key in _OTHERS):
            return False
        steps = [_normal(record) for record in sample.records]
        if not any(isinstance(one["tool"], str) and isinstance(one["args"], dict) for one in steps):
            return False
        return all(one["tool"] or _first(record, _TYPE) for one, record in zip(steps, sample.records, strict=True))

    def read(self, recording: Recording) -> Trajectory:
        """Every line is one step."""
        dropped: list[Dropped] = []
        for _ in _records(recording, dropped):
            pass
        return Trajectory(format=self.name, path=recording.path, steps=_Steps(recording), dropped=tuple(dropped))


class _Steps(Iterable[Step]):
    """The steps of a log, read anew each time."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def __iter__(self) -> Iterator[Step]:
        for number, (line, record) in enumerate(_records(self._recording, []), 1):
            yield msgspec.structs.replace(step(number, _normal(record), line=line), raw=record)


def _records(recording: Recording, dropped: list[Dropped]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in recording.lines():
        text = line.strip()
        if not text or text.startswith(b"#"):
            continue
        try:
            value = decode(text)
        except RecordingError as error:
            reason = f"invalid JSON: {error.message}"
        else:
            if type(value) is dict:
                yield number, value
                continue
            reason = f"expected a JSON object, found {shown(value)}"
        dropped.append(Dropped(line=number, reason=f"{recording.path}:{number}: {reason}", grave=True))


def _normal(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record as an element of AgentBench's `steps`."""
    tool, args = _first(record, _TOOL), _first(record, _ARGS)
    if isinstance(tool, dict):
        args = _first(tool, _ARGS) if args is None else args
        tool = tool.get("name")
    if isinstance(args, str):
        args = _parsed(args)
    rest = {key: value for key, value in record.items() if key not in (*_TOOL, *_ARGS, *_TYPE)}
    return rest | {"type": _first(record, _TYPE) or "tool_call", "tool": tool, "args": args}


def _first(record: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _parsed(text: str) -> Any:
    try:
        return decode(encoded(text))
    except RecordingError:
        return text
