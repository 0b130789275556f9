"""What a person reads in a terminal, a hook's output or a job's log."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gate import escape, mention
from gate.report import Evidence, Finding, Outcome, Report, Severity, TaskReport, Verdict
from gate.reporters import excerpt, score

_BAD = (Outcome.FAIL, Outcome.ERROR)
_TASK_TAG = {
    Outcome.PASS: "[PASS]",
    Outcome.FAIL: "[FAIL]",
    Outcome.ERROR: "[ERROR]",
    Outcome.SKIP: "[SKIP]",
    Outcome.NOT_APPLICABLE: "[SKIP]",
}
_TAG = {
    Outcome.PASS: "[ok]",
    Outcome.FAIL: "[FAIL]",
    Outcome.ERROR: "[error]",
    Outcome.SKIP: "[skip]",
    Outcome.NOT_APPLICABLE: "[n/a]",
}
_STYLE = {
    Outcome.PASS: "green",
    Outcome.FAIL: "bold red",
    Outcome.ERROR: "bold magenta",
    Outcome.SKIP: "yellow",
    Outcome.NOT_APPLICABLE: "dim",
}
_MESSAGE_LIMIT = 2_000
_NAME_LIMIT = 500
_DETAILS_LIMIT = 64 * 1024
_TAIL = 20
_FINDINGS = 20


class _Line(msgspec.Struct, frozen=True):
    tag: str
    text: str = ""
    style: str = ""
    indent: int = 0
    command: bool = False


def render(
    report: Report,
    *,
    verbose: bool = False,
    quiet: bool = False,
    colour: bool = False,
    width: int = 100,
    refused: Sequence[str] = (),
) -> str:
    """The run as lines; with `colour` for a person, wrapped at `width`, else plain and one line for one thing.

    `quiet` leaves out what is no failure, `refused` says which reports could not be written. The last line of a run
    that failed is the command that repeats it.
    """
    lines = [*_head(report, quiet=quiet), *_tasks(report, verbose=verbose, quiet=quiet)]
    lines += [_Line("warning:", sentence, "yellow") for sentence in refused]
    lines += _foot(report, quiet=quiet)
    if colour:
        return _coloured(lines, width)
    return escape.log_safe("".join(f"{_joined(line)}\n" for one in lines for line in _split(one)))


def _head(report: Report, *, quiet: bool) -> Iterator[_Line]:
    if not report.enforce:
        yield _Line("enforce is false:", "this run only reports, whatever it finds", "bold yellow")
    for notice in (*report.tampering, *report.remarks):
        if not quiet or notice.severity is not Severity.NOTICE:
            yield _noticed(notice, 0)
    if report.problem:
        yield _Line("[ERROR]", report.problem.message, _STYLE[Outcome.ERROR])


def _tasks(report: Report, *, verbose: bool, quiet: bool) -> Iterator[_Line]:
    told: set[tuple[str, str]] = set()
    for task in report.judged_tasks:
        if not quiet or task.outcome in _BAD:
            yield from _task(task, told, verbose=verbose, quiet=quiet)
    outside = [task for task in report.tasks if not task.in_scope]
    if verbose and not quiet:
        for task in outside:
            yield _Line("[SKIP]", f"task={_name(task.id)} out of scope: {task.scope}", "dim")
    elif outside and not quiet:
        yield _Line("", f"{_count(len(outside), 'task')} out of scope (--verbose says why)", "dim")


def _task(task: TaskReport, told: set[tuple[str, str]], *, verbose: bool, quiet: bool) -> Iterator[_Line]:
    """The lines of one task; `told` are the details of notices that others have shown already, by place."""
    yield _Line(_TASK_TAG[task.outcome], f"task={_name(task.id)}", _STYLE[task.outcome])
    if verbose:
        yield _Line("scope:", task.scope, indent=2)
        yield from (_Line("recording:", mention.told(task.unknown_tools), indent=2) for _ in task.unknown_tools[:1])
    if not task.verdicts:
        yield _Line(_TAG[Outcome.ERROR], "nothing was asked of this task", _STYLE[Outcome.ERROR], 2)
    for verdict in task.verdicts:
        if not quiet or verdict.outcome in _BAD:
            yield from _verdict(verdict, verbose=verbose)
    if not quiet:
        for notice in task.notices:
            yield _noticed(notice, 2)
            if verbose or notice.severity is not Severity.NOTICE:
                again = (notice.place, notice.details) in told and notice.details
                yield from _details("(as above)" if again else notice.details, verbose=verbose, end=False)
                told.add((notice.place, notice.details))


def _verdict(verdict: Verdict, *, verbose: bool) -> Iterator[_Line]:
    name = _name(verdict.name if verdict.name.startswith(verdict.oracle) else f"{verdict.oracle} ({verdict.name})")
    message = f"{name}: {excerpt.clip(verdict.message, _MESSAGE_LIMIT)}" if verdict.message else name
    yield _Line(_TAG[verdict.outcome], message, _STYLE[verdict.outcome], 2)
    bad = verdict.outcome in _BAD
    yield from _seen(verdict.findings, verdict.message, named=not bad, details=bad or verbose, verbose=verbose)
    if verbose:
        yield from _seen(verdict.evidence, verdict.message, named=False, details=True, verbose=True)
    for waived in verdict.waived:
        yield _Line("", _placed(waived.finding.place, waived.message), "dim", 4)


def _seen(
    seen: Sequence[Finding | Evidence], message: str, *, named: bool, details: bool, verbose: bool
) -> Iterator[_Line]:
    """Each at its place; one that the verdict's own line has told already, only by its place."""
    shown = seen if verbose else seen[:_FINDINGS]
    for one in shown:
        severity = f"{one.severity}:" if named and isinstance(one, Finding) else ""
        told = one.message == message
        if one.place or not told:
            text = f"at {_name(one.place)}" if told else _placed(one.place, one.message)
            yield _Line(severity, text, indent=4)
        if details:
            yield from _details(one.details, verbose=verbose)
    if len(shown) < len(seen):
        yield _Line("", f"… and {len(seen) - len(shown)} more (--verbose shows all)", "dim", 4)


def _details(details: str, *, verbose: bool, end: bool = True) -> Iterator[_Line]:
    """The end (or the start) of what a command or a comparison had to say; with `verbose` both."""
    part = details[-_DETAILS_LIMIT:] if end else details[:_DETAILS_LIMIT]
    text = excerpt.middle(details, _DETAILS_LIMIT) if verbose else part
    lines = text.strip("\n").split("\n") if text else []
    more = [_Line("", "| … (--verbose shows all)", "dim", 6)] if not verbose and len(lines) > _TAIL else []
    if more:
        lines = lines[-_TAIL:] if end else lines[:_TAIL]
    yield from more if end else ()
    for line in lines:
        yield _Line("", f"| {excerpt.clip(line, _MESSAGE_LIMIT)}", "dim", 6)
    yield from () if end else more


def _noticed(notice: Finding, indent: int) -> _Line:
    style = "yellow" if notice.severity is not Severity.NOTICE else "dim"
    return _Line(f"{notice.severity}:", _placed(notice.place, notice.message), style, indent)


def _foot(report: Report, *, quiet: bool) -> Iterator[_Line]:
    if not report.problem:
        uncounted = f"{report.outcome}; tasks of a bundle are not counted, since that would be a rate"
        yield _Line("Gate summary:", score.words(report).replace(" of ", "/", 1) or uncounted, _STYLE[report.outcome])
        if report.tally:
            yield _Line("oracles:", report.tally)
    if not quiet:
        yield from (
            _Line(f"{tag}:", text) for tag, text in (("change", report.change), ("judge", report.judge)) if text
        )
    yield _Line(f"exit {report.exit_code}:", report.meaning, _STYLE[report.outcome])
    if report.left_out:
        yield _Line("", report.omission, "yellow")
    if report.repeat and report.outcome in _BAD:
        yield _Line("", escape.plain(report.repeat), command=True)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _name(text: str) -> str:
    return escape.plain(excerpt.clip(text, _NAME_LIMIT))


def _placed(place: str, message: str) -> str:
    message = excerpt.clip(message, _MESSAGE_LIMIT)
    return f"{_name(place)}: {message}" if place else message


def _joined(line: _Line) -> str:
    return " " * line.indent + " ".join(escape.plain(part) for part in (line.tag, line.text) if part)


def _split(line: _Line) -> Iterator[_Line]:
    """Lines that a text brings along are quoted, so that none of them passes for one of ours."""
    first, *more = line.text.replace("\r\n", "\n").rstrip("\n").split("\n")
    yield _Line(line.tag, first, line.style, line.indent, line.command)
    for text in more:
        yield _Line("", f"| {text}", line.style, line.indent + 2)


def _coloured(lines: Iterable[_Line], width: int) -> str:
    import io
    import textwrap

    from rich.console import Console  # 40 ms, and only a person looks at colours
    from rich.text import Text

    out = io.StringIO()
    # Whether there is colour is decided; rich must not ask the environment again.
    console = Console(
        file=out, force_terminal=True, color_system="standard", width=width, legacy_windows=False, _environ={}
    )
    for line in (line for one in lines for line in _split(one)):
        whole = escape.log_safe(_joined(line)).expandtabs(4)
        wrapped = [whole]
        if not line.command and len(whole) > width:
            hanging = " " * min(line.indent + 4, width // 2)
            wrapped = textwrap.wrap(
                whole, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
            )
        text = Text(escape.log_safe("\n".join(wrapped)))  # once more: a line may now begin where none did
        text.stylize(line.style, 0, line.indent + len(line.tag) if line.tag else None)
        console.print(text, soft_wrap=True, markup=False, emoji=False, highlight=False)
    return out.getvalue()
