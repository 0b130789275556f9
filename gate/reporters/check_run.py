"""The check run beside a pull request: a report as the requests that show it. Nothing is sent from here.

It is made `in_progress` before the first trial, given its annotations in portions, and concluded by a last request
that carries none: so no bad annotation, and none that GitHub dislikes, can keep the verdict from being shown.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from gate import escape
from gate.report import Outcome, Report, Severity
from gate.reporters import excerpt, score, summary
from gate.reporters.annotations import Annotation
from gate.request import Request

NAME = "trajectory-gate"
"""The check's name; one with a key is named `trajectory-gate (KEY)`."""

PORTION = 50
"""Annotations that GitHub takes with one request; each request adds to those that are there."""

MOST = 1_000
"""Annotations of one check run that are sent at all: 20 requests."""

_SUMMARY_LIMIT = 65_535
_TITLE_LIMIT = 255
_NOTES, _NOTE_LIMIT = 20, 400
_TEXT_LIMIT = 64_000  # bytes; GitHub says 64 KB
_LARGEST_LINE = 2**31 - 1
_LEVEL = {Severity.ERROR: "failure", Severity.WARNING: "warning", Severity.NOTICE: "notice"}
_WORDS = {
    Outcome.PASS: "Passed",
    Outcome.FAIL: "Failed",
    Outcome.ERROR: "Could not be judged",
    Outcome.SKIP: "Nothing was to be judged",
}


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where the check run stands: the repository as `OWNER/NAME`, the commit, and what it is called.

    `origin` names the workflow's run and job, `attempt` counts how often that run was started: together they are the
    `external_id` by which a later attempt finds the check run. `details` is the address of the run.
    """

    repository: str
    sha: str
    key: str = ""
    origin: str = ""
    attempt: int = 1
    details: str = ""

    @property
    def name(self) -> str:
        """What people see, and what a branch protection rule would name."""
        return f"{NAME} ({self.key})" if self.key else NAME

    @property
    def mark(self) -> str:
        """The part of the `external_id` that all attempts share; empty where nothing is known of the run."""
        return f"{NAME}:{self.origin}:{self.key}:" if self.origin else ""

    @property
    def external_id(self) -> str:
        """The mark, and which attempt this is."""
        return f"{self.mark}{self.attempt}" if self.mark else ""


class Placed(msgspec.Struct, frozen=True):
    """An annotation, and what of it is sent."""

    annotation: Annotation
    entry: dict[str, Any]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """Annotations in portions as they are sent; what is not sent, in words; and how many are more than are sent."""

    portions: tuple[tuple[Placed, ...], ...]
    dropped: tuple[str, ...] = ()
    more: int = 0


def create(target: Target) -> Request:
    """Make the check run, before anything is judged."""
    body: dict[str, Any] = {"name": target.name, "head_sha": target.sha, "status": "in_progress"}
    body |= {"external_id": target.external_id} if target.external_id else {}
    body |= {"details_url": target.details} if target.details else {}
    path = f"/repos/{target.repository}/check-runs"
    return Request(method="POST", path=path, body=body | {"output": _judging()}, repeatable=False)


def reopen(target: Target, number: int | str) -> Request:
    """Take the check run of an earlier attempt again."""
    body: dict[str, Any] = {"status": "in_progress", "external_id": target.external_id}
    body |= {"details_url": target.details} if target.details else {}
    return _patch(target, number, body | {"output": _judging()})


def announce(target: Target, number: int | str) -> Request:
    """Say on the job's own check run that judging goes on: it tells whether that one can be used at all."""
    return _patch(target, number, {"output": _judging()})


def find(target: Target) -> Request:
    """Ask for the commit's check runs of this name, all pages."""
    path = f"/repos/{target.repository}/commits/{target.sha}/check-runs"
    return Request(method="GET", path=path, query={"check_name": target.name, "filter": "all"})


def look(target: Target, number: int | str) -> Request:
    """Ask for the check run."""
    return Request(method="GET", path=f"/repos/{target.repository}/check-runs/{number}")


def add(target: Target, number: int | str, portion: Sequence[Placed]) -> Request:
    """Add a portion of annotations; sent twice, they would be there twice."""
    output = {"title": "Publishing annotations", "summary": "The verdict follows."}
    body = {"output": output | {"annotations": [placed.entry for placed in portion]}}
    return msgspec.structs.replace(_patch(target, number, body), repeatable=False)


def conclude(target: Target, number: int | str, report: Report, notes: Sequence[str], *, own: bool = True) -> Request:
    """The verdict; `notes` say what became of the annotations. A job's own check run (not `own`) only gets the text."""
    output = {"title": title(report), "summary": text(report, notes)}
    status = {"status": "completed", "conclusion": conclusion(report)} if own else {}
    return _patch(target, number, status | {"output": output})


def cancel(target: Target, number: int | str, why: str) -> Request:
    """End a check run that nobody will conclude any more."""
    output = {"title": "Cancelled", "summary": escape.markdown(why)}
    return _patch(target, number, {"status": "completed", "conclusion": "cancelled", "output": output})


def conclusion(report: Report) -> str:
    """`failure` exactly where the exit code is not 0, so also where something could not be judged.

    GitHub counts `neutral` and `skipped` as passing: the one only ever means `enforce: false`, the other that nothing
    was to be judged.
    """
    if report.exit_code:
        return "failure"
    if report.exit_code != report.enforced_code:
        return "neutral"
    return "skipped" if report.outcome is Outcome.SKIP else "success"


def title(report: Report) -> str:
    """The verdict in one line."""
    if report.problem:
        words = f"Nothing was judged: {report.problem.message}"
    elif not report.judged_tasks:
        words = "No task is in scope of this change" + (", and on_empty is fail" if report.empty_fails else "")
    else:
        words = ": ".join(filter(None, (_WORDS[report.outcome], score.words(report))))
    if not report.enforce and not report.problem:
        words = f"Report only, enforce is false. {words}"
    return excerpt.clip(escape.plain(words), _TITLE_LIMIT)


def text(report: Report, notes: Sequence[str] = ()) -> str:
    """What the step's summary says, and what became of the annotations, in the size that GitHub takes."""
    told = [f"- {escape.markdown(excerpt.clip(note, _NOTE_LIMIT))}\n" for note in notes[:_NOTES]]
    told += [f"- … and {len(notes) - _NOTES} more\n"] if len(notes) > _NOTES else []
    tail = f"\n### Annotations\n\n{''.join(told)}" if told else ""
    # Bytes, though GitHub counts characters: there are never more of these than of those.
    return summary.render(report, limit=_SUMMARY_LIMIT - len(tail.encode())) + tail


def draft(found: Sequence[Annotation]) -> Draft:
    """The annotations that have a place, in portions; a bad one is dropped alone, with the reason."""
    good: list[Placed] = []
    dropped: list[str] = []
    for one in found:
        if one.path is None:
            continue
        entry = _entry(one, one.path)
        fault = _fault(entry)
        if fault:
            place = f"{one.path}:{one.line}" if one.line is not None else one.path
            dropped.append(f"{escape.plain(place)}: the annotation of {escape.plain(one.title)} was left out: {fault}")
        else:
            good.append(Placed(one, entry))
    sent = good[:MOST]
    portions = tuple(tuple(sent[start : start + PORTION]) for start in range(0, len(sent), PORTION))
    return Draft(portions=portions, dropped=tuple(dropped), more=len(good) - len(sent))


def _patch(target: Target, number: int | str, body: dict[str, Any]) -> Request:
    return Request(method="PATCH", path=f"/repos/{target.repository}/check-runs/{number}", body=body)


def _judging() -> dict[str, str]:
    return {"title": "Judging", "summary": "The change is being judged."}


def _entry(one: Annotation, path: str) -> dict[str, Any]:
    """What GitHub is sent. What lies on no line is put on the first, since every annotation has to be on one."""
    line = 1 if one.line is None else one.line
    entry: dict[str, Any] = {
        "path": _spelled(path),
        "start_line": line,
        "end_line": max(line, one.end_line or line),
        "annotation_level": _LEVEL[one.level],
        "title": excerpt.clip(_spelled(one.title), _TITLE_LIMIT),
        "message": _within(_spelled(one.message, newlines=True).strip() or "no message"),
    }
    details = _within(_spelled(one.details, newlines=True).rstrip())
    return entry | ({"raw_details": details} if details.strip() else {})


def _fault(entry: dict[str, Any]) -> str:
    """What GitHub would refuse the whole portion for; empty where it would not."""
    path: str = entry["path"]
    if not path.strip() or path.startswith("/") or ".." in path.split("/"):
        return f"its path is {path!r}, expected one within the repository"
    for name in ("start_line", "end_line"):
        if not 1 <= entry[name] <= _LARGEST_LINE:
            return f"its {name} is {entry[name]}, lines start at 1"
    return ""


def _spelled(text: str, *, newlines: bool = False) -> str:
    """Nothing invisible, and no character above U+FFFF, which GitHub does not take in an annotation."""
    shown = escape.plain(text, newlines=newlines)
    return shown if shown.isascii() else re.sub(r"[^\0-\uffff]", lambda one: f"\\u{{{ord(one[0]):x}}}", shown)


def _within(text: str) -> str:
    """The start of the text that has at most so many bytes."""
    data = text.encode()
    return text if len(data) <= _TEXT_LIMIT else data[: _TEXT_LIMIT - 3].decode(errors="ignore") + "…"
