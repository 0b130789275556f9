"""Replay a recording and say which recorded steps explain each changed line.

The change is found as `gate run` finds it. Only *exact* and *proven* are proof; *consistent* names a recorded command
that may have done it, and *unexplained* is the right answer for what a person typed. With `--repeat` recorded
formatters and simple file commands are done again between the edits, in a throw-away workspace: a file that then has
the head's bytes is *proven*.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gate import escape, inlet, mention, options, recording
from gate.account import Hunk
from gate.errors import ChangeError
from gate.explanation import Explanation, File, explain, explainer
from gate.recording import Recording
from gate.repeating.repeat import SECONDS, Attempt
from gate.replay import Replay
from gate.review import Review
from gate.source import open_stream
from gate.trajectory import Trajectory
from gate.tree import MemoryTree

_NOTHING = "this is no git repository, so there is no change to compare the recording with; run inside one"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's options."""
    parser.add_argument("recording", metavar="RECORDING", help="the recording's file; - is standard input")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how to print it")
    parser.add_argument("--repeat", action="store_true", help="repeat formatters and simple file commands")
    options.add_detail(
        parser, quiet="print only the changed files that are not proved", verbose="also print every recorded edit"
    )
    options.add_change(parser)


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Print the explanation; 0 whatever it says: the oracle `explained` judges."""
    trajectory = recording.read(_named(arguments.recording))
    explanation, notices = _explained(trajectory, arguments, environ)
    if arguments.format == "json":
        print(escape.json_document(json.dumps(data(trajectory, explanation) | {"notices": notices}, indent=2)))
    else:
        found = lines(trajectory, explanation, quiet=arguments.quiet, verbose=arguments.verbose)
        said = () if arguments.quiet else (f"notice: {notice}" for notice in notices)
        print("".join(f"{escape.log_line(line)}\n" for line in (*found, *said)), end="")
    return 0


def _named(word: str) -> Recording:
    if word == inlet.WORD:
        return Recording(inlet.read(options.LARGEST_RECORDING), inlet.NAME)
    path = Path(word)
    return Recording(partial(open_stream, path), str(path))


def _explained(
    trajectory: Trajectory, arguments: argparse.Namespace, environ: Mapping[str, str]
) -> tuple[Explanation, tuple[str, ...]]:
    """Over the change under review, with what is to be said of that; outside of git over nothing."""
    asked = options.change(arguments, environ)
    if arguments.repeat and asked.event is not None and asked.event.privileged:
        raise ChangeError(
            f"`--repeat` starts programs on a change's files, and `{asked.event.name}` has this repository's token and "
            "secrets at hand; leave it out, or let the workflow run `on: pull_request`",
            kind="unsafe_trigger",
        )
    repeat = SECONDS if arguments.repeat else None
    try:
        with Review(asked, Path.cwd()) as review:
            start, head = review.start(), review.head.tree
            paths = review.change.paths if review.change else ()
            own = Path(os.path.relpath(arguments.recording, review.git.top)).as_posix() if review.git else ""
            changed = [path for path in paths if path != own]
            notices = review.change.notices if review.change else (_NOTHING,)
            return explainer(trajectory, start, head).explain(changed, repeat=repeat), notices
    except ChangeError as error:
        if error.kind != "no_repository":
            raise
        empty = MemoryTree({})
        return explain(trajectory, empty, empty, (), repeat=repeat), (_NOTHING,)


def data(trajectory: Trajectory, explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON has it."""
    return {
        "format": trajectory.format,
        "unverified": trajectory.unverified,
        "files": [
            {
                "path": escape.plain(file.path),
                "explanation": file.explanation.value,
                "proof": file.explanation.proof,
                "steps": list(file.steps),
                "reason": file.reason,
                "hunks": [_hunk(hunk) for hunk in file.hunks],
            }
            for file in explanation.files
        ],
        "edits": counts(explanation.replay),
        "unknown_tools": [msgspec.to_builtins(tool) for tool in mention.ranked(explanation.replay.unknown)],
        "commands": None if explanation.attempts is None else [_attempt(done) for done in explanation.attempts],
        "dropped": [{"line": part.line, "reason": part.reason, "grave": part.grave} for part in trajectory.dropped],
    }


def _attempt(done: Attempt) -> dict[str, Any]:
    return {"step": done.step, "command": done.command, "repeated": not done.reason, "reason": done.reason}


def _hunk(hunk: Hunk) -> dict[str, Any]:
    return {
        "line": hunk.line,
        "end": hunk.end,
        "removed": hunk.removed,
        "explained": hunk.explained,
        "steps": list(hunk.steps),
    }


def counts(replay: Replay) -> dict[str, int]:
    """How many recorded edits were applied, failed, were skipped, lie outside; and calls of unknown tools."""
    return {
        "applied": len(replay.applied),
        "failed": len(replay.failed),
        "skipped": len(replay.skipped),
        "unknown": sum(replay.unknown.values()),
        "outside": len(replay.outside),
    }


def lines(
    trajectory: Trajectory, explanation: Explanation, *, quiet: bool = False, verbose: bool = False
) -> Iterator[str]:
    """The explanation for a person."""
    if quiet:
        for file in explanation.changed:
            yield from () if file.explanation.proof else _file(file)
        return
    edits = {word: count for word, count in counts(explanation.replay).items() if count and word != "unknown"}
    said = ", ".join(f"{count} {word}" for word, count in edits.items()) or "none"
    yield f"{trajectory.format}: recorded edits: {said}"
    if explanation.replay.unknown:
        yield f"  {mention.told(mention.ranked(explanation.replay.unknown))}"
    if trajectory.unverified:
        yield "  this format's reader was built without a real sample of its edits"
    yield from _edits(explanation.replay) if verbose else ()
    for file in explanation.files:
        yield from _file(file)
    for sentence in explanation.replay.incomplete:
        yield f"not replayed: {sentence}"
    for done in explanation.attempts or ():
        yield done.sentence if done.reason == "" else f"{done.sentence} ({done.command})"
    for part in trajectory.dropped:
        if not part.grave:
            yield f"left out: {part.reason}"
    changed = explanation.changed
    if changed:
        proved = sum(file.explanation.proof for file in changed)
        by = "recorded edits" if explanation.attempts is None else "recorded edits and repeated commands"
        yield f"{proved} of {len(changed)} changed files proved, {_explained_hunks(changed)} by {by}"


def _edits(replay: Replay) -> Iterator[str]:
    """Every recorded edit, in recorded order, and what became of it."""
    became = [
        (edit, word)
        for edits, word in (
            (replay.applied, "applied"),
            (replay.failed, "failed"),
            (replay.skipped, "skipped"),
            (replay.outside, "outside"),
        )
        for edit in edits
    ]
    for edit, word in sorted(became, key=lambda pair: pair[0].step):
        why = f": {edit.reason}" if edit.reason else ""
        yield f"  {word:9}  {_steps((edit.step,))}: {edit.path or edit.recorded}{why}"


def _explained_hunks(files: tuple[File, ...]) -> str:
    hunks = [hunk for file in files for hunk in file.hunks]
    return f"{sum(hunk.explained for hunk in hunks)} of {len(hunks)} hunks accounted for"


def _file(file: File) -> Iterator[str]:
    why = f": {file.reason}" if file.reason else f" ({_steps(file.steps)})" if file.steps else ""
    yield f"{file.explanation.value:12} {file.path}{why}"
    if file.explanation.proof:
        return
    for hunk in file.hunks:
        place = f"lines {hunk.line}-{hunk.end}" if hunk.end > hunk.line else f"line {hunk.line}"
        if hunk.end < hunk.line:
            place = f"{hunk.removed} line{'s' if hunk.removed > 1 else ''} removed before line {hunk.line}"
        by = _steps(hunk.steps) if hunk.steps else "no recorded step"
        part = "" if hunk.explained or not hunk.steps else ", in part"
        yield f"             {place}: {by}{part}"


def _steps(numbers: tuple[int, ...]) -> str:
    return f"step{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
