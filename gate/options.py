"""The options that several verbs share, and what they and the environment ask for."""

import argparse
from collections.abc import Mapping

from gate import diff, github
from gate.manifest import Judge
from gate.review import Asked


def add_review(parser: argparse.ArgumentParser) -> None:
    """Options that name the change, the manifest and the judge."""
    group = parser.add_argument_group("what is judged")
    group.add_argument("--manifest", metavar="FILE", help="the manifest (default: the nearest gate.yaml)")
    group.add_argument("--base", metavar="REF", help="judge what changed since the merge base with REF")
    group.add_argument("--head", metavar="REF", help="with --base: up to REF (default: HEAD)")
    group.add_argument("--diff", choices=["all"], help="all: every task is in scope, whatever changed")
    group.add_argument("--judge", choices=[choice.value for choice in Judge], help="read the judge from base or head")
    group.add_argument("--task", metavar="ID", action="append", default=[], help="only this task (repeatable)")
    group.add_argument("--pre-commit", action="store_true", help="run as the hook: the index, no commands")
    commands = group.add_mutually_exclusive_group()
    commands.add_argument("--commands", action="store_true", default=None, help="run oracles that start commands")
    commands.add_argument("--no-commands", action="store_false", dest="commands", help="leave them out")


def add_suite(parser: argparse.ArgumentParser) -> None:
    """Options of AgentBench's call."""
    group = parser.add_argument_group("AgentBench's call")
    group.add_argument("--tasks", metavar="DIR", help="a folder of task documents; all are in scope")
    group.add_argument("--trajectory", metavar="FILE", help="with --tasks: the recording that all of them replay")


def asked(arguments: argparse.Namespace, environ: Mapping[str, str]) -> Asked:
    """What is asked for. ChangeError where the event's payload cannot be read."""
    hook = bool(arguments.pre_commit) or environ.get("PRE_COMMIT") == "1"
    commands = arguments.commands
    return Asked(
        change=diff.Request(
            base=arguments.base or None,
            head=arguments.head or None,
            everything=arguments.diff == "all",
            hook=hook,
            from_ref=environ.get("PRE_COMMIT_FROM_REF") or None,
            to_ref=environ.get("PRE_COMMIT_TO_REF") or None,
            ci=github.in_ci(environ),
        ),
        event=github.event(environ),
        manifest=arguments.manifest or None,
        judge=Judge(arguments.judge) if arguments.judge else None,
        commands=(not hook) if commands is None else bool(commands),
        only=tuple(arguments.task),
    )
