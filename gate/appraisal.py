"""A bundle's lanes judged, and what they came to put into the sealed envelope."""

from gate.asked import Asked
from gate.bundles.envelope import Envelope, Judged, Subject, Used, build
from gate.changes.diff import Request
from gate.digest import folder_digest, sha256, stream_sha256
from gate.errors import SourceError
from gate.lane import Exam, Lane, plan, provenance
from gate.plan import Planned
from gate.run import run
from gate.source import open_stream
from gate.transcription import transcript
from gate.tree import SYMLINK


def appraise(exam: Exam, candidate: Lane, control: Lane | None, *, rate: bool) -> Envelope:
    """The envelope of both lanes; with a rate where it is asked for and publishable."""
    return build(
        exam.contents,
        judged(exam, candidate),
        None if control is None else judged(exam, control),
        drift=exam.drift,
        gaps=exam.gaps,
        rate=rate,
    )


def judged(exam: Exam, lane: Lane) -> Judged:
    """One lane judged, with all that the sealed envelope says of it."""
    reason = provenance(exam, lane)
    found = plan(exam, lane, Asked(change=Request()), reason=reason)
    return Judged(
        report=run(found),
        results=lane.workspaces or lane.recordings or "",
        provenance=reason,
        subjects={task.id: subject for task in found.tasks if (subject := _subject(exam, lane, task))},
        used={task.id: _used(task) for task in found.tasks},
    )


def _subject(exam: Exam, lane: Lane, task: Planned) -> Subject | None:
    """What was judged of a task; links are no part of a folder's digest. None where nothing could be read."""
    path = lane.of(task.id)
    try:
        if task.head is not None:
            tree = task.head
            files = {name: sha256(tree.read(name)) for name in tree.paths() if tree.mode(name) != SYMLINK}
            return Subject(name=path, digest={"dirHash": folder_digest(files)})
        if task.recordings:
            with open_stream(exam.folder / path) as stream:
                return Subject(name=path, digest={"sha256": stream_sha256(stream)})
    except (KeyError, SourceError):
        return None
    return None


def _used(task: Planned) -> Used:
    trajectory = task.recordings[0].trajectory if task.recordings else None
    if trajectory is None:
        return Used()
    seen = transcript(trajectory)
    return Used(wall_clock_seconds=seen.seconds, tokens=None if seen.used is None else sum(seen.used))
