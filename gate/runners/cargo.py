"""`cargo test`, by the lines that Rust's test harness prints: its JSON is not stable."""

import re

from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally

_CALL = re.compile(r"\bcargo\s+(?:\+\S+\s+)?(?:test|t)\b")
_LINE = re.compile(r"^test (?P<name>\S.*?) \.\.\. (?P<end>ok|FAILED|ignored)", re.MULTILINE)
_RESULT = re.compile(r"^test result: (?:ok|FAILED)\. ", re.MULTILINE)


class Cargo(Runner):
    """What `cargo test` prints is its report: a line for each test, and one for each result."""

    report = ""

    def command(self, command: str) -> str:
        """The command as it is."""
        if not _CALL.search(command):
            raise CannotJudge(
                f"`report: cargo` needs a command with `cargo test`, found {command!r:.200}", kind="report"
            )
        return command

    def tally(self, report: bytes) -> Tally:
        """The tests of all its programs."""
        text = report.decode("utf-8", "replace")
        if not _RESULT.search(text):
            raise CannotJudge("cargo printed no result of a test", kind="report")
        found = (
            Case(name=line["name"], failed=line["end"] == "FAILED", skipped=line["end"] == "ignored")
            for line in _LINE.finditer(text)
        )
        return Tally(tuple(found))

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A module with a test, at the end of a source file that has tests."""
        if not path.endswith(".rs") or "#[test]" not in text:
            return None
        test = '#[test]\n    fn planted() { panic!("this test was planted, and must fail") }'
        return f"{text}\n#[cfg(test)]\nmod {mark} {{\n    {test}\n}}\n"
