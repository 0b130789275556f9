"""Whether a task passes as a whole by the score of its oracles, where it says from which score on it does."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import msgspec

from gate.report import Evidence, Finding, Outcome, Severity, Verdict

NAME = "score"
ABOUT_THE_RECORDING = frozenset(["explained"])
"""Oracles that say whose work a change is, and nothing of how good it is: no score takes them back."""


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """How much each oracle counts, and from which score (0 to 1) on the task passes; without one, all must pass.

    `weights` are by type, each shared evenly by all oracles of that type; a type that is not named counts 1. Where
    there are none, every oracle counts the same. `named` are weights of single oracles by their names.
    """

    threshold: float | None = None
    weights: Mapping[str, float] = {}
    named: Mapping[str, float] = {}


def score(verdicts: Sequence[Verdict], scoring: Scoring) -> float | None:
    """The weighted share of passes among those that passed or failed; None where nothing that counts was judged."""
    judged = [verdict for verdict in verdicts if verdict.outcome in (Outcome.PASS, Outcome.FAIL)]
    weights = [_weight(verdict, judged, scoring) for verdict in judged]
    whole = sum(weights)
    passed = sum(weight for verdict, weight in zip(judged, weights, strict=True) if verdict.outcome is Outcome.PASS)
    return passed / whole if whole > 0 else None


def _weight(verdict: Verdict, among: Sequence[Verdict], scoring: Scoring) -> float:
    name = verdict.name.partition("[")[0]
    if name in scoring.named:
        return scoring.named[name]
    if not scoring.weights:
        return 1.0
    same = sum(each.oracle == verdict.oracle and each.name.partition("[")[0] not in scoring.named for each in among)
    return scoring.weights.get(verdict.oracle, 1.0) / same


def settled(runs: Sequence[Sequence[Verdict]], shared: Sequence[Verdict], scoring: Scoring | None) -> list[Verdict]:
    """The verdicts of a task after its score, where it has one.

    `runs` are the verdicts of each recording, `shared` those that hold for all of them. Where every run that a failed
    verdict belongs to reaches the threshold, it passes, outweighed, and says so. An *error* is never outweighed, and
    where one is or something was not asked there is no score: failures stay.
    """
    if scoring is None or scoring.threshold is None:
        return [*shared, *chain.from_iterable(runs)]
    apart = [verdict for run in (shared, *runs) for verdict in run if verdict.oracle in ABOUT_THE_RECORDING]
    shared = [verdict for verdict in shared if verdict.oracle not in ABOUT_THE_RECORDING]
    runs = [[verdict for verdict in run if verdict.oracle not in ABOUT_THE_RECORDING] for run in runs]
    wholes = [[*shared, *run] for run in runs] or [list(shared)]
    told = [_told(whole, scoring) for whole in wholes]
    everywhere = all(verdict.outcome is Outcome.PASS for verdict in told)
    found = [outweighed(verdict, told[0]) if everywhere else verdict for verdict in shared]
    for run, verdict in zip(runs, told, strict=False):
        found += [outweighed(each, verdict) if verdict.outcome is Outcome.PASS else each for each in run]
    names = _suffixes(runs) if len(wholes) > 1 else [""]
    return [
        *apart,
        *found,
        *(msgspec.structs.replace(verdict, name=NAME + end) for verdict, end in zip(told, names, strict=True)),
    ]


def _suffixes(runs: Sequence[Sequence[Verdict]]) -> list[str]:
    names = (next((verdict.name for verdict in run), "") for run in runs)
    return [f"[{name.partition('[')[2]}" if "[" in name else "" for name in names]


def _told(verdicts: Sequence[Verdict], scoring: Scoring) -> Verdict:
    """The verdict on one run as a whole."""
    draft = Verdict(oracle=NAME, name=NAME, outcome=Outcome.PASS)
    replace = msgspec.structs.replace
    broken = [verdict for verdict in verdicts if verdict.outcome is Outcome.ERROR]
    if broken:
        reason = f"there is no score: {_names(broken)} could not be judged"
        return replace(draft, outcome=Outcome.ERROR, reason=reason, kind="score")
    left_out = [verdict for verdict in verdicts if verdict.outcome is Outcome.SKIP]
    found = score(verdicts, scoring)
    if left_out or found is None:
        reason = f"there is no score: {_names(left_out) or 'nothing'} was not asked"
        return replace(draft, outcome=Outcome.SKIP, reason=reason, kind="score")
    failed = [verdict for verdict in verdicts if verdict.outcome is Outcome.FAIL]
    said = f"The score is {found:.4g} of 1, and the threshold {scoring.threshold:g}"
    if found >= (scoring.threshold or 0.0) - 1e-9:
        told = f"{said}; outweighed: {_names(failed)}." if failed else f"{said}."
        return replace(draft, evidence=(Evidence(message=told),))
    finding = Finding(message=f"{said}; failed: {_names(failed)}.", kind="score")
    return replace(draft, outcome=Outcome.FAIL, findings=(finding,), kind="score")


def _names(verdicts: Iterable[Verdict]) -> str:
    return ", ".join(dict.fromkeys(verdict.name for verdict in verdicts))


def outweighed(verdict: Verdict, by: Verdict) -> Verdict:
    """A failed verdict as a pass that says so, with the evidence of the one that outweighs it."""
    said = tuple(Evidence(message=f"It failed, and is outweighed: {each.message}") for each in by.evidence)
    return as_pass(verdict, "Outweighed", said)


def as_pass(verdict: Verdict, why: str, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """A failed verdict as a pass: its findings are notices that begin with `why`. Any other one stays as it is."""
    if verdict.outcome is not Outcome.FAIL:
        return verdict
    notices = tuple(
        msgspec.structs.replace(finding, severity=Severity.NOTICE, message=f"{why}: {finding.message}")
        for finding in verdict.findings
    )
    return msgspec.structs.replace(
        verdict, outcome=Outcome.PASS, findings=notices, evidence=(*verdict.evidence, *evidence), reason="", kind=""
    )
