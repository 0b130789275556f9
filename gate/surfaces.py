"""The options that say where reports go, and what is written there."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gate import __version__, options, outlet, redaction
from gate.errors import GateError, UsageError
from gate.extent import Filter
from gate.report import Problem, Report
from gate.reporters import face
from gate.usage import REPORTS, Parser, keep_apart

if TYPE_CHECKING:
    from gate.publishing.publication import Publication


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Options that say where reports go."""
    group = parser.add_argument_group("reports")
    group.add_argument("--junit", metavar="PATH", help="write JUnit XML")
    group.add_argument(
        "--junit-profile",
        choices=["annotated", "strict"],
        default="annotated",
        help="strict: only what the JUnit schemas know, without file and line",
    )
    group.add_argument("--json", metavar="PATH", help="write the whole report as JSON")
    group.add_argument("--summary", metavar="PATH", help="write the summary as Markdown")
    group.add_argument("--sarif", metavar="PATH", help="write SARIF 2.1.0, for code scanning")
    group.add_argument("--code-quality", metavar="PATH", help="write a code quality report of GitLab")
    annotations = group.add_mutually_exclusive_group()
    annotations.add_argument("--annotations", action="store_true", default=None, help="print workflow commands")
    annotations.add_argument(
        "--no-annotations", action="store_false", dest="annotations", help="print none (default outside GitHub Actions)"
    )
    group.add_argument(
        "--filter-mode",
        choices=[mode.value for mode in Filter],
        default=Filter.FILE.value,
        help="where annotations stand (default: in files of the change); elsewhere they tell their place in words",
    )
    group.add_argument(
        "--fail-on-publish-error",
        action="store_true",
        help="exit 4 instead of 0 where a report could not be written, or shown on GitHub",
    )
    options.add_detail(group, quiet="print only what is wrong")


def add_publication(parser: argparse.ArgumentParser) -> None:
    """Options that say what is shown on GitHub by requests."""
    group = parser.add_argument_group("on GitHub")
    group.add_argument("--check-run", action="store_true", help="show the verdict as a check run of its own")
    group.add_argument(
        "--check-run-id",
        metavar="ID",
        default="",
        help="show it on this check run, the job's own (`job.check_run_id`), where GitHub lets us",
    )
    group.add_argument(
        "--comment",
        choices=["off", "on-failure", "on-change", "always"],
        default="off",
        help="when the pull request gets a comment (default: off); the one that is there is kept true",
    )
    group.add_argument("--key", metavar="KEY", default="", help="what tells this job apart from others of its matrix")
    group.add_argument("--ca-bundle", metavar="FILE", default="", help="certificates to trust, of an Enterprise server")
    group.add_argument("--dry-run", action="store_true", help="send nothing; print the requests as JSON")


def publication(
    arguments: argparse.Namespace, environ: Mapping[str, str], *, handed: bool = False
) -> "Publication | None":
    """What is to be shown on GitHub, None where nothing is. UsageError for options that cannot be meant.

    `handed`: the report is that of the run which the event `workflow_run` tells of.
    """
    if not (arguments.check_run or arguments.check_run_id or arguments.comment != "off" or arguments.dry_run):
        return None
    from gate.publishing.publication import Publication, Wanted  # nearly every run is without
    from gate.reporters.comment import Mode

    wanted = Wanted(
        check_run=bool(arguments.check_run or arguments.check_run_id),
        job=arguments.check_run_id,
        comment=Mode(arguments.comment),
        key=arguments.key,
        ca_bundle=arguments.ca_bundle,
        dry_run=arguments.dry_run,
        handed=handed,
    )
    return Publication(wanted, environ)


def publish(
    report: Report,
    arguments: argparse.Namespace,
    environ: Mapping[str, str],
    publication: "Publication | None" = None,
) -> list[str]:
    """Write every report that was asked for, and those that GitHub Actions takes from a step; what was refused."""
    dry = bool(publication and arguments.dry_run)
    actions = environ.get("GITHUB_ACTIONS") == "true"
    colour = bool(sys.stdout and sys.stdout.isatty()) and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    refused = face.publish(
        report,
        face.Targets(
            junit=_path(arguments.junit),
            json=_path(arguments.json),
            summary=_path(arguments.summary),
            sarif=_path(arguments.sarif),
            code_quality=_path(arguments.code_quality),
            github_summary=_path(environ.get("GITHUB_STEP_SUMMARY")) if actions else None,
            github_output=_path(environ.get("GITHUB_OUTPUT")) if actions else None,
            annotations=actions if arguments.annotations is None else bool(arguments.annotations),
            filter_mode=Filter(arguments.filter_mode),
            quiet=arguments.quiet,
            verbose=arguments.verbose,
            colour=colour,
            width=_width(environ) if colour else 100,
            junit_profile=arguments.junit_profile,
            secrets=redaction.secrets(environ),
        ),
        sys.stderr if dry else sys.stdout,
        publication.close if publication else None,
    )
    for sentence in refused:
        if sentence.startswith(outlet.UNPRINTED):
            outlet.tell(sentence)
    if publication and dry:
        refused += outlet.say(sys.stdout, publication.requests())
    return refused


def refused(error: UsageError, words: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Write the reports that a refused command line asks for; whether it asked for any, and they can be told."""
    parser = Parser(add_help=False)
    add_reports(parser)
    try:
        arguments, _ = parser.parse_known_args(words)
        keep_apart(arguments, options.manifests(Path.cwd()))
    except UsageError:
        return False
    if environ.get("GITHUB_ACTIONS") != "true" and not any(getattr(arguments, name) for name in REPORTS):
        return False
    publish(problem(error), arguments, environ)
    return True


def problem(error: GateError) -> Report:
    """The report of a run that an error ended before anything was judged."""
    found = Problem(message=error.message, exit_code=error.exit_code, kind=error.kind)
    return Report(problem=found, version=__version__)


def exit_code(report: Report, refused: Sequence[str], arguments: argparse.Namespace) -> int:
    """The report's own, but 4 for a good one that could not be printed.

    The same for one of which anything was `refused`, where `arguments` ask for that.
    """
    unprinted = sys.stdout is not None and any(sentence.startswith(outlet.UNPRINTED) for sentence in refused)
    return report.exit_code or (4 if unprinted or (refused and arguments.fail_on_publish_error) else 0)


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def _width(environ: Mapping[str, str]) -> int:
    named = environ.get("COLUMNS", "")
    if named.isdigit():
        return max(40, int(named))
    try:
        return max(40, os.get_terminal_size().columns or 100)  # a terminal that does not know its size says 0
    except OSError:
        return 100
