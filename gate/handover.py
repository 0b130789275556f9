"""A report that another job has written, read back: hostile data, since that job ran the pull request's own code.

Nothing in it is believed that can be worked out again, and nothing in it names where it is published. It is bounded,
decoded into the structs that wrote it, and refused in words where it is anything else.
"""

from pathlib import Path

import msgspec

from gate.errors import SourceError
from gate.report import Outcome, Report, TaskReport, Verdict
from gate.reporters import json_report
from gate.reporters.json_report import Document, TaskEntry, VerdictEntry
from gate.source import open_file

LIMIT = 64 * 1024 * 1024
"""Bytes of a report that are read at most."""

_FAMILY = json_report.NAME.rstrip("0123456789")
_VERSION = int(json_report.NAME.removeprefix(_FAMILY))
_CODES = (2, 3, 4)  # that a run may have of which nothing was judged


def load(path: Path | str) -> Report:
    """The report in a file. SourceError for one that is none, is too large, or is reached by a link."""
    return parse(open_file(path, LIMIT), called=str(path))


def parse(data: bytes, *, called: str) -> Report:
    """The report that the JSON tells of; SourceError of kind `not_a_report`, `other_version` or `contradiction`."""
    _version(data, called)
    try:
        document = msgspec.json.decode(data, type=Document)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SourceError(f"{called} is no report of the gate: {error}", kind="not_a_report") from None
    if document.problem is not None and document.problem.exit_code not in _CODES:
        found = f"its problem has exit code {document.problem.exit_code}, expected one of {_CODES}"
        raise SourceError(f"{called} is no report of the gate: {found}", kind="not_a_report")
    report = _report(document)
    _check(document, report, called)
    return report


def _version(data: bytes, called: str) -> None:
    """What is written in another version is not read as if it were in this one."""
    try:
        name = msgspec.json.decode(data, type=_Head).schema
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SourceError(f"{called} is no report of the gate: {error}", kind="not_a_report") from None
    if name == json_report.NAME:
        return
    number = name.removeprefix(_FAMILY)
    if not (name.startswith(_FAMILY) and number.isascii() and number.isdecimal() and len(number) < 9):
        found = f"its `schema` is {name!r:.80}, expected {json_report.NAME!r}"
        raise SourceError(f"{called} is no report of the gate: {found}", kind="not_a_report")
    age = "a newer" if int(number) > _VERSION else "an older"
    raise SourceError(
        f"{called} is a report of version {number}, which {age} gate has written; this one reads version {_VERSION}: "
        "let the same version of the gate judge and publish",
        kind="other_version",
    )


def _report(document: Document) -> Report:
    return Report(
        tasks=tuple(map(_task, document.tasks)),
        notices=document.notices,
        problem=document.problem,
        change=document.change,
        judge=document.judge,
        enforce=document.enforce,
        # The one thing that is not written: it shows only where no task is in scope.
        empty_fails=document.verdict is Outcome.FAIL and not any(task.in_scope for task in document.tasks),
        version=document.gate,
        repeat=document.repeat,
        started=document.started,
        seconds=document.seconds,
        left_out=document.left_out,
    )


def _task(entry: TaskEntry) -> TaskReport:
    return TaskReport(
        id=entry.id,
        in_scope=entry.in_scope,
        scope=entry.scope,
        verdicts=tuple(map(_verdict, entry.verdicts)),
        notices=entry.notices,
        path=entry.path,
        line=entry.line,
    )


def _verdict(entry: VerdictEntry) -> Verdict:
    return Verdict(
        oracle=entry.oracle,
        name=entry.name,
        outcome=entry.outcome,
        findings=entry.findings,
        evidence=entry.evidence,
        waived=entry.waived,
        reason=entry.reason,
        kind=entry.kind,
        seconds=entry.seconds,
        deterministic=entry.deterministic,
    )


def _check(document: Document, report: Report, called: str) -> None:
    """The verdict has to follow from what it is said to follow from."""
    told = [("verdict", document.verdict, report.outcome), ("exit_code", document.exit_code, report.exit_code)]
    for number, (entry, task) in enumerate(zip(document.tasks, report.tasks, strict=True)):
        told.append((f"tasks[{number}].outcome", entry.outcome, task.outcome))
    for where, found, expected in told:
        if found != expected:
            raise SourceError(
                f"{called} contradicts itself: `{where}` is {found!s}, and what it holds comes to {expected!s}",
                kind="contradiction",
            )


class _Head(msgspec.Struct, frozen=True):
    schema: str
