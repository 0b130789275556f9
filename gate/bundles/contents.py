"""A bundle as a whole: its files verified against its manifest, and what lies at its root."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate.bundles import environment, metrics, overlap, seal
from gate.bundles.environment import Pin
from gate.bundles.metrics import Metrics
from gate.bundles.overlap import Scan
from gate.bundles.reading import fault
from gate.bundles.seal import MANIFEST, PIN, Difference, Seal
from gate.digest import sha256
from gate.document import Document, DocumentError, parse
from gate.errors import BundleError, SourceError
from gate.path import printable
from gate.tree import SYMLINK, Subtree, Tree

_MOST_NAMED = 5
_LARGEST = 64 * 1024 * 1024
_EMPTY = sha256(b"")
_NOTES = ("license", "licence", "copying")


class Listed(Tree):
    """A tree of which the paths are known, so that nobody has to look for them again and again."""

    def __init__(self, tree: Tree, paths: Iterable[str]) -> None:
        self._tree = tree
        self._paths = sorted(paths)
        self.algorithm = tree.algorithm

    def below(self, prefix: str) -> "Listed":
        """The same tree with the paths alone that begin so."""
        start = bisect_left(self._paths, prefix)
        end = bisect_left(self._paths, prefix + "\U0010ffff", start)
        return Listed(self._tree, self._paths[start:end])

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        return iter(self._paths)

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        return self._tree.mode(path)

    def read(self, path: str) -> bytes:
        """The file's bytes. KeyError where there is no such file."""
        return self._tree.read(path)

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`. KeyError where there is no such file."""
        return self._tree.read_at_most(path, limit)


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """A bundle whose hashes are right.

    `label` is what messages call it. `digest` is the SHA-256 of its manifest: the bundle's hash; `pin_digest` that of
    its environment pin. `tasks` are the names of its task folders, sorted.
    """

    label: str
    tree: Listed
    seal: Seal
    digest: str
    tasks: tuple[str, ...]
    pin: Pin | None = None
    pin_digest: str | None = None
    metrics: Metrics | None = None
    scan: Scan | None = None

    def task(self, name: str) -> Tree:
        """The files of one task."""
        return Subtree(self.tree.below(f"tasks/{name}/"), f"tasks/{name}")

    @property
    def measures(self) -> Metrics:
        """Its metrics, or those that hold where it has none."""
        return self.metrics or Metrics()

    def has_licence(self, name: str) -> bool:
        """Whether the task's folder holds a note on the licence of what is in it."""
        notes = (path for path in self.task(name).paths() if path.lower().startswith(_NOTES))
        return any(self.seal.digests[f"tasks/{name}/{path}"] != _EMPTY for path in notes)

    def said(self) -> Mapping[str, list[str]]:
        """What every report says of single tasks, by their names."""
        found: dict[str, list[str]] = {name: [] for name in self.tasks}
        for name, notes in found.items():
            if not self.has_licence(name):
                notes.append(f"the task has no note on its licence: add tasks/{name}/LICENSE.md")
        if self.scan is not None:
            width, threshold = self.measures.ngram_width, self.measures.overlap_threshold
            for name, sentence in overlap.sentences(self.scan, self.seal.digests, width=width, threshold=threshold):
                found[name].append(sentence)
        return found


class Mismatch(BundleError):
    """A bundle is not what its manifest says; `difference` names every file, `brief` the first ones in words."""

    def __init__(self, difference: Difference, label: str) -> None:
        self.difference = difference
        self.brief = _mismatch(difference, label)
        advice = f"nothing of it is judged. `gate bundle verify {printable(label)}` names each file"
        super().__init__(f"{self.brief}; {advice}", kind="mismatch")


def opened(tree: Tree, label: str) -> Contents:
    """The bundle in a folder. BundleError where it cannot be read, or is not what its manifest says."""
    manifest = _read(tree, MANIFEST, label)
    if manifest is None:
        raise BundleError(
            f"{label}: there is no {MANIFEST}, so nothing says what the bundle held; write one with `gate bundle pin "
            f"{label}`",
            kind="no_manifest",
        )
    sealed = seal.read(manifest, label)
    differing = seal.difference(sealed, seal.hashed(tree, label, known=sealed.digests))
    if differing:
        raise Mismatch(differing, label)
    pin, measured, scan = (_read(tree, name, label) for name in (PIN, metrics.NAME, overlap.NAME))
    return Contents(
        label=label,
        tree=Listed(tree, sealed.digests),
        seal=sealed,
        digest=sha256(manifest),
        tasks=tasks(sealed.digests, label),
        pin=None if pin is None else environment.read(pin, label),
        pin_digest=None if pin is None else sha256(pin),
        metrics=None if measured is None else metrics.read(measured, label),
        scan=None if scan is None else overlap.read(scan, label),
    )


def tasks(paths: Mapping[str, Any], label: str) -> tuple[str, ...]:
    """The names of the task folders among a bundle's files. BundleError where there is none."""
    parts = (path.split("/") for path in paths)
    found = sorted({part[1] for part in parts if part[0] == "tasks" and len(part) > 2})
    if not found:
        raise BundleError(f"{label}: there is no task in {label}/tasks; expected a folder for each", kind="no_tasks")
    return tuple(found)


def document(tree: Tree, path: str, label: str) -> Document:
    """A JSON document of a bundle. BundleError where it is not there or not well formed."""
    data = _read(tree, path, label)
    if data is None:
        raise BundleError(f"{label}/{path}: there is no such file", kind="not_found")
    try:
        return parse(data)
    except DocumentError as error:
        raise fault(error, f"{label}/{path}") from None


def _read(tree: Tree, path: str, label: str) -> bytes | None:
    if tree.mode(path) == SYMLINK:
        raise BundleError(f"{label}: {path} is a symbolic link; expected a plain file", kind="is_link")
    try:
        data = tree.read_at_most(path, _LARGEST) if path in tree else None
    except (KeyError, SourceError) as error:
        raise BundleError(f"{label}: {path} cannot be read: {error}", kind="unreadable") from None
    if data is None and path in tree:
        raise BundleError(f"{label}: {path} has more than {_LARGEST} bytes", kind="too_large")
    return data


def _mismatch(differing: Difference, label: str) -> str:
    lines = differing.lines
    named = ", ".join(" ".join(line.split()) for line in lines[:_MOST_NAMED])
    more = f" and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return f"{printable(label)} is not what its {MANIFEST} says ({differing.counts}): {named}{more}"
