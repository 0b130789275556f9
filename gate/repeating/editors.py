"""`sed`, `git apply` and `patch` on copies of the files that they name, in a folder of their own."""

import posixpath
import re
from collections.abc import Iterator

from gate.errors import NotRepeated
from gate.path import is_plain, printable
from gate.process import Completed
from gate.repeating.coreutils import Deed, Doing
from gate.repeating.viewers import lines_of

_SED_LETTERS = "nErsuz"
_SED_LONG = "--quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --expression= --in-place"
_SUFFIX = re.compile(r"[\w.~-]*")
_PATCH = ".gate-patch"
_HEADS = re.compile(
    r"^(?:---|\+\+\+|rename from|rename to|copy from|copy to) ([^\t\r\n]+)|^diff --git (\S+) (\S+)", re.M
)
_APPLY_FLAGS = (
    "--index --recount --unidiff-zero --ignore-whitespace --ignore-space-change -R --reverse -v --verbose -q --quiet "
    "--allow-empty --reject --inaccurate-eof --no-add"
)


def _sed(deed: Deed) -> bytes:
    """GNU sed with `--sandbox`, in which a script neither reads nor writes other files and runs nothing."""
    plain = lines_of(deed)
    if plain is not None:
        return plain
    options, scripts, operands, in_place = _sed_words(deed)
    if not scripts:
        if not operands:
            raise NotRepeated("it has no script", kind="option")
        scripts = ["-e", operands.pop(0)]
    files = {deed.place(word): deed.site.read(deed.place(word)) for word in operands}
    if not files:
        if deed.input is None or in_place is not None:
            raise NotRepeated("what it reads is not known", kind="pipe")
        files = {"-input": deed.input}
    argv = ["sed", "--sandbox", *options, *([] if in_place is None else [f"-i{in_place}"]), *scripts, "--"]
    completed, after = deed.site.run([*argv, *(f"./{path}" for path in files)], files)
    _demand(completed)
    if in_place is None:
        if completed.dropped:
            raise NotRepeated("it prints more than is kept", kind="output")
        return completed.stdout
    for path, content in after.items():
        _put(deed, path, content, files.get(path))
    return b""


def _sed_words(deed: Deed) -> tuple[list[str], list[str], list[str], str | None]:
    """Options, scripts with their option, operands, and the suffix of `-i` (None without it)."""
    options: list[str] = []
    scripts: list[str] = []
    operands: list[str] = []
    in_place: str | None = None
    left = iter(deed.words[1:])
    for word in left:
        cluster = re.fullmatch(rf"-([{_SED_LETTERS}]*)(?:(e)(.*)|(i)(.*))?", word, re.DOTALL) if len(word) > 1 else None
        long = re.fullmatch(r"(--expression|--in-place)(?:=(.*))?", word, re.DOTALL)
        if word == "--":
            operands.extend(left)
        elif long and long[1] == "--in-place":
            in_place = long[2] or ""
        elif long:
            scripts += ["-e", long[2] if long[2] is not None else next(left, "")]
        elif word in _SED_LONG.split():
            options.append(word)
        elif cluster:
            options += [f"-{letter}" for letter in cluster[1]]
            if cluster[2]:
                scripts += ["-e", cluster[3] or next(left, "")]
            if cluster[4]:
                in_place = cluster[5]
        elif word.startswith("-") and word != "-":
            raise NotRepeated(f"the option {word} of sed is not one that is repeated", kind="option")
        elif word or in_place is None or operands or scripts:
            operands.append(word)  # an empty word after -i is how macOS' sed is told to keep no copy
    if in_place is not None and not _SUFFIX.fullmatch(in_place):
        raise NotRepeated(f"the ending {printable(in_place)} for its copies is not one that is repeated", kind="option")
    return options, scripts, operands, in_place


def _apply(deed: Deed) -> bytes:
    """`git apply`, outside of any repository and with no configuration."""
    if deed.folder:
        raise NotRepeated("it ran in a folder below the top of the workspace", kind="directory")
    options: list[str] = []
    operands: list[str] = []
    left = iter(deed.words[1:])
    for word in left:
        if word in _APPLY_FLAGS.split():
            options += [word] if word != "--index" else []
        elif word == "-p":
            options.append(f"-p{next(left, '')}")
        elif re.fullmatch(r"-[pC]\d+|--whitespace=[a-z-]+", word):
            options.append(word)
        elif word.startswith("-") and word != "-":
            raise NotRepeated(f"the option {word} of git apply is not one that is repeated", kind="option")
        else:
            operands.append(word)
    patches = [deed.site.read(deed.place(word)) for word in operands if word != "-"]
    if not patches:
        patches = [deed.given()]
    for patch in patches:
        _applied(deed, patch, options)
    return b""


def _patch(deed: Deed) -> bytes:
    """`patch`, by `git apply`: where a patch fits exactly the two do the same, and `patch` may start an editor."""
    options: list[str] = []
    operands: list[str] = []
    given: str | None = None
    left = iter(deed.words[1:])
    for word in left:
        if re.fullmatch(r"-p\d+|--strip=\d+", word):
            options.append(f"-p{re.sub(r'[^0-9]', '', word)}")
        elif word == "-p":
            options.append(f"-p{next(left, '')}")
        elif word in ("-i", "--input"):
            given = next(left, "")
        elif word.startswith("--input="):
            given = word[len("--input=") :]
        elif word in ("-R", "--reverse"):
            options.append("-R")
        elif word not in ("-s", "-u", "-N", "--silent", "--quiet", "--unified", "--forward", "-f", "--force", "-t"):
            operands.append(word)
    if operands or not any(option.startswith("-p") for option in options):
        raise NotRepeated("which files it patches is for patch itself to tell", kind="option")
    _applied(deed, deed.site.read(deed.place(given)) if given else deed.given(), options)
    return b""


def _applied(deed: Deed, patch: bytes, options: list[str]) -> None:
    folder = deed.place(".")
    names = {name for name in _named(patch) if deed.site.files.mode(posixpath.join(folder, name)) is not None}
    files = {name: deed.site.read(posixpath.join(folder, name)) for name in names}
    completed, after = deed.site.run(["git", "apply", *options, _PATCH], {**files, _PATCH: patch})
    _demand(completed)
    after.pop(_PATCH, None)
    for name in sorted(names - after.keys()):
        deed.site.remove(posixpath.join(folder, name))
    for name, content in after.items():
        _put(deed, posixpath.join(folder, name), content, files.get(name))


def _named(patch: bytes) -> Iterator[str]:
    """Every file that the patch may mean, whatever is stripped off its names."""
    for found in _HEADS.finditer(patch.decode("utf-8", "surrogateescape")):
        for name in filter(None, found.groups()):
            parts = name.strip().split("/")
            yield from (path for path in ("/".join(parts[at:]) for at in range(min(len(parts), 5))) if is_plain(path))


def _put(deed: Deed, path: str, content: bytes, before: bytes | None) -> None:
    if content != before:
        deed.site.write(path, content)


def _demand(completed: Completed) -> None:
    """NotRepeated where the program failed, with its first words."""
    if completed.exit_code:
        said = completed.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NotRepeated(f"it fails here: {printable(said[:200])}", kind="failed")


EDITORS: dict[str, Doing] = {"sed": _sed, "gsed": _sed, "git apply": _apply, "patch": _patch}
