"""`assertion_exists`: a pattern is found in a file."""

import posixpath
from collections.abc import Iterator

from gate.diffs.blame import split, standing
from gate.oracle import Oracle, Pattern, Trial
from gate.path import is_plain
from gate.report import Evidence, Finding
from gate.tree import SUBMODULE, follow


class AssertionExists(Oracle, frozen=True):
    r"""The pattern is still found in the file after the agent's edits.

    `path` is one file of the task's workspace. `pattern` is a regular expression of Python's dialect that is searched
    for anywhere in the file; `^` and `$` match at every line. A search that takes longer than a second, and a pattern
    that is not valid, is *error*. Write it as text in single quotes, and escape what is meant literally:
    `pattern: 'assert add\(1, 2\) == 3'`. A pattern that is too broad passes without a word: match the whole assertion.

    The file is read as UTF-8; a byte that is none matches no character but itself (`\udcff` for the byte 255). A link
    is followed to the file that it names in the workspace. Where the pattern is missing and was there before, the
    finding stands at the line that took its place.
    """

    path: str
    pattern: Pattern

    def judge(self, trial: Trial) -> Iterator[Finding | Evidence]:
        """Search the file once."""
        path = posixpath.normpath(self.path)
        if is_plain(path):
            path = follow(trial.after, path)
        if trial.after.mode(path) in (None, SUBMODULE):
            yield Finding(message=f"File not found: {self.path}", path=path, kind="file_not_found")
            return
        text = trial.after.read(path).decode("utf-8", "surrogateescape")
        found = self.pattern.search(text)
        if found is None:
            message = f"Assertion pattern missing in {self.path}: '{self.pattern}'"
            yield Finding(message=message, path=path, line=self._lost_at(path, trial), kind="pattern_missing")
        else:
            line = text.count("\n", 0, found.start()) + 1
            yield Evidence(message=f"Assertion pattern found in {self.path}", path=path, line=line)

    def _lost_at(self, path: str, trial: Trial) -> int | None:
        """The line at which it stood before, or what is there now; None where it did not."""
        if trial.before.mode(path) in (None, SUBMODULE) or trial.before.same(path, trial.after):
            return None
        old, new = trial.before.read(path), trial.after.read(path)
        text = old.decode("utf-8", "surrogateescape")
        found = self.pattern.search(text)
        return standing(split(old), split(new), text.count("\n", 0, found.start()) + 1) if found else None
