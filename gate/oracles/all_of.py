"""`all_of`: every one of several oracles holds."""

from collections.abc import Iterator

from gate.combination import Several, ask
from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.report import Evidence, Finding, Outcome


class AllOf(Several, frozen=True, kw_only=True):
    """Every one of `oracles` holds.

    They are written as in a task and all asked; findings name the one that made them. One that fails makes the whole
    *fail*, whatever the others could not judge; where none fails, one that could not judge makes it *error*. On its own
    it says no more than the oracles one by one: it is for `any_of` and `not`.

    It needs what they need: where one of them cannot be asked, all are skipped. It holds on an untouched workspace
    where all of them do. A waiver names this oracle, not an inner one.
    """

    @property
    def holds_untouched(self) -> bool:
        """Whether all of them hold there."""
        return all(oracle.holds_untouched for oracle in self.inner)

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Ask all of them."""
        opinions = ask(self.inner, trial)
        for opinion in opinions:
            yield from opinion.named()
        errors = [opinion for opinion in opinions if opinion.outcome is Outcome.ERROR]
        if errors and not any(opinion.outcome is Outcome.FAIL for opinion in opinions):
            raise CannotJudge(errors[0].message, kind=errors[0].kind)
