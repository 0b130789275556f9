"""`panel`: several models score the run, and agree."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from gate.grading.consultation import Consultation, Part, case, consult, nothing_left
from gate.grading.opinion import Aggregation, Criterion, Score, agreed, share, weighted
from gate.oracle import Trial
from gate.report import Evidence, Finding


class Weighed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One criterion of a panel: how much it counts, and what it must reach where it is required."""

    name: str
    description: str = ""
    weight: Annotated[float, msgspec.Meta(gt=0)] = 1.0
    pass_threshold: Part | None = None
    required: bool = False


class Panel(Consultation, frozen=True, kw_only=True):
    """Several models score the run, and together they reach `overall_threshold`.

    The command that the manifest names under `judge` is started once for each of `models` and asked for a score of
    every one of `criteria` (`name`, `description`; where there are none, of every line of `rubric`; of the run as a
    whole where there is none either). A model's vote is the mean of its scores, by their `weight`. `aggregation` makes
    one of the votes: `majority`, the default, needs more than half of them at `overall_threshold` (or `threshold`),
    and `mean`, `median` and `min` are compared with it. A criterion that is `required` must reach its `pass_threshold`
    (or `threshold`) in the same way by itself.

    Everything else is as with `prompt`: the evidence, the scoring, what is *error*, and that the verdict is not
    deterministic. One model that cannot be asked makes the whole panel *error*.
    """

    models: tuple[str, ...]
    aggregation: Aggregation = Aggregation.MAJORITY
    criteria: tuple[Weighed, ...] = ()
    overall_threshold: Part | None = None

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        super().__post_init__()
        if not self.models or not all(map(str.strip, self.models)):
            raise ValueError("Expected `models` with at least one name, none of them empty")
        names = [criterion.name for criterion in self.criteria]
        if len(set(names)) < len(names) or not all(map(str.strip, names)):
            raise ValueError("Expected names of `criteria` that differ and are not empty")

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Ask every model once."""
        found = case(self, trial)
        if found.empty:
            yield nothing_left(found)
            return
        weighed = self.criteria or tuple(
            Weighed(name=criterion.name, description=criterion.description) for criterion in self.from_rubric
        )
        asked = tuple(Criterion(name=one.name, description=one.description) for one in weighed)
        told = [consult(self, trial, found, model=model, criteria=asked) for model in self.models]
        shares = [[share(scores[one.name], self.scoring) for one in weighed] for scores in told]
        weights = [one.weight for one in weighed]
        limit = self.threshold if self.overall_threshold is None else self.overall_threshold
        value, enough = agreed([weighted(row, weights) for row in shares], self.aggregation, limit)
        message, details = self._message(value, limit), "\n".join(self._details(told, asked))
        failures = [] if enough else [Finding(message=message, kind="judged", details=details)]
        failures += self._required(weighed, shares, details)
        yield from failures
        if not failures:
            yield Evidence(message=message, details=details)

    def _message(self, value: float, limit: float, about: str = "") -> str:
        names = ", ".join(self.models)
        if self.aggregation is Aggregation.MAJORITY:
            reached = f"{round(value * len(self.models))} of {len(self.models)} models reach {limit:g}, more than half"
        else:
            reached = f"{self.aggregation.value} {value:.2f} of 1, at least {limit:g}"
        return f"{about}{reached} expected (judged by {names}, not deterministic)"

    def _required(
        self, weighed: Sequence[Weighed], shares: Sequence[Sequence[float]], details: str
    ) -> Iterator[Finding]:
        for place, criterion in enumerate(weighed):
            limit = self.threshold if criterion.pass_threshold is None else criterion.pass_threshold
            value, enough = agreed([row[place] for row in shares], self.aggregation, limit)
            if criterion.required and not enough:
                message = self._message(value, limit, f"required {criterion.name}: ")
                yield Finding(message=message, kind="judged", details=details)

    def _details(self, told: Sequence[dict[str, Score]], asked: Sequence[Criterion]) -> Iterator[str]:
        for model, scores in zip(self.models, told, strict=True):
            for criterion in asked:
                score = scores[criterion.name]
                yield f"{model}, {criterion.name}: {float(score.score):g} {score.reason}".rstrip()
