"""Scripts that commands start and that judge: nobody's work is tried by a script that this work has changed."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import partial

from gate.cmdline.started import started
from gate.integrity.launch import joined
from gate.integrity.started import programs
from gate.oracle import Oracle
from gate.path import below
from gate.tree import EXECUTABLE, REGULAR, SYMLINK, Tree

_TELLING = re.compile(
    r"(?:^|[^A-Za-z])(?:tests?|testing|checks?|lint|linter|ci|verify|validate|specs?|e2e|smoke)(?![A-Za-z])",
    re.IGNORECASE,
)
_ENDINGS = frozenset([".sh", ".bash", ".zsh", ".ksh", ".dash", ".ash", ".fish"])
_SHEBANG = re.compile(rb"#!.*\b(?:sh|bash|dash|zsh|ksh|ash|fish)\b")
_LARGEST = 64 * 1024


def harness(oracles: Iterable[Oracle], base: Tree, folder: str, product: frozenset[str]) -> frozenset[str]:
    """The scripts of the base that the commands start and that judge: shell scripts, and others that are called so.

    What a shell script of these starts is looked at, too, one step deep. `product` are files that the scope of the
    task tells from others: they are what is tried, but for a shell script that is called a test or a check.
    """
    found = set[str]()
    judges = partial(_judges, base=base, folder=folder, product=product)
    for oracle in oracles:
        for start, named in programs(oracle, folder):
            for path in filter(judges, _followed(named, base)):
                found.add(path)
                found.update(filter(judges, _inside(path, start, base)))
    return frozenset(found)


def _judges(path: str, *, base: Tree, folder: str, product: frozenset[str]) -> bool:
    if base.mode(path) not in (REGULAR, EXECUTABLE, SYMLINK):
        return False
    shell, telling = _is_shell(path, base), _TELLING.search(below(path, folder) or path) is not None
    return (shell and telling) or ((shell or telling) and path not in product)


def _is_shell(path: str, base: Tree) -> bool:
    """Whether it is one by its name, or by its first line where the name does not say what it is."""
    ending = posixpath.splitext(path)[1]
    if ending:
        return ending in _ENDINGS
    text = base.read_at_most(path, _LARGEST) or b"\0"
    return _SHEBANG.match(text) is not None if text.startswith(b"#!") else b"\0" not in text


def _followed(path: str, base: Tree) -> Iterator[str]:
    """The file, and where it is a link the one that it names."""
    yield path
    if base.mode(path) == SYMLINK:
        target = joined(posixpath.dirname(path), base.read(path).decode("utf-8", "surrogateescape"))
        yield from filter(None, [target])


def _inside(path: str, start: str, base: Tree) -> Iterator[str]:
    if base.mode(path) != SYMLINK and _is_shell(path, base):
        text = (base.read_at_most(path, _LARGEST) or b"").decode("utf-8", "replace")
        yield from filter(None, (joined(start, inner) for inner in started(text)))
