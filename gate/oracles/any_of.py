"""`any_of`: at least one of several oracles holds."""

from collections.abc import Iterator

from gate.combination import Several, ask
from gate.errors import CannotJudge
from gate.oracle import Trial
from gate.report import Evidence, Finding, Outcome


class AnyOf(Several, frozen=True, kw_only=True):
    """At least one of `oracles` holds.

    They are written as in a task and all asked. Where one passes, the whole passes, whatever the others could not
    judge: none of them could have changed that. Where none passes and one could not judge, it is *error*, since that
    one might have passed. Where all fail, it is *fail*, with the findings of each under its name.

    It needs what they need: where one of them cannot be asked, all are skipped. It holds on an untouched workspace
    where one of them does. A waiver names this oracle, not an inner one.
    """

    @property
    def holds_untouched(self) -> bool:
        """Whether one of them holds there."""
        return any(oracle.holds_untouched for oracle in self.inner)

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Ask all of them."""
        opinions = ask(self.inner, trial)
        passed = [opinion for opinion in opinions if opinion.outcome is Outcome.PASS]
        errors = [opinion for opinion in opinions if opinion.outcome is Outcome.ERROR]
        for opinion in passed:
            yield from opinion.named()
        if passed:
            others = [opinion for opinion in opinions if opinion not in passed]
            yield from (Evidence(message=f"not {opinion.message}") for opinion in others)
        elif errors:
            raise CannotJudge(
                f"none of {len(opinions)} holds, and one could not judge: {errors[0].message}", kind="inner"
            )
        else:
            for opinion in opinions:
                yield from opinion.named()
