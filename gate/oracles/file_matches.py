"""`file_matches`: a file matches a pattern."""

from gate.grading.content import Matches


class FileMatches(Matches, frozen=True, kw_only=True):
    """At least one file that the glob selects matches a pattern.

    `path` is a file of the task's workspace or a glob: `*` and `?` stay within a folder, `**` crosses folders, `[ab]`
    is a set, `{a,b}` one of several. A file that is called just so is selected too. Names that begin with a dot are
    names like others, and case is minded. `negate` turns the oracle round.

    `pattern` is a regular expression of JavaScript, not of Python: it matches anywhere, `^` and `$` mean the beginning
    and the end of the whole file, and flags stand at its start: `(?i)` minds no case, `(?m)` lets `^` and `$` match at
    lines, `(?s)` lets `.` match line ends. A pattern that is not valid is *error* before any file is looked for, and so
    is one that takes longer than a second. Files are read as UTF-8, and links are followed within the workspace.
    Where no file is selected it fails.
    """
