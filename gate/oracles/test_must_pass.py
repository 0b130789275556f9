"""`test_must_pass`: a command ends well in the workspace."""

import re
from collections.abc import Iterator
from typing import ClassVar

from gate.errors import CannotJudge
from gate.grading import witness
from gate.grading.ending import because, details, ending
from gate.grading.hearing import Hearing
from gate.oracle import Need, Oracle, Seconds, Trial
from gate.process import Completed
from gate.report import Evidence, Finding
from gate.shape import nearest_name

_LONGEST_COMMAND = 128 * 1024  # what Linux takes as one argument
_MODULE = re.compile(
    r"python[\d.]*(?:\.exe)?['\"]?(?:\s+-(?:[A-Za-ln-z]*[WX]\s+[^-\s]\S*|[^m\s]\S*))*\s+-m\s+(?P<module>[\w.]+)"
)


class TestMustPass(Oracle, frozen=True):
    """A command ends with exit code 0 in the workspace.

    `command` is given to the system's shell (`sh -c`), in the folder that the task's workspace is. `python` at its
    start is the interpreter that runs the gate, or the one that `defaults.python` names. `timeout` is its limit in
    seconds, that of `defaults.timeout` where it is left out. The command runs in a copy of the files that are judged,
    never in the checkout: what is not part of them (installed packages, build results) it does not see.

    It has no input, no terminal and none of the gate's own environment but harmless names (`PATH`, `HOME`, `LANG`, …):
    no tokens, nothing of the CI. All that it starts is ended with it. Another exit code, a signal, the time limit and
    an endless output are *fail*; a command that does not exist (exit code 126 or 127), or a Python module that is
    missing, is *error*: it says nothing about the change.

    An exit code alone proves little: code that is tested can end the process before a test was run. `report` names the
    test runner (`pytest`, `unittest`, `node`, `jest`, `go`, `cargo`), which is made to write its own report outside of
    the workspace. Then exit code and report must agree, at least one test must have run, and no fewer than on the start
    workspace, where the command is run, too (*fail* `tests_missing`, also where none is left). `canary: true` runs it
    once more with a failing test in one of the test files, and must see red. Where one planted in the start workspace
    is seen and this one is not, the change has captured the runner (*fail* `captured`). A report that is missing or
    disagrees, and a planted test that nobody ever sees, is *error*, and so is a command that starts the runner more
    than once, loses its exit code (behind a pipe, `;` or `|| true`: `exit_code_lost`), or whose selection of tests
    (`-k`, `path::test`, …) leaves the planted one out.

    These are tripwires and no proof. Code in the runner's own process (the tested code is, too) can forge exit code and
    report together, behave while a failing test is planted, or make its tests' own comparisons true, such as by an
    object that equals everything. For proof judge from outside of the process: let a protected `program` start what is
    tested as a process of its own, and compare what that prints.

    In a change of the repository the base's version of protected files stands in the workspace: what
    `file_not_modified` names, test files in the command, what test runners load by themselves, and what
    `policy.protect` adds.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.COMMANDS})

    command: str
    timeout: Seconds | None = None
    report: str | None = None
    canary: bool = False

    def __post_init__(self) -> None:
        """Say early what no run could judge."""
        if self.report is not None and self.report not in witness.known():
            known = list(witness.known())
            near = nearest_name(self.report, known)
            raise ValueError(f"`report`: expected one of {', '.join(known)}, found {self.report!r}{near}")
        if self.canary and self.report is None:
            raise ValueError("`canary` needs `report`, which names the test runner")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Run the command, and once more each on the start workspace and with a failing test, where that is asked."""
        self._refuse_what_cannot_run()
        limit = trial.timeout if self.timeout is None else float(self.timeout)
        if self.report is None:
            yield from self._told(trial.run(self.command, timeout=limit), limit, trial)
            return
        hearing = Hearing(command=self.command, runner=witness.find(self.report), name=self.report, limit=limit)
        ran = hearing.run(trial)
        tally = hearing.agreed(ran) if ran.done.exit_code == 0 and not ran.done.flooded else None
        yield from self._told(ran.done, limit, trial)
        if tally is None:
            yield from hearing.emptied(trial, ran) if ran.done.exit_code and not ran.done.flooded else ()
            return
        if tally.ran:
            yield Evidence(message=f"{self.report} ran {len(tally.ran)} tests, and its report agrees")
        yield from hearing.missing(trial, tally)
        if self.canary and tally.ran:
            yield hearing.canary(trial, tally)

    def _told(self, done: Completed, limit: float, trial: Trial) -> Iterator[Finding | Evidence]:
        """What the exit code says, and which files were not the change's own."""
        with_base = f" ({trial.put_back})" if trial.put_back else ""
        if done.timed_out:
            yield self._finding("timeout", f"Command timed out after {limit:g} s: {self.command}{with_base}", done)
        elif done.flooded:
            message = f"Command printed without end and was stopped: {self.command}{with_base}"
            yield self._finding("output_limit", message, done)
        elif done.exit_code == 0:
            yield Evidence(message=f"Command passed: {self.command}{with_base}")
        else:
            yield self._failed(done, with_base)

    def _refuse_what_cannot_run(self) -> None:
        reason = ""
        if not self.command.strip():
            reason = "is empty"
        elif "\0" in self.command:
            reason = "holds a NUL byte"
        elif len(self.command.encode("utf-8", "surrogatepass")) >= _LONGEST_COMMAND:
            reason = f"is longer than {_LONGEST_COMMAND} bytes"
        if reason:
            raise CannotJudge(f"the command {reason}: {self.command[:60]!r}", kind="command")

    def _failed(self, done: Completed, with_base: str) -> Finding:
        if done.exit_code in (126, 127):
            what = "was not found" if done.exit_code == 127 else "cannot be executed"
            raise CannotJudge(
                f"the command {what} (exit {done.exit_code}): {self.command}{because(done)}", kind="command_not_found"
            )
        self._look_for_missing_module(done)
        message = f"Command failed ({ending(done)}): {self.command}{with_base}{because(done)}"
        return self._finding("command_failed", message, done)

    def _look_for_missing_module(self, done: Completed) -> None:
        called = _MODULE.search(self.command)
        if called is None:
            return
        module = called["module"]
        for line in done.stderr.decode("utf-8", "replace").splitlines():
            python, said, rest = line.partition(": No module named ")
            if said and rest.strip("'\"") in (module, module.partition(".")[0]):
                raise CannotJudge(
                    f"{python} has no module {module!r}, so the command says nothing: {self.command}; install the "
                    "module there, or name another interpreter with `defaults.python`",
                    kind="missing_module",
                )

    def _finding(self, kind: str, message: str, done: Completed) -> Finding:
        return Finding(message=message, kind=kind, details=details(done))
