"""`gate.yaml`: which tasks, recordings and scopes there are, and how strict the gate is."""

import enum
from typing import Any

import msgspec

from gate.document import Document, DocumentError, Path, dotted, parse
from gate.errors import ManifestError
from gate.oracle import Seconds
from gate.report import Severity
from gate.shape import nearest_name, shaped, shown
from gate.task import Folder, Inline, Revision, State

NAME = "gate.yaml"


class Judge(enum.StrEnum):
    """From which side of the change the manifest, tasks and plugins are read."""

    BASE = "base"
    HEAD = "head"


class OnEmpty(enum.StrEnum):
    """What it means that no task is in scope."""

    PASS = "pass"  # noqa: S105 - a word of the manifest
    FAIL = "fail"


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How strict the gate is."""

    judge: Judge = Judge.BASE
    on_empty: OnEmpty = OnEmpty.PASS
    fail_level: Severity = Severity.ERROR
    enforce: bool = True


class Defaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What oracles use where they say nothing."""

    timeout: Seconds | None = None
    python: str | None = None

    @property
    def seconds(self) -> float:
        """The time limit of a command that names none, in seconds; AgentBench's 60 where nothing is said."""
        return 60.0 if self.timeout is None else float(self.timeout)


class Allow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One waiver: findings of `oracle` (at `path`, a pattern) do not count until the day `until` is over."""

    oracle: str
    reason: str
    path: str | None = None
    until: str | None = None


class Switch(enum.StrEnum):
    """Whether what is on by default is on."""

    ON = "on"
    OFF = "off"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `tasks`: a document to read (`task`), or the task itself (`id`)."""

    task: str | None = None
    id: str | None = None
    trajectory: str | None = None
    scope: list[str] | None = None
    state: State | None = None
    explained: Switch = Switch.ON
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
    "require_recording": "required recordings",
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
    faults += _twice(entries, document)
    faults += _dates(root.allow, document)
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


def _root(document: Document) -> Root:
    value = document.value
    if value is None:
        raise DocumentError("the manifest is empty; expected `version: 1` and `tasks:`", kind="no_manifest")
    if not isinstance(value, dict):
        raise DocumentError(f"expected a mapping with `version` and `tasks`, found {shown(value)}", line=1, kind="type")
    version = value.get("version")
    if version != 1 or isinstance(version, bool):
        found = shown(version) if "version" in value else "none"
        raise DocumentError(
            f"`version`: expected 1, the one this gate reads, found {found}",
            line=document.line(("version",)),
            kind="type",
        )
    _refuse_later(document, value, ())
    _refuse_later(document, value.get("policy"), ("policy",))
    root = shaped(document, Root, value)
    if not root.tasks:
        raise DocumentError("`tasks`: there is no task in the list", line=document.line(("tasks",)), kind="no_tasks")
    return root


def _refuse_later(document: Document, value: Any, at: Path) -> None:
    for key in value if isinstance(value, dict) else ():
        if key in LATER:
            raise DocumentError(
                f"`{dotted((*at, key))}`: this version does not act on {LATER[key]}; take the key out",
                line=document.line((*at, key)),
                kind="unknown_key",
            )


def _entry(document: Document, value: Any, at: Path) -> Entry:
    _refuse_later(document, value, at)
    if isinstance(value, dict):
        for number, oracle in enumerate(value.get("oracles") or ()):
            _refuse_control(document, oracle, (*at, "oracles", number))
    entry = shaped(document, Entry, value, at=at)
    line = document.line(at)
    if (entry.task is None) == (entry.id is None):
        found = "both" if entry.task is not None else "neither"
        raise DocumentError(
            f"`{dotted(at)}`: expected exactly one of `task` (a document) and `id` (the task itself), found {found}",
            line=line,
            kind="type",
        )
    if entry.task is not None:
        for key in INLINE:
            if getattr(entry, key) is not None:
                raise DocumentError(
                    f"`{dotted((*at, key))}`: belongs into the task document {entry.task}, not beside it",
                    line=document.line((*at, key)),
                    kind="unknown_key",
                )
    elif not entry.oracles:
        raise DocumentError(f"`{dotted(at)}`: `oracles` is missing or empty", line=line, kind="missing_key")
    if entry.scope == []:
        raise DocumentError(
            f"`{dotted((*at, 'scope'))}`: an empty list would never be in scope; leave the key out for every change",
            line=document.line((*at, "scope")),
            kind="type",
        )
    return entry


def _refuse_control(document: Document, oracle: Any, at: Path) -> None:
    if isinstance(oracle, dict) and "control" in oracle:
        raise DocumentError(
            f"`{dotted((*at, 'control'))}`: this version does not act on controls; take the key out",
            line=document.line((*at, "control")),
            kind="unknown_key",
        )


def _twice(entries: list[Entry], document: Document) -> list[DocumentError]:
    seen: set[str] = set()
    faults = []
    for number, entry in enumerate(entries):
        if entry.id is not None and entry.id in seen:
            at = ("tasks", number, "id")
            faults.append(
                DocumentError(
                    f"`{dotted(at)}`: a task {entry.id!r} stands above", line=document.line(at), kind="duplicate"
                )
            )
        seen.add(entry.id or "")
    return faults


def _dates(allow: list[Allow], document: Document) -> list[DocumentError]:
    from datetime import date  # only waivers need it

    faults = []
    for number, waiver in enumerate(allow):
        at = ("allow", number, "until")
        try:
            if waiver.until is not None:
                date.fromisoformat(waiver.until)
        except ValueError:
            faults.append(
                DocumentError(
                    f"`{dotted(at)}`: expected a day such as 2027-01-31, found {shown(waiver.until)}",
                    line=document.line(at),
                    kind="type",
                )
            )
    return faults


def workspace(document: Document, value: Any, at: Path) -> Inline | Folder | Revision:
    """A start workspace: exactly one of `files`, `dir` and `git`; the repository at the base where nothing is said."""
    if value is None:
        return Revision("base")
    kinds: dict[str, type[Inline | Folder | Revision]] = {"files": Inline, "dir": Folder, "git": Revision}
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in kinds:
        unknown = [str(key) for key in value if key not in kinds] if isinstance(value, dict) else []
        hint = nearest_name(unknown[0], list(kinds)) if unknown else ""
        raise DocumentError(
            f"`{dotted(at)}`: expected exactly one of `files`, `dir` and `git`, found {shown(value)}{hint}",
            line=document.line(at),
            kind="type",
        )
    return shaped(document, kinds[next(iter(value))], value, at=at)
