"""CPU time and peak memory of commands, measured in turn with a floor in the same run. No dependency.

Times of this machine say little; ratios of two commands that took turns hold on any. A command whose verdict is not
the expected one has no figure.
"""

import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 15


class Cost(NamedTuple):
    """What one run took: CPU seconds of the child and of all that it waited for, and its peak memory in MiB."""

    cpu: float
    peak: float


class Ended(NamedTuple):
    """One run that is over; `output` is stdout and stderr together."""

    cost: Cost
    code: int
    output: str


class Command(NamedTuple):
    """What to run; `right` looks at its end and says whether it did its work."""

    words: Sequence[str | Path]
    folder: Path
    environ: Mapping[str, str]
    right: Callable[[Ended], bool] = lambda ended: ended.code == 0


class Figure(NamedTuple):
    """Medians over all rounds. `ratio` is CPU time over that of the floor, with its smallest and largest quarter."""

    cpu: float
    floor: float
    ratio: float
    low: float
    high: float
    peak: float


def bare_python() -> str:
    """The interpreter itself: not a shim, which costs more than Python does, and not an environment's link."""
    return os.path.realpath(sys.executable)


def once(command: Command) -> Ended:
    """Run to the end and reap with `wait4`, which alone tells the cost of one child and its own children."""
    child = subprocess.Popen(
        command.words,
        cwd=command.folder,
        env=command.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert child.stdout is not None
    with child.stdout:
        output = child.stdout.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Ended(Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), child.returncode, output)


def compare(subject: Command, floor: Sequence[Command], *, rounds: int = ROUNDS) -> Figure:
    """The subject's cost over the sum of the floor's. Each round runs the floor twice and drops the first: a heavy
    command slows whatever comes after it."""
    costs: list[Cost] = []
    floors: list[float] = []
    once(subject)
    for _ in range(rounds):
        for command in floor:
            _checked(command)
        floors.append(sum(_checked(command).cpu for command in floor))
        costs.append(_checked(subject))
    below = statistics.median(floors)
    ratios = [cost.cpu / below for cost in costs]
    low, _, high = statistics.quantiles(ratios, n=4)
    return Figure(
        cpu=statistics.median(cost.cpu for cost in costs),
        floor=below,
        ratio=statistics.median(ratios),
        low=low,
        high=high,
        peak=statistics.median(cost.peak for cost in costs),
    )


def _checked(command: Command) -> Cost:
    ended = once(command)
    if not command.right(ended):
        raise SystemExit(f"not the expected verdict, exit code {ended.code}:\n{command.words}\n{ended.output[-1000:]}")
    return ended.cost


def show(name: str, figure: Figure, *, most: float) -> bool:
    """Print one line; whether the ratio is within its bound."""
    within = figure.ratio <= most
    print(
        f"{name:40} {figure.cpu * 1000:7.1f} ms  floor {figure.floor * 1000:5.1f} ms  ratio {figure.ratio:5.1f} "
        f"({figure.low:.1f} to {figure.high:.1f})  at most {most:g}: {'yes' if within else 'NO'}  "
        f"peak {figure.peak:.0f} MiB"
    )
    return within


def machine() -> str:
    """The versions that a figure belongs to."""
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"Python {platform.python_version()}, {git}, {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
