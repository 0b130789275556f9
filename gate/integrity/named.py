"""The tests, and the settings of their runners, that a command names."""

import itertools
import posixpath
from collections.abc import Iterable, Iterator

from gate.cmdline.wrapper import program
from gate.integrity.launch import MAKERS, Launch, Words, joined, valued
from gate.path import is_plain
from gate.scope import Patterns, is_glob
from gate.tree import Tree

_TESTS = (
    *("**/test_*", "**/test.*", "**/tests.*", "**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/*_spec.*"),
    *("**/run_test*", "**/run-test*", "**/runtest*", "**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**"),
)
"""What is taken for a test where a command names it: it may name the product as well."""

_SETTINGS = frozenset(
    [
        *("-c", "--config", "--config-file", "--rcfile", "--conf", "--configuration", "--bootstrap", "--noxfile"),
        *("--makefile", "--justfile", "--taskfile", "--rakefile", "--require", "--import", "--loader", "--preload"),
        "--experimental-loader",
    ]
)


def named(launched: Launch, base: Tree) -> Iterator[str]:
    """The files of the base, relative to the top of the tree; globs are followed.

    With a test of Python go the `__init__.py` of the test folders that it lies in, there or not: they run before it.
    """
    tests = Patterns(_TESTS)
    for part in launched.parts:
        for before, word in itertools.pairwise(("", *part)):
            option, value = valued(word)
            asked = before in _SETTINGS or option in _SETTINGS or _is_loaded(before, part)
            for name in _names(value if option in _SETTINGS else word):
                for path in _paths(launched.folders, name, base):
                    if asked or tests.match(path):
                        yield path
                        yield from filter(tests.match, _packages(path))


def _packages(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder and path.endswith(".py"):
        yield f"{folder}/__init__.py"
        folder = posixpath.dirname(folder)


def _is_loaded(option: str, part: Words) -> bool:
    """Whether the value of a short option is a file that a program of this command loads: `make -f`, `pytest -p`."""
    if option not in ("-f", "-p"):
        return False
    programs = [program(word) for word in part]
    return not MAKERS.isdisjoint(programs) if option == "-f" else "pytest" in programs


def _names(word: str) -> tuple[str, ...]:
    """What a word may name: a path without what is chosen in it, or a module of Python."""
    path = word.partition("::")[0]
    return (path, f"{path.replace('.', '/')}.py") if path.replace(".", "").isidentifier() else (path,)


def _paths(folders: Iterable[str], name: str, base: Tree) -> Iterator[str]:
    for folder in folders:
        path = joined(folder, name)
        if path and is_plain(path) and path in base:
            yield path
        elif path and is_glob(name):
            yield from filter(Patterns([path]).match, base.paths())
