"""`gate.yaml`: which tasks, recordings and scopes there are, and how strict the gate is."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gate.document import Document, DocumentError, Path, parse, reach
from gate.entry import Entry, read_entry, taken_out
from gate.errors import ManifestError, noted
from gate.policy import Allow, Defaults, JudgeCommand, Policy, Whose
from gate.scope import never
from gate.shape import shaped, shown

NAME = "gate.yaml"
_LOOKED_AT: dict[str, Any] = {"policy": Policy, "allow": list[Allow]}
"""What of a faulty manifest has more to be looked at than its form."""


class Root(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The manifest as a whole."""

    version: int
    tasks: list[Any]
    policy: Policy = Policy()
    defaults: Defaults = Defaults()
    allow: list[Allow] = []
    plugins: list[str] = []
    judge: JudgeCommand | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A manifest, read and checked. `entries` stand in the order of the file; `path` is relative to the checkout."""

    path: str
    document: Document
    entries: tuple[Entry, ...]
    policy: Policy = Policy()
    defaults: Defaults = Defaults()
    allow: tuple[Allow, ...] = ()
    plugins: tuple[str, ...] = ()
    judge: JudgeCommand | None = None

    @property
    def folder(self) -> str:
        """The folder of the manifest, relative to the checkout; "" at the top."""
        return self.path.rpartition("/")[0]

    def line(self, path: Path) -> int | None:
        """The line of a value, for annotations."""
        return self.document.line(path)

    def line_of(self, path: Path) -> int | None:
        """The line of a value that is written, None where it is not."""
        return self.document.line(path) if path and reach(self.document.value, path) is not None else None

    def place(self, path: Path) -> str:
        """Where a value stands, for messages."""
        return self.document.place(self.path, path)


def read(data: bytes, path: str) -> Manifest:
    """Decode a manifest; ManifestError names every fault that was found, each with its line and dotted path."""
    try:
        document = parse(data, name=path)
        _check_version(document)
    except DocumentError as error:
        raise _mistake(path, [error]) from None
    faults: list[DocumentError] = []
    root, tasks = _root(document, faults), document.value.get("tasks")
    entries: dict[int, Entry] = {}
    for number, value in enumerate(tasks if isinstance(tasks, list) else ()):
        with noted(faults):
            entries[number] = read_entry(document, value, ("tasks", number))
    faults += (*_twice(entries, document), *_dates(root.allow, document), *_nobody(root.policy, document))
    faults += _paths(root, document)
    if faults:
        raise _mistake(path, faults)
    return Manifest(
        path=path,
        document=document,
        entries=tuple(entries.values()),
        policy=root.policy,
        defaults=root.defaults,
        allow=tuple(root.allow),
        plugins=tuple(root.plugins),
        judge=root.judge,
    )


def _mistake(path: str, faults: list[DocumentError]) -> ManifestError:
    return ManifestError("\n".join(one.at(path) for one in faults), kind=faults[0].kind)


def _check_version(document: Document) -> None:
    """DocumentError for what is no manifest that this gate reads."""
    value = document.value
    if value is None:
        raise DocumentError("the manifest is empty; expected `version: 1` and `tasks:`", kind="no_manifest")
    if not isinstance(value, dict):
        raise DocumentError(f"expected a mapping with `version` and `tasks`, found {shown(value)}", line=1, kind="type")
    version = value.get("version")
    if version != 1 or isinstance(version, bool):
        found = shown(version) if "version" in value else "none"
        raise document.fault(("version",), f"expected 1, the one this gate reads, found {found}")


def _root(document: Document, faults: list[DocumentError]) -> Root:
    """The manifest but for its entries; of a faulty one what can be looked at all the same."""
    value = taken_out(document, document.value, (), faults=faults)
    if "policy" in value:
        value = value | {"policy": taken_out(document, value["policy"], ("policy",), faults=faults)}
    try:
        root = shaped(document, Root, value)
        if not root.tasks:
            raise document.fault(("tasks",), "there is no task in the list", kind="no_tasks")
        return root
    except DocumentError as error:
        faults.append(error)
    parts: dict[str, Any] = {}
    for name, kind in _LOOKED_AT.items():
        with noted([]):  # it is a fault of the whole already
            parts[name] = shaped(document, kind, value[name] if name in value else kind(), at=(name,))
    return Root(version=1, tasks=[], **parts)


def _twice(entries: dict[int, Entry], document: Document) -> Iterator[DocumentError]:
    seen: set[str] = set()
    for number, entry in entries.items():
        if entry.id is not None and entry.id in seen:
            yield document.fault(("tasks", number, "id"), f"a task {entry.id!r} stands above", kind="duplicate")
        seen.add(entry.id or "")


def _dates(allow: list[Allow], document: Document) -> Iterator[DocumentError]:
    from datetime import date  # only waivers need it

    for number, waiver in enumerate(allow):
        try:
            if waiver.until is not None:
                date.fromisoformat(waiver.until)
        except ValueError:
            reason = f"expected a day such as 2027-01-31, found {shown(waiver.until)}"
            yield document.fault(("allow", number, "until"), reason)


def _paths(root: Root, document: Document) -> Iterator[DocumentError]:
    """Patterns beside those of tasks that no path could match."""
    waived = [("allow", number, "path") for number, waiver in enumerate(root.allow) if waiver.path is not None]
    protected = [("policy", "protect", number) for number in range(len(root.policy.protect))]
    places: list[Path] = [*waived, *protected]
    for at in places:
        if why := never(reach(document.value, at), alone=at[0] == "allow"):
            yield document.fault(at, why)


def _nobody(policy: Policy, document: Document) -> Iterator[DocumentError]:
    whose = policy.require_recording
    if isinstance(whose, Whose) and not (whose.everything and all(map(str.strip, whose.everything))):
        found = "an empty pattern" if whose.everything else "nobody in it"
        reason = f"expected `all`, or a mapping with `authors`, `trailers` or `labels`, found {found}"
        yield document.fault(("policy", "require_recording"), reason)
