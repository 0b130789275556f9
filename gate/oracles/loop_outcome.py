"""`loop_outcome`: the agent got into a loop, or did not."""

from collections.abc import Iterator

from gate.grading.behaviour import Behaviour, Count, strays, whole
from gate.grading.repetition import Same, longest
from gate.oracle import Trial
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding


class LoopOutcome(Behaviour, frozen=True, kw_only=True):
    """The agent did not get into a loop; with `should_loop` it did.

    A loop is a call that is made again, in a row, more than `max_acceptable_retries` times. `match` says which calls
    are the same: those of one tool that are given the same (`name-args`, the default), those of one tool (`name`), or
    those of one tool with the same result (`observation`). `tools` are regular expressions of JavaScript, not
    anchored: with them only calls of such tools are looked at, and others between them end no row.

    Without `should_loop` it holds where nothing was done, so a baseline says nothing about it.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    max_acceptable_retries: Count
    should_loop: bool = False
    match: Same = Same.NAME_ARGS
    tools: tuple[JsPattern, ...] = ()

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for the absence of a loop."""
        return not self.should_loop

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Find the longest row."""
        seen = self.seen(trial)
        row = longest(seen, self.tools, self.match)
        retries = max(0, len(row) - 1)
        loops = retries > self.max_acceptable_retries
        yield from strays(seen)
        what = f"{row[0].tool} was called again {retries} times in a row" if retries else "No call was made again"
        message = f"{what}, {self.max_acceptable_retries} are acceptable"
        if loops is not self.should_loop:
            kind = "loop" if loops else "no_loop"
            yield Finding(message=message if loops else f"{message}: no loop, where one is expected", kind=kind)
        else:
            if not loops:
                whole(seen)
            yield Evidence(message=message)
