"""The time limit of a whole run: what is at work when it is over is ended, and counts as not judged.

The limit binds blocks that heed it and nothing else, so that what they clean up, and every report, has all the time it
needs. There is one a process, as there is one alarm clock.
"""

import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

_AGAIN = 5.0
"""Seconds after which the alarm rings anew: what it raises is lost in a destructor, or where a plugin catches all."""

_WITHOUT_END = nullcontext()  # a run without a limit has nothing to heed, and says so for each of its tasks
_limit = _until = math.inf
_heeding = _held = 0


class TimeUp(BaseException):
    """The run's time is up, in a clause. No `Exception`: whoever catches those takes it for a failure of their own."""


@contextmanager
def limit(seconds: float | None) -> Iterator[None]:
    """Limit the blocks in this one that heed it; None is no limit.

    On Windows, and outside the main thread, there is no alarm: a block ends at its next command, or by itself.
    """
    global _limit, _until
    if seconds is None:
        yield
        return
    _limit, _until = seconds, time.monotonic() + seconds
    try:
        with _alarm(seconds):
            yield
    finally:
        _limit = _until = math.inf


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(*_: object) -> None:
    if _heeding and not _held:
        raise TimeUp(passed())


def heeding() -> AbstractContextManager[None]:
    """A block that is left with TimeUp when the time is up, wherever it is."""
    return _WITHOUT_END if _until == math.inf else _heed()


@contextmanager  # and no class: an alarm on the way into `__exit__` would leave a run that heeds for ever
def _heed() -> Iterator[None]:
    global _heeding
    if is_up():
        raise TimeUp(passed())
    _heeding += 1
    try:
        yield
    finally:
        _heeding -= 1


@contextmanager
def held() -> Iterator[None]:
    """A block that must not be torn apart, and keeps to `left` by itself: it is left with TimeUp at its end."""
    global _held
    rung = threading.current_thread() is threading.main_thread()  # the only one that the alarm can tear
    _held += rung
    try:
        yield
    finally:
        _held -= rung
    if _heeding and is_up():
        raise TimeUp(passed())


def is_up() -> bool:
    """Whether the time is up."""
    return time.monotonic() >= _until


def left() -> float:
    """How many seconds a block that heeds the limit has; infinite for every other one, and without a limit."""
    return max(0.0, _until - time.monotonic()) if _heeding else math.inf


def passed() -> str:
    """The clause that says it: `the time limit of 90 s for the whole run was over`."""
    return f"the time limit of {_limit:g} s for the whole run was over"
