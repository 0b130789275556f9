"""Puts into the sealed envelope what a bundle, its environment and its lanes came to, and only then a rate."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gate.bundles.contents import Contents
from gate.bundles.envelope import (
    NAME,
    Check,
    Contamination,
    Envelope,
    Environment,
    LaneOutcome,
    Opinion,
    Rate,
    Sealed,
    Subject,
    TaskOutcome,
    Used,
)
from gate.report import Outcome, Problem, Report, Severity, TaskReport, Verdict
from gate.wilson import interval


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One lane on its way into the envelope: its report, where its results lie, and what they are and used, by task.

    `provenance` is why nothing shows that the bundle was pinned first; empty where the commits show it.
    """

    report: Report
    results: str
    provenance: str
    subjects: Mapping[str, Subject] = {}
    used: Mapping[str, Used] = {}


def build(
    contents: Contents,
    candidate: Judged,
    control: Judged | None,
    *,
    drift: Sequence[str],
    gaps: Sequence[str],
    rate: bool,
) -> Envelope:
    """The envelope of two lanes; `gaps` are what the bundle itself lacks, `rate` asks for the rate."""
    budget = contents.measures.budget
    lanes = [_lane(contents, judged, budget) for judged in (candidate, control) if judged is not None]
    reasons = tuple(dict.fromkeys((*gaps, *_missing(contents, candidate, control), *_incomplete(lanes))))
    if rate and not reasons:
        lanes = [msgspec.structs.replace(lane, rate=_rate(lane)) for lane in lanes]
    return Envelope(
        schema=NAME,
        gate=candidate.report.version,
        started=candidate.report.started,
        bundle=Sealed(
            name=contents.label,
            sha256=contents.digest,
            files=contents.seal.file_count,
            tasks=contents.tasks,
            created_unix=contents.seal.created_unix,
        ),
        environment=Environment(pin=contents.pin, sha256=contents.pin_digest, drift=tuple(drift)),
        metrics=contents.measures.metrics,
        budget=budget,
        contamination=_contamination(contents),
        candidate=lanes[0],
        control=lanes[1] if control is not None else None,
        publishable=not reasons,
        reasons=reasons,
        notes=tuple(_notes(contents)),
    )


def broken(label: str, results: str, problem: Problem, *, version: str, started: str) -> Envelope:
    """The envelope of a bundle of which nothing was judged: one case, an *error*, and never a rate."""
    check = Check(name="bundle", outcome=Outcome.ERROR, failed=(), reason=problem.message, seconds=0.0)
    case = TaskOutcome(
        id=label,
        outcome=Outcome.ERROR,
        passed=False,
        failed_checks=0,
        seconds=0.0,
        used=Used(),
        over_budget=(),
        checks=(check,),
        reviewer_notes=(),
        disclosed=(),
        subject=None,
    )
    return Envelope(
        schema=NAME,
        gate=version,
        started=started,
        bundle=Sealed(name=label, sha256=None, files=0, tasks=(), created_unix=None),
        environment=Environment(pin=None, sha256=None, drift=()),
        metrics=(),
        budget={},
        contamination=None,
        candidate=LaneOutcome(results=results, complete=False, failed_checks=0, tasks=(case,)),
        control=None,
        publishable=False,
        reasons=(problem.message,),
        notes=(),
        problem=problem,
    )


def _missing(contents: Contents, candidate: Judged, control: Judged | None) -> Iterator[str]:
    if contents.metrics is None:
        yield "there is no metrics.json, so what is measured was not frozen"
    if not contents.measures.budget:
        yield "no budget was declared before the run"
    if candidate.provenance:
        yield candidate.provenance
    if control is None:
        yield "there is no control lane"
    elif control.provenance:
        yield control.provenance
    if control is not None and _is_one(candidate, control, contents.tasks):
        yield "the control lane holds the same results as the candidate, so nothing shows that another agent was judged"


def _notes(contents: Contents) -> Iterator[str]:
    if contents.scan is None or not contents.scan.corpora:
        yield "no corpus was searched for these prompts (`gate bundle scan`)"
        return
    for corpus in contents.scan.corpora:
        yield from corpus.gaps


def _is_one(one: Judged, other: Judged, tasks: Sequence[str]) -> bool:
    """Whether two lanes hold the same bytes for every task."""
    digests = [
        [lane.subjects[name].digest if name in lane.subjects else None for name in tasks] for lane in (one, other)
    ]
    return None not in digests[0] and digests[0] == digests[1]


def _incomplete(lanes: Sequence[LaneOutcome]) -> Iterator[str]:
    for name, lane in zip(("candidate", "control"), lanes, strict=False):
        broken = [task.id for task in lane.tasks if task.outcome not in (Outcome.PASS, Outcome.FAIL)]
        if broken:
            more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
            yield f"the {name} lane is incomplete: {broken[0]}{more} could not be judged"


def _contamination(contents: Contents) -> Contamination | None:
    scan = contents.scan
    if scan is None:
        return None
    return Contamination(
        ngram_width=scan.ngram_width,
        overlap_threshold=contents.measures.overlap_threshold,
        corpora=scan.corpora,
        flagged=tuple(task.id for task in scan.tasks if task.most >= contents.measures.overlap_threshold),
    )


def _lane(contents: Contents, judged: Judged, budget: Mapping[str, float]) -> LaneOutcome:
    said = contents.said()
    tasks = tuple(_task(task, judged, budget, tuple(said.get(task.id, ()))) for task in judged.report.tasks)
    return LaneOutcome(
        results=judged.results,
        complete=all(task.outcome in (Outcome.PASS, Outcome.FAIL) for task in tasks),
        failed_checks=sum(task.failed_checks for task in tasks),
        tasks=tasks,
    )


def _task(task: TaskReport, judged: Judged, budget: Mapping[str, float], disclosed: tuple[str, ...]) -> TaskOutcome:
    """Opinions stand apart: the outcome is that of the verdicts that come out the same again."""
    proved = tuple(verdict for verdict in task.verdicts if verdict.deterministic)
    opinions = tuple(verdict for verdict in task.verdicts if not verdict.deterministic)
    outcome = msgspec.structs.replace(task, verdicts=proved).outcome
    checks = tuple(map(_check, proved))
    used = judged.used.get(task.id, Used())
    return TaskOutcome(
        id=task.id,
        outcome=outcome,
        passed=outcome is Outcome.PASS,
        failed_checks=sum(len(check.failed) for check in checks),
        seconds=round(sum(verdict.seconds for verdict in proved), 6),
        used=used,
        over_budget=tuple(unit for unit, most in budget.items() if (getattr(used, unit, None) or 0) > most),
        checks=checks,
        reviewer_notes=tuple(
            Opinion(name=verdict.name, outcome=verdict.outcome, message=verdict.message) for verdict in opinions
        ),
        disclosed=disclosed,
        subject=judged.subjects.get(task.id),
    )


def _check(verdict: Verdict) -> Check:
    failed = tuple(finding.message for finding in verdict.findings if finding.severity is Severity.ERROR)
    return Check(
        name=verdict.name,
        outcome=verdict.outcome,
        failed=failed or ((verdict.message,) if verdict.outcome is Outcome.FAIL else ()),
        reason=verdict.reason,
        seconds=round(verdict.seconds, 6),
    )


def _rate(lane: LaneOutcome) -> Rate:
    passed, tasks = sum(task.passed for task in lane.tasks), len(lane.tasks)
    low, high = interval(passed, tasks)
    return Rate(passed=passed, tasks=tasks, rate=round(passed / tasks, 4), low=round(low, 4), high=round(high, 4))
