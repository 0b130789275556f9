"""The difference between two trees, as `git diff --no-renames` prints it; no git is started for it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gate.diffs.blame import split
from gate.diffs.ignore import Ignored
from gate.diffs.linediff import Change, changes
from gate.tree import SUBMODULE, Tree

_CONTEXT = 3
_LOOKED_AT = 8000  # bytes in which git looks for a NUL
_NONE = "0" * 7
_QUOTED = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_FUNCTION = re.compile(rb"[A-Za-z_$]")


class Changed(NamedTuple):
    """A path that differs, and whether git knows it at the start and at the end."""

    path: str
    before: bool
    after: bool

    @property
    def verb(self) -> str:
        """What was done to it."""
        return "modified" if self.before and self.after else "deleted" if self.before else "added"


def changed(before: Tree, after: Tree, *, tracked_before: bool = False, tracked_after: bool = False) -> list[Changed]:
    """What differs between the trees, in git's order.

    Left out are `.git` and what the trees' own `.gitignore` files ignore, but for files that were there before and
    were not ignored then. `tracked_before` and `tracked_after` say of a tree that it is a commit, so that nothing in
    it is ignored.
    """
    old = _seen(before, tracked=tracked_before, known=frozenset())
    new = _seen(after, tracked=tracked_after, known=old)
    paths = sorted(old | new, key=lambda name: name.encode("utf-8", "surrogateescape"))
    found = [Changed(path, path in old, path in new) for path in paths]
    return [one for one in found if not (one.before and one.after and before.same(one.path, after))]


def unified(before: Tree, after: Tree, paths: Iterable[Changed]) -> bytes:
    """The diff of these paths: with `a/` and `b/`, three lines of context, binary files named."""
    return b"".join(
        part for one in paths for part in _file(one.path, before if one.before else None, after if one.after else None)
    )


def _seen(tree: Tree, *, tracked: bool, known: frozenset[str]) -> frozenset[str]:
    ignored = None if tracked else Ignored(tree)
    return frozenset(
        path
        for path in tree.paths()
        if not (".git" in path and ".git" in path.split("/"))
        and (ignored is None or path in known or not ignored.match(path))
    )


def _file(path: str, before: Tree | None, after: Tree | None) -> Iterator[bytes]:
    """One file's part; one that became something of another type is deleted and made anew."""
    old = before.mode(path) if before else None
    new = after.mode(path) if after else None
    if old and new and old & 0o170000 != new & 0o170000:
        yield from _file(path, before, None)
        yield from _file(path, None, after)
        return
    names = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    yield f"diff --git {names[0]} {names[1]}\n".encode()
    contents = [_content(tree, path) if tree else b"" for tree in (before, after)]
    ids = [_id(tree, path) if tree else _NONE for tree in (before, after)]
    if old is None:
        yield b"new file mode %06o\n" % (new or 0)
    elif new is None:
        yield b"deleted file mode %06o\n" % old
    elif old != new:
        yield b"old mode %06o\nnew mode %06o\n" % (old, new)
    if ids[0] == ids[1]:
        return
    yield f"index {ids[0]}..{ids[1]}{f' {old:06o}' if old == new else ''}\n".encode()
    if contents[0] == contents[1]:
        return
    shown = "/dev/null" if old is None else names[0], "/dev/null" if new is None else names[1]
    if any(b"\0" in content[:_LOOKED_AT] for content in contents):
        yield f"Binary files {shown[0]} and {shown[1]} differ\n".encode()
        return
    for mark, name in zip(("---", "+++"), shown, strict=True):
        yield f"{mark} {name}{chr(9) if ' ' in name else ''}\n".encode()
    yield from hunks(split(contents[0]), split(contents[1]))


def _content(tree: Tree, path: str) -> bytes:
    data = tree.read(path)
    return b"Subproject commit %s\n" % data if tree.mode(path) == SUBMODULE else data


def _id(tree: Tree, path: str) -> str:
    return (tree.read(path).decode("ascii", "replace") if tree.mode(path) == SUBMODULE else tree.blob(path))[:7]


def _quoted(name: str) -> str:
    """A name as git shows it: in quotes and escaped where it holds anything but plain ASCII."""
    data = name.encode("utf-8", "surrogateescape")
    if all(0x20 <= byte < 0x7F and byte not in (34, 92) for byte in data):
        return name
    inside = "".join(_QUOTED.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}") for byte in data)
    return f'"{inside}"'


def hunks(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[bytes]:
    """The lines of the hunks that lead from one text to another, as `git diff` prints them."""
    function, searched = b"", 0
    for group in _grouped(changes(old, new)):
        start = max(group[0].old - _CONTEXT, 0)
        shift = group[0].new - group[0].old
        end = min(group[-1].old_end + _CONTEXT, len(old))
        new_end = end + group[-1].new_end - group[-1].old_end
        named = next((at for at in range(start - 1, searched - 1, -1) if _FUNCTION.match(old[at])), None)
        function = function if named is None else old[named].rstrip()[:80].rstrip()
        searched = start
        places = _range(b"-", start, end), _range(b"+", start + shift, new_end)
        yield b"@@ %s %s @@%s\n" % (*places, b" " + function if function else b"")
        at = start
        for change in group:
            yield from (_line(b" ", line) for line in old[at : change.old])
            yield from (_line(b"-", line) for line in old[change.old : change.old_end])
            yield from (_line(b"+", line) for line in new[change.new : change.new_end])
            at = change.old_end
        yield from (_line(b" ", line) for line in old[at:end])


def _grouped(found: Sequence[Change]) -> Iterator[list[Change]]:
    """The changes of each hunk: those whose context would meet are shown together."""
    group: list[Change] = []
    for change in found:
        if group and change.old - group[-1].old_end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _range(sign: bytes, start: int, end: int) -> bytes:
    count = end - start
    first = start + (count > 0)
    return b"%s%d" % (sign, first) if count == 1 else b"%s%d,%d" % (sign, first, count)


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"
