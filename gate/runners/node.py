"""Node's own test runner, by its JUnit XML."""

import re
from collections.abc import Mapping

import msgspec

from gate.cmdline.wrapper import program
from gate.grading.witness import Case, Runner, Tally, junit, unequal
from gate.oracle import Place

_NAME = re.compile(r"\.[cm]?[jt]s$")
_FILE = re.compile(r"^test::(?:\S+|.*[/\\].*)\.[cm]?[jt]s$", re.DOTALL)
_TEST = re.compile(r"node:test")
_IMPORTED = re.compile(
    r"^import\s+(?:(?P<default>\w+)\s*,?\s*)?(?:\{(?P<several>[^}]*)\})?\s*from\s+['\"]node:test['\"]"
    r"|^(?:const|let|var)\s+(?:(?P<whole>\w+)|\{(?P<parts>[^}]*)\})\s*=\s*require\(\s*['\"]node:test['\"]\s*\)",
    re.MULTILINE,
)
_SELECTS = re.compile(r"--test-(?:name-pattern|skip-pattern|only)(?:=.*)?", re.DOTALL)
_SCRIPTS = ("npm", "pnpm", "yarn", "bun")


class Node(Runner):
    """`node --test` takes its reporters from `NODE_OPTIONS`, also through `npm test`."""

    def variables(self, place: Place) -> Mapping[str, str]:
        """One reporter for people, one that writes the report."""
        quoted = f"{place.beside}/{self.report}".replace("\\", "\\\\").replace('"', '\\"')
        return {
            "NODE_OPTIONS": "--test-reporter=spec --test-reporter-destination=stdout "
            f'--test-reporter=junit --test-reporter-destination="{quoted}"'
        }

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What `node --test` is given, or a package's script that is named like a test."""
        name = program(words[0]) if words else ""
        if name == "node":
            return words[1:] if "--test" in words else None
        script = next((word for word in words[1:] if word != "run" and not word.startswith("-")), "")
        return words[1:] if name in _SCRIPTS and script.partition(":")[0] in ("test", "t") else None

    def selection(self, arguments: tuple[str, ...]) -> str:
        """A pattern for names, or `--test-only`."""
        return next(filter(_SELECTS.fullmatch, arguments), "")

    def tally(self, report: bytes) -> Tally:
        """What it wrote, without the cases that stand for a whole file in which no test was met.

        A test that is still to be done may fail: it counts as skipped.
        """
        cases = [msgspec.structs.replace(case, failed=False) if case.skipped else case for case in _cases(report)]
        return Tally(tuple(case for case in cases if case.failed or not _FILE.search(case.name)))

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test at the end of a file that uses `node:test`."""
        if not _NAME.search(path) or not _TEST.search(text):
            return None
        first, second = unequal()
        name = _bound(text)
        test = (
            f"{name or 'test'}('{mark}', () => {{ if ({first} !== {second}) throw new Error('{first} !== {second}') }})"
        )
        return f"{text}\n{test}\n" if name else f"{text}\n;import('node:test').then(({{ test }}) => {test});\n"


def _cases(report: bytes) -> tuple[Case, ...]:
    return junit(report, writer="node").cases


def _bound(text: str) -> str:
    """The name by which a module calls the function that makes a test; empty where that is not plain."""
    for found in _IMPORTED.finditer(text):
        several = [part.strip() for part in (found["several"] or found["parts"] or "").split(",")]
        own = found["default"] or found["whole"] or next((name for name in ("test", "it") if name in several), "")
        if own:
            return own
    return ""
