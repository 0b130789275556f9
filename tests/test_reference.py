"""Golden input as it is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from gate.errors import SourceError, TaskError
from gate.golden import Golden
from gate.reference import References, Text, Value, Written, read

STEPS = [{"step_id": 1, "source": "user", "message": "Fix it."}, {"step_id": 2, "source": "agent", "message": "Done."}]
ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s",
    "agent": {"name": "claude-code", "version": "1"},
    "steps": STEPS,
}
FILES = {
    "golden/fix.patch": b"--- a/x\n+++ b/x\n",
    "golden/run.json": json.dumps(ATIF).encode(),
    "golden/metrics.json": b'{"speed": 3}',
    "golden/list.json": b"[1]",
    "golden/twice.json": b'{"a": 1, "a": 2}',
    "golden/empty.patch": b"\n",
    "golden/other.json": b'{"steps": [{"tool": "write_file", "args": {"path": "a", "content": "b"}}]}',
}


def files(place: str) -> bytes:
    if place not in FILES:
        raise SourceError(f"{place}: there is no such file in base", kind="not_found")
    return FILES[place]


def golden(**references: Any) -> Golden:
    return read(Written(references=References(**references), folder="golden", where="gate.yaml:3"), files)


def test_everything_by_path() -> None:
    found = golden(patch="fix.patch", command="make", trajectory=Value(path="run.json"), custom_metrics="metrics.json")
    assert (found.patch, found.patch_name, found.command) == (FILES["golden/fix.patch"], "golden/fix.patch", "make")
    assert (found.document, found.custom_metrics) == (FILES["golden/run.json"], {"speed": 3})
    assert found.trajectory is not None
    assert [step.message for step in found.trajectory.steps] == ["Fix it.", "Done."]


def test_everything_in_place() -> None:
    found = golden(patch=Text(inline="--- a/x\n"), trajectory=Value(inline=ATIF), custom_metrics=Value(inline={"a": 1}))
    assert (found.patch, found.patch_name) == (b"--- a/x\n", "gate.yaml:3 (golden.patch)")
    assert json.loads(found.document or b"") == ATIF
    assert found.custom_metrics == {"a": 1}
    assert golden(trajectory=Value(inline=json.dumps(ATIF))).trajectory is not None


@pytest.mark.parametrize(
    ("references", "message"),
    [
        pytest.param(
            {},
            "`golden`: expected at least one of `patch`, `command`, `trajectory`, `custom_metrics`, found none",
            id="nothing",
        ),
        pytest.param(
            {"patch": "no.patch"},
            "`golden.patch`: the file cannot be read: golden/no.patch: there is no such file in base",
            id="no file",
        ),
        pytest.param(
            {"patch": Text(path="a", inline="b")},
            "`golden.patch`: expected exactly one of `path` and `inline`, found both",
            id="both",
        ),
        pytest.param(
            {"trajectory": Value()},
            "`golden.trajectory`: expected exactly one of `path` and `inline`, found none",
            id="none",
        ),
        pytest.param(
            {"patch": "empty.patch"}, "`golden.patch`: the patch is empty; expected a unified diff", id="an empty patch"
        ),
        pytest.param(
            {"command": " "}, "`golden.command`: expected a command line, found nothing", id="an empty command"
        ),
        pytest.param(
            {"custom_metrics": "list.json"},
            "`golden.custom_metrics`: expected a JSON object of metrics, found a list",
            id="metrics that are a list",
        ),
        pytest.param(
            {"custom_metrics": "twice.json"},
            "`golden.custom_metrics`: the metrics cannot be read: the key 'a' stands twice in one object",
            id="metrics told twice",
        ),
        pytest.param(
            {"trajectory": "other.json"},
            "`golden.trajectory`: expected a document of ATIF, found a recording of agentbench",
            id="another recording",
        ),
        pytest.param(
            {"trajectory": "metrics.json"},
            "`golden.trajectory`: golden/metrics.json: no reader knows this format: the first object has the "
            "keys 'speed'",
            id="no recording",
        ),
    ],
)
def test_what_cannot_be_used(references: Any, message: str) -> None:
    with pytest.raises(TaskError) as caught:
        golden(**references)
    assert caught.value.message.partition("; known are")[0] == f"gate.yaml:3: {message}"


def test_real_documents_are_golden_trajectories(cases: Path) -> None:
    paths = [path for path in sorted((cases / "atif").glob("*.json")) if "invalid" not in path.name]
    written = Written(references=References(trajectory="t"), folder="", where="x")
    assert len(paths) >= 5
    for path in paths:
        data = path.read_bytes()
        found = read(written, {"t": data}.__getitem__)
        assert (found.document, found.trajectory is not None) == (data, True), path.name
