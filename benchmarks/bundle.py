"""What pinning, verifying and scanning a bundle cost: `python benchmarks/bundle.py [--gate PATH] [--gigabyte]`.

The floor of pin and verify is `sha256sum` over the same 10,000 files, in turn with them in one run: at least 60 % of
its throughput means at most 1/0.6 of its CPU time. `--gigabyte` scans a corpus of that size and shows the peak of
memory. Exit code 1 when a bound is not met.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import Command, compare, machine, once, show
from benchmarks.startup import ENVIRON

FILES = 10_000
MOST = 1 / 0.6
PEAK = 200  # MiB, however large the corpus
_EXPECTED = '{"must_exist": [], "must_not_exist": [], "max_bytes_per_file": 1}'
_WHEN = {"SOURCE_DATE_EPOCH": "1700000000"}


def main() -> int:
    """Measure each and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--gate", type=Path, help="the command to measure", default=Path(sys.executable).parent / "gate"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--gigabyte", action="store_true", help="also scan a corpus of 1 GB")
    arguments = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        size = fill(root / "bench")
        print(f"{FILES} files, {size / 1e6:.1f} MB")
        within = [pin_and_verify(root, arguments.gate, act, arguments.rounds) for act in ("pin", "verify")]
        if arguments.gigabyte:
            within.append(gigabyte(root, arguments.gate))
    return 0 if all(within) else 1


def fill(bench: Path) -> int:
    """A bundle of many small files, as source trees have them: a median of 3 kB; their bytes in all."""
    draw = random.Random(1)
    total = 0
    for task in range(10):
        place = bench / "tasks" / f"task-{task}"
        for number in range(FILES // 10 - 3):
            path = place / "fixtures" / f"{number % 37}" / f"f{number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            data = draw.randbytes(int(draw.lognormvariate(8, 1.3)))
            path.write_bytes(data)
            total += len(data)
        (place / "oracle").mkdir()
        (place / "oracle" / "expected_files.json").write_text(_EXPECTED)
        (place / "oracle" / "tests.py").write_text("")
        (place / "prompt.md").write_text(" ".join(f"word{draw.randrange(5000)}" for _ in range(150)))
    return total


def pin_and_verify(root: Path, gate: Path, act: str, rounds: int) -> bool:
    """Whether an act keeps to its bound against `sha256sum`."""
    environ = {**ENVIRON, **_WHEN}
    subject = Command([gate, "bundle", act, "bench"], root, environ)
    once(Command([gate, "bundle", "pin", "bench"], root, environ))
    hashing = "find bench -type f -print0 | xargs -0 sha256sum >/dev/null"
    floor = Command(["sh", "-c", hashing], root, environ)
    return show(f"bundle {act}, floor sha256sum", compare(subject, [floor], rounds=rounds), most=MOST)


def gigabyte(root: Path, gate: Path) -> bool:
    """Whether the peak of memory is within its bound; the time and the throughput are shown."""
    draw = random.Random(2)
    words = [f"word{number}" for number in range(5000)]
    page = "".join(" ".join(draw.choices(words, k=16)) + "\n" for _ in range(8000))
    size = 0
    with (root / "corpus.txt").open("w") as file:
        while size < 1_000_000_000:
            size += file.write(page)
    done = once(Command([gate, "bundle", "scan", "bench", "corpus.txt"], root, ENVIRON))
    speed = size / 1e6 / done.cost.cpu
    print(
        f"{'bundle scan':40} {size / 1e6:.0f} MB in {done.cost.cpu:.1f} s of CPU time, {speed:.0f} MB/s, "
        f"peak {done.cost.peak:.0f} MiB, at most {PEAK}: {'yes' if done.cost.peak <= PEAK else 'NO'}"
    )
    if done.code:
        raise SystemExit(f"not the expected verdict, exit code {done.code}:\n{done.output}")
    return done.cost.peak <= PEAK


if __name__ == "__main__":
    raise SystemExit(main())
