"""Jest, by its JSON."""

import re
import shlex

import msgspec

from gate.errors import CannotJudge
from gate.grading.witness import Case, Runner, Tally, unequal

_JEST = re.compile(r"(?:^|[\s/])jest(?:\.js)?(?:\s|$)")
_SCRIPT = re.compile(r"^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t)\b")
_SELECTS = re.compile(
    r"-t.*|--test-?[nN]ame-?[pP]attern(?:=.*)?|-o|--only-?[cC]hanged|-f|--only-?[fF]ailures", re.DOTALL
)
_NAME = re.compile(r"(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|/)__tests__/.*\.[cm]?[jt]sx?)$")


class _Assertion(msgspec.Struct, frozen=True, rename={"full_name": "fullName"}):
    status: str
    full_name: str = ""


class _File(msgspec.Struct, frozen=True, rename={"assertions": "assertionResults"}):
    name: str = ""
    status: str = ""
    assertions: list[_Assertion] = []


class _Report(msgspec.Struct, frozen=True, rename={"files": "testResults"}):
    files: list[_File] = []


class Jest(Runner):
    """Jest is told by options, which are added to the end of the command: to `jest …`, or to a package's script."""

    report = "report.json"

    def command(self, command: str) -> str:
        """The command with the options that write the report."""
        options = f'--json --outputFile="$GATE_BESIDE/{self.report}"'
        if _JEST.search(command):
            return f"{command} {options}"
        if _SCRIPT.match(command.strip()):
            return f"{command} {options}" if "--" in shlex.split(command) else f"{command} -- {options}"
        raise CannotJudge(
            f"`report: jest` needs a command with `jest` or `npm test`, found {command!r:.200}", kind="report"
        )

    def arguments(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """What stands behind `jest`, or behind the script of a package that is told to run tests."""
        for at, word in enumerate(words[:2]):
            if _JEST.search(word):
                return words[at + 1 :]
        return words[1:] if _SCRIPT.match(" ".join(words)) else None

    def selection(self, arguments: tuple[str, ...]) -> str:
        """A pattern for names, or what leaves out tests by their history."""
        return next(filter(_SELECTS.fullmatch, arguments), "")

    def tally(self, report: bytes) -> Tally:
        """What it wrote; a file that could not be run counts as a test that failed."""
        try:
            found = msgspec.json.decode(report, type=_Report)
        except (msgspec.DecodeError, RecursionError) as error:
            raise CannotJudge(f"the report of jest is not what it should be: {error}", kind="report") from None
        cases: list[Case] = []
        for file in found.files:
            if file.status == "failed" and not any(each.status == "failed" for each in file.assertions):
                cases.append(Case(name=file.name, failed=True))
            cases += [
                Case(name=one.full_name, failed=one.status == "failed", skipped=one.status not in ("passed", "failed"))
                for one in file.assertions
            ]
        return Tally(tuple(cases))

    def planted(self, mark: str, text: str, path: str) -> str | None:
        """A test at the end of a test file."""
        if not _NAME.search(path):
            return None
        first, second = unequal()
        return f"{text}\ntest('{mark}', () => {{ expect({first}).toBe({second}); }});\n"
