"""What is handed over on standard input: read to its end, bounded as a file is."""

import sys

from gate.errors import SourceError

WORD = "-"
"""What stands for it on the command line, in the place of a file; `./-` is a file of that name."""

NAME = "standard input"


def read(limit: int) -> bytes:
    """All of it, at most `limit` bytes. SourceError of kind `not_found`, `too_large` or `unreadable`."""
    if sys.stdin is None:
        raise SourceError(f"{NAME} is closed; expected a recording", kind="not_found")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise SourceError(f"{NAME} cannot be read: {error.strerror or error}", kind="unreadable") from None
    if len(data) > limit:
        raise SourceError(f"{NAME} has more than {limit} bytes, which is the most that is read", kind="too_large")
    return data
