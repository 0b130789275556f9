"""How much of a commit the recorded edits alone rebuild: a table, file by file.

    python benchmarks/fidelity.py FOLDER [--all]

FOLDER holds cases: a recording, `case.json` with the files of the commit, and the files before and after it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gate import recording
from gate.errors import RecordingError
from gate.replay import Replay, replay
from gate.tree import MemoryTree


class Row(msgspec.Struct, frozen=True):
    """One file of one commit: whether the replay has its bytes, else why not."""

    case: str
    path: str
    exact: bool
    why: str


def tree(folder: Path) -> MemoryTree:
    """The files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return MemoryTree({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})


def rows(case: Path) -> Iterator[Row]:
    """The files of one case; RecordingError where its recording cannot be read."""
    before, after = tree(case / "before"), tree(case / "after")
    found = replay(recording.read((case / "recording.jsonl").read_bytes(), case.name), before)
    for path, change in json.loads((case / "case.json").read_text())["files"].items():
        exact = found.tree.same(path, after)
        yield Row(case.name, path, exact, "" if exact else _why(path, change, found))


def _why(path: str, change: str, found: Replay) -> str:
    parts = (found.applied, found.failed, found.skipped)
    applied, failed, skipped = ([edit for edit in part if path in (edit.path, edit.to)] for part in parts)
    if failed or skipped:
        return (failed + skipped)[0].sentence
    if applied:
        drift = "; something else changed it in between" if any(edit.drift for edit in applied) else ""
        return f"{change}: {len(applied)} recorded edits give other bytes{drift}"
    return f"{change}: no recorded edit names it"


def main(folder: Path, *, every: bool) -> int:
    """Print the table; 0 always."""
    exact = total = whole = cases = 0
    for case in sorted(path for path in folder.iterdir() if (path / "case.json").is_file()):
        cases += 1
        try:
            found = list(rows(case))
        except RecordingError as error:
            print(f"{case.name}: {error.message}")
            continue
        whole += all(row.exact for row in found)
        for row in found:
            exact, total = exact + row.exact, total + 1
            if every or not row.exact:
                print(f"{row.case:32} {'exact' if row.exact else 'not  '} {row.path}  {row.why}".rstrip())
    print(f"{exact} of {total} files exact, {whole} of {cases} commits whole")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), every="--all" in sys.argv[2:]))
