"""Every child process: its environment, its limits, and the end of its whole group."""

import contextlib
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gate import deadline, interrupt, reaper
from gate.errors import CannotJudge
from gate.stream import Stream, fed

MIB = 1024 * 1024
_PATIENCE = 2.0  # s, for a process that cannot be killed at once, or not by us


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
    left_running: bool = False
    """Something that it had started still ran when it ended by itself; seen on Linux alone."""


@deadline.held()
def run(
    command: str | Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    timeout: float,
    stdin: bytes = b"",
    output_limit: int = MIB,
    flood_limit: int = 64 * MIB,
) -> Completed:
    """Run an untrusted command to its end, and end all that it started; a string goes to the system's shell.

    It has no input but `stdin`, no terminal and only the environment given. It is killed after `timeout` seconds,
    or when a stream has more than `flood_limit` bytes; what it left running is killed after its end, on Linux even
    in another session. Of each stream `output_limit` bytes are kept. CannotJudge when it cannot be started.
    """
    began = time.monotonic()
    token = os.urandom(8).hex()
    streams: list[Stream] = []
    with reaper.adopting(token), fed(stdin) as given, interrupt.waiting() as heed_interrupts:
        child = _start(command, cwd=cwd, environment={**environment, reaper.TOKEN: token}, stdin=given)
        try:
            streams = [
                Stream(pipe, keep=output_limit, limit=flood_limit, flooded=lambda: _kill_group(child))
                for pipe in (child.stdout, child.stderr)
                if pipe is not None
            ]
            heed_interrupts()
            in_time = _ends_within(min(timeout, deadline.left()), child)
            left_running = in_time and reaper.stragglers(token)
        finally:
            _end(child, token)
            for stream in streams:
                stream.close(_PATIENCE)
    flooded = any(stream.flooded for stream in streams)
    timed_out = not in_time and not flooded
    return Completed(
        command=command if isinstance(command, str) else shlex.join(command),
        exit_code=None if timed_out else child.returncode,
        stdout=streams[0].content,
        stderr=streams[1].content,
        dropped=sum(stream.dropped for stream in streams),
        seconds=time.monotonic() - began,
        timed_out=timed_out,
        flooded=flooded,
        left_running=left_running and not flooded,
    )


def _start(
    command: str | Sequence[str], *, cwd: Path, environment: Mapping[str, str], stdin: int | None
) -> subprocess.Popen[bytes]:
    if isinstance(command, str) and sys.platform != "win32":
        command = ["/bin/sh", "-c", "--", command]  # a command that begins with a dash is no option of the shell
    try:
        return _popen(command, cwd=cwd, environment=environment, stdin=stdin, shell=isinstance(command, str))
    except (OSError, ValueError) as error:
        raise CannotJudge(f"the command cannot be started: {error}", kind="command") from None


def _popen(
    command: str | Sequence[str | bytes],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    stdin: int | None,
    shell: bool = False,
) -> subprocess.Popen[bytes]:
    """A child in a session of its own: no terminal to ask at, and a group that can be ended as a whole."""
    with reaper.starting() as started:
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            shell=shell,
        )
        started(child.pid)
    return child


def _ends_within(timeout: float, child: subprocess.Popen[bytes]) -> bool:
    """Whether the leader ends in time. Where the kernel can, it is not reaped yet, so that its group keeps its id."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # no pidfd in some containers
            ended = os.pidfd_open(child.pid)
            try:
                poll = select.poll()
                poll.register(ended, select.POLLIN)
                return bool(poll.poll(min(timeout * 1000, 2**31 - 1)))
            finally:
                os.close(ended)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout)
        return True
    return False


def _end(child: subprocess.Popen[bytes], token: str) -> None:
    """End the group and the orphans, and reap the leader."""
    _kill_group(child)
    with contextlib.suppress(subprocess.TimeoutExpired):  # sudo's children are not ours to kill
        child.wait(_PATIENCE)
    reaper.end_orphans(token)
    reaper.forget(child.pid)


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        # By its path: Windows would look into the current folder first.
        taskkill = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
        subprocess.run([taskkill, "/T", "/F", "/PID", str(child.pid)], capture_output=True, check=False)
        return
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL)


@deadline.held()
def capture(
    argv: Sequence[str | bytes],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    timeout: float = 120.0,
) -> Completed:
    """Run a trusted program to its end, without a shell, and keep all that it prints.

    At `timeout` seconds its whole group is killed and `exit_code` is None. A program that cannot be started is exit
    code 127 with the reason in `stderr`, as in a shell, so that callers have one path for failure.
    """
    command = shlex.join(os.fsdecode(word) for word in argv)
    started = time.monotonic()
    with interrupt.waiting() as heed_interrupts:
        try:
            child = _popen(argv, cwd=cwd, environment=environment, stdin=subprocess.PIPE if stdin else None)
        except (OSError, ValueError) as error:
            return Completed(command=command, exit_code=127, stderr=str(error).encode(errors="replace"))
        with child:
            timed_out = False
            try:
                heed_interrupts()
                stdout, stderr = child.communicate(stdin or None, min(timeout, deadline.left()))
            except subprocess.TimeoutExpired:
                timed_out = True
                _kill_session(child)
                stdout, stderr = _what_was_printed(child)
            except BaseException:
                _kill_session(child)  # an interrupt from the keyboard does not reach another session
                raise
            finally:
                reaper.forget(child.pid)
    return Completed(
        command=command,
        exit_code=None if timed_out else child.returncode,
        stdout=stdout,
        stderr=stderr,
        seconds=time.monotonic() - started,
        timed_out=timed_out,
    )


def _kill_session(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        _kill_group(child)


def _what_was_printed(child: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    try:
        return child.communicate(timeout=1)
    except subprocess.TimeoutExpired as error:  # somebody who left the group still holds the pipes
        return error.stdout or b"", error.stderr or b""
