"""aider's chat history."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gate.agents import aider
from gate.agents.aider import Proposal
from gate.agents.chat import HEADING, Chat, Part
from gate.agents.conversation import cut
from gate.agents.given import amount
from gate.agents.hunks import HunkEdit
from gate.agents.searchreplace import SearchReplace
from gate.editing.edit import Edit
from gate.errors import RecordingError
from gate.recording import Reader, Recording, Sample
from gate.trajectory import Command, Dropped, Lost, Ok, Step, Trajectory

_MODEL = re.compile(r"(?:Models?|Main model): (\S+) with ")
_VERSION = re.compile(r"Aider v(\S+)")
_APPLIED = re.compile(r"Applied edit to (.+)")
_SKIPPED = re.compile(
    r"Skipping edits to (.+?)(?: that matches gitignore spec\.)?$|Did not apply edit to (.+) \(--dry-run\)"
)
_MISSED = re.compile(r"## SearchReplaceNoExactMatch: .* failed to exactly match lines in (.+)")
_PASSED = re.compile(r"# The other \d+ SEARCH/REPLACE blocks? w")
_REFUSED = re.compile(r"The LLM did not conform|Malformed response|Exception while updating files")
_BLOCK = re.compile(r"^<{5,9} SEARCH\n(.*?)^={5,9}$", re.DOTALL | re.MULTILINE)
_ROW = r"(?:exact lines in a row|copies of these \d+ lines):\n```\n"
_HUNK = re.compile(rf"^\S.* {_ROW}(.*?)```", re.DOTALL | re.MULTILINE)
_COMMIT = re.compile(r"Commit ([0-9a-f]{7,40}) (.*)")
_RUNNING = re.compile(r"(?:## )?Running:? (.+)")
_TYPED = re.compile(r"(?:/run |!)(.+)")
_SPENT = re.compile(r"(?:Tokens: )?([\d.,]+k?) (?:sent|prompt tokens).*?, ([\d.,]+k?) (?:received|completion tokens)")
_COST = re.compile(r"\$(\d+(?:\.\d+)?) (?:cost|message)")


class Aider(Reader):
    """aider's `.aider.chat.history.md`, one chat or several in one file.

    Blocks of SEARCH and REPLACE, unified diffs, patches and listings of whole files are read from the answers and
    applied as aider finds their place. What was applied is known from aider's own lines: `Applied edit to`, `failed to
    match` with the blocks that did, `were applied successfully`. An answer after which none of them stands was not
    applied, unless it is the last. `Running` is a command, and a commit is a step of its own. There is no working
    directory: names are relative to the repository.

    All chats of the file count, also those of earlier work: hand in the part that belongs to the change.
    """

    def recognises(self, sample: Sample) -> bool:
        """A heading `# aider chat started at` with a time, in a text that is no JSON."""
        return sample.head.lstrip()[:1] not in (b"{", b"[") and any(map(HEADING.match, sample.text.split("\n")))

    def read(self, recording: Recording) -> Trajectory:
        """Every proposed edit, command and commit is a step, and so is what is said without one."""
        marked = any(line.rstrip(b"\r\n").endswith(b"  ") for _, line in recording.lines() if line.startswith(b"> "))
        parts = list(Chat(_lines(recording), marked=marked).parts())
        told = "\n".join(part.text for part in parts if part.speaker == "aider")
        names = tuple(dict.fromkeys(name for part in parts for name in _Outcome(part).names))
        steps = [step for index in range(len(parts)) for step in _steps(parts, index, names)]
        chats = list(dict.fromkeys(part.chat for part in parts))
        several = (
            f"the file holds {len(chats)} chats, from {chats[0]} to {chats[-1]}; all of them count" if chats else ""
        )
        model, version = _MODEL.search(told), _VERSION.search(told)
        return Trajectory(
            format=self.name,
            path=recording.path,
            steps=tuple(msgspec.structs.replace(step, number=number) for number, step in enumerate(steps, 1)),
            agent=f"aider {version[1]}" if version else "aider",
            model=model[1] if model else "",
            dropped=(Dropped(line=0, reason=several),) if len(chats) > 1 else (),
        )


def _lines(recording: Recording) -> Iterator[tuple[int, str]]:
    for number, line in recording.lines():
        yield number, line.decode("utf-8", "surrogateescape").rstrip("\r\n")


class _Outcome:
    """What aider says after an answer became of it."""

    def __init__(self, part: Part | None) -> None:
        self.lines = part.said if part and part.speaker == "aider" else []
        self.applied = [found[1].strip() for found in map(_APPLIED.match, self.lines) if found]
        self.skipped = [found[1] or found[2] for found in map(_SKIPPED.match, self.lines) if found]
        self.missed = Counter(self._missed())
        self.passed = any(map(_PASSED.match, self.lines))
        self.refused = any(map(_REFUSED.match, self.lines))
        missing = [found[1] for found in map(_MISSED.match, self.lines) if found]
        self.names = tuple(dict.fromkeys(self.applied + self.skipped + missing))

    def _missed(self) -> Iterator[str]:
        """The old texts of what did not match: in a block, or fenced after a complaint about a hunk."""
        text = "\n".join(self.lines)
        for pattern in (_BLOCK, _HUNK):
            for old in pattern.findall(text):
                yield aider.key_of(old.split("\n"))

    def judge(self, proposal: Proposal, claimed: frozenset[str], *, last: bool) -> tuple[Ok, Edit]:
        """Whether a proposal was applied, and the edit with the name of the file that it was applied to.

        `claimed` are the names that the answer's proposals are for.
        """
        edit = proposal.edit
        if self.missed:
            missed = self.missed[proposal.key] > 0
            self.missed[proposal.key] -= missed
            rest = Ok.YES if self.passed or proposal.kind == "udiff" else Ok.NO
            return Ok.NO if missed else rest, edit
        if edit.path in self.applied:
            return Ok.YES, edit
        if len(set(self.applied)) == 1 and not claimed.intersection(self.applied) and edit.path not in self.skipped:
            return Ok.YES, msgspec.structs.replace(edit, path=self.applied[0])
        nothing = last and not (self.applied or self.skipped or self.refused)
        return Ok.UNKNOWN if nothing else Ok.NO, edit


def _steps(parts: Sequence[Part], index: int, names: Sequence[str]) -> Iterator[Step]:
    part = parts[index]
    step = Step(number=0, line=part.line, turn=part.turn, time=part.chat, message=cut(part.text))
    if part.speaker == "user":
        typed = [found[1] for found in map(_TYPED.match, part.said) if found]
        commands = tuple(Command(text=text) for text in typed)
        arguments = {"command": "\n".join(typed)} if typed else {}
        tool = "run" if typed else ""
        yield msgspec.structs.replace(step, source="user", tool=tool, arguments=arguments, commands=commands)
    elif part.speaker == "answer":
        after = parts[index + 1] if index + 1 < len(parts) else None
        before = parts[index - 1] if index else None
        said = msgspec.structs.replace(step, raw=part.text, **_spent(after, before))
        last = after is None or (after.speaker == "aider" and index + 2 == len(parts))
        yield from _answered(part, said, _Outcome(after), names=names, last=last)
    else:
        for number, line in enumerate(part.said):
            yield from _done(msgspec.structs.replace(step, line=part.line + number, message=""), line)


def _answered(part: Part, said: Step, outcome: _Outcome, *, names: Sequence[str], last: bool) -> Iterator[Step]:
    whole = "whole" in part.format and bool(outcome.applied)
    known = outcome.applied if whole else tuple(dict.fromkeys((*outcome.names, *names)))
    try:
        found = list(aider.proposals(part.text, known, whole=whole))
    except RecordingError as error:  # aider applies nothing of such an answer
        lost = Lost(f"line {part.line}: {error.message}", error.kind) if outcome.applied else None
        yield msgspec.structs.replace(said, lost=lost)
        return
    if not found:
        yield said
    rest = msgspec.structs.replace(said, message="", raw=None, tokens_in=None, tokens_out=None, cost=None)
    offset = next((number for number, line in enumerate(part.lines) if line), 0)
    claimed = frozenset(proposal.edit.path for proposal in found)
    for index, proposal in enumerate(found):
        ok, edit = outcome.judge(proposal, claimed, last=last)
        yield msgspec.structs.replace(
            rest if index else said,
            line=part.line + offset + proposal.line,
            tool=proposal.kind,
            arguments={"path": edit.path} | _given(edit),
            ok=ok,
            edits=(edit,),
        )


def _given(edit: Edit) -> dict[str, str]:
    """What an answer gives for an edit beside the name of the file."""
    if isinstance(edit, SearchReplace):
        return {"search": edit.search, "replace": edit.replace}
    if isinstance(edit, HunkEdit):
        return {"diff": "".join(edit.lines)}
    return {"content": edit.written.decode("utf-8", "replace")}


def _done(step: Step, line: str) -> Iterator[Step]:
    running, commit = _RUNNING.match(line), _COMMIT.match(line)
    if running:
        arguments = {"command": running[1]}
        yield msgspec.structs.replace(
            step, tool="run", arguments=arguments, commands=(Command(text=running[1]),), raw=line
        )
    if commit:
        arguments = {"commit": commit[1], "message": commit[2]}
        yield msgspec.structs.replace(step, tool="commit", arguments=arguments, ok=Ok.YES, raw=line)


def _spent(after: Part | None, before: Part | None) -> dict[str, Any]:
    """The tokens and the cost of an answer: newer versions tell them after it, older ones before."""
    lines = [*(before.said[-1:] if before and before.speaker == "aider" else [])]
    lines += [line for line in (after.said if after and after.speaker == "aider" else []) if line.startswith("Tokens:")]
    for line in reversed(lines):
        found, cost = _SPENT.match(line), _COST.search(line)
        if found:
            spent = {"tokens_in": _number(found[1]), "tokens_out": _number(found[2])}
            return spent | {"cost": amount(float(cost[1])) if cost else None}
    return {}


def _number(text: str) -> int | None:
    try:
        return round(float(text.replace(",", "").removesuffix("k")) * (1000 if text.endswith("k") else 1))
    except (ValueError, OverflowError):
        return None
