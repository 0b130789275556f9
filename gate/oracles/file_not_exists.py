"""`file_not_exists`: a file is not there."""

from typing import ClassVar

from gate.grading.content import Existence


class FileNotExists(Existence, frozen=True, kw_only=True):
    """No file that the glob selects is there at the end.

    `path` is a file of the task's workspace or a glob: `*` and `?` stay within a folder, `**` crosses folders, `[ab]`
    is a set, `{a,b}` one of several. A file that is called just so is selected too. Names that begin with a dot are
    names like others, and case is minded. `negate` turns the oracle round.

    A folder that holds a file is there too; a glob that ends in a slash selects folders alone. A link is there,
    wherever it leads.

    It holds where nobody has done anything, so a baseline says nothing about it.
    """

    asserts_absence: ClassVar[bool] = True
