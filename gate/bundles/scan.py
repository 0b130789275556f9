"""Looks for the prompts and golden input of a bundle in local corpora, by n-grams of words, in bounded memory.

Words are what white space separates, in lower case. Of each text every n-gram is looked for; of a prompt shorter than
that the whole.
"""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from gate.bundles.contents import tasks
from gate.bundles.metrics import Metrics
from gate.bundles.needles import Needle, Search
from gate.bundles.overlap import SCHEMA, Corpus, Overlap, Scan
from gate.bundles.seal import hashed
from gate.digest import sha256
from gate.errors import UsageError
from gate.source import DiskTree, open_stream
from gate.tree import EXECUTABLE, REGULAR, Tree

_PART = 1 << 20
_LONGEST_LINE = 64 << 20
_LINES = (".jsonl", ".ndjson")


def scan(tree: Tree, label: str, corpora: Iterable[str], *, measures: Metrics, folder: Path) -> Scan:
    """What of a bundle's texts stands in the corpora: files, folders, and the texts in lines of JSON.

    `folder` is where relative names of corpora start. BundleError where the folder is no bundle, UsageError where a
    corpus is not there.
    """
    names = tasks(hashed(tree, label), label)
    drafts = [_draft(tree, name) for name in names]
    needles = [needle for _, some in drafts for needle in some]
    search = Search(needles, measures.ngram_width)
    searched = tuple(_searched(search, name, folder / name) for name in corpora)
    return Scan(
        schema=SCHEMA,
        ngram_width=measures.ngram_width,
        overlap_threshold=measures.overlap_threshold,
        corpora=searched,
        tasks=tuple(_with_parts(overlap, some, search) for overlap, some in drafts),
    )


def _draft(tree: Tree, name: str) -> tuple[Overlap, list[Needle]]:
    place = f"tasks/{name}"
    prompt = tree.read(f"{place}/prompt.md") if f"{place}/prompt.md" in tree else b""
    golden = tree.read(f"{place}/golden.patch") if f"{place}/golden.patch" in tree else None
    needles = [Needle(task=name, part="prompt", text=prompt.decode("utf-8", "replace"))]
    if golden is not None:
        needles.append(Needle(task=name, part="golden", text=_added(golden.decode("utf-8", "replace"))))
    overlap = Overlap(
        id=name,
        prompt=None,
        prompt_sha256=sha256(prompt),
        golden_sha256=None if golden is None else sha256(golden),
    )
    return overlap, needles


def _added(patch: str) -> str:
    """The lines that a patch adds, as they stand in a solved workspace."""
    lines = patch.splitlines()
    return "\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++ "))


def _with_parts(overlap: Overlap, needles: list[Needle], search: Search) -> Overlap:
    parts = {needle.part: search.part(needle) for needle in needles}
    seen = dict.fromkeys(place for needle in needles for place in search.places(needle))
    return msgspec.structs.replace(
        overlap, prompt=parts.get("prompt"), golden=parts.get("golden"), seen_in=tuple(seen)[:3]
    )


def _searched(search: Search, name: str, place: Path) -> Corpus:
    """One corpus, file by file."""
    counts = {"texts": 0, "bytes": 0, "skipped": 0}
    for path, shown in _files(name, place, counts):
        with open_stream(path) as stream:
            first = stream.peek(_PART)[:8192] if hasattr(stream, "peek") else b""
            if b"\0" in first:
                counts["skipped"] += 1
                continue
            by_line = path.name.lower().endswith(_LINES)
            feed = _feed_lines if by_line else _feed_text
            for texts, size in feed(search, stream, shown):
                counts["texts"] += texts
                counts["bytes"] += size
            search.end(shown)
    return Corpus(name=name, texts=counts["texts"], bytes=counts["bytes"], skipped=counts["skipped"])


def _files(name: str, place: Path, counts: dict[str, int]) -> Iterator[tuple[Path, str]]:
    if not place.is_dir():
        if not place.exists():
            raise UsageError(f"{name}: there is no such file or folder to search", kind="not_found")
        yield place, name
        return
    tree = DiskTree(place)
    for path in tree.paths():
        if tree.mode(path) in (REGULAR, EXECUTABLE):
            yield place / path, f"{name.rstrip('/')}/{path}"
        else:
            counts["skipped"] += 1


def _feed_text(search: Search, stream: BinaryIO, place: str) -> Iterator[tuple[int, int]]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    yield 1, 0
    while part := stream.read(_PART):
        search.feed(decoder.decode(part), place)
        yield 0, len(part)


def _feed_lines(search: Search, stream: BinaryIO, place: str) -> Iterator[tuple[int, int]]:
    """Every text in every line; a line that is no JSON, or too long to be decoded whole, is searched as it stands."""
    while line := stream.readline(_LONGEST_LINE):
        try:
            texts = list(_texts(msgspec.json.decode(line)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            texts = [line.decode("utf-8", "replace")]
        for text in texts:
            search.feed(text, place)
            search.boundary()
        yield len(texts), len(line)


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
