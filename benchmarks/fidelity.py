"""What the recordings of commits explain of them: a table, file by file.

    python benchmarks/fidelity.py FOLDER [--all] [--repeat]
    python benchmarks/fidelity.py FOLDER --outputs

FOLDER holds cases: a recording, `case.json` with the files of the commit, and the files before and after it. Without
`--all` the files whose bytes the edits alone give are left out. `--repeat` repeats recorded commands too, with the
formatters that lie on this machine's PATH. `--outputs` counts instead how many recorded outputs are as replayed, and
lists those that are not.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from gate import recording
from gate.claims.claim import Claims, claims
from gate.errors import RecordingError
from gate.explanation import Explanation, Kind, explain
from gate.repeating.repeat import SECONDS
from gate.replay import replay
from gate.trajectory import Trajectory
from gate.tree import MemoryTree


def tree(folder: Path) -> MemoryTree:
    """The files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return MemoryTree({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})


def cases(folder: Path) -> list[Path]:
    """The folders of the cases, by their names."""
    return sorted(path for path in folder.iterdir() if (path / "case.json").is_file())


def _read(case: Path) -> Trajectory:
    return recording.read((case / "recording.jsonl").read_bytes(), case.name)


def claimed(case: Path) -> Claims:
    """What came of the outputs that the recording of one case claims; RecordingError where it cannot be read."""
    trajectory, start = _read(case), tree(case / "before")
    return claims(trajectory, start, replay(trajectory, start))


def explained(case: Path, *, repeat: bool) -> Explanation:
    """What the recording of one case explains; RecordingError where it cannot be read."""
    trajectory = _read(case)
    paths = sorted(json.loads((case / "case.json").read_text())["files"])
    start, head = tree(case / "before"), tree(case / "after")
    return explain(trajectory, start, head, paths, repeat=SECONDS if repeat else None)


def main(folder: Path, *, every: bool, repeat: bool) -> int:
    """Print the table; 0 always."""
    kinds: Counter[Kind] = Counter()
    commits = whole = 0
    for case in cases(folder):
        try:
            files = explained(case, repeat=repeat).changed
        except RecordingError as error:
            print(f"{case.name}: {error.message}")
            continue
        commits += 1
        whole += all(file.explanation.proof for file in files)
        for file in files:
            kinds[file.explanation] += 1
            if every or file.explanation is not Kind.EXACT:
                print(f"{case.name:32} {file.explanation.value:11} {file.path}  {file.reason}".rstrip())
    print(", ".join(f"{kinds[kind]} {kind.value}" for kind in Kind if kinds[kind]) + f" of {kinds.total()} files")
    print(f"{whole} of {commits} commits proved whole")
    return 0


def outputs(folder: Path) -> int:
    """Print what differs, and the counts; 0 always."""
    agreeing = differing = unknown = 0
    for case in cases(folder):
        found = claimed(case)
        agreeing, differing = agreeing + len(found.agreeing), differing + len(found.contradictions)
        unknown += found.open
        for one in found.contradictions:
            lines = f"line {one.line}: {one.recorded!r}, not {one.replayed!r}"
            print(f"{case.name:32} step {one.step}: {one.what}, {lines}")
    print(f"{agreeing} outputs as replayed, {differing} otherwise, {unknown} not known to the replay")
    return 0


if __name__ == "__main__":
    if "--outputs" in sys.argv[2:]:
        raise SystemExit(outputs(Path(sys.argv[1])))
    raise SystemExit(main(Path(sys.argv[1]), every="--all" in sys.argv[2:], repeat="--repeat" in sys.argv[2:]))
