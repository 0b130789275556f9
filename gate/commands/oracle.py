"""Prove oracles: ask them of the reference solution (golden input), or of nothing done at all (the baseline).

Exits 0, or 1 where a control does not hold; 2 only where something cannot be read.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gate import deadline, github, options, outlet
from gate.asked import Asked
from gate.changes import diff, occasion
from gate.errors import GateError, UsageError
from gate.github import Event
from gate.golden import Control
from gate.plan import Plan, Planned
from gate.proving import control, rehearsal
from gate.reporters import controls, face, outcomes
from gate.shape import nearest_name
from gate.standing import Controlled
from gate.usage import named_file
from gate.workspace import kept

_UNPROVED = "unproved, since it has no golden input"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    group = parser.add_argument_group("which tasks (default: all of the nearest gate.yaml)")
    group.add_argument(
        "-e", "--eval-spec", metavar="FILE", help="an eval spec; by default its stimuli with golden input"
    )
    group.add_argument("--tasks", metavar="DIR", help="a folder of AgentBench's task documents")
    group.add_argument("--bundle", metavar="DIR", help="a bundle")
    group.add_argument("--manifest", metavar="FILE", help="another gate.yaml; with --tasks: AgentBench's gate manifest")
    group.add_argument(
        *("--stimulus", "--task"), metavar="NAME", action="append", default=[], help="only this one (repeatable)"
    )
    group = parser.add_argument_group("what is done")
    group.add_argument(
        "--no-golden-input", action="store_true", help="the baseline: withhold all golden input; graders must fail"
    )
    group.add_argument("--skip-grade", action="store_true", help="apply golden input and ask no grader")
    group.add_argument("--no-commands", action="store_true", help="start no commands")
    group.add_argument("--judge-model", metavar="MODEL", help="the model of graders that name none")
    group.add_argument("--judge-reasoning-effort", metavar="WORD", help="its reasoning effort")
    group.add_argument(
        "--grader-plugin",
        metavar="PLUGIN",
        action="append",
        default=[],
        help="a Python file with an oracle, or an entry point of the group gate.oracles (repeatable)",
    )
    options.add_time_limit(parser)
    group = parser.add_argument_group("what is shown")
    group.add_argument("--output", choices=["jsonl", "atif"], help="a line of JSON a task; or one ATIF document")
    group.add_argument("--run-id", metavar="ID", help="the run's id in JSON (default: a new one)")
    group.add_argument("--diff-output", metavar="PATH", help="write what golden input changed, for one task")
    group.add_argument("--keep-workspace", action="store_true", help="keep the workspace, and say where it is")
    group.add_argument("--workspace", metavar="DIR", help="put the workspace there, for one task")
    options.add_detail(group, quiet="show only what does not hold", verbose="show what every grader saw")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Run the control, show it, and exit by it."""
    try:
        _check(arguments)
        event = github.event(environ)
        occasion.admit_folder(event)
        asked = _asked(arguments, event)
        call = rehearsal.Call(
            spec=arguments.eval_spec, tasks=arguments.tasks, bundle=arguments.bundle, manifest=arguments.manifest
        )
        with rehearsal.planned(call, asked, Path.cwd(), arguments.grader_plugin) as plan:
            return _controlled(plan, arguments)
    except GateError as error:
        outlet.tell(error.message)
        return 1 if error.kind == "no_golden" else 2


def _check(arguments: argparse.Namespace) -> None:
    """UsageError for options that do not go together."""
    named = [word for word in ("eval_spec", "tasks", "bundle") if getattr(arguments, word) is not None]
    if len(named) > 1:
        words = " and ".join(f"--{word.replace('_', '-')}" for word in named)
        raise UsageError(f"{words} each name where tasks are written; expected one of them", kind="usage")
    if arguments.output == "atif" and not arguments.skip_grade:
        raise UsageError("--output atif is the workspace's history and no grade: add --skip-grade", kind="usage")
    named_file(arguments, "diff_output")
    for word in ("judge_model", "judge_reasoning_effort", "run_id"):
        told = getattr(arguments, word)
        if told is not None and not told.strip():
            raise UsageError(f"--{word.replace('_', '-')}: expected a word, found nothing", kind="usage")


def _asked(arguments: argparse.Namespace, event: Event | None) -> Asked:
    """What is asked of the plan. Where a stranger's change may be checked out, a judge command gets no secrets."""
    foreign = event is not None and (event.privileged or "pull_request" in event.payload)
    return Asked(
        change=diff.Request(everything=True, ci=foreign),
        commands=not arguments.no_commands and not (event is not None and event.privileged),
        recorded=False,
        judge_model=arguments.judge_model,
        judge_reasoning_effort=arguments.judge_reasoning_effort,
    )


def _controlled(plan: Plan, arguments: argparse.Namespace) -> int:
    which = Control.BASELINE if arguments.no_golden_input else Control.GOLDEN
    tasks = _selected(plan, arguments)
    _check_one(tasks, arguments)
    with deadline.limit(options.time_limit(arguments)):
        found = control.run(plan, tasks, which, control.Asking(graded=not arguments.skip_grade))
    asked = bool(arguments.stimulus) or plan.policy.require_golden
    found = [_unproved(one, named=asked) for one in found]
    said = _show(found, arguments)
    if found and all(one.omitted == _UNPROVED for one in found):
        sentence = "nothing was proved: no task has golden input; add `golden` to one, or try `--no-golden-input`"
        outlet.tell(sentence)
        return 1
    if any(not one.readable for one in found):
        return 2
    return 1 if said or not all(one.ok for one in found) else 0


def _selected(plan: Plan, arguments: argparse.Namespace) -> Sequence[Planned]:
    """The tasks that are proved: of an eval spec those with golden input, unless they are named."""
    named = arguments.stimulus
    known = [task.id for task in plan.tasks]
    for name in named:
        if name not in known:
            where = arguments.eval_spec or arguments.tasks or arguments.bundle or "the manifest"
            raise UsageError(f"there is no task {name!r} in {where}{nearest_name(name, known)}", kind="unknown_task")
    if named or arguments.eval_spec is None:
        return [task for task in plan.tasks if not named or task.id in named]
    tasks = [task for task in plan.tasks if task.task is None or task.task.golden is not None]
    if not tasks:
        raise UsageError(
            f"no stimulus of {arguments.eval_spec} has golden input, so there is nothing to prove; "
            "add a `golden_patch` or the like, or name stimuli with --stimulus",
            kind="no_golden",
        )
    return tasks


def _check_one(tasks: Sequence[Planned], arguments: argparse.Namespace) -> None:
    """UsageError where an option is for one task, and there are several."""
    words = [word for word in ("diff_output", "workspace") if getattr(arguments, word) is not None]
    words += ["output"] if arguments.output == "atif" else []
    if words and len(tasks) != 1:
        option = "--output atif" if words[0] == "output" else f"--{words[0].replace('_', '-')}"
        raise UsageError(f"{option} is for one task, found {len(tasks)}; name it with --stimulus", kind="usage")


def _unproved(one: Controlled, *, named: bool) -> Controlled:
    """A task without golden input is not wrong for that, unless it is named."""
    if one.kind != "no_golden" or named:
        return one
    return msgspec.structs.replace(one, problem="", kind="", omitted=_UNPROVED)


def _show(found: Sequence[Controlled], arguments: argparse.Namespace) -> list[str]:
    """Print everything that is asked for; returned is what could not be done, in words."""
    said: list[str] = []
    notes = [*_workspaces(found, arguments, said)]
    if arguments.diff_output is not None:
        said += filter(None, [face.write("the diff", Path(arguments.diff_output), found[0].diff)])
    if arguments.output == "jsonl":
        run_id = arguments.run_id or _new_id()
        text = outcomes.jsonl(found, run=run_id, time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    elif arguments.output == "atif":
        text = "" if found[0].problem else outcomes.atif(found[0])
        said += filter(None, [found[0].problem])
    else:
        text = controls.render(found, verbose=arguments.verbose, quiet=arguments.quiet) + "".join(
            f"{note}\n" for note in notes
        )
        notes = []
    said += outlet.say(sys.stdout, text)
    for sentence in [*notes, *said]:
        outlet.tell(sentence)
    return said


def _workspaces(found: Sequence[Controlled], arguments: argparse.Namespace, said: list[str]) -> list[str]:
    """Where workspaces were put that stay."""
    if not (arguments.keep_workspace or arguments.workspace):
        return []
    places = []
    for one in found:
        if one.after is None:
            continue
        try:
            place = kept(one.after, Path(arguments.workspace) if arguments.workspace else None)
        except GateError as error:
            said.append(f"the workspace of {one.id} cannot be kept: {error.message}")
        else:
            places.append(f"Workspace of {one.id}: {place}")
    return places


def _new_id() -> str:
    from uuid import uuid4  # only JSON needs it

    return str(uuid4())
