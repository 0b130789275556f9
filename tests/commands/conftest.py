"""A repository with a gate, for the tests of the verbs."""

import subprocess
from pathlib import Path

import pytest

from tests.commands.repository import MANIFEST, PLUGIN, RECORDING, TASK, write
from tests.conftest import Git


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """A repository whose `origin/main` has the manifest, with the branch `work` checked out on it."""
    git("init", "-q")
    root = tmp_path / "repo"
    write(
        root,
        {
            "gate.yaml": MANIFEST,
            "oracles/short.py": PLUGIN,
            "tasks/pages.json": TASK,
            "recordings/pages.json": RECORDING,
            "src/page.py": "last = 1\n",
            "tests/test_page.py": "assert True\n",
            "docs/b.md": "b\n",
        },
    )
    git("add", "-A")
    git("commit", "-qm", "base")
    subprocess.run(["git", "clone", "-q", "--bare", str(root), str(tmp_path / "origin")], check=True)
    git("remote", "add", "origin", str(tmp_path / "origin"))
    git("fetch", "-q", "origin")
    git("switch", "-qc", "work", "--track", "origin/main")
    return root
