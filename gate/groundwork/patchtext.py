"""A patch as git writes it, taken apart far enough to tell its files, and to move it into a folder."""

import re
from collections.abc import Iterator
from io import BytesIO

import msgspec

from gate.errors import PathRefused
from gate.path import confined, is_git_dir, printable
from gate.tree import SUBMODULE, SYMLINK

_HUNK = re.compile(rb"@@ -\d{1,12}(?:,(\d{1,12}))? \+\d{1,12}(?:,(\d{1,12}))? @@")
_MODE = re.compile(rb"(?:(?:new|deleted) file mode|old mode|new mode|index [0-9a-f]+\.\.[0-9a-f]+) (\d{6})\s*")
_NAMED = (b"rename from ", b"rename to ", b"copy from ", b"copy to ")
_LITERAL = re.compile(rb"literal (\d{1,18})\s*")
_COPIED = b"copy from "
_NOWHERE = b"/dev/null"
_WORDS = {SYMLINK: "a symbolic link", SUBMODULE: "a submodule"}


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """A patch, taken apart: its lines, and which of them hold names. `plain` says that nothing else holds any.

    `names` are all files that it reads or writes, in normal form. `copies` are the files that it copies, once for each
    copy, as git reads their names; `packed` is the size of what it holds packed, in bytes unpacked.
    """

    lines: tuple[bytes, ...]
    heads: frozenset[int]
    names: tuple[str, ...]
    plain: bool
    copies: tuple[str, ...] = ()
    packed: int = 0

    def within(self, folder: str) -> bytes:
        """The same patch for the same files in a folder."""
        prefix = folder.encode() + b"/"
        return b"".join(
            _moved(line, prefix) if number in self.heads else line for number, line in enumerate(self.lines)
        )


def parse(data: bytes) -> Patch:
    """Take a patch apart. PathRefused where it names a link, a submodule, or a file that no workspace may hold."""
    lines = BytesIO(data).readlines()  # at LF only
    if lines and not lines[-1].endswith(b"\n"):
        lines[-1] += b"\n"
    heads: set[int] = set()
    names: dict[str, None] = {}
    copies, packed = list[str](), 0
    plain, binary, at = True, False, 0
    while at < len(lines):
        line = lines[at]
        hunk = _HUNK.match(line)
        if hunk:
            at, whole = _after_hunk(lines, at + 1, int(hunk[1] or 1), int(hunk[2] or 1))
            plain = plain and whole
            continue
        _check_mode(line)
        if line.startswith(_COPIED):
            copies.append(_read(line[len(_COPIED) :].rstrip(b"\r\n")))
        elif binary and (literal := _LITERAL.fullmatch(line)):
            packed += int(literal[1])
        found = list(_names(line))
        if found:
            heads.add(at)
            plain = plain and None not in found and not line.endswith(b"\r\n")
            names |= dict.fromkeys(_checked(name) for name in found if name)
        elif line.startswith((b"GIT binary patch", b"Binary files ", b"diff ")):
            plain = False
        binary = line.startswith(b"GIT binary patch") or (binary and not line.startswith(b"diff "))
        at += 1
    return Patch(
        lines=tuple(lines),
        heads=frozenset(heads),
        names=tuple(names),
        plain=plain and bool(names),
        copies=tuple(copies),
        packed=packed,
    )


def _after_hunk(lines: list[bytes], at: int, olds: int, news: int) -> tuple[int, bool]:
    """Where the lines of a hunk end, and whether all that its head announces were there."""
    while at < len(lines) and (olds > 0 or news > 0):
        mark = lines[at][:1]
        if mark not in (b" ", b"-", b"+", b"\n", b"\\"):
            return at, False
        if mark != b"\\":
            olds -= mark != b"+"
            news -= mark != b"-"
        at += 1
    if at < len(lines) and lines[at].startswith(b"\\ "):
        at += 1
    return at, olds == 0 and news == 0


def _names(line: bytes) -> Iterator[bytes | None]:
    """The names that a line of a head holds, `b""` for no file, None for one that is not written plainly."""
    if line.startswith(b"diff --git "):
        one, other = _pair(line[11:].rstrip(b"\r\n"))
        yield from (one, other)
    elif line.startswith((b"--- ", b"+++ ")):
        name = line[4:].rstrip(b"\r\n").partition(b"\t")[0]
        side = b"a/" if line[:1] == b"-" else b"b/"
        yield b"" if name == _NOWHERE else name[2:] if name.startswith(side) else None
    elif line.startswith(_NAMED):
        name = line.partition(b" ")[2].partition(b" ")[2].rstrip(b"\r\n")
        yield None if name.startswith(b'"') else name


def _read(name: bytes) -> str:
    """The name as git reads it: between quotes as C writes it."""
    if name.startswith(b'"'):
        name = name.strip(b'"').decode("unicode_escape", "replace").encode("latin-1", "replace")
    return name.decode("utf-8", "surrogateescape")


def _pair(names: bytes) -> tuple[bytes | None, bytes | None]:
    """The two names of `diff --git`: twice the same, or two without a space in them."""
    half = len(names) // 2
    if names[:2] == b"a/" and names[half : half + 3] == b" b/" and names[2:half] == names[half + 3 :]:
        return names[2:half], names[2:half]
    one, _, other = names.partition(b" ")
    if one[:2] == b"a/" and other[:2] == b"b/" and b" " not in other:
        return one[2:], other[2:]
    return None, None


def _moved(line: bytes, prefix: bytes) -> bytes:
    if line.startswith(b"diff --git "):
        one, other = _pair(line[11:].rstrip(b"\r\n"))
        return b"diff --git a/%s%s b/%s%s\n" % (prefix, one or b"", prefix, other or b"")
    if line.startswith((b"--- ", b"+++ ")):
        return line if line[4:].startswith(_NOWHERE) else line[:6] + prefix + line[6:]
    words = next(words for words in _NAMED if line.startswith(words))
    return words + prefix + line[len(words) :]


def _checked(name: bytes) -> str:
    """The name as a path of a workspace. PathRefused for one that none may hold."""
    text = name.decode("utf-8", "surrogateescape")
    if any(map(is_git_dir, text.split("/"))):
        raise PathRefused(f"it names {printable(text)}, which lies in git's own folder", kind="path_git_dir")
    path = confined(text)
    if path != text:
        raise PathRefused(f"{printable(text)} is not a path in normal form", kind="path_not_normal")
    return path


def _check_mode(line: bytes) -> None:
    found = _MODE.fullmatch(line)
    mode = int(found[1], 8) if found else 0
    if mode in _WORDS:
        shown = line.decode("utf-8", "replace").strip()
        raise PathRefused(
            f"it makes, changes or takes away {_WORDS[mode]} ({shown!r}), which golden patches do not",
            kind="symlink" if mode == SYMLINK else "submodule",
        )
