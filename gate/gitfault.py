"""What git will not do, in words."""

import re
import shlex
from pathlib import Path

from gate.errors import GitError
from gate.path import printable
from gate.process import Completed

DUBIOUS = b"dubious ownership"
"""What git says of a repository that belongs to somebody else."""


def failure(arguments: tuple[str, ...], done: Completed, *, cwd: Path) -> GitError:
    """The error of a call that failed in this folder, with git's own words."""
    lines = [line.strip() for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
    words = " ".join(lines[:3]) or f"exit code {done.exit_code}"
    if DUBIOUS in done.stderr:
        return GitError(
            f"{shown(arguments)} failed in {cwd}: {lines[0]}; run `git config --global --add safe.directory {cwd}` "
            "first if you trust that folder (in a container job: as a step of its own before the gate)",
            kind="dubious_ownership",
        )
    if b"must be run in a work tree" in done.stderr:
        return GitError(
            f"{cwd} lies in a repository's own folder (`.git`, or a bare repository), where no files are checked out; "
            "run this in a checkout",
            kind="no_checkout",
        )
    return GitError(f"{shown(arguments)} failed in {cwd}: {words}", kind="git_failed")


def ambiguous(rev: str) -> GitError:
    """The error of a revision whose name is that of several things."""
    name = printable(re.split(r"[~^@:]", rev)[0])
    return GitError(
        f"{name} is the name of several things in this repository (`git show-ref {name}` lists them); expected one: "
        f"write it in full, as refs/heads/{name} or refs/remotes/{name}, or as a commit",
        kind="base_ambiguous",
    )


def shown(arguments: tuple[str, ...]) -> str:
    """A call of git as a person would write it."""
    return f"`git {printable(shlex.join(arguments))}`"
