"""`file_not_matches`: no file matches a pattern."""

from typing import ClassVar

from gate.grading.content import Matches


class FileNotMatches(Matches, frozen=True, kw_only=True):
    """No file that the glob selects matches a pattern.

    `path` is a file of the task's workspace or a glob: `*` and `?` stay within a folder, `**` crosses folders, `[ab]`
    is a set, `{a,b}` one of several. A file that is called just so is selected too. Names that begin with a dot are
    names like others, and case is minded. `negate` turns the oracle round.

    `pattern` is a regular expression of JavaScript, not of Python: it matches anywhere, `^` and `$` mean the beginning
    and the end of the whole file, and flags stand at its start: `(?i)` minds no case, `(?m)` lets `^` and `$` match at
    lines, `(?s)` lets `.` match line ends. A pattern that is not valid is *error* before any file is looked for, and so
    is one that takes longer than a second. Files are read as UTF-8, and links are followed within the workspace.
    Where no file is selected it passes, and says so.

    It holds where nobody has done anything, so a baseline says nothing about it.
    """

    asserts_absence: ClassVar[bool] = True
