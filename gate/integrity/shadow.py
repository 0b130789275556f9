"""Modules that a change brings where a command starts Python, and that hide an installed one of the same name."""

from collections.abc import Callable, Iterable
from functools import cached_property

from gate.integrity.launch import Launch
from gate.integrity.loaded import OWN, shadowed
from gate.path import below
from gate.tree import Tree

_ENDS = ("py", "so", "pyd")


class Shadows:
    """What of a head would be loaded in the place of what is installed, where these commands start.

    A module that the base has there, too, is the repository's own and the change's to edit. One that a command names
    (`python -m NAME`), and no table here, is taken for the work itself unless `installed` says that there is another.
    """

    def __init__(self, launches: Iterable[Launch], base: Tree, installed: Callable[[str], bool]) -> None:
        self._launches = tuple(launches)
        self._base, self._installed = base, installed
        self._answers: dict[str, bool] = {}

    def match(self, path: str, folders: Iterable[str]) -> bool:
        """Whether this file of the head is, or begins, such a module in one of the folders."""
        for folder in folders:
            inner = below(path, folder)
            name = _module(inner) if inner else None
            if name and self._hides(name) and (folder, name) not in self._bases:
                return True
        return False

    def _hides(self, name: str) -> bool:
        if name in self._known:
            return True
        if name not in self._asked:
            return False
        if name not in self._answers:
            self._answers[name] = self._installed(name)
        return self._answers[name]

    @cached_property
    def _known(self) -> frozenset[str]:
        return shadowed(frozenset().union(*(one.programs for one in self._launches)))

    @cached_property
    def _asked(self) -> frozenset[str]:
        named = (name.partition(".")[0] for one in self._launches for name in one.modules)
        return frozenset(named).difference(OWN)

    @cached_property
    def _bases(self) -> frozenset[tuple[str, str]]:
        """The folders and names of the base's modules, of whatever folder."""
        found = set()
        for path in self._base.paths():
            folder, _, last = path.rpartition("/")
            if last.startswith("__init__."):
                above, _, name = folder.rpartition("/")
                found.add((above, name))
            elif (module := _module(last)) is not None:
                found.add((folder, module))
        return frozenset(found)


def _module(path: str) -> str | None:
    """The module that a file is (`a.py`, `a.cpython-311.so`), or that it makes of its folder (`a/__init__.py`)."""
    folder, _, last = path.rpartition("/")
    name, _, end = last.partition(".")
    if end.rpartition(".")[2] not in _ENDS or "/" in folder:
        return None
    return name if not folder else folder if name == "__init__" else None
