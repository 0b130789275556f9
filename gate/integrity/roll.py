"""One side's judge: its manifest, every task as it is written, and all that is read for them."""

import posixpath
from collections.abc import Mapping

import msgspec

from gate import holdings, manifest
from gate.catalogue import Catalogue
from gate.desk import Desk, Drafted
from gate.drafting import Drafting
from gate.entry import Entry
from gate.errors import BundleError, GateError
from gate.holdings import Holdings
from gate.manifest import Manifest
from gate.source import Source


class Judged(msgspec.Struct, frozen=True):
    """One task as one side's manifest has it; `number` is its entry's."""

    number: int
    entry: Entry
    draft: Drafted


class Unsealed(msgspec.Struct, frozen=True):
    """A bundle that is not what its manifest says, or that cannot be read: why, and the file to show."""

    reason: str
    path: str


class Roll(msgspec.Struct, frozen=True):
    """Every task of one side's manifest, by id, and the files and folders that are the judge's there.

    `unsealed` are the bundles, by their places in the checkout, of which no task can be told.
    """

    manifest: Manifest
    tasks: Mapping[str, Judged]
    held: Holdings
    unsealed: Mapping[str, Unsealed] = {}

    def is_unsealed(self, document: str | None) -> bool:
        """Whether a document that an entry names is one of these bundles."""
        return posixpath.normpath(posixpath.join(self.manifest.folder, document or "")) in self.unsealed


def read(source: Source, path: str, catalogue: Catalogue) -> Roll:
    """The judge that a manifest makes. ManifestError or SourceError where the manifest cannot be read."""
    found = manifest.read(source.read(path), path)
    desk = Desk(source, catalogue, found.folder)
    drafting = Drafting(found, desk)
    tasks: dict[str, Judged] = {}
    unsealed: dict[str, Unsealed] = {}
    for number in range(len(found.entries)):
        try:
            for entry, draft in drafting.tasks(number):
                tasks.setdefault(draft.task.id if draft.task else draft.name, Judged(number, entry, draft))
        except BundleError as error:
            place = desk.beside(found.folder, found.entries[number].document or "")
            unsealed[place] = _unsealed(error, place)
        except GateError as error:
            entry = found.entries[number]
            name = entry.id or entry.document or ""
            broken = Drafted(name=name, problem=error.message, kind=error.kind, path=path)
            tasks.setdefault(name, Judged(number, entry, broken))
    owned = (item.place for one in tasks.values() for item in holdings.of_task(one.entry, one.draft, found.folder))
    held = Holdings(
        (path, *desk.files, *owned),
        code=(desk.beside(found.folder, plugin) for plugin in found.plugins),
        recordings=holdings.recordings(found),
    )
    return Roll(found, tasks, held, unsealed)


def _unsealed(error: BundleError, place: str) -> Unsealed:
    from gate.bundles.contents import Mismatch  # only a broken bundle needs it
    from gate.bundles.seal import MANIFEST

    if not isinstance(error, Mismatch):
        return Unsealed(error.message, f"{place}/{MANIFEST}")
    there = (*error.difference.added, *error.difference.changed)
    return Unsealed(error.brief, f"{place}/{min(there, default=MANIFEST)}")
