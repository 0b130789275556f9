"""A path that a command changes, and how."""

import enum
import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

import msgspec

UNTOLD = "\0"
"""Stands in a path for a part that only a shell would tell; no path has this character."""

MADE = "/tmp/tmp.made"  # noqa: S108 - a recorded command's
"""Stands for what `mktemp` makes, which is no part of a workspace."""

TOO_DEEP = "commands stand inside one another deeper than is read"
"""Why it cannot be told what a line changes that was not read to its end."""

_HOME = re.compile(r"/(?:home|Users)/[^/]+|/root")
_TEMPORARY = frozenset(["/tmp", "/var/tmp", "/dev/shm"])  # noqa: S108 - folders of recorded commands
_UP = re.compile(r".*\0[^/]*(?:/\.\.)+(?:/|$)")
_SIGN = re.compile(r"[\0*]*\0[\0*]*|\*\*/|\*\*|\*|\?|\[[^\]/]+\]")
_OPEN = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
_MOST_OPEN = 3
_RANGE = re.compile(r"\{[^{},]*\.\.[^{},]*\}")


class How(enum.StrEnum):
    """What happens to a target."""

    WRITES = "writes"
    REMOVES = "removes"
    MODE = "mode"
    MENTIONS = "mentions"
    """A script that the command runs; `path` is its text, and any path in it may be changed."""

    RUNS = "runs"
    """A script that the command runs; `path` is its file, whose text whoever has it can look into."""


class Target(msgspec.Struct, frozen=True):
    """A path that a command changes, as written there: relative to the command's folder, expansions not expanded.

    `below` says that everything beneath the path may change too. `everything` is a command that may change any file
    of its folder or of the whole repository; its path is empty. `unsure` is why it cannot be told which files these
    are, a clause; empty where the path tells it.
    """

    path: str
    how: How = How.WRITES
    below: bool = False
    everything: bool = False
    unsure: str = ""

    def reaches(self, path: str, *, directory: str | None, root: str | None = None) -> bool:
        """Whether a command in `directory` with this target may change the file `path` of the workspace.

        `directory` is absolute or relative to the workspace, None where it is not known; `root` is where the workspace
        was, absolute, where that is known. What is not known counts as reached when the rest of the path is the same.
        """
        if self.how is How.RUNS:
            return False
        if self.everything:
            return not _is_made(directory or "") and not (directory and root and _beneath(directory, root) is None)
        if self.how is How.MENTIONS:
            folder = _beneath(directory or "", root or "/")
            return any(_is_in(name, self.path) for name in (path, path.removeprefix(f"{folder}/")))
        return any(self._is_at(*_from_home(place, root), path, directory) for place in self._alternatives())

    def may_reach(self, path: str, *, directory: str | None, root: str | None = None) -> bool:
        """Whether it cannot be told that the file is none of these: each part that is not known may be anything.

        Behind the name of a folder such a part is taken to stay below it, and alone in the folder that the command
        runs in where that is not one of the workspace.
        """
        if UNTOLD not in self.path or self.how in (How.MENTIONS, How.RUNS):
            return False
        elsewhere = bool(directory and root and _beneath(directory, root) is None) or _is_made(directory or "")
        return any(
            self._may_be(*_from_home(place, root), path, directory)
            for place in self._alternatives()
            if not (elsewhere and place.startswith(UNTOLD))
        )

    def _alternatives(self) -> list[str]:
        return alternatives(_RANGE.sub("*", self.path))

    def _may_be(self, place: str, root: str | None, path: str, directory: str | None) -> bool:
        place = _UP.sub(f"{UNTOLD}/", place)
        if not place.startswith(UNTOLD):
            place = posixpath.normpath(posixpath.join(UNTOLD if directory is None else directory, place))
        if root and place.startswith("../"):
            place = posixpath.normpath(posixpath.join(root, place))
        if _is_made(place):
            return False
        if place.startswith(UNTOLD):
            return any(self._fits(place, whole) for whole in (f"/{path}", posixpath.join(root or "/", path)))
        if not posixpath.isabs(place):
            return self._fits(place, path)
        if root is not None:
            return self._fits(place, posixpath.join(root, path))
        known = place.partition(UNTOLD)[0].rpartition("/")[0]
        return any(self._fits(place[slash.end() :], path) for slash in re.finditer("/", known))

    def _fits(self, place: str, path: str) -> bool:
        """Whether the path is this pattern; behind many open parts the rest is not looked at, which would take long."""
        pieces, at, left = [], 0, _MOST_OPEN
        for sign in _SIGN.finditer(place):
            pieces.append(re.escape(place[at : sign.start()]))
            at = sign.end()
            left -= sign.group()[0] in "\0*"
            if left < 0:
                pieces.append(".*")
                break
            pieces.append(".*" if "\0" in sign.group() else _OPEN.get(sign.group(), "[^/]"))
        else:
            pieces += [re.escape(place[at:].rstrip("/")), "(?:/.*)?" if self.below else ""]
        return re.fullmatch("".join(pieces), path, re.DOTALL) is not None

    def place(self, *, directory: str | None, root: str | None = None) -> str | None:
        """The one path of the workspace that this target names; None where it names none, several or everything."""
        if self.everything or self.how is How.MENTIONS or directory is None:
            return None
        whole = posixpath.normpath(posixpath.join(directory, self.path))
        if posixpath.isabs(whole):
            return _beneath(whole, root) if root else None
        return None if whole.startswith("../") else whole

    def _is_at(self, place: str, root: str | None, path: str, directory: str | None) -> bool:
        whole = posixpath.normpath(posixpath.join(directory or "", place))
        if root and whole.startswith("../"):
            whole = posixpath.normpath(posixpath.join(root, whole))
        if _is_made(whole):
            return False
        if f"{whole}/".startswith("../"):
            return self._covers_above(whole, path)
        if not posixpath.isabs(whole):
            ends = [0, *(slash.end() for slash in re.finditer("/", path))] if directory is None else [0]
            return any(self._covers(whole, path[at:]) for at in ends)
        if root is None:
            # A file in the folder of temporary ones is none of a workspace, which would be a folder in it.
            is_temporary = posixpath.dirname(whole) in _TEMPORARY
            tails = (whole[slash.end() :] for slash in re.finditer("/", whole))
            return not is_temporary and any(self._covers(tail, path) for tail in tails)
        beneath = _beneath(whole, root)
        return beneath is not None and self._covers(beneath or ".", path)

    def _covers_above(self, place: str, path: str) -> bool:
        """The same for a place that leads out of the workspace, and into it again where its folder has that name."""
        names = re.sub(r"^(?:\.\./)*", "", place)
        if names == "..":
            return self.below
        return any(self._covers(names[slash.end() :], path) for slash in re.finditer("/", names))

    def _covers(self, place: str, path: str) -> bool:
        """Whether `place`, which may be a glob, is this path or, with `below`, a folder above it."""
        if place == ".":
            return self.below
        if "**" in place:
            places = [place, place.replace("**/", "")]
            places += [f"{one}/*" for one in places if self.below]
            return any(fnmatchcase(path, one) for one in places)
        parts, names = place.split("/"), path.split("/")
        deep_enough = len(parts) == len(names) or (self.below and len(parts) < len(names))
        return deep_enough and all(map(fnmatchcase, names, parts))


def _is_made(place: str) -> bool:
    return f"{place}/".startswith(f"{MADE}/")


def _from_home(place: str, root: str | None) -> tuple[str, str | None]:
    """A place below the home folder as the root's tells it, and the root; where it does not, both are not known."""
    if place != "~" and not place.startswith("~/"):
        return place, root
    home = _HOME.match(root or "")
    return (home.group() + place[1:], root) if home else (f"/{place}", None)


def _beneath(place: str, root: str) -> str | None:
    """A place relative to the root: empty for the root itself, None for one that is not beneath it."""
    place, root = posixpath.normpath(place), posixpath.normpath(root)
    if not posixpath.isabs(place):
        return "" if place == "." else place
    return place[len(root) + 1 :] if f"{place}/".startswith(f"{root}/") else None


def _is_in(path: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w-])", text) is not None


def alternatives(place: str) -> list[str]:
    """What `a.{js,ts}` stands for: `a.js` and `a.ts`; of very many the first ones, with their braces."""
    found = [place]
    while len(found) < 100 and (braces := re.search(r"\{([^{}]*,[^{}]*)\}", found[0])):
        first = found.pop(0)
        found.extend(first[: braces.start()] + word + first[braces.end() :] for word in braces[1].split(","))
    return found


Targets = Iterator[Target]
EVERYTHING = Target("", everything=True)
