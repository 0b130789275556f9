"""`bundle_tests`: the tests that a bundle keeps out of the agent's sight pass on its workspace."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from gate.errors import CannotJudge
from gate.grading.witness import word
from gate.oracle import Call, Need, Oracle, Seconds, Trial
from gate.process import Completed
from gate.report import Evidence, Finding

ENTRY = "tests.py"
_COMMAND = 'python "$GATE_BESIDE/ending.py" "$PWD"'
_WORD = "ending.txt"
_TAIL = 500
_LIMIT = 30.0
_PROGRAM = """\
import os
import runpy
import sys


def main(word, opened=open, process=os.getpid()):
    folder, workspace = os.path.dirname(os.path.abspath(__file__)), os.path.realpath(sys.argv[1])
    tests = os.path.join(folder, "oracle", "tests.py")
    os.remove(__file__)
    sys.argv[0], sys.path[0] = tests, os.path.dirname(tests)
    end = None
    try:
        runpy.run_path(tests, run_name="__main__")
    except SystemExit as error:
        end = error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        tell(error, tests)
        sys.exit(1)
    if os.getpid() == process and (end is None or is_own(end, os.path.join(workspace, ""))):
        with opened(os.path.join(folder, "%(file)s"), "w") as file:
            file.write(word)
    if end is not None:
        raise end


def tell(error, tests):
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename != tests:
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def is_own(end, workspace):
    trace = end.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if os.path.isabs(file) and os.path.realpath(file).startswith(workspace):
            return False
        trace = trace.tb_next
    return end.code in (None, 0)


main("%(word)s")
"""
"""Runs `tests.py` as Python itself would, and leaves the word where that came to an end of its own and all is well.

A child that it has forked leaves none. The traceback of an error shows nothing of this program.
"""


class BundleTests(Oracle, frozen=True):
    """A bundle's `oracle/tests.py`, called with the workspace as its only argument, ends with exit code 0.

    The bundle's task format makes this oracle; `files` is the whole folder `oracle/` of the task. It lies outside of
    the workspace, so that nothing an agent leaves there is in its way, and runs with the interpreter that `python`
    means in commands. A task without `tests.py` is *fail* with a check of its own: nothing says that it is solved.
    Another exit code, a signal and the limit `timeout` (in seconds, 30 where it is left out) are *fail*; the finding
    holds the last 500 characters of each stream. An interpreter that cannot be started is *error*.

    An exit code alone proves little: code that `tests.py` imports runs in its process, and can end that before anything
    was tested. So exit code 0 counts only where `tests.py` itself came to its end or called `sys.exit`; where the
    process was ended or replaced before that (`os._exit`, `os.exec…`), or by a `sys.exit` in a file of the workspace,
    it is *error* `ended_early`. That is a tripwire and no proof: imported code can also change what a comparison means,
    such as by an object that equals everything. For proof let `tests.py` start what it tests as a process of its own,
    and compare what that prints.
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
        mark = word()
        program = _PROGRAM % {"word": mark, "file": _WORD}
        beside = {"ending.py": program.encode(), **{f"oracle/{path}": data for path, data in self.files.items()}}
        ran = trial.call(Call(command=_COMMAND, timeout=limit, beside=beside, collect=_WORD))
        done, details = ran.done, _details(ran.done)
        if done.timed_out:
            yield Finding(message=f"{ENTRY} timed out after {limit:g} s", kind="tests_timeout", details=details)
        elif done.flooded:
            yield Finding(message=f"{ENTRY} printed without end and was stopped", kind="tests_output", details=details)
        elif done.exit_code in (126, 127):
            raise CannotJudge(f"{ENTRY} could not be started: {_last_line(done)}", kind="tests_not_started")
        elif done.exit_code == 0 and ran.collected != mark.encode():
            raise CannotJudge(
                f"{ENTRY} ended with exit code 0 before its own end, so nothing says that it tested anything; "
                "where that is no trick of what it tests, let it end by itself, or by `sys.exit`",
                kind="ended_early",
            )
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
