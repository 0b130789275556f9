"""`test_must_pass`: a command ends well in the workspace."""

import re
from collections.abc import Iterator
from typing import ClassVar

from gate.ending import because, details, ending
from gate.errors import CannotJudge
from gate.oracle import Need, Oracle, Seconds, Trial
from gate.process import Completed
from gate.report import Evidence, Finding

_LONGEST_COMMAND = 128 * 1024  # what Linux takes as one argument
_MODULE = re.compile(r"python[\d.]*(?:\.exe)?['\"]?(?:\s+-[^m\s]\S*)*\s+-m\s+(?P<module>[\w.]+)")


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
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.COMMANDS})

    command: str
    timeout: Seconds | None = None

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Run the command once."""
        self._refuse_what_cannot_run()
        limit = trial.timeout if self.timeout is None else float(self.timeout)
        done = trial.run(self.command, timeout=limit)
        if done.timed_out:
            yield self._finding("timeout", f"Command timed out after {limit:g} s: {self.command}", done)
        elif done.flooded:
            yield self._finding("output_limit", f"Command printed without end and was stopped: {self.command}", done)
        elif done.exit_code == 0:
            yield Evidence(message=f"Command passed: {self.command}")
        else:
            yield self._failed(done)

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

    def _failed(self, done: Completed) -> Finding:
        if done.exit_code in (126, 127):
            what = "was not found" if done.exit_code == 127 else "cannot be executed"
            raise CannotJudge(
                f"the command {what} (exit {done.exit_code}): {self.command}{because(done)}", kind="command_not_found"
            )
        self._look_for_missing_module(done)
        return self._finding("command_failed", f"Command failed ({ending(done)}): {self.command}{because(done)}", done)

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
