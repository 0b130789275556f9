"""Bounded, confined reads from a folder, a revision or memory: the one room that opens a user's file."""

import errno
import os
import posixpath
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from gate import disk
from gate.errors import SourceError
from gate.path import fold, is_plain, printable
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, Tree

LIMIT = 64 * 1024 * 1024
"""How many bytes of one file are read, where nothing else is said."""

LARGEST = 1024 * 1024 * 1024
"""How many bytes a file of a tree may have at all: it is held in memory."""

_LONGEST_PATH = 4096
_BUFFER = 256 * 1024  # reading a large file line by line takes half the time it takes with the default


class Source(msgspec.Struct, frozen=True):
    """A tree that files are asked of by name, and what to call it in messages.

    `label` is such as "base 1a2b3c4d5e6f" or "the index". Paths are relative to `folder`, may hold `..`, and never
    lead out of the tree.
    """

    label: str
    tree: Tree
    folder: str = ""

    def read(self, path: str, *, limit: int = LIMIT) -> bytes:
        """The file's bytes, at most `limit`.

        SourceError of kind `not_found`, `too_large`, `not_regular`, `is_link` or `path_escape`. Links are not followed.
        """
        place = self._place(path)
        if place is None:
            raise SourceError(f"{printable(path)} leads out of {self.label}", kind="path_escape")
        mode = self.tree.mode(place)
        if mode in (SYMLINK, SUBMODULE):
            raise self._not_a_file(place, mode)
        try:
            data = self.tree.read_at_most(place, limit)
        except KeyError:
            raise self._missing(place) from None
        except SourceError as error:
            raise SourceError(f"{self.label}: {error.message}", kind=error.kind) from None
        if data is None:
            raise SourceError(
                f"{printable(place)} in {self.label} has more than {limit} bytes, which is the most that is read",
                kind="too_large",
            )
        return data

    def exists(self, path: str) -> bool:
        """Whether there is a file, a link or a submodule of this name."""
        place = self._place(path)
        return place is not None and place in self.tree

    def paths(self) -> Iterator[str]:
        """Every path below `folder`, sorted, relative to it."""
        prefix = f"{self.folder}/" if self.folder else ""
        return (path[len(prefix) :] for path in self.tree.paths() if path.startswith(prefix))

    def _place(self, path: str) -> str | None:
        if path.startswith("/") or "\0" in path:
            return None
        place = posixpath.normpath(posixpath.join(self.folder, path))
        return None if place == ".." or place.startswith("../") else place

    def _missing(self, place: str) -> SourceError:
        above = posixpath.dirname(place)
        while above:
            mode = self.tree.mode(above)
            if mode in (SYMLINK, SUBMODULE):
                return self._not_a_file(above, mode)
            above = posixpath.dirname(above)
        if place == "." or self.tree.has_folder(place):
            return SourceError(f"{printable(place)} in {self.label} is a folder; expected a file", kind="not_regular")
        return SourceError(f"{printable(place)}: there is no such file in {self.label}", kind="not_found")

    def _not_a_file(self, place: str, mode: int | None) -> SourceError:
        if mode == SYMLINK:
            return SourceError(
                f"{printable(place)} in {self.label} is a symbolic link, and links are not followed; expected the file "
                "itself",
                kind="is_link",
            )
        return SourceError(f"{printable(place)} in {self.label} is a submodule; expected a file", kind="not_regular")


class DiskTree(Tree):
    """A folder on disk, read anew at every call.

    Links are entries and never followed. Pipes, sockets and devices are no entries, and SourceError of kind
    `not_regular` when read. What is named `.git` is left out.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def paths(self) -> Iterator[str]:
        """Every path, sorted. SourceError for a folder that cannot be listed."""
        return iter(sorted(self._walk()))

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        try:
            with self._parent(path) as (name, folder):
                return _git_mode(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        except (KeyError, OSError):
            return None

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder of this name, even an empty one."""
        try:
            with self._parent(path) as (name, folder):
                return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        except (KeyError, OSError):
            return False

    def read(self, path: str) -> bytes:
        """The file's bytes, or a link's target. KeyError where there is no such file."""
        data = self.read_at_most(path, LARGEST)
        if data is None:
            raise SourceError(f"{printable(path)} has more than {LARGEST} bytes", kind="too_large")
        return data

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes or a link's target, None when there are more than `limit`."""
        try:
            with self._parent(path) as (name, folder):
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode):
                    raise KeyError(path)
                if stat.S_ISLNK(mode):
                    return os.fsencode(os.readlink(name, dir_fd=folder))
                return disk.read(name, folder, limit=limit, shown=printable(path))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                raise KeyError(path) from None
            raise disk.unreadable(printable(path), error) from None

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[str, int | None]]:
        """The last name and the open folder that holds it, reached without following a link; KeyError for odd paths."""
        *folders, name = path.split("/")
        if not is_plain(path) or any(fold(part) == ".git" for part in (*folders, name)):
            raise KeyError(path)
        with disk.below(self.folder, folders) as folder:
            yield (name, folder) if isinstance(folder, int) else (os.path.join(folder, name), None)

    def _walk(self) -> Iterator[str]:
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                with (
                    disk.below(self.folder, folder.split("/") if folder else []) as place,
                    os.scandir(place) as entries,
                ):
                    found = [  # as the listing itself tells: no call of the system for each
                        (one.name, one.is_dir(follow_symlinks=False), one.is_symlink() or one.is_file())
                        for one in entries
                    ]
            except OSError as error:
                raise disk.unreadable(printable(folder or str(self.folder)), error) from None
            for name, is_folder, is_entry in found:
                path = f"{folder}/{name}" if folder else name
                if fold(name) == ".git":
                    continue
                if len(path) > _LONGEST_PATH:
                    raise SourceError(
                        f"{printable(path[:80])}… is longer than {_LONGEST_PATH} characters", kind="path_too_long"
                    )
                if is_folder:
                    pending.append(path)
                elif is_entry:
                    yield path


def open_file(path: Path | str, limit: int = LIMIT) -> bytes:
    """The bytes of a file that the caller names by its path on this machine, at most `limit`.

    SourceError of kind `not_found`, `too_large`, `not_regular`, `is_link` or `unreadable`; never waits on a pipe.
    """
    name = os.fspath(path)
    shown = printable(name)
    try:
        data = disk.read(name, None, limit=limit, shown=shown)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{shown}: there is no such file", kind="not_found") from None
    except (OSError, ValueError) as error:
        raise disk.unreadable(shown, error) from None
    if data is None:
        raise SourceError(f"{shown} has more than {limit} bytes, which is the most that is read", kind="too_large")
    return data


def open_stream(path: Path) -> BinaryIO:
    """A file that the caller names by its path on this machine, open at its start: a recording is not held whole.

    SourceError as for `open_file`.
    """
    shown = printable(str(path))
    try:
        disk.check_regular(os.stat(path, follow_symlinks=False), shown)
        stream = open(os.open(path, disk.FILE), "rb", buffering=_BUFFER)  # noqa: SIM115 - whoever asked for it closes it
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{shown}: there is no such file", kind="not_found") from None
    except (OSError, ValueError) as error:
        raise disk.unreadable(shown, error) from None
    try:
        disk.check_regular(os.fstat(stream.fileno()), shown)
    except SourceError:
        stream.close()
        raise
    return stream


def _git_mode(mode: int) -> int | None:
    if stat.S_ISLNK(mode):
        return SYMLINK
    if not stat.S_ISREG(mode):
        return None
    return EXECUTABLE if mode & stat.S_IXUSR else REGULAR
