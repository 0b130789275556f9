"""Files that start the gate: workflows, and the hook's configuration.

GitHub, GitLab and pre-commit take them from the change itself, so unlike the judge's files they count at once.
"""

import re
from collections.abc import Iterable, Iterator

from gate.errors import SourceError
from gate.path import printable
from gate.report import Finding, Severity
from gate.review import Review
from gate.tree import Tree

_FOLDERS = (".github/workflows/", ".github/actions/")
_FILES = (".pre-commit-config.yaml", ".gitlab-ci.yml")
_CALL = re.compile(rb"trajectory-gate|\bgate +(?:run|publish)\b")
_LIMIT = 1024 * 1024  # bytes of one that are looked through


def found(review: Review) -> tuple[Finding, ...]:
    """What to know of each such file that the change touches."""
    change = review.change
    if change is None or change.everything:
        return ()
    paths = [path for path in change.paths if path in _FILES or path.startswith(_FOLDERS)]
    # Most changes touch none, and are not to wait until git's objects can be read.
    return tuple(told(paths, review.start(), review.head.tree)) if paths else ()


def told(paths: Iterable[str], before: Tree, after: Tree) -> Iterator[Finding]:
    """A warning of each of the files that starts, or started, the gate; a notice of the others."""
    for path in paths:
        calls = _calls(before, path) or _calls(after, path)
        does = "starts the gate" if calls else "may start what guards a merge"
        yield Finding(
            severity=Severity.WARNING if calls else Severity.NOTICE,
            kind="judge_caller",
            path=path,
            message=f"This change touches {printable(path)}, which {does}. That counts at once, in the run for this "
            "change too: read it before you trust a verdict.",
        )


def _calls(tree: Tree, path: str) -> bool:
    """Whether the file names the gate; one too large to tell does."""
    try:
        data = tree.read_at_most(path, _LIMIT)
    except (KeyError, SourceError):
        return False
    return data is None or _CALL.search(data) is not None
