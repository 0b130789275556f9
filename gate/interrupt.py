"""Interrupts that wait while something is begun, so that nobody loses sight of what there is already."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


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
        for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
            if callable(handler := signal.getsignal(number)):
                handlers[number] = handler
                signal.signal(number, wait)
        yield heed
    finally:
        heed()
