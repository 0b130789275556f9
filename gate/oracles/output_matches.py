"""`output_matches`: the output, which is the last thing that the agent said, matches a pattern."""

from collections.abc import Iterator

from gate.grading.behaviour import Shape, in_output
from gate.oracle import Trial
from gate.report import Evidence, Finding


class OutputMatches(Shape, frozen=True):
    """The output, which is the last thing that the agent said, matches a pattern.

    `pattern` is a regular expression of JavaScript, not anchored, with flags at its start (`(?i)`, `(?m)`, `(?s)`).
    One that is not valid is *error*, and so is a search that takes longer than a second. `negate` turns the oracle
    round.

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
