"""Python's own unittest, by a runner of ours that writes what it is told of each test."""

import re
from collections.abc import Mapping

import msgspec

from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally, after_module, before_main, unequal

_OPTION = r"-(?:[A-Za-ln-z]*[WX]\s+[^-\s]\S*|-check-hash-based-pycs\s+\w+|[^m\s]\S*)"
_CALL = re.compile(rf"(?P<python>\bpython[\d.]*(?:\s+{_OPTION})*)\s+-m\s+unittest\b")
_CASE = re.compile(r"^class\s+\w+\(.*?(?P<base>\b(?:unittest\.)?TestCase\b|TestCase)", re.MULTILINE)
_SELECTS = re.compile(r"-k.*|--?k|[^\s/-][^\s/]*\.[A-Z]\w*(?:\.\w+)?")
_PROGRAM = b"""\
import json
import os
import sys
import unittest

sys.path[0] = os.getcwd()
cases = []


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        cases.append({"name": test.id(), "file": sys.modules[type(test).__module__].__file__ or ""})

    def _mark(self, test, word):
        for case in reversed(cases):
            if case["name"] == test.id():
                case[word] = True
                return
        cases.append({"name": test.id(), word: True})

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._mark(test, "failed")

    def addError(self, test, err):
        super().addError(test, err)
        self._mark(test, "failed")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._mark(test, "failed")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._mark(test, "failed")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._mark(test, "skipped")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._mark(test, "skipped")


runner = type("Runner", (unittest.TextTestRunner,), {"resultclass": Result})
program = unittest.main(module=None, argv=["python -m unittest", *sys.argv[1:]], testRunner=runner, exit=False)
for case in cases:
    if case.get("file"):
        case["file"] = os.path.relpath(case["file"])
with open(os.path.join(os.environ["GATE_BESIDE"], "report.json"), "w", encoding="utf-8") as file:
    json.dump(cases, file)
sys.exit(not program.result.wasSuccessful())
"""


class Unittest(Runner):
    """`python -m unittest` is started as a program of ours, which runs it and tells what became of each test."""

    report = "report.json"

    def command(self, command: str) -> str:
        """The command with our program in the place of the module."""
        made, count = _CALL.subn(r'\g<python> "$GATE_BESIDE/unittest_report.py"', command)
        if not count:
            raise CannotJudge(
                f"`report: unittest` needs a command with `python -m unittest`, found {command!r:.200}", kind="report"
            )
        return made

    def files(self) -> Mapping[str, bytes]:
        """Our program."""
        return {"unittest_report.py": _PROGRAM}

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What stands behind `-m unittest`."""
        return words[1:] if words[:1] == ("unittest",) else after_module(words, "unittest")

    def selection(self, arguments: tuple[str, ...]) -> str:
        """`-k`, or the name of a class or of a test in one."""
        return next(filter(_SELECTS.fullmatch, arguments), "")

    def tally(self, report: bytes) -> Tally:
        """What our program wrote."""
        try:
            return Tally(tuple(msgspec.json.decode(report, type=list[Case])))
        except (msgspec.DecodeError, RecursionError) as error:
            raise CannotJudge(f"the report of unittest is not what it should be: {error}", kind="report") from None

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test case at the end of a test module."""
        case = _CASE.search(text)
        if not path.endswith(".py") or case is None:
            return None
        base = case["base"] if _bound(case["base"], text) else "__import__('unittest').TestCase"
        first, second = unequal()
        test = f"    def test_{mark[5:]}(self):\n        self.assertEqual({first}, {second})"
        return before_main(text, f"class {mark[:5].capitalize()}Test({base}):\n{test}")


def _bound(base: str, text: str) -> bool:
    """Whether a module says by an import of its own what this base is."""
    imported = r"import\s+unittest\b" if "." in base else r"from\s+unittest\s+import\s[^#\n]*\bTestCase\b"
    return re.search(rf"^{imported}", text, re.MULTILINE) is not None
