"""`capture` and the environment for git on the user's own repository."""

import os
import sys
import time
from pathlib import Path

import pytest

from gate.process import capture
from gate.surroundings import repository_environment

PLAIN = {"PATH": os.environ["PATH"]}


def _python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def test_streams_are_kept_whole_and_apart(tmp_path: Path) -> None:
    code = "import sys; sys.stdout.buffer.write(b'\\xff' * 3_000_000); sys.stderr.write('e' * 3_000_000); sys.exit(7)"
    done = capture(_python(code), cwd=tmp_path, environment=PLAIN)
    assert (done.exit_code, done.timed_out, done.dropped) == (7, False, 0)
    assert done.stdout == b"\xff" * 3_000_000
    assert done.stderr == b"e" * 3_000_000


def test_a_signal_is_a_negative_exit_code(tmp_path: Path) -> None:
    assert capture(["sh", "-c", "kill -9 $$"], cwd=tmp_path, environment=PLAIN).exit_code == -9


def test_input_is_given_and_without_it_there_is_none(tmp_path: Path) -> None:
    data = b"\x00line\n" * 100_000
    assert capture(["cat"], cwd=tmp_path, environment=PLAIN, stdin=data).stdout == data
    assert capture(["cat"], cwd=tmp_path, environment=PLAIN).stdout == b""


def test_words_are_words_whatever_they_hold(tmp_path: Path) -> None:
    words: list[str | bytes] = ["$(touch pwn)", "a b;c", "", "*", b"\xff\n"]
    code = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))"
    done = capture([*_python(code), *words], cwd=tmp_path, environment=PLAIN)
    assert done.stdout.split(b"\0") == [os.fsencode(word) for word in words]
    assert list(tmp_path.iterdir()) == []
    assert done.command.startswith(sys.executable)
    assert "'$(touch pwn)' 'a b;c' '' '*'" in done.command


def test_only_the_given_environment_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "canary")
    assert capture(["env"], cwd=tmp_path, environment=PLAIN).stdout.decode().split("\n")[0] == f"PATH={PLAIN['PATH']}"


@pytest.mark.parametrize(
    ("argv", "folder", "words"),
    [
        pytest.param(["no-such-program-here"], ".", "No such file or directory: 'no-such-program-here'", id="program"),
        pytest.param(["true"], "gone", "No such file or directory", id="folder"),
        pytest.param(["true", "a\0b"], ".", "embedded null byte", id="nul"),
        pytest.param(["true", "x" * 3_000_000], ".", "Argument list too long", id="too-long"),
        pytest.param(["/"], ".", "Permission denied", id="not-a-program"),
    ],
)
def test_what_cannot_be_started_is_127(tmp_path: Path, argv: list[str], folder: str, words: str) -> None:
    done = capture(argv, cwd=tmp_path / folder, environment=PLAIN)
    assert done.exit_code == 127
    assert words in done.stderr.decode()


def test_the_limit_ends_the_whole_group_and_keeps_what_was_printed(tmp_path: Path) -> None:
    script = "trap '' TERM INT HUP; echo before; sleep 60 & echo $! >child; wait"
    done = capture(["sh", "-c", script], cwd=tmp_path, environment=PLAIN, timeout=0.5)
    assert (done.exit_code, done.timed_out, done.stdout) == (None, True, b"before\n")
    assert done.seconds < 30
    _wait_until_gone(int((tmp_path / "child").read_text()))


def test_a_pipe_that_somebody_else_holds_does_not_hold_us(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time\n"
        "held = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "print(held.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    done = capture(_python(code), cwd=tmp_path, environment=PLAIN, timeout=1)
    held = int(done.stdout)
    os.kill(held, 9)
    assert done.timed_out
    assert done.seconds < 30


def _wait_until_gone(pid: int) -> None:
    for _ in range(200):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} still runs")


KEPT = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_NO_VERIFY",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_ALLOW_PROTOCOL",
    "GIT_ASKPASS",
    "HOME",
    "HTTPS_PROXY",
]


@pytest.mark.parametrize("name", KEPT)
def test_git_keeps_what_names_the_repository_and_the_way_to_its_remote(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "canary")
    assert repository_environment(Path())[name] == "canary"


@pytest.mark.parametrize(
    "name",
    [
        "GIT_PREFIX",
        "GIT_AUTHOR_NAME",
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIFF_OPTS",
        "GIT_EXTERNAL_DIFF",
        "GIT_NAMESPACE",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_TRACE",
    ],
)
def test_git_is_given_no_other_variable_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "canary")
    assert name not in repository_environment(Path())


def test_git_honours_no_replacement_asks_nothing_and_speaks_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_NO_REPLACE_OBJECTS", "0")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    found = repository_environment(Path())
    assert {name: found[name] for name in found if name not in os.environ or found[name] != os.environ[name]} == {
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LANGUAGE": "",
        "LC_ALL": "C.UTF-8",
    }
