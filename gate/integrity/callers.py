"""Files that start the gate: workflows, and the hook's configuration.

GitHub, GitLab and pre-commit take them from the change itself, so unlike the judge's files they count at once.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from gate.errors import SourceError
from gate.path import printable
from gate.report import Finding, Severity
from gate.review import Review
from gate.tree import Tree

_FOLDERS = (".github/workflows/", ".github/actions/")
_FILES = (".pre-commit-config.yaml", ".gitlab-ci.yml")
_OTHERS = (
    *(".circleci/", ".buildkite/", ".forgejo/", ".gitea/", ".woodpecker/", ".teamcity/", ".husky/"),
    *(
        "azure-pipelines.y",
        "bitbucket-pipelines.y",
        ".drone.y",
        ".woodpecker.y",
        ".travis.y",
        "lefthook.",
        ".lefthook.",
    ),
    *("Jenkinsfile", "prek.toml"),
)
"""How the names of others begin that are worth a word only where they name the gate."""
_CALL = re.compile(rb"trajectory-gate|\bgate +(?:run|publish)\b")
_LIMIT = 1024 * 1024  # bytes of one that are looked through


class Callers(msgspec.Struct, frozen=True):
    """What to know of such files that a change touches, and which of them start, or started, the gate."""

    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()


def found(review: Review) -> Callers:
    """The files of this kind that the change touches."""
    change = review.change
    if change is None or change.everything:
        return Callers()
    paths = [path for path in change.paths if path in _FILES or path.startswith((*_FOLDERS, *_OTHERS))]
    # Most changes touch none, and are not to wait until git's objects can be read.
    findings = tuple(told(paths, review.start(), review.head.tree)) if paths else ()
    return Callers(findings, tuple(str(one.path) for one in findings if one.severity is Severity.WARNING))


def told(paths: Iterable[str], before: Tree, after: Tree) -> Iterator[Finding]:
    """A warning of each of the files that starts, or started, the gate; a notice of the other workflows and hooks."""
    for path in paths:
        calls = _calls(before, path) or _calls(after, path)
        if not calls and path.startswith(_OTHERS):
            continue
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
