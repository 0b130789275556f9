"""Submodules that a change brings, moves or takes away: of each the tree holds the id of a commit alone."""

from collections.abc import Iterator

from gate.changes.diff import Change, Entry
from gate.path import printable
from gate.report import Finding, Severity
from gate.tree import SUBMODULE

_SHORT = 12


def found(change: Change | None) -> Iterator[Finding]:
    """One finding for each, a warning where content comes that nobody judges here.

    Where all files count as added, and where a submodule is taken away, a notice.
    """
    for entry in change.entries if change else ():
        if SUBMODULE in (entry.old_mode, entry.new_mode):
            comes = entry.new_mode == SUBMODULE and not (change and change.everything)
            yield Finding(
                severity=Severity.WARNING if comes else Severity.NOTICE,
                kind="submodule_changed",
                path=entry.path,
                message=_told(entry, everything=bool(change and change.everything)),
            )


def _told(entry: Entry, *, everything: bool) -> str:
    name = f"the submodule {printable(entry.path)}"
    old, new = entry.old_id[:_SHORT], entry.new_id[:_SHORT]
    if everything:
        return f"Here is {name} at commit {new}: its content is not judged here."
    if entry.new_mode != SUBMODULE:
        return f"This change takes away {name} at commit {old}: its content is not judged here."
    if entry.old_mode != SUBMODULE:
        return f"This change brings {name} at commit {new}: its content is not judged here."
    return f"This change moves {name} from commit {old} to {new}: its content is not judged here."
