"""What the `.gitignore` files of a tree leave out, as git reads them; no excludes of a machine or a clone are known."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gate.tree import EXECUTABLE, REGULAR, Tree

_NAME = ".gitignore"
_MOST = 1024 * 1024


class _Rule(NamedTuple):
    matches: re.Pattern[str]
    folders_only: bool
    takes_back: bool


class Ignored:
    """Whether a path is ignored: the last rule that matches it in the deepest file decides, after its folders'."""

    def __init__(self, tree: Tree) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._known: dict[str, bool] = {"": False}
        for path in tree.paths():
            if path.rpartition("/")[2] == _NAME and tree.mode(path) in (REGULAR, EXECUTABLE):
                self._rules[path[: -len(_NAME)].rstrip("/")] = list(_rules(tree.read_at_most(path, _MOST) or b""))

    def match(self, path: str) -> bool:
        """Whether the file at this path is ignored."""
        return bool(self._rules) and self._is_ignored(path, folder=False)

    def _is_ignored(self, path: str, *, folder: bool) -> bool:
        if folder and path in self._known:
            return self._known[path]
        above = path.rpartition("/")[0]
        found = self._is_ignored(above, folder=True) or self._decided(path, folder=folder)
        if folder:
            self._known[path] = found
        return found

    def _decided(self, path: str, *, folder: bool) -> bool:
        place = path
        while place:
            place = place.rpartition("/")[0]
            inside = _bytewise(path[len(place) + 1 :] if place else path)
            for rule in reversed(self._rules.get(place, ())):
                if (folder or not rule.folders_only) and rule.matches.fullmatch(inside):
                    return not rule.takes_back
        return False


def _bytewise(text: str) -> str:
    """A character for each byte: to git, `?` is one byte of a name."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _rules(content: bytes) -> Iterator[_Rule]:
    for line in content.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n"):
        text = _without_blanks(line.removesuffix("\r"))
        if not text or text.startswith("#"):
            continue
        takes_back = text.startswith("!")
        text = text[takes_back:]
        folders_only = text.endswith("/")
        text = text.removesuffix("/")
        anchored = "/" in text
        glob = _expression(text.removeprefix("/"))
        if text and glob is not None:
            expression = glob if anchored else f"(?:.*/)?+{glob}"
            yield _Rule(re.compile(expression, re.DOTALL), folders_only, takes_back)


def _without_blanks(line: str) -> str:
    """The line without blanks at its end; one behind a backslash stays."""
    bare = line.rstrip(" ")
    slashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if slashes % 2 and len(bare) < len(line) else bare


_PIECE = re.compile(
    r"(?P<deep>(?:^|(?<=/))\*\*(?:/|$))|(?P<star>\*+)|(?P<one>\?)|(?P<escape>\\.)|(?P<other>.)", re.DOTALL
)
_SET = re.compile(r"\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]", re.DOTALL)
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


_STAR = "[^/]*"
_FOLDERS = "(?:[^/]*/)*"


def _expression(glob: str) -> str | None:
    """The glob as a regular expression; None for one that matches nothing."""
    found: list[str] = []
    at = 0
    while at < len(glob):
        group = _SET.match(glob, at)
        if group:
            inside = _set(group[2])
            if inside is None:
                return None
            found.append(f"(?!/)[{'^' if group[1] else ''}{inside}]")
            at = group.end()
            continue
        piece = _PIECE.match(glob, at)
        assert piece is not None  # noqa: S101 - the last choice takes any character
        kind, text, at = piece.lastgroup, piece[0], piece.end()
        if kind == "deep":
            found.append(_FOLDERS if text.endswith("/") else ".+")
        elif kind == "star":
            found.append(_STAR)
        elif kind == "one":
            found.append("[^/]")
        elif text in ("[", "\\"):
            return None
        else:
            found.append(re.escape(text[-1]))
    return _in_a_row(found)


def _in_a_row(pieces: list[str]) -> str:
    """The pieces as one expression, which gives back nothing that it took but behind the last star of its kind.

    What stands between two stars is looked for where it comes first, and there alone: whatever could follow a later
    place can follow the first, too. Without that, each star more would multiply the time that a long name takes.
    """
    first, *later = _split(pieces, _FOLDERS)
    if not later:
        return _segments(first)
    between = "".join(f"(?>{_FOLDERS}?{_segments(part)})" for part in later[:-1])
    return f"{_segments(first)}{between}{_FOLDERS}?{_segments(later[-1])}"


def _segments(pieces: list[str]) -> str:
    return "/".join(map(_segment, _split(pieces, "/")))


def _segment(pieces: list[str]) -> str:
    first, *later = ("".join(part) for part in _split(pieces, _STAR))
    if not later:
        return first
    between = "".join(f"(?>{_STAR}?{part})" for part in later[:-1])
    return f"{first}{between}{_STAR}{later[-1]}"


def _split(pieces: list[str], at: str) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for piece in pieces:
        if piece == at:
            found.append([])
        else:
            found[-1].append(piece)
    return found


def _set(text: str) -> str | None:
    """The inside of a bracket expression."""
    found, at = [], 0
    pieces = re.findall(r"\[:(\w+):\]|(\\.|.)", text, re.DOTALL)
    while at < len(pieces):
        name, character = pieces[at]
        at += 1
        if name:
            if name not in _CLASSES:
                return None
            found.append(_CLASSES[name])
            continue
        first = re.escape(character[-1])
        if at + 1 < len(pieces) and pieces[at] == ("", "-") and pieces[at + 1][1]:
            last = pieces[at + 1][1][-1]
            at += 2
            if character[-1] <= last:
                found.append(f"{first}-{re.escape(last)}")
            continue
        found.append(first)
    return "".join(found) or None
