"""`metrics.json` of a bundle: what is measured, within which budget, and when a prompt counts as known."""

from collections.abc import Mapping

import msgspec

from gate.bundles import reading
from gate.errors import BundleError
from gate.oracle import Seconds

NAME = "metrics.json"
UNITS = ("wall_clock_seconds", "tokens")
"""What a recording tells of what an agent used, to be compared with the budget."""

MEASURED = ("pass", "failed_checks", "wall_clock_seconds")
"""What every report of a bundle holds of each task."""


class Metrics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is frozen with the tasks.

    `ngram_width` is in words, `overlap_threshold` a part of the prompt's n-grams (0 to 1). `budget` is what an agent
    may use for one task, by unit (`wall_clock_seconds`, `tokens`, …). `tests_timeout` is the limit of one `tests.py`
    in seconds. `tools` are programs that the oracles call: the environment pin holds their versions.
    """

    metrics: tuple[str, ...] = MEASURED
    ngram_width: int = 12
    overlap_threshold: float = 0.05
    budget: Mapping[str, float] = {}
    tests_timeout: Seconds = Seconds(30)
    tools: tuple[str, ...] = ()


def read(data: bytes, label: str) -> Metrics:
    """The metrics, checked. BundleError says what is wrong with them."""
    where = f"{label}/{NAME}"
    found = reading.read(data, Metrics, where)
    if not 1 <= found.ngram_width <= 100:
        raise _broken(where, f"`ngram_width`: expected 1 to 100 words, found {found.ngram_width}")
    if not 0 < found.overlap_threshold <= 1:
        raise _broken(
            where, f"`overlap_threshold`: expected more than 0 and at most 1, found {found.overlap_threshold}"
        )
    for unit, amount in found.budget.items():
        if not unit.strip():
            raise _broken(where, f"`budget`: expected the name of a unit, found {unit!r}")
        if amount <= 0:
            raise _broken(where, f"`budget.{unit}`: expected a number above 0, found {amount:g}")
    unknown = [name for name in found.metrics if name not in MEASURED]
    if unknown:
        raise _broken(where, f"`metrics`: {unknown[0]!r} is not measured; expected some of {', '.join(MEASURED)}")
    for name in found.tools:
        if not is_program(name):
            raise _broken(where, f"`tools`: expected names of programs, found {name!r}")
    return found


def is_program(name: str) -> bool:
    """Whether this names a program on the path, and neither a file nor an option."""
    return bool(name) and name[0].isalnum() and all(letter.isalnum() or letter in "._+-" for letter in name)


def _broken(where: str, reason: str) -> BundleError:
    return BundleError(f"{where}: {reason}", kind="metrics")
