"""`file_not_modified`: protected files are what they were."""

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from gate.errors import CannotJudge
from gate.oracle import Oracle, Trial
from gate.path import printable
from gate.report import Evidence, Finding
from gate.scope import Patterns, is_glob
from gate.trajectory import Command, Ok, Step

if TYPE_CHECKING:
    from gate.target import Target

_LARGEST_SCRIPT = 1024 * 1024
_DEEPEST = 3  # scripts that run scripts


class FileNotModified(Oracle, frozen=True):
    """A file, or every file that a glob matches, is at the end what it was at the start.

    `path` is a file of the task's workspace, or a glob: `tests/**` is everything below `tests`, `*` stays within a
    folder, `docs/` is all below that folder. Bytes and modes are compared, whatever the recording says: a file that
    was changed, deleted or replaced, or whose mode was changed, is *fail*, and so is one that was added under a glob.
    A path that is not in the start workspace, or a glob that matches nothing, is *error*: it protects nothing.

    Under `state: replay` only recorded edits are applied, so a recorded command that may have changed a protected file
    (`rm`, `sed -i`, `git checkout`, a formatter, a script of the agent in which its path stands, …) is *error*: what
    it did is not known. Steps that the recording marks as failed do not count.
    """

    asserts_absence: ClassVar[bool] = True

    path: str

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare the trees, then look for commands that the replay cannot show."""
        protected = self._protected(trial)
        changed = [name for name in protected if not trial.before.same(name, trial.after)]
        yield from (_change(name, trial) for name in changed)
        if changed:
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
        patterns = self._patterns() if self._many and posixpath.normpath(self.path) not in trial.before else None
        commands = _Commands(trial)
        for step, command, target, directory in commands:
            names = (posixpath.join(trial.folder, name) for name in protected)
            reached = next((name for name in names if commands.reach(target, name, directory)), None)
            if reached is None and patterns:
                place = target.place(directory=directory, root=commands.root) or ""
                inside = place.removeprefix(f"{trial.folder}/") if trial.folder else place
                reached = place if inside and patterns.match(inside) else None
            if reached is not None:
                raise CannotJudge(
                    f"step {step.number} ran a command that may have changed {printable(reached)}, which a replay of "
                    f"edits cannot show: {command.text[:200]!r}",
                    kind="recorded_command",
                )


class _Commands:
    """What each recorded command changes, and the folder it did that from; scripts that were written are read too."""

    def __init__(self, trial: Trial) -> None:
        self.root = trial.replay.directory if trial.replay else trial.trajectory.directory
        self._trial = trial
        self._scripts: dict[str, str | bytes] = {}

    def reach(self, target: "Target", name: str, directory: str | None) -> bool:
        return target.reaches(name, directory=directory, root=self.root)

    def __iter__(self) -> "Iterator[tuple[Step, Command, Target, str | None]]":
        for step in self._trial.trajectory.steps:
            if step.ok is Ok.NO:
                continue
            for edit in step.edits:
                place = posixpath.join(step.directory or self.root or "", edit.path)
                self._scripts[posixpath.normpath(place)] = edit.written
            for command in step.commands:
                for target, directory in self._of(command.text, command.directory or step.directory or self.root or ""):
                    yield step, command, target, directory

    def _of(self, text: str, start: str, depth: int = 0) -> "Iterator[tuple[Target, str | None]]":
        from gate.effects import changes  # only a replay with commands needs the table
        from gate.shell import commands
        from gate.target import How

        for simple in commands(text):
            directory = None if simple.directory is None else posixpath.join(start, simple.directory)
            for target in changes(simple):
                place = posixpath.normpath(posixpath.join(directory or "", target.path))
                if target.how is How.WRITES and simple.heredocs:
                    self._scripts[place] = "\n".join(simple.heredocs)
                if target.how is not How.RUNS:
                    yield target, directory
                elif depth < _DEEPEST:
                    yield from self._of_script(place, target, directory, depth + 1)

    def _of_script(
        self, place: str, target: "Target", directory: str | None, depth: int
    ) -> "Iterator[tuple[Target, str | None]]":
        """A shell script is read as commands; of others only those that the agent wrote, for the paths in them.

        What was in the workspace before, such as a program that runs the tests, names files that it only reads.
        """
        written = self._scripts.get(place)
        written = written.decode("utf-8", "replace") if isinstance(written, bytes) else written
        text = self._in_workspace(target, directory) if written is None else written
        if re.match(r"#!\s*\S*[/\s](?:ba|z|da|k)?sh\b", text) or place.endswith((".sh", ".bash")):
            yield from self._of(text, directory or "", depth)
        elif written is not None:
            from gate.target import How, Target

            yield Target(written, How.MENTIONS), directory

    def _in_workspace(self, target: "Target", directory: str | None) -> str:
        name = target.place(directory=directory, root=self.root) or ""
        inside = name.removeprefix(f"{self._trial.folder}/") if self._trial.folder else name
        data = self._trial.before.read_at_most(inside, _LARGEST_SCRIPT) if inside in self._trial.before else None
        return (data or b"").decode("utf-8", "replace")


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
