"""What a model is asked for and what it answers: the protocol of judge commands; how opinions become one verdict."""

import enum
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from gate.errors import CannotJudge

_SHOWN = 200
_CLOSE = 1e-9


class Scoring(enum.StrEnum):
    """On which scale a model scores: 0 or 1, 1 to 5, or 1 to 10."""

    BINARY = "binary"
    SCALE_1_5 = "scale_1_5"
    SCALE_1_10 = "scale_1_10"

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the most."""
        return {Scoring.BINARY: (0, 1), Scoring.SCALE_1_5: (1, 5), Scoring.SCALE_1_10: (1, 10)}[self]


class Aggregation(enum.StrEnum):
    """How the scores of several models become one."""

    MAJORITY = "majority"
    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"


class Criterion(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is scored."""

    name: str
    description: str = ""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence; null is what was not selected or is not there. Paths start in the command's folder."""

    trajectory: dict[str, Any] | None = None
    diff: str | None = None
    golden_patch: str | None = None
    repo: str | None = None


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge command reads on its standard input."""

    version: Literal[1] = 1
    task: str = ""
    prompt: str = ""
    criteria: tuple[Criterion, ...]
    scoring: Scoring
    least: int
    most: int
    model: str | None = None
    reasoning_effort: str | None = None
    evidence: Given


class Score(msgspec.Struct, frozen=True):
    """The score of one criterion, from `least` to `most`, and why."""

    score: float | bool
    reason: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What a judge command writes on its standard output: a score for each criterion, by its name."""

    scores: dict[str, Score]


def answer(data: bytes, request: Request) -> dict[str, Score]:
    """The scores that a judge command wrote. CannotJudge says what is wrong with them."""
    try:
        scores = msgspec.json.decode(data, type=Answer).scores
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        head = data[:_SHOWN].decode("utf-8", "replace")
        why = f"{error}; it begins with {head!r}" if head.strip() else "it is empty"
        raise _malformed(f"{why}; expected such as {_example(request)}") from None
    wanted = [criterion.name for criterion in request.criteria]
    missing = [name for name in wanted if name not in scores]
    foreign = [name for name in scores if name not in wanted]
    if missing:
        raise _malformed(f"there is no score of {missing[0][:_SHOWN]!r}")
    if foreign:
        raise _malformed(f"{foreign[0][:_SHOWN]!r} is no criterion that was asked for")
    for name in wanted:
        score = scores[name].score
        whole = request.scoring is Scoring.BINARY and score not in (0, 1)
        if whole or not request.least <= score <= request.most or (score is True and request.most != 1):
            ends = f"{request.least} or {request.most}" if request.most == 1 else f"{request.least} to {request.most}"
            raise _malformed(f"the score of {name[:_SHOWN]!r} is {score!r}, expected {ends}")
    return {name: scores[name] for name in wanted}


def _example(request: Request) -> str:
    """An answer to the request as it may be written."""
    first = {request.criteria[0].name[:_SHOWN]: {"score": request.most, "reason": "why"}}
    return msgspec.json.format(msgspec.json.encode({"scores": first}), indent=0).decode()


def _malformed(why: str) -> CannotJudge:
    return CannotJudge(f"the answer of the judge command cannot be read: {why}", kind="judge_answer")


def share(score: Score, scoring: Scoring) -> float:
    """A score as a part of 1."""
    least, most = scoring.ends
    return (float(score.score) - least) / (most - least)


def weighted(shares: Sequence[float], weights: Sequence[float]) -> float:
    """The mean of shares by their weights, which are above zero."""
    return sum(value * weight for value, weight in zip(shares, weights, strict=True)) / sum(weights)


def agreed(votes: Sequence[float], how: Aggregation, threshold: float) -> tuple[float, bool]:
    """The one share that several votes become, and whether it is enough.

    `majority` is the share of votes that reach the threshold, and needs more than half of them; the others are
    compared with the threshold.
    """
    if how is Aggregation.MAJORITY:
        reached = sum(_reaches(vote, threshold) for vote in votes) / len(votes)
        return reached, reached > 0.5
    ordered = sorted(votes)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    value = {Aggregation.MEAN: sum(votes) / len(votes), Aggregation.MEDIAN: median, Aggregation.MIN: ordered[0]}[how]
    return value, _reaches(value, threshold)


def _reaches(value: float, threshold: float) -> bool:
    return value >= threshold - _CLOSE
