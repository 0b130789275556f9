"""`prompt`: a model scores the run against a rubric."""

from collections.abc import Iterator

from gate.grading.consultation import Consultation, case, consult, nothing_left
from gate.grading.opinion import Aggregation, agreed, share, weighted
from gate.oracle import Trial
from gate.report import Evidence, Finding


class Prompt(Consultation, frozen=True):
    """A model scores the run against a rubric, and the mean score reaches `threshold`.

    The command that the manifest names under `judge` is started once and asked for a score of every criterion in
    `rubric` (of the run as a whole where there is none). `prompt` is said to the model besides. `scoring` is `binary`
    (0 or 1), `scale_1_5` or `scale_1_10`; a score counts as its part of the scale, from 0 to 1, and `threshold` is
    such a part. `model` and `reasoning_effort` are handed on to the command, those of the manifest where they are left
    out.

    `evidence` is what the model sees: the `trajectory`, the `diff`, the `golden_patch` as a file to compare with, the
    `repo` as it is at the end. A golden patch that is the output itself proves nothing and is left out; where nothing
    of the run is left to look at, the oracle fails without asking. `turn` and `scope` narrow the trajectory.

    A model's verdict is not deterministic, which every report says; `policy.judges: advisory`, the default, keeps it
    from passing a task on its own. No command to ask, one that fails or takes too long, and an answer that cannot be
    read are *error*; nothing is asked twice. docs/judges.md has the protocol and an example.
    """

    model: str | None = None

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Ask once."""
        found = case(self, trial)
        if found.empty:
            yield nothing_left(found)
            return
        scores = consult(self, trial, found, model=self.model, criteria=self.from_rubric)
        shares = [share(score, self.scoring) for score in scores.values()]
        value, enough = agreed([weighted(shares, [1.0] * len(shares))], Aggregation.MEAN, self.threshold)
        who = self.model or (trial.consultant.model if trial.consultant else None) or "a model"
        message = f"{value:.2f} of 1, at least {self.threshold:g} expected (judged by {who}, not deterministic)"
        details = "\n".join(
            f"{criterion.name}: {float(scores[criterion.name].score):g} ({criterion.description}) "
            f"{scores[criterion.name].reason}".rstrip()
            for criterion in self.from_rubric
        )
        if enough:
            yield Evidence(message=message, details=details)
        else:
            yield Finding(message=message, kind="judged", details=details)
