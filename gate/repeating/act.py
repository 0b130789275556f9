"""One simple command of a recorded line, done again where it is one that can be."""

import posixpath
import re
import shlex
from collections.abc import Iterator

import msgspec

from gate.cmdline import effects, shell
from gate.cmdline.arguments import git_verb, operands
from gate.cmdline.grammar import ASSIGNMENT, Redirection
from gate.cmdline.lexer import Heredoc, Word
from gate.cmdline.sequence import Part
from gate.cmdline.shell import Simple
from gate.cmdline.wrapper import inside, program
from gate.errors import NotRepeated
from gate.repeating.coreutils import COREUTILS, LOOKING, Deed, Doing, put
from gate.repeating.editors import EDITORS
from gate.repeating.formatters import FORMATTERS, writes
from gate.repeating.formatting import call
from gate.repeating.packagescript import RUNNERS, Script, script
from gate.repeating.site import Site
from gate.repeating.viewers import VIEWERS
from gate.repeating.worktree import WORKTREE, note

_HARMLESS = frozenset(
    "CI NO_COLOR FORCE_COLOR TERM LANG LC_ALL COLUMNS GOCACHE GOMODCACHE GOFLAGS TMPDIR NODE_ENV DEBUG".split()  # noqa: SIM905
)
_WRITING = frozenset([">", ">>", ">|", "&>", "&>>", ">&"])
_EXPANDED = re.compile(r"\\(.)|\$[\w({@*#?$!-]|`", re.DOTALL)
_VERBS = frozenset(["go", "git", "npm", "pnpm", "yarn", "bun", "cargo", "make", "deno", "docker", "just", "task", "uv"])


class Outcome(msgspec.Struct, frozen=True):
    """What became of a command: whether it succeeded and what it printed, None where that is not known."""

    succeeded: bool | None = None
    output: bytes | None = None
    done: bool = False
    """Whether it changes files, and was repeated."""


def changes(part: Part, words: tuple[Word, ...]) -> bool:
    """Whether this command may change files at all."""
    redirections = tuple(Redirection(to.operator, to.target.text) for to in part.redirects if not to.copies)
    documents = (part.document.body,) if part.document else ()
    texts = tuple(word.text for word in words)
    return bool(effects.changes(Simple(words=texts, redirections=redirections, heredocs=documents)))


def may_change(part: Part) -> bool:
    """Whether this command, or one that it runs in its turn, may change files."""
    inner = shell.commands(shlex.join(word.text for word in part.words))
    return changes(part, part.words) or any(map(effects.changes, inner))


def unwrapped(words: tuple[Word, ...]) -> tuple[Word, ...] | str:
    """The words without what runs another command (`sudo`, `npx`), or the text that a shell is given with `-c`.

    NotRepeated where that is for a shell to tell.
    """
    while words:
        texts = tuple(word.text for word in words)
        found = inside(texts)
        if not found:
            break
        if program(texts[0]) in ("xargs", "find"):
            raise NotRepeated(f"{program(texts[0])} gives it its files", kind="pipe")
        inner = found[0]
        if isinstance(inner, str):
            if len(found) > 1 or any(word.expanded for word in words):
                raise NotRepeated("only a shell would tell what it runs", kind="expansion")
            return inner
        at = len(words) - len(inner)
        check_variables(text.partition("=")[0] for text in texts[:at] if ASSIGNMENT.match(text))
        words = words[at:]
    return words


def check_variables(names: Iterator[str] | tuple[str, ...]) -> None:
    """NotRepeated where a variable is set that may change what a program does; no recorded value reaches one."""
    for name in names:
        if name not in _HARMLESS:
            raise NotRepeated(f"it sets {name}", kind="environment")


class Act:
    """One command under way: its part of the line, its words unwrapped, where it runs and what it reads."""

    def __init__(self, site: Site, folder: str | None, part: Part, words: tuple[Word, ...]) -> None:
        self._site, self._folder, self._part, self._words = site, folder, part, words
        self.changes = changes(part, words)
        self._texts: tuple[str, ...] = ()

    def script(self, said: list[str]) -> Script | None:
        """The script of package.json that it runs, if it is one that runs one; `said` are those announced so far."""
        if not self._words or program(self._words[0].text) not in RUNNERS:
            return None
        return script(self._site, self._folder, self._expanded(), said)

    def may_write_and_fail(self) -> bool:
        """Whether it is a formatter, which writes what it can before it says that something is left."""
        return bool(self._words) and self._formatter(self._expanded()) is not None

    def do(self, given: bytes | None, *, wanted: bool) -> Outcome:
        """Do it, with `given` on its input (None: not known); `wanted` says that what it prints is read.

        NotRepeated where it is not done here.
        """
        try:
            with self._site.whole():
                return self._done(given, wanted=wanted)
        except NotRepeated:
            note(self._site, tuple(word.text for word in self._words))
            raise

    def _done(self, given: bytes | None, *, wanted: bool) -> Outcome:
        texts = self._expanded()
        check_variables(self._part.assignments)
        formatter = self._formatter(texts)
        if formatter is not None:
            return self._format(*formatter)
        deed, doing = self._deed(texts, given)
        if doing is None and self.changes:
            raise NotRepeated(f"{_called(texts)} is not a command that is repeated", kind="program")
        if doing is None or (deed.words[0] in LOOKING and not self.changes and not wanted):
            note(self._site, texts)
            return Outcome()
        output = doing(deed)
        left = self._redirect(deed.words, output)
        return Outcome(succeeded=True, output=left, done=self.changes)

    def _expanded(self) -> tuple[str, ...]:
        if not self._texts:
            found = (text for word in self._words for text in self._site.expanded(word, self._folder))
            self._texts = tuple(found) or (":",)
        return self._texts

    def _deed(self, texts: tuple[str, ...], given: bytes | None) -> tuple[Deed, Doing | None]:
        name, rest, folder = program(texts[0]), texts[1:], self._folder
        if name == "git":
            place, rest = git_verb(rest)
            folder = self._site.place(place, folder) if place else folder
            name, rest = (f"git {rest[0]}", rest[1:]) if rest else (name, rest)
        doing = COREUTILS.get(name) or VIEWERS.get(name) or EDITORS.get(name) or WORKTREE.get(name)
        read = self._input(given) if doing else None
        return Deed(site=self._site, folder=folder, words=(name, *rest), input=read), doing

    def _input(self, given: bytes | None) -> bytes | None:
        for redirect in self._part.redirects:
            if redirect.operator == "<":
                (name,) = self._site.expanded(redirect.target, self._folder)[:1]
                return self._site.read(self._site.place(name, self._folder))
        document = self._part.document
        return given if document is None else _body(document).encode("utf-8", "surrogateescape")

    def _redirect(self, words: tuple[str, ...], output: bytes) -> bytes:
        """Write what was printed to where it goes; what is left of it. What goes to the error output is nothing."""
        left = output
        for redirect in self._part.redirects:
            if redirect.operator not in _WRITING or redirect.descriptor not in ("", "1") or redirect.copies:
                continue
            left = b""
            if redirect.target.text.startswith("/dev/"):
                continue
            targets = self._site.expanded(redirect.target, self._folder)
            append = redirect.operator in (">>", "&>>")
            if len(targets) != 1 or (not append and targets[0] in words[1:]):
                raise NotRepeated(f"what {targets[0]} holds is for a shell to tell", kind="expansion")
            put(self._site, self._site.place(targets[0], self._folder), output, append=append)
        return left

    def _formatter(self, texts: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """The formatter's name and its words, where this is a call of one that writes."""
        name, rest = program(texts[0]), texts[1:]
        if name in RUNNERS - {"npm"}:
            behind = rest[rest[:1] == ("run",) :]
            if behind and program(behind[0]) in FORMATTERS:
                name, rest = program(behind[0]), behind[1:]
        if (name, rest[:1]) == ("go", ("fmt",)):
            name, rest = "gofmt", ("-l", "-w", *self._packages(rest[1:]))
        if name not in FORMATTERS or not writes(name, rest):
            return None
        return name, rest

    def _packages(self, words: tuple[str, ...]) -> Iterator[str]:
        """The Go files of packages named by their folders, as `go fmt` finds them."""
        for word in operands(words) or ["."]:
            deep = word.endswith("...")
            top = self._site.place(word.removesuffix("...").rstrip("/") or ".", self._folder)
            for path in self._site.files.below(top):
                parts = path[len(top) + 1 if top else 0 :].split("/")
                hidden = any(part[:1] in "._" or part in ("testdata", "vendor") for part in parts[:-1])
                if path.endswith(".go") and not hidden and (deep or len(parts) == 1):
                    yield posixpath.relpath(path, self._folder or ".")

    def _format(self, name: str, words: tuple[str, ...]) -> Outcome:
        if self._folder is None:
            raise NotRepeated("the folder that it ran in is not one of the workspace", kind="directory")
        found = call(name, words, self._mapped)
        named = (self._site.place(path, self._folder) for path in found.paths)
        touched = [path for path in named if path and self._site.files.mode(path) is not None]
        before = dict(self._site.files.changes)
        completed = self._site.format([name, *found.words], self._folder, touched)
        if completed.exit_code and self._site.files.changes == before:
            said = completed.stderr.decode("utf-8", "replace").strip() or completed.stdout.decode("utf-8", "replace")
            raise NotRepeated(f"it fails here: {' '.join(said.split())[:200]}", kind="failed")
        return Outcome(succeeded=None if completed.exit_code else True, done=True)

    def _mapped(self, word: str) -> str:
        """A recorded path as a program in the workspace's folder is to be given it."""
        path = self._site.place(word, self._folder)
        found = posixpath.relpath(path or ".", self._folder or ".") if posixpath.isabs(word) else word
        return f"./{found}" if found.startswith("-") else found


def _called(texts: tuple[str, ...]) -> str:
    """How a command is called in a message: by its program, and the verb where that says more."""
    name = program(texts[0])
    verb = next((word for word in texts[1:] if not word.startswith("-")), "") if name in _VERBS else ""
    return f"{name} {verb}".rstrip()


def _body(document: Heredoc) -> str:
    """The text of a here-document, as the command reads it. NotRepeated where a shell puts something in."""
    if not document.expanded:
        return document.body

    def plain(found: re.Match[str]) -> str:
        sign = found[1]
        if sign is None:
            raise NotRepeated(f"only a shell would tell what {found[0]}… in its text stands for", kind="expansion")
        return "" if sign == "\n" else sign if sign in "\\$`" else found[0]

    return _EXPANDED.sub(plain, document.body)
