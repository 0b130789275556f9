"""`not`: another oracle does not hold."""
# ruff: noqa: N999 - the file's name is the oracle's

from collections.abc import Iterator

from gate.combination import Combination, Inner, ask
from gate.errors import CannotJudge
from gate.oracle import Oracle, Trial
from gate.report import Evidence, Finding, Outcome


class Not(Combination, frozen=True, kw_only=True):
    """The oracle under `oracle` does not hold.

    It is written as in a task. Where it fails, this passes, and shows what was found; where it passes, this fails;
    where it could not judge, this cannot either: *error*.

    It needs what the other needs, and holds on an untouched workspace where the other does not. A waiver names this
    oracle, not the inner one.
    """

    oracle: Inner

    @property
    def inner(self) -> tuple[Oracle, ...]:
        """The oracle that it asks."""
        return (self.oracle,)  # type: ignore[return-value] # every oracle is an Inner, and nothing else is

    @property
    def holds_untouched(self) -> bool:
        """Whether the other one does not hold there."""
        return not self.inner[0].holds_untouched

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Ask the other."""
        [opinion] = ask(self.inner, trial)
        if opinion.outcome is Outcome.ERROR:
            raise CannotJudge(opinion.message, kind=opinion.kind)
        details = "\n".join(seen.message for seen in opinion.named())
        if opinion.outcome is Outcome.FAIL:
            place = opinion.findings[0]
            message = f"It does not hold: {opinion.message}"
            yield Evidence(message=message, path=place.path, line=place.line, details=details)
        else:
            yield Finding(message=f"It holds, and must not: {opinion.message}", kind="holds", details=details)
