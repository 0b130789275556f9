"""`gate.yaml`: which tasks, recordings and scopes there are, and how strict the gate is."""

import enum
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.document import Document, DocumentError, Path, dotted, parse
from gate.errors import ManifestError
from gate.policy import Allow, Defaults, Policy, Whose
from gate.shape import nearest_name, shaped, shown
from gate.task import Folder, Inline, Revision, State

NAME = "gate.yaml"
CHECKPOINTS = "entire/checkpoints/v1"


class Switch(enum.StrEnum):
    """Whether what is on by default is on."""

    ON = "on"
    OFF = "off"


class Origin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Recordings that lie beside the change's commits: in git notes under a ref, or on Entire's checkpoint branch."""

    notes: str | None = None
    entire: str | msgspec.UnsetType | None = msgspec.UNSET

    @property
    def ref(self) -> str:
        """The whole name of the notes' ref; empty for checkpoints."""
        name = self.notes or ""
        return name if not name or name.startswith("refs/") else f"refs/notes/{name.removeprefix('notes/')}"

    @property
    def branch(self) -> str:
        """The name of the checkpoint branch; Entire's own where none is named."""
        return (self.entire or CHECKPOINTS).removeprefix("refs/heads/")


class Commands(enum.StrEnum):
    """What becomes of recorded commands where the edits alone do not explain a change."""

    REPEAT = "repeat"
    OFF = "off"


class Replaying(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a recording is replayed to explain a change."""

    commands: Commands = Commands.OFF


class Finished(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finished folder of the head that is judged in the place of the head itself."""

    dir: str


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `tasks`: a document to read (`task`), or the task itself (`id`)."""

    task: str | None = None
    id: str | None = None
    trajectory: str | Origin | None = None
    scope: list[str] | None = None
    state: State | Finished | None = None
    explained: Switch = Switch.ON
    replay: Replaying = Replaying()
    name: str | None = None
    description: str | None = None
    prompt: str | None = None
    tags: list[str] | None = None
    workspace: dict[str, Any] | None = None
    oracles: list[dict[str, Any]] | None = None


class Root(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The manifest as a whole."""

    version: int
    tasks: list[Any]
    policy: Policy = Policy()
    defaults: Defaults = Defaults()
    allow: list[Allow] = []
    plugins: list[str] = []


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A manifest, read and checked. `entries` stand in the order of the file; `path` is relative to the checkout."""

    path: str
    document: Document
    entries: tuple[Entry, ...]
    policy: Policy = Policy()
    defaults: Defaults = Defaults()
    allow: tuple[Allow, ...] = ()
    plugins: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of the manifest, relative to the checkout; "" at the top."""
        return self.path.rpartition("/")[0]

    def line(self, path: Path) -> int | None:
        """The line of a value, for annotations."""
        return self.document.line(path)


INLINE = ("name", "description", "prompt", "tags", "workspace", "oracles")
"""What a task says of itself: in its document, or beside `id`."""

LATER = {
    "golden": "golden input",
    "controls": "controls",
    "spec": "eval specs",
    "bundle": "bundles",
    "require_golden": "required golden input",
    "isolation": "isolation levels",
}
"""Keys of the design that this version does not act on: refused by name, so that nobody relies on them."""


def read(data: bytes, path: str) -> Manifest:
    """Decode a manifest; ManifestError names every fault that was found, each with its line and dotted path."""
    faults: list[DocumentError] = []
    try:
        document = parse(data)
        root = _root(document)
    except DocumentError as error:
        raise _mistake(path, [error]) from None
    entries = []
    for number, value in enumerate(root.tasks):
        try:
            entries.append(_entry(document, value, ("tasks", number)))
        except DocumentError as error:
            faults.append(error)
    faults += (*_twice(entries, document), *_dates(root.allow, document), *_nobody(root.policy, document))
    if faults:
        raise _mistake(path, faults)
    return Manifest(
        path=path,
        document=document,
        entries=tuple(entries),
        policy=root.policy,
        defaults=root.defaults,
        allow=tuple(root.allow),
        plugins=tuple(root.plugins),
    )


def _mistake(path: str, faults: list[DocumentError]) -> ManifestError:
    lines = [f"{path}:{fault.line}: {fault.message}" if fault.line else f"{path}: {fault.message}" for fault in faults]
    return ManifestError("\n".join(lines), kind=faults[0].kind)


def _fault(document: Document, at: Path, reason: str, *, kind: str = "type") -> DocumentError:
    return DocumentError(f"`{dotted(at)}`: {reason}", line=document.line(at), kind=kind)


def _root(document: Document) -> Root:
    value = document.value
    if value is None:
        raise DocumentError("the manifest is empty; expected `version: 1` and `tasks:`", kind="no_manifest")
    if not isinstance(value, dict):
        raise DocumentError(f"expected a mapping with `version` and `tasks`, found {shown(value)}", line=1, kind="type")
    version = value.get("version")
    if version != 1 or isinstance(version, bool):
        found = shown(version) if "version" in value else "none"
        raise _fault(document, ("version",), f"expected 1, the one this gate reads, found {found}")
    _refuse_later(document, value, ())
    _refuse_later(document, value.get("policy"), ("policy",))
    root = shaped(document, Root, value)
    if not root.tasks:
        raise _fault(document, ("tasks",), "there is no task in the list", kind="no_tasks")
    return root


def _refuse_later(document: Document, value: Any, at: Path) -> None:
    for key in value if isinstance(value, dict) else ():
        if key in LATER:
            reason = f"this version does not act on {LATER[key]}; take the key out"
            raise _fault(document, (*at, key), reason, kind="unknown_key")


def _entry(document: Document, value: Any, at: Path) -> Entry:
    _refuse_later(document, value, at)
    if isinstance(value, dict):
        for number, oracle in enumerate(value.get("oracles") or ()):
            _refuse_control(document, oracle, (*at, "oracles", number))
    entry = shaped(document, Entry, value, at=at)
    if (entry.task is None) == (entry.id is None):
        found = "both" if entry.task is not None else "neither"
        reason = f"expected exactly one of `task` (a document) and `id` (the task itself), found {found}"
        raise _fault(document, at, reason)
    if entry.task is not None:
        for key in INLINE:
            if getattr(entry, key) is not None:
                reason = f"belongs into the task document {entry.task}, not beside it"
                raise _fault(document, (*at, key), reason, kind="unknown_key")
    elif not entry.oracles:
        raise _fault(document, at, "`oracles` is missing or empty", kind="missing_key")
    origin = entry.trajectory
    if isinstance(origin, Origin) and bool(origin.notes) == (origin.entire is not msgspec.UNSET):
        reason = f"expected exactly one of `notes` (a ref) and `entire` (a branch), found {shown(value['trajectory'])}"
        raise _fault(document, (*at, "trajectory"), reason)
    if entry.scope == []:
        reason = "an empty list would never be in scope; leave the key out for every change"
        raise _fault(document, (*at, "scope"), reason)
    return entry


def _refuse_control(document: Document, oracle: Any, at: Path) -> None:
    if isinstance(oracle, dict) and "control" in oracle:
        reason = "this version does not act on controls; take the key out"
        raise _fault(document, (*at, "control"), reason, kind="unknown_key")


def _twice(entries: list[Entry], document: Document) -> Iterator[DocumentError]:
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        if entry.id is not None and entry.id in seen:
            yield _fault(document, ("tasks", number, "id"), f"a task {entry.id!r} stands above", kind="duplicate")
        seen.add(entry.id or "")


def _dates(allow: list[Allow], document: Document) -> Iterator[DocumentError]:
    from datetime import date  # only waivers need it

    for number, waiver in enumerate(allow):
        try:
            if waiver.until is not None:
                date.fromisoformat(waiver.until)
        except ValueError:
            reason = f"expected a day such as 2027-01-31, found {shown(waiver.until)}"
            yield _fault(document, ("allow", number, "until"), reason)


def _nobody(policy: Policy, document: Document) -> Iterator[DocumentError]:
    whose = policy.require_recording
    if isinstance(whose, Whose) and not (whose.everything and all(map(str.strip, whose.everything))):
        found = "an empty pattern" if whose.everything else "nobody in it"
        reason = f"expected `all`, or a mapping with `authors`, `trailers` or `labels`, found {found}"
        yield _fault(document, ("policy", "require_recording"), reason)


def workspace(document: Document, value: Any, at: Path) -> Inline | Folder | Revision:
    """A start workspace: exactly one of `files`, `dir` and `git`; the repository at the base where nothing is said."""
    if value is None:
        return Revision("base")
    kinds: dict[str, type[Inline | Folder | Revision]] = {"files": Inline, "dir": Folder, "git": Revision}
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in kinds:
        unknown = [str(key) for key in value if key not in kinds] if isinstance(value, dict) else []
        hint = nearest_name(unknown[0], list(kinds)) if unknown else ""
        raise _fault(document, at, f"expected exactly one of `files`, `dir` and `git`, found {shown(value)}{hint}")
    return shaped(document, kinds[next(iter(value))], value, at=at)
