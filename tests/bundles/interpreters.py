"""A second Python beside the one that runs the tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

NAMES = ("python3.14", "python3.13", "python3.12", "python3.11", "pypy3")


def other_python() -> str:
    """An interpreter of another version, by its path; the test is skipped where there is none."""
    for place in _places():
        done = subprocess.run(
            [place, "-I", "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0 and done.stdout.split() != [str(part) for part in sys.version_info[:2]]:
            return place
    pytest.skip(f"there is one Python here, {sys.version.split()[0]}; install another, such as pypy3 or python3.13")


def _places() -> Iterator[str]:
    """Interpreters on the path, and those that pyenv keeps, whose shims work only where it is told to use them."""
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from sorted((str(path) for path in versions.glob("3.1[1-9].*/bin/python3")), reverse=True)
    yield from filter(None, map(shutil.which, NAMES))
