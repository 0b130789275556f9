"""What recordings of 100 MB cost to read, replay and scan: `python benchmarks/recordings.py [--rounds N] [--size MB]`.

The floor is reading the bytes. Each figure is that of a process of its own: its CPU time for the work itself, over the
CPU time of the floor in the same process, and its peak memory above that of the bare start, in which everything is
loaded and nothing is read. The scan is that of `no_network` on the same trajectory, after it has been read; a second
task's scan must cost nothing. Exit code 1 when a figure is above its bound.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import Command, machine, once
from benchmarks.rollouts import Rollout
from benchmarks.sessions import Session, World, write

REPLAY, SCAN, MEMORY = 8, 4, 32
_MODES = ("actions", "text")


class Kind(NamedTuple):
    """A recorded format and what makes sessions of it."""

    name: str
    session: Callable[[World], Session | Rollout]


KINDS = (Kind("Claude Code", Session), Kind("Codex", Rollout))


def main() -> int:
    """Measure each format, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=100, help="of a recording, in MB")
    parser.add_argument("--child", nargs=2, metavar=("FOLDER", "MODE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return child(Path(arguments.child[0]), arguments.child[1])
    print(machine())
    with tempfile.TemporaryDirectory() as temp:
        results = [_figures(kind, Path(temp), arguments) for kind in KINDS]
    return 0 if all(results) else 1


def _figures(kind: Kind, temp: Path, arguments: argparse.Namespace) -> bool:
    """One format's figures; whether all are within their bounds."""
    full, tenth = (prepared(kind, temp, size * 100_000) for size in (arguments.size * 10, arguments.size))
    runs = {mode: [_run(full, mode) for _ in range(arguments.rounds)] for mode in _MODES}
    small = [_run(tenth, _MODES[0]) for _ in range(arguments.rounds)]
    every = [run for mode in _MODES for run in runs[mode]]
    print(f"{kind.name}: {every[0]['edits']} edits in {arguments.size} MB, read in {_ms(every, 'floor'):.0f} ms")
    figures = [
        ("read and replayed", _ratio(every, "replay"), REPLAY, "times the floor"),
        *((f"no_network, mode: {mode}", _ratio(runs[mode], "scan"), SCAN, "times the floor") for mode in _MODES),
        ("the same scan for a second task", _ratio(every, "again"), 0.1, "times the floor"),
        ("peak memory above start", max(run["peak"] for run in every), MEMORY, "MiB"),
        ("peak memory, over that of a tenth", _peak(every) - _peak(small), 8, "MiB"),
    ]
    for name, value, most, unit in figures:
        print(f"  {name:36} {value:6.2f} {unit:16} at most {most:g}: {'yes' if value <= most else 'NO'}")
    return all(value <= most for _, value, most, _ in figures)


def prepared(kind: Kind, temp: Path, size: int) -> Path:
    """A folder with a recording of this size, the files before it, and how many edits it holds."""
    folder = temp / f"{kind.name} {size}"
    folder.mkdir()
    world = World()
    made = write(folder / "recording.jsonl", size, world, kind.session(world).parts())
    for path, data in made.start.items():
        (folder / "start" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "start" / path).write_bytes(data)
    (folder / "edits").write_text(str(made.edits))
    return folder


def _run(folder: Path, mode: str) -> dict[str, Any]:
    command = Command([sys.executable, __file__, "--child", folder, mode], folder, dict(os.environ))
    ended = once(command)
    if ended.code != 0:
        raise SystemExit(f"not the expected verdict:\n{ended.output[-2000:]}")
    found: dict[str, Any] = json.loads(ended.output.splitlines()[-1])
    return found


def _ratio(runs: list[dict[str, Any]], key: str) -> float:
    return float(statistics.median(run[key] / run["floor"] for run in runs))


def _peak(runs: list[dict[str, Any]]) -> float:
    return float(statistics.median(run["peak"] for run in runs))


def _ms(runs: list[dict[str, Any]], key: str) -> float:
    return 1000 * float(statistics.median(run[key] for run in runs))


def child(folder: Path, mode: str) -> int:
    """Do the work once and print what it took; 1 where the edits were not all applied, or the scan found something."""
    from gate import recording  # only the measured process loads the gate
    from gate.oracle import Trial
    from gate.oracles.no_network import Mode, NoNetwork
    from gate.recording import Recording
    from gate.replay import replay
    from gate.report import Evidence, Finding
    from gate.source import open_stream
    from gate.tree import MemoryTree

    path, edits = folder / "recording.jsonl", int((folder / "edits").read_text())
    files = {file.relative_to(folder / "start").as_posix(): file for file in (folder / "start").rglob("*.py")}
    start = MemoryTree({name: file.read_bytes() for name, file in files.items()})
    recording.readers()
    bare, clock = _resident(), [time.process_time()]
    trajectory = recording.read(Recording(partial(open_stream, path), path.name))
    replayed = replay(trajectory, start)
    clock.append(time.process_time())
    trial = Trial(before=start, after=replayed.tree, replayed=True, trajectory=trajectory, replay=replayed)
    oracle = NoNetwork(mode=Mode(mode))
    verdicts: list[Evidence | Finding] = []
    for _ in range(2):
        verdicts += oracle.judge(trial)
        clock.append(time.process_time())
    peak = _resident() - bare
    took = [after - before for before, after in pairwise(clock)]
    right = len(replayed.applied) == edits and not replayed.incomplete
    if not right or not all(isinstance(verdict, Evidence) for verdict in verdicts):
        print(len(replayed.applied), edits, replayed.incomplete[:3], verdicts)
        return 1
    figures = {"replay": took[0], "scan": took[1], "again": took[2], "peak": peak, "edits": edits}
    print(json.dumps(figures | {"floor": _floor(path)}))
    return 0


def _floor(path: Path) -> float:
    begun = time.process_time()
    with path.open("rb") as file:
        file.read()
    return time.process_time() - begun


def _resident() -> float:
    """The most memory that this process has held so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    raise SystemExit(main())
