"""`run` and `environment`: what an untrusted command is given, and that nothing of it is left."""

import ctypes
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from gate.errors import CannotJudge
from gate.process import Completed, run
from gate.surroundings import environment, program

LONG = 60.0


def _run(command: str | list[str], folder: Path, timeout: float = LONG, **limits: Any) -> Completed:
    return run(command, cwd=folder, environment=environment(), timeout=timeout, **limits)


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("command", "exit_code", "stdout"),
    [
        pytest.param("true", 0, b"", id="good"),
        pytest.param("exit 1", 1, b"", id="bad"),
        pytest.param("exit 77", 77, b"", id="77"),
        pytest.param("exit 255", 255, b"", id="255"),
        pytest.param("no-such-program-here", 127, b"", id="no such program"),
        pytest.param("./plain", 126, b"", id="not executable"),
        pytest.param("kill -SEGV $$", -11, b"", id="signal"),
        pytest.param("-x", 127, b"", id="a leading dash is no option of the shell"),
        pytest.param("echo a\necho b", 0, b"a\nb\n", id="newline"),
        pytest.param("cat; echo end", 0, b"end\n", id="no input"),
        pytest.param("echo x >/dev/tty || echo none", 0, b"none\n", id="no terminal"),
        pytest.param(["printf", "%s", "$(id) a;b"], 0, b"$(id) a;b", id="words go to no shell"),
        pytest.param("printf '\\377\\000x'", 0, b"\xff\x00x", id="bytes"),
    ],
)
def test_a_command_ends_with_its_code_and_its_output(
    tmp_path: Path, command: str | list[str], exit_code: int, stdout: bytes
) -> None:
    (tmp_path / "plain").write_text("no program")
    done = _run(command, tmp_path)
    assert (done.exit_code, done.stdout, done.timed_out, done.flooded) == (exit_code, stdout, False, False)
    assert done.command == (command if isinstance(command, str) else shlex.join(command))


def test_both_streams_are_kept_apart_and_read_at_once(tmp_path: Path) -> None:
    done = _run("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; echo out; echo err >&2", tmp_path)
    assert done.stdout == bytes(300000) + b"out\n"
    assert done.stderr == bytes(300000) + b"err\n"


@pytest.mark.parametrize(
    ("command", "folder", "words"),
    [
        pytest.param("true", "gone", "No such file or directory", id="folder"),
        pytest.param("a\0b", ".", "embedded null byte", id="nul"),
        pytest.param("x" * 3_000_000, ".", "Argument list too long", id="too long"),
        pytest.param(["no-such-program-here"], ".", "No such file or directory", id="program"),
    ],
)
def test_what_cannot_be_started_cannot_be_judged(
    tmp_path: Path, command: str | list[str], folder: str, words: str
) -> None:
    with pytest.raises(CannotJudge, match=words) as caught:
        _run(command, tmp_path / folder)
    assert caught.value.kind == "command"
    assert caught.value.message.startswith("the command cannot be started: ")


@pytest.mark.parametrize(
    ("command", "limit", "exit_code"),
    [
        pytest.param("sleep 60 & echo $! >pid; exit 0", LONG, 0, id="background holds the pipe"),
        pytest.param("setsid sh -c 'echo $$ >pid; sleep 60' & sleep 60", 2.0, None, id="own session at the limit"),
        pytest.param(
            "(setsid sh -c 'echo $$ >pid; exec sleep 60' >/dev/null 2>&1 &); while [ ! -s pid ]; do :; done",
            LONG,
            0,
            id="daemon",
        ),
        pytest.param(
            "(env -i setsid sh -c 'echo $$ >pid; exec sleep 60' &); while [ ! -s pid ]; do :; done; exit 3",
            LONG,
            3,
            id="daemon without its environment",
        ),
        pytest.param(
            "(setsid sh -c '(env -i setsid sh -c \"echo \\$\\$ >pid; sleep 60\" &); sleep 60' &)\n"
            "while [ ! -s pid ]; do :; done",
            LONG,
            0,
            id="daemon of a daemon",
        ),
        pytest.param('trap "" TERM INT HUP; echo $$ >pid; sleep 60', 2.0, None, id="deaf to signals"),
    ],
)
def test_nothing_is_left_of_a_command(tmp_path: Path, command: str, limit: float, exit_code: int | None) -> None:
    done = _run(command, tmp_path, limit)
    assert done.exit_code == exit_code
    assert done.timed_out is (exit_code is None)
    assert _is_gone(int((tmp_path / "pid").read_text()))
    assert done.seconds < LONG / 2


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are seen on Linux alone")
@pytest.mark.parametrize(
    ("command", "left"),
    [
        pytest.param("true", False, id="nothing started"),
        pytest.param("sleep 0.01 & wait", False, id="waited for"),
        pytest.param("sleep 30 & exit 0", True, id="in the background"),
        pytest.param("setsid sleep 30 >/dev/null 2>&1 &", True, id="in another session"),
    ],
)
def test_a_command_that_leaves_something_running_is_told_apart(tmp_path: Path, command: str, left: bool) -> None:
    completed = _run(command, tmp_path)
    assert (completed.exit_code, completed.left_running) == (0, left)


def test_what_the_limit_ends_is_not_left_behind(tmp_path: Path) -> None:
    completed = _run("sleep 30 & sleep 30", tmp_path, timeout=0.05)
    assert (completed.timed_out, completed.left_running) == (True, False)


def test_what_was_printed_before_the_limit_is_kept(tmp_path: Path) -> None:
    done = _run("echo before; echo why >&2; sleep 60", tmp_path, 2.0)
    assert (done.stdout, done.stderr, done.exit_code, done.timed_out) == (b"before\n", b"why\n", None, True)


def test_a_flood_is_ended_and_its_head_and_tail_kept(tmp_path: Path) -> None:
    done = _run("echo first; yes", tmp_path, output_limit=20, flood_limit=1_000_000)
    assert (done.flooded, done.timed_out) == (True, False)
    assert done.exit_code is not None
    assert done.exit_code < 0
    assert done.stdout == b"first\ny\ny\n\n[%d bytes left out]\ny\ny\ny\ny\ny\n" % done.dropped
    assert done.dropped > 900_000


def test_a_flood_takes_little_memory(tmp_path: Path) -> None:
    code = (
        "import resource; from pathlib import Path; from gate.process import run\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "done = run('yes', cwd=Path('.'), environment={}, timeout=60)\n"
        "print(done.flooded, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 * 1024)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=Path(__file__).parent.parent
    )
    assert shown.stdout.split() == [b"True", b"True"]


def test_an_interrupt_ends_the_command_too(tmp_path: Path) -> None:
    code = (
        "import os, signal, threading, time; from pathlib import Path; from gate.process import run\n"
        "def interrupt():\n"
        "    while not (Path('pid').exists() and Path('pid').read_text()): time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell starts what runs behind it without
        "threading.Thread(target=interrupt).start()\n"
        "try: run('echo $$ >pid; sleep 60', cwd=Path('.'), environment={}, timeout=60)\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert shown.stdout == b"interrupted\n"
    assert _is_gone(int((tmp_path / "pid").read_text()))


def test_commands_at_the_same_time_do_not_end_each_other(tmp_path: Path) -> None:
    server = "(setsid sh -c 'sleep 1; echo served >answer' &); while [ ! -s answer ]; do sleep 0.05; done; cat answer"
    answers: list[bytes] = []
    thread = threading.Thread(target=lambda: answers.append(_run(server, tmp_path).stdout))
    thread.start()
    while thread.is_alive():
        assert _run("(setsid sleep 60 &); exit 0", tmp_path).exit_code == 0
    thread.join()
    assert answers == [b"served\n"]


def test_processes_of_others_are_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as before:
        assert _run("exit 0", tmp_path).exit_code == 0
        with subprocess.Popen(["sleep", "60"]) as same_session:
            assert _run("exit 0", tmp_path).exit_code == 0
            assert (before.poll(), same_session.poll()) == (None, None)
            same_session.kill()
        before.kill()


def _is_subreaper() -> bool:
    found = ctypes.c_int(-1)
    assert ctypes.CDLL(None).prctl(37, ctypes.byref(found), 0, 0, 0) == 0
    return bool(found.value)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
def test_orphans_of_others_are_adopted_only_while_a_command_runs(tmp_path: Path) -> None:
    assert not _is_subreaper()
    thread = threading.Thread(target=_run, args=("until [ -e seen ]; do sleep 0.01; done", tmp_path))
    thread.start()
    while not _is_subreaper():
        assert thread.is_alive()
    _run("exit 0", tmp_path)
    assert _is_subreaper()
    (tmp_path / "seen").touch()
    thread.join()
    assert not _is_subreaper()


def test_the_environment_holds_only_harmless_names(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = """GITHUB_TOKEN GITHUB_ENV GITHUB_ACTIONS ACTIONS_RUNTIME_TOKEN RUNNER_TEMP GIT_DIR GIT_INDEX_FILE CI
        PRE_COMMIT AWS_SECRET_ACCESS_KEY OPENAI_API_KEY SSH_AUTH_SOCK LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES
        PYTHONPATH PYTHONSTARTUP PYTEST_ADDOPTS NODE_OPTIONS NODE_PATH PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS BASH_ENV ENV
        IFS HTTP_PROXY https_proxy XDG_RUNTIME_DIR DISPLAY VIRTUAL_ENV GATE_MANIFEST""".split()  # noqa: SIM905 - thirty names, not thirty lines
    kept = {"HOME": "/h", "LANG": "C.UTF-8", "LC_ALL": "C", "TZ": "Asia/Tokyo", "CARGO_HOME": "/c", "TMPDIR": "/t"}
    for name in os.environ:
        monkeypatch.delenv(name)
    for name in refused:
        monkeypatch.setenv(name, "canary")
    for name, value in kept.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", "/usr/bin::.:bin:/bin:~/bin:")
    assert environment() == {**kept, "PATH": "/usr/bin:/bin"}
    assert environment({"TZ": "UTC", "X": "1"}, first="/venv/bin") == {
        **kept,
        "TZ": "UTC",
        "X": "1",
        "PATH": "/venv/bin:/usr/bin:/bin",
    }


def test_without_a_path_the_system_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PATH")
    assert environment()["PATH"] == os.defpath


def test_a_program_in_the_folder_is_not_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trojan = tmp_path / "curl-trojan"
    trojan.write_text("#!/bin/sh\necho trojan\n")
    trojan.chmod(0o755)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}:")
    assert _run("curl-trojan", tmp_path).exit_code == 127


def test_where_a_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("bin", "rel"):
        (tmp_path / folder).mkdir()
        found = tmp_path / folder / f"tool-{folder}"
        found.touch()
        found.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"rel:{tmp_path}/bin:.")
    assert program("tool-bin") == str(tmp_path / "bin" / "tool-bin")
    assert program("tool-rel") is None


def test_a_command_reads_what_it_is_given(tmp_path: Path) -> None:
    done = run(["cat"], cwd=tmp_path, environment=environment(), timeout=LONG, stdin=b"x" * 500_000)
    assert (done.exit_code, done.stdout) == (0, b"x" * 500_000)


def test_a_command_need_not_read_what_it_is_given(tmp_path: Path) -> None:
    done = run(["true"], cwd=tmp_path, environment=environment(), timeout=LONG, stdin=bytes(3_000_000))
    assert done.exit_code == 0


def test_a_command_that_never_reads_is_ended(tmp_path: Path) -> None:
    done = run(["sleep", "60"], cwd=tmp_path, environment=environment(), timeout=0.2, stdin=bytes(3_000_000))
    assert done.timed_out
