"""`diff_empty`: nothing was changed."""

from collections.abc import Iterator
from typing import ClassVar

from gate.oracle import Oracle, Trial
from gate.path import printable
from gate.report import Evidence, Finding

_MOST = 20


class DiffEmpty(Oracle, frozen=True, kw_only=True):
    """Nothing in the workspace was changed: no file was added, modified or deleted, and no mode was changed.

    The start is the workspace after its setup. What the workspace's `.gitignore` files ignore does not count, but for
    files that were there and not ignored before.

    It holds where nobody has done anything, so a baseline says nothing about it.
    """

    asserts_absence: ClassVar[bool] = True

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Compare the trees; a finding for each file."""
        changed = trial.changed
        if not changed:
            yield Evidence(message="Nothing was changed")
        for one in changed[:_MOST]:
            yield Finding(message=f"File was {one.verb}: {printable(one.path)}", kind="diff_not_empty", path=one.path)
        if len(changed) > _MOST:
            yield Finding(message=f"{len(changed) - _MOST} more files were changed", kind="diff_not_empty")
