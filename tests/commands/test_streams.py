"""Standard streams that are closed, full, or read by nobody: one sentence at most, and no exit code that lies."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.repository import write
from tests.conftest import Git

UNPRINTED = "gate: the report could not be printed: "
FULL = f"{UNPRINTED}No space left on device\n"
CLOSED = f"{UNPRINTED}standard output is closed; the verdict stands\n"


def shell(repo: Path, line: str) -> tuple[int, str]:
    """The exit code and standard error of a line of bash."""
    line = line.replace("gate ", f"{sys.executable} -P -m gate ")
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=repo, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("line", "last", "expected"),
    [
        pytest.param("gate run >/dev/null", 2, (0, ""), id="taken"),
        pytest.param("gate run >&-", 2, (0, ""), id="closed"),
        pytest.param("gate run >&-", 3, (1, ""), id="closed, a bad verdict"),
        pytest.param("gate run >/dev/full", 2, (4, FULL), id="full: a good verdict that nobody sees"),
        pytest.param("gate run >/dev/full", 3, (1, FULL), id="full, a bad verdict"),
        pytest.param("gate run | true", 3, (1, ""), id="nobody reads, a bad verdict"),
        pytest.param("gate run 2>&- >&-", 3, (1, ""), id="both closed"),
        pytest.param("gate run 2>/dev/full >/dev/full", 2, (4, ""), id="both full"),
        pytest.param(
            "gate plan >/dev/full",
            2,
            (4, "gate: the output cannot be written: No space left on device\n"),
            id="another verb, full",
        ),
        pytest.param("gate plan >&-", 2, (0, ""), id="another verb, closed"),
        pytest.param("gate plan --task nobody 2>&-", 2, (2, ""), id="no place for the sentence"),
        pytest.param("gate plan --task nobody 2>/dev/full", 2, (2, ""), id="no room for the sentence"),
        pytest.param("gate plan --task nobody >/dev/full 2>&-", 2, (2, ""), id="no place for anything"),
    ],
)
def test_no_exit_code_lies(repo: Path, git: Git, line: str, last: int, expected: tuple[int, str]) -> None:
    (repo / "gate.yaml").write_text(
        "version: 1\ntasks: [{id: a, oracles: [{type: assertion_exists, path: src/page.py, pattern: '[12]'}]}]\n"
    )
    write(repo, {"src/page.py": f"last = {last}\n"})
    git("add", "-A")
    code, said = shell(repo, line.replace("gate run", "gate run --judge head").replace("plan", "plan --judge head", 1))
    assert (code, said.replace(CLOSED, "")) == expected


def test_a_file_is_not_taken_for_a_stream_that_was_closed(repo: Path, git: Git) -> None:
    """The first file that is opened gets the number of the stream, and what is written to that would go there."""
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    code, _ = shell(repo, "gate run --no-commands --json report.json <&- >&- 2>&-")
    assert (code, (repo / "report.json").read_text()[:1]) == (0, "{")
