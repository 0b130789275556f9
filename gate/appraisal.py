"""A bundle's lanes judged, and what they came to put into the sealed envelope."""

import time
from pathlib import Path

from gate import __version__
from gate.asked import Asked
from gate.bundles.envelope import Envelope, Subject, Used
from gate.bundles.sealing import Judged, broken, build
from gate.changes.diff import Request
from gate.digest import folder_digest, sha256, stream_sha256
from gate.errors import GateError, SourceError, bug
from gate.lane import Exam, Lane, exam, plan, provenance
from gate.plan import Planned
from gate.policy import Require
from gate.report import Problem
from gate.run import run
from gate.source import open_stream
from gate.transcription import transcript
from gate.tree import SYMLINK


def sealed(
    named: str, folder: Path, candidate: Lane, control: Lane | None, *, require: Require, python: str | None, rate: bool
) -> Envelope:
    """The envelope of a bundle, whatever becomes of it: what ends the judging is told as its problem."""
    try:
        found = exam(named, folder, require=require, python=python, needs_pin=False)
        return appraise(found, candidate, control, rate=rate)
    except GateError as error:
        problem = Problem(message=error.message, exit_code=error.exit_code, kind=error.kind)
    except Exception as error:
        problem = Problem(message=bug(error), exit_code=4, kind="bug")
    started = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    return broken(named.rstrip("/") or named, candidate.named, problem, version=__version__, started=started)


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
        results=lane.named,
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
