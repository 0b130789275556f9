"""`run_command`: a command ends and prints as expected."""

import shlex
from collections.abc import Iterator
from typing import ClassVar

from gate.grading.content import quoted
from gate.grading.ending import ending
from gate.grading.execution import Execution, checked, finding, unexpected
from gate.oracle import Trial
from gate.patterns.jsregex import JsPattern
from gate.process import Completed
from gate.report import Evidence, Finding


class RunCommand(Execution, frozen=True, kw_only=True):
    """A command ends with the expected exit code and prints what is expected.

    With `args` the program `command` is started with these arguments and without a shell; without them `command` is a
    line for the system's shell. It starts in the workspace, or in its folder `sub_path`. `expected_exit_code` is 0
    where it is left out. `stdout_contains` and `stderr_contains` are texts that must stand in the output as they are
    written, `stdout_matches` regular expressions of JavaScript that must match it, `stdout_not_matches` such that must
    not; each is one or a list. `timeout` is its limit in seconds (also `90s`, `2m`), that of `defaults.timeout` where
    it is left out; `env` are variables besides.

    It runs in a copy of the files that are judged, without input, terminal, tokens and the CI's variables, and all that
    it starts is ended with it. A time limit that is reached and a program or folder that the workspace does not have
    are *fail*; a program that this machine does not have, and a pattern that is not valid, are *error*.
    """

    searches: ClassVar[frozenset[str]] = frozenset({"stdout_matches", "stdout_not_matches"})

    command: str
    args: tuple[str, ...] | None = None
    expected_exit_code: int = 0
    stdout_contains: str | tuple[str, ...] = ()
    stderr_contains: str | tuple[str, ...] = ()
    stdout_matches: str | tuple[str, ...] = ()
    stdout_not_matches: str | tuple[str, ...] = ()

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Run the command once and look at what it printed."""
        wanted, unwanted = self._patterns(self.stdout_matches), self._patterns(self.stdout_not_matches)
        command: str | list[str] = self.command if self.args is None else [self.command, *self.args]
        checked(command)
        shown = command if isinstance(command, str) else shlex.join(command)
        obstacle = self.obstacle(trial, "" if self.args is None else self.command)
        if obstacle is not None:
            yield obstacle
            return
        limit = trial.timeout if self.timeout is None else float(self.timeout)
        done = trial.run(command, timeout=limit, sub_path=self.folder, variables=lambda _: self.env)
        found = [*self.failure(done, shown, limit)]
        if not found and done.exit_code != self.expected_exit_code:
            if done.exit_code == 0:
                message = f"Command ended well, and exit {self.expected_exit_code} was expected: {shown}"
                found.append(finding("command_failed", message, done))
            else:
                found.append(unexpected(done, shown, by_shell=self.args is None))
        elif not found:
            found += self._printed(done, shown, wanted, unwanted)
        yield from found
        if not found:
            yield Evidence(message=f"Command ended as expected ({ending(done)}): {shown}")

    def _patterns(self, given: str | tuple[str, ...]) -> list[JsPattern]:
        patterns = [JsPattern(text) for text in _listed(given)]
        for pattern in patterns:
            pattern.check()
        return patterns

    def _printed(
        self, done: Completed, shown: str, wanted: list[JsPattern], unwanted: list[JsPattern]
    ) -> Iterator[Finding]:
        stdout, stderr = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
        wrong = [
            f"stdout does not contain {quoted(text)}" for text in _listed(self.stdout_contains) if text not in stdout
        ]
        wrong += [
            f"stderr does not contain {quoted(text)}" for text in _listed(self.stderr_contains) if text not in stderr
        ]
        wrong += [f"stdout does not match {quoted(pattern)}" for pattern in wanted if not pattern.search(stdout)]
        wrong += [f"stdout matches {quoted(pattern)}" for pattern in unwanted if pattern.search(stdout)]
        for what in wrong:
            yield finding("output", f"Command's {what}: {shown}", done)


def _listed(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given
