"""`go test`, by its JSON."""

import re

import msgspec

from gate.cmdline.wrapper import program
from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally, unequal

_CALL = re.compile(r"\bgo\s+test\b(?!\s+-json\b)")
_SELECTS = re.compile(r"--?(?:test\.)?run(?:=.*)?", re.DOTALL)
_TEST = re.compile(r"^func\s+(?:Test|Example)\w*\s*\(", re.MULTILINE)


class _Event(msgspec.Struct, frozen=True, rename="pascal"):
    action: str
    package: str = ""
    test: str = ""


class Go(Runner):
    """`go test` prints its events as JSON when it is told so; that is its report."""

    report = ""

    def command(self, command: str) -> str:
        """The command with `-json`."""
        made = _CALL.sub("go test -json", command)
        if "-json" not in made:
            raise CannotJudge(f"`report: go` needs a command with `go test`, found {command!r:.200}", kind="report")
        return made

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What stands behind `go test`."""
        return words[2:] if words and program(words[0]) == "go" and words[1:2] == ("test",) else None

    def selection(self, arguments: tuple[str, ...]) -> str:
        """`-run`."""
        return next(filter(_SELECTS.fullmatch, arguments), "")

    def tally(self, report: bytes) -> Tally:
        """Its events; a package that failed without a test (it does not build) counts as a test that failed."""
        cases: list[Case] = []
        broken: set[str] = set()
        for line in report.splitlines():
            try:
                event = msgspec.json.decode(line, type=_Event)
            except (msgspec.DecodeError, RecursionError):
                continue  # what the compiler prints stands between the events
            if event.action in ("pass", "fail", "skip") and event.test:
                failed, skipped = event.action == "fail", event.action == "skip"
                cases.append(Case(name=f"{event.package}.{event.test}", failed=failed, skipped=skipped))
            elif event.action == "fail":
                broken.add(event.package)
        told = {case.name.rpartition("/")[2].partition(".")[0] for case in cases if case.failed}
        cases += [
            Case(name=package, failed=True) for package in sorted(broken) if package.rpartition("/")[2] not in told
        ]
        return Tally(tuple(cases))

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test at the end of a test file, which imports `testing` already."""
        if not path.endswith("_test.go") or not _TEST.search(text) or '"testing"' not in text:
            return None
        first, second = unequal()
        body = (
            f'\tif got, want := {first}, {second}; got != want {{\n\t\tt.Fatalf("got %d, want %d", got, want)\n\t}}\n'
        )
        return f"{text}\nfunc Test{mark.capitalize()}(t *testing.T) {{\n{body}}}\n"
