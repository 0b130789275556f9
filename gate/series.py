"""Several recordings of one task: how many pass, how sure that is, and whether it is enough; or that all are caught."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from gate.report import Evidence, Finding, Outcome, Severity, Verdict
from gate.scoring import ABOUT_THE_RECORDING, as_pass, outweighed
from gate.wilson import interval

NAME = "recordings"
MUST_FAIL = "must_fail"


class Threshold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How likely it must be that of `k` recordings one passes, or all do: at least `least`, above 0 and at most 1."""

    k: Annotated[int, msgspec.Meta(ge=1)]
    least: Annotated[float, msgspec.Meta(gt=0, le=1)]


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """How the recordings of a task came out; `open` are those that were not judged, for whatever reason."""

    passed: int
    failed: int
    open: int

    @property
    def judged(self) -> int:
        """How many passed or failed."""
        return self.passed + self.failed

    @property
    def told(self) -> str:
        """The count with its rate, and the interval in which the true one lies."""
        low, high = interval(self.passed, self.judged)
        rate = 100 * self.passed / self.judged if self.judged else 0.0
        bounds = f"95 % interval {100 * low:.1f} % to {100 * high:.1f} %"
        return f"{self.passed} of {self.judged} recordings pass ({rate:.1f} %, {bounds})"

    def at(self, k: int) -> float:
        """The probability that at least one of `k` of them passes (pass@k, estimated without bias)."""
        return 1 - math.comb(self.failed, k) / math.comb(self.judged, k)

    def all(self, k: int) -> float:
        """The probability that all of `k` of them pass (pass^k)."""
        return math.comb(self.passed, k) / math.comb(self.judged, k)


def count(verdicts: Sequence[Verdict], paths: Sequence[str]) -> Count:
    """How many recordings pass; a verdict that names none of them is one on each."""
    found = [_whole(mine) for mine in _each(verdicts, paths)]
    passed, failed = found.count(Outcome.PASS), found.count(Outcome.FAIL)
    return Count(passed=passed, failed=failed, open=len(paths) - passed - failed)


def _each(verdicts: Sequence[Verdict], paths: Sequence[str]) -> Iterator[list[Verdict]]:
    ends = tuple(f"[{path}]" for path in paths)
    shared = [verdict for verdict in verdicts if len(paths) < 2 or not verdict.name.endswith(ends)]
    for end in ends:
        own = [verdict for verdict in verdicts if len(paths) > 1 and verdict.name.endswith(end)]
        yield [*shared, *own]


def _whole(verdicts: Sequence[Verdict]) -> Outcome:
    """The worst of the verdicts; *skip* where nothing was judged."""
    found = {verdict.outcome for verdict in verdicts if verdict.oracle not in ABOUT_THE_RECORDING}
    return next((one for one in (Outcome.ERROR, Outcome.FAIL, Outcome.PASS) if one in found), Outcome.SKIP)


def settled(
    verdicts: Sequence[Verdict],
    paths: Sequence[str],
    *,
    at: Threshold | None,
    all_of: Threshold | None,
    rated: bool = True,
) -> list[Verdict]:
    """The verdicts of a task whose recordings need not all pass: the failures of those that need not are outweighed.

    Where no recording passes the task fails, whatever the thresholds are; where one could not be judged nothing is
    outweighed. Without `rated` no figure is told, only whether each threshold is met.
    """
    told = _told(count(verdicts, paths), at, all_of, rated=rated)
    if told.outcome is not Outcome.PASS:
        return [*verdicts, told]
    return [
        *(verdict if verdict.oracle in ABOUT_THE_RECORDING else outweighed(verdict, told) for verdict in verdicts),
        told,
    ]


def _told(found: Count, at: Threshold | None, all_of: Threshold | None, *, rated: bool) -> Verdict:
    draft = Verdict(oracle=NAME, name=NAME, outcome=Outcome.PASS)
    replace = msgspec.structs.replace
    named = [("pass@", found.at, at), ("pass^", found.all, all_of)]
    wanted = [(f"{word}{limit.k}", measure, limit) for word, measure, limit in named if limit is not None]
    few = next((limit.k for _, _, limit in wanted if limit.k > found.judged + found.open), None)
    if few is not None:
        reason = f"the thresholds are about {few} recordings, and there are {found.judged + found.open}; add recordings"
        return replace(draft, outcome=Outcome.ERROR, reason=reason, kind=NAME)
    if found.open:
        reason = f"{found.open} of {found.judged + found.open} recordings could not be judged, so there is no count"
        return replace(draft, outcome=Outcome.ERROR, reason=reason, kind=NAME)
    measured = [(name, measure(limit.k), limit.least) for name, measure, limit in wanted]
    met = [value >= least - 1e-9 for _, value, least in measured]
    if rated:
        figures = (f"{name} is {value:.3g}, at least {least:g} expected" for name, value, least in measured)
        message = "; ".join((found.told, *figures))
    else:
        words = (
            f"{name} is {'' if good else 'not '}as expected" for (name, _, _), good in zip(measured, met, strict=True)
        )
        message = f"{'; '.join(words)}; the figures would be a rate of a task of a bundle"
    if found.passed and all(met):
        return replace(draft, evidence=(Evidence(message=message),))
    why = "" if found.passed else "No recording passes, so the task fails whatever the thresholds are: "
    return replace(draft, outcome=Outcome.FAIL, findings=(Finding(message=why + message, kind=NAME),), kind=NAME)


def notice(verdicts: Sequence[Verdict], paths: Sequence[str]) -> Finding | None:
    """How many of several recordings pass; None where there are not several that were judged."""
    found = count(verdicts, paths)
    if found.judged < 2:
        return None
    rest = f"; {found.open} more could not be judged" if found.open else ""
    return Finding(severity=Severity.NOTICE, kind=NAME, message=f"{found.told}{rest}.")


def caught(verdicts: Sequence[Verdict], paths: Sequence[str]) -> list[Verdict]:
    """The verdicts of a task whose recordings are known to be bad: each must be failed by one oracle at least."""
    told = [_catch(mine, path) for mine, path in zip(_each(verdicts, paths or ("",)), paths or ("",), strict=True)]
    if len(told) > 1:
        told = [
            msgspec.structs.replace(one, name=f"{MUST_FAIL}[{path}]") for one, path in zip(told, paths, strict=True)
        ]
    return [*map(_turned, verdicts), *told]


def _catch(verdicts: Sequence[Verdict], path: str) -> Verdict:
    draft = Verdict(oracle=MUST_FAIL, name=MUST_FAIL, outcome=Outcome.PASS)
    replace = msgspec.structs.replace
    asked = [verdict for verdict in verdicts if verdict.oracle not in ABOUT_THE_RECORDING]
    failed = [verdict for verdict in asked if verdict.outcome is Outcome.FAIL]
    known = f"{path}, which is known to be bad" if path else "what is known to be bad"
    comma = "," if path else ""
    if failed:
        names = ", ".join(verdict.name.partition("[")[0] for verdict in failed)
        sure = any(verdict.deterministic for verdict in failed)
        return replace(draft, evidence=(Evidence(message=f"Caught {known}: {names}"),), deterministic=sure)
    if any(verdict.outcome is Outcome.ERROR for verdict in asked):
        reason = f"whether an oracle catches {known}{comma} cannot be told: one could not judge"
        return replace(draft, outcome=Outcome.ERROR, reason=reason, kind=MUST_FAIL)
    if not any(verdict.outcome is Outcome.PASS for verdict in asked):
        reason = f"nothing was asked of {known}: {asked[0].reason if asked else 'there is no oracle'}"
        return replace(draft, outcome=Outcome.SKIP, reason=reason, kind=MUST_FAIL)
    finding = Finding(message=f"No oracle catches {known}", kind=MUST_FAIL)
    return replace(draft, outcome=Outcome.FAIL, findings=(finding,), kind=MUST_FAIL)


def _turned(verdict: Verdict) -> Verdict:
    """A failure of what is known to be bad is as it must be."""
    return verdict if verdict.oracle in ABOUT_THE_RECORDING else as_pass(verdict, "As it must be")
