"""Trees put on disk: a throw-away folder for the commands of one trial, gone afterwards."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gate import process, surroundings
from gate.errors import CannotJudge, PathRefused
from gate.path import is_git_dir, is_plain
from gate.tree import EXECUTABLE, SUBMODULE, SYMLINK, Tree, follow

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - only the parent of a folder that mkdtemp makes
_ROOM = 1024 * process.MIB  # left for what commands write; in memory it is gone from the machine's
_LARGEST_COLLECTED = 64 * process.MIB
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def on_disk(tree: Tree) -> Iterator[Path]:
    """A new folder, readable by this user alone, that holds the tree; removed at the end whatever became of it.

    It lies in memory (tmpfs) where there is room and programs may be run from there, else in the system's folder for
    temporary files. Errors are those of `materialise`.
    """
    folder = _filled(tree)
    try:
        yield folder
    finally:
        _remove(folder)


def _filled(tree: Tree) -> Path:
    import tempfile  # 6 ms, and only a task with commands needs a disk

    for place in (_IN_MEMORY, None) if _is_useful(_IN_MEMORY) else (None,):
        folder = Path(tempfile.mkdtemp(prefix="gate-", dir=place)).resolve()
        try:
            materialise(tree, folder)
        except BaseException as error:
            _remove(folder)
            if place is None or not isinstance(error, CannotJudge):
                raise
        else:
            return folder
    raise AssertionError  # the last place returns or raises


def _is_useful(place: Path) -> bool:
    """Whether a folder in memory is there, has room, and lets programs be run from it."""
    if not (hasattr(os, "statvfs") and os.access(place, os.W_OK | os.X_OK)):
        return False
    found = os.statvfs(place)
    return not found.f_flag & getattr(os, "ST_NOEXEC", 0) and found.f_bavail * found.f_frsize >= _ROOM


def _remove(folder: Path) -> None:
    import shutil  # 3 ms, see above

    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):  # folders that a command locked, or nested deeper than Python can follow
        if os.name == "nt":
            shutil.rmtree(folder, ignore_errors=True)
            return
        script = 'chmod -R u+rwx -- "$0"; rm -rf -- "$0"'
        with contextlib.suppress(CannotJudge):
            process.run(
                ["/bin/sh", "-c", script, str(folder)],
                cwd=Path("/"),
                environment=surroundings.environment(),
                timeout=60,
            )


def kept(tree: Tree, folder: Path | None) -> Path:
    """A folder that holds the tree and stays: the one named, made where it is not there, or a new one.

    What else lies in it is left there. Errors are those of `materialise`.
    """
    if folder is None:
        import tempfile  # see above

        folder = Path(tempfile.mkdtemp(prefix="gate-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotJudge(f"{folder}: the folder cannot be made: {error.strerror}", kind="workspace") from None
    materialise(tree, folder.resolve(), filled=True)
    return folder


def materialise(tree: Tree, folder: Path, *, filled: bool = False) -> None:
    """Write every file of the tree beneath `folder`, which is empty, or may be `filled`: files are replaced then.

    Names are taken as git lists them, whatever they are on other systems; only those that would lead elsewhere or into
    `.git` are refused (PathRefused). Links are written last; one that leads out of the tree is refused. A submodule
    is an empty folder. CannotJudge where the system cannot hold the tree.
    """
    links: list[str] = []
    path = ""
    try:
        with _Writer(folder, filled=filled) as writer:
            for path in tree.paths():
                _check(path)
                mode = tree.mode(path)
                if filled and mode != SUBMODULE:
                    writer.remove(path)
                if mode == SYMLINK:
                    follow(tree, path)
                    links.append(path)
                elif mode == SUBMODULE:
                    writer.folder(path)
                else:
                    writer.file(path, tree.read(path), 0o755 if mode == EXECUTABLE else 0o644)
            for path in links:
                writer.link(path, tree.read(path))
    except FileExistsError:
        raise CannotJudge(
            f"{path!r} cannot be written to the workspace: its name, or that of a folder on the way, is taken already, "
            "as a file or by a name that this file system does not tell apart",
            kind="workspace",
        ) from None
    except OSError as error:
        raise CannotJudge(f"{path!r} cannot be written to the workspace: {error.strerror}", kind="workspace") from None


def update(folder: Path, changes: Iterable[tuple[str, bytes | None, int]], *, folders: Iterable[str] = ()) -> None:
    """Give files of a folder that `materialise` has filled other contents and modes; None takes one away.

    `folders` are made, where they are not there. Whatever programs have done there since, nothing is written through a
    link. CannotJudge where a file cannot be written, such as one whose name a folder has.
    """
    path = ""
    try:
        with _Writer(folder, filled=True) as writer:
            for path, data, mode in changes:
                _check(path)
                writer.remove(path)
                if data is not None:
                    writer.file(path, data, 0o755 if mode == EXECUTABLE else 0o644)
            for path in folders:
                _check(path)
                writer.folder(path)
    except OSError as error:
        raise CannotJudge(f"{path!r} cannot be written to the workspace: {error.strerror}", kind="workspace") from None


def collected(folder: Path, name: str) -> bytes | None:
    """A plain file that a command left in a folder; None for no file, a link, or one that is too large to read."""
    try:
        descriptor = os.open(folder / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_size > _LARGEST_COLLECTED:
            return None
        return file.read(_LARGEST_COLLECTED)


def _check(path: str) -> None:
    if not is_plain(path):
        raise PathRefused(f"{path!r} is no name of a file in a workspace", kind="path_not_normal")
    if os.sep != "/" and (os.sep in path or ":" in path):
        raise PathRefused(f"{path!r} is no name of a file on this system", kind="path_not_portable")
    if any(map(is_git_dir, path.split("/"))):
        raise PathRefused(f"{path!r} lies in git's own folder on some file system", kind="path_git_dir")


class _Writer:
    """Writes below one folder, never through a link: a path is walked folder by folder, each opened from the last.

    Paths come sorted, so those of one folder come together, and each folder is made and opened once.
    """

    def __init__(self, root: Path, *, filled: bool = False) -> None:
        self._root = root
        self._filled = filled
        self._by_descriptor = os.open in os.supports_dir_fd
        self._made: set[str] = set()
        self._walk: list[tuple[str, int | None]] = []

    def __enter__(self) -> "_Writer":
        self._walk.append(("", os.open(self._root, _FOLDER) if self._by_descriptor else None))
        return self

    def __exit__(self, *_: object) -> None:
        while self._walk:
            self._leave()

    def file(self, path: str, data: bytes, mode: int) -> None:
        place, parent = self._place(path)
        descriptor = os.open(place, _NEW, mode, dir_fd=parent)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        finally:
            os.close(descriptor)

    def remove(self, path: str) -> None:
        """Take a file or a link away, if there is one."""
        place, parent = self._place(path)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place, dir_fd=parent)

    def link(self, path: str, target: bytes) -> None:
        place, parent = self._place(path)
        os.symlink(target if isinstance(place, bytes) else os.fsdecode(target), place, dir_fd=parent)

    def folder(self, path: str) -> None:
        self._place(f"{path}/")

    def _place(self, path: str) -> tuple[bytes | str, int | None]:
        """How to name the path to the system, and the open folder that the name is in."""
        folder, _, name = path.rpartition("/")
        while self._here and not f"{folder}/".startswith(f"{self._here}/"):
            self._leave()
        for part in filter(None, folder[len(self._here) :].split("/")):
            self._enter(part)
        return self._named(path, name), self._walk[-1][1]

    @property
    def _here(self) -> str:
        return self._walk[-1][0]

    def _named(self, path: str, name: str) -> bytes | str:
        return _system(name) if self._by_descriptor else str(self._root / path)

    def _enter(self, name: str) -> None:
        here = f"{self._here}/{name}" if self._here else name
        place, parent = self._named(here, name), self._walk[-1][1]
        if here not in self._made:
            # In a filled folder it may be there; a link or a file in its place is refused when it is opened.
            with contextlib.suppress(*([FileExistsError] if self._filled else [])):
                os.mkdir(place, dir_fd=parent)
            self._made.add(here)
        self._walk.append((here, os.open(place, _FOLDER, dir_fd=parent) if self._by_descriptor else None))

    def _leave(self) -> None:
        descriptor = self._walk.pop()[1]
        if descriptor is not None:
            os.close(descriptor)


def _system(name: str) -> bytes | str:
    """The name as it goes to the system: bytes where names are bytes, whatever the locale."""
    return name if os.name == "nt" else name.encode("utf-8", "surrogateescape")
