"""Trees of files: what a workspace looks like, in memory, before anything needs a disk."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from gate.errors import PathRefused

REGULAR = 0o100644
EXECUTABLE = 0o100755
SYMLINK = 0o120000
SUBMODULE = 0o160000
_MOST_LINKS = 40  # as many as Linux follows


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """The object id that git gives to `data` as a blob; `algorithm` is the repository's (sha1 or sha256)."""
    import hashlib  # 4 ms; files in memory are compared without it

    start = hashlib.sha256 if algorithm == "sha256" else hashlib.sha1
    digest = start(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def is_object_id(text: str) -> bool:
    """Whether this is a whole object id, as git writes it: 40 or 64 hexadecimal digits."""
    return len(text) in (40, 64) and all(digit in "0123456789abcdef" for digit in text)


class Tree(ABC):
    """Files by path.

    Paths are relative, `/`-separated, and carry bytes that are not UTF-8 as surrogate escapes. Modes are git's. A
    symbolic link's content is its target, a submodule's its commit id in hexadecimal.
    """

    algorithm = "sha1"

    @abstractmethod
    def paths(self) -> Iterator[str]:
        """Every path, sorted."""

    @abstractmethod
    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The file's bytes. KeyError where there is no such file."""

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`. KeyError where there is no such file."""
        data = self.read(path)
        return data if len(data) <= limit else None

    def blob(self, path: str) -> str:
        """The file's git blob id. KeyError where there is no such file."""
        return blob_id(self.read(path), self.algorithm)

    def held(self, path: str) -> bytes | None:  # noqa: ARG002 - most trees have nothing in memory
        """The file's bytes where they are in memory anyway; None where they are not, or there is no such file."""
        return None

    def __contains__(self, path: str) -> bool:
        return self.mode(path) is not None

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder of this name; a tree that does not know of empty ones says no to them."""
        return any(name.startswith(f"{path}/") for name in self.paths())

    def same(self, path: str, other: "Tree") -> bool:
        """Whether both trees hold the same mode and bytes at `path`, or both nothing."""
        mode = self.mode(path)
        if mode != other.mode(path):
            return False
        if mode is None:
            return True
        mine = self.held(path)
        theirs = None if mine is None else other.held(path)
        if theirs is not None:
            return mine == theirs
        if self.algorithm == other.algorithm:
            return self.blob(path) == other.blob(path)
        return self.read(path) == other.read(path)


class MemoryTree(Tree):
    """Files held in memory; `modes` names those that are not plain files."""

    def __init__(self, files: Mapping[str, bytes], *, modes: Mapping[str, int] | None = None) -> None:
        self._files = dict(sorted(files.items()))
        self._modes = dict(modes or {})

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        return iter(self._files)

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        return self._modes.get(path, REGULAR) if path in self._files else None

    def read(self, path: str) -> bytes:
        """The file's bytes."""
        return self._files[path]

    def held(self, path: str) -> bytes | None:
        """The file's bytes."""
        return self._files.get(path)


class Overlay(Tree):
    """A tree and the changes made to it; None is a deletion. The tree below is never touched."""

    def __init__(
        self, below: Tree, changes: Mapping[str, bytes | None], *, modes: Mapping[str, int] | None = None
    ) -> None:
        self.below = below
        self.changes = dict(changes)
        self._modes = dict(modes or {})
        self.algorithm = below.algorithm

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        added = {path for path, data in self.changes.items() if data is not None}
        return iter(sorted(added.union(path for path in self.below.paths() if path not in self.changes)))

    def mode(self, path: str) -> int | None:
        """The file's mode; a changed file keeps the mode it had."""
        if path not in self.changes:
            return self.below.mode(path)
        if self.changes[path] is None:
            return None
        return self._modes.get(path) or self.below.mode(path) or REGULAR

    def read(self, path: str) -> bytes:
        """The file's bytes."""
        if path not in self.changes:
            return self.below.read(path)
        data = self.changes[path]
        if data is None:
            raise KeyError(path)
        return data

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`."""
        return super().read_at_most(path, limit) if path in self.changes else self.below.read_at_most(path, limit)

    def blob(self, path: str) -> str:
        """The file's git blob id."""
        return super().blob(path) if path in self.changes else self.below.blob(path)

    def held(self, path: str) -> bytes | None:
        """The file's bytes where it was changed, or the tree below has them."""
        return self.changes[path] if path in self.changes else self.below.held(path)


class Subtree(Tree):
    """One folder of a tree, `whole`, seen as a tree of its own."""

    def __init__(self, whole: Tree, folder: str) -> None:
        self.whole = whole
        self.folder = folder
        self._prefix = f"{folder}/" if folder else ""
        self.algorithm = whole.algorithm

    def paths(self) -> Iterator[str]:
        """Every path below the folder, sorted, relative to it."""
        prefix = self._prefix
        return (path[len(prefix) :] for path in self.whole.paths() if path.startswith(prefix))

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        return self.whole.mode(self._prefix + path)

    def read(self, path: str) -> bytes:
        """The file's bytes."""
        return self.whole.read(self._prefix + path)

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`."""
        return self.whole.read_at_most(self._prefix + path, limit)

    def blob(self, path: str) -> str:
        """The file's git blob id."""
        return self.whole.blob(self._prefix + path)

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""
        return self.whole.has_folder(self._prefix + path)

    def held(self, path: str) -> bytes | None:
        """The file's bytes where they are in memory anyway."""
        return self.whole.held(self._prefix + path)


def follow(tree: Tree, path: str) -> str:
    """Where a path leads when every symbolic link on it is followed, as the system would; nothing need be there.

    PathRefused (`symlink`) for a link that leads out of the tree, or in a circle.
    """
    rest = path.split("/")[::-1]
    place: list[str] = []
    links = 0
    while rest:
        name = rest.pop()
        if name in ("", "."):
            continue
        if name == "..":
            if not place:
                raise PathRefused(f"the link {path!r} leads out of the workspace", kind="symlink")
            place.pop()
            continue
        here = "/".join((*place, name))
        if tree.mode(here) != SYMLINK:
            place.append(name)
            continue
        target = tree.read(here).decode("utf-8", "surrogateescape")
        links += 1
        if target.startswith("/"):
            raise PathRefused(f"the link {here!r} leads out of the workspace, to {target!r}", kind="symlink")
        if links > _MOST_LINKS:
            raise PathRefused(f"the link {path!r} leads in a circle", kind="symlink")
        rest.extend(target.split("/")[::-1])
    return "/".join(place)


class Placed(Tree):
    """A tree seen as the only folder of a larger one, at `folder`; at the top where that is empty."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self._tree = tree
        self._prefix = f"{folder}/" if folder else ""
        self.algorithm = tree.algorithm

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        return (self._prefix + path for path in self._tree.paths())

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        return self._tree.mode(path.removeprefix(self._prefix)) if path.startswith(self._prefix) else None

    def read(self, path: str) -> bytes:
        """The file's bytes. KeyError where there is no such file."""
        return self._tree.read(self._within(path))

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`. KeyError where there is no such file."""
        return self._tree.read_at_most(self._within(path), limit)

    def blob(self, path: str) -> str:
        """The file's git blob id. KeyError where there is no such file."""
        return self._tree.blob(self._within(path))

    def _within(self, path: str) -> str:
        if not path.startswith(self._prefix):
            raise KeyError(path)
        return path.removeprefix(self._prefix)


def differing(one: Tree, other: Tree) -> Iterator[str]:
    """Every path that two trees have otherwise, sorted."""
    return (path for path in sorted({*one.paths(), *other.paths()}) if not one.same(path, other))
