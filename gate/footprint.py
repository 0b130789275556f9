"""What recorded commands and sub-agents may have changed beside the recorded edits."""

import re
from typing import NamedTuple

import msgspec

from gate.cmdline.arguments import git_verb, operands, value
from gate.cmdline.shell import Simple
from gate.cmdline.target import How, Target
from gate.repeating.formatters import FORMATTERS, Formatter
from gate.replay import Replay
from gate.trace import Mark, Trace
from gate.trajectory import Ok, Step, Trajectory
from gate.tree import Tree

_WRITING_CODE = re.compile(
    r"write|dump|save|unlink|rename|replace\(|remove|rmtree|rmdir|mkdir|shutil|copy|move|touch|truncate|append|delete"
    r"|File\.|Out-File|Set-Content|['\"][wax][bt]?\+?['\"]|>|\b(?:sed|mv|cp|rm|tee|install|patch)\b",
    re.IGNORECASE,
)
_LARGEST_SCRIPT = 1024 * 1024
_REMOVING = (How.REMOVES, How.MENTIONS)


class Footprint(msgspec.Struct, frozen=True, kw_only=True):
    """One target of one recorded command, with the step and the folder in which it ran.

    `root` is where the checkout was in which it ran. `formatter` is the one that it calls, which writes files of its
    kinds alone. `restores` says that the command gives files back what was committed, which is no new content.
    """

    step: int
    target: Target
    directory: str | None
    root: str | None
    formatter: Formatter | None = None
    restores: bool = False

    def leaves(self, *, gone: bool) -> bool:
        """Whether what it does can leave a file gone, or there with another content."""
        if gone:
            return self.formatter is None and (self.target.everything or self.target.how in _REMOVING)
        return self.target.how not in (How.MODE, How.REMOVES)

    def reaches(self, path: str) -> bool:
        """Whether this may have changed a file of the workspace."""
        if self.formatter is not None and not self.formatter.writes(path):
            return False
        return self.target.reaches(path, directory=self.directory, root=self.root)

    def names(self, path: str) -> bool:
        """Whether the command names this very file; a folder or a pattern around it is not enough."""
        if self.target.how is How.MENTIONS:
            return True
        return self.target.place(directory=self.directory, root=self.root) == path


class Reach(NamedTuple):
    """The steps whose commands may have made of a file what it is: `named` name it, `near` write files like it."""

    named: tuple[int, ...]
    near: tuple[int, ...]


class Footprints:
    """The footprints of a recording. `sub_agents` are the steps that started one whose own steps are not recorded."""

    def __init__(self, prints: tuple[Footprint, ...], *, sub_agents: tuple[int, ...] = ()) -> None:
        self._prints = prints
        self.sub_agents = sub_agents

    def reach(self, path: str, *, touched: bool, gone: bool) -> Reach:
        """The steps that may have changed a file; `touched` by a recorded edit, or `gone` in the end.

        What only removes explains no content, a formatter no removal, and giving back what was committed a difference
        only where something else had made one before.
        """
        marks = [mark for mark in self._prints if mark.leaves(gone=gone) and mark.reaches(path)]
        if not touched and all(mark.restores for mark in marks):
            marks = []
        named = dict.fromkeys(mark.step for mark in marks if mark.names(path))
        near = dict.fromkeys(mark.step for mark in marks if mark.step not in named)
        return Reach(tuple(named), tuple(near))

    def modes(self, path: str) -> tuple[int, ...]:
        """The steps whose command changes the mode of this file."""
        found = (mark.step for mark in self._prints if mark.target.how is How.MODE and mark.reaches(path))
        return tuple(dict.fromkeys(found))


def footprints(trajectory: Trajectory, replay: Replay, start: Tree) -> Footprints:
    """The footprints of a trajectory's commands; those that were refused, or undone later, left none."""
    roots = [root for root in (replay.directory, *trajectory.roots) if root]
    trace = Trace(replay.directory, lambda target, directory: _read(start, target, directory, roots))
    marks = [
        Footprint(
            step=step.number,
            target=mark.target,
            directory=mark.directory,
            root=_root(mark.directory or step.directory or "", roots),
            formatter=FORMATTERS.get(mark.simple.program),
            restores=_restores(mark.simple),
        )
        for step in trajectory.steps
        for mark in trace.of(step)
        if mark.sure and not mark.target.unsure and not step.undone and _ran(step, mark)
    ]
    agents = dict.fromkeys(edit.step for edit in replay.failed if edit.kind == "sub_agent")
    return Footprints(tuple(marks), sub_agents=tuple(agents))


def _read(start: Tree, target: Target, directory: str | None, roots: list[str]) -> bytes | None:
    """A script of the start workspace."""
    place = target.place(directory=directory, root=_root(directory or "", roots))
    return start.read_at_most(place, _LARGEST_SCRIPT) if place and place in start else None


def _ran(step: Step, mark: Mark) -> bool:
    """Whether the command may have done what it does.

    A line that failed has done what stands before the part that failed; a formatter may write and fail. A line without
    an exit code that failed never ran. A text that only reads leaves nothing.
    """
    if mark.target.how is How.MENTIONS and not _WRITING_CODE.search(mark.target.path):
        return False
    if step.ok is not Ok.NO:
        return True
    return mark.command.exit_code is not None and (not mark.last or mark.simple.program in FORMATTERS)


def _restores(simple: Simple) -> bool:
    """Whether this is git giving back what was committed."""
    if simple.program != "git":
        return False
    _, words = git_verb(simple.arguments)
    verb, rest = words[:1], words[1:]
    if verb == ("checkout",) and "--" in rest:
        return rest[: rest.index("--")] in ((), ("HEAD",))
    if verb == ("restore",):
        return value(rest, "-s", "--source") in (None, "HEAD")
    if verb == ("reset",):
        return operands(rest) in ([], ["HEAD"])
    if verb == ("stash",):
        return operands(rest, "-m --message")[:1] in ([], ["push"], ["save"])
    return verb == ("clean",) or (verb == ("checkout",) and operands(rest) in (["."], ["HEAD", "."]))


def _root(directory: str, roots: list[str]) -> str | None:
    """The checkout that a folder lies in: the innermost of those that the recording knows, else the first."""
    inside = [root for root in roots if f"{directory.rstrip('/')}/".startswith(f"{root.rstrip('/')}/")]
    return max(inside, key=len, default=roots[0] if roots else None)
