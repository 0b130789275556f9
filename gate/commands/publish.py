"""Show on GitHub what another workflow's run has judged: its JSON report as a check run and a comment.

For a job on `workflow_run`, beside a run for a fork's pull request, whose own token only reads. The report is data of
that pull request: it is checked, and never says where it is published; that is the commit which the event names.
"""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from gate import github, handover, surfaces
from gate.errors import ChangeError, GateError, UsageError
from gate.report import Finding, Report, Severity
from gate.usage import keep_apart

if TYPE_CHECKING:
    from gate.publishing.publication import Publication


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("report", metavar="REPORT.json", help="what `gate run --json` has written in the other run")
    surfaces.add_reports(parser)
    surfaces.add_publication(parser)
    parser.set_defaults(annotations=False)  # they would stand beside the default branch's last commit


refused = surfaces.refused


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Publish; 0 when all is shown that was asked for, 2 for a report that is none, 3 for another event, else 4."""
    try:
        keep_apart(arguments, [arguments.report])
        ran = _ran(environ)
        publication = _publication(arguments, environ)
    except GateError as error:
        surfaces.publish(surfaces.problem(error), arguments, environ)
        return error.exit_code
    code = 0
    try:
        report = _told(handover.load(arguments.report), ran)
    except GateError as error:  # nobody shall take a verdict that is missing for a good one
        report, code = surfaces.problem(error), error.exit_code
    with publication:
        refused = surfaces.publish(report, arguments, environ, publication)
    return code or (4 if refused else 0)


def _ran(environ: Mapping[str, str]) -> github.Run:
    event = github.event(environ)
    if event is None or event.name != "workflow_run":
        found = f"this one is `{event.name}`" if event else "there is none"
        raise ChangeError(f"`gate publish` is for the event `workflow_run`, and {found}", kind="event")
    if event.run is None:
        raise ChangeError("the event `workflow_run` has a payload without the run's `id`", kind="event")
    return event.run


def _publication(arguments: argparse.Namespace, environ: Mapping[str, str]) -> "Publication":
    if arguments.check_run_id:
        raise UsageError("--check-run-id is this job's own check run, on another commit: leave it out", kind="usage")
    asked = arguments.check_run or arguments.comment != "off"
    publication = surfaces.publication(arguments, environ, handed=True) if asked else None
    if publication is None:
        raise UsageError("there is nothing to publish: add --check-run, --comment, or both", kind="usage")
    return publication


def _told(report: Report, ran: github.Run) -> Report:
    """The report with a word of where it is from, and without the command to repeat it, which a stranger wrote."""
    whose = f" of {ran.repository}" if ran.repository else ""
    ended = f", which ended as {ran.conclusion}," if ran.conclusion else ""
    said = Finding(
        severity=Severity.NOTICE,
        kind="handed_over",
        message=f"This is what run {ran.id}{whose}{ended} has reported. It was not judged here, and that run was the "
        "pull request's own: its author could make it say anything",
    )
    return msgspec.structs.replace(report, notices=(said, *report.notices), repeat="")
