"""What lies in the checkout and in no commit: where the change is named by commits nobody judges it."""

import os

from gate.git import Git

_STATUS = (
    *("--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=no", "--no-renames"),
    "--ignore-submodules=dirty",
)


def told(git: Git, *, named: bool) -> tuple[str, ...]:
    """A sentence on staged files, and one on files that are only changed; `named` where `--base` names the commits."""
    settings = _without_programs(git)
    if settings is None:
        return ()
    letters = [entry[:2] for entry in os.fsdecode(git.run(*settings, *_STATUS)).split("\0") if entry]
    staged = sum(pair[0] != " " for pair in letters)
    return (*_staged(staged if named else 0), *_changed(len(letters) - staged))


def _staged(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    files, them = ("1 file is", "it") if count == 1 else (f"{count} files are", "them")
    return (f"{files} staged and not judged, since `--base` names commits; commit {them}, or run without `--base`",)


def _changed(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    if count == 1:
        return ("1 changed file is not committed and has no say; commit it first to have it judged",)
    return (f"{count} changed files are not committed and have no say; commit them first to have them judged",)


def _without_programs(git: Git) -> list[str] | None:
    """Settings by which `git status` starts none of the filters that the configuration names; None without a way."""
    names = os.fsdecode(git.run("config", "--list", "--name-only", "-z")).split("\0")
    filters = {name for name in names if name.startswith("filter.")}
    if any("=" in name for name in filters):
        return None
    off = {".clean": "", ".process": "", ".required": "false"}
    pairs = ((name, name[name.rindex(".") :]) for name in sorted(filters))
    return [word for name, key in pairs if key in off for word in ("-c", f"{name}={off[key]}")]
