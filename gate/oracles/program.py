"""`program`: a program of one's own says whether the run is good."""

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.errors import CannotJudge
from gate.grading.ending import because, ending
from gate.grading.eventlog import trajectory_document
from gate.grading.execution import Execution, checked, finding, unexpected
from gate.oracle import Place, Trial
from gate.process import Completed
from gate.report import Evidence, Finding
from gate.shape import shown
from gate.transcript import Transcript

_INPUT = "grader_input.json"
_OWN = ("EVALUATE_WORKSPACE", "EVALUATE_GRADER_INPUT")


class Program(Execution, frozen=True, kw_only=True):
    """A program of one's own says that the run is good: by its exit code, or by a result that it prints.

    `program` is started with `args` and without a shell; with `shell: true` both are joined by blanks to a line for the
    system's shell. It starts in the workspace, or in its folder `sub_path`. `timeout` is its limit in seconds (also
    `90s`, `2m`), that of `defaults.timeout` (60 s) where it is left out; `env` are variables besides.
    `EVALUATE_WORKSPACE` is the workspace, `EVALUATE_GRADER_INPUT` a JSON file with `trajectory` (`events`, `metrics`,
    `output`, `workDir`, `diff`), `stimulus` and `config`; `env` cannot set these two.

    A program that prints nothing passes with exit code 0 and fails with another. One that prints a JSON object passes
    with exit code 0 and `passed: true`; `evidence` says why, `score` is from 0 to 1, `details` are results of its
    parts. Anything else on stdout, and a result that its exit code contradicts, is *error*: notes belong on stderr. A
    time limit that is reached and a program or folder that the workspace does not have are *fail*; a program that this
    machine does not have is *error*.

    A program that lies in the workspace is a part of what is judged: protect it with `file_not_modified`.
    """

    program: str
    args: tuple[str, ...] = ()
    shell: bool = False

    def __post_init__(self) -> None:
        """Refuse the variables that are not for setting."""
        super().__post_init__()
        for name in self.env:
            if name.upper() in _OWN:
                raise ValueError(f"Expected no {name} in `env`: the oracle itself sets it")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Run the program once and read its result."""
        words = [self.program, *self.args]
        checked(words)
        line = " ".join(words) if self.shell else shlex.join(words)
        obstacle = self.obstacle(trial, "" if self.shell else self.program)
        if obstacle is not None:
            yield obstacle
            return
        limit = trial.timeout if self.timeout is None else float(self.timeout)
        done = trial.run(
            line if self.shell else words,
            timeout=limit,
            sub_path=self.folder,
            variables=self._variables,
            beside=lambda workspace: {_INPUT: self._input(trial, workspace)},
        )
        found = [*self.failure(done, line, limit)]
        yield from found or self._result(done, line)

    def _variables(self, place: Place) -> dict[str, str]:
        mine = zip(_OWN, (place.workspace, f"{place.beside}/{_INPUT}"), strict=True)
        return {**self.env, **dict(mine)}

    def _input(self, trial: Trial, workspace: str) -> bytes:
        seen = trial.transcript if trial.recorded else Transcript()
        diff = trial.diff.decode("utf-8", "replace")
        stimulus = {"prompt": trial.prompt}
        document = {
            "trajectory": {**trajectory_document(seen, workspace=workspace, diff=diff), "stimulus": stimulus},
            "stimulus": stimulus,
            "config": msgspec.to_builtins(self, enc_hook=float),
        }
        return msgspec.json.encode(document, enc_hook=str)

    def _result(self, done: Completed, line: str) -> Iterator[Finding | Evidence]:
        if not done.stdout.strip() or done.exit_code in (126, 127):
            if done.exit_code == 0:
                yield Evidence(message=f"Program passed: {line}")
            else:
                yield unexpected(done, line, by_shell=self.shell)
            return
        result = _read(done, line)
        said = f": {result['evidence']}" if isinstance(result.get("evidence"), str) and result["evidence"] else ""
        score = f" (score {result['score']:.10g})" if "score" in result else ""
        if result["passed"]:
            yield Evidence(message=f"Program passed{score}: {line}{said}")
        else:
            parts = "".join(f"; {part}" for part in _failed(result.get("details")))
            yield finding("program", f"Program failed{score}: {line}{said}{parts}", done)


def _read(done: Completed, line: str) -> dict[str, Any]:
    """The result on stdout. CannotJudge where it is none, or where the exit code says something else."""

    def wrong(what: str) -> CannotJudge:
        return CannotJudge(f"the program's result cannot be used: {what}: {line}{because(done)}", kind="result")

    if done.dropped:
        raise wrong("it printed more than is kept")
    try:
        result = msgspec.json.decode(done.stdout.strip())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise wrong("expected nothing or one JSON object on stdout") from None
    if not isinstance(result, dict) or not isinstance(result.get("passed"), bool):
        found = shown(result) if not isinstance(result, dict) else f"`passed` as {shown(result.get('passed'))}"
        raise wrong(f"expected an object with `passed` as true or false, found {found}")
    score = result.get("score", 0)
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise wrong(f"expected `score` from 0 to 1, found {shown(score)}")
    if result["passed"] and done.exit_code:
        raise wrong(f"it says that it passed, and ended otherwise ({ending(done)})")
    return result


def _failed(details: Any) -> Iterator[str]:
    """What the parts of a result say that did not pass."""
    for part in details if isinstance(details, list) else ():
        if isinstance(part, dict) and part.get("passed") is False:
            yield f"{part.get('name', 'a part')}: {part.get('evidence', 'failed')}"[:500]
