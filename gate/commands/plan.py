"""Print what would be judged, on what, and why every other task is out; judge nothing."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gate import escape, options
from gate.intake import Intake
from gate.oracle import type_name
from gate.plan import Plan, Planned, unmet
from gate.recorded import Recorded
from gate.report import Severity
from gate.review import Review


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    options.add_review(parser)
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")
    options.add_detail(
        parser,
        quiet="print only the tasks in scope, and what is wrong",
        verbose="also print where each task is written, its changed files, and what its recordings are",
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print the plan; 0 unless it could not be made."""
    with Review(options.asked(arguments, environ), Path.cwd()) as review:
        intake = Intake(review)
        plan = intake.plan()
        if not review.asked.only:
            strays = unmet(intake.manifest, (review.head.tree.paths, review.start().paths))
            plan = msgspec.structs.replace(plan, notices=(*plan.notices, *strays))
        if arguments.json:
            print(escape.json_document(json.dumps(_data(plan), indent=2)))
        else:
            found = _lines(plan, quiet=arguments.quiet, verbose=arguments.verbose)
            print("".join(f"{escape.log_line(line)}\n" for line in found), end="")
    return 0


def _lines(plan: Plan, *, quiet: bool, verbose: bool) -> Iterator[str]:
    if not quiet:
        yield f"change: {plan.change}"
        yield f"judge:  {plan.judge}"
    for notice in plan.notices:
        if not quiet or notice.severity is not Severity.NOTICE:
            yield f"{notice.severity}: {notice.message}"
    for task in plan.tasks:
        if task.in_scope or not quiet:
            yield f"{'in ' if task.in_scope else 'out'} {task.id}: {task.scope}"
            yield from (f"      {line}" for line in _about(task, verbose=verbose))


def _about(task: Planned, *, verbose: bool) -> Iterator[str]:
    if verbose and task.path:
        yield f"written in {task.path}{f':{task.line}' if task.line else ''}"
    if verbose:
        yield from (f"changed {path}" for path in task.changed)
        yield from (f"{notice.severity}: {notice.message}" for notice in task.notices)
    if task.problem:
        yield f"cannot be judged: {task.problem}"
    for recorded in task.recordings:
        yield f"recording {recorded.path}{_recorded(recorded, verbose=verbose)}"
    if task.in_scope and task.silence:
        yield f"no recording: {task.silence}"
    if task.in_scope and task.task is not None:
        oracles = ", ".join(type_name(oracle) for oracle in task.task.oracles)
        yield f"{task.task.finished or task.task.state.value}: {oracles}"
    for verdict in task.verdicts:
        yield f"{verdict.name}: {verdict.outcome.value}: {verdict.message}"


def _recorded(recorded: Recorded, *, verbose: bool) -> str:
    """What is wrong with a recording, or what it is."""
    if recorded.problem:
        return f": {recorded.problem}"
    trajectory = recorded.trajectory
    if trajectory is None or not verbose:
        return ""
    steps = sum(1 for _ in trajectory.steps)
    return f": {trajectory.format}, {steps} step{'' if steps == 1 else 's'}"


def _data(plan: Plan) -> dict[str, Any]:
    return {
        "change": plan.change,
        "judge": plan.judge,
        "notices": [notice.message for notice in plan.notices],
        "tasks": [_task(task) for task in plan.tasks],
    }


def _task(task: Planned) -> dict[str, Any]:
    return {
        "id": task.id,
        "in_scope": task.in_scope,
        "reason": task.scope,
        "problem": task.problem or None,
        "path": task.path,
        "line": task.line,
        "state": task.task.state.value if task.task else None,
        "finished": task.task.finished if task.task else None,
        "oracles": [type_name(oracle) for oracle in task.task.oracles] if task.task else [],
        "recordings": [{"path": item.path, "problem": item.problem or None} for item in task.recordings],
        "silence": task.silence or None,
        "verdicts": [
            {"name": verdict.name, "outcome": verdict.outcome.value, "message": verdict.message}
            for verdict in task.verdicts
        ],
    }
