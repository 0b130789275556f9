"""Looks for the prompts and golden input of a bundle in local corpora, by n-grams of words, in bounded memory.

Words are what white space separates, in lower case. Of each text every n-gram is looked for; of a prompt shorter than
that the whole.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from gate.bundles import corpora as corpus
from gate.bundles.contents import tasks
from gate.bundles.metrics import Metrics
from gate.bundles.needles import Needle, Search
from gate.bundles.overlap import SCHEMA, Overlap, Scan
from gate.bundles.seal import hashed
from gate.digest import sha256
from gate.source import DiskTree
from gate.tree import Tree


def scan(tree: DiskTree, label: str, corpora: Iterable[str], *, measures: Metrics, folder: Path) -> Scan:
    """What of a bundle's texts stands in the corpora: files, folders, and the texts in lines of JSON.

    `folder` is where relative names of corpora start. BundleError where the folder is no bundle, UsageError where a
    corpus is not there.
    """
    names = tasks(hashed(tree, label), label)
    drafts = [_draft(tree, name) for name in names]
    needles = [needle for _, some in drafts for needle in some]
    search = Search(needles, measures.ngram_width)
    searched = tuple(corpus.searched(search, name, folder / name, bundle=tree.folder) for name in corpora)
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
