"""Every output that a recording tells of and the replay gives too, and which of them differ."""

import msgspec

from gate.claims.certainty import Certainty
from gate.claims.numbered import Shown, numbered
from gate.claims.printed import Difference, difference, printed
from gate.editing.edit import Write
from gate.editing.files import Files
from gate.errors import PathRefused
from gate.footprint import footprints
from gate.mention import named_files
from gate.path import printable
from gate.places import Places
from gate.repeating.site import Site
from gate.replay import Applied, Replay, replay
from gate.trajectory import Command, Ok, Step, Trajectory
from gate.transcript import uncut
from gate.tree import SUBMODULE, SYMLINK, Tree

_LONGEST = 80
_SECONDS = 6.0  # ten times that is spent on commands; later ones are open


class Contradiction(msgspec.Struct, frozen=True, kw_only=True):
    """One step whose recorded output differs from the replayed one.

    `paths` are the files that it shows. `recorded` and `replayed` are the first lines that differ (None: there is no
    such line), `line` is their number in the file or in what was printed.
    """

    step: int
    source: int
    what: str
    paths: tuple[str, ...]
    line: int
    recorded: str | None
    replayed: str | None


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a recording's outputs.

    `agreeing` are the files of each output that the replay gives as it is recorded. `open` counts those that could not
    be compared: what they show is not replayed, or something that is not replayed may have changed it.
    """

    agreeing: tuple[tuple[str, ...], ...]
    open: int
    contradictions: tuple[Contradiction, ...]


def claims(trajectory: Trajectory, start: Tree, known: Replay) -> Claims:
    """Compare every recorded output; `known` is the recording's replay on this start tree."""
    with Site(interest=(), seconds=_SECONDS) as site:
        walk = _Walk(trajectory, Certainty(known, footprints(trajectory, known, start)), site)
        replay(trajectory, start, watch=walk.edited, then=walk.step)
    return Claims(agreeing=tuple(walk.agreeing), open=walk.open, contradictions=tuple(walk.contradictions))


class _Walk:
    """One walk along the steps of a recording while it is replayed."""

    def __init__(self, trajectory: Trajectory, certainty: Certainty, site: Site) -> None:
        self._root = trajectory.directory
        self._certainty = certainty
        self._site = site
        self._last: tuple[bytes, list[str]] = b"", [""]
        self._edited: list[tuple[Applied, bytes | None]] = []
        self.agreeing: list[tuple[str, ...]] = []
        self.open = 0
        self.contradictions: list[Contradiction] = []

    def edited(self, applied: Applied, before: bytes | None, _after: bytes | None) -> None:
        """Remember what an edit of the step under way did."""
        self._edited.append((applied, before))

    def step(self, step: Step, files: Files, places: Places) -> None:
        """Compare what one step has to show."""
        edited, self._edited = self._edited, []
        if step.ok is Ok.NO or step.undone:
            return
        for applied, before in edited:
            self._edit(step, applied, before)
        with self._site.at(files, places):
            for command in step.commands:
                self._command(step, command)
        if step.observation and not step.commands:
            self._view(step, files, places)

    def _edit(self, step: Step, applied: Applied, before: bytes | None) -> None:
        """Compare the contents that are recorded around an edit."""
        edit = next(edit for edit in step.edits if edit.path == applied.recorded)
        path = applied.path or ""
        if edit.before is not None and before is None:
            self.open += 1
        elif edit.before is not None and before is not None:
            found = difference(edit.before.decode("utf-8", "replace"), before) if applied.drift else None
            self._note(step, f"the content before the edit by {printable(step.tool)}", (path,), found)
        if edit.before is not None or edit.after is not None or isinstance(edit, Write):
            self._certainty.settle(applied.to or path, step)

    def _command(self, step: Step, command: Command) -> None:
        """Compare what a command printed that only shows files."""
        if command.exit_code or (command.exit_code is None and step.ok is not Ok.YES) or not command.output.strip():
            return
        folder = command.directory or step.directory or self._root
        found = printed(command, folder, self._site)
        if found is None:
            self.open += 1
            return
        text = printable(" ".join(command.text.split()))
        what = f"`{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}`"
        self._note(step, what, found.paths, difference(command.output, found.output))

    def _view(self, step: Step, files: Files, places: Places) -> None:
        """Compare the numbered lines that a tool showed of one file."""
        shown = numbered(uncut(step.observation))
        names = {edit.path for edit in step.edits} or set(named_files(step.arguments))
        if not shown or len(names) != 1:
            return
        try:
            path = places.find(names.pop(), step.directory)
        except PathRefused:
            return
        if files.mode(path) in (None, SYMLINK, SUBMODULE):
            self.open += 1
            return
        lines = self._lines(files.content(path) or b"")
        self._note(step, printable(step.tool), (path,), _unlike(shown, lines))
        if shown[0].number == 1 and shown[-1].number >= len(lines) - 1:
            self._certainty.settle(path, step)

    def _lines(self, content: bytes) -> list[str]:
        """The lines of a file; those of the one before are kept, since agents read a large one in parts."""
        if content is not self._last[0]:
            self._last = content, content.decode("utf-8-sig", "replace").split("\n")
        return self._last[1]

    def _note(self, step: Step, what: str, paths: tuple[str, ...], found: Difference | None) -> None:
        if found is None:
            self.agreeing.append(paths)
        elif any(self._certainty.doubt(name, step) for name in paths):
            self.open += 1
        else:
            self.contradictions.append(
                Contradiction(
                    step=step.number,
                    source=step.line,
                    what=what,
                    paths=paths,
                    line=found.line,
                    recorded=found.recorded,
                    replayed=found.replayed,
                )
            )


def _unlike(shown: tuple[Shown, ...], lines: list[str]) -> Difference | None:
    """The first line that is shown otherwise than the file has it."""
    for one in shown:
        line = lines[one.number - 1] if one.number <= len(lines) else None
        if not one.agrees(line or ""):
            return Difference(one.number, one.text, line)
    return None
