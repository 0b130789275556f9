"""Whether a request that GitHub did not do is worth sending again, and when."""

from collections.abc import Mapping

TRIES = 4
"""How often one request is sent at most."""

_MINUTE = 60.0
_RATE = ("api rate limit exceeded", "secondary rate limit", "abuse detection", "retry your request again later")
_FORBIDDEN = ("resource not accessible", "must authenticate", "must have")


def limited(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether the answer is one of GitHub's rate limits. A 403 may be that or a missing permission."""
    if status == 429:
        return True
    words = message.lower()
    if status != 403 or any(part in words for part in _FORBIDDEN):
        return False
    return (
        "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or any(part in words for part in _RATE)
    )


def wait(status: int, headers: Mapping[str, str], message: str, *, tries: int, wall: float) -> float | None:
    """Seconds until the request may be sent again after `tries` times; None where that would not help.

    `headers` have lower-case names; `wall` is the time as seconds of the epoch. The rules are those of
    https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api: `retry-after`, else the reset of
    the primary limit, else a minute and more each time.
    """
    if not (limited(status, headers, message) or 500 <= status <= 599) or tries >= TRIES:
        return None
    named = _number(headers.get("retry-after"))
    if named is not None:
        return named
    if status >= 500:
        return float(1 << (tries - 1))
    reset = _number(headers.get("x-ratelimit-reset"))
    if headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        return max(reset - wall, 0.0) + 1.0
    return _MINUTE * (1 << (tries - 1))


def _number(text: str | None) -> float | None:
    """A number of seconds as a header has it; GitHub sends whole numbers, a proxy may send a date."""
    try:
        return float(min(int(float(text or "")), 10**10)) if text and float(text) >= 0 else None
    except (ValueError, OverflowError):
        return None
