"""The oracle `recorded_outputs`: what a recording says that its steps printed is what the replay gives."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec

from gate.claims.claim import Contradiction
from gate.errors import CannotJudge
from gate.oracle import Need, Oracle, Trial
from gate.path import printable
from gate.report import Evidence, Finding
from gate.scope import Patterns, unmatchable

_SHOWN = 100


class RecordedOutputs(Oracle, frozen=True):
    """The outputs that the recording claims are those that the replay gives, step by step.

    While the recording is replayed, every output is worked out anew that shows nothing but files: the numbered lines
    of reading tools and of snippets that editing tools answer with, what `cat`, `sed -n`, `head`, `tail`, `nl` and `wc`
    print of a file (alone, piped, or joined by `&&` and `;`), and the contents that are recorded before an edit.
    Nothing is run for that. A step whose recorded output differs is a finding of its own, `replay_mismatch`, with
    the first line that differs: the recording was made up or edited there, or it started from other files than the
    task, or something that the gate does not follow changed the file meanwhile: a person at the same desk, a formatter
    in the editor, a script of the repository that the agent ran (`npm run lint:fix`). The last are honest work; so the
    oracle is asked only where a task names it.

    What cannot be worked out is no finding: other programs' outputs, files that are not in the start workspace, and
    files that a recorded command or a sub-agent without a recording may have changed in between. What a harness left
    out or blacked out is not compared. All recordings of a task are taken together.

    `paths` narrows it to outputs that show such files. Where fewer outputs than `at_least` could be compared the oracle
    is *error*: an agreement of nothing proves nothing. Whether the tests that an agent says to have passed do pass is
    for `test_must_pass` to say.
    """

    needs: ClassVar = frozenset({Need.RECORDING})
    joins_recordings: ClassVar = True
    asserts_absence: ClassVar = True
    reads_tree: ClassVar = False

    paths: tuple[str, ...] = ("**",)
    at_least: Annotated[int, msgspec.Meta(ge=0)] = 1

    def __post_init__(self) -> None:
        """Refuse patterns that no path could match."""
        for number, why in unmatchable(self.paths):
            raise ValueError(f"`paths{'' if number is None else f'[{number}]'}`: {why}")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Hold what was printed against the replay's files."""
        claims = trial.claims
        patterns = Patterns(self.paths)
        found = [claim for claim in claims.contradictions if _in(patterns, trial, claim.paths)]
        agreeing = sum(_in(patterns, trial, paths) for paths in claims.agreeing)
        if agreeing + len(found) < self.at_least:
            raise CannotJudge(
                f"{agreeing + len(found)} recorded outputs could be compared with the replay, expected at least "
                f"{self.at_least} (`at_least`); {claims.open} could not",
                kind="nothing_compared",
            )
        yield Evidence(message=f"{agreeing} recorded outputs are as replayed, {claims.open} could not be compared")
        for claim in found:
            yield _finding(trial, claim)


def _in(patterns: Patterns, trial: Trial, paths: tuple[str, ...]) -> bool:
    """Whether one of these files lies in the task's folder and is asked for."""
    return any(patterns.match(path) for path in map(trial.inside, paths) if path is not None)


def _finding(trial: Trial, claim: Contradiction) -> Finding:
    place = f"step {claim.step}" + (f" (line {claim.source})" if claim.source else "")
    path = trial.inside(claim.paths[0]) if len(claim.paths) == 1 else None
    of = f" of {printable(path or claim.paths[0])}" if len(claim.paths) == 1 else ""
    return Finding(
        message=f"{place}: {claim.what} shows as line {claim.line}{of} {_line(claim.recorded)}, "
        f"where the replay has {_line(claim.replayed)}",
        path=path if path is not None and path in trial.after else None,
        kind="replay_mismatch",
    )


def _line(text: str | None) -> str:
    if text is None:
        return "no such line"
    return repr(text.strip()[:_SHOWN])
