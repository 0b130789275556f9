"""Golden input as a person writes it: by path or in place; and reading it from the judge's files."""

import posixpath
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gate.errors import RecordingError, SourceError, TaskError
from gate.golden import Golden
from gate.jsontext import decode, shown
from gate.trajectory import Trajectory


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Text of a file, or written in place."""

    path: str | None = None
    inline: str | None = None


class Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document of a file, or written in place: as its text, or as the mapping that it is."""

    path: str | None = None
    inline: str | dict[str, Any] | None = None


class References(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The golden input of a task. A plain text is a path; `command` is a command line."""

    patch: str | Text | None = None
    command: str | None = None
    trajectory: str | Value | None = None
    custom_metrics: str | Value | None = None


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """Golden input as written, and where: `where` is the place in its document, for messages.

    Paths start from `folder`, relative to the checkout. `prefix` stands before each part's name in that document.
    """

    references: References
    folder: str
    where: str
    prefix: str = "golden."


def read(written: Written, files: Callable[[str], bytes]) -> Golden:
    """The golden input itself; `files` reads one of the judge's files, by a path relative to the checkout.

    TaskError says which part cannot be used, and why.
    """
    references = written.references
    reading = _Reading(written, files)
    if all(getattr(references, part) is None for part in References.__struct_fields__):
        known = ", ".join(f"`{part}`" for part in References.__struct_fields__)
        raise reading.wrong("", f"expected at least one of {known}, found none")
    patch, patch_name = reading.bytes_of("patch", references.patch)
    document, trajectory_name = reading.bytes_of("trajectory", references.trajectory)
    metrics, _ = reading.bytes_of("custom_metrics", references.custom_metrics)
    if references.command is not None and not references.command.strip():
        raise reading.wrong("command", "expected a command line, found nothing")
    if patch is not None and not patch.strip():
        raise reading.wrong("patch", "the patch is empty; expected a unified diff")
    return Golden(
        patch=patch,
        patch_name=patch_name,
        command=references.command,
        trajectory=None if document is None else reading.trajectory(document, trajectory_name),
        document=document,
        custom_metrics=None if metrics is None else reading.metrics(metrics),
    )


class _Reading:
    """The parts of one golden input, being read."""

    def __init__(self, written: Written, files: Callable[[str], bytes]) -> None:
        self._written, self._files = written, files

    def wrong(self, part: str, reason: str, *, kind: str = "golden") -> TaskError:
        name = f"{self._written.prefix}{part}".rstrip("._")
        return TaskError(f"{self._written.where}: `{name}`: {reason}", kind=kind)

    def bytes_of(self, part: str, told: str | Text | Value | None) -> tuple[bytes | None, str]:
        """The part's bytes, and the name of where they came from; None where it is not there."""
        if told is None:
            return None, ""
        if isinstance(told, str):
            return self._from(part, told)
        if (told.path is None) == (told.inline is None):
            found = "none" if told.path is None else "both"
            raise self.wrong(part, f"expected exactly one of `path` and `inline`, found {found}")
        if told.path is not None:
            return self._from(part, told.path)
        inline, name = told.inline, f"{self._written.where} ({self._written.prefix}{part})"
        if isinstance(inline, Mapping):
            return msgspec.json.encode(inline), name
        try:
            return str(inline).encode("utf-8", "surrogateescape"), name
        except UnicodeEncodeError:
            raise self.wrong(part, "half of a surrogate pair is no text", kind="json_surrogate") from None

    def _from(self, part: str, path: str) -> tuple[bytes, str]:
        place = posixpath.normpath(posixpath.join(self._written.folder, path))
        try:
            return self._files(place), place
        except SourceError as error:
            raise self.wrong(part, f"the file cannot be read: {error.message}", kind=error.kind) from None

    def trajectory(self, document: bytes, name: str) -> Trajectory:
        """The reference trajectory, by the reader of ATIF alone."""
        from gate import recording  # only golden input with a trajectory needs it

        try:
            found = recording.read(document, name)
        except RecordingError as error:
            raise self.wrong("trajectory", error.message, kind=error.kind) from None
        if found.format != "atif":
            raise self.wrong("trajectory", f"expected a document of ATIF, found a recording of {found.format}")
        return found

    def metrics(self, data: bytes) -> Mapping[str, Any]:
        """The values of a metrics file; TaskError where it is no JSON object."""
        try:
            value = decode(data, strict=True)
        except RecordingError as error:
            raise self.wrong("custom_metrics", f"the metrics cannot be read: {error.message}", kind="metrics") from None
        if not isinstance(value, dict):
            reason = f"expected a JSON object of metrics, found {shown(value)}"
            raise self.wrong("custom_metrics", reason, kind="metrics")
        found: Mapping[str, Any] = value
        return found
