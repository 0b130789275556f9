"""Orphans of a command: on Linux this process adopts them, ends them and reaps them, whatever session they fled to.

While a command runs this process is the subreaper of its descendants (prctl(2), PR_SET_CHILD_SUBREAPER). A child of
ours that is in another session than we are, and that we did not start, can only be such an orphan: the leader of a
command begins a new session, and no process comes back from one. Elsewhere nothing is adopted.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TOKEN = "GATE_RUN"  # noqa: S105 - the name of a variable
"""The environment variable by which the orphans of commands that run at the same time are told apart."""

_GET_SUBREAPER, _SET_SUBREAPER = 37, 36
_PATIENCE = 2.0

_lock = threading.RLock()
_running: set[str] = set()
_started: set[int] = set()
_strangers: frozenset[int] = frozenset()
_adopted_before = True


@contextmanager
def adopting(token: str) -> Iterator[None]:
    """Adopt orphans as long as the block runs; `token` is what the command has as `TOKEN` in its environment."""
    global _adopted_before, _strangers
    with _lock:
        if not _running:
            _strangers = frozenset(_children())
            _adopted_before = _set_subreaper(True)
        _running.add(token)
    try:
        yield
    finally:
        with _lock:
            _running.discard(token)
            if not _running and not _adopted_before:
                _set_subreaper(False)


@contextmanager
def starting() -> Iterator[Callable[[int], None]]:
    """Start a child in this block and hand its pid over, so that it is never taken for an orphan."""
    with _lock:
        yield _started.add


def forget(pid: int) -> None:
    """The child that was started is gone: its pid may come back as somebody else's."""
    with _lock:
        _started.discard(pid)


def stragglers(token: str) -> bool:
    """Whether a command whose leader has ended has left anything running; False where nobody knows."""
    with _lock:
        found = _orphans(token)
    return any(map(_runs, found))


def _runs(pid: int) -> bool:
    """Whether the process is alive, and not only waiting to be reaped."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b") ")[2][:1] not in (b"Z", b"X")
    except OSError:
        return False


def end_orphans(token: str) -> None:
    """Kill and reap every orphan of the command with this token, and theirs, until none is left."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        with _lock:
            found = _orphans(token)
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if not found:
            return
        _reap(found, until)


def _orphans(token: str) -> list[int]:
    """The orphans of the command with this token; ask under the lock."""
    alone = len(_running) == 1
    known = _started | _strangers
    return [pid for pid in _children() if pid not in known and _is_orphan(pid, token, alone=alone)]


def _is_orphan(pid: int, token: str, *, alone: bool) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0) and (alone or _token(pid) == token)
    except ProcessLookupError:
        return False


def _token(pid: int) -> str:
    """The token in a process's first environment; empty where it has none, or is dead."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            entries = environ.read().split(b"\0")
    except OSError:
        return ""
    start = f"{TOKEN}=".encode()
    return next((os.fsdecode(entry[len(start) :]) for entry in entries if entry.startswith(start)), "")


def _reap(pids: list[int], until: float) -> None:
    pause = 0.0001
    while pids and time.monotonic() < until:
        pids = [pid for pid in pids if not _gone(pid)]
        if pids:
            time.sleep(pause)
            pause = min(2 * pause, 0.05)


def _gone(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def _children() -> list[int]:
    """The pids of our children, dead ones too, where the kernel lists them (CONFIG_PROC_CHILDREN)."""
    found: list[int] = []
    if sys.platform != "linux":
        return found
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children", "rb") as children:
            found.extend(map(int, children.read().split()))
    return found


def _set_subreaper(wanted: bool) -> bool:
    """Become a subreaper or stop being one; what we were before, True where there is no such thing."""
    if sys.platform != "linux":
        return True
    import ctypes  # 4 ms, and only a run that starts commands needs it

    prctl = ctypes.CDLL(None).prctl
    before = ctypes.c_int(1)
    if prctl(_GET_SUBREAPER, ctypes.byref(before), 0, 0, 0):
        return True
    prctl(_SET_SUBREAPER, int(wanted), 0, 0, 0)
    return bool(before.value)
