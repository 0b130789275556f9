"""The events that `codex exec --json` prints."""

from collections.abc import Mapping
from typing import Any

from gate.agents import given
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Trajectory

_TURNS = frozenset(["thread.started", "turn.started", "turn.completed", "turn.failed"])
_ITEMS = frozenset(["item.started", "item.updated", "item.completed"])


class CodexExecJson(Reader):
    """The events that `codex exec --json` prints: refused, since they name the files that were changed, and no content.

    Codex writes the session's rollout besides, which has all of it: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`,
    whose name ends with the `thread_id` that the first event tells (and not with `--ephemeral`). Record that file.
    """

    def recognises(self, sample: Sample) -> bool:
        """Lines of the types that the command prints."""
        return any(map(_is_event, sample.records))

    def read(self, recording: Recording) -> Trajectory:
        """RecordingError (`no_content`), which says what to record instead."""
        first = next(iter(Sample(recording).records), {})
        thread = given.word(first, "thread_id")
        name = f"rollout-*-{thread}.jsonl" if thread.replace("-", "").isalnum() else "rollout-*.jsonl"
        raise recording.error(
            "`codex exec --json` prints which files were changed, and not how; record the rollout of the session "
            f"instead, ~/.codex/sessions/YYYY/MM/DD/{name}",
            kind="no_content",
        )


def _is_event(record: Mapping[str, Any]) -> bool:
    kind = given.word(record, "type")
    return kind in _TURNS or (kind in _ITEMS and isinstance(record.get("item"), dict))
