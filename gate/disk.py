"""Files and folders of this machine as the system gives them: opened without waiting, and without following a link."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.errors import SourceError

_LEAST = 64 * 1024

# Without O_NONBLOCK opening a pipe waits for a writer. Windows has none of the four, and needs O_BINARY.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
FILE = _FLAGS | getattr(os, "O_BINARY", 0)
"""How a regular file is opened to be read."""

_FOLDER = _FLAGS | getattr(os, "O_DIRECTORY", 0)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@contextmanager
def below(root: Path, folders: list[str]) -> Iterator[int | str]:
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


def read(name: str, folder: int | None, *, limit: int, shown: str) -> bytes | None:
    """The bytes of a regular file in an open folder, None when there are more than `limit`. OSError, or SourceError."""
    # Asked before opening too: opening a device may already do something.
    check_regular(os.stat(name, dir_fd=folder, follow_symlinks=False), shown)
    place = os.open(name, FILE, dir_fd=folder)
    try:
        state = os.fstat(place)
        check_regular(state, shown)
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


def check_regular(state: os.stat_result, shown: str) -> None:
    """SourceError that says what it is where it is no regular file."""
    if stat.S_ISREG(state.st_mode):
        return
    found = next((words for test, words in _KINDS if test(state.st_mode)), "no regular file")
    if stat.S_ISLNK(state.st_mode):
        raise SourceError(f"{shown} is {found}, and links are not followed; expected the file itself", kind="is_link")
    raise SourceError(f"{shown} is {found}; expected a regular file", kind="not_regular")


def unreadable(shown: str, error: OSError | ValueError) -> SourceError:
    """The error for a file that is there and cannot be read."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return SourceError(f"{shown} cannot be read: {reason}", kind="unreadable")


def listed(folder: Path) -> list[str]:
    """Every name in a folder, whatever it is the name of, sorted. SourceError where it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(os.fspath(folder), error) from None
