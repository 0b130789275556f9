"""Read manifest, tasks and recordings as they lie in the working tree; judge nothing.

Exits 0, or 2 where something cannot be read.
"""

import argparse
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from gate import escape, github, options
from gate.asked import Asked
from gate.catalogue import Catalogue
from gate.changes import diff, occasion
from gate.document import Path, dotted
from gate.errors import CannotJudge, GateError
from gate.intake import Intake
from gate.oracle import Need, Oracle, Pattern, type_name
from gate.patterns.jsregex import JsPattern
from gate.plan import Plan, Planned, unmet
from gate.report import Finding
from gate.review import Review
from gate.shape import nearest_name

_NO_FAULTS = frozenset({"setting", "unverified"})
"""Kinds of notices that every report has, and nobody can mend."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("--manifest", metavar="FILE", help="the manifest (default: the nearest gate.yaml)")
    options.add_detail(parser, quiet="print only the faults", verbose="print every task that was read, too")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print what was read and every fault; 2 when there is one."""
    occasion.admit_folder(github.event(environ))
    asked = Asked(change=diff.Request(everything=True), manifest=arguments.manifest)
    try:
        with Review.of_working_tree(asked, pathlib.Path.cwd()) as review:
            intake = Intake(review)
            intake.catalogue.noted = {}
            plan = intake.plan()
            known = (review.git.index().paths,) if review.git else ()
            strays = list(unmet(intake.manifest, (*known, review.head.tree.paths)))
    except GateError as error:
        print(escape.log_safe(error.message))
        return 2
    faults = _faults(plan, intake)
    read = _read(plan) if arguments.verbose else ()
    for line in (*read, *faults, *(() if arguments.quiet else _notes(plan, strays))):
        print(escape.log_line(line))
    if arguments.quiet:
        return 2 if faults else 0
    print(escape.log_line(f"{intake.manifest.path}: {_counts(plan)}: {_many(len(faults), 'fault')}"))
    return 2 if faults else 0


def _read(plan: Plan) -> Iterator[str]:
    """A line for each task: where it is written, and what belongs to it."""
    for task in plan.tasks:
        place = f"{task.path}:{task.line}" if task.path and task.line else task.path or "?"
        oracles = ", ".join(type_name(oracle) for oracle in task.task.oracles) if task.task else "unread"
        recordings = "".join(f", {recorded.path}" for recorded in task.recordings)
        yield f"read {task.id} ({place}): {oracles}{recordings}"


def _counts(plan: Plan) -> str:
    oracles = sum(len(task.task.oracles) for task in plan.tasks if task.task)
    recordings = {recorded.path for task in plan.tasks for recorded in task.recordings}
    return f"{_many(len(plan.tasks), 'task')}, {_many(oracles, 'oracle')}, {_many(len(recordings), 'recording')}"


def _many(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def _faults(plan: Plan, intake: Intake) -> list[str]:
    faults, catalogue = [], intake.catalogue
    for task in plan.tasks:
        faults += [f"{task.id}: {line}" for line in task.problem.split("\n") if line]
        faults += [
            f"{task.id}: {notice.path}: {notice.message}" for notice in task.notices if not _is_note(task, notice)
        ]
        faults += [
            f"{task.id}: {recorded.path}: {recorded.problem}" for recorded in task.recordings if recorded.problem
        ]
        faults += _oracles(task, catalogue)
    faults += [
        f"{intake.manifest.place(('allow', number, 'oracle'))}: `allow[{number}].oracle`: there is no oracle "
        f"{waiver.oracle!r}{nearest_name(waiver.oracle, catalogue.names)}"
        for number, waiver in enumerate(plan.allow)
        if not catalogue.knows(waiver.oracle)
    ]
    return faults


def _notes(plan: Plan, strays: Iterable[Finding]) -> Iterator[str]:
    yield from (f"note: {stray.message}" for stray in strays)
    for task in plan.tasks:
        yield from (f"note: {task.id}: {notice.message}" for notice in task.notices if _is_note(task, notice))


def _is_note(task: Planned, notice: Finding) -> bool:
    """Whether every report says this, and it is no fault: a flagged task of a bundle is disclosed, a setting meant."""
    return notice.kind in _NO_FAULTS or (task.bundled and notice.kind == "task")


def _oracles(task: Planned, catalogue: Catalogue) -> Iterator[str]:
    """Patterns that an oracle could not search with, and oracles that could never be asked."""
    for oracle in task.task.oracles if task.task else ():
        for path, pattern in _patterns(oracle, ()):
            try:
                pattern.search("")
            except CannotJudge as error:
                yield f"{task.id}: {_where(task, oracle, path, catalogue)}: {error.message}"
        if Need.RECORDING in oracle.needs and not task.recordings and "names no recording" in task.silence:
            yield f"{task.id}: {type_name(oracle)} looks at a recording, and {task.silence}"


def _patterns(value: Any, path: Path, *, plain: bool = False) -> Iterator[tuple[Path, Pattern | JsPattern]]:
    """Every regular expression in an oracle, and where it stands there; with `plain` every text is one."""
    if isinstance(value, Pattern | JsPattern):
        yield path, value
    elif isinstance(value, str) and plain:
        yield path, JsPattern(value)
    elif isinstance(value, msgspec.Struct):
        searched = value.searches if isinstance(value, Oracle) else ()
        for field in msgspec.structs.fields(value):
            inner = (*path, field.encode_name)
            yield from _patterns(getattr(value, field.name), inner, plain=field.name in searched)
    elif isinstance(value, tuple | dict):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _patterns(item, (*path, key), plain=plain)


def _where(task: Planned, oracle: Oracle, path: Path, catalogue: Catalogue) -> str:
    noted = (catalogue.noted or {}).get(id(oracle))
    if noted is None:
        return type_name(oracle)
    at = (*noted.at, *path)
    return f"{noted.document.place(str(task.path), at)}: `{dotted(at)}`"
