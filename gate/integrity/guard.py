"""All that is said of a change to its judge, in the order in which a report tells it."""

import msgspec

from gate import holdings, script
from gate.catalogue import Catalogue
from gate.holdings import Holdings
from gate.integrity import callers, codeowners, separation, submodules, tampering
from gate.integrity.tampering import Tampering
from gate.judge import Bench
from gate.manifest import Manifest
from gate.plan import Planned
from gate.report import Finding
from gate.review import Review
from gate.source import Source


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the judge, what is said of it, and the verdicts that follow from it, as tasks of their own."""

    tampered: Tampering
    notices: tuple[Finding, ...]
    planned: tuple[Planned, ...]


def found(review: Review, bench: Bench, manifest: Manifest, held: Holdings, catalogue: Catalogue) -> Guard:
    """What the change does to the judge of a manifest, of which `held` are the files and folders."""
    tampered = tampering.found(review, bench, manifest.path, held, catalogue)
    brought = script.brought(tampered.head.manifest if tampered.head else None, review)
    starting, reowned = callers.found(review), codeowners.found(review, bench, held)
    judges = (held, tampered.held, brought.files, starting.files, [str(one.path) for one in reowned])
    both = separation.together(review.change, judges, holdings.recordings(manifest))
    owned = Source("base", review.start()) if bench.from_head else bench.source
    apart = separation.found(manifest.policy.separation, both, event=review.asked.event, base=owned)
    said = (*tampered.findings, *brought.notices, *reowned, *starting.findings, *apart.findings)
    notices = (*said, *submodules.found(review.change))
    return Guard(tampered=tampered, notices=notices, planned=apart.planned)
