"""Signals that end a run, and wait while something is begun, so that nobody loses sight of what there is already."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


class Interrupted(KeyboardInterrupt):
    """A signal that ends the run; `exit_code` is that of a shell for it: 130 for ^C, 143 for SIGTERM."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


def heard() -> None:
    """Let each of the signals end the run with its commands, its workspaces taken away; those ignored stay so.

    The same signal once more must not interrupt what the first one has begun to clean up.
    """

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise Interrupted(number)

    for number in _numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


def deafen() -> None:
    """Let none of them disturb the process that is about to end."""
    for number in _numbers():
        signal.signal(number, signal.SIG_IGN)


def _numbers() -> list[int]:
    """The signals that this system has."""
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def waiting(*, once: bool = False) -> Iterator[Callable[[], None]]:
    """Let interrupts wait until what is yielded is called, or the block is left; those that came are raised then.

    `once` is for what may take long: a second interrupt is raised as it comes. Outside the main thread there are none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    came: list[int] = []
    handlers: dict[int, Any] = {}

    def wait(number: int, _: object) -> None:
        if once and came:
            came[:] = [number]
            heed()
        else:
            came.append(number)

    def heed() -> None:
        for number, handler in handlers.items():
            if signal.getsignal(number) is wait:  # a handler that has run may have put another in its place
                signal.signal(number, handler)
        while came:
            signal.raise_signal(came.pop())

    try:
        for number in _numbers():
            if callable(handler := signal.getsignal(number)):
                handlers[number] = handler
                signal.signal(number, wait)
        yield heed
    finally:
        heed()
