"""Every child process: its environment, its limits, and the end of its whole group."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

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
    try:
        child = subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # a group of its own, and no terminal to ask for a password at
        )
    except (OSError, ValueError) as error:
        return Completed(command=command, exit_code=127, stderr=str(error).encode(errors="replace"))
    with child:
        timed_out = False
        try:
            stdout, stderr = child.communicate(stdin or None, timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            _kill_session(child)
            stdout, stderr = _what_was_printed(child)
        except BaseException:
            _kill_session(child)  # an interrupt from the keyboard does not reach another session
            raise
    return Completed(
        command=command,
        exit_code=None if timed_out else child.returncode,
        stdout=stdout,
        stderr=stderr,
        seconds=time.monotonic() - started,
        timed_out=timed_out,
    )


def _kill_session(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.kill()
    elif child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)


def _what_was_printed(child: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    try:
        return child.communicate(timeout=1)
    except subprocess.TimeoutExpired as error:  # somebody who left the group still holds the pipes
        return error.stdout or b"", error.stderr or b""


_OF_THIS_REPOSITORY = frozenset(
    f"GIT_{name}"
    for name in (
        "DIR",
        "WORK_TREE",
        "INDEX_FILE",
        "COMMON_DIR",
        "OBJECT_DIRECTORY",
        "ALTERNATE_OBJECT_DIRECTORIES",
        "QUARANTINE_PATH",
        "CONFIG_GLOBAL",
        "CONFIG_NOSYSTEM",
        "CONFIG_SYSTEM",
        # what pre-commit keeps (its git.no_git_env): how git reaches a remote, and settings of the caller
        "EXEC_PATH",
        "SSH",
        "SSH_COMMAND",
        "SSL_CAINFO",
        "SSL_NO_VERIFY",
        "CONFIG_COUNT",
        "HTTP_PROXY_AUTHMETHOD",
        "ALLOW_PROTOCOL",
        "ASKPASS",
    )
)


def repository_environment() -> dict[str, str]:
    """The environment for git on the user's own repository: the one that the hook's `GIT_DIR` and index name.

    Every other `GIT_*` is left out, replaced objects and grafts are not honoured, nothing is locked or asked for, and
    git's messages are in English.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_")
        or name in _OF_THIS_REPOSITORY
        or name.startswith(("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))
    }
    return kept | {
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LANGUAGE": "",
        "LC_ALL": "C.UTF-8",
    }
