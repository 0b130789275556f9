"""`cargo test`, by the lines that Rust's test harness prints: its JSON is not stable."""

import re

from gate.cmdline.wrapper import program
from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally, unequal

_CALL = re.compile(r"\bcargo\s+(?:\+\S+\s+)?(?:test|t)\b")
_TARGETS = ("--lib", "--doc", "--bin", "--bins", "--test", "--example", "--examples", "-p", "--package", "--ignored")
_VALUED = (
    *("--exclude", "--features", "-F", "--target", "--target-dir", "--manifest-path", "--profile", "-j", "--jobs"),
    *("--color", "--message-format", "--config", "-Z", "--bench", "--skip", "--test-threads", "--format", "--logfile"),
)
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

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What stands behind `cargo test`."""
        if not words or program(words[0]) != "cargo":
            return None
        at = 2 if words[1:2] and words[1].startswith("+") else 1
        return words[at + 1 :] if words[at : at + 1] in (("test",), ("t",)) else None

    def selection(self, arguments: tuple[str, ...]) -> str:
        """A part of a test's name, or what leaves out targets or packages."""
        words = iter(arguments)
        for word in words:
            if word in _VALUED:
                next(words, None)
            elif not word.startswith("-") or word.partition("=")[0] in _TARGETS:
                return word
        return ""

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
        first, second = unequal()
        test = f"#[test]\n    fn {mark}() {{\n        assert_eq!({first}, {second});\n    }}"
        return f"{text}\n#[cfg(test)]\nmod {mark} {{\n    {test}\n}}\n"
