"""Hears two witnesses of a test run, the exit code and the test runner's report, and plants a test that must fail."""

import contextlib
import posixpath
from collections.abc import Iterator

import msgspec

from gate.cmdline.shell import commands
from gate.errors import CannotJudge
from gate.grading.ending import details, ending
from gate.grading.witness import Runner, Tally, calls, canary
from gate.oracle import Call, Ran, Trial
from gate.path import is_plain
from gate.process import Completed
from gate.report import Evidence, Finding
from gate.tree import Tree, differing

_WAY_OUT = "if that is meant, a waiver for test_must_pass without `path` allows it"


class Hearing(msgspec.Struct, frozen=True, kw_only=True):
    """One command and the runner whose report goes with it; `limit` is in seconds."""

    command: str
    runner: Runner
    name: str
    limit: float

    def run(self, trial: Trial, *, untouched: bool = False, planted: "dict[str, bytes] | None" = None) -> Ran:
        """Run the command so that a report is written. CannotJudge where it starts the runner more than once."""
        runner = self.runner
        if len(calls(runner, self.command)) > 1:
            raise CannotJudge(
                f"the command starts {self.name} more than once, and a report tells of one run; write one oracle for "
                f"each: {self.command}",
                kind="report",
            )
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
                kind="no_report",
            )
        if tally.failed:
            raise CannotJudge(
                f"the command ended with exit code 0, and the report of {self.name} says that {_first(tally.failed)} "
                f"failed: {self.command}",
                kind="report_disagrees",
            )
        return tally

    def emptied(self, trial: Trial, ran: Ran) -> Iterator[Finding | Evidence]:
        """Whether a command failed, for its runner ran no test at all, where tests ran on the start workspace."""
        with contextlib.suppress(CannotJudge):  # that it failed has been told already
            tally = self._tally(ran)
            if tally is not None and not tally.ran and not tally.failed:
                yield from self.missing(trial, tally)

    def missing(self, trial: Trial, tally: Tally) -> Iterator[Finding | Evidence]:
        """Whether fewer tests ran than on the start workspace; it is run there only where it is another.

        As many, but others, are told and no finding: a test may have another name. CannotJudge where none ran on
        either.
        """
        same = not trial.replayed and next(differing(trial.before, trial.after), None) is None
        before = None if same else self._tally(self.run(trial, untouched=True))
        if not tally.ran and not (before and before.ran):
            raise CannotJudge(f"{self.name} ran no test: {self.command}", kind="no_tests")
        if before is None:
            if not same:
                yield Evidence(message=f"{self.name} left no report before the change, so its tests are not counted")
            return
        gone = sorted(set(before.ran) - set(tally.ran))
        if len(tally.ran) < len(before.ran):
            message = f"{_tests(len(tally.ran))} ran, {len(before.ran)} ran before the change"
            missing = f"; missing: {_first(gone)}" if gone else ""
            advice = f"; {_WAY_OUT}"
            yield Finding(message=message + missing + advice, kind="tests_missing", details="\n".join(gone))
        else:
            others = f"; no longer among them: {_first(gone)}" if gone else ""
            message = f"{_tests(len(before.ran))} ran before the change{others}"
            yield Evidence(message=message, details="\n".join(gone))

    def canary(self, trial: Trial, tally: Tally) -> Finding | Evidence:
        """A test that must fail is planted, and the command must not pass.

        Where it does, and fails for such a test on the start workspace, the change has captured it. CannotJudge where
        it never does.
        """
        planted = canary(self.runner, trial.after, self._places(trial.after, tally))
        done = self.run(trial, planted=planted).done
        path = next(iter(planted))
        if done.exit_code != 0:
            return Evidence(
                message=f"A failing test planted in {path} was seen ({ending(done)})", path=path, details=details(done)
            )
        self._refuse_selection(path)
        passed = f"failing test was planted in {path}, and the command passed all the same"
        before = self._seen_before(trial)
        if before is None:
            raise CannotJudge(f"a {passed}: it does not say what it should: {self.command}", kind="captured")
        if before.exit_code == 0:
            raise CannotJudge(
                f"a {passed}, on the start workspace too, where the report of {self.name} tells of it: the command's "
                f"exit code is lost, as behind a pipe, `;` or `|| true`; let it end with that of {self.name}: "
                f"{self.command}",
                kind="exit_code_lost",
            )
        message = f"A {passed}, which it does not on the start workspace: {self.command}"
        return Finding(message=message, kind="captured", path=path, details=details(done))

    def _seen_before(self, trial: Trial) -> Completed | None:
        """How the command ends on the start workspace with a test that must fail; None where no report tells of it."""
        with contextlib.suppress(CannotJudge):
            plain = self._tally(self.run(trial, untouched=True))
            if plain is not None:
                planted = canary(self.runner, trial.before, self._places(trial.before, plain))
                ran = self.run(trial, untouched=True, planted=planted)
                more = self._tally(ran)
                if more is not None and len(more.failed) > len(plain.failed):
                    return ran.done
        return None

    def _tally(self, ran: Ran) -> Tally | None:
        report = ran.collected if self.runner.report else ran.done.stdout
        return self.runner.tally(report) if report else None

    def _refuse_selection(self, path: str) -> None:
        """An honest run passes where its command does not select the planted test."""
        for call in calls(self.runner, self.command):
            word = self.runner.selection(self.runner.arguments(call.words) or ())
            if word:
                raise CannotJudge(
                    f"a failing test was planted in {path}, and the command passed: it selects tests by `{word}`, and "
                    f"that one need not be among them; leave `{word}` out, or `canary`: {self.command}",
                    kind="canary",
                )

    def _places(self, tree: Tree, tally: Tally) -> Iterator[str]:
        """Where a test may be planted, the likeliest to be run first.

        Those are the files that the command names, those whose tests ran, then all that lie where it runs tests.
        """
        named = dict.fromkeys(_named(self.command))
        yield from (path for path in named if path in tree)
        directories = [call.directory or "" for call in calls(self.runner, self.command)] or [""]
        for case in tally.cases:
            path = posixpath.normpath(posixpath.join(directories[0], case.file))
            if case.file and not case.skipped and path in tree:
                yield path
        paths = sorted(tree.paths())
        for folder in (*named, *directories):
            yield from (path for path in paths if path.startswith(f"{folder}/"))
        yield from paths


def _named(command: str) -> Iterator[str]:
    for simple in commands(command):
        for word in simple.words:
            path = posixpath.normpath(posixpath.join(simple.directory or "", word.partition("::")[0]))
            if is_plain(path):
                yield path


def _first(names: "list[str] | tuple[str, ...]") -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more}"


def _tests(count: int) -> str:
    return f"{count} test{'' if count == 1 else 's'}"
