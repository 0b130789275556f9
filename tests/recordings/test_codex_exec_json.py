"""What `codex exec --json` prints is known, and refused with words that help."""

from pathlib import Path

import pytest

from gate.errors import RecordingError
from gate.recording import Recording, Sample, read
from gate.recordings.codex_exec_json import CodexExecJson
from tests.recordings.recorded import lines

READER = CodexExecJson()
REASON = "`codex exec --json` prints which files were changed, and not how; record the rollout of the session instead, "


@pytest.mark.parametrize(
    ("data", "place"),
    [
        pytest.param(lines({"type": "thread.started", "thread_id": "019a-b"}), "rollout-*-019a-b.jsonl", id="a thread"),
        pytest.param(lines({"type": "thread.started", "thread_id": "../x"}), "rollout-*.jsonl", id="no name of a file"),
        pytest.param(lines({"type": "turn.started"}), "rollout-*.jsonl", id="a turn"),
        pytest.param(lines({"type": "item.completed", "item": {"type": "error"}}), "rollout-*.jsonl", id="an item"),
    ],
)
def test_refused(data: bytes, place: str) -> None:
    with pytest.raises(RecordingError) as error:
        read(data, "x.jsonl")
    assert error.value.message == f"x.jsonl: {REASON}~/.codex/sessions/YYYY/MM/DD/{place}"
    assert error.value.kind == "no_content"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(lines({"type": "item.completed", "item": "x"}), id="no item"),
        pytest.param(lines({"type": ["thread.started"]}), id="no type"),
        pytest.param(b"", id="empty"),
    ],
)
def test_not_known(data: bytes) -> None:
    assert not READER.recognises(Sample(Recording(data)))


def test_real_streams(cases: Path) -> None:
    paths = sorted((cases / "recordings" / "codex-exec-json").iterdir())
    assert len(paths) == 3
    for path in paths:
        with pytest.raises(RecordingError, match=r"rollout-\*-019a[0-9a-f-]+\.jsonl$"):
            read(path.read_bytes(), path.name)
