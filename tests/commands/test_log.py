"""Every verb's output in a CI's log, where names of files, tools and options are somebody else's: none is a command."""

from pathlib import Path

import pytest

from tests import runner
from tests.commands.repository import gate, write
from tests.conftest import Git

NAMES = ["##[error]pwn", "::error::pwn", "a\r::add-mask::x", "x ##[group]y.json", "::warning file=a::b.json"]


@pytest.fixture
def hostile(repo: Path, git: Git) -> Path:
    """A change whose files, recorded tools, commands and contents are named like commands of a log."""
    steps = [{"tool": name, "args": {"path": name, "content": f"{name}\n::error::inside"}} for name in NAMES]
    steps += [{"tool": "write_file", "args": {"path": name, "content": name}} for name in NAMES]
    steps += [{"tool": "bash", "args": {"command": name}} for name in NAMES]
    write(repo, {"recordings/head/##[debug]r.json": {"steps": steps}, "recordings/head/b.json": {"steps": "##[error]"}})
    write(
        repo,
        dict.fromkeys(NAMES, "x\n") | {"src/page.py": "last = 2\n", "gate.yaml": "version: 1\n'##[error]': x\n"},
    )
    git("add", "-A")
    git("commit", "-qm", "change")
    return repo


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["run"], "may have changed this file", id="run"),
        pytest.param(["plan"], "recordings/head/##\\[debug]r.json", id="plan"),
        pytest.param(["plan", "--json"], "recordings/head/#\\u0023[debug]r.json", id="plan as JSON"),
        pytest.param(["check"], "##\\[error]", id="check"),
        pytest.param(["replay", "recordings/head/##[debug]r.json"], "##\\[error]pwn", id="replay"),
        pytest.param(
            ["replay", "recordings/head/##[debug]r.json", "--format", "json"], "#\\u0023[error]pwn", id="replay as JSON"
        ),
        pytest.param(["convert", "recordings/head/##[debug]r.json"], "#\\u0023[error]pwn", id="convert"),
        pytest.param(["convert", "##[error]pwn"], "##\\[error]pwn", id="what cannot be read"),
        pytest.param(["run", "--manifest", "##[error]x"], "##\\[error]x", id="a manifest that is not there"),
        pytest.param(["run", "--##[error]x"], "##\\[error]x", id="an option"),
        pytest.param(["explain", "##[error]x"], "##\\[error]x", id="an oracle"),
        pytest.param(["##[error]x"], "##\\[error]x", id="a verb"),
    ],
)
def test_nothing_that_is_printed_is_a_command(hostile: Path, words: list[str], said: str) -> None:
    done = gate(hostile, *words)
    assert "Traceback" not in done.stderr
    assert said in done.stdout + done.stderr
    assert runner.commands(done.stdout) + runner.commands(done.stderr) == []
