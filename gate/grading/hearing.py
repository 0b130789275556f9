"""Hears two witnesses of a test run, the exit code and the test runner's report, and plants a test that must fail."""

import os
import posixpath
from collections.abc import Iterator

import msgspec

from gate.errors import CannotJudge
from gate.grading.ending import details, ending
from gate.grading.witness import Runner, Tally, canary
from gate.oracle import Call, Ran, Trial
from gate.path import is_plain
from gate.report import Evidence, Finding
from gate.tree import Tree


class Hearing(msgspec.Struct, frozen=True, kw_only=True):
    """One command and the runner whose report goes with it; `limit` is in seconds."""

    command: str
    runner: Runner
    name: str
    limit: float

    def run(self, trial: Trial, *, untouched: bool = False, planted: "dict[str, bytes] | None" = None) -> Ran:
        """Run the command so that a report is written."""
        runner = self.runner
        return trial.call(
            Call(
                command=runner.command(self.command),
                timeout=self.limit,
                beside=runner.files(),
                collect=runner.report,
                variables=runner.variables,
                untouched=untouched,
                planted=planted or {},
            )
        )

    def agreed(self, ran: Ran) -> Tally:
        """What both say of a run that ended with exit code 0. CannotJudge where they do not agree, or say nothing."""
        tally = self._tally(ran)
        if tally is None:
            raise CannotJudge(
                f"the command ended with exit code 0, and {self.name} left no report, so nothing says that a test was "
                f"run: {self.command}",
                kind="report_missing",
            )
        if tally.failed:
            raise CannotJudge(
                f"the command ended with exit code 0, and the report of {self.name} says that {_first(tally.failed)} "
                f"failed: {self.command}",
                kind="report_disagrees",
            )
        if not tally.ran:
            raise CannotJudge(f"{self.name} ran no test: {self.command}", kind="no_tests")
        return tally

    def missing(self, trial: Trial, tally: Tally) -> Iterator[Finding | Evidence]:
        """Whether fewer tests ran than on the start workspace; it is run there only where it is another."""
        if not trial.replayed and all(trial.before.same(path, trial.after) for path in _paths(trial)):
            return
        before = self._tally(self.run(trial, untouched=True))
        if before is None:
            yield Evidence(message=f"{self.name} left no report before the change, so its tests are not counted")
            return
        gone = sorted(set(before.ran) - set(tally.ran))
        if len(tally.ran) < len(before.ran):
            message = f"{_tests(len(tally.ran))} ran, {len(before.ran)} ran before the change"
            missing = f"; missing: {_first(gone)}" if gone else ""
            yield Finding(message=message + missing, kind="tests_missing", details="\n".join(gone))
        else:
            yield Evidence(message=f"{_tests(len(before.ran))} ran before the change")

    def canary(self, trial: Trial, tally: Tally) -> Evidence:
        """A test that must fail is planted, and the command must not pass. CannotJudge where it does."""
        mark = f"gate_{os.urandom(6).hex()}"
        planted = canary(self.runner, mark, trial.after, tally, self._named(trial.after))
        done = self.run(trial, planted=planted).done
        path = next(iter(planted))
        if done.exit_code == 0:
            raise CannotJudge(
                f"a failing test was planted in {path}, and the command passed all the same: it does not say what it "
                f"should: {self.command}",
                kind="captured",
            )
        return Evidence(
            message=f"A failing test planted in {path} was seen ({ending(done)})", path=path, details=details(done)
        )

    def _tally(self, ran: Ran) -> Tally | None:
        report = ran.collected if self.runner.report else ran.done.stdout
        return self.runner.tally(report) if report else None

    def _named(self, tree: Tree) -> Iterator[str]:
        for word in self.command.split():
            path = posixpath.normpath(word.strip("'\"").partition("::")[0])
            if is_plain(path) and path in tree:
                yield path


def _paths(trial: Trial) -> set[str]:
    return {*trial.before.paths(), *trial.after.paths()}


def _first(names: "list[str] | tuple[str, ...]") -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more}"


def _tests(count: int) -> str:
    return f"{count} test{'' if count == 1 else 's'}"
