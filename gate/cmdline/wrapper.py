"""Programs that run another command: which one, so that it can be looked at as if it stood alone."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise, takewhile

Words = tuple[str, ...]
Inside = tuple[Words | str, ...]
"""What a wrapper runs: commands as words, or as text for a shell."""

SHELLS = frozenset(["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"])
_POWERSHELLS = frozenset(["powershell", "pwsh"])
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*|py")
_ENDING = re.compile(r"\.(?:exe|cmd|bat)$|(?<=\w)@[\w.^~*-]+$", re.IGNORECASE)
_PLACE = re.compile(r"\{(?:[./]*|#|%)\}")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")

# Options that take the next word as their value, and how many words come before the command.
_SIMPLE: dict[str, tuple[str, int]] = {
    "builtin": ("", 0),
    "busybox": ("", 0),
    "caffeinate": ("-t -w", 0),
    "chronic": ("", 0),
    "doas": ("-u -C", 0),
    "exec": ("-a", 0),
    "faketime": ("", 1),
    "firejail": ("", 0),
    "flock": ("-w --timeout -E", 1),
    "gtimeout": ("-k -s --kill-after --signal", 1),
    "ionice": ("-c -n -p", 0),
    "nice": ("-n --adjustment", 0),
    "nohup": ("", 0),
    "noglob": ("", 0),
    "proxychains4": ("-f", 0),
    "proxychains": ("-f", 0),
    "rtk": ("", 0),
    "setsid": ("", 0),
    "sshpass": ("-p -f -d -P", 0),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "strace": ("-e -o -p -s -u", 0),
    "sudo": ("-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir", 0),
    "taskset": ("", 1),
    "time": ("-f -o --format --output", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "toybox": ("", 0),
    "unbuffer": ("", 0),
    "uvx": ("--from --with --with-editable -p --python --index --index-url --default-index --constraints", 0),
    "xvfb-run": ("-s -n -e -f", 0),
}
# The same behind a second word: `uv run`, `npm exec`.
_WITH_VERB: dict[str, tuple[str, str]] = {
    "uv": ("run", "-p --python --with --with-requirements --with-editable --project --directory --group --extra "
                  "--env-file --index-url --default-index --index --package --only-group --no-group"),
    "poetry": ("run", "-C --directory -P --project"),
    "pipenv": ("run", ""),
    "pdm": ("run", "-p --project"),
    "hatch": ("run", ""),
    "rye": ("run", ""),
    "pixi": ("run", "-e --environment --manifest-path"),
    "conda": ("run", "-n --name -p --prefix --cwd"),
    "mamba": ("run", "-n --name -p --prefix --cwd"),
    "bundle": ("exec", ""),
    "npm": ("exec", "-p --package -w --workspace"),
    "pnpm": ("exec dlx", "-C --dir -F --filter --package"),
    "yarn": ("exec dlx", "-p --package"),
    "pipx": ("run", "--spec --python --pip-args --index-url"),
    "bun": ("x", ""),
    "mise": ("exec x", ""),
    "asdf": ("exec", ""),
    "rustup": ("run", ""),
    "op": ("run", "--env-file"),
    "dotenv": ("run", "-f --file"),
}  # fmt: skip


@lru_cache(1024)
def program(word: str) -> str:
    """The name of the program that a first word calls: no folder, `.exe` or `@version`; `python` whatever its own."""
    name = _ENDING.sub("", word[max(word.rfind("/"), word.rfind("\\")) + 1 :])
    return "python" if _PYTHON.fullmatch(name) else name


def inside(words: Words) -> Inside:
    """What these words run, when their program is one that runs another; nothing when it is none."""
    name = program(words[0])
    if name in _SIMPLE:
        valued, positionals = _SIMPLE[name]
        return _command(words[_skipped(words, 1, valued) + positionals :])
    if name in _WITH_VERB and len(words) > 1:
        verbs, valued = _WITH_VERB[name]
        at = _skipped(words, 1, valued)
        if words[at : at + 1] and words[at] in verbs.split():
            return _command(words[_skipped(words, at + 1, valued) :])
        return ()
    special = _SPECIAL.get(name)
    return special(words) if special else ()


def _command(words: Words) -> Inside:
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    return (words[at:],) if words[at:] else ()


def _skipped(words: Words, at: int, valued: str) -> int:
    """The place of the first word that is neither an option nor the value of one."""
    takes = valued.split()
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        if words[at] == "--":
            return at + 1
        at += 2 if words[at] in takes else 1
    return at


def _shell(words: Words) -> Inside:
    at = 1
    while at < len(words) and words[at][:1] in ("-", "+"):
        if re.fullmatch(r"-[A-Za-z]*c[A-Za-z]*", words[at]):
            rest = words[at + 1 :]
            at = _skipped(rest, 0, "-o -O")
            return (rest[at],) if rest[at:] else ()
        at += 2 if words[at] in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file") else 1
    return ()


def _powershell(words: Words) -> Inside:
    return _behind(words, "-command", "-c", "/c", "-com")


def _cmd(words: Words) -> Inside:
    return _behind(words, "/c", "/k")


def _behind(words: Words, *flags: str) -> Inside:
    """What stands behind one of the flags: a text of Windows, in which a backslash only stands between folders."""
    for at, word in enumerate(words):
        if word.lower() in flags:
            return (" ".join(words[at + 1 :]).replace("\\", "/"),)
    return ()


def _env(words: Words) -> Inside:
    for at, word in enumerate(words[1:], 1):
        if word in ("-S", "--split-string"):
            return (" ".join(words[at + 1 :]),)
        if word.startswith(("-S", "--split-string=")):
            return (" ".join((word.removeprefix("-S").removeprefix("--split-string="), *words[at + 1 :])),)
        if not word.startswith("-"):
            break
    return _command(words[_skipped(words, 1, "-u -C --unset --chdir") :])


def _named(words: Words) -> Inside:
    """`command x` runs x, `command -v x` only asks where it is."""
    return () if len(words) > 1 and words[1] in ("-v", "-V") else _command(words[_skipped(words, 1, "") :])


def _xargs(words: Words) -> Inside:
    at = _skipped(words, 1, "-I -J -n -P -L -d -a -E -s -R -S --max-args --max-procs --delimiter --arg-file --replace")
    options = words[1:at]
    given = (
        word[2:] or next(iter(options[place + 1 :]), "")
        for place, word in enumerate(options)
        if word[:2] in ("-I", "-J")
    )
    mark = next(filter(None, given), "{}")
    found = tuple(word.replace(mark, "{}") for word in words[at:])
    return _with_file(found, "{}")


def found_by(words: Words) -> str:
    """The files that a `find` of these words finds: a pattern where it looks for one name, else `FOLDER/{}`."""
    options = [word for word in words[1:] if word not in ("-H", "-L", "-P")]
    starts = [word for word in takewhile(lambda word: word[:1] not in ("-", "(", "!"), options) if word != "."]
    names = [(word, name) for word, name in pairwise(options) if word in ("-name", "-iname")]
    folder = f"{starts[0].rstrip('/')}/" if starts else ""
    if len(starts) > 1:
        return "{}"
    if len(names) != 1 or {"-o", "-or", "!", "-not", "(", ","} & set(options):
        return f"{folder}{{}}"
    [(option, name)] = names
    letters = (f"[{one.lower()}{one.upper()}]" if one.isalpha() and option == "-iname" else one for one in name)
    return f"{folder}**/{''.join(letters)}"


def _find(words: Words) -> Inside:
    """The commands of `-exec`, with the files that it finds in the place of `{}`."""
    place = found_by(words)
    found: list[Words] = []
    current: list[str] | None = None
    for word in words[1:]:
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            current = []
        elif current is not None and word in (";", "+"):
            found.append(tuple(current))
            current = None
        elif current is not None:
            current.append(word.replace("{}", place))
    return (*filter(None, found), *([tuple(current)] if current else []))


def _fd(words: Words) -> Inside:
    """The command of `-x`, once for each file; without `{}` the file is its last word."""
    for at, word in enumerate(words):
        if word in ("-x", "-X", "--exec", "--exec-batch"):
            return _with_file(words[at + 1 :], "{}")
    return ()


def _parallel(words: Words) -> Inside:
    """GNU parallel: the command before `:::`, with what stands behind it, or what it reads, as its last word."""
    at = _skipped(words, 1, "-j -P -a -N -n -L -d --jobs --arg-file --delay --retries --timeout --joblog --colsep")
    marks = [place for place, word in enumerate(words) if re.fullmatch(r":::\+?", word)]
    command = words[at : marks[0] if marks else None]
    if not command:
        return ()
    given = words[marks[0] + 1 :] if marks else ("{}",)
    text = " ".join(command)
    template = text if "{" in text else f"{text} {{}}"
    names = (name for name in given if not name.startswith(":::"))
    return tuple(name.join(_PLACE.split(template)) for name in names)


def _with_file(words: Words, file: str) -> Inside:
    return ((words if any("{}" in word for word in words) else (*words, file)),) if words else ()


def _python(words: Words) -> Inside:
    """`python -m black x` runs `black x`."""
    for at, word in enumerate(words[1:], 1):
        if word == "-m":
            return (words[at + 1 :],) if words[at + 1 :] else ()
        if word.startswith("-m"):
            return ((word[2:], *words[at + 1 :]),)
        if not word.startswith("-") or word == "-" or word in ("-c", "-W", "-X"):
            return ()
    return ()


def _npx(words: Words) -> Inside:
    for at, word in enumerate(words):
        if word in ("-c", "--call") and words[at + 1 :]:
            return (words[at + 1],)
    return _command(words[_skipped(words, 1, "-p --package") :])


def _text(words: Words) -> Inside:
    """The rest of the words is a text for a shell: `eval`, `watch`."""
    return (" ".join(words[_skipped(words, 1, "-n --interval") :]),)


def _trap(words: Words) -> Inside:
    """What runs when a signal comes or the shell ends."""
    return (words[1],) if len(words) > 2 and words[1] not in ("-", "", "-p", "-l") else ()


def _switched_user(words: Words) -> Inside:
    """`su -c TEXT`, `script -c TEXT`."""
    return next(((words[at + 1],) for at, word in enumerate(words[:-1]) if word in ("-c", "--command")), ())


_SPECIAL: dict[str, Callable[[Words], Inside]] = {
    **dict.fromkeys(SHELLS, _shell),
    **dict.fromkeys(_POWERSHELLS, _powershell),
    "cmd": _cmd,
    "command": _named,
    "env": _env,
    "eval": _text,
    "fd": _fd,
    "fdfind": _fd,
    "find": _find,
    "npx": _npx,
    "bunx": _npx,
    "parallel": _parallel,
    "python": _python,
    "script": _switched_user,
    "su": _switched_user,
    "trap": _trap,
    "watch": _text,
    "xargs": _xargs,
}
WRAPPERS_WITH_VERB = frozenset(_WITH_VERB)
WRAPPERS = frozenset([*_SIMPLE, *_WITH_VERB, *_SPECIAL])
"""The names of all programs that may run another one."""
