"""AgentBench's task documents and gate manifests, as JSON or YAML."""

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from gate.catalogue import Catalogue
from gate.desk import Desk, Drafted, Format
from gate.document import Document, DocumentError, parse
from gate.errors import ManifestError, PathRefused, SourceError, TaskError
from gate.path import confined
from gate.shape import shown
from gate.task import Inline, State, Task

_REQUIRED = ("id", "name", "description", "prompt", "workspace", "oracles")
_KNOWN = frozenset([*_REQUIRED, "tags"])
_KNOWN_OF_MANIFEST = ("task_files", "task_subset", "description", "trajectory", "recorded_for", "note")


class AgentBench(Format):
    """A task document of AgentBench, JSON or YAML: `id`, `name`, `description`, `prompt`, `workspace`, `oracles`."""

    def tasks(self, place: str, desk: Desk) -> Iterator[Drafted]:
        """The one task. TaskError where it cannot be read."""
        try:
            task = read_task(desk.read(place), place, desk.catalogue)
        except SourceError as error:
            raise TaskError(f"the task document cannot be read: {error.message}", kind=error.kind) from None
        yield Drafted(name=task.id, task=task, path=task.path, line=task.line)


def is_manifest(data: bytes) -> bool:
    """Whether these bytes are a gate manifest, which may lie among the task documents."""
    if b"task_" not in data or (b"task_files" not in data and b"task_subset" not in data):
        return False  # most are tasks, and need not be parsed for this
    try:
        value = parse(data).value
    except DocumentError:
        return False
    return isinstance(value, dict) and "oracles" not in value and ("task_files" in value or "task_subset" in value)


def read_task(data: bytes, path: str, catalogue: Catalogue) -> Task:
    """One task document. TaskError names the file, the place, what was expected and what was found."""
    try:
        document = parse(data, name=path)
        return _task(document, path, catalogue)
    except DocumentError as error:
        raise TaskError(error.at(path), kind=error.kind) from None


def _task(document: Document, path: str, catalogue: Catalogue) -> Task:
    value = document.value
    if not isinstance(value, dict):
        raise DocumentError(f"expected a task as a mapping, found {shown(value)}", kind="type")
    missing = [f"`{key}`" for key in _REQUIRED if key not in value]
    if missing:
        raise document.fault((), f"the task lacks {', '.join(missing)}", kind="missing_key")
    for key in ("id", "name", "description", "prompt"):
        if not isinstance(value[key], str) or (key == "id" and not value[key].strip()):
            raise document.fault((key,), f"expected text, found {shown(value[key])}")
    tags = value.get("tags") or []
    if not isinstance(tags, list):
        raise document.fault(("tags",), f"expected a list, found {shown(tags)}")
    unknown = [key for key in value if key not in _KNOWN]
    return Task(
        id=value["id"],
        name=value["name"],
        description=value["description"],
        prompt=value["prompt"],
        tags=tuple(str(tag) for tag in tags),
        workspace=Inline(_files(document, value["workspace"])),
        oracles=catalogue.decode_all(document, value["oracles"], ("oracles",)),
        state=State.REPLAY,
        path=path,
        line=document.line(()),
        notices=tuple(f"`{key}` is no key of a task document and is left out" for key in unknown),
    )


def _files(document: Document, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not value:
        reason = f"expected a mapping of paths to contents, found {shown(value)}"
        raise document.fault(("workspace",), reason)
    for name, content in value.items():
        at = ("workspace", name)
        if not isinstance(content, str):
            raise DocumentError(
                f"`workspace[{name!r}]`: expected the file's text, found {shown(content)}",
                line=document.line(at),
                kind="type",
            )
        try:
            confined(name)
            content.encode("utf-8", "surrogateescape")
        except PathRefused as error:
            raise DocumentError(f"`workspace`: {error.message}", line=document.line(at), kind=error.kind) from None
        except UnicodeEncodeError:
            raise DocumentError(
                f"`workspace[{name!r}]`: half of a surrogate pair is no text",
                line=document.line(at),
                kind="json_surrogate",
            ) from None
    return value


class GateManifest:
    """The tasks a gate manifest names, in its order, with what it says beside them.

    `files` are relative to the folder of tasks. `notices` are sentences for the report.
    """

    def __init__(self, path: str, read: Callable[[str], bytes]) -> None:
        self.files: tuple[str, ...] = ()
        self.trajectory: str | None = None
        self.notices: list[str] = []
        self._read = read
        self._follow(path, ())

    def _follow(self, path: str, behind: tuple[str, ...]) -> None:
        path = posixpath.normpath(path)
        if path in behind:
            raise ManifestError(f"{' -> '.join((*behind, path))}: `task_subset` leads back to itself", kind="cycle")
        value = self._value(path)
        for key in value:
            if key not in _KNOWN_OF_MANIFEST:
                self.notices.append(f"{path}: `{key}` is no key of a gate manifest and is left out")
        named = value.get("trajectory")
        if self.trajectory is None and isinstance(named, str):
            self.trajectory = named
        subset = value.get("task_subset")
        if subset is not None:
            if not isinstance(subset, str) or not subset:
                raise ManifestError(f"{path}: `task_subset`: expected a path, found {shown(subset)}", kind="type")
            self._follow(posixpath.join(posixpath.dirname(path), subset), (*behind, path))
            return
        files = value.get("task_files")
        if not isinstance(files, list) or not files or not all(isinstance(name, str) and name for name in files):
            raise ManifestError(
                f"{path}: `task_files`: expected a list of file names that is not empty, found {shown(files)}",
                kind="type",
            )
        self.files = tuple(files)

    def _value(self, path: str) -> dict[str, Any]:
        try:
            document = parse(self._read(path), name=path)
        except SourceError as error:
            raise ManifestError(f"the gate manifest cannot be read: {error.message}", kind=error.kind) from None
        except DocumentError as error:
            raise ManifestError(error.at(path), kind=error.kind) from None
        if not isinstance(document.value, dict):
            raise ManifestError(f"{path}: expected a mapping, found {shown(document.value)}", kind="type")
        return document.value
