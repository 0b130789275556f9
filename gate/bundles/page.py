"""The sealed envelope as Markdown, for people, who may read it on a terminal as well."""

import re
from collections.abc import Iterator

from gate.bundles.envelope import Envelope, LaneOutcome, Rate, TaskOutcome
from gate.bundles.environment import LOCK
from gate.escape import inline, markdown
from gate.report import Outcome

_SPAN = re.compile(r"`[\w ./=:-]+`|(?<![\w./-])(?:sha256:)?[0-9a-f]{12,64}(?![\w/-])", re.ASCII)
"""What stands in a code span as it is, where nothing is markup or a reference: a command that is named, a hash."""
_WORDS = {Outcome.PASS: "passed", Outcome.FAIL: "failed"}


def render(envelope: Envelope) -> str:
    """The whole page."""
    return "\n".join(_lines(envelope)) + "\n"


def _lines(envelope: Envelope) -> Iterator[str]:
    bundle, environment = envelope.bundle, envelope.environment
    yield f"# Bundle {inline(bundle.name)}"
    yield ""
    yield from _verdict(envelope)
    if envelope.problem is not None:
        return
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| bundle | `sha256:{bundle.sha256}`, {_many(bundle.files, 'file')}, {_many(len(bundle.tasks), 'task')} |"
    if environment.pin is None:
        yield "| environment | not pinned |"
    else:
        pin = environment.pin
        yield f"| environment | Python {_prose(pin.python)} on {_prose(pin.platform)} |"
        yield f"| environment pin | `sha256:{environment.sha256}` |"
        lock = f"{_prose(f'sha256:{pin.lock_sha256}')} ({_prose(pin.lock or LOCK)})" if pin.lock_sha256 else "none"
        yield f"| lock file | {lock} |"
        for name, version in pin.tools.items():
            yield f"| {_prose(name)} | {_prose(version or 'not there')} |"
    for line in environment.drift:
        yield f"| drift | {_prose(line)} |"
    budget = ", ".join(f"{_prose(unit)} {amount:g}" for unit, amount in envelope.budget.items())
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
        yield from (f"- {_prose(reason, starts=True)}" for reason in envelope.reasons)
        return
    candidate, control = envelope.candidate.rate, envelope.control.rate if envelope.control else None
    if candidate is None or control is None:
        yield "Publishable. No rate was asked for."
        return
    yield f"Candidate: {_rate(candidate)}. Control: {_rate(control)}."


def _rate(rate: Rate) -> str:
    interval = f"95 % interval {rate.low:.1%} to {rate.high:.1%}"
    return f"{rate.passed} of {_many(rate.tasks, 'task')}, {rate.rate:.1%} ({interval})"


def _contamination(envelope: Envelope) -> str:
    found, notes = envelope.contamination, "; ".join(map(_prose, envelope.notes))
    if found is None or not found.corpora:
        return notes or "not looked for"
    corpora = ", ".join(f"{_prose(corpus.name)} ({corpus.bytes} bytes)" for corpus in found.corpora)
    flagged = ", ".join(map(_prose, found.flagged)) or "no task"
    told = f"{flagged} flagged in {corpora} by n-grams of {found.ngram_width} words"
    return f"{told}; {notes}" if notes else told


def _lane(title: str, lane: LaneOutcome) -> Iterator[str]:
    yield ""
    yield f"## {title}: {_prose(lane.results)}"
    yield ""
    yield "| task | outcome | failed checks | judged in | agent's time | notes |"
    yield "|---|---|---|---|---|---|"
    for task in lane.tasks:
        used = task.used.wall_clock_seconds
        cells = (
            _prose(task.id),
            _WORDS.get(task.outcome, "could not be judged"),
            str(task.failed_checks),
            f"{task.seconds:.2f} s",
            "not recorded" if used is None else f"{used:.1f} s",
            "<br>".join(map(_prose, _notes(task))),
        )
        yield f"| {' | '.join(cells)} |"
    opinions = [(task.id, note) for task in lane.tasks for note in task.reviewer_notes]
    if opinions:
        yield ""
        yield f"### Reviewers' notes on the {title.lower()}, which count nowhere"
        yield ""
        for name, note in opinions:
            yield f"- {_prose(name, starts=True)}, {_prose(note.name)}: {_prose(note.message)}"


def _notes(task: TaskOutcome) -> Iterator[str]:
    for check in task.checks:
        yield from check.failed
        if check.reason:
            yield check.reason
    yield from (f"over the budget: {unit}" for unit in task.over_budget)
    yield from task.disclosed


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _prose(text: str, *, starts: bool = False) -> str:
    """A sentence, with commands and hashes in code spans; `starts`: nothing stands before it in its block."""
    if starts and not _SPAN.match(text):  # what begins a heading or a list is escaped with all up to the first blank
        word, blank, rest = text.lstrip().partition(" ")
        return f"{markdown(word)}{blank}{_prose(rest)}"
    done, at = "", 0
    for span in _SPAN.finditer(text):
        done += inline(text[at : span.start()]) + f"`{span[0].strip('`')}`"
        at = span.end()
    return done + inline(text[at:])
