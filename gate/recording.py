"""What a recording is, how its format is recognised from its content, and how it becomes a trajectory.

A new format is one file in `gate/recordings/` with one public subclass of `Reader`; its name is the file's. Readers
of other packages are found by the entry-point group `gate.recordings`.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, ClassVar

from gate import registry
from gate.errors import GateError, PluginError, RecordingError
from gate.jsontext import decode, shown
from gate.trajectory import Dropped, Trajectory

_FOLDER = "gate.recordings"
_HEAD = 64 * 1024
_MOST_RECORDS = 64
_BOM = b"\xef\xbb\xbf"
_SHOWN = 8


class Recording:
    """One recorded file: its name for messages, and its bytes, as often as they are asked for.

    `data` is the bytes, or a function that opens the file anew: a large recording is never held whole.
    """

    def __init__(self, data: bytes | Callable[[], BinaryIO], path: str = "") -> None:
        self.path = path
        self._open: Callable[[], BinaryIO] = data if callable(data) else lambda: BytesIO(data)
        self._document: Any = None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line with its number, from 1. Lines end at LF only: U+2028 may stand in a JSON string."""
        with self._open() as stream:
            first = stream.readline()
            if first:
                yield 1, first.removeprefix(_BOM)
            yield from enumerate(stream, 2)

    def lines_at(self, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, bytes]]:
        """The lines at rising places (bytes before them, but for a mark), each asked for when the last is done with."""
        with self._open() as stream:
            mark = len(_BOM) if stream.read(len(_BOM)) == _BOM else 0
            here = -1
            for number, place in places:
                if place != here:
                    stream.seek(mark + place)
                line = stream.readline()
                here = place + len(line)
                yield number, line

    def records(
        self, dropped: list[Dropped], *, harmless: Callable[[bytes], bool] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The JSON object of every line with the line's number.

        A line that is none goes to `dropped`, as grave unless `harmless` says that no edit and no result can have
        stood in it. Blank lines are nothing.
        """
        for number, line in self.lines():
            value = self.record(number, line, dropped, harmless=harmless)
            if value is not None:
                yield number, value

    def record(
        self, number: int, line: bytes, dropped: list[Dropped], *, harmless: Callable[[bytes], bool] | None = None
    ) -> dict[str, Any] | None:
        """The JSON object of one line, as `records` does it; None for a line without one."""
        reason = ""
        try:
            value = decode(line)
        except RecordingError as error:
            if not line.strip():
                return None
            end = "" if line.endswith(b"\n") else " breaks off"
            reason = f"line {number}{end}: {error.message}"
        else:
            if type(value) is dict:
                return value
            reason = f"line {number} holds {shown(value)}; expected a JSON object"
        grave = harmless is None or not harmless(line)
        dropped.append(Dropped(line=number, reason=reason, grave=grave))
        return None

    def document(self, *, strict: bool = False) -> Any:
        """The whole file as one JSON value, decoded once. RecordingError where it is none.

        `strict` is as in `decode`.
        """
        if self._document is None or strict:
            with self._open() as stream:
                data = stream.read()
            try:
                self._document = decode(data.removeprefix(_BOM), strict=strict)
            except RecordingError as error:
                raise self.error(error.message, kind=error.kind) from None
        return self._document

    def head(self) -> bytes:
        """The first 64 KiB."""
        with self._open() as stream:
            return stream.read(_HEAD).removeprefix(_BOM)

    def error(self, message: str, *, kind: str) -> RecordingError:
        """An error that names this file."""
        return RecordingError(f"{self.path}: {message}" if self.path else message, kind=kind)


class Sample:
    """The beginning of a recording, decoded as far as a reader asks for it, to recognise a format by."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.head = recording.head()
        self.problem: RecordingError | None = None

    @functools.cached_property
    def text(self) -> str:
        """The first 64 KiB as text; what is not UTF-8 in it is replaced."""
        return self.head.decode("utf-8", "replace")

    @functools.cached_property
    def records(self) -> tuple[dict[str, Any], ...]:
        """The JSON objects on the lines that start within the first 64 KiB, at most 64; none for one document."""
        return self._parts[0]

    @functools.cached_property
    def document(self) -> Any:
        """The JSON value that the whole file is, or None where it is not one value."""
        return self._parts[1]

    @property
    def first(self) -> dict[str, Any]:
        """The first JSON object: of the lines, or the document itself; empty where there is none."""
        if self.records:
            return self.records[0]
        return self.document if isinstance(self.document, dict) else {}

    @functools.cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the records and of the document, and of the first object in each list in them.

        Where the document is a list, of all objects in it.
        """
        found: set[str] = set()
        waiting: list[Any] = [*self.records, self.document]
        while waiting:  # lists may lie in lists, as deep as the decoder allows
            value = waiting.pop()
            if isinstance(value, dict):
                found |= value.keys()
                for part in value.values():
                    first = part if isinstance(part, list) else ()
                    found |= next((one.keys() for one in first if isinstance(one, dict)), set())
            elif isinstance(value, list):
                waiting += value
        return frozenset(found)

    @property
    def is_json(self) -> bool:
        """Whether it begins as JSON does."""
        return self.head.lstrip()[:1] in (b"{", b"[")

    @functools.cached_property
    def _parts(self) -> tuple[tuple[dict[str, Any], ...], Any]:
        if not self.is_json:
            return self._objects(), None
        values = list(self._values(2))
        if values and values[0] is not None:  # a first line that is JSON by itself
            return self._objects(), values[0] if len(values) == 1 else None
        try:
            return (), self._recording.document()
        except RecordingError as error:
            self.problem = error
            return self._objects(), None

    def _values(self, most: int) -> Iterator[Any]:
        """The values of the first lines that are not blank; None for one that is no JSON."""
        seen = count = 0
        for _, line in self._recording.lines():
            if count >= most or (seen >= _HEAD and count > 1):
                return
            seen += len(line)
            if line.strip():
                count += 1
                try:
                    yield decode(line)
                except RecordingError:
                    yield None

    def _objects(self) -> tuple[dict[str, Any], ...]:
        return tuple(value for value in self._values(_MOST_RECORDS) if type(value) is dict)


class Reader(ABC):
    """Reads one recorded format. The docstring of a reader is its manual."""

    name: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not cls.__dict__.get("name"):
            cls.name = cls.__module__.rpartition(".")[2].replace("_", "-")

    @abstractmethod
    def recognises(self, sample: Sample) -> bool:
        """Whether the content is of this format. Exactly one reader may say so; names of files say nothing."""
        raise NotImplementedError

    @abstractmethod
    def read(self, recording: Recording) -> Trajectory:
        """The trajectory: what is broken in it is a dropped line or a lost step. RecordingError if nothing is left."""
        raise NotImplementedError


def readers() -> tuple[Reader, ...]:
    """The readers of this package, by name."""
    return tuple(map(_reader, registry.builtin(_FOLDER)))


@functools.cache
def _reader(name: str) -> Reader:
    kind = registry.defined(registry.load(_FOLDER, name), Reader)  # type: ignore[type-abstract] # it asks for a base, not for an instance
    return kind()


def candidates(sample: Sample) -> tuple[Reader, ...]:
    """The readers of this package that may know the content, by name.

    To import all of them takes longer than to read most recordings.
    """
    names, signs = registry.builtin(_FOLDER), registry.load("gate", "recordings")
    keys, words = signs.KEYS, signs.WORDS
    if sample.is_json:
        names = tuple(name for name in names if name not in keys or not sample.keys.isdisjoint(keys[name]))
    return tuple(_reader(name) for name in names if words.get(name, "") in sample.text)


def _foreign() -> tuple[Reader, ...]:
    found = []
    for name, point in registry.foreign("gate.recordings").items():
        try:
            found.append(point.load()())
        except Exception as error:
            raise PluginError(
                f"the recording reader {name!r} cannot be loaded: {type(error).__name__}: {error}"
            ) from None
    return tuple(found)


def read(data: bytes | Recording, path: str = "") -> Trajectory:
    """The trajectory of a recording whose format is recognised from its content.

    RecordingError where no reader or more than one knows it, or the one that does can make nothing of it.
    """
    recording = data if isinstance(data, Recording) else Recording(data, path)
    reader = recognise(recording)
    try:
        return reader.read(recording)
    except GateError:
        raise
    except Exception as error:  # a shape that nobody has seen must not take the other recordings with it
        raise recording.error(
            f"the reader for {reader.name} broke on it ({type(error).__name__}: {error}); please report this file",
            kind="reader",
        ) from error


def recognise(recording: Recording) -> Reader:
    """The one reader that knows the content; RecordingError where there is none, or more than one."""
    sample = Sample(recording)
    if sample.head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in sample.head[:4]:
        raise recording.error("the text is UTF-16 or UTF-32; recordings are UTF-8, convert it", kind="encoding")
    if not sample.head.strip():
        raise recording.error("the file is empty; expected a recording", kind="format")
    known = candidates(sample)
    found = [reader for reader in known if reader.recognises(sample)]
    if not found:
        known = (*readers(), *_foreign())
        found = [reader for reader in known if reader.recognises(sample)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(reader.name for reader in found or known)
    if found:
        raise recording.error(f"several formats fit, expected one: {names}", kind="format")
    seen = _seen(sample).removeprefix(f"{recording.path}: ")
    kind = sample.problem.kind if sample.problem else "format"
    raise recording.error(f"no reader knows this format: {seen}; known are {names}", kind=kind)


def _seen(sample: Sample) -> str:
    if sample.first:
        keys = ", ".join(repr(key) for key in list(sample.first)[:_SHOWN])
        return f"the first object has the keys {keys}" if sample.records else f"a JSON document with the keys {keys}"
    if sample.document is not None:
        return f"a JSON document that is {shown(sample.document)}"
    return sample.problem.message if sample.problem else f"it begins with {sample.text.strip()[:60]!r}"
