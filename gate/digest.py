"""The SHA-256 of every file of a tree: bytes go from the disk into the hash, and no file is held whole."""

import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from gate.errors import SourceError
from gate.path import is_git_dir, printable
from gate.source import DiskTree
from gate.tree import SUBMODULE, SYMLINK, Subtree, Tree

_PART = 256 * 1024
_DEEPEST = 64
_GIT = ".git"
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_WORDS = {SYMLINK: "a symbolic link", SUBMODULE: "a submodule"}


def sha256(data: bytes) -> str:
    """The SHA-256 of bytes, in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def stream_sha256(stream: BinaryIO) -> str:
    """The SHA-256 of what is left of an open file."""
    digest = hashlib.sha256()
    while part := stream.read(_PART):
        digest.update(part)
    return digest.hexdigest()


def digests(tree: Tree) -> dict[str, str]:
    """The SHA-256 of every file by path, sorted; without git's own `.git` at the top, be it a folder or a file.

    SourceError of kind `is_link` or `not_regular` for whatever is no plain file, of kind `path_git_dir` for a `.git`
    further down, which no tree shows, and where a file cannot be read.
    """
    folder = on_disk(tree)
    if folder is not None and os.open in os.supports_dir_fd:
        return _of_folder(folder)
    if folder is not None:
        for place in folder.rglob(_GIT):
            _refuse_git(place.relative_to(folder).as_posix())
    found = {}
    for path in tree.paths():
        mode = tree.mode(path)
        if mode in _WORDS:
            raise _no_file(path, _WORDS[mode])
        found[path] = sha256(tree.read(path))
    return found


def on_disk(tree: Tree) -> Path | None:
    """The folder on disk that a tree shows; None for any other tree."""
    if isinstance(tree, Subtree):
        above = on_disk(tree.whole)
        return above / tree.folder if above is not None else None
    return tree.folder if isinstance(tree, DiskTree) else None


def folder_digest(digests: dict[str, str]) -> str:
    """One digest of a whole folder, of paths and contents: what `dirHash` means in an in-toto statement."""
    lines = "".join(f"{digests[path]}  {path}\n" for path in sorted(digests, key=os.fsencode))
    return sha256(lines.encode("utf-8", "surrogateescape"))


def _of_folder(root: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        place = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    except OSError as error:
        raise _unreadable(str(root), error) from None
    _fill(found, place, "", memoryview(bytearray(_PART)))
    return dict(sorted(found.items()))


def _fill(found: dict[str, str], place: int, prefix: str, buffer: memoryview) -> None:
    """Add the files of an open folder, which is closed at the end, and of those below it."""
    try:
        if prefix.count("/") > _DEEPEST:
            raise SourceError(f"{printable(prefix)[:80]}… lies deeper than {_DEEPEST} folders", kind="path_too_long")
        folders = []
        with os.scandir(place) as entries:
            for entry in entries:
                path = prefix + entry.name
                if is_git_dir(entry.name):
                    _refuse_git(path)
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif entry.is_file(follow_symlinks=False):
                    found[path] = _of_file(entry.name, place, path, buffer)
                else:
                    raise _no_file(path, _WORDS[SYMLINK] if entry.is_symlink() else "no regular file")
        for name in folders:
            _fill(found, os.open(name, _FOLDER, dir_fd=place), f"{prefix}{name}/", buffer)
    except OSError as error:
        raise _unreadable(prefix or ".", error) from None
    finally:
        os.close(place)


def _of_file(name: str, place: int, path: str, buffer: memoryview) -> str:
    try:
        file = os.open(name, _FILE, dir_fd=place)
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise _no_file(path, "no regular file")
        digest = hashlib.sha256()
        while size := os.readv(file, [buffer]):
            digest.update(buffer[:size])
        return digest.hexdigest()
    finally:
        os.close(file)


def _refuse_git(path: str) -> None:
    """SourceError where this is not the repository whose top the folder is."""
    if path != _GIT:
        reason = "is git's own, which is neither read nor hashed; expected one at the top alone"
        raise SourceError(f"{printable(path)} {reason}", kind="path_git_dir")


def _no_file(path: str, found: str) -> SourceError:
    kind = "is_link" if found == _WORDS[SYMLINK] else "not_regular"
    return SourceError(f"{printable(path)} is {found}; expected a plain file", kind=kind)


def _unreadable(path: str, error: OSError) -> SourceError:
    return SourceError(f"{printable(path)} cannot be read: {error.strerror}", kind="unreadable")
