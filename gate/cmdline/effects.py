"""What a simple command changes: the paths in a changing position, by a table of programs."""

import posixpath
import re
from collections.abc import Callable

import msgspec

from gate.cmdline.arguments import has, operands, value
from gate.cmdline.expansion import told
from gate.cmdline.inplace import IN_PLACE
from gate.cmdline.interpreters import INTERPRETERS
from gate.cmdline.rewriters import patched, rewritten
from gate.cmdline.shell import Simple
from gate.cmdline.target import EVERYTHING, TOO_DEEP, UNTOLD, How, Target, Targets
from gate.cmdline.wrapper import found_by

_NOWHERE = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)|&\d|NUL|\$null", re.IGNORECASE)
_LONGEST = 60
_PIPED = frozenset(["remove-item", "set-content", "add-content", "clear-content", "move-item", "rename-item"])
_UNTOLD = "only running it would tell which files it changes"
_WRITING = frozenset([">", ">>", ">|", "&>", "&>>", ">&", "<>"])


def changes(simple: Simple) -> tuple[Target, ...]:
    """Every target of one simple command, each once, redirections first; scripts that it runs are among them.

    A target with a part that only a shell would tell has `UNTOLD` there and says in `unsure` which word that is.
    """
    found: dict[Target, None] = {}
    for one, untold in told(simple):
        for target in _changes(one):
            is_open = UNTOLD in target.path and not target.unsure and target.how is not How.MENTIONS
            reason = f"only a shell would tell what {_short(untold)} stands for" if untold else _UNTOLD
            found[msgspec.structs.replace(target, unsure=reason) if is_open else target] = None
    return tuple(found)


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[:_LONGEST]}…"


def _changes(simple: Simple) -> tuple[Target, ...]:
    if simple.unread:
        return (Target(UNTOLD, below=True, unsure=TOO_DEEP),)
    written = (Target(to.target) for to in simple.redirections if to.operator in _WRITING)
    found = [target for target in written if not _NOWHERE.fullmatch(target.path)]
    name = simple.program
    rule = _RULES.get(name) or _RULES.get(name.lower())
    if rule is None and simple.words and re.search(r"/|\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|php)$", simple.words[0]):
        found.append(Target(simple.words[0], How.RUNS))
    found.extend(filter(None, map(_named, rule(simple) if rule else rewritten(simple))))
    return tuple(found)


def _named(target: Target) -> Target | None:
    """The target where its path is known: `{}` is what `find` and `xargs` put there."""
    if "{}" in target.path and target.how is not How.MENTIONS:
        folder = target.path.partition("{}")[0].rstrip("/")
        return msgspec.structs.replace(target, path=folder, below=True) if folder else EVERYTHING
    return None if not target.everything and (not target.path or _NOWHERE.fullmatch(target.path)) else target


def _all_written(simple: Simple) -> Targets:
    return (Target(path) for path in operands(simple.arguments, "-d -r -t -s -o --date --reference --size"))


def _removed(simple: Simple) -> Targets:
    below = has(simple.arguments, "rR", "--recursive", "-Recurse")
    return (Target(path, How.REMOVES, below=below) for path in operands(simple.arguments))


def _moved(simple: Simple) -> Targets:
    folder = value(simple.arguments, "-t", "--target-directory")
    paths = operands(simple.arguments, "-t -S --suffix --target-directory")
    sources = paths if folder else paths[:-1]
    for path in sources:
        yield Target(path, How.REMOVES, below=True)
    yield from _into(folder or (paths[-1] if paths else ""), sources, below=True)


def _copied(simple: Simple) -> Targets:
    folder = value(simple.arguments, "-t", "--target-directory")
    paths = operands(simple.arguments, "-t -S -m -o -g --mode --owner --group --suffix --target-directory")
    sources = paths if folder else paths[:-1]
    yield from _into(
        folder or (paths[-1] if len(paths) > 1 else ""), sources, below=has(simple.arguments, "rRa", "--recursive")
    )


def _into(to: str, sources: list[str], *, below: bool) -> Targets:
    """The destination may be a folder that is there already: then the sources keep their names in it."""
    yield Target(to, below=below)
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        ending = posixpath.splitext(name)[1]
        if to and name and not (ending and to.endswith(ending)):
            yield Target(f"{to.rstrip('/')}/{name}", below=below)


def _linked(simple: Simple) -> Targets:
    paths = operands(simple.arguments, "-t -S")
    folder = value(simple.arguments, "-t", "--target-directory")
    if len(paths) == 1 and not folder:
        yield Target(paths[0].rstrip("/").rpartition("/")[2])
    else:
        yield from _into(folder or (paths[-1] if paths else ""), paths if folder else paths[:-1], below=False)


def _modes(simple: Simple) -> Targets:
    """The first word is the mode or the owner, unless it is that of another file; `-x` is a mode, `-R` is not."""
    words = [word for word in simple.arguments if not re.fullmatch(r"-[cfvRhHLP]+|--\S*", word)]
    reference = has(simple.arguments, "", "--reference")
    below = has(simple.arguments, "R", "--recursive")
    return (Target(path, How.MODE, below=below) for path in words[not reference :])


def _dd(simple: Simple) -> Targets:
    return (Target(word[3:]) for word in simple.arguments if word.startswith("of="))


def _patch(simple: Simple) -> Targets:
    if has(simple.arguments, "", "--dry-run"):
        return
    files = operands(simple.arguments, "-p -i -d -D -B -z -o -F --input --directory --strip")
    if files:
        yield Target(files[0])
    else:
        yield from patched(simple)


def _received(simple: Simple) -> Targets:
    """What scp copies here."""
    *sources, to = operands(simple.arguments, "-i -P -o -F -c -l -J -S") or [""]
    if sources and not re.match(r"[^/]+:", to):
        yield from _into(to, [source.rpartition(":")[2] for source in sources], below=has(simple.arguments, "r"))


def _synchronised(simple: Simple) -> Targets:
    paths = operands(simple.arguments, "-e -f --exclude --include --rsh --filter")
    if len(paths) > 1 and not re.match(r"[^/]+:", paths[-1]) and not has(simple.arguments, "n", "--dry-run"):
        yield Target(paths[-1], below=True)


def _downloaded(simple: Simple) -> Targets:
    """The file that is named, or those of the addresses' own names, which curl writes over."""
    words = simple.arguments
    by_name = simple.program == "curl" and has(words, "O", "--remote-name", "--remote-name-all")
    path = value(words, *(("-o", "--output") if by_name else ("-o", "-O", "--output", "--output-document")))
    folder = value(words, "--output-dir") or ""
    if path:
        yield Target(posixpath.join(folder, path))
    for word in operands(words, "-o --output --output-dir -H -d -u -A -X --header") if by_name else ():
        yield Target(posixpath.join(folder, posixpath.basename(word.partition("?")[0])))


def _unpacked(simple: Simple) -> Targets:
    words = simple.arguments
    first = words[0] if words else ""
    unpacks = simple.program != "tar" or has(words, "x", "--extract", "--get") or re.match(r"[A-Za-z]*x", first)
    if unpacks and not has(words, "lt", "--list"):
        folder = value(words, "-C", "-d", "--directory")
        yield Target(folder, below=True) if folder else EVERYTHING


def _extracted(simple: Simple) -> Targets:
    """Other archives: an extraction may write everything."""
    words = simple.arguments
    first = words[0] if words else ""
    letters = {"jar": "x", "cpio": "ip", "pax": "r"}.get(simple.program, "")
    if first in ("x", "e") if not letters else has((first if first[:1] == "-" else f"-{first}", *words), letters):
        yield EVERYTHING


def _found(simple: Simple) -> Targets:
    if "-delete" in simple.arguments:
        yield Target(found_by(simple.words), How.REMOVES)


def _sorted_into(simple: Simple) -> Targets:
    path = value(simple.arguments, "-o", "--output")
    if path:
        yield Target(path)


def _powershell(simple: Simple) -> Targets:
    """The cmdlets and commands of Windows that take the path as their first word or as `-Path`."""
    path = value(simple.arguments, "-Path", "-LiteralPath", "-FilePath", "-Destination")
    removes = re.match(r"del|erase|remove|rd|ri|move|ren", simple.program, re.IGNORECASE)
    if not simple.arguments and simple.program.lower() in _PIPED:
        yield Target(UNTOLD, How.REMOVES if removes else How.WRITES, below=True)
    for word in [path] if path else operands(simple.arguments)[:2]:
        if word and not re.fullmatch(r"/[a-zA-Z]", word):
            yield Target(word, How.REMOVES if removes else How.WRITES, below=True)


_RULES: dict[str, Callable[[Simple], Targets]] = {
    **IN_PLACE,
    **INTERPRETERS,
    **dict.fromkeys(("tee", "touch", "truncate", "shred", "unix2dos", "dos2unix", "gzip", "gunzip"), _all_written),
    **dict.fromkeys(("sponge", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4"), _all_written),
    **dict.fromkeys(("rm", "rmdir", "unlink", "trash", "srm"), _removed),
    **dict.fromkeys(("cp", "install", "gcp", "ginstall"), _copied),
    **dict.fromkeys(("chmod", "chown", "chgrp"), _modes),
    **dict.fromkeys(("curl", "wget"), _downloaded),
    **dict.fromkeys(("tar", "gtar", "unzip", "bsdtar"), _unpacked),
    **dict.fromkeys(("7z", "7za", "7zz", "unrar", "jar", "cpio", "pax"), _extracted),
    **dict.fromkeys(("sort", "shuf", "uniq"), _sorted_into),
    **dict.fromkeys(("del", "erase", "rd", "ri", "ren", "copy", "move", "xcopy", "robocopy"), _powershell),
    **dict.fromkeys(("remove-item", "set-content", "add-content", "clear-content", "out-file"), _powershell),
    **dict.fromkeys(("new-item", "move-item", "copy-item", "rename-item"), _powershell),
    "mv": _moved,
    "ln": _linked,
    "dd": _dd,
    "patch": _patch,
    "rsync": _synchronised,
    "scp": _received,
    "find": _found,
}
