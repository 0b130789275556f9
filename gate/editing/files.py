"""A start tree and what is being done to its files, in memory."""

import posixpath
from collections.abc import Iterator
from itertools import chain

from gate.editing.edit import Edit, check_repeated
from gate.errors import CannotApply
from gate.path import fold, printable
from gate.tree import REGULAR, SUBMODULE, SYMLINK, Tree


class Files:
    """The start tree with the changes so far: contents and modes by path, None for what is gone."""

    def __init__(self, start: Tree) -> None:
        self.start = start
        self.changes: dict[str, bytes | None] = {}
        self.modes: dict[str, int] = {}
        self._repeated = 0
        self._spelled: dict[str, str] | None = None

    def apply(self, edit: Edit, path: str, target: str) -> bool:
        """Apply an edit; whether the recording shows another content before it. GateError where it does not fit."""
        self._passable(path)
        if target != path:
            self._passable(target)
        content = self.content(path)
        result = edit.outcome(content)
        gone = path if target != path else None
        if result is not None:
            self._nameable(target, gone)
            self._check_repeated(edit, content, result)
        if gone is not None:
            self.modes[target] = self.modes.pop(gone, 0) or self.start.mode(gone) or REGULAR
            self.changes[gone] = None
        self.changes[target] = result
        return edit.before is not None and edit.start(content) != content

    def _check_repeated(self, edit: Edit, before: bytes | None, after: bytes) -> None:
        """CannotApply where the edits so far have made more than is kept of what they were given."""
        given = sum(len(part) for part in (before, edit.before, edit.after, edit.written) if part)
        repeated = self._repeated + max(0, len(after) - given)
        check_repeated(repeated)
        self._repeated = repeated

    def write(self, path: str, content: bytes, mode: int | None = None) -> None:
        """Give a file this content, and this mode where it is said. CannotApply where no such file can be."""
        self._passable(path)
        self._nameable(path, None)
        self.changes[path] = content
        if mode is not None:
            self.modes[path] = mode

    def remove(self, path: str) -> None:
        """Take a file or a link away. CannotApply where a link is on the way to it."""
        folder = posixpath.dirname(path)
        if folder:
            self._passable(folder)
        self.changes[path] = None
        self.modes.pop(path, None)

    def content(self, path: str) -> bytes | None:
        """What the file holds now; None where there is none."""
        if path in self.changes:
            return self.changes[path]
        return None if self.start.mode(path) is None else self.start.read(path)

    def mode(self, path: str) -> int | None:
        """The file's mode now; None where there is none."""
        if path in self.changes:
            return None if self.changes[path] is None else self.modes.get(path) or self.start.mode(path) or REGULAR
        return self.start.mode(path)

    def paths(self) -> Iterator[str]:
        """Every path that is there now, in no order."""
        left = (path for path in self.start.paths() if path not in self.changes)
        return chain(left, (path for path, content in self.changes.items() if content is not None))

    def below(self, folder: str) -> list[str]:
        """Every path below a folder, sorted; below "" is everything."""
        prefix = f"{folder}/" if folder else ""
        return sorted(path for path in self.paths() if path.startswith(prefix))

    def _passable(self, path: str) -> None:
        """Nothing on the way to the file is a link, a submodule or a file."""
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            above = "/".join(parts[:depth])
            mode = self.start.mode(above) if above not in self.changes else None
            if mode == SYMLINK:
                raise CannotApply(f"{printable(above)} is a symbolic link", kind="symlink_in_path")
            if mode == SUBMODULE:
                raise CannotApply(f"{printable(above)} is a submodule", kind="submodule_in_path")
            if depth < len(parts) and self.mode(above) is not None:
                raise CannotApply(f"{printable(above)} is a file, expected a folder", kind="path_file_in_way")

    def _nameable(self, path: str, gone: str | None) -> None:
        """A new name is no folder's, and is told apart from all others on every file system; `gone` is about to go."""
        if path in self.start or path in self.changes:
            return
        if self._spelled is None:
            self._spelled = {}
            for known in self.start.paths():
                self._spell(known)
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[:depth])
            known = self._spelled.get(_folded(name), name)
            if known not in (name, gone) and (self.mode(known) is not None or self._below(known, gone)):
                alike = known.casefold() == name.casefold()
                kind = "path_case_collision" if alike else "path_unicode_collision"
                hint = "" if alike else " (they differ in Unicode normalisation, NFC and NFD)"
                raise CannotApply(f"the name {name!r} is on some systems the same as {known!r}{hint}", kind=kind)
        if self._spelled.get(_folded(path)) == path and self._below(path):
            raise CannotApply("a folder has this name, expected a file", kind="path_folder_in_way")
        self._spell(path)

    def _spell(self, path: str) -> None:
        spelled = self._spelled if self._spelled is not None else {}
        while path and spelled.get(_folded(path)) != path:
            spelled[_folded(path)] = path
            path = posixpath.dirname(path)

    def _below(self, folder: str, gone: str | None = None) -> bool:
        prefix = folder + "/"
        return any(path.startswith(prefix) and path != gone for path in self.paths())


def _folded(name: str) -> str:
    return name.lower() if name.isascii() else fold(name)
