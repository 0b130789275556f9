"""The corpora of a scan, read in bounded memory: files, folders, and the texts in lines of JSON.

What is not searched is named with its reason, and a line that is no JSON with its number: what nobody has looked at
proves nothing of the prompts.
"""

import codecs
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from gate.bundles.needles import Search
from gate.bundles.overlap import Corpus
from gate.errors import SourceError, UsageError
from gate.path import fold
from gate.source import open_stream

_PART = 1 << 20
_START = 8192
_LONGEST_LINE = 64 << 20
_LINES = (".jsonl", ".ndjson")
_MOST_NAMED = 20


class _Told:
    """Some things named, the first of them with words."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def note(self, words: str) -> None:
        self.count += 1
        if len(self.first) < _MOST_NAMED:
            self.first.append(words)


def searched(search: Search, name: str, place: Path, *, bundle: Path) -> Corpus:
    """Feed one corpus to a search, file by file, without the bundle's own folder. UsageError where there is none."""
    texts = size = 0
    left_out, broken = _Told(), _Told()
    for path, shown, reason in _files(name, place, os.path.realpath(bundle)):
        if reason:
            left_out.note(f"{shown}: {reason}")
            continue
        try:
            with open_stream(path) as stream:
                if b"\0" in stream.peek(_START)[:_START]:  # type: ignore[attr-defined] # it is a buffered reader
                    left_out.note(f"{shown}: binary")
                    continue
                for more_texts, more_bytes in _fed(search, stream, shown, broken):
                    texts, size = texts + more_texts, size + more_bytes
        except SourceError as error:
            left_out.note(f"{shown}: {_reason(error)}")
        except OSError as error:
            left_out.note(f"{shown}: cannot be read to its end: {error.strerror}")
        search.end(shown)
    return Corpus(
        name=name,
        texts=texts,
        bytes=size,
        skipped=left_out.count,
        left_out=tuple(left_out.first),
        broken_lines=broken.count,
        broken=tuple(broken.first),
    )


def _reason(error: SourceError) -> str:
    """Why a file cannot be opened, without its path, which the caller shows as it was typed."""
    return {"is_link": "a symbolic link", "not_regular": "no regular file"}.get(error.kind, error.message)


def _files(name: str, place: Path, bundle: str) -> Iterator[tuple[Path, str, str]]:
    """Every file with how to call it, and why it is not searched; empty where it is."""
    if not place.is_dir():
        if not place.exists():
            raise UsageError(f"{name}: there is no such file or folder to search", kind="not_found")
        yield place, name, ""
        return
    pending = [(place, name.rstrip("/"))]
    while pending:
        folder, called = pending.pop()
        if os.path.realpath(folder) == bundle:
            yield folder, called, "the bundle itself"
            continue
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield folder, called, f"cannot be read: {error.strerror}"
            continue
        below = []
        for entry in found:
            path, shown = folder / entry.name, f"{called}/{entry.name}"
            if fold(entry.name) == ".git":
                yield path, shown, "git's own"
            elif entry.is_dir(follow_symlinks=False):
                below.append((path, shown))
            elif entry.is_file(follow_symlinks=False):
                yield path, shown, ""
            else:
                yield path, shown, "a symbolic link" if entry.is_symlink() else "no regular file"
        pending += reversed(below)


def _fed(search: Search, stream: BinaryIO, place: str, broken: _Told) -> Iterator[tuple[int, int]]:
    """How many texts and bytes were fed, piece by piece."""
    if place.lower().endswith(_LINES):
        yield from _fed_lines(search, stream, place, broken)
        return
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = 1
    while part := stream.read(_PART):
        search.feed(decoder.decode(part), place)
        yield texts, len(part)
        texts = 0


def _fed_lines(search: Search, stream: BinaryIO, place: str, broken: _Told) -> Iterator[tuple[int, int]]:
    """Every text in every line; a line that is no JSON, or too long to be decoded whole, is searched as it stands."""
    number, whole = 0, True
    while line := stream.readline(_LONGEST_LINE):
        number += whole
        begins, whole = whole, line.endswith(b"\n") or len(line) < _LONGEST_LINE
        texts: list[str] = []
        if begins and whole and not line.strip():
            reason = ""
        elif begins and whole:
            texts, reason = _decoded(line)
        else:
            texts, reason = [line.decode("utf-8", "replace")], f"longer than {_LONGEST_LINE} bytes" if begins else ""
        if reason:
            broken.note(f"{place}:{number}: {reason}")
        for text in texts:
            search.feed(text, place)
            if whole:
                search.boundary()
        yield len(texts), len(line)


def _decoded(line: bytes) -> tuple[list[str], str]:
    """The texts of a line, and what is wrong with it."""
    try:
        return list(_texts(msgspec.json.decode(line))), ""
    except (msgspec.DecodeError, UnicodeDecodeError):
        return [line.decode("utf-8", "replace")], "no JSON"
    except RecursionError:
        return [line.decode("utf-8", "replace")], "JSON that is nested too deeply"


def _texts(value: object) -> Iterator[str]:
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            pending.extend(reversed(one))
        elif isinstance(one, dict):
            pending.extend(reversed(one.values()))
