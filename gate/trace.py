"""What recorded commands change, target by target; the scripts that an agent wrote and ran are read too."""

import posixpath
import re
from collections.abc import Iterator, Mapping

import msgspec

from gate.authored import Authored, Reading
from gate.cmdline import effects, othercode, pycode, recipes, shell
from gate.cmdline.decoded import decoded
from gate.cmdline.links import links
from gate.cmdline.shell import Simple
from gate.cmdline.target import TOO_DEEP, UNTOLD, How, Target
from gate.cmdline.variables import expands, spread, used
from gate.cmdline.wrapper import SHELLS
from gate.editing.edit import Move
from gate.trajectory import Command, Step

_DEEPEST = 8  # scripts that run scripts
_MOST_LINKS = 3  # that lead to one another
_MOST_LINES = 1000  # that one command runs, scripts and recipes included
_MOST = 20  # values of a variable of earlier lines
_SHELL = re.compile(r"#!\s*\S*[/\s](?:ba|z|da|k)?sh\b")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_NO_CODE = frozenset(["ed", "red", "ex", "vi", "vim", "nvim", "patch", "git", "apply_patch"])
_OTHER = frozenset(["node", "nodejs", "ruby", "perl", "php", "deno", "bun", "lua", "Rscript", "tsx", "ts-node"])
_SCRIPT = frozenset(["node", "nodejs", "deno", "bun", "tsx", "ts-node"])
_REPLACING = frozenset(["ln", "gln", "mv", "git", "install", "ginstall"])  # a link that they name is no way for them


def _is_shell(place: str, text: str) -> bool:
    return _SHELL.match(text) is not None or place.endswith((".sh", ".bash"))


def _unknown(command: Command, reason: str) -> "Mark":
    """A command that may have changed any file, anywhere."""
    target = Target(UNTOLD, below=True, unsure=reason)
    return Mark(command=command, simple=Simple(words=()), target=target, directory=None, last=False, sure=False)


def _given(simple: Simple, text: str) -> tuple[str, list[str]]:
    """The code that an interpreter is given, and its arguments, which stand behind it in the target's text."""
    if simple.heredocs and text in simple.heredocs:
        return text, [word for word in simple.arguments if not word.startswith("-")]
    at = next((at for at, word in enumerate(simple.arguments) if re.fullmatch(r"-\w*[ceEr]|--eval|eval", word)), None)
    behind = len(simple.arguments) - at - 2 if at is not None else 0
    code, *argv = text.rsplit("\n", behind) if behind > 0 else [text]
    return code, argv


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One target of one recorded command, and the folder in which it ran (None: not known).

    `simple` is the part of the command line, or of a script that it runs, that has this target. `last` says that
    nothing stands behind it, or behind the call of its script, in the line. `sure` is false where what it changes is
    told by more than its own words: a link that was made before, a Makefile, code that finds its files by itself.
    """

    command: Command
    simple: Simple
    target: Target
    directory: str | None
    last: bool
    sure: bool = True


class Trace:
    """The targets of a recording's commands; its steps must be asked for in their order.

    `root` is where recorded paths start, `read` gives a file of the start workspace by its place, None for no file.
    `links` are the places of links that are there at the start, and what they lead to.
    """

    def __init__(
        self,
        root: str | None,
        read: Reading,
        links: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._root = root
        self._authored = Authored(root, read)
        self._open: list[tuple[str, str]] = []
        self._imported: set[str] = set()
        self._left = _MOST_LINES
        self._unread: list[str] = []
        self._values: dict[str, tuple[str, ...]] = {}
        self._links: dict[str, tuple[str, ...]] = dict(links or {})

    def of(self, step: Step) -> Iterator[Mark]:
        """The marks of one step's commands, and of its edits those that go through a link."""
        for edit in step.edits:
            for path in (edit.path, edit.to) if isinstance(edit, Move) else (edit.path,):
                text = Command(text=f"edit of {path}")
                mark = Mark(command=text, simple=Simple(words=()), target=Target(path), directory="", last=True)
                yield from self._through(self._place(step, path), mark)
            self._authored.edit(self._place(step, edit.path), edit, step)
        for command in step.commands:
            self._left = _MOST_LINES
            self._imported.clear()
            start = posixpath.join(step.directory or self._root or "", command.directory or "")
            yield from self._line(command, command.text, start, last=True, depth=0)
            self._unread.append(command.text)

    def _with_earlier(self, simple: Simple) -> Simple:
        """The command with what earlier lines gave its variables, which a shell that goes on still knows."""
        known = dict(simple.values)
        words = (*simple.words, *(to.target for to in simple.redirections))
        names = [name for word in words if expands(word) for name in used(word) if name not in known]
        for line in self._unread if names else ():
            for name, values in shell.assigned(line).items():
                self._values[name] = (*self._values.get(name, ()), *values)[-_MOST:]
        self._unread = [] if names else self._unread
        more = {name: (*self._values[name], *spread(f"${name}", {})) for name in names if name in self._values}
        return msgspec.structs.replace(simple, values=tuple({**known, **more}.items())) if more else simple

    def _place(self, step: Step, path: str) -> str:
        return posixpath.normpath(posixpath.join(step.directory or self._root or "", path))

    def _line(self, command: Command, text: str, start: str, *, last: bool, depth: int) -> Iterator[Mark]:
        """The marks of a line or script that starts in this folder; none of one that is just being read."""
        self._left -= 1
        if not text.strip() or (text, start) in self._open:
            return
        if depth > _DEEPEST or self._left < 0:
            yield _unknown(command, TOO_DEEP)
            return
        self._open.append((text, start))
        yield from self._parts(command, text, start, last=last, depth=depth)
        self._open.pop()

    def _parts(self, command: Command, text: str, start: str, *, last: bool, depth: int) -> Iterator[Mark]:
        found = shell.commands(text)
        for shown in decoded(found):
            yield _unknown(command, f"it runs what it decodes by {shown}")
        for at, simple in enumerate(map(self._with_earlier, found), 1):
            directory = None if simple.directory is None else posixpath.join(start, simple.directory)
            behind = last and at == len(found) and not simple.unread
            targets = effects.changes(simple)
            for target in targets:
                mark = Mark(command=command, simple=simple, target=target, directory=directory, last=behind)
                yield from self._target(mark, depth)
            module = simple.words[0] if simple.words else ""
            if _MODULE.fullmatch(module) and f"-m {module}" in text:
                place = posixpath.normpath(posixpath.join(directory or "", f"{module.replace('.', '/')}.py"))
                mark = Mark(command=command, simple=simple, target=Target(module), directory=directory, last=behind)
                yield from self._script(place, mark, depth + 1) if self._authored.text(place) is not None else ()
            self._authored.command(simple, directory, targets)
            self._remember(simple, directory, targets)
            mark = Mark(command=command, simple=simple, target=Target(""), directory=directory, last=behind)
            yield from self._recipe(mark, depth + 1)

    def _target(self, mark: Mark, depth: int) -> Iterator[Mark]:
        target, directory = mark.target, mark.directory
        place = posixpath.normpath(posixpath.join(directory or "", target.path))
        if target.how is How.MENTIONS:
            yield from self._code(mark, *_given(mark.simple, target.path), depth=depth)
        elif target.how is not How.RUNS:
            yield mark
            if not target.everything:
                yield from self._through(place, mark)
        else:
            yield from self._script(place, mark, depth + 1)

    def _through(self, place: str, mark: Mark, depth: int = 0) -> Iterator[Mark]:
        """What else a target is when a link is on the way to it."""
        ends = [*(slash.start() for slash in re.finditer("/", place)), len(place)] if self._links else []
        for end in ends if depth < _MOST_LINKS else ():
            name, rest = place[:end], place[end:]
            sources = self._links.get(name, ())
            if not rest and (mark.target.how is How.REMOVES or mark.simple.program in _REPLACING):
                continue
            for source in sources:
                other = posixpath.normpath(source + rest)
                to = source.removeprefix(f"{self._root}/") if self._root else source
                reason = f"{posixpath.basename(name)} is a link to {to}"
                target = msgspec.structs.replace(mark.target, path=other, unsure=reason)
                yield msgspec.structs.replace(mark, target=target, directory="", sure=False)
                yield from self._through(other, mark, depth + 1)

    def _remember(self, simple: Simple, directory: str | None, targets: tuple[Target, ...]) -> None:
        """The links that a command makes, moves, or takes away."""

        def place(path: str) -> str:
            return posixpath.normpath(posixpath.join(directory or "", path))

        if self._links:
            gone = [place(target.path) for target in targets if target.how is How.REMOVES]
            moved = [source for name in gone for source in self._links.pop(name, ())]
            for target in targets if moved else ():
                if target.how is How.WRITES:
                    self._links[place(target.path)] = tuple(moved)
        for link in links(simple):
            name = place(link.name)
            if name != posixpath.normpath(directory or "."):
                beside = posixpath.normpath(posixpath.join(posixpath.dirname(name), link.source))
                found = (*self._links.get(name, ()), beside, place(link.source))
                self._links[name] = tuple(dict.fromkeys(found))

    def _script(self, place: str, mark: Mark, depth: int) -> Iterator[Mark]:
        """A shell script is read as commands; of others only those that the agent wrote, for the paths in them.

        What was in the workspace before, such as a program that runs the tests, names files that it only reads.
        """
        written = self._authored.text(place)
        text = self._authored.started(mark.target, mark.directory) if written is None else written
        is_sourced = mark.simple.program in SHELLS | {"source", "."}
        if _is_shell(place, text or "") or is_sourced:
            yield from self._line(mark.command, text or "", mark.directory or "", last=mark.last, depth=depth)
        elif written is not None:
            words = mark.simple.words
            at = words.index(mark.target.path) + 1 if mark.target.path in words else len(words)
            argv = [text for word in words[at:] for text in spread(word, dict(mark.simple.values))]
            found = msgspec.structs.replace(mark, target=Target(written, How.MENTIONS))
            is_whole = self._authored.is_whole(place)
            yield from self._code(found, written, argv, file=mark.target.path, depth=depth) if is_whole else (found,)

    def _code(self, mark: Mark, code: str, argv: list[str], *, file: str = "", depth: int) -> Iterator[Mark]:
        """Code that is run, for the paths in it, and for what it finds by itself."""
        program = mark.simple.program
        found = None if program in _NO_CODE | _OTHER else pycode.written(code, argv, file)
        if program in _NO_CODE:
            yield mark
            return
        if found is None:
            looks = program in _OTHER and othercode.only_looks(code, javascript=program in _SCRIPT)
            yield from () if looks else (mark,)
            if othercode.writes_what_it_finds(code):
                target = Target(UNTOLD, below=True, unsure=pycode.REASON)
                yield msgspec.structs.replace(mark, target=target, sure=False)
            found = pycode.Written(commands=tuple(othercode.commands(code)))
        elif not found.only_looks:
            yield mark
        for target in found.targets:
            one = msgspec.structs.replace(mark, target=target, sure=False)
            yield one
            yield from self._through(posixpath.normpath(posixpath.join(mark.directory or "", target.path)), one)
        for module in found.imports:
            path = f"{module.replace('.', '/')}.py"
            place = posixpath.normpath(posixpath.join(mark.directory or "", path))
            if self._authored.is_whole(place) and place not in self._imported:
                self._imported.add(place)
                one = msgspec.structs.replace(mark, target=Target(path, How.RUNS), sure=False)
                is_deep = depth >= _DEEPEST
                yield from (_unknown(mark.command, TOO_DEEP),) if is_deep else self._script(place, one, depth + 1)
        for line in found.commands:
            for one in self._line(mark.command, line, mark.directory or "", last=mark.last, depth=depth + 1):
                yield msgspec.structs.replace(one, sure=False)

    def _recipe(self, mark: Mark, depth: int) -> Iterator[Mark]:
        """What a Makefile or a package.json says that the command runs."""
        wanted = recipes.recipe(mark.simple)
        if wanted is None:
            return
        folder = posixpath.normpath(posixpath.join(mark.directory or "", wanted.folder))
        while True:
            for name in wanted.files:
                text = self._authored.text(posixpath.normpath(posixpath.join(folder, name)))
                text = self._authored.started(Target(name), folder) if text is None else text
                text = "\n".join(mark.simple.heredocs) if name == "-" else text
                if text is None:
                    continue
                for line in recipes.lines(mark.simple, text):
                    for found in self._line(mark.command, line, folder, last=mark.last, depth=depth):
                        yield msgspec.structs.replace(found, sure=False)
                return
            above = posixpath.dirname(folder)
            if not wanted.upwards or folder in (self._root, "/", ".", ""):
                return
            folder = above or "."
