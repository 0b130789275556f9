"""The sealed envelope as Markdown, for people."""

from collections.abc import Iterator

from gate.bundles.envelope import Envelope, LaneOutcome, Rate, TaskOutcome
from gate.bundles.environment import LOCK
from gate.escape import markdown
from gate.report import Outcome

_WORDS = {Outcome.PASS: "passed", Outcome.FAIL: "failed"}


def render(envelope: Envelope) -> str:
    """The whole page."""
    return "\n".join(_lines(envelope)) + "\n"


def _lines(envelope: Envelope) -> Iterator[str]:
    bundle, environment = envelope.bundle, envelope.environment
    yield f"# Bundle {markdown(bundle.name)}"
    yield ""
    yield from _verdict(envelope)
    if envelope.problem is not None:
        return
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| bundle | `sha256:{bundle.sha256}`, {bundle.files} files, {len(bundle.tasks)} tasks |"
    if environment.pin is None:
        yield "| environment | not pinned |"
    else:
        pin = environment.pin
        yield f"| environment | Python {markdown(pin.python)} on {markdown(pin.platform)} |"
        yield f"| environment pin | `sha256:{environment.sha256}` |"
        lock = f"sha256:{markdown(pin.lock_sha256)} ({markdown(pin.lock or LOCK)})" if pin.lock_sha256 else "none"
        yield f"| lock file | {lock} |"
        for name, version in pin.tools.items():
            yield f"| {markdown(name)} | {markdown(version or 'not there')} |"
    for line in environment.drift:
        yield f"| drift | {markdown(line)} |"
    budget = ", ".join(f"{markdown(unit)} {amount:g}" for unit, amount in envelope.budget.items())
    yield f"| budget for a task | {budget or 'none declared'} |"
    yield f"| contamination | {_contamination(envelope)} |"
    yield f"| judged | {envelope.started} UTC, gate {envelope.gate} |"
    yield from _lane("Candidate", envelope.candidate)
    if envelope.control is not None:
        yield from _lane("Control", envelope.control)


def _verdict(envelope: Envelope) -> Iterator[str]:
    if not envelope.publishable:
        word = "Not publishable" if envelope.problem is None else "Nothing was judged"
        yield f"**{word}**, so this page tells no rate:"
        yield ""
        yield from (f"- {markdown(reason)}" for reason in envelope.reasons)
        return
    candidate, control = envelope.candidate.rate, envelope.control.rate if envelope.control else None
    if candidate is None or control is None:
        yield "Publishable. No rate was asked for."
        return
    yield f"Candidate: {_rate(candidate)}. Control: {_rate(control)}."


def _rate(rate: Rate) -> str:
    return f"{rate.passed} of {rate.tasks} tasks, {rate.rate:.1%} (95 % interval {rate.low:.1%} to {rate.high:.1%})"


def _contamination(envelope: Envelope) -> str:
    found, notes = envelope.contamination, "; ".join(map(markdown, envelope.notes))
    if found is None or not found.corpora:
        return notes or "not looked for"
    corpora = ", ".join(f"{markdown(corpus.name)} ({corpus.bytes} bytes)" for corpus in found.corpora)
    flagged = ", ".join(map(markdown, found.flagged)) or "no task"
    told = f"{flagged} flagged in {corpora} by n-grams of {found.ngram_width} words"
    return f"{told}; {notes}" if notes else told


def _lane(title: str, lane: LaneOutcome) -> Iterator[str]:
    yield ""
    yield f"## {title}: {markdown(lane.results)}"
    yield ""
    yield "| task | outcome | failed checks | judged in | agent's time | notes |"
    yield "|---|---|---|---|---|---|"
    for task in lane.tasks:
        used = task.used.wall_clock_seconds
        cells = (
            markdown(task.id),
            _WORDS.get(task.outcome, "could not be judged"),
            str(task.failed_checks),
            f"{task.seconds:.2f} s",
            "not recorded" if used is None else f"{used:.1f} s",
            "<br>".join(map(markdown, _notes(task))),
        )
        yield f"| {' | '.join(cells)} |"
    opinions = [(task.id, note) for task in lane.tasks for note in task.reviewer_notes]
    if opinions:
        yield ""
        yield f"### Reviewers' notes on the {title.lower()}, which count nowhere"
        yield ""
        for name, note in opinions:
            yield f"- {markdown(name)}, {markdown(note.name)}: {markdown(note.message)}"


def _notes(task: TaskOutcome) -> Iterator[str]:
    for check in task.checks:
        yield from check.failed
        if check.reason:
            yield check.reason
    yield from (f"over the budget: {unit}" for unit in task.over_budget)
    yield from task.disclosed
