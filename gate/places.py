"""Where the paths of a recording lie in the workspace."""

import posixpath

from gate.path import into, is_windows, plain


class Places:
    """The recorded working directory, and further checkouts of the same repository that the agent moved to."""

    def __init__(self, directory: str | None, roots: tuple[str, ...]) -> None:
        self._windows = False
        self._roots: list[str] = []
        if not directory:
            return
        found = [directory, *roots]
        self._windows = any(is_windows(root) for root in found if root)
        self._roots = sorted((self._plain(root) for root in found if root), key=len, reverse=True)

    def find(self, recorded: str, directory: str | None) -> str:
        """The workspace path of a recorded one; a relative one starts at `directory`. PathRefused as `into` has it."""
        path = self._plain(recorded)
        if not self._roots:
            return into(path, None)
        if directory and not posixpath.isabs(path):
            whole = posixpath.join(self._plain(directory), path)
            if self._root(whole) is None:
                into(path, None)  # one that leads out says so itself; any other lies beside the workspace
            path = whole
        return into(path, self._root(path) or self._roots[0])

    def _root(self, path: str) -> str | None:
        whole = posixpath.normpath(path)
        return next((root for root in self._roots if whole.startswith(root + "/")), None)

    def _plain(self, path: str) -> str:
        return plain(path, windows=self._windows)
