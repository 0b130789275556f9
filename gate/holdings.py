"""What is the judge's: the files and folders that tell what a task is, and how it is judged.

The base's version of them counts. What a change does to one is told, and a change of one and of anything else touches
both the judge and the product.
"""

import posixpath
from collections.abc import Iterable, Iterator

import msgspec

from gate.desk import Drafted
from gate.entry import NAME, Entry, Several
from gate.manifest import Manifest
from gate.oracle import Oracle
from gate.reference import References, Written
from gate.registry import origin
from gate.scope import Patterns, placed
from gate.task import Environment, Folder, Revision, State, Task


class Held(msgspec.Struct, frozen=True):
    """A file or folder of the judge, relative to the checkout ("" for its top), and the part of a task that it is."""

    part: str
    place: str


class Holdings:
    """Files and folders of the judge, each once; `code` are programs, of which nobody here compares what they do.

    A file that the change brings to a place where there was none is the judge's, too. What `recordings` match in a
    folder is not: an agent has made it.
    """

    def __init__(
        self, places: Iterable[str] = (), *, code: Iterable[str] = (), recordings: Patterns | None = None
    ) -> None:
        self._places = {_joined("", place): False for place in places} | {_joined("", place): True for place in code}
        self._recordings = recordings or Patterns([])

    def __contains__(self, path: object) -> bool:
        """Whether the path is one of the files, or lies in one of the folders."""
        return isinstance(path, str) and self._above(path) is not None

    def __iter__(self) -> Iterator[str]:
        """Every place."""
        return iter(self._places)

    def touched(self, paths: Iterable[str]) -> Iterator[tuple[bool, list[str]]]:
        """For each place at which some of the paths lie whether it is code, and these paths."""
        found: dict[str, list[str]] = {}
        for path in paths:
            place = self._above(path)
            if place is not None:
                found.setdefault(place, []).append(path)
        for place, code in self._places.items():
            if place in found:
                yield code, found[place]

    def _above(self, path: str) -> str | None:
        """The nearest place that is the path or a folder above it."""
        if path in self._places:
            return path
        if self._recordings.match(path):
            return None
        place = path
        while place not in self._places:
            if not place:
                return None
            place = posixpath.dirname(place)
        return place


def recordings(manifest: Manifest) -> Patterns:
    """What the manifest's recordings are called, relative to the checkout."""
    origins = (
        origin
        for entry in manifest.entries
        for origin in (entry.trajectory, *(entry.recordings.values() if isinstance(entry, Several) else ()))
    )
    named = (origin.replace(NAME, "**") for origin in origins if isinstance(origin, str))
    return Patterns([placed(manifest.folder, pattern) for pattern in named])


def of_task(entry: Entry, draft: Drafted, folder: str) -> Iterator[Held]:
    """Everything that a task of a manifest in `folder` is written in, or read from, on the judge's side.

    A start workspace whose head is what is judged (`state: head`) is the product's, and not among it. Nor is
    `state: {dir: …}`, which an agent has made.
    """
    task = draft.task
    if draft.golden is not None:
        yield from _of_golden(draft.golden, task, folder)
    if task is None:
        return
    if task.path:
        yield Held("document", task.path)
    at = _joined(folder, task.workspace.dir) if isinstance(task.workspace, Folder) else ""
    if isinstance(task.workspace, Folder) and (entry.state or task.state) is not State.HEAD:
        yield Held("workspace", at)
    if isinstance(task.workspace, Environment):
        yield from _of_environment(task.workspace)
    for step in task.setup:
        yield from (Held("setup", path) for path in _started(step.command, at))
    yield from (Held("oracles", path) for path in plugins(task.oracles))


def _of_golden(golden: Written, task: Task | None, folder: str) -> Iterator[Held]:
    for part in References.__struct_fields__:
        told = getattr(golden.references, part)
        path = told if isinstance(told, str) and part != "command" else getattr(told, "path", None)
        if path:
            yield Held(f"golden.{part}", _joined(golden.folder, path))
    if golden.references.command and task is not None:
        start = folder if isinstance(task.workspace, Revision) else ""
        at = _joined(folder, task.workspace.dir) if isinstance(task.workspace, Folder) else start
        yield from (Held("golden.command", path) for path in _started(golden.references.command, at))


def _of_environment(environment: Environment) -> Iterator[Held]:
    for file in environment.files:
        if file.source is not None:
            yield Held("environment.files", _joined("", file.source))
    url = environment.repository.url if environment.repository else None
    if url and not url.startswith("..") and "://" not in url and not posixpath.isabs(url):
        yield Held("environment.git", _joined("", url))


def _started(command: str, folder: str) -> Iterator[str]:
    from gate.cmdline.started import started  # only a task that brings commands of its own needs the tables

    return (_joined(folder, path) for path in started(command))


def plugins(oracles: Iterable[Oracle]) -> Iterator[str]:
    """The files of the plugins that these oracles, and those that stand in them, are of."""
    for oracle in oracles:
        yield from filter(None, [origin(type(oracle))])
        yield from plugins(getattr(oracle, "inner", ()))


def _joined(folder: str, path: str) -> str:
    place = posixpath.normpath(posixpath.join(folder, path))
    return "" if place == "." else place
