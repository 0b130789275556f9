"""From where to where in a recording the replay is sure to know what a file held."""

from typing import NamedTuple

from gate.footprint import Footprints
from gate.replay import Replay
from gate.trajectory import Step


class _Moment(NamedTuple):
    """A step by its number, and by its line where the recording has lines."""

    number: int
    line: int


class Certainty:
    """What may have changed files beside the edits that were replayed: commands, sub-agents, steps that are lost."""

    def __init__(self, replay: Replay, footprints: Footprints) -> None:
        self._footprints = footprints
        self._failed = [(edit.path, edit.step) for edit in (*replay.failed, *replay.suspects)]
        self._lost = [part.line for part in replay.dropped if part.grave]
        self._settled: dict[str, _Moment] = {}
        self._reached: dict[str, tuple[int, ...]] = {}

    def settle(self, path: str, step: Step) -> None:
        """From this step on the file's content is known again: the step wrote, or showed, all of it."""
        self._settled[path] = _Moment(step.number, step.line)

    def doubt(self, path: str, step: Step) -> bool:
        """Whether something that is not replayed may have changed the file before this step, or in it."""
        since = self._settled.get(path, _Moment(0, -1))
        if any(since.line < line <= step.line or not line for line in self._lost):
            return True
        others = (number for name, number in self._failed if name in (None, path))
        return any(since.number < number <= step.number for number in (*others, *self._reaching(path)))

    def _reaching(self, path: str) -> tuple[int, ...]:
        """The steps whose commands may have written or removed the file."""
        if path not in self._reached:
            there = self._footprints.reach(path, touched=True, gone=False)
            gone = self._footprints.reach(path, touched=True, gone=True)
            self._reached[path] = (*there.named, *there.near, *gone.named, *gone.near)
        return self._reached[path]
