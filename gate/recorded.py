"""A recording of a task as it was found: read, or the reason why it could not be, and what is to be said of it."""

from collections.abc import Iterable, Iterator

import msgspec

from gate import recording
from gate.errors import RecordingError, SourceError
from gate.path import printable
from gate.recording import Recording
from gate.report import Finding, Severity
from gate.trajectory import Trajectory


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """One recording of a task: read, or the reason why it could not be.

    `elsewhere` says that `path` is no file of the checkout, but a note, a checkpoint or a file on this machine.
    """

    path: str
    trajectory: Trajectory | None = None
    problem: str = ""
    kind: str = ""
    elsewhere: bool = False


def read(data: bytes | Recording, path: str, *, elsewhere: bool = False) -> Recorded:
    """A recording, read, or the reason why it could not be; `elsewhere` when `path` is no file of the checkout."""
    try:
        return Recorded(path=path, trajectory=recording.read(data, path), elsewhere=elsewhere)
    except (RecordingError, SourceError) as error:
        return Recorded(path=path, problem=error.message, kind=error.kind, elsewhere=elsewhere)


def remarks(recordings: Iterable[Recorded]) -> Iterator[Finding]:
    """What is to be said of recordings that were read: what had to be left out, and readers without a real sample."""
    for recorded in recordings:
        trajectory = recorded.trajectory
        if trajectory is None:
            continue
        name, place = printable(recorded.path), None if recorded.elsewhere else recorded.path
        left_out = [part.reason for part in trajectory.dropped if not part.grave]
        if left_out:
            many = f"{len(left_out)} parts were" if len(left_out) > 1 else "one part was"
            yield Finding(
                severity=Severity.NOTICE,
                kind="dropped",
                path=place,
                message=f"Of the recording {name} {many} left out: {left_out[0]}",
                details="\n".join(left_out),
            )
        if trajectory.unverified:
            yield Finding(
                severity=Severity.NOTICE,
                kind="unverified",
                path=place,
                message=f"The recording {name} is unverified: the reader of {trajectory.format} was built without a "
                "real sample of its edits.",
            )
