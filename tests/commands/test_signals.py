"""The command as a process: what a signal makes of it, however early it comes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands.repository import write
from tests.conftest import Git

_TORN = """
import builtins, sys
real = builtins.__import__
def torn(name, *more, **named):
    if name == {name!r}:
        raise KeyboardInterrupt
    return real(name, *more, **named)
from gate.__main__ import main
builtins.__import__ = torn
sys.exit(main())
"""
_SLOW = "version: 1\ntasks: [{id: a, oracles: [{type: test_must_pass, command: 'touch $HOME/on; sleep 63'}]}]"


@pytest.mark.parametrize("name", ["gate.errors", "msgspec", "argparse"])
def test_an_interrupt_in_the_middle_of_the_imports_is_no_traceback(name: str) -> None:
    command = [sys.executable, "-P", "-c", _TORN.format(name=name), "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGQUIT", 131), ("SIGHUP", 129)], ids=lambda one: str(one)
)
def test_a_signal_ends_the_run_and_its_commands(repo: Path, git: Git, name: str, code: int) -> None:
    write(repo, {"gate.yaml": _SLOW.replace("63", str(1000 + code))})
    git("add", "-A")
    home = repo.parent / "home"
    home.mkdir()

    def _hears() -> None:
        """What is started in the background is deaf to ^C, and under `nohup` to a terminal that goes."""
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "gate", "run", "--judge", "head"],
        cwd=repo,
        env={**os.environ, "HOME": str(home)},
        stderr=subprocess.PIPE,
        preexec_fn=_hears,
    )
    while not (home / "on").exists():
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(getattr(signal, name))
    running.send_signal(getattr(signal, name))  # the impatient press it twice
    assert (running.wait(20), running.communicate()[1]) == (code, b"gate: interrupted\n")
    assert subprocess.run(["pgrep", "-f", f"sleep {1000 + code}"], check=False).returncode == 1


def test_a_signal_that_is_ignored_stays_so() -> None:
    """`nohup gate run` outlives its terminal."""
    script = "from gate import interrupt\nimport signal\ninterrupt.heard()\nprint(signal.getsignal(signal.SIGHUP))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert done.stdout == f"{int(signal.SIG_IGN)}\n"
