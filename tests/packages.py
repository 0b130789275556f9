"""Installed packages that offer oracles, for tests: in a folder that is put on Python's path."""

from pathlib import Path

MODULE = """
from collections.abc import Iterator
from gate.oracle import Oracle, Trial
from gate.report import Finding

class Tidy(Oracle):
    '''It is never tidy.'''
    def judge(self, trial: Trial) -> Iterator[Finding]:
        yield Finding(message="untidy", path="src/page.py")
"""


def offering(folder: Path, *points: str, code: str = MODULE) -> str:
    """A package `acme` with these entry points of `gate.oracles`, and the value of PYTHONPATH that installs it."""
    about = folder / "acme-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1\n")
    (about / "entry_points.txt").write_text("\n".join(["[gate.oracles]", *points, ""]))
    (folder / "acme.py").write_text(code)
    return str(folder)
