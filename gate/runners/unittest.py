"""Python's own unittest, by a runner of ours that writes what it is told of each test."""

import re
from collections.abc import Mapping

import msgspec

from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally, before_main

_CALL = re.compile(r"(?P<python>\bpython[\d.]*(?:\s+-[^m\s]\S*)*)\s+-m\s+unittest\b")
_CASE = re.compile(r"^class\s+\w+\(.*TestCase", re.MULTILINE)
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

    def tally(self, report: bytes) -> Tally:
        """What our program wrote."""
        try:
            return Tally(tuple(msgspec.json.decode(report, type=list[Case])))
        except (msgspec.DecodeError, RecursionError) as error:
            raise CannotJudge(f"the report of unittest is not what it should be: {error}", kind="report") from None

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test case at the end of a test module."""
        if not path.endswith(".py") or not _CASE.search(text):
            return None
        added = f"class Test_{mark}(__import__('unittest').TestCase):\n    def test_{mark}(self):\n        assert False"
        return before_main(text, added)
