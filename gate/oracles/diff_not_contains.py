"""`diff_not_contains`: a text or a pattern is not in the diff."""

from collections.abc import Iterator
from typing import ClassVar

from gate.grading.difftext import Sought
from gate.oracle import Trial
from gate.report import Evidence, Finding


class DiffNotContains(Sought, frozen=True, kw_only=True):
    """The diff does not contain a text, or matches no pattern.

    The diff is everything that changed from the start workspace, after its setup, to the end: unified, in git's form,
    with `a/` and `b/` before the names, without renames. What the workspace's `.gitignore` files ignore is no part of
    it, but for files that were there and not ignored before. Exactly one of `value`, a text as it is written, and
    `pattern`, a regular expression of JavaScript (flags at its start: `(?i)`, `(?m)`, `(?s)`), is looked for anywhere
    in it: in added, removed and context lines and in heads. `value: "+import os"` finds an added line.

    It holds where nobody has done anything, so a baseline says nothing about it.
    """

    asserts_absence: ClassVar[bool] = True

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search the diff once."""
        spot = self.spot(trial)
        has, has_not = self.verbs
        if spot is None:
            yield Evidence(message=f"The diff {has_not}")
        else:
            found = Finding(
                message=f"The diff {has}", kind="diff_forbidden", path=spot.path, line=spot.line, details=spot.text
            )
            yield found
