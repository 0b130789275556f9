"""Files as a recording wrote them, as far as they are scripts that it may run."""

import posixpath
import re
from collections.abc import Callable

from gate.cmdline.shell import Simple
from gate.cmdline.target import UNTOLD, How, Target
from gate.editing.edit import Edit, Move, Write
from gate.errors import GateError
from gate.trajectory import Step

Reading = Callable[[Target, str | None], bytes | None]
"""Gives a file of the start workspace by a target and the folder in which that starts; None for no file."""

_LARGEST = 1024 * 1024
# Read where they were there before, too.
_RECIPE = re.compile(r"\.(?:sh|bash|mk)$|(?:^|/)(?:GNUm|m|M)akefile$|(?:^|/)package\.json$")
_COPYING = frozenset(["mv", "cp", "gcp", "install", "ginstall"])
_PRINTING = frozenset(["echo", "printf"])


class Authored:
    """The texts that edits and commands wrote, by their places; steps must be told in their order."""

    def __init__(self, root: str | None, read: Reading) -> None:
        self._root = root
        self._read = read
        self._texts: dict[str, bytes] = {}
        self._whole: set[str] = set()

    def text(self, place: str) -> str | None:
        """What the recording wrote there; None where it wrote nothing."""
        found = self._texts.get(place)
        return None if found is None else found.decode("utf-8", "replace")

    def is_whole(self, place: str) -> bool:
        """Whether all of the file is known."""
        return place in self._whole

    def started(self, target: Target, directory: str | None) -> str | None:
        """A file of the start workspace."""
        data = None if UNTOLD in target.path else self._read(target, directory)
        return None if data is None else data.decode("utf-8", "replace")

    def edit(self, place: str, edit: Edit, step: Step) -> None:
        """Remember an edit; of a file that is not known as a whole, all that was ever put into it."""
        known = self._texts.get(place, b"")
        folder = step.directory or self._root or ""
        start = self._read(Target(edit.path), folder) if not known and _RECIPE.search(place) else None
        if isinstance(edit, Write) or edit.after is not None:
            self._texts[place] = edit.outcome(None) or b""
            self._whole.add(place)
        elif place in self._whole or start is not None:
            self._texts[place] = _outcome(edit, known if start is None else start)
            self._whole.add(place)
        else:
            self._append(place, edit.written + b"\n")
        if isinstance(edit, Move):
            self._copy(place, posixpath.normpath(posixpath.join(step.directory or self._root or "", edit.to)))

    def command(self, simple: Simple, directory: str | None, targets: tuple[Target, ...]) -> None:
        """Remember what a command writes: its document, what it prints, and copies of what was written before.

        A destination that may be a folder is told as a file too, which does no harm.
        """

        def place(path: str) -> str:
            return posixpath.normpath(posixpath.join(directory or "", path))

        text = "\n".join(simple.heredocs)
        if simple.program in _PRINTING:
            text = " ".join(simple.arguments).replace("\\n", "\n")
        if not text and simple.program not in _COPYING:
            return
        written = [place(target.path) for target in targets if target.how is How.WRITES and not target.everything]
        appends = any(">>" in to.operator for to in simple.redirections) or "-a" in simple.arguments
        for name in written if text else ():
            if not appends:
                self._texts.pop(name, None)
                self._whole.add(name)
            self._append(name, text.encode("utf-8", "replace") + b"\n")
        sources = [place(word) for word in simple.arguments] if simple.program in _COPYING else []
        for source in filter(self._texts.__contains__, sources):
            for name in written:
                if posixpath.basename(name) == posixpath.basename(source) or name == sources[-1]:
                    self._copy(source, name)

    def _append(self, place: str, text: bytes) -> None:
        known = self._texts.get(place, b"")
        self._texts[place] = known + text if len(known) < _LARGEST else known

    def _copy(self, source: str, to: str) -> None:
        if source in self._texts and source != to:
            self._texts[to] = self._texts[source]
            if source in self._whole:
                self._whole.add(to)


def _outcome(edit: Edit, content: bytes) -> bytes:
    try:
        return edit.outcome(content) or b""
    except GateError:
        return content + b"\n" + edit.written
