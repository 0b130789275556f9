"""Names of files in a workspace: which are safe to write, and how a recorded path becomes one."""

import functools
import posixpath
import re
import unicodedata
from collections.abc import Sequence

from gate.errors import PathRefused

_IGNORED_BY_HFS = dict.fromkeys(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF]
)
_DEVICES = frozenset(
    [
        "aux",
        "con",
        "nul",
        "prn",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    ]
)
_SHARE = r"[\\/]{2}[^\\/]+[\\/]+[^\\/]+"
_share = functools.cache(lambda: re.compile(_SHARE))
_windows = functools.cache(lambda: re.compile(rf"[A-Za-z]:[\\/]|{_SHARE}"))
_NO_NAMES = frozenset(["", ".", ".."])
_LONGEST_NAME = 255
_LONGEST_PATH = 4096
_DEEPEST = 40


def fold(name: str) -> str:
    """The form under which file systems that ignore case, composition or invisible characters see a name."""
    seen = name.translate(_IGNORED_BY_HFS)
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())


def is_git_dir(name: str) -> bool:
    """Whether some file system takes this name for `.git`."""
    if name.isascii() and name[:4].lower() not in (".git", "git~"):
        return False
    plain = fold(name).split(":")[0].rstrip(". ")
    return plain == ".git" or (plain.startswith("git~") and plain[4:].isdigit())


def is_plain(path: str) -> bool:
    """Whether the path is written as git writes one: below a folder, without `.`, `..`, empty names or NUL."""
    return is_text(path) and _NO_NAMES.isdisjoint(path.split("/"))


def is_text(words: str) -> bool:
    """Whether the system can be given these words at all: no NUL, and no half of a surrogate pair."""
    try:
        return b"\0" not in words.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False


def printable(path: str) -> str:
    """The path as it may stand in a message: itself, or quoted and escaped when it holds anything unprintable."""
    return path if path.isprintable() else repr(path)


def several(paths: Sequence[str]) -> str:
    """The first of the paths as it may stand in a message, and how many more there are; there must be one."""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{printable(paths[0])}{more}"


def below(path: str, folder: str) -> str | None:
    """A path of the workspace as seen from one of its folders (empty: the top); None where it lies elsewhere."""
    if not folder:
        return path
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else None


@functools.lru_cache(maxsize=4096)  # the same few names in every task of a suite
def confined(path: str) -> str:
    """The path in normal form, relative to the workspace; PathRefused when no workspace may hold it.

    A leading `./` is taken off; nothing else is mended. The rules follow what git, NTFS and HFS+ make of a name.
    """
    if "\0" in path:
        raise PathRefused(f"{path!r} holds a NUL byte", kind="path_nul")
    if not is_text(path):
        raise PathRefused(f"{path!r} holds half of a surrogate pair, which no name can", kind="path_encoding")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    if path.startswith("/"):
        raise PathRefused(f"{path!r} is absolute; expected a path inside the workspace", kind="path_absolute")
    if "\\" in path:
        raise PathRefused(f"{path!r} holds a backslash; expected `/` between folders", kind="path_backslash")
    if path[1:3] in (":", ":/") and path[0].isalpha():  # of `f:x` nobody knows whether it is a drive or a stream
        raise PathRefused(f"{path!r} names a drive", kind="path_drive")
    parts = path.split("/")
    if ".." in parts:
        raise PathRefused(f"{path!r} leads out of the workspace", kind="path_escape")
    if not path or any(part in ("", ".") for part in parts):
        raise PathRefused(f"{path!r} is not a path in normal form", kind="path_not_normal")
    if len(parts) > _DEEPEST or len(path.encode("utf-8", "surrogateescape")) > _LONGEST_PATH:
        raise PathRefused(
            f"a path of {len(parts)} folders and {len(path)} characters is too long", kind="path_too_long"
        )
    for part in parts:
        _check_name(part)
    return path


def _check_name(name: str) -> None:
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST_NAME:
        raise PathRefused(f"the name {name[:40]!r}… is longer than {_LONGEST_NAME} bytes", kind="path_too_long")
    if is_git_dir(name):
        raise PathRefused(f"{name!r} is git's own folder on some file system", kind="path_git_dir")
    if ":" in name or name.endswith((".", " ")) or fold(name).split(".")[0].rstrip() in _DEVICES:
        raise PathRefused(f"{name!r} is not a file name on every system", kind="path_not_portable")
    if any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in name):
        raise PathRefused(f"{name!r} holds a control character", kind="path_control")


@functools.lru_cache(maxsize=4096)  # as for `confined`
def into(path: str, directory: str | None) -> str:
    """The workspace path of a recorded one: absolute paths under `directory` become relative to it.

    PathRefused for every other absolute path and for all that `confined` refuses. `a/./b` and `a/x/../b` are taken
    for what they name as long as they stay inside; an empty name (`a//b`, `a/`) names no file for sure. Where
    `directory` is one of Windows, so are the paths.
    """
    if directory and is_windows(directory):
        path, directory = slashed(path), slashed(directory)
        if path[1:2] == ":" and path[0].isalpha():
            raise PathRefused(f"{path!r} names a drive", kind="path_drive")
    written = path
    if directory and posixpath.isabs(path):
        root = posixpath.normpath(directory)
        inside = posixpath.normpath(path)
        if root != "/" and inside.startswith(root + "/"):
            written, path = path.removeprefix(directory).lstrip("/"), inside[len(root) + 1 :]
    elif path and not posixpath.isabs(path) and "\\" not in path and "\0" not in path:
        path = posixpath.normpath(path)
    found = confined(path)
    if written.endswith("/") or "//" in written.removeprefix("./"):
        raise PathRefused(f"{written!r} is not a path in normal form", kind="path_not_normal")
    return found


def is_windows(path: str) -> bool:
    """Whether it is absolute as Windows has it: with a drive (`C:\\x`) or a share (`\\\\server\\share\\x`) in front."""
    return _windows().match(path) is not None


def slashed(path: str) -> str:
    """A path of Windows as POSIX writes one: `/c:/x` and `//server/share/x`; drives and shares are told by no case."""
    path = path.replace("\\", "/")
    if path[1:3] == ":/":
        return f"/{path[0].lower()}{path[1:]}"
    share = _share().match(path)
    return share[0].lower() + path[share.end() :] if share else path


def plain(path: str, *, windows: bool) -> str:
    """A recorded path without ways around in it, so that it can be compared with others; a relative one as it is."""
    path = slashed(path) if windows else path
    return posixpath.normpath(path) if posixpath.isabs(path) else path


def joined(directory: str | None, path: str) -> str:
    """A recorded path as it starts at a folder, unless it is absolute, as POSIX or as Windows has it."""
    return path if is_windows(path) else posixpath.join(directory or "", path)
