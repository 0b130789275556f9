"""What the command of an oracle starts, and in which folders: as far as its words tell, and rather too much of it."""

import itertools
import posixpath
import re
from collections.abc import Iterator, Sequence

import msgspec

from gate.cmdline.grammar import REDIRECTIONS
from gate.cmdline.lexer import Lexer, Word
from gate.cmdline.wrapper import program
from gate.oracle import Need, Oracle

_INTO = frozenset(
    [
        *("cd", "pushd", "-C", "--directory", "--prefix", "--cwd", "--chdir", "--dir", "--working-directory"),
        *("--working-dir", "--project", "--project-dir", "--project-directory", "--root", "--rootdir", "--rootDir"),
        *("--workspace", "--filter", "--package-path", "--test-dir", "--start-directory", "--top-level-directory"),
    ]
)
"""Words before the folder in which a program works."""
_FILES = frozenset(
    [
        *(
            "--manifest-path",
            "--makefile",
            "--justfile",
            "--taskfile",
            "--noxfile",
            "--rakefile",
            "--file",
            "--gemfile",
        ),
        *("-c", "--config", "--config-file", "--conf", "--configuration", "--rcfile"),
    ]
)
"""Words before a file that a program is told to load: the folder around it counts, too."""
MAKERS = frozenset(["make", "gmake", "just", "task", "go-task", "rake", "nox", "ant", "mvn", "mvnw"])
_SHORT = {
    **dict.fromkeys(("-d",), frozenset(["just", "task", "go-task", "composer"])),
    **dict.fromkeys(("-p", "-P"), frozenset(["pdm", "poetry", "gradle", "gradlew"])),
    **dict.fromkeys(("-w", "-F"), frozenset(["npm", "pnpm"])),
    **dict.fromkeys(("-s", "-t"), frozenset(["discover"])),
}
"""Letters that mean a folder to these alone."""
_GLUED = re.compile(r"(-C|--[\w-]+=)(.+)", re.DOTALL)
_STARTERS = frozenset(
    [
        *("python", "coverage", "coverage3", "uv", "kernprof", "memray", "scalene", "viztracer", "pyinstrument"),
        *("cProfile", "profile", "trace", "pdb", "torchrun", "debugpy"),
    ]
)
"""Programs and modules that run the module behind their `-m`."""
_MODULE = re.compile(r"(?:-[A-Za-z]*?m|--module=?)([^\W\d][\w.]*)?")
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_DEEPEST = 3

Words = tuple[str, ...]


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What one oracle starts: `parts` are the words of its simple commands, `folders` relative to the tree's top.

    `modules` are those of Python that it starts, `programs` every word that may name a program, and these modules.
    """

    parts: tuple[Words, ...]
    folders: tuple[str, ...]
    modules: frozenset[str]
    programs: frozenset[str]


def launch(oracle: Oracle, folder: str) -> Launch | None:
    """What an oracle starts when the task's folder is this one; None where it runs no command."""
    if Need.COMMANDS not in oracle.needs:
        return None
    fields = msgspec.structs.asdict(oracle)
    texts = [str(text) for text in (fields.get("command"), fields.get("program")) if text]
    arguments = tuple(str(word) for word in fields.get("args") or ())
    parts = tuple(part for part in _parts(texts, arguments) if part)
    modules = frozenset(name for part in parts for name in _modules(part))
    programs = modules.union(program(word) for part in parts for word in part)
    start = joined(folder, str(fields.get("sub_path") or "."))
    folders = dict.fromkeys([folder, *_folders(parts, folder if start is None else start)])
    return Launch(parts=parts, folders=tuple(folders), modules=modules, programs=programs)


def joined(folder: str, name: str) -> str | None:
    """The path of what a command in this folder calls so; empty for the tree's top, None for what is outside."""
    path = posixpath.normpath(posixpath.join(folder, name))
    return "" if path == "." else None if path.startswith(("/", "../")) or path == ".." else path


def valued(word: str) -> tuple[str, str]:
    """An option and the value that stands in the same word; two empty texts where there is none."""
    glued = _GLUED.fullmatch(word)
    return (glued[1].removesuffix("="), glued[2]) if glued else ("", "")


def _parts(texts: Sequence[str], arguments: Words) -> Iterator[Words]:
    if arguments:
        yield (*texts, *arguments)
        yield from itertools.chain.from_iterable(_read(word, 1) for word in arguments if _is_text(word))
    else:
        yield from itertools.chain.from_iterable(_read(text, 0) for text in texts)


def _read(text: str, depth: int) -> Iterator[Words]:
    """The words between operators; what stands in a word that looks like a command line comes after them."""
    lexer, words, inner = Lexer(text), list[str](), list[str]()
    while (token := lexer.next()) is not None:
        if isinstance(token, Word):
            words.append(token.text)
            inner += [*token.inner, *([token.text] if _is_text(token.text) else ())]
        elif token.text not in REDIRECTIONS:
            yield tuple(words)
            words = []
    yield tuple(words)
    if depth < _DEEPEST:
        for more in inner:
            yield from _read(more, depth + 1)


def _is_text(word: str) -> bool:
    return any(sign.isspace() for sign in word) and not word.startswith(("$(", "`"))


def _modules(part: Words) -> Iterator[str]:
    """The modules behind `-m` of what takes one there: to pytest it means something else."""
    who = ""
    for before, word in itertools.pairwise(("", *part)):
        asked = _MODULE.fullmatch(before) if who else None
        glued = _MODULE.fullmatch(word) if who else None
        name = word if asked and not asked[1] and _NAME.fullmatch(word) else glued[1] if glued else None
        if name:
            yield name
            who = name if name in _STARTERS else ""
        elif program(word) in _STARTERS:
            who = program(word)
        elif who == "python" and not word.startswith("-") and before not in ("-W", "-X"):
            who = ""


def _folders(parts: Sequence[Words], start: str) -> Iterator[str]:
    """Where the command starts, and the folders that it names, each seen from there and from behind every `cd`."""
    yield start
    here = start
    for part in parts:
        asked = frozenset(program(word) for word in part)
        for before, word in itertools.pairwise(("", *part)):
            option, value = valued(word)
            named = _named(option, value, asked) if value else _named(before, word, asked)
            found = [joined(one, named) for one in (start, here)] if named is not None else []
            yield from (one for one in found if one is not None)
            if before in ("cd", "pushd") and found:
                here = found[1] if found[1] is not None else here


def _named(option: str, value: str, programs: frozenset[str]) -> str | None:
    if option in _INTO or not programs.isdisjoint(_SHORT.get(option, ())):
        return posixpath.dirname(value) or "." if value.endswith((".json", ".toml", ".xml")) else value
    if option in _FILES or (option == "-f" and not programs.isdisjoint(MAKERS)):
        return posixpath.dirname(value) or "."
    return None
