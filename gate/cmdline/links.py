"""The links that a command makes: other names of files and folders, through which these can be changed."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from gate.cmdline.arguments import has, operands, value
from gate.cmdline.expansion import told
from gate.cmdline.shell import Simple
from gate.cmdline.variables import expands

_LINKING = frozenset(["ln", "gln", "link", "cp", "gcp", "mklink", "new-item"])
_VALUED = "-t -S -m --target-directory --suffix"


class Link(NamedTuple):
    """A name, as written, that becomes one of `source`; that may start in the command's folder or in the link's."""

    name: str
    source: str


def links(simple: Simple) -> Iterator[Link]:
    """Every link that a command may make; a destination that may be a folder is told in both ways."""
    if simple.program.lower() not in _LINKING and not (simple.words and expands(simple.words[0])):
        return
    for one, _ in told(simple):
        words = one.arguments
        copies = one.program in ("cp", "gcp") and has(words, "ls", "--link", "--symbolic-link")
        if copies or one.program in ("ln", "gln", "link"):
            yield from _made(words)
        elif one.program.lower() == "mklink":
            names = [word for word in words if not word.startswith("/") or len(word) > 2]
            yield from (Link(names[0], names[1]) for _ in names[1:2])
        elif one.program.lower() == "new-item" and "link" in (value(words, "-ItemType", "-Type") or "").lower():
            name, source = value(words, "-Path", "-Name"), value(words, "-Target", "-Value")
            if name and source:
                yield Link(name, source)


def _made(words: tuple[str, ...]) -> Iterator[Link]:
    folder = value(words, "-t", "--target-directory")
    paths = operands(words, _VALUED)
    if folder:
        sources, to = paths, folder
    elif len(paths) == 1:
        sources, to = paths, "."
    else:
        sources, to = paths[:-1], paths[-1] if paths else ""
    for source in sources:
        yield Link(to, source)
        yield Link(posixpath.join(to, posixpath.basename(source.rstrip("/"))), source)
