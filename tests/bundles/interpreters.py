"""A second Python beside the one that runs the tests."""

import shutil
import subprocess
import sys

import pytest

NAMES = ("python3.14", "python3.13", "python3.12", "python3.11", "pypy3")


def other_python() -> str:
    """An interpreter of another version, by its path; the test is skipped where there is none."""
    for name in NAMES:
        place = shutil.which(name)
        if place is None:
            continue
        done = subprocess.run(
            [place, "-I", "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0 and done.stdout.split() != [str(part) for part in sys.version_info[:2]]:
            return place
    pytest.skip(f"there is one Python here, {sys.version.split()[0]}; install another, such as pypy3 or python3.13")
