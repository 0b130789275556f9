"""`file_contains`: a text is in a file."""

from gate.grading.content import Holds


class FileContains(Holds, frozen=True, kw_only=True):
    """At least one file that the glob selects contains a text.

    `path` is a file of the task's workspace or a glob: `*` and `?` stay within a folder, `**` crosses folders, `[ab]`
    is a set, `{a,b}` one of several. A file that is called just so is selected too. Names that begin with a dot are
    names like others, and case is minded. `negate` turns the oracle round.

    `value` is looked for as it is written, case and all. Files are read as UTF-8, a byte that is none is U+FFFD, and
    links are followed within the workspace.
    Where no file is selected it fails.
    """
