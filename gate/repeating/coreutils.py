"""What `mv`, `cp`, `rm`, `cat`, `echo` and their like do, done in memory: no program is started for them."""

import posixpath
import re
from collections.abc import Callable, Mapping

import msgspec

from gate.errors import NotRepeated
from gate.path import printable
from gate.repeating.site import Site
from gate.source import LIMIT
from gate.tree import EXECUTABLE, REGULAR


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """One command to do: where, its words with the program's name first, and what it reads."""

    site: Site
    folder: str | None
    words: tuple[str, ...]
    input: bytes | None = None

    def split(self, letters: str = "", long: str = "") -> tuple[set[str], list[str]]:
        """The options, single letters or long ones, and the operands. NotRepeated for an option that is not allowed."""
        options: set[str] = set()
        operands: list[str] = []
        left = iter(self.words[1:])
        for word in left:
            if word == "--":
                operands.extend(left)
            elif word.startswith("--") and word in long.split():
                options.add(word)
            elif word[:1] == "-" and len(word) > 1 and not set(word[1:]) - set(letters):
                options |= set(word[1:])
            elif word.startswith("-") and word != "-":
                raise NotRepeated(f"the option {word} of {self.words[0]} is not one that is repeated", kind="option")
            else:
                operands.append(word)
        return options, operands

    def given(self) -> bytes:
        """What it reads. NotRepeated where that is not known."""
        if self.input is None:
            raise NotRepeated("what it reads is not known", kind="pipe")
        return self.input

    def place(self, word: str) -> str:
        """The workspace path of a word."""
        return self.site.place(word, self.folder)


Doing = Callable[[Deed], bytes]
"""Does a command and returns what it prints; NotRepeated where it cannot."""


def _move(deed: Deed) -> bytes:
    _, operands = deed.split("fv", "--force --verbose")
    for source, target in _pairs(deed, operands):
        names = _whole(deed.site, source)
        if source == target or f"{target}/".startswith(f"{source}/"):
            raise NotRepeated(f"{printable(source)} cannot be moved into itself", kind="no_file")
        for path in names:
            content, mode = deed.site.read(path), deed.site.files.mode(path)
            deed.site.remove(path)
            deed.site.write(target + path[len(source) :], content, mode)
        _move_folders(deed.site, source, target)
    return b""


def _move_folders(site: Site, source: str, target: str) -> None:
    if source in site.made:
        site.make_folder(target)
    site.drop_folder(source)


def _copy(deed: Deed) -> bytes:
    options, operands = deed.split("rRapfvLP", "--recursive --archive --force --verbose --preserve")
    deep = bool(options & set("rRa") or options & {"--recursive", "--archive"})
    for source, target in _pairs(deed, operands):
        if deed.site.is_folder(source) and not deep:
            raise NotRepeated(f"{printable(source)} is a folder", kind="no_file")
        for path in _whole(deed.site, source):
            to = target + path[len(source) :]
            mode = deed.site.files.mode(to) or deed.site.files.mode(path)
            deed.site.write(to, deed.site.read(path), mode)
    return b""


def _pairs(deed: Deed, operands: list[str]) -> list[tuple[str, str]]:
    """Each source with where it comes to lie: in the last operand where that is a folder, else in its place.

    A folder that holds no file is in no tree, so that one which must have been there is taken to have been.
    """
    if len(operands) < 2:
        raise NotRepeated("it names no source and target", kind="no_file")
    *sources, last = operands
    to = deed.place(last)
    into = len(sources) > 1 or last.endswith("/") or deed.site.is_folder(to)
    places = [deed.place(source) for source in sources]
    if "" in places:
        raise NotRepeated("it names the whole workspace", kind="path_escape")
    return [(place, posixpath.join(to, posixpath.basename(place)) if into else to) for place in places]


def _whole(site: Site, path: str) -> list[str]:
    """The file, or all files of the folder."""
    if site.files.mode(path) is not None:
        return [path]
    if not site.is_folder(path):
        raise NotRepeated(f"{printable(path)} is not in the workspace", kind="no_file")
    return site.files.below(path)


def _remove(deed: Deed) -> bytes:
    options, operands = deed.split("rRfvd", "--recursive --force --verbose --dir")
    deep = bool(options & {"r", "R", "--recursive"})
    if not operands:
        raise NotRepeated("it names no file", kind="no_file")
    for word in operands:
        path = deed.place(word)
        if not path:
            raise NotRepeated("it names the whole workspace", kind="path_escape")
        if deed.site.files.mode(path) is not None:
            deed.site.remove(path)
        elif deed.site.is_folder(path):
            if not deep:
                raise NotRepeated(f"{printable(path)} is a folder", kind="no_file")
            for name in deed.site.files.below(path):
                deed.site.remove(name)
            deed.site.drop_folder(path)
        elif not options & {"f", "--force"}:
            raise NotRepeated(f"{printable(path)} is not in the workspace", kind="no_file")
    return b""


def _make_folder(deed: Deed) -> bytes:
    for word in deed.split("pv", "--parents --verbose")[1]:
        path = deed.place(word)
        if deed.site.files.mode(path) is not None:
            raise NotRepeated(f"{printable(path)} is a file", kind="path_file_in_way")
        deed.site.make_folder(path)
    return b""


def _drop_folder(deed: Deed) -> bytes:
    for word in deed.split("pv", "--parents --verbose")[1]:
        path = deed.place(word)
        if not path or deed.site.files.below(path):
            raise NotRepeated(f"{printable(path or '.')} is not empty", kind="no_file")
        deed.site.drop_folder(path)
    return b""


def _touch(deed: Deed) -> bytes:
    for word in deed.split("acm")[1]:
        path = deed.place(word)
        if deed.site.files.mode(path) is None and not deed.site.is_folder(path):
            deed.site.write(path, b"", REGULAR)
    return b""


def _change_mode(deed: Deed) -> bytes:
    words = [word for word in deed.words[1:] if word not in ("-v", "-f", "--")]
    mode = words[0] if words else ""
    if re.fullmatch(r"[ugoa]*\+[rw]*x[rw]*|0?[0-7]?[1357][0-7]{2}", mode):
        new = EXECUTABLE
    elif re.fullmatch(r"[ugoa]*-[rw]*x[rw]*|0?[0-7]?[0246][0-7]{2}", mode):
        new = REGULAR
    else:
        raise NotRepeated(f"the mode {printable(mode)} is not one that is repeated", kind="option")
    for word in words[1:]:
        path = deed.place(word)
        deed.site.write(path, deed.site.read(path), new)
    return b""


def _print_files(deed: Deed) -> bytes:
    _, operands = deed.split("u")
    operands = operands or ["-"]
    given = deed.given() if "-" in operands else b""
    parts = [given if word == "-" else deed.site.read(deed.place(word)) for word in operands]
    if sum(map(len, parts)) > LIMIT:
        raise NotRepeated("it prints more than is kept", kind="too_large")
    return b"".join(parts)


def _tee(deed: Deed) -> bytes:
    options, operands = deed.split("ai", "--append")
    given = deed.given()
    for word in operands:
        put(deed.site, deed.place(word), given, append=bool(options & {"a", "--append"}))
    return given


def put(site: Site, path: str, content: bytes, *, append: bool) -> None:
    """Write a file as `>` and `>>` do. NotRepeated where it is none, or a link."""
    before = site.read(path) if site.files.mode(path) is not None else b""
    site.write(path, before + content if append else content)


def _echo(deed: Deed) -> bytes:
    words, end, escapes = list(deed.words[1:]), "\n", False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        option = words.pop(0)
        end = "" if "n" in option else end
        escapes = "e" in option or (escapes and "E" not in option)
    text = " ".join(words)
    if escapes and "\\c" in text:
        raise NotRepeated("it ends its text with an escape", kind="option")
    return _bytes((_unescaped(text) if escapes else text) + end)


def _printf(deed: Deed) -> bytes:
    behind = deed.words[1:2] == ("--",)
    words = deed.words[2:] if behind else deed.words[1:]
    if not words or (words[0].startswith("-") and not behind):
        raise NotRepeated("it has no format", kind="option")
    form, values = words[0], list(words[1:])
    pieces = re.findall(r"%%|%[a-zA-Z]|%|[^%]+", form)
    if any(piece not in ("%%", "%s", "%b", "%d", "%i") for piece in pieces if piece.startswith("%")):
        raise NotRepeated("its format is not one that is repeated", kind="option")
    text: list[str] = []
    while True:
        before = len(values)
        text.extend(_formatted(piece, values) for piece in pieces)
        if not values or len(values) == before:
            return _bytes("".join(text))


def _formatted(piece: str, values: list[str]) -> str:
    if piece == "%%":
        return "%"
    if not piece.startswith("%"):
        return _unescaped(piece, more=_SIGNS_OF_PRINTF)
    value = values.pop(0) if values else ""
    if piece in ("%d", "%i"):
        if not re.fullmatch(r"-?[1-9]\d*|0|", value):
            raise NotRepeated("its format is not one that is repeated", kind="option")
        return value or "0"
    return _unescaped(value) if piece == "%b" else value


_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "\\": "\\"}
_SIGNS_OF_PRINTF = {**_SIGNS, '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))", re.DOTALL)


def _unescaped(text: str, *, more: Mapping[str, str] = _SIGNS) -> str:
    def sign(found: re.Match[str]) -> str:
        if found[3]:
            return more.get(found[3], found[0])
        code = int(found[1], 16) if found[1] else int(found[2], 8)
        if code > 0x7F:
            raise NotRepeated("its text has escapes of single bytes", kind="option")
        return chr(code)

    return _ESCAPE.sub(sign, text)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise NotRepeated("its text holds half of a surrogate pair", kind="encoding") from None


COREUTILS: dict[str, Doing] = {
    "mv": _move,
    "cp": _copy,
    "rm": _remove,
    "unlink": _remove,
    "mkdir": _make_folder,
    "rmdir": _drop_folder,
    "touch": _touch,
    "chmod": _change_mode,
    "cat": _print_files,
    "tee": _tee,
    "echo": _echo,
    "printf": _printf,
    ":": lambda _: b"",
    "true": lambda _: b"",
}
LOOKING = frozenset(["cat", "sed", "gsed", "head", "tail", "nl", "wc"])
"""Those that only look at files when their output goes nowhere."""
