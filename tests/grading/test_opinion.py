"""Answers of judge commands, and how votes become one."""

import json
from pathlib import Path

import msgspec
import pytest

import gate
from gate.errors import CannotJudge
from gate.grading.opinion import (
    Aggregation,
    Answer,
    Criterion,
    Given,
    Request,
    Score,
    Scoring,
    agreed,
    answer,
    share,
    weighted,
)

SCHEMAS = Path(gate.__file__).parent / "schemas"

SUCH_AS = '; expected such as {"scores": {"1": {"score": 5, "reason": "why"}}}'


def _request(scoring: Scoring = Scoring.SCALE_1_5) -> Request:
    least, most = scoring.ends
    return Request(criteria=(Criterion(name="1"),), scoring=scoring, least=least, most=most, evidence=Given())


@pytest.mark.parametrize(
    ("scoring", "data", "expected"),
    [
        pytest.param(Scoring.SCALE_1_5, '{"scores": {"1": {"score": 4, "reason": "ok"}}}', Score(4, "ok"), id="with a reason"),
        pytest.param(Scoring.SCALE_1_5, '{"scores": {"1": {"score": 4.5}}, "cost": 1}', Score(4.5), id="a half, and more"),
        pytest.param(Scoring.BINARY, '{"scores": {"1": {"score": true}}}', Score(True), id="true"),
        pytest.param(Scoring.BINARY, '{"scores": {"1": {"score": 0}}}', Score(0), id="0"),
    ],
)  # fmt: skip
def test_an_answer(scoring: Scoring, data: str, expected: Score) -> None:
    assert answer(data.encode(), _request(scoring)) == {"1": expected}


@pytest.mark.parametrize(
    ("scoring", "data", "why"),
    [
        pytest.param(Scoring.SCALE_1_5, b"", f"it is empty{SUCH_AS}", id="nothing"),
        pytest.param(
            Scoring.SCALE_1_5, b"I would say 4",
            "JSON is malformed: invalid character (byte 0); it begins with 'I would say 4'" + SUCH_AS, id="words",
        ),
        pytest.param(
            Scoring.SCALE_1_5, b'{"score": 4}',
            "Object missing required field `scores`; it begins with '{\"score\": 4}'" + SUCH_AS, id="another shape",
        ),
        pytest.param(
            Scoring.SCALE_1_5, b'{"scores": {"1": {"score": "4"}}}',
            "Expected `bool | float`, got `str` - at `$.scores[...].score`; it begins with "
            "'{\"scores\": {\"1\": {\"score\": \"4\"}}}'" + SUCH_AS, id="a text",
        ),
        pytest.param(
            Scoring.SCALE_1_5, b'{"scores": {"1": 5}}',
            "Expected `object`, got `int` - at `$.scores[...]`; it begins with '{\"scores\": {\"1\": 5}}'" + SUCH_AS,
            id="a number alone",
        ),
        pytest.param(Scoring.SCALE_1_5, b'{"scores": {}}', "there is no score of '1'", id="one is missing"),
        pytest.param(
            Scoring.SCALE_1_5, b'{"scores": {"1": {"score": 1}, "2": {"score": 1}}}',
            "'2' is no criterion that was asked for", id="one too many",
        ),
        pytest.param(
            Scoring.SCALE_1_5, b'{"scores": {"1": {"score": 0}}}', "the score of '1' is 0.0, expected 1 to 5", id="too low"
        ),
        pytest.param(
            Scoring.SCALE_1_10, b'{"scores": {"1": {"score": 11}}}', "the score of '1' is 11.0, expected 1 to 10", id="too high"
        ),
        pytest.param(
            Scoring.SCALE_1_5, b'{"scores": {"1": {"score": true}}}', "the score of '1' is True, expected 1 to 5", id="no number"
        ),
        pytest.param(
            Scoring.BINARY, b'{"scores": {"1": {"score": 0.5}}}', "the score of '1' is 0.5, expected 0 or 1", id="a half"
        ),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_read(scoring: Scoring, data: bytes, why: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        answer(data, _request(scoring))
    assert caught.value.message == f"the answer of the judge command cannot be read: {why}"


@pytest.mark.parametrize(
    ("scoring", "score", "expected"),
    [
        pytest.param(Scoring.SCALE_1_5, 1, 0.0, id="the least"),
        pytest.param(Scoring.SCALE_1_5, 3, 0.5, id="the middle"),
        pytest.param(Scoring.SCALE_1_10, 10, 1.0, id="the most"),
        pytest.param(Scoring.BINARY, True, 1.0, id="true"),
    ],
)
def test_share(scoring: Scoring, score: float, expected: float) -> None:
    assert share(Score(score), scoring) == expected


def test_weighted() -> None:
    assert weighted([1.0, 0.0], [3.0, 1.0]) == 0.75


@pytest.mark.parametrize(
    ("votes", "how", "expected"),
    [
        pytest.param([0.5, 0.4, 0.6], Aggregation.MAJORITY, (2 / 3, True), id="two of three"),
        pytest.param([0.5, 0.4], Aggregation.MAJORITY, (0.5, False), id="a tie is no majority"),
        pytest.param([0.2, 0.8], Aggregation.MEAN, (0.5, True), id="the mean reaches it"),
        pytest.param([0.1, 0.2, 0.9], Aggregation.MEDIAN, (0.2, False), id="the one in the middle"),
        pytest.param([0.4, 0.6], Aggregation.MEDIAN, (0.5, True), id="between two"),
        pytest.param([0.4, 1.0], Aggregation.MIN, (0.4, False), id="the least"),
    ],
)
def test_agreed(votes: list[float], how: Aggregation, expected: tuple[float, bool]) -> None:
    value, enough = agreed(votes, how, 0.5)
    assert (round(value, 9), enough) == (round(expected[0], 9), expected[1])


@pytest.mark.parametrize(
    ("name", "kind"),
    [pytest.param("judge-request.v1", Request, id="request"), pytest.param("judge-answer.v1", Answer, id="answer")],
)
def test_the_protocol_has_a_committed_schema(name: str, kind: type) -> None:
    path = SCHEMAS / f"{name}.json"
    expected = json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(kind)}, indent=2
    )
    assert path.read_text() == expected + "\n", f"write it anew: the schema of gate.grading.opinion.{kind.__name__}"
