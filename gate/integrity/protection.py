"""Files of which the base's version stands in a workspace whenever a command is run there.

A change that edits a test, what a test runner loads by itself, or what it is told, could pass its own tests. So these
are put back as they were, for commands alone, and every one that differs is told with its difference.
"""

import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from gate.diffs.linediff import changes
from gate.integrity import sections
from gate.oracle import Need
from gate.path import is_plain, printable
from gate.report import Finding, Severity
from gate.scope import Patterns
from gate.task import Task
from gate.tree import REGULAR, SUBMODULE, Tree

PROTECTED = (
    "**/conftest.py",
    "**/pytest.ini",
    "**/.pytest.ini",
    "**/.coveragerc",
    "**/sitecustomize.py",
    "**/usercustomize.py",
    "pytest.py",
    "pytest/**",
    "_pytest/**",
    "unittest.py",
    "unittest/**",
    "**/noxfile.py",
    "**/jest.config.*",
    "**/vitest.config.*",
    "**/karma.conf.*",
    "**/.mocharc.*",
    "**/.taprc",
    "**/phpunit.xml*",
    "**/.rspec",
    "Makefile",
    ".github/**",
    ".gitlab-ci.yml",
    ".circleci/**",
    "azure-pipelines.yml",
    "**/.gitattributes",
)
"""What test runners and CI services load by themselves, relative to the top of the tree."""


_TESTS = (
    "**/test_*",
    "**/*_test.*",
    "**/*.test.*",
    "**/*.spec.*",
    "**/*_spec.*",
    "**/test/**",
    "**/tests/**",
    "**/__tests__/**",
    "**/spec/**",
)
"""What is taken for a test where a command names it: it may name the product as well."""


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """One protected file that the head has otherwise: what is put in its place, None for no file at all."""

    path: str
    data: bytes | None
    mode: int = REGULAR
    part: bool = False
    """Only settings of test runners in it were put back."""


def restored(patterns: Sequence[str], named: Iterable[str], *, base: Tree, head: Tree) -> tuple[Restored, ...]:
    """Every protected file that differs between the two trees, with the base's version of it.

    Protected is what `patterns` match (the last one decides, `!` takes back), after `PROTECTED`, and the files that
    are `named`. Of files that hold other settings, too (`pyproject.toml`, `package.json`, …), only those of test
    runners are put back.
    """
    matches = Patterns([*PROTECTED, *patterns])
    backed = Patterns(["**", *(pattern for pattern in patterns if pattern.startswith("!"))])
    wanted = set(named)
    return tuple(_found(matches, backed, wanted, base, head))


def _found(matches: Patterns, backed: Patterns, named: set[str], base: Tree, head: Tree) -> Iterator[Restored]:
    for path in sorted({*base.paths(), *head.paths()}):
        whole = path in named or matches.match(path)
        if not (whole or (sections.holds(path) and backed.match(path))) or base.same(path, head):
            continue
        if SUBMODULE in (base.mode(path), head.mode(path)):
            continue
        old, new = (tree.read(path) if path in tree else None for tree in (base, head))
        if whole:
            yield Restored(path=path, data=old, mode=base.mode(path) or REGULAR)
            continue
        made = sections.restored(path, old, new)
        if made != new:
            yield Restored(path=path, data=made, mode=head.mode(path) or REGULAR, part=made != old)


def named(task: Task, folder: str, *, base: Tree, head: Tree) -> set[str]:
    """The tests that a task's commands name and the files that its oracles protect.

    They are relative to the top of the tree, `folder` is the task's own in it.
    """
    found: set[str] = set()
    prefix = f"{folder}/" if folder else ""
    patterns = Patterns([prefix + posixpath.normpath(path) for oracle in task.oracles for path in oracle.protects])
    found.update(path for path in {*base.paths(), *head.paths()} if patterns.match(path))
    for oracle in task.oracles:
        fields = msgspec.structs.asdict(oracle)
        if Need.COMMANDS in oracle.needs and isinstance(fields.get("command"), str):
            found.update(named_tests(fields["command"], base, folder))
    return found


def named_tests(command: str, base: Tree, folder: str) -> Iterator[str]:
    """The test files of the base that a command line names; relative to the top of the tree."""
    tests = Patterns(_TESTS)
    try:
        words = shlex.split(command)
    except ValueError:
        return
    for word in words:
        path = posixpath.normpath(posixpath.join(folder, word.partition("::")[0]))
        if is_plain(path) and tests.match(path) and path in base:
            yield path


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


def difference(item: Restored, head: Tree) -> tuple[int | None, str]:
    """The first line of the head that is put back, from 1, and the lines that differ; nothing for what is no text."""
    new = (head.read(item.path) if item.path in head else b"").splitlines(keepends=True)
    old = (item.data or b"").splitlines(keepends=True)
    if any(b"\0" in line for line in (*new[:50], *old[:50])):
        return None, ""
    found = changes(old, new)
    lines = []
    for stretch in found:
        lines += [f"-{_shown(line)}" for line in old[stretch.old : stretch.old_end]]
        lines += [f"+{_shown(line)}" for line in new[stretch.new : stretch.new_end]]
    first = max(1, min(found[0].new + 1, len(new))) if found and new else None
    return first, "\n".join(lines)


def _shown(line: bytes) -> str:
    return line.rstrip(b"\r\n").decode("utf-8", "replace")
