"""How a command ended, in the words of a report."""

import re
import signal

from gate.escape import uncoloured
from gate.process import Completed

_TRACEBACK = "Traceback (most recent call last):"
_LONGEST_LINE = 500
_TELLING = re.compile(r"(?:FAILED|ERROR|FAIL) +\S|E {3,}\S|--- FAIL: ")
"""What pytest, Vitest, Jest and go say of a test that failed, which stands behind much else."""
_DECORATION = re.compile(r"[=_\-*#~+.⎯─━\s]{3,}(?:.*[=_\-*#~+⎯─━]{3,})?$|[.FEsxX]+\s*(?:\[\s*\d+%\])?$")


def ending(done: Completed) -> str:
    """The exit code or the signal."""
    code = done.exit_code
    if code is None:
        return "it did not end"
    if code < 0:
        return f"killed by {_signal(-code)}"
    # A shell reports a child killed by a signal so, but a program may choose such a code itself.
    return f"exit {code}, as after {_signal(code - 128)}" if 128 < code <= 128 + 31 else f"exit {code}"


def because(done: Completed) -> str:
    """What it printed first, behind a dash; empty where it printed nothing."""
    first = _first_line(done.stderr) or _first_line(done.stdout)
    return f" — {first}" if first else ""


def details(done: Completed) -> str:
    """The command and both streams, without colours."""
    streams = [f"{name}:\n{_text(data)}" for name, data in (("stderr", done.stderr), ("stdout", done.stdout)) if data]
    return "\n".join([f"command: {done.command}", *streams])


def _text(stream: bytes) -> str:
    return uncoloured(stream.decode("utf-8", "replace"))


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _first_line(stream: bytes) -> str:
    """The first line that says something: no ruler, no headline between rulers, no row of dots.

    Of a traceback of Python it is the one that names the exception, which follows the indented ones.
    """
    whole = _text(stream[: 64 * 1024]).splitlines()
    begins = next((at for at, line in enumerate(whole) if line.strip()), 0)
    if whole[begins : begins + 1] == [_TRACEBACK]:
        whole = [line for line in whole[begins + 1 :] if not line.startswith(" ")] or whole
    lines = [line.strip() for line in whole]
    telling = next((line for line in lines if _TELLING.match(line)), "")
    return (telling or next((line for line in lines if line and not _DECORATION.match(line)), ""))[:_LONGEST_LINE]
