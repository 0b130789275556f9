"""The summary of a job: Markdown of GitHub's kind, failures first, within the size that GitHub takes."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from gate import escape
from gate.report import Finding, Outcome, Report, Severity, TaskReport, Verdict, Waived
from gate.reporters import excerpt, score

T = TypeVar("T")

LIMIT = 1024 * 1024
"""Bytes in UTF-8; GitHub drops a longer summary whole."""

_BAD = (Outcome.FAIL, Outcome.ERROR)
_SIGN = {
    Outcome.PASS: "✅ pass",
    Outcome.FAIL: "❌ fail",
    Outcome.ERROR: "⛔ error",
    Outcome.SKIP: "⏭️ skip",
    Outcome.NOT_APPLICABLE: "➖ not applicable",
}
_SEVERITY = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "ℹ️"}
_LINE_LIMIT = 500
_ROWS = 100


class _Piece(msgspec.Struct, frozen=True):
    """What the summary says of one task: rows of the table, and sections below it."""

    rows: str
    sections: str


def render(report: Report, *, limit: int = LIMIT) -> str:
    """The summary in at most `limit` bytes; whole tasks are left out, those that passed first, and counted."""
    head, tail = _head(report, limit), _differences(report, limit) + _tail(report, limit)
    room = limit - _size(head) - _size(tail) - 1_000
    order = (Outcome.FAIL, Outcome.ERROR)
    tasks = sorted(report.judged_tasks, key=lambda task: order.index(task.outcome) if task.outcome in order else 2)
    pieces: list[_Piece] = []
    bad = sum(task.outcome in _BAD for task in tasks)
    share = min(limit // 32, max(1_000, room // (2 * max(bad, 1))))
    for task in tasks:
        piece = _piece(task, share)
        room -= _size(piece.rows) + _size(piece.sections)
        if room < 0:
            break
        pieces.append(piece)
    return f"{head}{_body(pieces, left_out=len(tasks) - len(pieces))}{tail}"


def _body(pieces: Sequence[_Piece], *, left_out: int) -> str:
    table = "### Verdicts\n\n| Task | Oracle | Outcome | Message |\n|---|---|---|---|\n"
    parts = [table + "".join(piece.rows for piece in pieces) + "\n"] if pieces else []
    if left_out:
        things = "1 task is" if left_out == 1 else f"{left_out} tasks are"
        parts.append(f"**{things} left out here**, for the size of a summary; the JSON and JUnit reports hold all.\n\n")
    sections = "".join(piece.sections for piece in pieces)
    return "".join([*parts, f"### Why\n\n{sections}" if sections else ""])


def _head(report: Report, limit: int) -> str:
    counted = "" if report.problem or not score.words(report) else f", {score.words(report)}"
    lines = [f"## Gate: {_SIGN[report.outcome]}{counted}", ""]
    if not report.enforce:
        lines += ["> [!WARNING]", "> **enforce is false**: this run only reports, whatever it finds.", ""]
    facts = {
        f"Exit {report.exit_code}": report.meaning,
        "Oracles": report.tally,
        "Change": report.change,
        "Judge": report.judge,
        "Left out": report.omission,
    }
    lines += [f"- **{name}:** {_line(value)}" for name, value in facts.items() if value]
    text = "\n".join(lines) + "\n\n"
    if report.problem:
        text += escape.fence(excerpt.middle(report.problem.message, limit // 32)) + "\n"
    if report.tampering:
        text += "### What this change did to the gate\n\n" + _list(report.tampering, _notice, limit)
    if report.remarks:
        text += "### What to know of this run\n\n" + _list(report.remarks, _notice, limit)
    return text


def _differences(report: Report, limit: int) -> str:
    """What a change did to protected files, each once, however many tasks tell of it."""
    notices = (one for task in report.judged_tasks for one in task.notices)
    shown = {(one.place, one.details): None for one in notices if one.kind == "protected_changed"}
    text = ""
    for number, (place, details) in enumerate(shown):
        part = f"<code>{escape.markdown(excerpt.clip(place, _LINE_LIMIT))}</code>\n\n"
        part += escape.fence(excerpt.middle(details, limit // 32)) + "\n"
        if _size(text) + _size(part) > limit // 8:
            text += f"… and {len(shown) - number} more; the JSON and JUnit reports hold all.\n\n"
            break
        text += part
    return f"### What differs in protected files\n\n{text}" if text else ""


def _tail(report: Report, limit: int) -> str:
    text = ""
    waived = [(task, one) for task, verdict in report.verdicts() for one in verdict.waived]
    if waived:
        text += "### Waived\n\n" + _list(waived, _waived, limit)
    outside = [task for task in report.tasks if not task.in_scope]
    if outside:
        count = "1 task" if len(outside) == 1 else f"{len(outside)} tasks"
        reasons = _list(outside, lambda task: f"{_code(task.id)} {_line(task.scope)}", limit)
        text += f"<details><summary>{count} out of scope</summary>\n\n{reasons}</details>\n\n"
    if report.repeat:
        text += "To repeat it:\n\n" + escape.fence(escape.plain(excerpt.clip(report.repeat, limit // 64)))
    return text


def _piece(task: TaskReport, share: int) -> _Piece:
    verdicts = sorted(task.verdicts, key=lambda verdict: verdict.outcome not in _BAD)
    rows = [_row(task, verdict) for verdict in verdicts[:_ROWS]]
    if not verdicts:
        rows.append(f"| {_code(task.id)} | | {_SIGN[Outcome.ERROR]} | nothing was asked of this task |\n")
    rows += [
        f"| {_code(task.id)} | | {_SEVERITY[one.severity]} | {_seen(one.place, one.message)} |\n"
        for one in task.notices[:_ROWS]
    ]
    more = max(0, len(verdicts) - _ROWS) + max(0, len(task.notices) - _ROWS)
    if more:
        rows.append(f"| {_code(task.id)} | | | … and {more} more |\n")
    bad = [verdict for verdict in verdicts[:_ROWS] if verdict.outcome in _BAD]
    sections = [
        f"#### {_code(task.id)} {_code(verdict.name)}\n\n{escape.fence(excerpt.account(verdict, share // len(bad)))}\n"
        for verdict in bad
    ]
    return _Piece("".join(rows), "".join(sections))


def _row(task: TaskReport, verdict: Verdict) -> str:
    return f"| {_code(task.id)} | {_code(verdict.name)} | {_SIGN[verdict.outcome]} | {_line(verdict.message)} |\n"


def _notice(notice: Finding) -> str:
    return f"{_SEVERITY[notice.severity]} {_seen(notice.place, notice.message)}"


def _seen(place: str, message: str) -> str:
    return f"{_code(place)}: {_line(message)}" if place else _line(message)


def _waived(waived: tuple[TaskReport, Waived]) -> str:
    task, one = waived
    return f"{_code(task.id)} {_seen(one.finding.place, one.message)}"


def _list(items: Sequence[T], write: Callable[[T], str], limit: int) -> str:
    """As many of the items as a sixteenth of the limit holds, and how many more there are."""
    lines: list[str] = []
    room = limit // 16
    for number, item in enumerate(items):
        line = f"- {write(item)}\n"
        room -= _size(line)
        if room < 0:
            lines.append(f"- … and {len(items) - number} more\n")
            break
        lines.append(line)
    return "".join(lines) + "\n"


def _line(text: str) -> str:
    return escape.markdown(excerpt.clip(text, _LINE_LIMIT))


def _code(text: str) -> str:
    return f"<code>{escape.markdown(excerpt.clip(text, _LINE_LIMIT)) or '?'}</code>"


def _size(text: str) -> int:
    return len(text.encode())
