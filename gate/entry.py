"""One entry of a manifest's `tasks`: where its tasks are written, its recordings and its scope."""

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate.document import Document, DocumentError, Path
from gate.errors import noted, together
from gate.golden import Control
from gate.policy import Require
from gate.reference import References
from gate.scope import never, unmatchable
from gate.series import Threshold
from gate.shape import nearest_name, shaped, shown
from gate.task import Folder, Inline, Revision, State

CHECKPOINTS = "entire/checkpoints/v1"
NAME = "{name}"
"""Stands for the task's name in the recordings and the scope of an entry with several tasks."""

LATER = {"isolation": "isolation levels"}
"""Keys of entries and policy that this version does not act on: refused by name, so that nobody relies on them."""


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


class Expected(enum.StrEnum):
    """What the recordings of an entry are known to be."""

    MUST_FAIL = "must_fail"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `tasks`.

    It names one document (`task`), a document or a folder of several tasks (`spec`, `bundle`), or is the task (`id`).
    """

    task: str | None = None
    spec: str | None = None
    bundle: str | None = None
    require: Require | None = None
    id: str | None = None
    trajectory: str | Origin | None = None
    scope: list[str] | None = None
    state: State | Finished | None = None
    explained: Switch = Switch.ON
    replay: Replaying = Replaying()
    golden: References | None = None
    controls: list[Control] | None = None
    control: Expected | None = None
    pass_at: Threshold | None = None
    pass_all: Threshold | None = None
    name: str | None = None
    description: str | None = None
    prompt: str | None = None
    tags: list[str] | None = None
    workspace: dict[str, Any] | None = None
    oracles: list[dict[str, Any]] | None = None

    @property
    def document(self) -> str | None:
        """The document or folder that the tasks are written in; None where the task stands in the manifest."""
        return self.task or self.spec or self.bundle

    def of(self, name: str) -> "Entry":  # noqa: ARG002 - one task, whatever it is called
        """What the entry says of one of its tasks, by that task's name."""
        return self

    def strangers(self, names: Iterable[str]) -> list[tuple[str, str]]:  # noqa: ARG002 - it names no task
        """The keys and names under which the entry speaks of a task that is none of `names`."""
        return []


class Several(Entry, frozen=True, kw_only=True):
    """An entry with several tasks; recordings and scope may be told apart by a task's name."""

    recordings: Mapping[str, str | Origin] = {}
    scopes: Mapping[str, list[str]] = {}

    def of(self, name: str) -> Entry:
        """What the entry says of the task of this name; of none in particular where `name` is empty."""
        literal = re.sub(r"[*?\[\\!]", r"\\\g<0>", name) if name else "*"
        trajectory = self.recordings.get(name, self.trajectory)
        scope = self.scopes.get(name, self.scope)
        return msgspec.structs.replace(
            self,
            trajectory=trajectory.replace(NAME, literal) if isinstance(trajectory, str) else trajectory,
            scope=None if scope is None else [pattern.replace(NAME, literal) for pattern in scope],
        )

    def strangers(self, names: Iterable[str]) -> list[tuple[str, str]]:
        """The keys and names under which the entry speaks of a task that is none of `names`."""
        known = set(names)
        keys = (("trajectory", self.recordings), ("scope", self.scopes))
        return [(key, name) for key, named in keys for name in named if name not in known]


INLINE = ("name", "description", "prompt", "tags", "workspace", "oracles")
"""What a task says of itself: in its document, or beside `id`."""

DOCUMENTS = ("task", "spec", "bundle")
"""The keys that name where tasks are written, instead of `id`."""

SEVERAL = ("spec", "bundle")
"""Those of `DOCUMENTS` that hold several tasks, each with golden input of its own."""


def taken_out(document: Document, value: Any, at: Path, *, faults: list[DocumentError]) -> Any:
    """The value without the keys that this version does not act on, each a fault; so the rest can be looked at, too."""
    if not isinstance(value, dict) or LATER.keys().isdisjoint(value):
        return value
    for key in (key for key in value if key in LATER):
        reason = f"this version does not act on {LATER[key]}; take the key out"
        faults.append(document.fault((*at, key), reason, kind="unknown_key"))
    return {key: told for key, told in value.items() if key not in LATER}


def read_entry(document: Document, value: Any, at: Path) -> Entry:
    """One entry, checked. DocumentError says what is wrong with it."""
    faults: list[DocumentError] = []
    value = taken_out(document, value, at, faults=faults)
    with noted(faults):
        entry = _read(document, value, at)
    if faults:
        raise together(faults)
    return entry


def _read(document: Document, value: Any, at: Path) -> Entry:
    several = isinstance(value, dict) and any(value.get(key) is not None for key in SEVERAL)
    entry = _several(document, value, at) if several else shaped(document, Entry, value, at=at)
    _check_one_of(document, entry, at)
    if isinstance(entry.trajectory, Origin):
        _check_origin(document, entry.trajectory, value["trajectory"], (*at, "trajectory"))
    if wrong := list(_patterns(document, entry, at)):
        raise together(wrong)
    return entry


def _patterns(document: Document, entry: Entry, at: Path) -> Iterator[DocumentError]:
    """What no path could match: the task would pass for ever, since nothing is ever in its scope."""
    scopes = {(*at, "scope"): entry.scope}
    recordings = {(*at, "trajectory"): entry.trajectory}
    if isinstance(entry, Several):
        scopes |= {(*at, "scope", name): scope for name, scope in entry.scopes.items()}
        recordings |= {(*at, "trajectory", name): named for name, named in entry.recordings.items()}
    for place, scope in scopes.items():
        if scope is not None:
            yield from _scope(document, scope, place)
    for place, named in recordings.items():
        if isinstance(named, str) and (why := never(named, alone=True, climbs=True)):
            yield document.fault(place, why)


def _scope(document: Document, scope: list[str], at: Path) -> Iterator[DocumentError]:
    if not scope:
        yield document.fault(at, "an empty list would never be in scope; leave the key out for every change")
        return
    for number, why in unmatchable(scope):
        yield document.fault(at if number is None else (*at, number), why)


def _check_one_of(document: Document, entry: Entry, at: Path) -> None:
    named = [key for key in (*DOCUMENTS, "id") if getattr(entry, key) is not None]
    if len(named) != 1:
        found = " and ".join(f"`{key}`" for key in named) or "none"
        expected = "exactly one of `task`, `spec`, `bundle` (where tasks are written) and `id` (the task itself)"
        raise document.fault(at, f"expected {expected}, found {found}")
    if entry.control is not None and (entry.pass_at is not None or entry.pass_all is not None):
        reason = "recordings that are known to be bad must all be caught; take `pass_at` and `pass_all` out"
        raise document.fault((*at, "control"), reason)
    if entry.require is not None and entry.bundle is None:
        reason = "an environment is required of a `bundle` alone; take the key out"
        raise document.fault((*at, "require"), reason, kind="unknown_key")
    if entry.document is not None:
        here = (*INLINE, "golden") if named[0] in SEVERAL else INLINE
        for key in here:
            if getattr(entry, key) is not None:
                noun = "the task document" if named[0] == "task" else "the tasks of"
                reason = f"belongs into {noun} {entry.document}, not beside it"
                raise document.fault((*at, key), reason, kind="unknown_key")
    elif not entry.oracles:
        raise document.fault(at, "`oracles` is missing or empty", kind="missing_key")


def _check_origin(document: Document, origin: Origin, value: Any, at: Path) -> None:
    if bool(origin.notes) == (origin.entire is not msgspec.UNSET):
        reason = f"expected exactly one of `notes` (a ref) and `entire` (a branch), found {shown(value)}"
        raise document.fault(at, reason)


_RECORDINGS: Any = str | Origin
_SCOPE: Any = list[str]


def _several(document: Document, value: dict[str, Any], at: Path) -> Several:
    """An entry whose `trajectory` and `scope` may be mappings by task name."""
    plain = dict(value)
    recordings = _by_name(document, plain, "trajectory", _RECORDINGS, at=at)
    scopes = _by_name(document, plain, "scope", _SCOPE, at=at)
    for name, origin in recordings.items():
        if isinstance(origin, Origin):
            _check_origin(document, origin, value["trajectory"][name], (*at, "trajectory", name))
    entry = shaped(document, Entry, plain, at=at)
    fields = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    return Several(**fields, recordings=recordings, scopes=scopes)


def _by_name(document: Document, plain: dict[str, Any], key: str, kind: Any, *, at: Path) -> dict[str, Any]:
    """What a key says of each task; it is taken out of `plain` then."""
    named = plain.get(key)
    if not isinstance(named, dict) or (key == "trajectory" and not named.keys().isdisjoint(("notes", "entire"))):
        return {}
    if not named:
        raise document.fault((*at, key), "expected a mapping of task names that is not empty, found one without any")
    del plain[key]
    return {name: shaped(document, kind, told, at=(*at, key, name)) for name, told in named.items()}


def workspace(document: Document, value: Any, at: Path) -> Inline | Folder | Revision:
    """A start workspace: exactly one of `files`, `dir` and `git`; the repository at the base where nothing is said."""
    if value is None:
        return Revision("base")
    kinds: dict[str, type[Inline | Folder | Revision]] = {"files": Inline, "dir": Folder, "git": Revision}
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in kinds:
        unknown = [str(key) for key in value if key not in kinds] if isinstance(value, dict) else []
        hint = nearest_name(unknown[0], list(kinds)) if unknown else ""
        raise document.fault(at, f"expected exactly one of `files`, `dir` and `git`, found {shown(value)}{hint}")
    return shaped(document, kinds[next(iter(value))], value, at=at)
