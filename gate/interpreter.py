"""The Python that a manifest names for commands: on this machine, and nothing that the change could bring along."""

import posixpath

from gate.command import Interpreter
from gate.errors import ManifestError
from gate.manifest import Manifest
from gate.path import fold, printable
from gate.review import Review
from gate.tree import Tree


def find(manifest: Manifest, review: Review) -> Interpreter | None:
    """What `defaults.python` means: a path on this machine or a name; None where it says nothing.

    ManifestError where the head holds the program, something on the way to it, or any of the environment around it.
    """
    named = manifest.defaults.python
    if named is None:
        return None
    named_by = f"{manifest.place(('defaults', 'python'))}: `defaults.python`"
    if "/" not in named:
        return Interpreter(named, named_by)
    top = review.top.as_posix()
    whole = posixpath.normpath(posixpath.join(top, manifest.folder, named))
    brought = _brought(posixpath.relpath(whole, top), review.head.tree) if review.change is not None else None
    if brought is not None:
        raise ManifestError(
            f"{named_by}: {printable(named)} would run or load {printable(brought)} of the "
            "change itself; name an interpreter that the change cannot bring along",
            kind="python",
        )
    return Interpreter(whole, named_by)


def _brought(program: str, tree: Tree) -> str | None:
    """What of the tree an interpreter would be or load: a file or link on the way to it, or any of its environment.

    That is the folder above the program's: `.venv` for `.venv/bin/python`, whose `lib` and `pyvenv.cfg` it loads.
    """
    if program.startswith("../"):
        return None
    parts = fold(program).split("/")
    ways = {"/".join(parts[: end + 1]) for end in range(len(parts))}
    home = "".join(f"{part}/" for part in parts[:-2])
    return next((path for path in tree.paths() if (known := fold(path)) in ways or known.startswith(home)), None)
