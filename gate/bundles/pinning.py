"""Writing a bundle's manifest and environment pin: what they hold, and what is to be said of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from gate.bundles import environment, metrics, overlap, seal
from gate.bundles.contents import Contents, Listed, tasks
from gate.bundles.environment import Pin
from gate.digest import sha256
from gate.errors import BundleError
from gate.path import fold, printable
from gate.tree import Tree


class Pinned(msgspec.Struct, frozen=True, kw_only=True):
    """What a pin writes: the bundle as it will be, and the bytes of the two files."""

    contents: Contents
    manifest: bytes
    pin: bytes

    @property
    def notes(self) -> tuple[str, ...]:
        """What whoever pins should know."""
        return tuple(_notes(self.contents))


def pinned(tree: Tree, label: str, *, pin: Pin, named: int | None, committed: Callable[[], int | None]) -> Pinned:
    """What to write into a folder to seal it.

    The time in the manifest, in seconds, is the one `named`; else that of a manifest which lists the same files, so
    that a bundle pinned anew stays what it is; else the one `committed`. BundleError where there is none of them, and
    where the folder holds what no bundle holds.
    """
    files = seal.hashed(tree, label)
    _refuse_twins(files, label)
    names = tasks(files, label)
    created = named if named is not None else _kept(tree, label, files)
    created = created if created is not None else committed()
    if created is None:
        raise BundleError(
            f"{label}: nothing says when it was made: outside of git, or before the first commit, set "
            "SOURCE_DATE_EPOCH to a time in seconds",
            kind="no_time",
        )
    sealed = seal.seal(files, created=created)
    manifest, written = seal.render(sealed), environment.render(pin)
    measured, scan = (tree.read(name) if name in files else None for name in (metrics.NAME, overlap.NAME))
    contents = Contents(
        label=label,
        tree=Listed(tree, files),
        seal=sealed,
        digest=sha256(manifest),
        tasks=names,
        pin=pin,
        pin_digest=sha256(written),
        metrics=None if measured is None else metrics.read(measured, label),
        scan=None if scan is None else overlap.read(scan, label),
    )
    return Pinned(contents=contents, manifest=manifest, pin=written)


def _refuse_twins(paths: Iterable[str], label: str) -> None:
    """BundleError for two names that are one on systems which ignore case, or how letters are composed."""
    seen: dict[str, str] = {}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            name = "/".join(parts[:end])
            other = seen.setdefault(fold(name), name)
            if other != name:
                names = f"{printable(other)} and {printable(name)}"
                raise BundleError(f"{label}: {names} are one name on some systems; rename one", kind="path_twins")


def _kept(tree: Tree, label: str, files: Mapping[str, str]) -> int | None:
    try:
        old = seal.read(tree.read(seal.MANIFEST), label) if seal.MANIFEST in tree else None
    except BundleError:
        return None
    return old.created_unix if old is not None and not seal.difference(old, files) else None


def _notes(contents: Contents) -> Iterator[str]:
    if contents.pin is not None:
        yield from contents.pin.gaps
    measured = contents.metrics
    if measured is None or not measured.budget:
        missing = f"there is no {metrics.NAME}" if measured is None else f"{metrics.NAME} names no `budget`"
        yield f"{missing}, so no budget is declared before the run, and no rate of this bundle is publishable"
    for unit in () if measured is None else measured.budget:
        if unit not in metrics.UNITS:
            expected = " and ".join(metrics.UNITS)
            yield f"{metrics.NAME}: `budget.{unit}` is measured nowhere, so nothing is ever over it; {expected} are"
    if contents.scan is None:
        yield f"there is no {overlap.NAME}: `gate bundle scan` looks for its prompts in a corpus"
    for name, said in contents.said().items():
        if f"tasks/{name}/oracle/tests.py" not in contents.seal.digests:
            yield f"{name}: there is no oracle/tests.py, so the task can never pass"
        yield from (f"{name}: {sentence}" for sentence in said)
