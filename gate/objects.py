"""What git stores: blobs by their id, read with GitPython, and the trees that name them."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gate import deadline, surroundings
from gate.errors import GitError, SourceError
from gate.path import is_plain, printable
from gate.source import LARGEST, DiskTree
from gate.tree import SUBMODULE, Tree, blob_id

if TYPE_CHECKING:
    from git import Git

Listing = dict[str, tuple[int, str]]
"""Mode and object id by path."""

_FEW = 8
"""As many single files are looked up before a tree is listed as a whole."""


class Objects:
    """The object store of one repository; `folder` is its git folder, the one that linked worktrees share.

    The first blob starts two processes that stay until `close`. May be used from several threads.
    """

    def __init__(self, folder: Path, algorithm: str, environment: dict[str, str]) -> None:
        self._folder = folder
        self.algorithm = algorithm
        self._environment = environment
        self._git: Git | None = None
        self._lock = threading.Lock()  # the answers of `git cat-file --batch` come one after the other

    def read(self, name: str, limit: int) -> bytes | None:
        """The bytes of the blob with this full id, or None when there are more than `limit`.

        GitError where there is no such blob, or where its bytes do not have that id.
        """
        # Of an answer that is torn apart the rest would be taken for the next one's.
        with deadline.held(), self._lock:
            try:
                data = self._stored(name, limit)
            except Exception as error:  # GitPython documents no bound to what it raises on a broken repository
                raise GitError(f"the object {name} cannot be read in {self._folder}: {error}", kind="object") from error
        if data is not None and blob_id(data, self.algorithm) != name:
            raise GitError(f"the object {name} in {self._folder} does not hold what its id says", kind="object")
        return data

    def close(self) -> None:
        """End the processes; the next `read` starts them again."""
        with self._lock:
            git, self._git = self._git, None
        if git is not None:
            git.clear_cache()

    def __del__(self) -> None:
        """Close what nobody has: a repository that was only looked at once. Made first, so it is finalised first."""
        self.close()

    def _stored(self, name: str, limit: int) -> bytes | None:
        git = self._started()
        if self.algorithm == "sha1":
            *_, size = git.get_object_header(name)
            return None if size > limit else git.get_object_data(name)[-1]
        # GitPython 3.2.1 reads no headers of objects with longer ids, so git is asked object by object.
        if int(git.cat_file("-s", name)) > limit:
            return None
        return bytes(git.cat_file("blob", name, stdout_as_string=False, strip_newline_in_stdout=False))

    def _started(self) -> "Git":
        """The command, and not a `Repo`: that reads the repository's configuration, and not as git does.

        On `includeIf`, by which actions/checkout keeps credentials, GitPython 3.2.1 raises an AttributeError.
        """
        if self._git is None:
            with surroundings.named_git(self._folder):
                import git  # 75 ms and two processes, and a hook whose files all lie in the checkout needs none of it

            self._git = git.Git(self._folder)
            # Its children inherit this process's environment, where replaced objects would be honoured.
            self._git.update_environment(**{**self._environment, "GIT_DIR": str(self._folder)})
        return self._git


class GitTree(Tree):
    """The files of a commit or of the index.

    `listing` gives them all, or for a path only those at or below it. A few single files are looked up one by one;
    after that, or for all paths, the tree is listed once. The file in the checkout serves as content when its bytes
    have the right id, so that most objects need not be opened.
    """

    def __init__(self, *, top: Path, objects: Objects, listing: Callable[[str | None], Listing]) -> None:
        self.algorithm = objects.algorithm
        self._checkout = DiskTree(top)
        self._objects = objects
        self._listing = listing
        self._all: Listing | None = None
        self._some: dict[str, tuple[int, str] | None] = {}

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        return iter(self._list())

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        found = self._find(path)
        return found[0] if found else None

    def blob(self, path: str) -> str:
        """The file's git blob id, without reading it; of a submodule the id of its content as a tree shows it."""
        mode, name = self._entry(path)
        return blob_id(name.encode(), self.algorithm) if mode == SUBMODULE else name

    def read(self, path: str) -> bytes:
        """The file's bytes."""
        data = self.read_at_most(path, LARGEST)
        if data is None:
            raise SourceError(f"{printable(path)} has more than {LARGEST} bytes", kind="too_large")
        return data

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`."""
        mode, name = self._entry(path)
        if mode == SUBMODULE:
            return name.encode()
        try:
            data = self._checkout.read_at_most(path, limit)
        except (KeyError, SourceError):
            data = None
        if data is not None and blob_id(data, self.algorithm) == name:
            return data
        return self._objects.read(name, limit)

    def _entry(self, path: str) -> tuple[int, str]:
        found = self._find(path)
        if found is None:
            raise KeyError(path)
        return found

    def _find(self, path: str) -> tuple[int, str] | None:
        if self._all is None and path not in self._some and is_plain(path):
            if len(self._some) < _FEW:
                self._some[path] = self._listing(path).get(path)
            else:
                self._list()
        return self._some.get(path) if self._all is None else self._all.get(path)

    def _list(self) -> Listing:
        if self._all is None:
            self._all = dict(sorted(self._listing(None).items()))
        return self._all


def listed(raw: bytes) -> Listing:
    """Paths from `ls-tree -z`: `MODE TYPE ID<tab>PATH`; folders are left out."""
    found: Listing = {}
    for line in raw.split(b"\0")[:-1]:
        facts, _, path = line.partition(b"\t")
        mode, kind, name = facts.split(b" ")
        if kind != b"tree":
            found[os.fsdecode(path)] = (int(mode, 8), name.decode())
    return found


def indexed(raw: bytes) -> Listing:
    """Paths from the raw difference between the empty tree and the index: `:0 MODE 0 ID A<nul>PATH`."""
    parts = raw.split(b"\0")
    found: Listing = {}
    for facts, path in zip(parts[0:-1:2], parts[1::2], strict=False):
        _, mode, _, name, status = facts.split(b" ")
        if status != b"A":
            raise GitError(
                f"{printable(os.fsdecode(path))} is unmerged in the index; finish the merge with `git add`",
                kind="unmerged",
            )
        found[os.fsdecode(path)] = (int(mode, 8), name.decode())
    return found
