"""Every child process: its environment, its limits, and the end of its whole group."""

import msgspec


class Completed(msgspec.Struct, frozen=True, kw_only=True):
    """How a command ended.

    `exit_code` is negative for a signal (as in `subprocess`), None when the time limit ended it. Streams are bytes,
    head and tail kept within the output limit; `dropped` counts the bytes left out between them.
    """

    command: str
    exit_code: int | None
    stdout: bytes = b""
    stderr: bytes = b""
    dropped: int = 0
    seconds: float = 0.0
    timed_out: bool = False
    flooded: bool = False
    """Ended because it printed more than the output limit allows."""
