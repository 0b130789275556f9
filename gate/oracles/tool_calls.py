"""`tool_calls`: which tools were called, with what, in which order."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from gate.grading.behaviour import Behaviour, strays, whole
from gate.grading.wanted import Wanted, asked, at_once, fitting, in_order, unsure
from gate.oracle import Trial
from gate.report import Evidence, Finding
from gate.transcript import Transcript


class ToolCalls(Behaviour, frozen=True):
    """Calls of tools that must be there, must not be there, come in an order, or are made together.

    At least one of the lists is needed. Every entry of `required` must be called, none of `disallowed`; those of
    `sequence` must be called in this order, with any calls between them; those of `parallel` in one answer of the
    model, each by a call of its own. An entry is a regular expression of JavaScript for the tool's name, not anchored,
    or a mapping with `name` and more that must hold of the same call:

    * `command`: a pattern for a command that it runs; `path`: for a file that it names, edits, or has as a word of its
      command; `args`: patterns for arguments by their keys; `pattern`: for all arguments as JSON in one line;
    * `result`: a pattern for what came of it;
    * `write_only`, `read_only`: that it writes a file, or does not: by its edits, by what its command does, or by the
      tool's name;
    * `at_step`, `before_step`: in which answer of the model it is made, counted from 1, or before which;
    * `final`: that nothing more is called after it;
    * `min_count`: how many such calls there must be (of what is disallowed: from how many on).

    A call of which the recording does not tell (a result that is missing, a command that may write) is none of those
    required, and *error* for what is disallowed; so is a part of the recording that could not be read. A result that
    cites a call of another step is of the tool `unknown`: it is not counted, which is said in a warning.

    With `disallowed` alone it holds where nothing was done, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    searches: ClassVar[frozenset[str]] = frozenset({"required", "disallowed", "sequence", "parallel"})

    required: tuple[str | Wanted, ...] = ()
    disallowed: tuple[str | Wanted, ...] = ()
    sequence: tuple[str | Wanted, ...] = ()
    parallel: tuple[str | Wanted, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what asks for nothing."""
        super().__post_init__()
        if not (self.required or self.disallowed or self.sequence or self.parallel):
            raise ValueError("Expected at least one of `required`, `disallowed`, `sequence` and `parallel`")

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for an absence alone."""
        return not (self.required or self.sequence or self.parallel)

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Look at every call."""
        for entry in (*self.required, *self.disallowed, *self.sequence, *self.parallel):
            asked(entry).check()
        seen = self.seen(trial)
        yield from strays(seen)
        findings = [*self._missing(seen), *self._out_of_order(seen), *self._not_together(seen)]
        findings += _forbidden([asked(entry) for entry in self.disallowed], seen, sure=not findings)
        yield from findings
        if not findings:
            yield Evidence(message=_evidence(seen))

    def _missing(self, seen: Transcript) -> Iterator[Finding]:
        for entry in map(asked, self.required):
            found, _ = fitting(entry, seen)
            if len(found) < entry.count:
                times = f"{len(found)} of {entry.count} times" if entry.count > 1 else "never"
                yield Finding(message=f"{times.capitalize()} called: {entry.shown}", kind="call_missing")

    def _out_of_order(self, seen: Transcript) -> Iterator[Finding]:
        entries = [asked(entry) for entry in self.sequence]
        reached = in_order(entries, seen)
        if reached < len(entries):
            after = f" after {entries[reached - 1].shown}" if reached else ""
            message = f"The sequence stops at entry {reached + 1} of {len(entries)}: {entries[reached].shown}{after}"
            yield Finding(message=f"{message} is not called", kind="sequence")

    def _not_together(self, seen: Transcript) -> Iterator[Finding]:
        entries = [asked(entry) for entry in self.parallel]
        if entries and at_once(entries, seen) is None:
            wanted = "; ".join(entry.shown for entry in entries)
            yield Finding(message=f"No answer of the model calls all of these together: {wanted}", kind="parallel")


def _forbidden(entries: Sequence[Wanted], seen: Transcript, *, sure: bool) -> list[Finding]:
    """What was called and must not be. CannotJudge where that cannot be told, unless the verdict is sure without it."""
    found, doubts = [], []
    for entry in entries:
        calls, doubtful = fitting(entry, seen)
        if len(calls) >= entry.count:
            places = ", ".join(str(call.number) for call in calls[:10])
            message = f"Called and not allowed: {entry.shown} ({calls[0].tool}, call {places})"
            found.append(Finding(message=message, kind="call_disallowed", details=calls[0].given[:4000]))
        elif len(calls) + len(doubtful) >= entry.count:
            doubts.append(unsure(entry, doubtful))
    if entries and sure and not found:
        if doubts:
            raise doubts[0]
        whole(seen)
    return found


def _evidence(seen: Transcript) -> str:
    names = dict.fromkeys(call.tool for call in seen.calls)
    counts = [f"{name} {sum(call.tool == name for call in seen.calls)}" for name in list(names)[:10]]
    return f"{len(seen.calls)} calls: {', '.join(counts)}" if counts else "No tool was called"
