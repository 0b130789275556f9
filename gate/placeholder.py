"""What stands in a tree for files that lie elsewhere: submodules, and pointers of Git LFS."""

import posixpath
from collections.abc import Iterator

from gate.path import several
from gate.report import Finding, Severity
from gate.scope import Patterns, rooted
from gate.tree import SUBMODULE, SYMLINK, Tree

_ATTRIBUTES = ".gitattributes"
_FILTER = "filter=lfs"
_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST = 1024  # bytes, of a pointer: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
_LARGEST_ATTRIBUTES = 1 << 20


def told(tree: Tree) -> Iterator[Finding]:
    """A notice for each kind of them: a command may fail since what it needs is not in its workspace."""
    paths = list(tree.paths())
    modules = [path for path in paths if tree.mode(path) == SUBMODULE]
    if modules:
        yield _notice(modules, "only the commit of the submodule {}, none of the files in it")
    pointers = list(_pointers(tree, paths))
    if pointers:
        yield _notice(pointers, "only Git LFS's pointer to {}, not what it points to")


def _notice(paths: list[str], what: str) -> Finding:
    held = what.format(several(paths))
    message = f"The workspace of commands holds {held}: a command that needs it fails."
    return Finding(severity=Severity.NOTICE, kind="placeholder", message=message, details="\n".join(paths))


def _pointers(tree: Tree, paths: list[str]) -> Iterator[str]:
    """The files that are pointers, among those that the attributes of the tree give to LFS."""
    filtered = Patterns([pattern for path in paths for pattern in _filtered(tree, path)])
    if filtered.patterns:
        for path in filter(filtered.match, paths):
            if tree.mode(path) not in (SYMLINK, SUBMODULE):
                data = tree.read_at_most(path, _LARGEST)
                if data is not None and data.startswith(_POINTER):
                    yield path


def _filtered(tree: Tree, path: str) -> Iterator[str]:
    """The patterns that a file of attributes gives to LFS, as seen from the top; none where it is no such file."""
    folder, name = posixpath.split(path)
    if name != _ATTRIBUTES or tree.mode(path) in (SYMLINK, SUBMODULE):
        return
    text = (tree.read_at_most(path, _LARGEST_ATTRIBUTES) or b"").decode("utf-8", "surrogateescape")
    for line in text.splitlines():
        pattern, *attributes = line.split() or [""]
        if _FILTER in attributes:
            yield posixpath.join(folder, rooted(pattern)).removeprefix("!")
