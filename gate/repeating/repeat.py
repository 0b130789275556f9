"""Repeats recorded commands between the replayed edits, as far as that is safe, so that hashes can tell what they did.

No shell ever runs recorded text. What `mv`, `cp`, `rm`, `cat`, `echo` and their like do is done in memory; `sed` and
`git apply` run on copies of the files that they name; a formatter runs when it is one of a table and lies on the
gate's own PATH, in a throw-away workspace on disk. Everything else is not repeated, and the reason is kept.
"""

import posixpath
from collections.abc import Iterable, Iterator

import msgspec

from gate.editing.files import Files
from gate.errors import NotRepeated
from gate.places import Places
from gate.repeating.enactment import Done, Enactment
from gate.repeating.packagescript import announced
from gate.repeating.site import Site
from gate.replay import Applied, Replay, Watch, replay
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.tree import Tree

SECONDS = 60.0
"""How long one repeated program may take, where nothing else is said."""


class Attempt(msgspec.Struct, frozen=True):
    """A recorded command that may change files; `reason` says why it was not repeated, and is empty when it was."""

    step: int
    command: str
    reason: str = ""

    @property
    def sentence(self) -> str:
        """Which step, and what became of it: one line."""
        how = f"not repeated: {self.reason}" if self.reason else f"repeated: {self.command}"
        return f"step {self.step}: {how}"


class Repeated(msgspec.Struct, frozen=True, kw_only=True):
    """A replay between whose edits commands were repeated, and what became of each command that may change files."""

    replay: Replay
    attempts: tuple[Attempt, ...]


def repeat(
    trajectory: Trajectory,
    start: Tree,
    interest: Iterable[str],
    *,
    watch: Watch | None = None,
    seconds: float = SECONDS,
) -> Repeated:
    """Replay the edits and repeat the commands in the order of the steps.

    `interest` are the paths that are looked at after a formatter has run. `watch` is told of every edit and of every
    file that a command changed, as if it had been edited. `seconds` is the limit of one program, ten times that the
    limit of all.
    """
    with Site(interest=interest, seconds=seconds) as site:
        run = _Run(site, trajectory.directory, watch)
        return Repeated(replay=replay(trajectory, start, watch=watch, then=run.step), attempts=tuple(run.attempts))


class _Run:
    """One repetition under way."""

    def __init__(self, site: Site, root: str | None, watch: Watch | None) -> None:
        self._site, self._root, self._watch = site, root, watch
        self.attempts: list[Attempt] = []
        self._before: tuple[dict[str, bytes | None], dict[str, int]] = {}, {}

    def step(self, step: Step, files: Files, places: Places) -> None:
        """Repeat what can be of a step's commands. Those that were refused, or undone later, never count."""
        if step.undone or "powershell" in step.tool.lower():
            return
        with self._site.at(files, places):
            for command in step.commands:
                self._command(step, command)

    def _command(self, step: Step, command: Command) -> None:
        failed = step.ok is Ok.NO or bool(command.exit_code)
        if failed and command.exit_code is None:
            return  # it never ran
        self._remember()
        enactment = Enactment(
            self._site,
            self._folder(step, command),
            failed=failed,
            patched=bool(step.edits),
            said=announced(command.output),
            tell=lambda done: self._tell(step, done),
        )
        enactment.line(command.text)

    def _folder(self, step: Step, command: Command) -> str | None:
        recorded = command.directory or step.directory or self._root or ""
        if command.directory and step.directory and not posixpath.isabs(command.directory):
            recorded = posixpath.join(step.directory, command.directory)
        try:
            return self._site.place(recorded or ".", "")
        except NotRepeated:
            return None

    def _tell(self, step: Step, done: Done) -> None:
        self.attempts.append(Attempt(step.number, done.text, done.reason))
        if done.reason or self._watch is None:
            return
        for applied, before, after in self._changes(step, done):
            self._watch(applied, before, after)
        self._remember()

    def _remember(self) -> None:
        self._before = dict(self._site.files.changes), dict(self._site.files.modes)

    def _changes(self, step: Step, done: Done) -> Iterator[tuple[Applied, bytes | None, bytes | None]]:
        """What the command changed; a file that is gone whose content is now in another place was moved there."""
        now = self._site.files.changes
        changed = [path for path in now if now[path] != self._was(path) or self._has_other_mode(path)]
        gone = {self._was(path): path for path in changed if now[path] is None}
        for path in changed:
            after = now[path]
            note = Applied(step=step.number, line=step.line, path=path, recorded=done.text)
            if after is not None and after in gone:
                source = gone.pop(after)
                yield msgspec.structs.replace(note, path=source, to=path), after, after
            elif after is not None:
                yield note, self._was(path), after
        for content, path in gone.items():
            note = Applied(step=step.number, line=step.line, path=path, recorded=done.text)
            yield note, content, None

    def _was(self, path: str) -> bytes | None:
        if path in self._before[0]:
            return self._before[0][path]
        start = self._site.files.start
        return start.read(path) if path in start else None

    def _has_other_mode(self, path: str) -> bool:
        modes = self._site.files.modes
        return path in modes and modes[path] != (self._before[1].get(path) or self._site.files.start.mode(path))
