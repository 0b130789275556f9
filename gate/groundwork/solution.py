"""Golden input at work: what a task's start workspace becomes by its patch, its command and its metrics."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gate.command import Shell, failure, without_old_links
from gate.errors import CannotJudge, GateError, PathRefused
from gate.golden import Golden
from gate.grading.consultation import shows_patch
from gate.groundwork import gitapply, misfit
from gate.groundwork.gitapply import Job
from gate.groundwork.snapshot import taken
from gate.oracle import Need, Oracle, type_name
from gate.path import confined, printable
from gate.tree import Overlay, Tree
from gate.workspace import on_disk

LIMIT = 300.0
"""How long a golden command may take, in seconds."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """One task, to be brought to its right end: its start tree, and the folder in it that is the workspace.

    `metrics` are the paths, relative to that folder, at which oracles look for custom metrics.
    """

    start: Tree
    golden: Golden
    folder: str = ""
    metrics: tuple[str, ...] = ()
    shell: Shell = Shell()


class Solved(msgspec.Struct, frozen=True, kw_only=True):
    """The trees before and after, or the reason why there are none; `kind` as in errors.

    Custom metrics lie in both, so that nothing which compares the two sees them. `printed` is the command's output.
    """

    before: Tree | None = None
    after: Tree | None = None
    printed: bytes = b""
    problem: str = ""
    kind: str = ""


def solve(works: Sequence[Work]) -> list[Solved]:
    """Apply the golden input of every task: the patch, then the command, then the custom metrics.

    Patches are names from the top of the start tree, as git writes them; the command starts in the task's folder.
    Nothing raises for one task.
    """
    solved = _patched(works)
    return [_finished(work, found) for work, found in zip(works, solved, strict=True)]


def with_metrics(tree: Tree, paths: Sequence[str], values: Mapping[str, Any], folder: str = "") -> Tree:
    """The tree with a metrics file at every path, relative to the folder. PathRefused for one that leads out."""
    prefix = f"{folder}/" if folder else ""
    data = msgspec.json.format(msgspec.json.encode(values)) + b"\n"
    return Overlay(tree, {prefix + confined(path): data for path in paths}) if paths else tree


def _patched(works: Sequence[Work]) -> list[Solved]:
    """Every task with its patch applied; all of them by as few processes as possible."""
    found = dict(enumerate(map(_begun, works)))
    at = [number for number, work in enumerate(works) if work.golden.patch is not None and not found[number].problem]
    jobs = [Job(works[number].start, works[number].golden.patch or b"") for number in at]
    for number, job, result in zip(at, jobs, gitapply.apply(jobs), strict=True):
        if result.tree is not None:
            found[number] = Solved(before=job.start, after=result.tree)
            continue
        why = misfit.reason(job.start, job.patch, result.problem) if result.kind == "patch" else result.problem
        name = printable(works[number].golden.patch_name) or "the golden patch"
        found[number] = Solved(problem=f"{name} does not apply: {why}", kind=result.kind)
    return [found[number] for number in range(len(works))]


def _begun(work: Work) -> Solved:
    """The task before anything is done; its problem where its start tree cannot be had."""
    try:
        next(iter(work.start.paths()), None)
    except GateError as error:
        return Solved(problem=error.message, kind=error.kind)
    return Solved(before=work.start, after=work.start)


def _finished(work: Work, found: Solved) -> Solved:
    golden = work.golden
    before, after = found.before, found.after
    if before is None or after is None:
        return found
    try:
        printed = b""
        if golden.command is not None:
            after, printed = _commanded(work, golden.command, after)
        if golden.custom_metrics is not None:
            before, after = (
                with_metrics(tree, work.metrics, golden.custom_metrics, work.folder) for tree in (before, after)
            )
    except (CannotJudge, PathRefused) as error:
        return Solved(problem=error.message, kind=error.kind)
    return Solved(before=before, after=after, printed=printed)


def _commanded(work: Work, command: str, tree: Tree) -> tuple[Tree, bytes]:
    """The tree that the command leaves, and what it printed. CannotJudge where it did not do its work."""
    put = without_old_links(tree, work.start)
    with on_disk(put) as place:
        done = work.shell.run(command, cwd=_inside(place, work.folder), timeout=LIMIT)
        said = failure(done, "the golden command", LIMIT)
        if said:
            raise CannotJudge(said, kind="golden_command")
        return taken(place, tree, put), done.stdout + done.stderr


def _inside(place: Path, folder: str) -> Path:
    inside = place / folder
    if not inside.is_dir():
        raise CannotJudge(f"the workspace has no folder {printable(folder)} to run a command in", kind="workspace")
    return inside


def wanting(oracles: Sequence[Oracle], golden: Golden | None) -> tuple[Oracle, ...]:
    """The oracles that golden input does not serve.

    What looks at a recording needs a golden trajectory, and what looks at a turn one in which a person says something.
    A model that looks at the whole of it is shown the patch where there is none.
    """
    found = [oracle for oracle in oracles if Need.RECORDING in oracle.needs]
    trajectory = golden.trajectory if golden else None
    if trajectory is None:
        return tuple(oracle for oracle in found if _turned(oracle) or not shows_patch(oracle))
    if any(step.source == "user" for step in trajectory.steps):
        return ()
    return tuple(filter(_turned, found))


def _turned(oracle: Oracle) -> bool:
    return getattr(oracle, "turn", None) is not None


def unserved(oracles: Sequence[Oracle], golden: Golden | None) -> str:
    """Why golden input does not serve these oracles, in a sentence that names them all; empty where it does."""
    found = wanting(oracles, golden)
    reason, advice = "look at what an agent said and did", "add a `golden_trajectory`"
    if golden is not None and golden.trajectory is not None:
        reason, advice = "look at single turns", "add a step of the user to the golden trajectory"
    names = ", ".join(oracle.name or type_name(oracle) for oracle in found)
    return f"these graders {reason}, and golden input has none of it: {names}; {advice}" if found else ""
