"""Read the manifest, every task and every recording as they lie in the working tree; judge nothing. Exit 0 or 2."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from gate import diff, escape
from gate.errors import GateError
from gate.intake import Intake
from gate.plan import Plan
from gate.review import Asked, Review


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("--manifest", metavar="FILE", help="the manifest (default: the nearest gate.yaml)")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:  # noqa: ARG001 - every verb is called alike
    """Print what was read and every fault; 2 when there is one."""
    asked = Asked(change=diff.Request(everything=True), manifest=arguments.manifest)
    try:
        with Review.of_working_tree(asked, Path.cwd()) as review:
            intake = Intake(review)
            plan = intake.plan()
    except GateError as error:
        print(escape.plain(error.message))
        return 2
    faults = _faults(plan)
    for fault in faults:
        print(escape.plain(fault))
    oracles = sum(len(task.task.oracles) for task in plan.tasks if task.task)
    recordings = {recorded.path for task in plan.tasks for recorded in task.recordings}
    found = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}" if faults else "all of it can be read"
    print(
        escape.plain(
            f"{intake.manifest.path}: {len(plan.tasks)} tasks, {oracles} oracles, {len(recordings)} recordings: {found}"
        )
    )
    return 2 if faults else 0


def _faults(plan: Plan) -> list[str]:
    faults = []
    for task in plan.tasks:
        if task.problem:
            faults.append(f"{task.id}: {task.problem}")
        faults += [f"{task.id}: {notice.path}: {notice.message}" for notice in task.notices]
        faults += [
            f"{task.id}: {recorded.path}: {recorded.problem}" for recorded in task.recordings if recorded.problem
        ]
    return faults
