"""`file_not_modified`: protected files are what they were."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gate.errors import CannotJudge
from gate.oracle import Oracle, Trial
from gate.path import printable
from gate.report import Evidence, Finding
from gate.scope import Patterns, is_glob
from gate.trajectory import Ok
from gate.tree import SYMLINK

if TYPE_CHECKING:
    from gate.cmdline.target import Target
    from gate.repeating.formatters import Formatter
    from gate.trace import Mark
    from gate.trajectory import Trajectory

    Reading = Callable[[Target, str | None], bytes | None]

_NOWHERE = re.compile(r"/dev/(?:null|stdout|stderr|tty)")
_PLUGGABLE = frozenset(["prettier", "eslint", "stylelint"])  # plugins teach them other kinds of files
_LARGEST_SCRIPT = 1024 * 1024


class FileNotModified(Oracle, frozen=True):
    """A file, or every file that a glob matches, is at the end what it was at the start.

    `path` is a file of the task's workspace, or a glob: `tests/**` is everything below `tests`, `*` stays within a
    folder, `docs/` is all below that folder. Bytes and modes are compared, whatever the recording says: a file that
    was changed, deleted or replaced, or whose mode was changed, is *fail*, and so is one that was added under a glob.
    A path that is not in the start workspace, or a glob that matches nothing, is *error*: it protects nothing.

    Under `state: replay` only recorded edits are applied, so a recorded command that may have changed a protected file
    (`rm`, `sed -i`, `git checkout`, a formatter, a script of the agent in which its path stands, …) is *error*: what
    it did is not known. So is one of which it cannot be told: a target that only a shell would tell (`rm $(ls)`,
    `$X` that the line does not set), code of the agent that writes files which it finds (`glob`, `os.walk`, arguments),
    and whatever goes through a link that an earlier command made. What a line sets itself is told (`f=a.py; rm $f`,
    loops), as are `make x` and `npm run x` where the recipe is in the workspace or was written. Temporary files
    (`$TMPDIR`, `mktemp`) are none of the workspace, an unknown part behind a folder's name stays in it, and a program
    that no table has changes nothing unless it runs a script that the agent wrote. Of a line that failed counts what
    stands before the part that failed; a step that never ran does not count.
    """

    asserts_absence: ClassVar[bool] = True

    path: str

    @property
    def protects(self) -> tuple[str, ...]:
        """What must not be modified is not judged by its modified self, either."""
        return (self.path,)

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare the trees, then look for commands that the replay cannot show."""
        protected = self._protected(trial)
        changed = [name for name in protected if not trial.before.same(name, trial.after)]
        if changed:
            yield from (_change(name, trial) for name in changed)
            return
        if trial.replayed and trial.recorded:
            self._refuse_commands(protected, trial)
        if len(protected) == 1:
            yield Evidence(message=f"File unchanged: {printable(protected[0])}", path=protected[0])
        else:
            yield Evidence(message=f"{len(protected)} files unchanged: {self.path}")

    def _protected(self, trial: Trial) -> list[str]:
        name = posixpath.normpath(self.path)
        if name in trial.before:
            return [name]
        if self._many:
            matches = self._patterns().match
            found = sorted(filter(matches, {*trial.before.paths(), *trial.after.paths()}))
            if found:
                return found
            raise CannotJudge(f"No file in the workspace matches {self.path}", kind="not_in_workspace")
        is_folder = any(path.startswith(f"{name}/") for path in trial.before.paths())
        advice = f": it is a folder, write {name}/**" if is_folder else ""
        raise CannotJudge(f"File not in initial workspace: {self.path}{advice}", kind="not_in_workspace")

    @property
    def _many(self) -> bool:
        return is_glob(self.path) or self.path.endswith("/")

    def _patterns(self) -> Patterns:
        return Patterns([self.path])

    def _refuse_commands(self, protected: list[str], trial: Trial) -> None:
        from gate.cmdline.target import TOO_DEEP  # as in `_traced`

        root = trial.replay.directory if trial.replay else trial.trajectory.directory
        touches = _touches(trial, root)
        if touches == ():
            return
        patterns = self._patterns() if self._many and posixpath.normpath(self.path) not in trial.before else None
        names = [posixpath.join(trial.folder, name) for name in protected]
        for step, target, directory, command, formatter in touches:
            place = target.place(directory=directory, root=root)
            written = [name for name in names if formatter is None or formatter.writes(name) or name == place]
            reached = next((name for name in written if _reaches(target, name, directory, root)), None)
            if reached is None and patterns:
                inside = _inside(trial, place)
                reached = place if inside and patterns.match(inside) else None
            if reached is not None and target.unsure:
                raise CannotJudge(
                    f"it cannot be told whether step {step} changed {printable(reached)}, since "
                    f"{printable(target.unsure)}: {command!r}",
                    kind="unread_command" if target.unsure == TOO_DEEP else "recorded_command",
                )
            if reached is not None:
                raise CannotJudge(
                    f"step {step} ran a command that may have changed {printable(reached)}, which a replay "
                    f"of edits cannot show: {command!r}",
                    kind="recorded_command",
                )


def _reaches(target: "Target", name: str, directory: str | None, root: str | None) -> bool:
    known = target.reaches(name, directory=directory, root=root)
    return known or target.may_reach(name, directory=directory, root=root)


class _Touch(NamedTuple):
    """What a recorded command may have changed: its step, the target, the folder it ran in, and its first words.

    `formatter` is the one that it calls, which writes files of its kinds alone.
    """

    step: int
    target: "Target"
    directory: str | None
    command: str
    formatter: "Formatter | None" = None


def _touches(trial: Trial, root: str | None) -> Iterable[_Touch]:
    """Every target of every recorded command, found once for all tasks that share a recording.

    Where a command runs a script of the task's own workspace, that is another one in each task.
    """
    trajectory = trial.trajectory
    there = _links(trial, root)
    if there:
        return _traced(trajectory, root, _reading(trial, root), there)
    shared = trajectory.once((FileNotModified, root), lambda: _shared(trajectory, root))
    if shared is not None:
        return shared
    return _traced(trajectory, root, _reading(trial, root))


def _reading(trial: Trial, root: str | None) -> "Reading":
    return lambda target, directory: _script(trial, target.place(directory=directory, root=root))


def _links(trial: Trial, root: str | None) -> dict[str, tuple[str, ...]]:
    """The links of the start workspace by their places, and where they lead."""
    found: dict[str, tuple[str, ...]] = {}
    for path in trial.before.paths():
        if trial.before.mode(path) == SYMLINK:
            place = posixpath.join(root or "", trial.folder, path)
            source = trial.before.read(path).decode("utf-8", "surrogateescape")
            found[place] = (posixpath.normpath(posixpath.join(posixpath.dirname(place), source)),)
    return found


def _shared(trajectory: "Trajectory", root: str | None) -> tuple[_Touch, ...] | None:
    """The targets; None where the start workspace matters to them."""
    asked: list[Target] = []
    found: list[_Touch] = []
    for touch in _traced(trajectory, root, lambda target, _: asked.append(target)):
        if asked:
            break
        found.append(touch)
    return None if asked else tuple(found)


def _traced(
    trajectory: "Trajectory", root: str | None, read: "Reading", links: dict[str, tuple[str, ...]] | None = None
) -> Iterator[_Touch]:
    from gate.trace import Trace  # only a replay with commands needs them taken apart

    trace = Trace(root, read, links)
    for step in trajectory.steps:
        for mark in trace.of(step):
            if step.ok is not Ok.NO or (mark.command.exit_code is not None and not mark.last):
                yield _Touch(step.number, mark.target, mark.directory, mark.command.text[:200], _formatter(mark))


def _formatter(mark: "Mark") -> "Formatter | None":
    """The formatter that a mark's files are written by, of those that are known to write some kinds alone."""
    from gate.cmdline.target import How
    from gate.repeating.formatters import FORMATTERS

    simple = mark.simple
    is_plain = mark.sure and mark.target.how is How.WRITES and simple.program not in _PLUGGABLE
    told = is_plain and all(_NOWHERE.fullmatch(to.target) for to in simple.redirections)
    return FORMATTERS.get(simple.program) if told else None


def _script(trial: Trial, name: str | None) -> bytes | None:
    """A script of the start workspace."""
    inside = _inside(trial, name)
    return trial.before.read_at_most(inside, _LARGEST_SCRIPT) if inside in trial.before else None


def _inside(trial: Trial, place: str | None) -> str:
    """A place of the recording's working directory as one of the task's folder; empty for none."""
    return (place or "").removeprefix(f"{trial.folder}/") if trial.folder else place or ""


def _change(name: str, trial: Trial) -> Finding:
    """What became of a file that is not the same."""
    before, after = trial.before.mode(name), trial.after.mode(name)
    shown, line, details = printable(name), None, ""
    if before is None:
        message = f"File was added: {shown}"
    elif after is None:
        message = f"File was deleted: {shown}"
    elif trial.before.read(name) == trial.after.read(name):
        message = f"Mode was changed: {shown} ({before:o} to {after:o})"
    else:
        message = f"File was modified: {shown}"
        line, details = _first_difference(trial.before.read(name), trial.after.read(name))
    return Finding(message=message, kind="protected_changed", path=name, line=line, details=details)


def _first_difference(before: bytes, after: bytes) -> tuple[int | None, str]:
    """The first line that differs and what it was and is; nothing for a file that is no text."""
    if b"\0" in before[:8000] or b"\0" in after[:8000]:
        return None, ""
    old, new = before.split(b"\n"), after.split(b"\n")
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    at = min(len(old), len(new)) if same is None else same
    lines = [
        f"{sign} {part[at][:500].decode('utf-8', 'replace')}"
        for sign, part in (("-", old), ("+", new))
        if at < len(part)
    ]
    return min(at + 1, len(new)), "\n".join(lines)
