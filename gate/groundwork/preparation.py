"""Start workspaces that commands make ready: the commands are run when somebody first looks at the tree."""

import functools
from collections.abc import Iterator, Sequence

from gate.command import Shell, failure, without_old_links
from gate.errors import CannotJudge
from gate.groundwork.snapshot import taken
from gate.task import Setup
from gate.tree import Tree


class Prepared(Tree):
    """A tree, and what commands make of it; they are run once, one after the other, at the top of it.

    Every method raises CannotJudge where a command fails, takes longer than its limit, or leaves a process running.
    """

    def __init__(self, start: Tree, setup: Sequence[Setup], shell: Shell) -> None:
        self._start, self._setup, self._shell = start, tuple(setup), shell
        self._problem: CannotJudge | None = None
        self.algorithm = start.algorithm

    @functools.cached_property
    def _tree(self) -> Tree:
        from gate.workspace import on_disk  # where nothing is in scope, nothing is put on disk

        put = without_old_links(self._start, self._start)
        with on_disk(put) as place:
            for number, step in enumerate(self._setup, 1):
                done = self._shell.run(step.command, cwd=place, timeout=step.seconds)
                said = failure(done, f"command {number} of the environment", step.seconds)
                if said:
                    raise CannotJudge(said, kind="setup")
            return taken(place, self._start, put)

    def _made(self) -> Tree:
        if self._problem is None:
            try:
                return self._tree
            except CannotJudge as error:
                self._problem = error
        raise self._problem

    def paths(self) -> Iterator[str]:
        """Every path, sorted."""
        return self._made().paths()

    def mode(self, path: str) -> int | None:
        """The file's mode, or None where there is no such file."""
        return self._made().mode(path)

    def read(self, path: str) -> bytes:
        """The file's bytes. KeyError where there is no such file."""
        return self._made().read(path)

    def read_at_most(self, path: str, limit: int) -> bytes | None:
        """The file's bytes, or None when there are more than `limit`. KeyError where there is no such file."""
        return self._made().read_at_most(path, limit)

    def blob(self, path: str) -> str:
        """The file's git blob id. KeyError where there is no such file."""
        return self._made().blob(path)
