"""The options that several verbs share, and what they and the environment ask for."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gate import __version__, github, outlet, redaction
from gate.asked import Asked
from gate.changes import diff
from gate.errors import GateError, UsageError
from gate.extent import Filter
from gate.policy import Judge, Require
from gate.report import Problem, Report
from gate.reporters import face

if TYPE_CHECKING:
    from gate.publishing.publication import Publication

LARGEST_RECORDING = 4 << 30
"""How many bytes of a recording named on the command line are read."""


def add_change(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Options that name the change."""
    group = parser.add_argument_group("the change")
    group.add_argument("--base", metavar="REF", help="what changed since the merge base with REF")
    group.add_argument("--head", metavar="REF", help="with --base: up to REF (default: HEAD)")
    group.add_argument(
        "--allow-fork-head",
        action="store_true",
        help="under pull_request_target and workflow_run also judge a fork's head, which is refused otherwise: a "
        "stranger's files are then read by a job that holds this repository's token and secrets; no command is started",
    )
    return group


def add_review(parser: argparse.ArgumentParser) -> None:
    """Options that name the change, the manifest and the judge."""
    group = add_change(parser)
    group.add_argument("--diff", choices=["all"], help="all: every task is in scope, whatever changed")
    group = parser.add_argument_group("what is judged")
    group.add_argument("--manifest", metavar="FILE", help="the manifest (default: the nearest gate.yaml)")
    group.add_argument("--judge", choices=[choice.value for choice in Judge], help="read the judge from base or head")
    group.add_argument("--task", metavar="ID", action="append", default=[], help="only this task (repeatable)")
    group.add_argument("--pre-commit", action="store_true", help="run as the hook: the index, no commands")
    group.add_argument(
        "--recording",
        metavar="FILE",
        action="append",
        default=[],
        help="the recording of every task, whatever the manifest names (repeatable)",
    )
    commands = group.add_mutually_exclusive_group()
    commands.add_argument("--commands", action="store_true", default=None, help="run oracles that start commands")
    commands.add_argument("--no-commands", action="store_false", dest="commands", help="leave them out")


def add_suite(parser: argparse.ArgumentParser) -> None:
    """Options of AgentBench's call."""
    group = parser.add_argument_group("AgentBench's call")
    group.add_argument("--tasks", metavar="DIR", help="a folder of task documents; all are in scope")
    group.add_argument(
        "--trajectory",
        metavar="FILE",
        help="with --tasks: the recording that all of them replay; with --bundle: a path with {name} in it",
    )


def add_bundle(parser: argparse.ArgumentParser) -> None:
    """Options of a call on a bundle."""
    group = parser.add_argument_group("a bundle's call")
    group.add_argument("--bundle", metavar="DIR", help="a bundle; all of its tasks are in scope")
    group.add_argument("--workspaces", metavar="DIR", help="with --bundle: DIR/TASK is each task's finished workspace")
    group.add_argument(
        "--require",
        choices=[word.value for word in Require],
        help="with --bundle: how near this machine must be to the pinned one (default: compatible)",
    )
    group.add_argument("--python", metavar="PATH", help="with --bundle: the interpreter of its tests")


def add_time_limit(parser: argparse.ArgumentParser) -> None:
    """The option that limits the whole run."""
    group = parser.add_argument_group("time")
    group.add_argument(
        "--time-limit",
        metavar="DURATION",
        help="judge for at most this long (`90s`, `10m`, `1h`); what is not judged by then is an error, and every "
        "report is written all the same",
    )


def time_limit(arguments: argparse.Namespace) -> float | None:
    """How many seconds the whole run has; None for no limit. UsageError for what is no duration."""
    if not arguments.time_limit:
        return None
    from gate.shape import seconds  # nearly every run is without

    try:
        return seconds(arguments.time_limit)
    except ValueError as error:
        raise UsageError(f"`--time-limit`: {error}", kind="usage") from None


def asked(arguments: argparse.Namespace, environ: Mapping[str, str]) -> Asked:
    """What is asked for. ChangeError where the event's payload cannot be read."""
    hook = bool(arguments.pre_commit) or environ.get("PRE_COMMIT") == "1"
    commands = (not hook) if arguments.commands is None else bool(arguments.commands)
    found = change(arguments, environ, hook=hook, everything=arguments.diff == "all")
    return msgspec.structs.replace(
        found,
        manifest=arguments.manifest or None,
        judge=Judge(arguments.judge) if arguments.judge else None,
        commands=commands and not (found.event is not None and found.event.privileged),
        only=tuple(arguments.task),
        recordings=tuple(filter(None, arguments.recording)),
    )


def change(
    arguments: argparse.Namespace, environ: Mapping[str, str], *, hook: bool = False, everything: bool = False
) -> Asked:
    """Which change is asked for, and nothing else. ChangeError where the event's payload cannot be read."""
    return Asked(
        change=diff.Request(
            base=arguments.base or None,
            head=arguments.head or None,
            everything=everything,
            hook=hook,
            from_ref=environ.get("PRE_COMMIT_FROM_REF") or None,
            to_ref=environ.get("PRE_COMMIT_TO_REF") or None,
            ci=github.in_ci(environ),
            allow_fork_head=arguments.allow_fork_head,
        ),
        event=github.event(environ),
    )


def add_detail(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup, *, quiet: str, verbose: str = "print everything"
) -> None:
    """Options that say how much is printed."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--quiet", action="store_true", help=quiet)
    group.add_argument("--verbose", action="store_true", help=verbose)


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
    add_detail(group, quiet="print only what is wrong")


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
