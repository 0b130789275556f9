"""Where recorded commands are repeated: the files in memory, and a throw-away workspace on disk for programs."""

import os
import posixpath
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from gate import process, readiness, surroundings
from gate.cmdline.lexer import Word
from gate.cmdline.target import alternatives
from gate.editing.files import Files
from gate.errors import CannotApply, CannotJudge, NotRepeated, PathRefused, SourceError
from gate.path import confined, printable
from gate.places import Places
from gate.process import Completed
from gate.repeating.formatters import FORMATTERS
from gate.source import LIMIT, DiskTree
from gate.tree import EXECUTABLE, REGULAR, SUBMODULE, SYMLINK, MemoryTree, Overlay
from gate.workspace import on_disk, update

_MOST = 10  # times the limit of one program is the limit of all that is repeated
_MOST_NAMES = 100
_MOST_WRITES = 20_000
_MOST_BYTES = 512 * process.MIB  # recorded commands may double a file, or a folder, again and again
_OFFLINE = {
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "CARGO_NET_OFFLINE": "true",
    "RUSTUP_AUTO_INSTALL": "0",
    "CHECKPOINT_DISABLE": "1",  # terraform
    "DENO_NO_UPDATE_CHECK": "1",
    "NO_UPDATE_NOTIFIER": "1",
}
_PLAIN = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LANGUAGE": "", "LC_ALL": "C.UTF-8"}


class Site:
    """The state that repeated commands work on. Use it as a context manager: the workspace is gone at the end.

    `interest` are the paths that are read back after a program has run. `seconds` limits one program, and ten times
    that all of them together. Paths are those of the workspace; a folder is a path too, "" the whole. `made` are the
    folders that a command has made; `staged` and `committed` say that git's index, or its HEAD too, may hold something
    else than the start tree.
    """

    files: Files
    _places: Places

    def __init__(self, *, interest: Iterable[str], seconds: float) -> None:
        self._interest = frozenset(interest)
        self._seconds, self._left = seconds, _MOST * seconds
        self._writes = self._bytes = 0
        self._stack = ExitStack()
        self._disk: Path | None = None
        self._there: dict[str, tuple[bytes | None, int]] = {}
        self.made: set[str] = set()
        self.staged = self.committed = False

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def at(self, files: Files, places: Places) -> Iterator[None]:
        """Go on with these files, which a replay changes in between; the time that it takes counts."""
        self.files, self._places = files, places
        started = time.monotonic()
        try:
            yield
        finally:
            self._left -= time.monotonic() - started

    @contextmanager
    def whole(self) -> Iterator[None]:
        """A command is done as a whole: what it did before it could not go on is taken back.

        NotRepeated once repeating has taken ten times the limit of one program.
        """
        if self._left <= 0:
            raise NotRepeated(f"repeating has taken {_MOST * self._seconds:g} s already", kind="time_limit")
        changes, modes, made = dict(self.files.changes), dict(self.files.modes), set(self.made)
        try:
            yield
        except NotRepeated:
            self.files.changes, self.files.modes, self.made = changes, modes, made
            raise

    def place(self, word: str, folder: str | None) -> str:
        """The path that a word names for a command in `folder` (None: not known). NotRepeated for one outside."""
        if not posixpath.isabs(word) and folder is None:
            raise NotRepeated("the folder that it ran in is not one of the workspace", kind="directory")
        try:
            if posixpath.isabs(word):
                found = self._places.find(posixpath.join(posixpath.normpath(word), "_"), None)
                return posixpath.dirname(found)
            path = posixpath.normpath(posixpath.join(folder or "", word))
            return "" if path == "." else confined(path)
        except PathRefused:
            raise NotRepeated(f"{printable(word)} lies outside of the workspace", kind="path_escape") from None

    def read(self, path: str) -> bytes:
        """A file's bytes. NotRepeated where there is no plain file."""
        mode = self.files.mode(path) if path else None
        if mode is None:
            what = "is a folder" if self.is_folder(path) else "is not in the workspace"
            raise NotRepeated(f"{printable(path or '.')} {what}", kind="no_file")
        if mode in (SYMLINK, SUBMODULE):
            raise NotRepeated(f"{printable(path)} is a link or a submodule", kind="symlink_in_path")
        return self.files.content(path) or b""

    def write(self, path: str, content: bytes, mode: int | None = None) -> None:
        """Give a file its content. NotRepeated where there can be no such file."""
        if not path or path in self.made:
            raise NotRepeated(f"{printable(path or '.')} is a folder", kind="path_folder_in_way")
        self._writes += 1
        self._bytes += len(content) if content is not self.files.content(path) else 0
        if len(content) > LIMIT or self._bytes > _MOST_BYTES or self._writes > _MOST_WRITES:
            raise NotRepeated("repeated commands write more than is kept", kind="too_large")
        try:
            self.files.write(path, content, mode)
        except CannotApply as error:
            raise NotRepeated(error.message, kind=error.kind) from None

    def remove(self, path: str) -> None:
        """Take a file away. NotRepeated where a link is on the way to it."""
        try:
            self.files.remove(path)
        except CannotApply as error:
            raise NotRepeated(error.message, kind=error.kind) from None

    def make_folder(self, path: str) -> None:
        """Have a folder, which holds nothing yet."""
        while path:
            self.made.add(path)
            path = posixpath.dirname(path)

    def drop_folder(self, path: str) -> None:
        """Have no folder of that name any more."""
        self.made = {made for made in self.made if made != path and not made.startswith(f"{path}/")}

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""
        prefix = f"{path}/"
        return not path or path in self.made or any(name.startswith(prefix) for name in self.files.paths())

    def expanded(self, word: Word, folder: str | None) -> list[str]:
        """What a shell makes of a word: its text, or the names that its pattern matches.

        NotRepeated where that needs a variable, the output of a command or the home folder.
        """
        if word.expanded:
            raise NotRepeated(f"only a shell would tell what {printable(word.text[:60])} stands for", kind="expansion")
        if not word.pattern:
            return [word.text]
        if word.loose or word.text.startswith("~") or re.search(r"\{[^}]*\.\.", word.text):
            raise NotRepeated(f"only a shell would tell what {printable(word.text[:60])} stands for", kind="expansion")
        texts = alternatives(word.text)
        if len(texts) >= _MOST_NAMES:
            raise NotRepeated(f"{printable(word.text[:60])} stands for too many names", kind="expansion")
        return [name for text in texts for name in self._matching(text, folder)]

    def _matching(self, text: str, folder: str | None) -> list[str]:
        if not re.search(r"[*?\[]", text):
            return [text]
        head = re.match(r"(?:[^*?\[/]*/)*", text)
        fixed = head.group() if head else ""
        top = self.place(fixed, folder) if fixed else self.place(".", folder)
        wanted = text[len(fixed) :].split("/")
        if ".." in wanted:
            raise NotRepeated(f"only a shell would tell what {printable(text[:60])} stands for", kind="expansion")
        found = set()
        for path in self.files.below(top):
            parts = (path[len(top) + 1 :] if top else path).split("/")[: len(wanted)]
            if len(parts) == len(wanted) and all(map(_matches, parts, wanted)):
                found.add(fixed + "/".join(parts))
        return sorted(found) or [text]

    def format(self, argv: list[str], folder: str, touched: Iterable[str]) -> Completed:
        """Run a formatter in the workspace on disk, and take over what became of the files of interest.

        `touched` are further files to look at. NotRepeated where it writes none of these files by their kind, is not
        to be had here, or does not end in time.
        """
        if not self.is_folder(folder):
            raise NotRepeated(f"there is no folder {printable(folder)}", kind="directory")
        looked_at = {*self._interest, *self.files.changes, *touched}
        if not any(map(FORMATTERS[argv[0]].writes, looked_at)):
            raise NotRepeated(f"no file that matters here is one that {argv[0]} writes", kind="no_file")
        program = _program(argv[0])
        disk = self._synchronised()
        completed = self._run([program, *argv[1:]], disk / folder, surroundings.environment(_OFFLINE))
        self._take_over(disk, looked_at)
        return completed

    def run(self, argv: list[str], files: Mapping[str, bytes]) -> tuple[Completed, dict[str, bytes]]:
        """Run a trusted program in a folder of its own with a few files; how it ended, and all that is there then.

        NotRepeated where it is not to be had here or does not end in time.
        """
        program = _program(argv[0])
        try:
            with on_disk(MemoryTree(files)) as folder:
                environment = surroundings.environment({**_PLAIN, "GIT_CEILING_DIRECTORIES": str(folder.parent)})
                completed = self._run([program, *argv[1:]], folder, environment)
                tree = DiskTree(folder)
                return completed, {path: tree.read(path) for path in tree.paths() if tree.mode(path) != SYMLINK}
        except (PathRefused, CannotJudge, SourceError) as error:
            raise NotRepeated(error.message, kind=error.kind) from None

    def _run(self, argv: list[str], folder: Path, environment: Mapping[str, str]) -> Completed:
        readiness.before_commands()
        limit = min(self._seconds, self._left)
        try:
            completed = process.run(argv, cwd=folder, environment=environment, timeout=limit)
        except CannotJudge as error:
            raise NotRepeated(error.message, kind=error.kind) from None
        if completed.timed_out or completed.flooded:
            self._forget()
            how = f"did not end within {limit:g} s" if completed.timed_out else "printed too much"
            raise NotRepeated(f"{posixpath.basename(argv[0])} {how}", kind="time_limit")
        return completed

    def _synchronised(self) -> Path:
        """The workspace on disk with the files as they are now."""
        files = self.files
        try:
            if self._disk is None:
                self._disk = self._stack.enter_context(on_disk(Overlay(files.start, files.changes, modes=files.modes)))
            else:
                now = {path: (files.changes[path], files.mode(path) or REGULAR) for path in sorted(files.changes)}
                update(self._disk, ((path, *state) for path, state in now.items() if self._there.get(path) != state))
            update(self._disk, (), folders=sorted(self.made))
        except (PathRefused, CannotJudge) as error:
            self._forget()
            raise NotRepeated(f"there is no workspace on disk: {error.message}", kind=error.kind) from None
        self._remember()
        return self._disk

    def _remember(self) -> None:
        self._there = {path: (data, self.files.mode(path) or REGULAR) for path, data in self.files.changes.items()}

    def _forget(self) -> None:
        """The workspace on disk is in an unknown state: the next program gets a new one."""
        self._stack.close()
        self._disk, self._there = None, {}

    def _take_over(self, disk: Path, paths: set[str]) -> None:
        tree = DiskTree(disk)
        for path in sorted(paths):
            before = self.files.content(path), self.files.mode(path)
            mode = tree.mode(path)
            if before[1] in (SYMLINK, SUBMODULE) or mode == SYMLINK:
                continue
            try:
                content = None if mode is None else tree.read_at_most(path, LIMIT)
            except (KeyError, SourceError):
                continue
            if (content, mode) != before and content is not None:
                self.write(path, content, EXECUTABLE if mode == EXECUTABLE else REGULAR)
            elif mode is None and before[1] is not None:
                self.remove(path)
        self._remember()


def _program(name: str) -> str:
    found = surroundings.program(name)
    if found is None:
        raise NotRepeated(f"{name} is not on the gate's PATH", kind="no_program")
    return found


def _matches(name: str, pattern: str) -> bool:
    """One name against one part of a shell's pattern; a leading dot is matched by a dot alone."""
    return (not name.startswith(".") or pattern.startswith(".")) and fnmatchcase(name, pattern)
