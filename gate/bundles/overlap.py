"""`scan.json` of a bundle: how much of each prompt was found in a corpus, by n-grams of words."""

from collections.abc import Iterator

import msgspec

from gate import escape
from gate.bundles import reading
from gate.errors import BundleError

NAME = "scan.json"
SCHEMA = "oracle-bundle-scan/v1"


class Overlap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was found of one task.

    `prompt` and `golden` are the parts (0 to 1) of their n-grams that stand in the corpus, None where there is nothing
    to compare. The hashes are those of the texts that were looked for. `seen_in` are the first places.
    """

    id: str
    prompt: float | None
    prompt_sha256: str
    golden: float | None = None
    golden_sha256: str | None = None
    seen_in: tuple[str, ...] = ()

    @property
    def most(self) -> float:
        """The larger of the two parts."""
        return max(self.prompt or 0.0, self.golden or 0.0)

    @property
    def words(self) -> str:
        """The task with both parts, and where they were found."""
        golden = "" if self.golden is None else f", golden input {self.golden:.2%}"
        where = f" ({', '.join(self.seen_in)})" if self.seen_in else ""
        prompt = "nothing to compare" if self.prompt is None else f"{self.prompt:.2%}"
        return f"{self.id}: prompt {prompt}{golden}{where}"


class Corpus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was searched: `texts` are files, or the texts in lines of JSON.

    `skipped` files were not, and `left_out` are the first of them with the reason. `broken_lines` hold no JSON and were
    searched as they stand; `broken` are the first of those.
    """

    name: str
    texts: int
    bytes: int
    skipped: int = 0
    left_out: tuple[str, ...] = ()
    broken_lines: int = 0
    broken: tuple[str, ...] = ()

    @property
    def lines(self) -> Iterator[str]:
        """What a person is told of it, a line for each thing that was left out or broken, as far as they are named."""
        noun = "text" if self.texts == 1 else "texts"
        yield f"searched {self.name}: {self.texts} {noun}, {self.bytes} bytes"
        for word, count, first in (
            ("left out", self.skipped, self.left_out),
            ("broken  ", self.broken_lines, self.broken),
        ):
            yield from (f"{word} {named}" for named in first)
            if count > len(first):
                yield f"{word} … and {count - len(first)} more"
        yield from (f"note     {gap}" for gap in self.gaps)

    @property
    def gaps(self) -> Iterator[str]:
        """What of it was not searched, or not as what it is said to be, each in words."""
        if not self.texts:
            yield f"nothing of the corpus {self.name} could be searched"
        elif self.skipped:
            verb = "file of the corpus {} was" if self.skipped == 1 else "files of the corpus {} were"
            yield f"{self.skipped} {verb.format(self.name)} not searched"
        if self.broken_lines:
            noun = "line of the corpus {} is" if self.broken_lines == 1 else "lines of the corpus {} are"
            yield f"{self.broken_lines} {noun.format(self.name)} no JSON, and searched as text"


class Scan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One scan of all tasks, with the constants that it used."""

    schema: str
    ngram_width: int
    overlap_threshold: float
    corpora: tuple[Corpus, ...]
    tasks: tuple[Overlap, ...]

    @property
    def flagged(self) -> tuple[Overlap, ...]:
        """The tasks of which too much was found."""
        return tuple(task for task in self.tasks if task.most >= self.overlap_threshold)


def read(data: bytes, label: str) -> Scan:
    """A scan's result, checked. BundleError says what is wrong with it."""
    where = f"{label}/{NAME}"
    scan = reading.read(data, Scan, where)
    if scan.schema != SCHEMA:
        raise BundleError(f"{where}: `schema`: expected {SCHEMA!r}, found {scan.schema!r}", kind="schema")
    return scan


def render(scan: Scan) -> bytes:
    """The result as a file."""
    return escape.json_text(scan).encode() + b"\n"


def sentences(scan: Scan, hashes: dict[str, str], *, width: int, threshold: float) -> Iterator[tuple[str, str]]:
    """What is to be said of each task, by its id: flagged, or not looked for as it is now.

    `hashes` are those of the bundle's files; `width` and `threshold` are the bundle's own.
    """
    known = {task.id: task for task in scan.tasks}
    for path, found in hashes.items():
        folder, _, name = path.partition("/")
        task, _, rest = name.partition("/")
        if folder != "tasks" or rest != "prompt.md":
            continue
        overlap = known.get(task)
        golden = hashes.get(f"tasks/{task}/golden.patch")
        if overlap is None or (overlap.prompt_sha256, overlap.golden_sha256) != (found, golden):
            yield task, f"{NAME} does not know this prompt as it is: run `gate bundle scan` again"
        elif scan.ngram_width != width:
            yield task, f"{NAME} was made with n-grams of {scan.ngram_width} words, and the bundle says {width}"
        elif overlap.most >= threshold:
            where = f" ({', '.join(overlap.seen_in)})" if overlap.seen_in else ""
            yield (
                task,
                f"contamination: {overlap.most:.2%} of its n-grams of {width} words stand in a corpus{where}; "
                f"from {threshold:.2%} on a task is flagged",
            )
