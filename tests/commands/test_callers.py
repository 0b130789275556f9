"""`gate run` on a change that touches what starts the gate."""

from pathlib import Path

from tests.commands.repository import gate, write
from tests.conftest import Git
from tests.integrity.test_callers import CALL, FLOW, HINT


def test_it_stands_first_and_changes_no_verdict(repo: Path, git: Git) -> None:
    write(repo, {"src/page.py": "last = 2\n"})
    git("add", "-A")
    before = gate(repo, "run")
    write(repo, {FLOW: CALL.decode(), ".github/CODEOWNERS": "* @octo\n", ".pre-commit-config.yaml": "repos: []\n"})
    git("add", "-A")
    done = gate(repo, "run")
    lines = [line for line in done.stdout.splitlines() if "This change touches ." in line]
    assert (before.returncode, before.stdout.count("This change touches")) == (done.returncode, 0)
    assert lines == [
        f"warning: {FLOW}: This change touches {FLOW}, which starts the gate. {HINT}",
        "notice: .pre-commit-config.yaml: This change touches .pre-commit-config.yaml, which may start what guards a "
        f"merge. {HINT}",
    ]
