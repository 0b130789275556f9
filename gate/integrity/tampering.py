"""What a change does to the judge that judges it: tasks, oracles, scopes and policy, before and after.

The head's judge is read, never asked, and none of its code is loaded: an oracle of a plugin that the change brings is
not known here, and the task that asks for it is told as one that cannot be read.
"""

import contextlib

import msgspec

from gate import judge
from gate.catalogue import Catalogue
from gate.errors import GateError, ManifestError, SourceError
from gate.holdings import Holdings
from gate.integrity import roll
from gate.integrity.comparison import Comparison, finding
from gate.integrity.roll import Roll
from gate.report import Finding
from gate.review import Review
from gate.source import Source


class Tampering(msgspec.Struct, frozen=True):
    """What a change did to its judge; `held` is what would be the judge's by the head.

    `base` and `head` are both sides' tasks, None where they were not compared.
    """

    findings: tuple[Finding, ...] = ()
    held: Holdings = Holdings()
    base: Roll | None = None
    head: Roll | None = None


def found(review: Review, bench: judge.Bench, path: str, held: Holdings, catalogue: Catalogue) -> Tampering:
    """What the change did to the judge of the manifest at `path`: its files, then what became of each task.

    Compared is what the change does to them since its base, not what their judge's revision got meanwhile. Nothing is
    read where none of the judge's files is touched.
    """
    if review.git is None or review.change is None:
        return Tampering()
    if bench.from_head:
        return Tampering(_at_once(review, path, held, catalogue))
    touched = judge.changed(bench, held, git=review.git, change=review.change)
    ahead = judge.moved(bench, held, git=review.git, change=review.change)
    if not touched:
        return Tampering(ahead)
    touched = (*ahead, *touched)
    base = _before(review, bench, path, catalogue)
    try:
        head = roll.read(review.head, path, catalogue)
    except (ManifestError, SourceError) as error:
        gone = not review.head.exists(path)
        what = f"takes {path} away" if gone else f"leaves {path} broken: {error.message.rstrip('?.')}"
        removed = finding("judge_removed", f"This change {what}. Once merged, nothing is judged.", path)
        return Tampering((*touched, removed))
    return Tampering((*touched, *Comparison(base, head, review).findings()), head.held, base, head)


def _at_once(review: Review, path: str, held: Holdings, catalogue: Catalogue) -> tuple[Finding, ...]:
    """What a change does to a judge that judges itself, in CI: it counts for this very run.

    On a developer's machine nobody is told what they have just written; the pull request is judged again.
    """
    change = review.change
    if change is None or change.everything or not review.asked.change.ci or not any(held.touched(change.paths)):
        return ()
    with contextlib.suppress(GateError):  # the base has no judge, or none that can be read
        base, head = (roll.read(source, path, catalogue) for source in (Source("base", review.start()), review.head))
        return tuple(Comparison(base, head, review).findings())
    return ()


def _before(review: Review, bench: judge.Bench, path: str, catalogue: Catalogue) -> Roll:
    """The judge as the change found it; the one that judges where that is it, or the change found none."""
    if review.change is not None and not review.change.staged and bench.commit != review.change.base:
        with contextlib.suppress(ManifestError, SourceError):
            return roll.read(Source("base", review.start()), path, catalogue)
    return roll.read(bench.source, path, catalogue)
