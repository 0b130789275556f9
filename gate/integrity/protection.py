"""Files of which the base's version stands in a workspace whenever a command is run there.

A change that edits a test, what a test runner loads by itself, or what it is told, could pass its own tests. So these
are put back as they were, for commands alone, and every one that differs is told with its difference.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import msgspec

from gate.diffs.blame import common_ends, split
from gate.diffs.treediff import hunks
from gate.integrity import loaded, sections
from gate.integrity.harness import harness
from gate.integrity.launch import Launch, launch
from gate.integrity.named import named
from gate.integrity.shadow import Shadows
from gate.oracle import Oracle
from gate.path import below, printable, several
from gate.report import Finding, Severity
from gate.scope import Patterns
from gate.task import Task
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, Tree, differing

_LONGEST = 2_000  # lines between the first and the last that differ; of more only the first are told
_SHOWN = 20
_WIDEST = 2_000  # bytes
_ADVICE = "send it in a change of its own, or see `policy.protect`"
_LARGEST = 1024 * 1024  # of a `package.json`


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """One protected file that the head has otherwise: what is put in its place, None for no file at all."""

    path: str
    data: bytes | None
    mode: int = REGULAR
    part: bool = False
    """Only settings of test runners in it were put back."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """The two trees of a change, and the task's folder in them.

    `product` are the changed files that the task's scope tells from others. `installed` says whether the interpreter
    that commands mean has a module of its own that is called so.
    """

    base: Tree
    head: Tree
    folder: str = ""
    product: frozenset[str] = frozenset()
    installed: Callable[[str], bool] = lambda _: False

    @property
    def prefix(self) -> str:
        """The folder as the beginning of a path."""
        return f"{self.folder}/" if self.folder else ""


def restored(patterns: Sequence[str], task: Task, ground: Ground) -> tuple[Restored, ...]:
    """Every protected file that differs between the two trees, with the base's version of it.

    Protected is what `patterns` match, which are relative to the task's folder (the last one decides, `!` takes back),
    after what is always protected and scripts that judge; what the task's oracles protect; and the tests that its
    commands name. Of files that hold other settings, too (`pyproject.toml`, `package.json`, …), only those of test
    runners are put back.
    """
    paths = list(differing(ground.base, ground.head))
    if not paths:
        return ()
    own = [_within(pattern, ground.prefix) for pattern in patterns]
    added, kept = Patterns(own), Patterns(["**", *own])
    oracles = list(_all(task.oracles))
    always = _Loaded([one for oracle in oracles if (one := launch(oracle, ground.folder))], ground)
    scripts = harness(task.oracles, ground.base, ground.folder, ground.product)
    protects = Patterns([ground.prefix + posixpath.normpath(path) for one in oracles for path in one.protects])

    def whole(path: str) -> bool:
        if path in always.named or protects.match(path) or added.match(path):
            return True
        return kept.match(path) and (path in scripts or always.match(path))

    found = (_restored(path, ground, whole=whole(path), settings=kept.match(path)) for path in paths)
    return tuple(item for item in found if item)


class _Loaded:
    """What is loaded without being asked for, where these commands start and anywhere."""

    def __init__(self, launches: Sequence[Launch], ground: Ground) -> None:
        self._ground = ground
        self._folders = tuple(dict.fromkeys(["", ground.folder, *(path for one in launches for path in one.folders)]))
        self._programs = frozenset[str]().union(*(one.programs for one in launches))
        self._anywhere = Patterns([f"**/{pattern}" for pattern in loaded.ANYWHERE])
        by_program = (loaded.BY_PROGRAM.get(program, ()) for program in sorted(self._programs))
        self._where_started = Patterns([*loaded.WHERE_STARTED, *(pattern for some in by_program for pattern in some)])
        self._shadows = Shadows(launches, ground.base, ground.installed)
        self._launches = launches

    @cached_property
    def named(self) -> frozenset[str]:
        """The files that the commands name."""
        return frozenset(path for one in self._launches for path in named(one, self._ground.base))

    def match(self, path: str) -> bool:
        """Whether it is one of them."""
        inner = (below(path, folder) for folder in self._folders)
        if self._anywhere.match(path) or any(name is not None and self._where_started.match(name) for name in inner):
            return True
        if path in self._ground.head and self._shadows.match(path, self._folders):
            return True
        return posixpath.basename(path).startswith("vite.config.") and self._is_for_vitest(path)

    def _is_for_vitest(self, path: str) -> bool:
        """Whether a command starts Vitest, or scripts of a package beside or above the file that knows it."""
        if "vitest" in self._programs or self._programs.isdisjoint(loaded.PACKAGE_RUNNERS):
            return "vitest" in self._programs
        base, folders = self._ground.base, posixpath.dirname(path).split("/")
        for end in range(len(folders) + 1):
            package = posixpath.join(*folders[:end], "package.json")
            if package in base and b"vitest" in (base.read_at_most(package, _LARGEST) or b"vitest"):
                return True
        return False


def _within(pattern: str, prefix: str) -> str:
    """A pattern of the policy from the top of the tree; `!**` takes back everything, wherever the manifest lies."""
    inner = pattern.removeprefix("!")
    return pattern if inner.startswith("**") else f"{'!' if inner != pattern else ''}{prefix}{inner}"


def _restored(path: str, ground: Ground, *, whole: bool, settings: bool) -> Restored | None:
    base, head = ground.base, ground.head
    modes = base.mode(path), head.mode(path)
    if modes[0] == SUBMODULE and not (whole and modes[1] == SUBMODULE):
        return None  # there are no bytes to put back, and of one that is moved its commit alone
    old = base.read(path) if path in base else None
    if whole:
        return Restored(path=path, data=old, mode=modes[0] or REGULAR)
    if not (settings and sections.holds(path)):
        return None
    if not all(mode in (None, REGULAR, EXECUTABLE) for mode in modes):
        return Restored(path=path, data=old, mode=modes[0] or REGULAR)  # what a link names is somebody else's
    new = head.read(path) if path in head else None
    made = sections.restored(path, old, new)
    return Restored(path=path, data=made, mode=modes[1] or REGULAR, part=made != old) if made != new else None


def _all(oracles: Iterable[Oracle]) -> Iterator[Oracle]:
    """The oracles, and those that stand in others."""
    for oracle in oracles:
        yield oracle
        yield from _all(getattr(oracle, "inner", ()))


def told(item: Restored, head: Tree) -> Finding:
    """What a report says of one protected file, with the difference."""
    line, details = difference(item, head)
    if item.data is None:
        what = "brings {0}, which is protected: commands ran without it"
    elif item.path not in head:
        what = "deletes {0}, which is protected: commands ran with it"
    elif item.part:
        what = "sets test runners otherwise in {0}: commands ran with the base's settings"
    else:
        what = "edits {0}, which is protected: commands ran with the base's version"
    return Finding(
        severity=Severity.WARNING,
        kind="protected_changed",
        message=f"This change {what.format(printable(item.path))}; {_ADVICE}.",
        path=item.path,
        line=line,
        details=details,
    )


def clause(items: Sequence[Restored]) -> str:
    """How the workspace of commands differs from the change, in a clause; empty where it does not."""
    brought = [item.path for item in items if item.data is None]
    parts = [item.path for item in items if item.data is not None and item.part]
    whole = [item.path for item in items if item.data is not None and not item.part]
    told = [
        f"without {several(brought)}, which the change brings" if brought else "",
        f"with the base's version of {several(whole)}" if whole else "",
        f"with the base's settings in {several(parts)}" if parts else "",
    ]
    return ", and ".join(filter(None, told))


def difference(item: Restored, head: Tree) -> tuple[int | None, str]:
    """The first line of the head that is put back, from 1, and how it differs from the base, as `git diff` shows it."""
    if item.mode == SUBMODULE:
        commits = [(tree or b"").decode("ascii", "replace") for tree in (item.data, head.read(item.path))]
        return None, f"-Subproject commit {commits[0]}\n+Subproject commit {commits[1]}"
    there = item.path in head
    data, mode = (head.read(item.path), head.mode(item.path)) if there else (b"", None)
    modes = ""
    if there and item.data is not None and mode != item.mode:
        modes = f"old mode {item.mode:06o}\nnew mode {mode:06o}\n"
    if b"\0" in data or b"\0" in (item.data or b""):
        return None, f"{modes}no text: {len(item.data or b'')} bytes before, {len(data)} bytes now"
    old, new = split(item.data or b""), split(data)
    start, end = common_ends(old, new)
    line = max(1, min(start + 1, len(new))) if new and old != new else None
    if len(old) + len(new) - 2 * (start + end) <= _LONGEST:
        return line, modes + _text(hunks(old, new))
    some = [*(b"-" + one for one in old[start : start + _SHOWN]), *(b"+" + one for one in new[start : start + _SHOWN])]
    return line, f"{modes}@@ -{start + 1} +{start + 1} @@ the first lines of many that differ\n{_text(some)}"


def _text(lines: Iterable[bytes]) -> str:
    """Lines of a difference, each of which may be long."""
    plain = (line.rstrip(b"\r\n") for line in lines)
    return "\n".join(line[:_WIDEST].decode("utf-8", "replace") + "…" * (len(line) > _WIDEST) for line in plain)
