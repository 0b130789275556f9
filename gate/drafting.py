"""The tasks of a manifest's entries: written there, or read from documents by a task format."""

import posixpath
from collections.abc import Iterator

import msgspec

from gate import registry
from gate.desk import Desk, Drafted, Format
from gate.document import DocumentError, Path
from gate.entry import DOCUMENTS, Entry, workspace
from gate.errors import ManifestError, TaskError, noted, together
from gate.manifest import Manifest
from gate.oracle import Oracle
from gate.reference import Written
from gate.shape import nearest_name
from gate.task import Folder, Inline, Revision, State, Task

_FOLDER = "gate.formats"
_FORMATS = {"task": "agentbench", "spec": "eval_spec", "bundle": "bundle"}


class Drafting:
    """Reads the entries of one manifest."""

    def __init__(self, manifest: Manifest, desk: Desk) -> None:
        self._manifest = manifest
        self._desk = desk
        self._formats: dict[str, Format] = {}

    def tasks(self, number: int) -> Iterator[tuple[Entry, Drafted]]:
        """Every task of an entry, with what the entry says of it.

        A document that cannot be read as a whole is one broken task. ManifestError where the task is written in the
        manifest and broken, or where the entry speaks of a task that its document does not have.
        """
        entry, at = self._manifest.entries[number], ("tasks", number)
        if entry.document is None:
            yield entry, self._with_golden(self._here(entry, at), entry, at)
            return
        try:
            place = self._desk.beside(self._manifest.folder, entry.document)
            drafts = list(self._format(entry).tasks(place, self._desk))
        except TaskError as error:
            yield entry.of(""), self._broken(entry, at, error)
            return
        for key, name in entry.strangers(draft.name for draft in drafts):
            where = f"{self._manifest.place((*at, key, name))}: `tasks[{number}].{key}`"
            near = nearest_name(name, [draft.name for draft in drafts])
            raise ManifestError(f"{where}: there is no task {name!r} in {entry.document}{near}", kind="unknown_task")
        for draft in drafts:
            yield entry.of(draft.name), self._with_golden(draft, entry, at)

    def _with_golden(self, draft: Drafted, entry: Entry, at: Path) -> Drafted:
        if entry.golden is None:
            return draft
        where = self._manifest.place((*at, "golden"))
        written = Written(references=entry.golden, folder=self._manifest.folder, where=where)
        return msgspec.structs.replace(draft, golden=written)

    def _format(self, entry: Entry) -> Format:
        key = next(key for key in DOCUMENTS if getattr(entry, key) is not None)
        if key not in self._formats:
            found = registry.defined(registry.load(_FOLDER, _FORMATS[key]), Format)  # type: ignore[type-abstract]
            self._formats[key] = found()
        return self._formats[key]

    def _broken(self, entry: Entry, at: Path, error: TaskError) -> Drafted:
        name = posixpath.basename((entry.document or "").rstrip("/"))
        return Drafted(
            name=name.rpartition(".")[0] or name,
            problem=error.message,
            kind=error.kind,
            path=self._manifest.path,
            line=self._manifest.line(at),
        )

    def _here(self, entry: Entry, at: Path) -> Drafted:
        manifest = self._manifest
        document = manifest.document
        start: Inline | Folder | Revision = Revision("base")
        oracles: tuple[Oracle, ...] = ()
        mistakes: list[DocumentError] = []
        with noted(mistakes):
            start = workspace(document, entry.workspace, (*at, "workspace"))
        with noted(mistakes):
            oracles = self._desk.catalogue.decode_all(document, entry.oracles, (*at, "oracles"))
        if mistakes:
            raise ManifestError(together(mistakes).at(manifest.path), kind=mistakes[0].kind)
        task = Task(
            id=entry.id or "",
            name=entry.name or "",
            description=entry.description or "",
            prompt=entry.prompt or "",
            tags=tuple(entry.tags or ()),
            workspace=start,
            oracles=oracles,
            state=State.HEAD if isinstance(start, Revision) else State.REPLAY,
            path=manifest.path,
            line=document.line(at),
        )
        return Drafted(name=task.id, task=task, path=manifest.path, line=task.line)
