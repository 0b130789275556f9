"""Interrupts that come while a child is started: it is ended all the same, and they are raised."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from gate import interrupt
from gate.process import capture, run
from gate.surroundings import environment

_SLEEP = ["sleep", "60"]


def _children() -> set[int]:
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


@contextmanager
def _heard() -> Iterator[None]:
    """A block that ^C interrupts: what runs in the background was started deaf to it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _interrupted(event: str, name: str) -> Iterator[None]:
    """Interrupt this process at the first `event` (see `sys.setprofile`) of the function `name`."""

    def watch(frame: FrameType, happened: str, argument: object) -> None:
        called = getattr(argument, "__name__", "") if happened.startswith("c_") else frame.f_code.co_name
        if (happened, called) == (event, name):
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    with _heard():
        sys.setprofile(watch)
        try:
            yield
        finally:
            sys.setprofile(None)


@pytest.mark.skipif(sys.platform != "linux", reason="children are listed on Linux alone")
@pytest.mark.parametrize(("event", "name"), [("c_return", "fork_exec"), ("return", "_popen")], ids=lambda word: word)
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(lambda: run(_SLEEP, cwd=Path("/"), environment=environment(), timeout=60), id="run"),
        pytest.param(lambda: capture(_SLEEP, cwd=Path("/"), environment=environment()), id="capture"),
    ],
)
def test_nothing_is_left_of_a_child_whose_start_is_interrupted(
    start: Callable[[], object], event: str, name: str
) -> None:
    before = _children()
    with pytest.raises(KeyboardInterrupt), _interrupted(event, name):
        start()
    left = _children() - before
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert not left


class TestWaiting:
    """Which interrupts wait, and for what."""

    def test_raises_what_came_when_it_is_heeded_and_at_once_after_that(self) -> None:
        seen = []
        with _heard(), interrupt.waiting() as heed:
            signal.raise_signal(signal.SIGINT)
            seen.append("waits")
            with pytest.raises(KeyboardInterrupt):
                heed()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert seen == ["waits"]

    def test_raises_what_came_when_the_block_is_left(self) -> None:
        with _heard(), pytest.raises(KeyboardInterrupt), interrupt.waiting():
            signal.raise_signal(signal.SIGINT)

    def test_raises_a_second_one_at_once_where_only_one_is_to_wait(self) -> None:
        seen = []
        with _heard(), interrupt.waiting(once=True):
            signal.raise_signal(signal.SIGINT)
            seen.append("waits")
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert seen == ["waits"]

    def test_gives_every_handler_back(self) -> None:
        names = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
        before = [signal.getsignal(name) for name in names]
        with interrupt.waiting():
            pass
        assert [signal.getsignal(name) for name in names] == before

    def test_leaves_alone_what_a_handler_has_put_in_its_place(self) -> None:
        """As the command line does: a second signal must not interrupt what the first one has begun to clean up."""

        def end(number: int, _: object) -> None:
            signal.signal(number, signal.SIG_IGN)
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGTERM, end)
        try:
            with pytest.raises(KeyboardInterrupt), interrupt.waiting():
                signal.raise_signal(signal.SIGTERM)
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        finally:
            signal.signal(signal.SIGTERM, before)
