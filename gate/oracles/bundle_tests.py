"""`bundle_tests`: the tests that a bundle keeps out of the agent's sight pass on its workspace."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from gate.errors import CannotJudge
from gate.oracle import Need, Oracle, Seconds, Trial
from gate.process import Completed
from gate.report import Evidence, Finding

ENTRY = "tests.py"
_COMMAND = f'python "$GATE_BESIDE/{ENTRY}" "$PWD"'
_TAIL = 500
_LIMIT = 30.0


class BundleTests(Oracle, frozen=True):
    """A bundle's `oracle/tests.py`, called with the workspace as its only argument, ends with exit code 0.

    The bundle's task format makes this oracle; `files` is the whole folder `oracle/` of the task. It lies outside of
    the workspace, so that nothing an agent leaves there is in its way, and runs with the interpreter that `python`
    means in commands. A task without `tests.py` is *fail* with a check of its own: nothing says that it is solved.
    Another exit code, a signal and the limit `timeout` (in seconds, 30 where it is left out) are *fail*; the finding
    holds the last 500 characters of each stream. An interpreter that cannot be started is *error*.
    """

    needs: ClassVar[frozenset[Need]] = frozenset({Need.COMMANDS})

    files: Mapping[str, bytes] = {}
    timeout: Seconds | None = None

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Run the tests once."""
        if ENTRY not in self.files:
            yield Finding(message=f"The task has no oracle/{ENTRY}, so nothing tests it", kind="tests_missing")
            return
        limit = _LIMIT if self.timeout is None else float(self.timeout)
        done = trial.run(_COMMAND, timeout=limit, beside=self.files)
        details = _details(done)
        if done.timed_out:
            yield Finding(message=f"{ENTRY} timed out after {limit:g} s", kind="tests_timeout", details=details)
        elif done.flooded:
            yield Finding(message=f"{ENTRY} printed without end and was stopped", kind="tests_output", details=details)
        elif done.exit_code in (126, 127):
            raise CannotJudge(f"{ENTRY} could not be started: {_last_line(done)}", kind="tests_not_started")
        elif done.exit_code == 0:
            yield Evidence(message=f"{ENTRY} passed", details=details)
        else:
            code = done.exit_code or 0
            ended = f"killed by signal {-code}" if code < 0 else f"exit {code}"
            because = f": {line}" if (line := _last_line(done)) else ""
            yield Finding(message=f"{ENTRY} failed ({ended}){because}", kind="tests_failed", details=details)


def _details(done: Completed) -> str:
    streams = (("stdout", done.stdout), ("stderr", done.stderr))
    return "\n".join(f"{name}:\n{tail}" for name, data in streams if (tail := _tail(data)))


def _tail(data: bytes) -> str:
    return data.decode("utf-8", "replace")[-_TAIL:]


def _last_line(done: Completed) -> str:
    """The line that says most: a Python traceback ends with it."""
    lines = (_tail(done.stderr) or _tail(done.stdout)).strip().splitlines()
    return lines[-1].strip() if lines else ""
