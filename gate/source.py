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

from gate.errors import SourceError
from gate.path import fold, is_plain, printable
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, Tree

LIMIT = 64 * 1024 * 1024
"""How many bytes of one file are read, where nothing else is said."""

LARGEST = 1024 * 1024 * 1024
"""How many bytes a file of a tree may have at all: it is held in memory."""

_LONGEST_PATH = 4096
_LEAST = 64 * 1024
_BUFFER = 256 * 1024  # reading a large file line by line takes half the time it takes with the default

# Without O_NONBLOCK opening a pipe waits for a writer. Windows has none of the four, and needs O_BINARY.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = _FLAGS | getattr(os, "O_BINARY", 0)
_FOLDER = _FLAGS | getattr(os, "O_DIRECTORY", 0)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


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
        prefix = "" if place == "." else f"{place}/"
        if any(path.startswith(prefix) for path in self.tree.paths()):
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
                return _read(name, folder, limit=limit, shown=printable(path))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                raise KeyError(path) from None
            raise _unreadable(printable(path), error) from None

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[str, int | None]]:
        """The last name and the open folder that holds it, reached without following a link; KeyError for odd paths."""
        *folders, name = path.split("/")
        if not is_plain(path) or any(fold(part) == ".git" for part in (*folders, name)):
            raise KeyError(path)
        with _below(self.folder, folders) as folder:
            yield (name, folder) if isinstance(folder, int) else (os.path.join(folder, name), None)

    def _walk(self) -> Iterator[str]:
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                with _below(self.folder, folder.split("/") if folder else []) as place, os.scandir(place) as entries:
                    found = [  # as the listing itself tells: no call of the system for each
                        (one.name, one.is_dir(follow_symlinks=False), one.is_symlink() or one.is_file())
                        for one in entries
                    ]
            except OSError as error:
                raise _unreadable(printable(folder or str(self.folder)), error) from None
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
        data = _read(name, None, limit=limit, shown=shown)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{shown}: there is no such file", kind="not_found") from None
    except (OSError, ValueError) as error:
        raise _unreadable(shown, error) from None
    if data is None:
        raise SourceError(f"{shown} has more than {limit} bytes, which is the most that is read", kind="too_large")
    return data


def open_stream(path: Path) -> BinaryIO:
    """A file that the caller names by its path on this machine, open at its start: a recording is not held whole.

    SourceError as for `open_file`.
    """
    shown = printable(str(path))
    try:
        _check_regular(os.stat(path, follow_symlinks=False), shown)
        stream = open(os.open(path, _FILE), "rb", buffering=_BUFFER)  # noqa: SIM115 - whoever asked for it closes it
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{shown}: there is no such file", kind="not_found") from None
    except (OSError, ValueError) as error:
        raise _unreadable(shown, error) from None
    try:
        _check_regular(os.fstat(stream.fileno()), shown)
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


@contextmanager
def _below(root: Path, folders: list[str]) -> Iterator[int | str]:
    """A folder below `root`, open, reached without following a link: its descriptor, or its path on Windows."""
    if os.open not in os.supports_dir_fd:
        yield _checked(root, folders)
        return
    place = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for folder in folders:
            below = os.open(folder, _FOLDER, dir_fd=place)
            os.close(place)
            place = below
        yield place
    finally:
        os.close(place)


def _checked(root: Path, folders: list[str]) -> str:
    for folder in folders:
        root /= folder
        if not stat.S_ISDIR(root.lstat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(root))
    return str(root)


def _read(name: str, folder: int | None, *, limit: int, shown: str) -> bytes | None:
    # Asked before opening too: opening a device may already do something.
    _check_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), shown)
    place = os.open(name, _FILE, dir_fd=folder)
    try:
        state = os.fstat(place)
        _check_regular(state, shown)
        if state.st_size > limit:
            return None
        parts: list[bytes] = []
        left = limit + 1
        while left > 0:  # to the end, not to the size: the file may grow, and those of /proc say 0
            part = os.read(place, min(left, max(state.st_size + 1, _LEAST)))
            if not part:
                break
            parts.append(part)
            left -= len(part)
        return b"".join(parts) if left > 0 else None
    finally:
        os.close(place)


def _check_regular(state: os.stat_result, shown: str) -> None:
    if stat.S_ISREG(state.st_mode):
        return
    found = next((words for test, words in _KINDS if test(state.st_mode)), "no regular file")
    if stat.S_ISLNK(state.st_mode):
        raise SourceError(f"{shown} is {found}, and links are not followed; expected the file itself", kind="is_link")
    raise SourceError(f"{shown} is {found}; expected a regular file", kind="not_regular")


def _unreadable(shown: str, error: OSError | ValueError) -> SourceError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return SourceError(f"{shown} cannot be read: {reason}", kind="unreadable")
