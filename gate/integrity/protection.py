"""Files of which the base's version stands in a workspace whenever a command is run there.

A change that edits a test, what a test runner loads by itself, or what it is told, could pass its own tests. So these
are put back as they were, for commands alone, and every one that differs is told with its difference.
"""

import itertools
import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gate.diffs.linediff import changes
from gate.integrity import sections
from gate.oracle import Need, Oracle
from gate.path import is_plain, printable, several
from gate.report import Finding, Severity
from gate.scope import Patterns, is_glob
from gate.task import Task
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, Tree, differing

ANYWHERE = (
    *("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", ".coveragerc*", "nose2.cfg"),
    *("sitecustomize.py", "sitecustomize/**", "usercustomize.py", "usercustomize/**"),
    *("*.pth", "*.egg-info/**", "*.dist-info/**", "*.pyc", "__pycache__/**"),
    *("noxfile.py", "tox.toml", "jest.config.*", "vitest.config.*", "vitest.workspace.*", "karma.conf.*", ".mocharc.*"),
    *("ava.config.*", "playwright.config.*", "cypress.config.*", ".babelrc*", "babel.config.*", ".nycrc*", ".taprc"),
    *(".npmrc", ".yarnrc*", "node_modules/**", "phpunit.xml*", ".rspec", "Rakefile", ".cargo/**", ".mvn/**", "go.work"),
    ".gitattributes",
)
"""What interpreters, test runners and package managers load by themselves, wherever it lies."""

AT_THE_TOP = (
    *("pytest.py", "pytest/**", "_pytest.py", "_pytest/**", "unittest.py", "unittest/**", "pluggy.py", "iniconfig.py"),
    *("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "Taskfile.y*ml"),
    *(".github/**", ".gitlab-ci.yml", ".circleci/**", "azure-pipelines.yml"),
)
"""What counts at the top of the tree, and where a task's commands start."""

_TESTS = (
    *("**/test_*", "**/test.*", "**/tests.*", "**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/*_spec.*"),
    *("**/run_test*", "**/run-test*", "**/runtest*", "**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**"),
)
"""What is taken for a test where a command names it: it may name the product as well."""

_SETTINGS = ("-c", "--config", "--config-file", "--rcfile")
_LONGEST = 2_000  # lines of which the difference is looked for; above it the first that differs is told


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """One protected file that the head has otherwise: what is put in its place, None for no file at all."""

    path: str
    data: bytes | None
    mode: int = REGULAR
    part: bool = False
    """Only settings of test runners in it were put back."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """The two trees of a change, and the task's folder in them."""

    base: Tree
    head: Tree
    folder: str = ""

    @property
    def prefix(self) -> str:
        """The folder as the beginning of a path."""
        return f"{self.folder}/" if self.folder else ""


def restored(patterns: Sequence[str], task: Task, ground: Ground) -> tuple[Restored, ...]:
    """Every protected file that differs between the two trees, with the base's version of it.

    Protected is what `patterns` match, which are relative to the task's folder (the last one decides, `!` takes back),
    after what is always protected; what the task's oracles protect; and the tests that its commands name. Of files
    that hold other settings, too (`pyproject.toml`, `package.json`, …), only those of test runners are put back.
    """
    paths = list(differing(ground.base, ground.head))
    if not paths:
        return ()
    own = [_within(pattern, ground.prefix) for pattern in patterns]
    always = [f"**/{pattern}" for pattern in ANYWHERE]
    always += [prefix + pattern for prefix in dict.fromkeys(("", ground.prefix)) for pattern in AT_THE_TOP]
    matches = Patterns([*always, *own])
    backed = Patterns(["**", *(pattern for pattern in own if pattern.startswith("!"))])
    protects = Patterns(
        [ground.prefix + posixpath.normpath(path) for one in _all(task.oracles) for path in one.protects]
    )
    tests = {path for one in _all(task.oracles) for path in _tests_of(one, ground)}
    return tuple(
        item
        for path in paths
        if (item := _restored(path, ground, whole=path in tests or protects.match(path) or matches.match(path),
                              settings=backed.match(path)))
    )  # fmt: skip


def _within(pattern: str, prefix: str) -> str:
    """A pattern of the policy from the top of the tree; `!**` takes back everything, wherever the manifest lies."""
    inner = pattern.removeprefix("!")
    return pattern if inner.startswith("**") else f"{'!' if inner != pattern else ''}{prefix}{inner}"


def _restored(path: str, ground: Ground, *, whole: bool, settings: bool) -> Restored | None:
    base, head = ground.base, ground.head
    modes = base.mode(path), head.mode(path)
    if modes[0] == SUBMODULE:
        return None  # there are no bytes to put back
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


def _tests_of(oracle: Oracle, ground: Ground) -> Iterator[str]:
    """The tests, and the settings, that an oracle's command names; relative to the top of the tree."""
    if Need.COMMANDS not in oracle.needs:
        return
    fields = msgspec.structs.asdict(oracle)
    words = [*_words(fields.get("command")), *_words(fields.get("program")), *_words(fields.get("args"))]
    folders = [
        ground.folder,
        *(_joined(ground.folder, word) for mark, word in itertools.pairwise(words) if mark == "cd"),
    ]
    tests = Patterns(_TESTS)
    for before, word in itertools.pairwise(["", *words]):
        key, _, value = word.partition("=")
        asked = before in _SETTINGS or key in _SETTINGS
        for name in _names(value if key in _SETTINGS and value else word):
            for path in _paths(folders, name, ground.base):
                if asked or tests.match(path):
                    yield path


def _words(value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [str(word) for word in value]
    if not isinstance(value, str):
        return []
    try:
        return shlex.split(value)
    except ValueError:
        return value.split()


def _names(word: str) -> tuple[str, ...]:
    """What a word may name: a path without what is chosen in it, or a module of Python."""
    path = word.partition("::")[0]
    return (path, f"{path.replace('.', '/')}.py") if path.replace(".", "").isidentifier() else (path,)


def _paths(folders: Iterable[str], name: str, base: Tree) -> Iterator[str]:
    for folder in folders:
        path = _joined(folder, name)
        if is_plain(path) and path in base:
            yield path
        elif is_glob(name):
            yield from filter(Patterns([path]).match, base.paths())


def _joined(folder: str, name: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, name))
    return "" if path == "." else path


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
        message=f"This change {what.format(printable(item.path))}.",
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
    """The first line of the head that is put back, from 1, and the lines that differ; nothing for what is no text."""
    new = (head.read(item.path) if item.path in head else b"").splitlines(keepends=True)
    old = (item.data or b"").splitlines(keepends=True)
    if any(b"\0" in line for line in (*new[:50], *old[:50])):
        return None, ""
    if len(old) + len(new) > _LONGEST:
        first = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
        at = min(len(old), len(new)) if first is None else first
        return (max(1, min(at + 1, len(new))) if new else None), "…"
    found = changes(old, new)
    lines = []
    for stretch in found:
        lines += [f"-{_shown(line)}" for line in old[stretch.old : stretch.old_end]]
        lines += [f"+{_shown(line)}" for line in new[stretch.new : stretch.new_end]]
    first = max(1, min(found[0].new + 1, len(new))) if found and new else None
    return first, "\n".join(lines)


def _shown(line: bytes) -> str:
    return line.rstrip(b"\r\n").decode("utf-8", "replace")
