"""What a simple command changes: the paths in a changing position, by a table of programs."""

import re
from collections.abc import Callable

import msgspec

from gate.cmdline.arguments import has, operands, value
from gate.cmdline.rewriters import patched, rewritten
from gate.cmdline.shell import Simple
from gate.cmdline.target import EVERYTHING, How, Target, Targets
from gate.cmdline.wrapper import SHELLS

_NOWHERE = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)|&\d|NUL|\$null", re.IGNORECASE)
_WRITING = frozenset([">", ">>", ">|", "&>", "&>>", ">&", "<>"])


def changes(simple: Simple) -> tuple[Target, ...]:
    """Every target of one simple command, each once, redirections first; scripts that it runs are among them."""
    written = (Target(to.target) for to in simple.redirections if to.operator in _WRITING)
    found = [target for target in written if not _NOWHERE.fullmatch(target.path)]
    name = simple.program
    rule = _RULES.get(name) or _RULES.get(name.lower())
    if rule is None and simple.words and "/" in simple.words[0]:
        found.append(Target(simple.words[0], How.RUNS))
    found.extend(filter(None, map(_named, rule(simple) if rule else rewritten(simple))))
    return tuple(dict.fromkeys(found))


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
        if to and name:
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


def _sed(simple: Simple) -> Targets:
    words = simple.arguments
    in_place = any(re.match(r"-[nEruzs]*i|--in-place", word) for word in words)
    if not in_place:
        return
    paths = [path for path in operands(words, "-e -f --expression --file -l") if path]
    given = any(re.match(r"-[nEruzsi]*[ef]|--expression|--file", word) for word in words)
    yield from map(Target, paths if given else paths[1:])


def _perl(simple: Simple) -> Targets:
    words = simple.arguments
    switches = [word for word in words if word.startswith("-") and not word.startswith(("-M", "-m", "-I", "--"))]
    if any("i" in word for word in switches):
        scripts = any(re.match(r"-[^MmI]*[eE]$", word) for word in switches)
        paths = _operands_after_scripts(words)
        yield from map(Target, paths if scripts else paths[1:])
    else:
        yield from _script(simple)


def _operands_after_scripts(words: tuple[str, ...]) -> list[str]:
    found, skip = [], False
    for word in words:
        if skip or word.startswith("-"):
            skip = not skip and bool(re.fullmatch(r"-(?![MmI-])\S*[eE]", word))
        else:
            found.append(word)
    return found


_CODE = {
    "python": "c",
    "php": "r",
    "perl": "eE",
    "node": "ep",
    "nodejs": "ep",
    "deno": "",
    "bun": "e",
    **dict.fromkeys(SHELLS, "c"),
}


def _script(simple: Simple) -> Targets:
    """An interpreter: the text that it is given to run, with `-c` or `-e` or as its input."""
    words = simple.arguments
    letters = _CODE.get(simple.program, "e")
    for at, word in enumerate(words):
        if word in ("--eval", "--print", "eval") or (re.fullmatch(r"-[A-Za-z0-9]+", word) and word[-1] in letters):
            yield Target("\n".join(words[at + 1 :]), How.MENTIONS)
            return
        if not word.startswith("-"):
            yield Target(word, How.RUNS)
            return
    yield from (Target(text, How.MENTIONS) for text in simple.heredocs if text)


def _bun(simple: Simple) -> Targets:
    """A file to run, or a script of package.json and a package's own work."""
    words = operands(simple.arguments)
    wanted = words[1:2] if words[:1] == ["run"] else words[:1]
    if has(simple.arguments, "ep", "--eval", "--print") or (wanted and re.search(r"\.[cm]?[jt]sx?$", wanted[0])):
        yield from _script(msgspec.structs.replace(simple, words=_without_run(simple.words)))
    else:
        yield from rewritten(simple)


def _deno(simple: Simple) -> Targets:
    if operands(simple.arguments)[:1] in (["run"], ["eval"]):
        yield from _script(msgspec.structs.replace(simple, words=_without_run(simple.words)))
    else:
        yield from rewritten(simple)


def _without_run(words: tuple[str, ...]) -> tuple[str, ...]:
    at = words.index("run") if "run" in words else len(words)
    return words[:at] + words[at + 1 :]


def _awk(simple: Simple) -> Targets:
    if value(simple.arguments, "-i") == "inplace":
        yield from map(Target, operands(simple.arguments, "-i -v -f -F")[1:])


def _editor(simple: Simple) -> Targets:
    yield from map(Target, operands(simple.arguments, "-c -u -S --cmd"))
    yield from (Target(text, How.MENTIONS) for text in simple.heredocs if text)


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


def _synchronised(simple: Simple) -> Targets:
    paths = operands(simple.arguments, "-e -f --exclude --include --rsh --filter")
    if len(paths) > 1 and not re.match(r"[^/]+:", paths[-1]) and not has(simple.arguments, "n", "--dry-run"):
        yield Target(paths[-1], below=True)


def _downloaded(simple: Simple) -> Targets:
    path = value(simple.arguments, "-o", "-O", "--output", "--output-document")
    if path:
        yield Target(path)


def _unpacked(simple: Simple) -> Targets:
    words = simple.arguments
    first = words[0] if words else ""
    unpacks = simple.program != "tar" or has(words, "x", "--extract", "--get") or re.match(r"[A-Za-z]*x", first)
    if unpacks and not has(words, "lt", "--list"):
        folder = value(words, "-C", "-d", "--directory")
        yield Target(folder, below=True) if folder else EVERYTHING


def _found(simple: Simple) -> Targets:
    if "-delete" in simple.arguments:
        start = simple.arguments[0]
        yield EVERYTHING if start in (".", "-delete") else Target(start, How.REMOVES, below=True)


def _sorted_into(simple: Simple) -> Targets:
    path = value(simple.arguments, "-o", "--output")
    if path:
        yield Target(path)


def _powershell(simple: Simple) -> Targets:
    """The cmdlets and commands of Windows that take the path as their first word or as `-Path`."""
    path = value(simple.arguments, "-Path", "-LiteralPath", "-FilePath", "-Destination")
    removes = re.match(r"del|erase|remove|rd|ri|move|ren", simple.program, re.IGNORECASE)
    for word in [path] if path else operands(simple.arguments)[:2]:
        if word and not re.fullmatch(r"/[a-zA-Z]", word):
            yield Target(word, How.REMOVES if removes else How.WRITES, below=True)


_RULES: dict[str, Callable[[Simple], Targets]] = {
    **dict.fromkeys(("tee", "touch", "truncate", "shred", "unix2dos", "dos2unix", "gzip", "gunzip"), _all_written),
    **dict.fromkeys(("rm", "rmdir", "unlink", "trash", "srm"), _removed),
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("cp", "install", "gcp", "ginstall"), _copied),
    **dict.fromkeys(("chmod", "chown", "chgrp"), _modes),
    **dict.fromkeys(("python", "node", "nodejs", "ruby", "php", "osascript", "lua", "Rscript"), _script),
    **dict.fromkeys(SHELLS, _script),
    **dict.fromkeys(("awk", "gawk"), _awk),
    **dict.fromkeys(("ed", "ex", "vi", "vim", "nvim", "nano", "emacs"), _editor),
    **dict.fromkeys(("curl", "wget"), _downloaded),
    **dict.fromkeys(("tar", "unzip", "bsdtar"), _unpacked),
    **dict.fromkeys(("sort", "shuf", "uniq"), _sorted_into),
    "bun": _bun,
    "deno": _deno,
    "perl": _perl,
    **dict.fromkeys(("del", "erase", "rd", "ri", "ren", "copy", "move", "xcopy", "robocopy"), _powershell),
    **dict.fromkeys(("remove-item", "set-content", "add-content", "clear-content", "out-file"), _powershell),
    **dict.fromkeys(("new-item", "move-item", "copy-item", "rename-item"), _powershell),
    "mv": _moved,
    "ln": _linked,
    "dd": _dd,
    "patch": _patch,
    "rsync": _synchronised,
    "find": _found,
}
