"""`output_contains`: the output, which is the last thing that the agent said, holds a text."""

from collections.abc import Iterator

from gate.grading.behaviour import Words, in_output
from gate.oracle import Trial
from gate.report import Evidence, Finding


class OutputContains(Words, frozen=True):
    """The output, which is the last thing that the agent said, holds a text.

    `substring` (or `value`, which is the same) is looked for as it is written, whatever its case; `case_sensitive`
    minds it. `negate` turns the oracle round.

    `turn` looks at one turn alone, counted from 1 by what a person said (-1 is the last), `scope: until` or `since`
    at the turns up to it or from it on. A turn that the recording does not have is *error*.

    Where the agent said nothing it fails.
    """

    negate: bool = False

    @property
    def holds_untouched(self) -> bool:
        """Whether it asks for an absence."""
        return self.negate

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search the output."""
        yield from in_output(self.seen(trial), self.finder(), self.verbs, absent=self.holds_untouched)
