"""What a task format is: how tasks are written in documents of their own, and what it reads them with.

A new format is one file in `gate/formats/` with one public subclass of `Format`.
"""

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gate.catalogue import Catalogue
from gate.source import Source
from gate.task import Task

if TYPE_CHECKING:
    from gate.bundles.contents import Contents
    from gate.reference import Written


class Drafted(msgspec.Struct, frozen=True, kw_only=True):
    """One task of a document: read, or the reason why it could not be.

    `name` is the one by which the manifest's entry tells its tasks apart. `golden` is its golden input as written: it
    is read for tasks in scope alone.
    """

    name: str
    task: Task | None = None
    golden: "Written | None" = None
    problem: str = ""
    kind: str = ""
    path: str | None = None
    line: int | None = None


class Desk:
    """The judge's files and the oracle types.

    `folder` is the manifest's, relative to the checkout. `files` are those that were read or looked for, `bundles` the
    bundles, by their places; both relative to the checkout, too. `judge_model` and `judge_reasoning_effort` go before
    those that a document names for all of its oracles.
    """

    judge_model: str | None = None
    judge_reasoning_effort: str | None = None

    def __init__(self, source: Source, catalogue: Catalogue, folder: str = "") -> None:
        self.source = source
        self.catalogue = catalogue
        self.folder = folder
        self.files: list[str] = []
        self.bundles: dict[str, Contents] = {}

    def read(self, place: str) -> bytes:
        """The bytes of one of the judge's files, relative to the checkout. SourceError where it cannot be read."""
        if place not in self.files:
            self.files.append(place)
        return self.source.read(place)

    def exists(self, place: str) -> bool:
        """Whether the judge has such a file; one that is asked for is the judge's wherever it comes."""
        if place not in self.files:
            self.files.append(place)
        return self.source.exists(place)

    def beside(self, folder: str, path: str) -> str:
        """A path that a document in `folder` names, relative to the checkout."""
        return posixpath.normpath(posixpath.join(folder, path))


class Format(ABC):
    """Reads the tasks of a document, or of a folder. The docstring of a format is its manual."""

    @abstractmethod
    def tasks(self, place: str, desk: Desk) -> Iterator[Drafted]:
        """Every task that is written at `place`, in its order; a broken one with its problem.

        TaskError where the document as a whole cannot be read.
        """
        raise NotImplementedError
