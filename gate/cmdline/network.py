"""What reaches for the network: programs, words and URLs in a command line."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from gate.cmdline.arguments import git_verb, operands
from gate.cmdline.netcode import CODE_WORDS, calls
from gate.cmdline.url import hosts_in, is_loopback, named_host

if TYPE_CHECKING:
    from gate.cmdline.shell import Simple


class Reach(msgspec.Struct, frozen=True):
    """One attempt, as far as words tell: the word that shows it, the hosts that it names, and the passage."""

    pattern: str
    hosts: tuple[str, ...]
    text: str

    @property
    def stays_here(self) -> bool:
        """Whether it names hosts, and all of them are this machine."""
        return bool(self.hosts) and all(map(is_loopback, self.hosts))


def in_command(text: str) -> tuple[Reach, ...]:
    """Every attempt of a command line that does not stay on this machine.

    What is only printed or searched for is none; what is written to a file is judged as that file.
    """
    return reaches(text) if may_reach(text) else ()


def reaches(text: str) -> tuple[Reach, ...]:
    """The same, without the quick look that spares most commands this."""
    from gate.cmdline.shell import commands  # the grammar of a shell, which most command lines do not need

    return _away(reach for simple in commands(text) for reach in _of(simple))


def may_reach(text: str) -> bool:
    """Whether a command line must be taken apart to know: most hold none of the words, or not where they would reach.

    That is a word anywhere for URLs and code; the name of a client, or of another program with one of its verbs
    somewhere behind it, only where a word of the command line may begin and end. Where a backslash takes part in what
    a word is, any of them anywhere.
    """
    if "$'" in text or '$"' in text:
        return True
    if "\\" in text or ("-S" in text and "env" in text):
        return bool(_words()[0].find_matches_as_indexes(text.translate(_UNQUOTED).lower()))
    plain = text.replace("'", "").replace('"', "").lower()
    words, names = _words()
    seen = set()
    for at, start, end in words.find_matches_as_indexes(plain, overlapping=True):
        name = names[at]
        if not name:
            return True
        if name not in seen and _may_begin(plain[start - 1 : start]) and _may_end(plain[end : end + 1]):
            seen.add(name)  # the verbs behind the first one are those behind all
            verbs = _verbs(name)
            if verbs is None or verbs.search(plain, end):
                return True
    return False


def _may_begin(before: str) -> bool:
    """Whether the name of a program may stand behind this sign; a folder may come before it."""
    return not (before.isalnum() or before in ("_", "-", "."))


def _may_end(behind: str) -> bool:
    """Whether the name of a program may stand before this sign; `.exe` and `@1.2` may come behind it."""
    return not behind or behind in _AFTER_NAMES or behind.isspace()


@lru_cache
def _verbs(name: str) -> re.Pattern[str] | None:
    """What finds a verb with which a program reaches for the network; None where it needs none."""
    verbs = [verb.split(" ")[0] for verb in (_GIT_VERBS if name == "git" else _VERBS.get(name, ()))]
    if "" in verbs or "-S" in verbs or not verbs:
        return None
    return re.compile(rf"(?<!\S)(?:{'|'.join(sorted(map(re.escape, set(verbs))))})(?![\w-])")


def in_file(path: str, data: bytes) -> tuple[Reach, ...]:
    """Every call of a network library in a file that was written, and in a shell script every command.

    Prose and data hold none, whatever they say; a URL alone is none either.
    """
    ending = posixpath.splitext(path)[1].lower()
    if ending in _PROSE_AND_DATA:
        return ()
    if ending in (".sh", ".bash", ".zsh") or re.match(rb"#!\s*\S*(?:/|\s)(?:ba|z|da|k)?sh\b", data):
        return in_command(data.decode("utf-8", "replace"))
    found = calls(data, python=ending in (".py", ".pyi"))
    return _away(Reach(call.pattern, call.hosts, call.text) for call in found)


def _away(found: Iterable[Reach]) -> tuple[Reach, ...]:
    return tuple(dict.fromkeys(reach for reach in found if not reach.stays_here))


def _of(simple: "Simple") -> Iterator[Reach]:
    text = " ".join(simple.words)
    words = simple.words if "/dev/" in text else ()
    for word in (*words, *(to.target for to in simple.redirections)):
        for device in _DEVICE.finditer(word):
            yield Reach(device[1], (device[2].lower(),), text)
    name = simple.program
    name = name if name in _CLIENTS or name in _VERBS else name.lower()
    if name in _CLIENTS:
        yield from _client(name, simple, text)
    elif name == "git":
        yield from _git(simple, text)
    elif name in _VERBS:
        yield from _verb(name, simple, text)
    elif name not in _PRINTERS:
        yield from _other(name, simple, text)
    if simple.heredocs:
        files = _changed(simple, "writes")
        for path, body in zip(files[:1], simple.heredocs, strict=False):
            yield from in_file(path, _bytes(body))


def _other(name: str, simple: "Simple", text: str) -> Iterator[Reach]:
    """Any other program: the script that it is given, or else the URLs among its words."""
    scripts = _changed(simple, "mentions")
    for script in scripts:
        yield from (Reach(call.pattern, call.hosts, text) for call in calls(_bytes(script), python=name == "python"))
    if not scripts:
        yield from (Reach(f"{url.scheme}://{url.host}", (url.host,), text) for url in hosts_in(text))


def _changed(simple: "Simple", how: str) -> list[str]:
    from gate.cmdline.effects import changes  # as the grammar

    return [target.path for target in changes(simple) if target.how == how]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _client(name: str, simple: "Simple", text: str) -> Iterator[Reach]:
    """A program that does nothing else: all that it is pointed at must be this machine for it to stay here."""
    words = simple.arguments
    if words and all(word in ("--version", "-V", "--help", "-h", "-help", "version", "help") for word in words):
        return
    kind, valued = _CLIENTS[name]
    if kind == "copy":
        remote = [host for word in operands(words, valued) if (host := _remote_host(word)) is not None]
        if remote:
            yield Reach(name, tuple(remote), text)
        return
    if kind == "listen" and any(re.fullmatch(r"-[a-z46]*l[a-z46]*|--listen", word) for word in words):
        return
    pointed = operands(words, valued)[: {"all": None, "any": 0}.get(kind, 1)]
    yield Reach(name, tuple(map(named_host, pointed)), text)


def _verb(name: str, simple: "Simple", text: str) -> Iterator[Reach]:
    """A program that reaches for the network with some of its verbs: `pip install`, `npm ci`."""
    words = simple.arguments
    if {"--offline", "--no-index", "--help", "-h"} & set(words):
        return
    plain = operands(words, "-C --prefix --directory --project --manifest-path -n --name -p -t --root")
    for verb in _VERBS[name]:
        wanted = verb.split()
        if plain[: len(wanted)] == wanted or (verb == "-S" and any(re.match("-S|--sync", word) for word in words)):
            yield Reach(f"{name} {verb}".strip(), (), text)
            return
    yield from (Reach(f"{url.scheme}://{url.host}", (url.host,), text) for url in hosts_in(text))


def _git(simple: "Simple", text: str) -> Iterator[Reach]:
    """Cloning and talking to remotes, but for those that are folders of this machine."""
    words = git_verb(simple.arguments)[1]
    verb = " ".join(words[:2]) if words[:1] in (("submodule",), ("remote",), ("lfs",), ("svn",)) else "".join(words[:1])
    if verb not in _GIT_VERBS:
        return
    named = operands(words[1:], "-b --branch -o --origin --depth -c --config --reference -j --jobs -u --upload-pack")
    remote = named[0] if named and verb in ("clone", "fetch", "pull", "push", "ls-remote") else ""
    is_folder = remote.startswith(("/", ".", "~", "file://")) or (
        "/" in remote and not re.match(r"[\w+.-]+://|[^/]+:", remote)
    )
    if not is_folder and not (verb == "clone" and remote and _remote_host(remote) is None and "://" not in remote):
        host = _remote_host(remote) if "://" not in remote else named_host(remote)
        yield Reach(f"git {verb}", (host,) if host else (), text)


def _remote_host(word: str) -> str | None:
    """The host of `user@host:path` or a URL; None for a path of this machine."""
    if "://" in word:
        return named_host(word)
    found = re.match(r"(?:[^@/:\s]+@)?(\[[^\]]+\]|[^/:\s]{2,}):", word)
    return found[1].strip("[]").lower() if found else None


_DEVICE = re.compile(r"(/dev/(?:tcp|udp))/([^/\s'\"]+)/")
_CURL = (
    "-o -O -H -d -X -u -A -e -b -c -T -F -m -w -K -E -x -y -Y -z -C -D -t --output --header --data --data-raw "
    "--data-binary --data-urlencode --request --user --user-agent --referer --cookie --cookie-jar --upload-file --form "
    "--max-time --connect-timeout --write-out --config --cert --cacert --key --proxy --retry --retry-delay --resolve "
    "--output-document --post-data --post-file --body-data --method --tries --timeout --json --limit-rate"
)
_SSH = "-i -p -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -P -s -B --rsh --exclude --include"
# What the words after the program are: every one an address, the first one, `host:path` among paths, or anything.
_CLIENTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("curl", "wget", "aria2c", "http", "https", "xh", "lynx", "w3m", "links"), ("all", _CURL)),
    **dict.fromkeys(("iwr", "irm", "invoke-webrequest", "invoke-restmethod"), ("all", "-method -outfile -body")),
    **dict.fromkeys(("ssh", "sftp", "ftp", "telnet", "mosh", "ssh-copy-id"), ("first", _SSH)),
    **dict.fromkeys(("nc", "ncat", "netcat"), ("listen", "-w -p -s -X -x -q -i")),
    **dict.fromkeys(("ping", "ping6", "traceroute", "tracepath", "mtr", "whois"), ("first", "-c -i -W -w -s -t -m -n")),
    **dict.fromkeys(("dig", "nslookup", "host", "drill"), ("any", "")),
    **dict.fromkeys(("scp", "rsync"), ("copy", _SSH)),
    **dict.fromkeys(("gh", "glab", "aws", "gcloud", "gsutil", "az", "kubectl", "doctl", "heroku"), ("any", "")),
    **dict.fromkeys(("vercel", "netlify", "flyctl", "fly", "wrangler", "s3cmd", "rclone", "ngrok"), ("any", "")),
    **dict.fromkeys(("nmap", "socat", "twine", "start-bitstransfer", "yt-dlp", "youtube-dl"), ("any", "")),
}  # fmt: skip
_SYSTEM = ("install", "update", "upgrade", "dist-upgrade", "full-upgrade", "add", "download", "search", "source")
_VERBS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("apt", "apt-get", "aptitude", "dnf", "yum", "microdnf", "zypper", "apk", "brew", "port"), _SYSTEM),
    **dict.fromkeys(
        ("snap", "flatpak", "choco", "winget", "scoop", "conda", "mamba", "micromamba"), (*_SYSTEM, "create")
    ),
    "pacman": ("-S",),
    "yay": ("-S",),
    "pip": ("install", "download", "wheel", "index", "search"),
    "pip3": ("install", "download", "wheel", "index", "search"),
    "pipx": ("install", "run", "upgrade", "inject"),
    "uv": (
        "add",
        "sync",
        "lock",
        "pip install",
        "pip sync",
        "pip compile",
        "tool install",
        "tool run",
        "python install",
    ),
    "uvx": ("",),
    "poetry": ("add", "install", "update", "lock", "publish"),
    "pdm": ("add", "install", "update", "lock", "publish"),
    "pipenv": ("install", "update", "lock", "sync"),
    "npm": ("install", "i", "ci", "add", "update", "publish", "view", "audit", "outdated", "login"),
    "pnpm": ("install", "i", "add", "update", "up", "publish", "audit"),
    "yarn": ("install", "add", "up", "upgrade", "npm"),
    "bun": ("install", "i", "add", "update"),
    "cargo": ("add", "install", "fetch", "update", "search", "publish"),
    "go": ("get", "install", "mod download", "mod tidy"),
    "gem": ("install", "update", "fetch", "push"),
    "bundle": ("install", "update", "add"),
    "composer": ("install", "require", "update", "create-project"),
    "docker": ("pull", "push", "login", "search"),
    "podman": ("pull", "push", "login", "search"),
    "helm": ("pull", "push", "repo add", "repo update", "install", "upgrade"),
    "terraform": ("init", "apply", "plan"),
    "rustup": ("update", "install", "toolchain install", "component add", "target add"),
    "pyenv": ("install",),
    "nvm": ("install",),
    "playwright": ("install",),
    "openssl": ("s_client",),
}
_GIT_VERBS = frozenset(
    """clone|fetch|pull|push|ls-remote|send-email|remote update|submodule update|submodule add|lfs pull|lfs fetch
    |lfs push|svn clone|svn fetch""".replace("\n    ", "").split("|")
)
_PRINTERS = frozenset(
    """echo printf print grep egrep fgrep rg ag ack sed gsed awk gawk cat bat head tail less more test [ [[ jq yq tr cut
    expr export read declare local typeset alias ls fd diff cmp touch mkdir cp mv rm chmod true false : wc sort uniq
    basename dirname man which type whatis history set unset tee base64 xxd od strings file stat tree column command
    write-host write-output select-string""".split()  # noqa: SIM905 - sixty words on four lines
)


_PROSE_AND_DATA = frozenset(
    """.md .markdown .rst .txt .adoc .org .tex .json .jsonl .json5 .yaml .yml .toml .ini .cfg .lock .csv .tsv .xml .svg
    .html .htm .css .scss .sql .log .po .pem .diff .patch""".split()  # noqa: SIM905 - thirty words on two lines
)
_AFTER_NAMES = ";&|()<>`.@"
_UNQUOTED = dict.fromkeys(map(ord, "'\"\\\n"))


@lru_cache(1)
def _words() -> tuple[Any, tuple[str, ...]]:
    """All words, and for each the name of the program that it is; nothing where it is none."""
    from ahocorasick_rs import AhoCorasick, Implementation  # a native library, and only a scan needs it

    programs = sorted({*_CLIENTS, *_VERBS, "git"})
    others = ("://", "/dev/tcp", "/dev/udp", *CODE_WORDS)
    words = AhoCorasick([*programs, *others], implementation=Implementation.DFA)
    return words, (*programs, *("" for _ in others))
