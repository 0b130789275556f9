"""Print what would be judged, on what, and why every other task is out; judge nothing."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gate import escape, options
from gate.intake import Intake
from gate.oracle import type_name
from gate.plan import Plan, Planned
from gate.review import Review


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    options.add_review(parser)
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print the plan; 0 unless it could not be made."""
    with Review(options.asked(arguments, environ), Path.cwd()) as review:
        plan = Intake(review).plan()
        print(json.dumps(_data(plan), indent=2) if arguments.json else "\n".join(_lines(plan)))
    return 0


def _lines(plan: Plan) -> Iterator[str]:
    yield escape.plain(f"change: {plan.change}")
    yield escape.plain(f"judge:  {plan.judge}")
    for notice in plan.notices:
        yield escape.plain(f"{notice.severity}: {notice.message}")
    for task in plan.tasks:
        yield escape.plain(f"{'in ' if task.in_scope else 'out'} {task.id}: {task.scope}")
        if task.problem:
            yield escape.plain(f"      cannot be judged: {task.problem}")
        for recorded in task.recordings:
            yield escape.plain(f"      recording {recorded.path}{f': {recorded.problem}' if recorded.problem else ''}")
        if task.in_scope and task.silence:
            yield escape.plain(f"      no recording: {task.silence}")
        if task.in_scope and task.task is not None:
            oracles = ", ".join(type_name(oracle) for oracle in task.task.oracles)
            yield escape.plain(f"      {task.task.finished or task.task.state.value}: {oracles}")
        for verdict in task.verdicts:
            yield escape.plain(f"      {verdict.name}: {verdict.outcome.value}: {verdict.message}")


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
