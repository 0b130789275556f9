"""Judge the change: read the manifest, replay recordings, ask the oracles, report, and exit by the verdict."""

import argparse
import shlex
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate import __version__, deadline, options, surfaces
from gate.asked import Asked
from gate.errors import GateError, NothingToJudge, UsageError, bug
from gate.extent import Extent, Filter
from gate.plan import Plan
from gate.policy import Require
from gate.report import Finding, Problem, Report, Severity
from gate.run import run as judge
from gate.usage import keep_apart

if TYPE_CHECKING:
    from gate.review import Review
    from gate.suite import Call


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    options.add_review(parser)
    options.add_suite(parser)
    options.add_bundle(parser)
    options.add_time_limit(parser)
    surfaces.add_reports(parser)
    surfaces.add_publication(parser)


refused = surfaces.refused


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Plan, judge, report; the exit code is the report's."""
    try:
        publication = surfaces.publication(arguments, environ)
    except GateError as error:
        surfaces.publish(surfaces.problem(error), arguments, environ)
        return error.exit_code
    with publication or nullcontext():
        report = _report(arguments, environ)
        refused = surfaces.publish(report, arguments, environ, publication)
    return surfaces.exit_code(report, refused, arguments)


def _report(arguments: argparse.Namespace, environ: Mapping[str, str]) -> Report:
    """The report of a whole run; what ends it early is its problem, and is reported like everything else."""
    try:
        named = (arguments.manifest, arguments.trajectory, *arguments.recording)
        keep_apart(arguments, [*filter(None, named), *options.manifests(Path.cwd())])
        asked = options.asked(arguments, environ)
        if arguments.bundle or arguments.workspaces:
            with deadline.limit(options.time_limit(arguments)):
                return _bundle(arguments, asked)
        call = _call(arguments)
        with deadline.limit(options.time_limit(arguments)):
            return _suite(call, asked, arguments) if call is not None else _manifest(asked, arguments)
    except NothingToJudge as nothing:
        said = Finding(severity=Severity.NOTICE, kind=nothing.kind, message=f"{nothing.message}.")
        return Report(notices=(said,), version=__version__)
    except GateError as error:
        return surfaces.problem(error)
    except deadline.TimeUp as up:
        return _problem(f"{up} before anything was judged", "time_limit")
    except Exception as error:
        return _problem(bug(error), "bug")


def _manifest(asked: Asked, arguments: argparse.Namespace) -> Report:
    from gate.review import Review  # AgentBench's call by hand is about no change

    with deadline.heeding():
        review = Review(asked, Path.cwd())
    with review:
        with deadline.heeding():
            from gate.intake import Intake  # AgentBench's call has no manifest to read

            intake = Intake(review)
            plan = intake.plan()
        _keep_inputs(arguments, plan, review.top, intake.manifest.path)
        plan = _proved(plan)
        report = judge(msgspec.structs.replace(plan, repeat=_repeat(plan, review, asked, arguments.time_limit)))
        return msgspec.structs.replace(report, extent=_extent(report, review, Filter(arguments.filter_mode)))


def _keep_inputs(arguments: argparse.Namespace, plan: Plan, top: Path, *more: str) -> None:
    """UsageError where a report would be written over what the plan was read from; its paths are relative to `top`."""
    recordings = (one.path for task in plan.tasks for one in task.recordings if not one.elsewhere)
    keep_apart(
        arguments, [top / path for path in (*more, *(task.path for task in plan.tasks if task.path), *recordings)]
    )


def _proved(plan: Plan) -> Plan:
    """The plan after its controls, where any is due."""
    if not plan.asks_for_proof:
        return plan
    from gate.proving import proof  # most changes touch no task, and nothing is to be proved

    return proof.proved(plan)


def _extent(report: Report, review: "Review", mode: Filter) -> Extent | None:
    """Where the change lies; lines are looked for where something was found, and only when they are asked for."""
    if review.change is None or review.change.everything:
        return None
    if mode not in (Filter.ADDED, Filter.DIFF_CONTEXT):
        return Extent(dict.fromkeys(review.change.paths, ()))
    from gate import account  # by default no line is looked at
    from gate.reporters import annotations

    found = {one.path for one in annotations.collect(report) if one.path}
    return account.extent(review.change.paths, review.start(), review.head.tree, measured=found)


def _problem(message: str, kind: str) -> Report:
    return Report(problem=Problem(message=message, exit_code=4, kind=kind), version=__version__)


def _bundle(arguments: argparse.Namespace, asked: Asked) -> Report:
    """Judge what one agent made of a bundle: its results lie on this machine, where the caller says."""
    from gate import lane  # only such a call needs it

    given = [arguments.workspaces, arguments.trajectory]
    if not arguments.bundle or sum(map(bool, given)) != 1 or arguments.tasks or arguments.manifest:
        raise UsageError(
            "--bundle DIR goes together with --workspaces DIR, or with --trajectory PATH, and with neither --tasks nor "
            "--manifest",
            kind="usage",
        )
    require, folder = None if arguments.require is None else Require(arguments.require), Path.cwd()
    with deadline.heeding():
        opened = _opened(asked, folder)
    with opened as review:
        with deadline.heeding():
            exam = lane.exam(arguments.bundle, folder, require=require, python=arguments.python, review=review)
            plan = lane.plan(exam, lane.Lane(workspaces=arguments.workspaces, recordings=arguments.trajectory), asked)
        return _judged(plan)


def _call(arguments: argparse.Namespace) -> "Call | None":
    if arguments.tasks is None and arguments.trajectory is None:
        return None
    if arguments.tasks is None or arguments.trajectory is None:
        missing = "--tasks DIR" if arguments.tasks is None else "--trajectory FILE"
        raise UsageError(f"{missing} is missing: --tasks and --trajectory go together", kind="usage")
    if any(arguments.recording):
        raise UsageError("--recording is for a manifest; with --tasks the recording is --trajectory", kind="usage")
    from gate.suite import Call  # a manifest has no need of it

    return Call(tasks=arguments.tasks, trajectory=arguments.trajectory, manifest=arguments.manifest)


def _suite(call: "Call", asked: Asked, arguments: argparse.Namespace) -> Report:
    from gate import suite  # as in `_call`

    folder = Path.cwd()
    with deadline.heeding():
        opened = _opened(asked, folder)
    with opened as review:
        with deadline.heeding():
            plan = suite.plan(call, asked, folder, review)
        _keep_inputs(arguments, plan, folder)
        return _judged(plan)


def _opened(asked: Asked, folder: Path) -> "AbstractContextManager[Review | None]":
    """In CI, or with a named base, tasks are read from the judge's revision; by hand, without one, from the disk."""
    if asked.event is None and asked.change.base is None:
        return nullcontext()
    from gate.review import Review  # as in `_manifest`

    return Review(asked, folder)


def _judged(plan: Plan) -> Report:
    """The report, which is repeated by the same words."""
    return judge(msgspec.structs.replace(plan, repeat=shlex.join(["gate", *sys.argv[1:]])))


def _repeat(plan: Plan, review: "Review", asked: Asked, limit: str | None) -> str:
    """The command that judges the same change again, on this machine."""
    words = ["gate", "run"]
    change = review.change
    if asked.manifest:
        words += ["--manifest", asked.manifest]
    if asked.change.everything:
        words += ["--diff", "all"]
    if change is not None and not change.staged and change.base and change.head:
        words += ["--base", change.upstream or change.base, "--head", change.head]
    if asked.judge:
        words += ["--judge", asked.judge.value]
    for task in asked.only:
        words += ["--task", task]
    for recording in asked.recordings:
        words += ["--recording", recording]
    if not plan.commands:
        words += ["--no-commands"]
    if limit:
        words += ["--time-limit", limit]
    return shlex.join(words)
