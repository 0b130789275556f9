"""JUnit XML: a task is a suite, an oracle a case, in the form that every known consumer reads.

junit-xml builds the suites and cases. Texts are made harmless before, since they would be ill-formed XML otherwise,
and a failure without words would be dropped.
"""

import enum
import functools
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec

from gate import escape
from gate.report import Evidence, Finding, Outcome, Report, TaskReport, Verdict
from gate.reporters import excerpt, testsuite

CASE_LIMIT = 64 * 1024
"""Characters of text in one case, head and tail kept."""

FILE_LIMIT = 10 * 1024 * 1024
"""Bytes of the whole file; GitLab takes less than 30 MB. Only names and outcomes may go beyond it."""

_NAME_LIMIT = 500
_MESSAGE_LIMIT = 2_000
_LEAST = 100
_ELEMENT = {
    Outcome.FAIL: "failure",
    Outcome.ERROR: "error",
    Outcome.SKIP: "skipped",
    Outcome.NOT_APPLICABLE: "skipped",
}


class Profile(enum.StrEnum):
    """Which attributes a report carries."""

    ANNOTATED = "annotated"
    """`file` and `line` of each case, for tools that annotate changes."""

    STRICT = "strict"
    """Nothing that the schemas of Jenkins' xUnit plugin or of Ant (windyroad) do not know."""


class _Case(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    element: str = ""
    """Empty for a pass, else the element that says why it is none."""

    kind: str = ""
    message: str = ""
    text: str = ""
    out: str = ""
    seconds: float = 0.0
    path: str | None = None
    line: int | None = None


class _Suite(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    classname: str
    cases: tuple[_Case, ...]
    scope: str = ""
    opinions: str = ""
    out: str = ""
    path: str | None = None


def render(report: Report, *, profile: Profile = Profile.ANNOTATED) -> bytes:
    """The document in UTF-8. Long texts give way, all alike, until the file is within its limit."""
    allowance = CASE_LIMIT
    sizes = [_size(verdict) for _, verdict in report.verdicts()]
    if sum(sizes) > FILE_LIMIT and sum(min(size, CASE_LIMIT) for size in sizes) > FILE_LIMIT:
        allowance = max(_LEAST, FILE_LIMIT // (4 * len(sizes)))  # shown up to three times, and quoted
    while True:
        data = _document(report, profile, allowance)
        if len(data) <= FILE_LIMIT or allowance == _LEAST:
            return data
        allowance = max(_LEAST, allowance * FILE_LIMIT // (2 * len(data)))


def _size(verdict: Verdict) -> int:
    size = 0
    for seen in (verdict.findings, verdict.evidence):
        for one in seen:
            size += len(one.message) + len(one.details)
    return size


def _suites(report: Report, allowance: int) -> Iterator[_Suite]:
    own = _own_case(report, empty=not report.tasks)
    gate = [_Suite(name="gate", classname="gate", cases=(own,))] if own else []
    suites = chain(gate, (_task_suite(task, allowance) for task in report.tasks))
    told, first = excerpt.notices(report.notices, allowance), next(suites)
    yield msgspec.structs.replace(first, out="\n".join(filter(None, (told, first.out))))
    yield from suites


def _own_case(report: Report, *, empty: bool) -> _Case | None:
    """What the gate has to say of the run as a whole, and no task can."""
    problem = report.problem
    if problem:
        kind = problem.kind or "problem"
        return _Case(name="problem", element="error", kind=kind, message=problem.message, text=problem.message)
    if report.outcome is Outcome.FAIL and not report.judged_tasks:
        return _Case(name="scope", element="failure", kind="empty", message=report.meaning, text=report.meaning)
    return _Case(name="scope", element="skipped", message=report.meaning, text=report.meaning) if empty else None


def _task_suite(task: TaskReport, allowance: int) -> _Suite:
    cases = tuple(_case(task, verdict, allowance) for verdict in task.verdicts)
    if not task.in_scope:
        reason = f"out of scope: {task.scope}"
        cases = (_Case(name="scope", element="skipped", message=reason, text=reason, path=task.path, line=task.line),)
    elif not cases:
        reason = "nothing was asked of this task"
        cases = (_Case(name="task", element="error", kind="not_judged", message=reason, text=reason, path=task.path),)
    return _Suite(
        name=task.id,
        classname=f"gate.{task.id}",
        cases=cases,
        scope=task.scope,
        opinions=", ".join(verdict.name for verdict in task.verdicts if not verdict.deterministic),
        out=excerpt.notices(task.notices, allowance),
        path=task.path,
    )


def _case(task: TaskReport, verdict: Verdict, allowance: int) -> _Case:
    element = _ELEMENT.get(verdict.outcome, "")
    bad = element in ("failure", "error")
    findings = () if bad else verdict.findings
    beside: Sequence[Finding | Evidence] = [*findings, *verdict.evidence] if findings else verdict.evidence
    place = next((finding for finding in verdict.findings if finding.path), task) if verdict.findings else task
    case = _Case(
        name=verdict.name,
        out=excerpt.asides(beside, verdict.waived, allowance),
        seconds=verdict.seconds,
        path=place.path,
        line=place.line,
    )
    if not element:
        return case
    message = f"not applicable: {verdict.message}" if verdict.outcome is Outcome.NOT_APPLICABLE else verdict.message
    text = excerpt.account(verdict, allowance) if bad else message
    kind = verdict.kind or element
    return msgspec.structs.replace(case, element=element, kind=kind, message=message, text=text)


def _document(report: Report, profile: Profile, allowance: int) -> bytes:
    strict = profile is Profile.STRICT
    builder = _Builder(report, profile, allowance)
    # One at a time: a suite as text takes a tenth of the memory that it takes as objects.
    suites = (builder.suite(suite, number) for number, suite in enumerate(_suites(report, allowance)))
    text = escape.xml_document(testsuite.document(suites, name=None if strict else "trajectory-gate", strict=strict))
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + text.encode()


class _Builder:
    """The suites and cases of one document, in the form that its profile asks for."""

    def __init__(self, report: Report, profile: Profile, allowance: int) -> None:
        import junit_xml  # 13 ms, and most runs write no report

        self._suite_of, self._case_of = junit_xml.TestSuite, junit_xml.TestCase
        self._strict = profile is Profile.STRICT
        self._allowance = allowance
        self._names: set[tuple[str, str]] = set()
        self._repeat = report.repeat
        timed = re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", report.started, re.ASCII)
        self._started = report.started if timed else "1970-01-01T00:00:00" if self._strict else None
        enforce = "" if report.enforce else f"false: report only, the exit code is {report.exit_code}"
        shared = {"gate": report.version, "change": report.change, "judge": report.judge, "enforce": enforce}
        self._shared = {key: _line(value) for key, value in shared.items() if value}

    def suite(self, suite: _Suite, number: int) -> Any:
        """The `junit_xml.TestSuite`."""
        strict = self._strict
        out = "\n".join(filter(None, (suite.out, *(case.out for case in suite.cases)))) if strict else suite.out
        own = {"scope": suite.scope, "not deterministic": suite.opinions, "repeat": "" if number else self._repeat}
        classname = _name(suite.classname)
        return self._suite_of(
            _name(suite.name),
            [self._case(case, classname) for case in suite.cases],
            hostname="localhost" if strict else None,
            id=str(number) if strict else None,
            package="gate" if strict else None,
            timestamp=self._started,
            properties=self._shared | {key: _line(value) for key, value in own.items() if value},
            file=None if strict or suite.path is None else _name(suite.path),
            stdout=_text(out),
        )

    def _case(self, case: _Case, classname: str) -> Any:
        wanted = _name(case.name)
        name, number = wanted, 2
        while (classname, name) in self._names:  # GitLab keeps the first of two
            name, number = f"{wanted} ({number})", number + 1
        self._names.add((classname, name))
        path = None if self._strict or not case.path else _name(case.path)
        built = self._case_of(
            name,
            classname=classname,
            elapsed_sec=case.seconds,
            stdout=None if self._strict else _text(case.out),
            file=path,
            line=case.line if path else None,
        )
        if not case.element:
            return built
        message = _line(case.message, self._allowance) or f"{case.element} without a message"
        text = _text(case.text).strip() or message
        if case.element == "failure":
            built.add_failure_info(message, text, _name(case.kind))
        elif case.element == "error":
            built.add_error_info(message, text, _name(case.kind))
        elif case.element == "skipped":
            built.add_skipped_info(message, text)
        return built


@functools.lru_cache(maxsize=256)  # the names of oracles, and what the cases of one suite share
def _name(text: str) -> str:
    if text.isascii() and text.isprintable() and 0 < len(text) <= _NAME_LIMIT and " " not in text:
        return text  # as most are
    return excerpt.clip(" ".join(escape.xml(text[: 4 * _NAME_LIMIT]).split()), _NAME_LIMIT) or "-"


@functools.lru_cache(maxsize=256)
def _line(text: str, limit: int = _MESSAGE_LIMIT) -> str:
    limit = min(limit, _MESSAGE_LIMIT)
    shown = escape.unattached(" ".join(escape.xml(text[: 4 * limit]).split("\n")))
    return excerpt.clip(shown, limit).strip()


def _text(text: str) -> str:
    text = escape.unattached(escape.xml(text))
    return excerpt.middle(text, CASE_LIMIT + 200)  # what was cut before may have been written longer
