"""Patches applied by git, many at once, in a throw-away work tree whose git directory nobody else has written."""

import os
import posixpath
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gate import process, surroundings
from gate.errors import CannotJudge, GateError, PathRefused
from gate.groundwork import patchtext
from gate.groundwork.patchtext import Patch
from gate.groundwork.snapshot import changed
from gate.path import printable
from gate.source import DiskTree
from gate.tree import EXECUTABLE, REGULAR, SYMLINK, MemoryTree, Tree
from gate.workspace import on_disk

_MOST = 400
"""Patches of one call: the names of that many fit on a command line of every system."""

_LIMIT = 120.0
_LARGEST = 128 * process.MIB
"""What a patch may copy and unpack: a few lines of it can ask for any number of bytes."""
# Nothing of the machine's configuration counts, nor what a `.gitattributes` of the workspace says: contents are bytes.
_TRUSTED = {
    "git/HEAD": b"ref: refs/heads/main\n",
    "git/config": b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
    "git/info/attributes": b"* -text !eol !filter !ident !working-tree-encoding\n",
    "git/objects/info/alternates": b"",
    "git/refs/heads/none": b"",
}
_SETTINGS = (
    *("-c", "core.protectHFS=true"),
    *("-c", "core.protectNTFS=true"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.symlinks=true"),
)
_APPLY = ("apply", "--whitespace=nowarn", "--")


class Job(msgspec.Struct, frozen=True):
    """A tree, and the patch that is to be applied to it."""

    start: Tree
    patch: bytes


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """The patched tree, or what git says of a patch that it does not apply; `kind` as in errors."""

    tree: Tree | None = None
    problem: str = ""
    kind: str = ""


def apply(jobs: Sequence[Job]) -> list[Applied]:
    """Apply every patch to its own tree, in as few processes as git allows.

    A patch is taken as git takes it: whole or not at all. Links, submodules, `.git` and names that lead out are
    refused. Nothing raises: where git cannot be started, that is every patch's problem.
    """
    found: dict[int, Applied] = {}
    together: list[_Laid] = []
    listings: dict[int, list[str]] = {}
    for number, job in enumerate(jobs):
        try:
            patch = patchtext.parse(job.patch)
            for name in patch.names:
                _check_link(job.start, name)
            _check_size(job.start, patch)
        except GateError as error:
            found[number] = Applied(problem=error.message, kind=error.kind)
            continue
        if patch.plain and not _is_folder(job.start, patch, listings):
            together.append(_Laid(number, job, patch))
        else:
            found[number] = _alone(job)
    for begin in range(0, len(together), _MOST):
        part = together[begin : begin + _MOST]
        try:
            found |= _together(part)
        except GateError:  # a file that cannot be laid down is one patch's fault
            found |= {each.number: _alone(each.job) for each in part}
    return [found[number] for number in range(len(jobs))]


def _check_link(start: Tree, name: str) -> None:
    """PathRefused for a file that is a link in the tree, or lies beyond one."""
    for place in (name, *_above(name)):
        if start.mode(place) == SYMLINK:
            raise PathRefused(f"it names {printable(name)}, and {printable(place)} is a link", kind="symlink")


def _check_size(start: Tree, patch: Patch) -> None:
    """PathRefused where the patch makes more than is kept of what it neither holds nor changes."""
    size = patch.packed
    for name in patch.copies:
        size += len(start.read(name)) if size <= _LARGEST and start.mode(name) in (REGULAR, EXECUTABLE) else 0
    if size > _LARGEST:
        raise PathRefused(f"it copies and unpacks more than {_LARGEST} bytes", kind="expansion")


def _is_folder(start: Tree, patch: Patch, listings: dict[int, list[str]]) -> bool:
    """Whether a new name of the patch is a folder of the tree, or lies below a file: git must see all of it then."""
    for name in patch.names:
        if name in start:
            continue
        paths = listings.get(id(start)) or listings.setdefault(id(start), sorted(start.paths()))
        at = bisect_left(paths, f"{name}/")
        below = at < len(paths) and paths[at].startswith(f"{name}/")
        if below or any(above in start for above in _above(name)):
            return True
    return False


def _above(name: str) -> Iterator[str]:
    while "/" in name:
        name = posixpath.dirname(name)
        yield name


class _Laid:
    """One of several patches that are applied in one work tree, each in a folder of its own."""

    def __init__(self, number: int, job: Job, patch: Patch) -> None:
        self.number, self.job, self.patch = number, job, patch
        self.folder = f"w{number}"

    def files(self) -> Iterator[tuple[str, bytes, int]]:
        """The files that the patch names, and the patch itself with a last file that tells that git applied it."""
        for name in self.patch.names:
            mode = self.job.start.mode(name)
            if mode is not None:
                yield f"work/{self.folder}/{name}", self.job.start.read(name), mode
        mark = f"done/{self.folder}"
        head = f"diff --git a/{mark} b/{mark}\nnew file mode 100644\n--- /dev/null\n+++ b/{mark}\n"
        sentinel = f"{head}@@ -0,0 +1 @@\n+x\n".encode()
        yield f"patches/{self.folder}", self.patch.within(self.folder) + sentinel, REGULAR

    def result(self, place: Path) -> Tree:
        """The tree with the files as git has left them."""
        return changed(self.job.start, DiskTree(place / "work" / self.folder), self.patch.names)


def _together(laid: Sequence[_Laid]) -> dict[int, Applied]:
    """git stops at the first patch that it does not apply: that one is told, and the rest is handed to it again."""
    files, modes = dict(_TRUSTED), {}
    files["work/done/none"] = b""
    for each in laid:
        for path, data, mode in each.files():
            files[path], modes[path] = data, mode
    found: dict[int, Applied] = {}
    with on_disk(MemoryTree(files, modes=modes)) as place:
        rest = list(laid)
        while rest:
            done = _git(place, [f"../patches/{each.folder}" for each in rest])
            marks = DiskTree(place / "work" / "done")
            count = next((at for at, each in enumerate(rest) if each.folder not in marks), len(rest))
            found |= {each.number: Applied(tree=each.result(place)) for each in rest[:count]}
            if count < len(rest):
                words = _words(done.stderr, f"{rest[count].folder}/")
                found[rest[count].number] = Applied(problem=words, kind="patch")
            rest = rest[count + 1 :]
    return found


def _alone(job: Job) -> Applied:
    """One patch on the whole tree: git reads the names that are not written plainly."""
    start = job.start
    inside = {path: start.mode(path) or REGULAR for path in start.paths()}
    inside = {path: mode for path, mode in inside.items() if mode in (REGULAR, EXECUTABLE)}
    files = {**_TRUSTED, **{f"work/{path}": start.read(path) for path in inside}, "patches/0": job.patch + b"\n"}
    modes = {f"work/{path}": mode for path, mode in inside.items()}
    try:
        with on_disk(MemoryTree({**files, "work/.keep-0": b""}, modes=modes)) as place:
            done = _git(place, ["../patches/0"])
            if done.exit_code:
                return Applied(problem=_words(done.stderr, ""), kind="patch")
            after = DiskTree(place / "work")
            tree = changed(start, after, sorted({*inside, *after.paths()} - {".keep-0"}))
        for name in tree.changes:
            _check_link(start, name)
            if tree.mode(name) == SYMLINK:
                raise PathRefused(f"it makes {printable(name)} a symbolic link", kind="symlink")
    except GateError as error:
        return Applied(problem=error.message, kind=error.kind)
    return Applied(tree=tree)


def _git(place: Path, patches: Sequence[str]) -> process.Completed:
    """`git apply` in the work tree, with the git directory beside it. CannotJudge where it does not start or end."""
    more = {
        "GIT_DIR": str(place / "git"),
        "GIT_WORK_TREE": str(place / "work"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LANGUAGE": "",
        "LC_ALL": "C.UTF-8",
    }
    command = (surroundings.own("git", place), *_SETTINGS, *_APPLY, *patches)
    done = process.capture(command, cwd=place / "work", environment=surroundings.environment(more), timeout=_LIMIT)
    if done.timed_out:
        raise CannotJudge(f"`git apply` took longer than {_LIMIT:g} s and was ended", kind="timeout")
    if done.exit_code == 127:
        reason = done.stderr.decode(errors="replace")
        raise CannotJudge(f"git cannot be started to apply a patch: {reason}", kind="no_git")
    return done


def _words(stderr: bytes, folder: str) -> str:
    """What git says of a patch, in one line, by the names that the patch has."""
    lines = stderr.decode("utf-8", "replace").replace(folder, "").splitlines() if folder else []
    lines = lines or stderr.decode("utf-8", "replace").splitlines()
    said = [line.removeprefix("error: ").strip() for line in lines if line.startswith(("error: ", "fatal: "))]
    return printable("; ".join(said[:3])) or "git does not apply it, and says nothing"
