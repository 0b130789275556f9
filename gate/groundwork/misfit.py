"""Why a patch does not apply: the file, the hunk, and what comes nearest to it there."""

from collections.abc import Iterator

from gate.editing.edit import line_ends, nearest
from gate.editing.likeness import closest
from gate.editing.unified import FileDiff, Hunk, parse
from gate.errors import RecordingError
from gate.path import printable
from gate.tree import Tree

_NOWHERE = "/dev/null"
_SHOWN = 80


def reason(start: Tree, patch: bytes, said: str) -> str:
    """The first place where the patch and the tree differ, in a clause; what git `said` where none is found."""
    try:
        found = next(_misfits(start, parse(patch.decode("utf-8", "surrogateescape"))), "")
    except RecordingError as error:
        return f"{said}: {error.message}"
    return found or said


def _misfits(start: Tree, files: tuple[FileDiff, ...]) -> Iterator[str]:
    patched: set[str] = set()
    for file in files:
        before, after = file.before, file.after
        if not before and not after:
            continue
        name = printable(after if before in ("", _NOWHERE) else before)
        if before == _NOWHERE:
            if after in start:
                yield f"{name} is there already, and the patch makes it anew"
        elif before not in start and before not in patched:
            yield f"there is no file {name}{_near(start, before)}"
        elif before not in patched:
            yield from _hunks(start.read(before), file.hunks, name)
        patched |= {before, after}


def _near(start: Tree, name: str) -> str:
    close = closest(name, start.paths(), least=0.6)
    return f"; nearest is {printable(close)}" if close else ""


def _hunks(content: bytes, hunks: tuple[Hunk, ...], name: str) -> Iterator[str]:
    whole = b"\n" + content
    lines = frozenset(content.split(b"\n"))
    for number, hunk in enumerate(hunks, 1):
        old = b"".join(hunk.old)
        if old and b"\n" + old in whole:
            continue
        if not old:
            if content:
                yield f"hunk {number} of {name} expects an empty file, and {name} is none"
            continue
        if differing := line_ends(content, old):
            yield f"hunk {number} of {name} (line {hunk.start + 1}) does not apply: {differing}"
            continue
        strange = next((line for line in hunk.old if line.rstrip(b"\n") not in lines), hunk.old[0])
        shown = strange.decode("utf-8", "replace").strip()[:_SHOWN]
        apart = " together with the lines after it" if strange.rstrip(b"\n") in lines else ""
        yield (
            f"hunk {number} of {name} (line {hunk.start + 1}) does not apply: it expects {shown!r}, which is not "
            f"there{apart}; "
            f"{nearest(content, strange)}"
        )
