"""A path that a command changes, and how."""

import enum
import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

import msgspec


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
    of its folder or of the whole repository; its path is empty.
    """

    path: str
    how: How = How.WRITES
    below: bool = False
    everything: bool = False

    def reaches(self, path: str, *, directory: str | None, root: str | None = None) -> bool:
        """Whether a command in `directory` with this target may change the file `path` of the workspace.

        `directory` is absolute or relative to the workspace, None where it is not known; `root` is where the workspace
        was, absolute, where that is known. What is not known counts as reached when the rest of the path is the same.
        """
        if self.how is How.RUNS:
            return False
        if self.everything:
            return not (directory and root and _beneath(directory, root) is None)
        if self.how is How.MENTIONS:
            folder = _beneath(directory or "", root or "/")
            return any(_is_in(name, self.path) for name in (path, path.removeprefix(f"{folder}/")))
        return any(self._is_at(place, path, directory, root) for place in alternatives(self.path))

    def place(self, *, directory: str | None, root: str | None = None) -> str | None:
        """The one path of the workspace that this target names; None where it names none, several or everything."""
        if self.everything or self.how is How.MENTIONS or directory is None:
            return None
        whole = posixpath.normpath(posixpath.join(directory, self.path))
        if posixpath.isabs(whole):
            return _beneath(whole, root) if root else None
        return None if whole.startswith("../") else whole

    def _is_at(self, place: str, path: str, directory: str | None, root: str | None) -> bool:
        whole = posixpath.normpath(posixpath.join(directory or "", place))
        if not posixpath.isabs(whole):
            ends = [0, *(slash.end() for slash in re.finditer("/", path))] if directory is None else [0]
            return any(self._covers(whole, path[at:]) for at in ends)
        if root is None:
            return any(self._covers(whole[slash.end() :], path) for slash in re.finditer("/", whole))
        beneath = _beneath(whole, root)
        return beneath is not None and self._covers(beneath or ".", path)

    def _covers(self, place: str, path: str) -> bool:
        """Whether `place`, which may be a glob, is this path or, with `below`, a folder above it."""
        if place == ".":
            return self.below
        if "**" in place:
            return fnmatchcase(path, place) or fnmatchcase(path, place.replace("**/", ""))
        parts, names = place.split("/"), path.split("/")
        deep_enough = len(parts) == len(names) or (self.below and len(parts) < len(names))
        return deep_enough and all(map(fnmatchcase, names, parts))


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
