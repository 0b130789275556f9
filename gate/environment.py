"""Start workspaces that are put together: this repository or another one on this machine, and files over it."""

import posixpath
from collections.abc import Iterator
from pathlib import Path

from gate.errors import GateError, PathRefused, SourceError, TaskError
from gate.git import Git
from gate.path import confined, printable
from gate.review import Review
from gate.source import Source
from gate.task import Environment, FileFrom, Repository, Task
from gate.tree import REGULAR, MemoryTree, Overlay, Subtree, Tree


def built(environment: Environment, review: Review, judge: Source, task: Task) -> Tree:
    """The tree of an environment; files come from the judge's source. TaskError says what cannot be had."""
    where = f"{task.place}: `environment"
    try:
        base = _repository(environment.repository, review, where) if environment.repository else MemoryTree({})
        files: dict[str, bytes | None] = {}
        modes: dict[str, int] = {}
        for file in environment.files:
            for path, data, mode in _contents(file, judge):
                files[path], modes[path] = data, mode
        return Overlay(base, files, modes=modes) if files else base
    except (SourceError, PathRefused) as error:
        raise TaskError(f"{where}.files`: {error.message}", kind=error.kind) from None


def _contents(file: FileFrom, judge: Source) -> Iterator[tuple[str, bytes, int]]:
    """The files that one entry of an environment stands for, each with its mode."""
    if file.source is None:
        yield confined(file.at), (file.text or "").encode("utf-8", "surrogateescape"), REGULAR
        return
    if file.source in judge.tree:
        yield confined(file.at), judge.read(file.source), judge.tree.mode(file.source) or REGULAR
        return
    folder = Subtree(judge.tree, "" if file.source == "." else file.source)
    found = False
    for path in folder.paths():
        found = True
        yield confined(posixpath.join(file.at, path)), folder.read(path), folder.mode(path) or REGULAR
    if not found:
        judge.read(file.source)  # says why there is none
        raise SourceError(f"{printable(file.source)}: there is no such file in {judge.label}", kind="not_found")


def _repository(repository: Repository, review: Review, where: str) -> Tree:
    wrong = f"{where}.git`: "
    git = review.git
    if repository.url is not None:
        git = _elsewhere(repository.url, review, wrong)
    elif git is None:
        raise TaskError(f"{wrong}a worktree needs a git repository, and here is none", kind="workspace")
    elif repository.ref is None:
        return _thinned(review.start(), repository.sparse)
    if git is None:
        raise TaskError(f"{wrong}there is no git repository at {printable(str(repository.url))}", kind="workspace")
    commit = git.resolve(repository.ref or "HEAD")
    if commit is None:
        reason = f"{printable(repository.ref or 'HEAD')} names no commit there"
        raise TaskError(wrong + reason, kind="workspace")
    return _thinned(git.tree(commit), repository.sparse)


def _elsewhere(url: str, review: Review, wrong: str) -> Git | None:
    """The repository at a path of this machine, which is relative to the top of the checkout."""
    path = url.removeprefix("file://")
    remote = "://" in path or (":" in path.split("/")[0] and not Path(path).is_absolute())
    if remote:
        reason = f"{printable(url)} is not on this machine, and the gate does not fetch"
        raise TaskError(f"{wrong}{reason}; clone it beside this repository and name that folder", kind="workspace")
    place = review.top / path
    if not place.is_dir():
        raise TaskError(f"{wrong}there is no folder {printable(str(place))}", kind="workspace")
    try:
        return review.repository(place)
    except GateError as error:
        raise TaskError(f"{wrong}{error.message}", kind=error.kind) from None


def _thinned(tree: Tree, folders: tuple[str, ...]) -> Tree:
    """The tree with these folders and the files at its top alone; all of it where no folder is named."""
    if not folders:
        return tree
    wanted = tuple(f"{folder.strip('/')}/" for folder in folders)
    return Overlay(tree, {path: None for path in tree.paths() if "/" in path and not path.startswith(wanted)})
