"""Recordings written in a test, what a replay makes of them, and every way of breaking one."""

import json
from collections.abc import Iterator
from typing import Any

from gate.errors import RecordingError
from gate.recording import Reader, Recording, Sample, candidates
from gate.replay import Replay, replay
from gate.trajectory import Step, Trajectory
from gate.tree import MemoryTree

_JUNK: tuple[Any, ...] = (None, True, 7, -1.5, "", "x", [], {}, [[]], [None], {"a": None}, "\ud800", "a\nb\0")


def lines(*records: Any) -> bytes:
    """JSON lines."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def told(reader: Reader, data: bytes) -> Trajectory:
    """The trajectory of a recording that this reader, told by its content, knows."""
    sample = Sample(Recording(data))
    assert reader.recognises(sample)
    assert reader.name in [one.name for one in candidates(sample)]
    return reader.read(Recording(data, "rec"))


def calls(reader: Reader, data: bytes) -> list[Step]:
    """The steps with a tool."""
    return [step for step in told(reader, data).steps if step.tool]


def rebuilt(reader: Reader, data: bytes, **files: bytes) -> Replay:
    """The replay on these files; `a_b` stands for `a.b`."""
    return replay(told(reader, data), MemoryTree({name.replace("_", "."): content for name, content in files.items()}))


def whole(done: Replay) -> dict[str, bytes]:
    """The files after a replay of which nothing is left open."""
    assert done.incomplete == ()
    return {path: done.tree.read(path) for path in done.tree.paths()}


def survives(reader: Reader, records: list[Any], *, document: bool = False) -> None:
    """Nothing but RecordingError comes out, whatever stands where a value should be, and wherever the file ends."""
    for broken in _broken(records):
        _try(reader, json.dumps(broken[0]).encode() if document else lines(*broken))
    data = json.dumps(records[0]).encode() if document else lines(*records)
    for end in range(0, len(data), 7):
        _try(reader, data[:end])
        _try(reader, data[:end] + b"\xff\x00{" + data[end + 3 :])


def _try(reader: Reader, data: bytes) -> None:
    recording = Recording(data, "rec")
    sample = Sample(recording)
    if not reader.recognises(sample):
        return
    assert reader.name in [one.name for one in candidates(sample)]
    try:
        trajectory = reader.read(recording)
    except RecordingError:
        return
    done = replay(trajectory, MemoryTree({"a.py": b"a\nb\n"}))
    assert [step.number for step in trajectory.steps] == list(range(1, len(list(trajectory.steps)) + 1))
    assert done.incomplete is not None


def _broken(value: Any) -> Iterator[Any]:
    """The value with each part of it, in turn, replaced by each kind of junk, or left out."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            for broken in (*_JUNK, *_broken(part)):
                yield value | {key: broken}
    elif isinstance(value, list):
        for index, part in enumerate(value):
            for broken in (*_JUNK, *_broken(part)):
                yield [*value[:index], broken, *value[index + 1 :]]
