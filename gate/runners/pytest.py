"""pytest, by its JUnit XML."""

import re
from collections.abc import Mapping

from gate.cmdline.wrapper import program
from gate.grading.witness import Runner, Tally, after_module, before_main, junit, unequal
from gate.oracle import Place

_VALUED = ("--deselect", "--override-ini", "--pythonwarnings")  # options whose value may hold `::`
_SHORT = re.compile(r"-[a-zA-Z]*?(?P<letter>[kmcopWnr])(?P<value>.*)", re.DOTALL)
_TEST = re.compile(r"^\s*(?:async\s+)?def\s+test|^class\s+Test|\bunittest\b", re.MULTILINE)


class Pytest(Runner):
    """pytest takes options from `PYTEST_ADDOPTS`, however it is started."""

    def variables(self, place: Place) -> Mapping[str, str]:
        """The option that writes the report."""
        return {"PYTEST_ADDOPTS": f'--junitxml="{place.beside}/{self.report}" -o junit_family=xunit1'}

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What stands behind `pytest`, or behind `-m pytest` of whatever runs modules."""
        return words[1:] if words and program(words[0]) in ("pytest", "py.test") else after_module(words, "pytest")

    def selection(self, arguments: tuple[str, ...]) -> str:
        """`-k`, `-m`, or a test behind `::`."""
        words = iter(arguments)
        for word in words:
            short = None if word.startswith("--") else _SHORT.fullmatch(word)
            if short and short["letter"] in "km":
                return word
            if word in _VALUED or (short and not short["value"]):
                next(words, None)
            elif "::" in word and not word.startswith("-"):
                return word
        return ""

    def tally(self, report: bytes) -> Tally:
        """Its old family names the file of each test."""
        return junit(report, writer="pytest")

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A function at the end of a test module."""
        if not path.endswith(".py") or not _TEST.search(text):
            return None
        return before_main(text, "def test_{}():\n    assert {} == {}".format(mark, *unequal()))
