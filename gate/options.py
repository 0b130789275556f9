"""The options that several verbs share, and what they and the environment ask for."""

import argparse
from collections.abc import Mapping
from pathlib import Path

import msgspec

from gate import github
from gate.asked import Asked
from gate.changes import diff
from gate.errors import UsageError
from gate.manifest import NAME
from gate.policy import Judge, Require

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


def manifests(folder: Path) -> list[Path]:
    """Where the manifest of a call that names none may lie."""
    return [above / NAME for above in (folder, *folder.parents)]
