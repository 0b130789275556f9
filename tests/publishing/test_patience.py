import pytest

from gate.publishing.patience import TRIES, limited, wait

FORBIDDEN = "Resource not accessible by integration"
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
PRIMARY = "API rate limit exceeded for installation ID 1."
WALL = 1_000.0


@pytest.mark.parametrize(
    ("status", "headers", "message", "seconds"),
    [
        pytest.param(403, {}, FORBIDDEN, None, id="a permission"),
        pytest.param(403, {"x-ratelimit-remaining": "0"}, FORBIDDEN, None, id="a permission at the end of the limit"),
        pytest.param(403, {}, "You must authenticate via a GitHub App.", None, id="a token of the wrong kind"),
        pytest.param(404, {"retry-after": "1"}, "Not Found", None, id="not there"),
        pytest.param(422, {}, "Validation Failed", None, id="not valid"),
        pytest.param(200, {"retry-after": "1"}, "", None, id="good"),
        pytest.param(403, {}, SECONDARY, 60, id="secondary"),
        pytest.param(403, {"retry-after": "17"}, SECONDARY, 17, id="secondary with a time"),
        pytest.param(403, {"retry-after": "17"}, "", 17, id="a time without a word"),
        pytest.param(429, {}, "", 60, id="429 without a header"),
        pytest.param(429, {"retry-after": "0"}, "", 0, id="429, at once"),
        pytest.param(429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "", 60, id="a date"),
        pytest.param(429, {"retry-after": "-5"}, "", 60, id="before now"),
        pytest.param(429, {"retry-after": "nan"}, "", 60, id="no number"),
        pytest.param(429, {"retry-after": "1e400"}, "", 60, id="no end"),
        pytest.param(
            403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1030"}, PRIMARY, 31, id="primary, until its reset"
        ),
        pytest.param(403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "900"}, PRIMARY, 1, id="reset is over"),
        pytest.param(403, {"x-ratelimit-remaining": "0"}, PRIMARY, 60, id="primary without a reset"),
        pytest.param(
            403,
            {"retry-after": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1030"},
            PRIMARY,
            5,
            id="retry-after before the reset",
        ),
        pytest.param(500, {}, "", 1, id="500"),
        pytest.param(503, {"retry-after": "9"}, "", 9, id="503 with a time"),
    ],
)
def test_how_long_to_wait(status: int, headers: dict[str, str], message: str, seconds: float | None) -> None:
    assert wait(status, headers, message, tries=1, wall=WALL) == seconds


def test_waits_longer_each_time_and_not_for_ever() -> None:
    assert [wait(429, {}, "", tries=tries, wall=WALL) for tries in range(1, TRIES + 1)] == [60, 120, 240, None]
    assert [wait(502, {}, "", tries=tries, wall=WALL) for tries in range(1, TRIES + 1)] == [1, 2, 4, None]


def test_a_breakdown_is_no_limit() -> None:
    assert [limited(status, {}, "") for status in (429, 403, 502)] == [True, False, False]
