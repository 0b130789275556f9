"""What the opinions of models are worth: a pass of theirs does not stand alone, unless the policy says so."""

from collections.abc import Sequence

from gate.policy import Judges
from gate.report import Outcome, Verdict
from gate.scoring import ABOUT_THE_RECORDING


def held_back(judges: Judges, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """An *error* where models alone passed a task and `judges` is advisory; nothing otherwise.

    It is no *fail*, since nothing was found to be bad, and no *skip*, which would open the gate. A verdict of a model
    that is a *fail* counts like any other.
    """
    opinions = [verdict for verdict in verdicts if not verdict.deterministic and verdict.outcome is Outcome.PASS]
    if judges is Judges.BINDING or not opinions:
        return ()
    proofs = (verdict for verdict in verdicts if verdict.deterministic and verdict.outcome is Outcome.PASS)
    if any(verdict.oracle not in ABOUT_THE_RECORDING for verdict in proofs):
        return ()
    names = ", ".join(verdict.name for verdict in opinions[:5])
    reason = (
        f"only models passed this task ({names}), and their verdicts are not deterministic; add an oracle that is, "
        "or say `judges: binding` in the policy"
    )
    return (Verdict(oracle="judges", name="judges", outcome=Outcome.ERROR, reason=reason, kind="advisory"),)
