"""`manifest.json` of a bundle: the hash of every file, written before any agent starts."""

import functools
from collections.abc import Container, Mapping
from typing import Any

import msgspec

from gate.bundles.reading import fault
from gate.digest import digests
from gate.document import DocumentError, parse
from gate.errors import BundleError, PathRefused, SourceError
from gate.path import confined, printable
from gate.shape import shaped, shown
from gate.tree import Tree

SCHEMA = "oracle-bundle/v1"
MANIFEST = "manifest.json"
PIN = "env_pin.json"
UNHASHED = (MANIFEST, PIN)
"""The two files at the bundle's root that no manifest lists; those of the same name further down are hashed."""

_FORM = "oracle-bundle/"
_SHORT, _SHALLOW = 1000, 40  # shorter paths are too long for no system
_LATEST = 10**15  # what SOURCE_DATE_EPOCH may say at most
_DIGITS = frozenset("0123456789abcdef")


class Hashed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file, relative to the bundle's root."""

    path: str
    sha256: str


class Seal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What a bundle held when it was pinned. `created_unix` is in seconds."""

    schema: str
    created_unix: int
    file_count: int
    files: list[Hashed]

    @functools.cached_property
    def digests(self) -> dict[str, str]:
        """The hash of each file, by path."""
        return {file.path: file.sha256 for file in self.files}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder and a seal do not agree on; paths sorted."""

    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.added or self.changed)

    @property
    def lines(self) -> list[str]:
        """Each file with what became of it."""
        named = (("missing", self.missing), ("added", self.added), ("changed", self.changed))
        return [f"{word:7} {printable(path)}" for word, paths in named for path in paths]

    @property
    def counts(self) -> str:
        """How many of each, in words."""
        named = ((self.missing, "missing"), (self.added, "added"), (self.changed, "changed"))
        return ", ".join(f"{len(paths)} {word}" for paths, word in named if paths)


def hashed(tree: Tree, label: str, *, known: Container[str] = ()) -> dict[str, str]:
    """The hash of every file that a manifest of this folder lists; names that are `known` have been checked.

    BundleError for links, for names that not every system has, and for another bundle further down.
    """
    try:
        found = digests(tree)
    except SourceError as error:
        raise BundleError(f"{label}: {error.message}", kind=error.kind) from None
    for name in UNHASHED:
        found.pop(name, None)
    for path in found:
        if path not in known:
            _check_path(path, label)
        if path.rpartition("/")[2] == MANIFEST:
            _refuse_inner(tree, path, label)
    return found


def seal(files: Mapping[str, str], *, created: int) -> Seal:
    """The seal of these files: the same for the same files and time, whatever the machine."""
    return Seal(
        schema=SCHEMA,
        created_unix=created,
        file_count=len(files),
        files=[Hashed(path=path, sha256=files[path]) for path in sorted(files)],
    )


def render(seal: Seal) -> bytes:
    """The seal as the bytes of a manifest."""
    return msgspec.json.format(msgspec.json.encode(seal), indent=2) + b"\n"


def read(data: bytes, label: str) -> Seal:
    """A manifest, checked. BundleError names the place, what was expected and what was found."""
    try:
        found = msgspec.json.decode(data, type=Seal)
        written = render(found) == data
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        written = False
    if not written or found.schema != SCHEMA:  # not as this version writes it: read it by the rules for people
        found = _strictly(data, label)
    if not 0 <= found.created_unix < _LATEST:
        raise _broken(label, f"`created_unix`: expected a time in seconds, found {found.created_unix}")
    for file in found.files:
        _check_path(file.path, label)
        if len(file.sha256) != 64 or not _DIGITS.issuperset(file.sha256):
            raise _broken(label, f"`sha256` of {file.path}: expected 64 hexadecimal digits, found {file.sha256[:80]!r}")
        if file.path in UNHASHED:
            raise _broken(label, f"it lists {file.path}, which no manifest of a bundle hashes")
    if len(found.digests) != len(found.files):
        paths = [file.path for file in found.files]
        raise _broken(label, f"it lists {next(path for path in paths if paths.count(path) > 1)} twice")
    if found.file_count != len(found.files):
        raise _broken(label, f"`file_count` is {found.file_count}, and {len(found.files)} files are listed")
    return found


def difference(seal: Seal, found: Mapping[str, str]) -> Difference:
    """What the files found and those of the seal do not agree on."""
    listed = seal.digests
    return Difference(
        missing=tuple(sorted(listed.keys() - found.keys())),
        added=tuple(sorted(found.keys() - listed.keys())),
        changed=tuple(sorted(path for path in listed.keys() & found.keys() if listed[path] != found[path])),
    )


def _strictly(data: bytes, label: str) -> Seal:
    try:
        document = parse(data)
        _check_schema(document.value, label)
        return shaped(document, Seal, document.value)
    except DocumentError as error:
        raise fault(error, f"{label}/{MANIFEST}") from None


def _check_schema(value: Any, label: str) -> None:
    if not isinstance(value, dict) or "schema" not in value:
        raise _broken(label, f"expected a mapping with `schema: {SCHEMA}`, found {shown(value)}", kind="type")
    schema = value["schema"]
    if schema == SCHEMA:
        return
    version = schema.removeprefix(f"{_FORM}v") if isinstance(schema, str) and schema.startswith(f"{_FORM}v") else ""
    newer = "; it is from a newer version, so update the gate" if version.isdecimal() and version.isascii() else ""
    raise _broken(label, f"`schema`: expected {SCHEMA!r}, found {shown(schema)}{newer}", kind="schema")


def _check_path(path: str, label: str) -> None:
    parts = path.split("/")
    if len(path) < _SHORT and len(parts) < _SHALLOW and all(map(_is_plain, parts)):
        return
    try:
        if confined(path) != path:
            raise PathRefused(f"{path!r} is not a path in normal form", kind="path_not_normal")
        path.encode()
    except UnicodeEncodeError:
        raise BundleError(f"{label}: the name {path!r} is not UTF-8", kind="path_encoding") from None
    except PathRefused as error:
        reason = error.message.replace("the workspace", "the bundle")
        raise BundleError(f"{label}: a bundle cannot hold this file: {reason}", kind=error.kind) from None


@functools.lru_cache(maxsize=1 << 16)
def _is_plain(name: str) -> bool:
    """Whether every system takes this name as it is; the same few stand in thousands of paths."""
    try:
        return bool(name.encode()) and confined(name) == name
    except (PathRefused, UnicodeEncodeError):
        return False


def _refuse_inner(tree: Tree, path: str, label: str) -> None:
    """BundleError for a manifest further down that seals a bundle of its own: whose would its tasks be."""
    data = tree.read_at_most(path, 64 * 1024 * 1024)
    if data is None or _FORM.encode() not in data:
        return
    try:
        value = parse(data).value
    except DocumentError:
        return
    if isinstance(value, dict) and str(value.get("schema")).startswith(_FORM):
        raise BundleError(
            f"{label}: {path} is the manifest of another bundle; a bundle holds none, so keep them side by side",
            kind="bundle_in_bundle",
        )


def _broken(label: str, reason: str, *, kind: str = "manifest") -> BundleError:
    return BundleError(f"{label}/{MANIFEST}: {reason}", kind=kind)
