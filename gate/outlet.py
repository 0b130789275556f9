"""Standard output and standard error as they may be: closed, full, with nobody reading, unable to show a character."""

import contextlib
import os
import sys
from typing import TextIO

UNPRINTED = "the report could not be printed"


def opened() -> None:
    """Put the null device in the place of each standard stream that was closed before the start.

    The next file that is opened would get its number otherwise, and be written to in its stead.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)


def say(stdout: TextIO | None, text: str) -> list[str]:
    """Print it, with escapes for what the terminal cannot show; returned is why that was not possible.

    Where standard output was closed before the start, Python has none.
    """
    if stdout is None:
        return [f"{UNPRINTED}: standard output is closed; the verdict stands"]
    encoding = stdout.encoding or "utf-8"
    try:
        stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stdout.flush()
    except OSError as error:
        silence(stdout)
        if isinstance(error, BrokenPipeError):  # whoever read has seen enough
            return []
        return [f"{UNPRINTED}: {error.strerror or error}"]
    return []


def tell(sentence: str) -> None:
    """Say a sentence on standard error, where there is one that takes it."""
    from gate import escape  # most runs have nothing to say there

    if sys.stderr is not None:
        say(sys.stderr, escape.log_safe(f"gate: {sentence}\n"))


def settle() -> None:
    """Let go of what is left to be printed and cannot be: nothing may fail any more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            silence(stream)


def silence(stream: TextIO | None) -> None:
    """Python flushes what is left while it ends, and would fail again, with an exit code of its own."""
    with contextlib.suppress(OSError, ValueError):  # it is no file
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
