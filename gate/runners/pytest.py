"""pytest, by its JUnit XML."""

import re
from collections.abc import Mapping

from gate.grading.witness import Runner, Tally, before_main, junit
from gate.oracle import Place

_TEST = re.compile(r"^\s*(?:async\s+)?def\s+test|^class\s+Test|\bunittest\b", re.MULTILINE)


class Pytest(Runner):
    """pytest takes options from `PYTEST_ADDOPTS`, however it is started."""

    def variables(self, place: Place) -> Mapping[str, str]:
        """The option that writes the report."""
        return {"PYTEST_ADDOPTS": f'--junitxml="{place.beside}/{self.report}" -o junit_family=xunit1'}

    def tally(self, report: bytes) -> Tally:
        """Its old family names the file of each test."""
        return junit(report, writer="pytest")

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A function at the end of a test module."""
        if not path.endswith(".py") or not _TEST.search(text):
            return None
        return before_main(text, f"def test_{mark}():\n    assert False, 'this test was planted, and must fail'")
