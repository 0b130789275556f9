"""The oracle `explained`: the recording accounts for the change."""

from collections.abc import Iterator
from typing import ClassVar

from gate.errors import CannotJudge
from gate.explanation import Explanation, File, Kind
from gate.oracle import Need, Oracle, Trial
from gate.report import Evidence, Finding
from gate.scope import Patterns, unmatchable


class Explained(Oracle, frozen=True):
    """The recording explains the change.

    Every changed file in scope is *exact* (the replay gives its very bytes), *proven* (repeating the recorded command
    does, where the task says `replay: {commands: repeat}`), *consistent* (a recorded command names it or writes files
    like it), *sub-agent* (a sub-agent's recording is missing), *redacted*, or *unexplained*. Only the first two are
    proof.

    Without `allow` the oracle fails when nothing at all of the change is explained: the recording belongs to other
    work. A person may have typed the rest. With `allow` every file at `paths` must be explained in one of the ways
    that it lists. All recordings of a task are taken together. The oracle is asked by default where a task looks at
    the head and has a recording; `explained: off` in the task turns that off, and the report says so.
    """

    needs: ClassVar = frozenset({Need.RECORDING})
    joins_recordings: ClassVar = True
    reads_tree: ClassVar = False

    paths: tuple[str, ...] = ("**",)
    allow: tuple[Kind, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse patterns that no path could match."""
        for number, why in unmatchable(self.paths):
            raise ValueError(f"`paths{'' if number is None else f'[{number}]'}`: {why}")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare what was recorded with what was changed."""
        explanation = trial.explanation
        if explanation is None:
            raise CannotJudge("there is no change to explain: the task is judged on its replay", kind="state")
        patterns = Patterns(self.paths)
        files = [file for file in explanation.changed if patterns.match(file.path)]
        if not files:
            yield Evidence(message="the change touches nothing that is to be explained")
            return
        yield Evidence(message=_counts(files))
        for file in files:
            if file.explanation is Kind.PROVEN:
                yield Evidence(message=f"{file.path} is proven: {file.reason}", path=file.path)
        if self.allow is None:
            yield from _something(explanation, files)
        else:
            yield from (_unlike(file) for file in files if file.explanation not in self.allow)


def _counts(files: list[File]) -> str:
    counts = [(kind, sum(file.explanation is kind for file in files)) for kind in Kind]
    return f"{len(files)} changed: " + ", ".join(f"{count} {kind.value}" for kind, count in counts if count)


def _something(explanation: Explanation, files: list[File]) -> Iterator[Finding]:
    if any(file.explains_something for file in files):
        return
    gaps = explanation.replay.incomplete
    why = f"; the replay is not whole: {gaps[0]}" if gaps else ""
    many = f"{len(files)} changed files" if len(files) > 1 else f"the change of {files[0].path}"
    yield Finding(
        message=f"The recording explains nothing of {many}: {_since(explanation, files)}{why}",
        path=files[0].path,
        line=_line(files[0]),
        kind="unexplained",
        details="\n".join(f"{file.path}: {file.reason}" for file in files),
    )


def _since(explanation: Explanation, files: list[File]) -> str:
    """Why not a line of these files is explained."""
    replay = explanation.replay
    touched = [file.path for file in files if file.path in replay.touched]
    if touched:
        return (
            f"recorded edits touch {_first(touched)}, but other bytes came out; a formatter or hook may have run since"
        )
    failed = {edit.path for edit in replay.failed}
    tried = [file.path for file in files if file.path in failed]
    if tried:
        return f"recorded edits of {_first(tried)} do not fit what is there"
    return "it records other work"


def _first(paths: list[str]) -> str:
    return paths[0] + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")


def _unlike(file: File) -> Finding:
    open_hunks = [hunk for hunk in file.hunks if not hunk.explained]
    places = ", ".join(f"{hunk.line}-{max(hunk.line, hunk.end)}" for hunk in open_hunks[:10])
    return Finding(
        message=f"{file.path} is {file.explanation.value}: {file.reason}" + (f" (lines {places})" if places else ""),
        path=file.path,
        line=_line(file),
        kind=file.explanation.value,
    )


def _line(file: File) -> int | None:
    return next((hunk.line for hunk in file.hunks if not hunk.explained), None)
