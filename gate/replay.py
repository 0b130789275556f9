"""Trajectory and start tree to Replay: what applied, what did not, why, and the tree that results."""

import posixpath
from collections.abc import Callable, Iterator
from itertools import chain

import msgspec

from gate.editing.edit import Edit, Move
from gate.editing.files import Files
from gate.errors import GateError, PathRefused
from gate.mention import mentioned
from gate.path import printable
from gate.places import Places
from gate.trajectory import Choice, Dropped, Ok, Step, Trajectory
from gate.tree import Overlay, Tree


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded edit and what became of it.

    `path` is the workspace path (None when the recorded one lies outside), `to` its new one when it was moved, `step`
    and `line` point into the recording. `reason` is empty for an edit that was applied, else why it was not; `kind` is
    a stable word for it.
    `drift` says that the recording shows another content before this edit than the replay had: something else
    changed the file in between, and the recording was believed. `unknown` says that the recording does not tell
    whether the step succeeded; it was applied because it fits.
    """

    step: int
    line: int
    path: str | None
    recorded: str
    to: str | None = None
    reason: str = ""
    kind: str = ""
    drift: bool = False
    unknown: bool = False

    @property
    def sentence(self) -> str:
        """Where it stands, which file, and what happened: one line."""
        where = f"step {self.step} (line {self.line})" if self.line else f"step {self.step}"
        file = "" if self.path is None else f"{printable(self.path)}: "
        return f"{where}: {file}{self.reason}"


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a replay.

    `edits` are in recorded order. `failed` were not applied although the recording does not say that they failed;
    with `path` None it is a step that does not tell what it did. `skipped` are those that the recording marks as
    failed, that a person took back by rewinding, or that have no recorded result and do not fit. `outside` name no
    file of the workspace. `unknown` counts calls of tools that the reader does not know, by name; `suspects` are such
    calls that name files. `dropped` is what the reader had to leave out. `directory` is where recorded paths start.
    """

    tree: Overlay
    applied: tuple[Applied, ...] = ()
    failed: tuple[Applied, ...] = ()
    skipped: tuple[Applied, ...] = ()
    outside: tuple[Applied, ...] = ()
    unknown: dict[str, int] = {}
    suspects: tuple[Applied, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    directory: str | None = None

    @property
    def touched(self) -> frozenset[str]:
        """The workspace paths that an applied edit wrote, removed or moved."""
        return frozenset(path for edit in self.applied for path in (edit.path, edit.to) if path is not None)

    def lookalike(self, path: str) -> str:
        """A clause where a recorded edit names this path in another Unicode normal form; empty where none does."""
        if path.isascii():
            return ""
        from unicodedata import normalize  # most names are ASCII

        named = {edit.path for edit in (*self.applied, *self.failed)} | self.touched
        if path not in named and normalize("NFC", path) in {normalize("NFC", other) for other in named if other}:
            return "; one has a name that looks the same and differs in Unicode normalisation (NFC, NFD)"
        return ""

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Why the tree may not be what the agent left behind, a sentence each; empty for a whole replay."""
        return tuple([sentence for sentence, _ in self._gaps()])

    @property
    def kind(self) -> str:
        """The kind of the first reason why the replay is not whole; empty for a whole one."""
        return next((kind for _, kind in self._gaps()), "")

    def _gaps(self) -> Iterator[tuple[str, str]]:
        if not (self.failed or self.outside or self.suspects or self.dropped):
            return  # as most are
        # With a known working directory an absolute path elsewhere is just not in the workspace; without one it may be.
        refused = [edit for edit in self.outside if not (self.directory and edit.kind == "path_absolute")]
        for edit in sorted([*self.failed, *refused, *self.suspects], key=lambda edit: edit.step):
            yield edit.sentence, edit.kind
        for part in self.dropped:
            if part.grave:
                yield f"{part.reason}; an edit or a result may be lost with it", "dropped"


Watch = Callable[[Applied, bytes | None, bytes | None], None]
"""Told of every applied edit with the file's content before and after it."""

Then = Callable[[Step, Files, Places], None]
"""Told of every step once its edits are applied; it may change the files too."""


def replay(
    trajectory: Trajectory,
    start: Tree,
    *,
    directory: str | None = None,
    watch: Watch | None = None,
    then: Then | None = None,
) -> Replay:
    """Apply the recorded edits to the start tree, which is not touched.

    Steps that the recording marks as failed are not applied; those without a recorded result are, where they fit.
    Nothing is ever guessed: an edit that does not fit exactly is reported. `directory` is the agent's working
    directory, where the recording's own is not to be believed.
    """
    run = _Run(start, directory or trajectory.directory, () if directory else trajectory.roots)
    run.watch = watch
    for step in trajectory.steps if then else trajectory.chosen(Choice()):
        run.step(step)
        if then:
            then(step, run.files, run.places)
    return Replay(
        tree=Overlay(start, run.files.changes, modes=run.files.modes),
        applied=tuple(run.applied),
        failed=tuple(run.failed),
        skipped=tuple(run.skipped),
        outside=tuple(run.outside),
        unknown=run.unknown,
        suspects=tuple(run.suspects),
        dropped=trajectory.dropped,
        directory=directory or trajectory.directory,
    )


class _Run:
    """One replay under way."""

    def __init__(self, start: Tree, directory: str | None, roots: tuple[str, ...]) -> None:
        self.files = Files(start)
        self.applied: list[Applied] = []
        self.failed: list[Applied] = []
        self.skipped: list[Applied] = []
        self.outside: list[Applied] = []
        self.suspects: list[Applied] = []
        self.unknown: dict[str, int] = {}
        self.watch: Watch | None = None
        self.places = Places(directory, roots)

    def step(self, step: Step) -> None:
        """Apply the edits of one step, and note what it leaves open."""
        if not step.known:
            self.unknown[step.tool] = self.unknown.get(step.tool, 0) + 1
        if step.lost and step.ok is not Ok.NO and not step.undone:
            self.failed.append(_note(step, "", step.lost.reason, step.lost.kind))
        for edit in step.edits:
            self._edit(step, edit)
        if step.ok is not Ok.NO and not step.undone:
            reason = f"the tool {printable(step.tool)} is not known here, it may have changed this file"
            for name, path in self._named(step).items():
                self.suspects.append(_note(step, path, reason, "unknown_tool", path=name))

    def _named(self, step: Step) -> dict[str, str]:
        """The files of the workspace that an unknown tool names, each with how it is recorded.

        Any text that is the path of a file that is there, or that an edit wrote, names it; a key that says where to
        write names a new file too, where that file's folder is there.
        """
        found: dict[str, str] = {}
        named = ((name, False, True) for name in step.names)
        others = () if step.known else ((text, new, False) for text, new in mentioned(step.arguments))
        for text, new, certain in chain(named, others):
            try:
                path = self.places.find(text, step.directory)
            except PathRefused:
                continue  # no file of the workspace
            if certain or self._is_there(path) or (new and "/" in path and self._has_folder(posixpath.dirname(path))):
                found.setdefault(path, text)
        return found

    def _is_there(self, path: str) -> bool:
        return path in self.files.changes or self.files.start.mode(path) is not None

    def _has_folder(self, path: str) -> bool:
        written = any(name.startswith(f"{path}/") for name in self.files.changes)
        return written or self.files.start.has_folder(path)

    def _edit(self, step: Step, edit: Edit) -> None:
        try:
            path = self.places.find(edit.path, step.directory)
            target = self.places.find(edit.to, step.directory) if isinstance(edit, Move) else path
        except PathRefused as error:
            where = self.skipped if step.ok is Ok.NO else self.outside
            where.append(_note(step, edit.path, error.message, error.kind))
            return
        if step.ok is Ok.NO or step.undone:
            failed = ("the recording says that it failed", "recorded_failure")
            reason, kind = failed if step.ok is Ok.NO else ("a person went back to before it", "rewound")
            self.skipped.append(_note(step, edit.path, reason, kind, path=path))
            return
        try:
            before = self.files.content(path) if self.watch else None
            drift = self.files.apply(edit, path, target)
        except GateError as error:
            open_end = step.ok is Ok.UNKNOWN
            reason = f"it has no recorded result, and it does not fit: {error.message}" if open_end else error.message
            where = self.skipped if open_end else self.failed
            where.append(_note(step, edit.path, reason, error.kind, path=path))
            return
        note = Applied(
            step=step.number,
            line=step.line,
            path=path,
            recorded=edit.path,
            to=target if isinstance(edit, Move) else None,
            drift=drift,
            unknown=step.ok is Ok.UNKNOWN,
        )
        self.applied.append(note)
        if self.watch:
            self.watch(note, before, self.files.content(target))


def _note(step: Step, recorded: str, reason: str = "", kind: str = "", *, path: str | None = None) -> Applied:
    return Applied(step=step.number, line=step.line, path=path, recorded=recorded, reason=reason, kind=kind)
