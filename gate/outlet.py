"""Standard output and standard error as they may be: closed, full, with nobody reading, unable to show a character."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

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


@contextlib.contextmanager
def patient() -> Iterator[None]:
    """A block in which standard output may lose its reader (`| head`), who has seen enough: nothing fails for that."""
    stdout = sys.stdout
    if stdout is None:
        yield
        return
    sys.stdout = cast("TextIO", _Patient(stdout))
    try:
        yield
    finally:
        sys.stdout = stdout


class _Patient:
    """A stream as it is; what nobody reads any more is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """As the stream does it."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            silence(self._stream)
            return len(text)

    def flush(self) -> None:
        """As the stream does it."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            silence(self._stream)


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
