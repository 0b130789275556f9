"""The second witness of a test run: the report that a test runner writes, beside the exit code of the command.

A new runner is one file in `gate/runners/` with one public subclass of `Runner`.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

import msgspec

from gate import registry
from gate.errors import CannotJudge
from gate.oracle import Place
from gate.tree import SUBMODULE, SYMLINK, Tree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from gate.cmdline.shell import Simple

_FOLDER = "gate.runners"
_LARGEST_REPORT = 64 << 20


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One test as a report has it; `file` is where it says it stands, relative to where the command ran."""

    name: str
    failed: bool = False
    skipped: bool = False
    file: str = ""


class Tally(msgspec.Struct, frozen=True):
    """What a report says of one run."""

    cases: tuple[Case, ...]

    @property
    def ran(self) -> tuple[str, ...]:
        """The tests that were not skipped."""
        return tuple(case.name for case in self.cases if not case.skipped)

    @property
    def failed(self) -> tuple[str, ...]:
        """The tests that failed."""
        return tuple(case.name for case in self.cases if case.failed)


class Runner(ABC):
    """How one test runner is made to write a report, and how a test that must fail is planted.

    `report` is the file that it writes beside the workspace; empty where the report is what it prints.
    """

    report: ClassVar[str] = "report.xml"

    def command(self, command: str) -> str:
        """The command line with what makes it write the report. CannotJudge where it cannot be told how."""
        return command

    def variables(self, place: Place) -> Mapping[str, str]:  # noqa: ARG002 - most need none
        """What makes it write the report, as variables of its environment."""
        return {}

    def files(self) -> Mapping[str, bytes]:
        """Files beside the workspace that it needs for that."""
        return {}

    @abstractmethod
    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What it is given, where these words of a simple command start it; None where they do not."""
        raise NotImplementedError

    def selection(self, arguments: tuple[str, ...]) -> str:  # noqa: ARG002 - what takes no such word needs none
        """The word of its arguments by which some tests are run and others are not; empty where there is none."""
        return ""

    @abstractmethod
    def tally(self, report: bytes) -> Tally:
        """What a report says. CannotJudge where it is none."""
        raise NotImplementedError

    @abstractmethod
    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test file with one more test, named after `mark`, that must fail; None where this is no test file.

        `mark` is ten small letters. Nothing in the test may tell that it was planted.
        """
        raise NotImplementedError


def known() -> tuple[str, ...]:
    """The names of the runners."""
    return tuple(registry.builtin(_FOLDER))


def find(name: str) -> Runner:
    """The runner of this name. CannotJudge where there is none."""
    if name not in known():
        raise CannotJudge(f"there is no test runner {name!r}; known are {', '.join(known())}", kind="report")
    kind = registry.defined(registry.load(_FOLDER, name), Runner)  # type: ignore[type-abstract]
    return kind()


def calls(runner: Runner, command: str) -> "list[Simple]":
    """The simple commands of a command line that start the runner."""
    from gate.cmdline.shell import commands  # only a command with a report is taken apart

    found = [simple for simple in commands(command) if runner.arguments(simple.words) is not None]
    return [simple for simple in found if not {"--version", "--help"} & {*simple.words}]


def after_module(words: tuple[str, ...], module: str) -> tuple[str, ...] | None:
    """What stands behind `-m MODULE`; None where that is not among the words."""
    for at in range(len(words) - 1):
        if words[at : at + 2] == ("-m", module):
            return words[at + 2 :]
    return None


def word() -> str:
    """Ten random small letters."""
    return "".join(chr(ord("a") + byte % 26) for byte in os.urandom(10))


def unequal() -> tuple[int, int]:
    """Two random numbers, one greater than the other."""
    first, more = os.urandom(2)
    return first, first + more + 1


def canary(runner: Runner, tree: Tree, places: Iterable[str]) -> dict[str, bytes]:
    """A file of the tree in which a test that must fail is planted: the first of these places that takes one.

    CannotJudge where none does.
    """
    mark = word()
    for path in places:
        if tree.mode(path) in (None, SYMLINK, SUBMODULE):
            continue
        text = tree.read(path).decode("utf-8", "surrogateescape")
        planted = runner.planted(mark, text, path)
        if planted is not None:
            return {path: planted.encode("utf-8", "surrogateescape")}
    raise CannotJudge("no test file was found in which a failing test could be planted", kind="canary")


def junit(report: bytes, *, writer: str) -> Tally:
    """What a JUnit XML report says. CannotJudge where it is none, or larger than is read."""
    from xml.etree import ElementTree  # only a report needs it

    if len(report) > _LARGEST_REPORT:
        raise CannotJudge(f"the report of {writer} has {len(report)} bytes", kind="report")
    if b"<!DOCTYPE" in report or b"<!ENTITY" in report:
        raise CannotJudge(f"the report of {writer} declares entities, which no test runner does", kind="report")
    try:
        root = ElementTree.fromstring(report)  # noqa: S314 - no entities, see above
    except ElementTree.ParseError as error:
        raise CannotJudge(f"the report of {writer} is no XML: {error}", kind="report") from None
    return Tally(tuple(map(_case, root.iter("testcase"))))


def _case(element: "Element") -> Case:
    inside = {child.tag for child in element}
    owner, name = element.get("classname") or "", element.get("name") or ""
    return Case(
        name=f"{owner}::{name}" if owner else name,
        failed=bool(inside & {"failure", "error"}),
        skipped="skipped" in inside,
        file=element.get("file") or "",
    )


def before_main(text: str, added: str) -> str:
    """Python source with lines added at its end, or before `if __name__ == …:`, where a script runs its tests."""
    at = _main(text)
    return f"{text[:at].rstrip()}\n\n\n{added}\n\n\n{text[at:]}".rstrip() + "\n"


def _main(text: str) -> int:
    import ast  # only a planted test needs it

    try:
        body = ast.parse(text.removeprefix("\ufeff")).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return len(text)  # a newer Python may read it
    for node in body:
        if isinstance(node, ast.If) and any(getattr(one, "id", "") == "__name__" for one in ast.walk(node.test)):
            lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text)
            return sum(map(len, lines[: node.lineno - 1]))
    return len(text)
