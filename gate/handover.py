"""A report that another job has written, read back: hostile data, since that job ran the pull request's own code.

Nothing in it is believed that can be worked out again, and nothing in it names where it is published. It is bounded,
decoded into the structs that wrote it, and refused in words where it is anything else.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from gate.errors import SourceError
from gate.report import Outcome, Report
from gate.reporters import json_report
from gate.reporters.json_report import Document
from gate.source import open_file

LIMIT = 64 * 1024 * 1024
"""Bytes of a report that are read at most."""

_FAMILY = json_report.NAME.rstrip("0123456789")
_VERSION = int(json_report.NAME.removeprefix(_FAMILY))
_T = TypeVar("_T")
_CODES = (2, 3, 4)  # that a run may have of which nothing was judged


def load(path: Path | str) -> Report:
    """The report in a file. SourceError for one that is none, is too large, or is reached by a link."""
    return parse(open_file(path, LIMIT), called=str(path))


def parse(data: bytes, *, called: str) -> Report:
    """The report that the JSON tells of; SourceError of kind `not_a_report`, `other_version` or `contradiction`."""
    _version(data, called)
    document = _decoded(data, Document, called)
    if document.problem is not None and document.problem.exit_code not in _CODES:
        raise _none(called, f"its problem has exit code {document.problem.exit_code}, expected one of {_CODES}")
    report = _report(document)
    _check(document, report, called)
    return report


def _version(data: bytes, called: str) -> None:
    """What is written in another version is not read as if it were in this one."""
    name = _decoded(data, _Head, called).schema
    if name == json_report.NAME:
        return
    number = name.removeprefix(_FAMILY)
    if not (name.startswith(_FAMILY) and number.isascii() and number.isdecimal() and len(number) < 9):
        raise _none(called, f"its `schema` is {name!r:.80}, expected {json_report.NAME!r}")
    age = "a newer" if int(number) > _VERSION else "an older"
    raise SourceError(
        f"{called} is a report of version {number}, which {age} gate has written; this one reads version {_VERSION}: "
        "let the same version of the gate judge and publish",
        kind="other_version",
    )


def _decoded(data: bytes, kind: type[_T], called: str) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _none(called, error) from None


def _none(called: str, why: object) -> SourceError:
    return SourceError(f"{called} is no report of the gate: {why}", kind="not_a_report")


def _report(document: Document) -> Report:
    """The fields of a document have the names of those that they were written from, but for the version."""
    return msgspec.structs.replace(
        msgspec.convert(document, Report, from_attributes=True),
        version=document.gate,
        # The one thing that is not written: it shows only where no task is in scope.
        empty_fails=document.verdict is Outcome.FAIL and not any(task.in_scope for task in document.tasks),
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
