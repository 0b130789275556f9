"""Node's own test runner, by its JUnit XML."""

import re
from collections.abc import Mapping

from gate.grading.witness import Runner, Tally, junit
from gate.oracle import Place

_NAME = re.compile(r"\.[cm]?[jt]s$")
_FILE = re.compile(r"^test::\S+\.[cm]?[jt]s$")
_TEST = re.compile(r"node:test")


class Node(Runner):
    """`node --test` takes its reporters from `NODE_OPTIONS`, also through `npm test`."""

    def variables(self, place: Place) -> Mapping[str, str]:
        """One reporter for people, one that writes the report."""
        quoted = f"{place.beside}/{self.report}".replace("\\", "\\\\").replace('"', '\\"')
        return {
            "NODE_OPTIONS": "--test-reporter=spec --test-reporter-destination=stdout "
            f'--test-reporter=junit --test-reporter-destination="{quoted}"'
        }

    def tally(self, report: bytes) -> Tally:
        """What it wrote, without the cases that stand for a whole file in which no test was met."""
        cases = junit(report, writer="node").cases
        return Tally(tuple(case for case in cases if case.failed or not _FILE.search(case.name)))

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test at the end of a file that uses `node:test`."""
        if not _NAME.search(path) or not _TEST.search(text):
            return None
        test = f"test('{mark}', () => {{ throw new Error('this test was planted, and must fail') }})"
        return f"{text}\n;import('node:test').then(({{ test }}) => {test});\n"
