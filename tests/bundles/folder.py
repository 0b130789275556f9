"""A bundle on disk for tests: tasks that ask for a file with a sum in it."""

import json
from collections.abc import Mapping
from pathlib import Path

from gate.bundles import environment
from gate.bundles.pinning import pinned
from gate.source import DiskTree

METRICS = {"budget": {"wall_clock_seconds": 600, "tokens": 20000}}
TESTS = """\
import sys
from pathlib import Path

workspace = Path(sys.argv[1])
sys.path.insert(0, str(workspace))
from calc import add

assert add({one}, 2) == {sum}, add({one}, 2)
print("sum is right")
"""


def task(number: int) -> dict[str, str]:
    """The files of one task by path below its folder."""
    return {
        "prompt.md": f"Mend `add` in calc.py: add({number}, 2) is {number + 2}, and write result.txt with that sum.\n",
        "LICENSE.md": "Written for this test; use it as you like.\n",
        "fixtures/calc.py": "def add(one, other):\n    return one - other\n",
        "oracle/expected_files.json": json.dumps(
            {"must_exist": ["calc.py", "result.txt"], "must_not_exist": ["notes.txt"], "max_bytes_per_file": 65536}
        ),
        "oracle/tests.py": TESTS.format(one=number, sum=number + 2),
    }


SOLVED = {"calc.py": "def add(one, other):\n    return one + other\n", "result.txt": "sum\n"}
"""The workspace of each task when it is solved."""


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def bundle(folder: Path, *, tasks: int = 2, pin: bool = True, more: Mapping[str, str | bytes] | None = None) -> Path:
    """A bundle in `folder`, sealed; `more` are further files, or others instead."""
    files: dict[str, str | bytes] = {"metrics.json": json.dumps(METRICS)}
    for number in range(1, tasks + 1):
        files |= {f"tasks/sum-{number:02}/{name}": text for name, text in task(number).items()}
    write(folder, {**files, **(more or {})})
    if pin:
        seal(folder)
    return folder


def seal(folder: Path, created: int = 1_700_000_000) -> None:
    tree = DiskTree(folder)
    pin = environment.here(python=None)
    done = pinned(tree, folder.name, pin=pin, named=created, committed=lambda: None)
    write(folder, {"manifest.json": done.manifest, "env_pin.json": done.pin})
