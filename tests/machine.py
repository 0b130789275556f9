"""The machine as a job or a person has it: nothing of this test run's own surroundings, and this Python first."""

import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
_OURS = ("GITHUB_", "RUNNER_", "ACTIONS_", "GIT_", "PRE_COMMIT", "PREK_", "PYTHON", "VIRTUAL_ENV")
_SETTINGS = {
    "commit.gpgsign": "false",
    "init.defaultBranch": "main",
    "protocol.file.allow": "always",
    "user.email": "test@example.org",
    "user.name": "Test",
}


def environment(**more: str) -> dict[str, str]:
    """The environment for a program that is tested from outside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS) and name != "CI"}
    git = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_COUNT": str(len(_SETTINGS))}
    for number, (key, value) in enumerate(_SETTINGS.items()):
        git |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return kept | git | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"} | more


def git(folder: Path, *words: str) -> str:
    """What git prints; it must succeed."""
    done = subprocess.run(["git", *words], cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"git {words}: {done.stderr}"
    return done.stdout.strip()
