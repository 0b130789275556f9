"""`max_repeat`: the agent did not do the same thing again and again."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec

from gate.grading.behaviour import Behaviour, strays, whole
from gate.grading.repetition import Same, longest
from gate.oracle import Trial
from gate.patterns.jsregex import JsPattern
from gate.report import Evidence, Finding


class MaxRepeat(Behaviour, frozen=True, kw_only=True):
    """The agent made no more than `max` calls in a row that are the same.

    `match` says which are the same: those of one tool with the same result (`observation`, the default; where nothing
    was answered they must be given the same, too), those of one tool (`name`), or those of one tool that are given the
    same (`name-args`). `tools` are regular expressions of JavaScript, not anchored: with them only calls of such tools
    are looked at, and others between them end no row. A row is one agent's; sub-agents have their own.

    It holds where nothing was done, so a baseline says nothing about it. Where a part of the recording could not be
    read it is *error*.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since` at
    the turns up to it or from it on.
    """

    asserts_absence: ClassVar[bool] = True

    max: Annotated[int, msgspec.Meta(ge=1)]
    match: Same = Same.OBSERVATION
    tools: tuple[JsPattern, ...] = ()

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Find the longest row."""
        seen = self.seen(trial)
        row = longest(seen, self.tools, self.match)
        yield from strays(seen)
        if len(row) > self.max:
            first, last = row[0], row[-1]
            yield Finding(
                message=f"{len(row)} calls of {first.tool} in a row are the same (calls {first.number} to "
                f"{last.number}), at most {self.max} allowed",
                kind="repeated",
            )
        else:
            whole(seen)
            yield Evidence(message=f"At most {len(row)} calls in a row are the same")
