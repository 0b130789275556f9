"""Programs that reach for the network, and a quick look whether a command line may call one."""

import re
from functools import lru_cache
from itertools import accumulate
from typing import Any

import msgspec

from gate.cmdline.netcode import CODE_WORDS

_CURL = (
    "-o -O -H -d -X -u -A -e -b -c -T -F -m -w -K -E -x -y -Y -z -C -D -t --output --header --data --data-raw "
    "--data-binary --data-urlencode --request --user --user-agent --referer --cookie --cookie-jar --upload-file --form "
    "--max-time --connect-timeout --write-out --config --cert --cacert --key --proxy --retry --retry-delay --resolve "
    "--output-document --post-data --post-file --body-data --method --tries --timeout --json --limit-rate"
)
_SSH = "-i -p -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -P -s -B --rsh --exclude --include"
# What the words after the program are: every one an address, the first one, `host:path` among paths, or anything; and
# which options take a value. Of `host` they are those that name the host, without which it is this machine.
CLIENTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("curl", "wget", "aria2c", "http", "https", "xh", "lynx", "w3m", "links"), ("all", _CURL)),
    **dict.fromkeys(("iwr", "irm", "invoke-webrequest", "invoke-restmethod"), ("all", "-method -outfile -body")),
    **dict.fromkeys(("ssh", "sftp", "ftp", "telnet", "mosh", "ssh-copy-id"), ("first", _SSH)),
    **dict.fromkeys(("nc", "ncat", "netcat"), ("listen", "-w -p -s -X -x -q -i")),
    **dict.fromkeys(("ping", "ping6", "traceroute", "tracepath", "mtr", "whois"), ("first", "-c -i -W -w -s -t -m -n")),
    **dict.fromkeys(("dig", "nslookup", "host", "drill"), ("any", "")),
    **dict.fromkeys(("scp", "rsync"), ("copy", _SSH)),
    **dict.fromkeys(("gh", "glab", "aws", "gcloud", "gsutil", "az", "kubectl", "doctl", "heroku"), ("any", "")),
    **dict.fromkeys(("vercel", "netlify", "flyctl", "fly", "wrangler", "s3cmd", "rclone", "ngrok"), ("any", "")),
    **dict.fromkeys(("nmap", "socat", "twine", "start-bitstransfer", "yt-dlp", "youtube-dl", "gdown"), ("any", "")),
    **dict.fromkeys(("lftp", "tftp", "grpcurl", "websocat", "s5cmd", "azcopy", "smbclient", "axel"), ("any", "")),
    **dict.fromkeys(
        (
            *("psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "mysql", "mysqldump", "mysqladmin"),
            *("mariadb", "mariadb-dump", "redis-cli", "mongodump", "mongoexport", "clickhouse-client", "ldapsearch"),
        ),
        ("host", "-h --host"),
    ),
    **dict.fromkeys(("mongosh", "mongo"), ("host", "--host")),
    "sqlcmd": ("host", "-S --server"),
}  # fmt: skip
"""Programs that do nothing else."""

_SYSTEM = ("install", "update", "upgrade", "dist-upgrade", "full-upgrade", "add", "download", "search", "source")
VERBS: dict[str, tuple[str, ...]] = {
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
    "npm": ("install", "i", "ci", "add", "update", "publish", "view", "audit", "outdated", "login", "create"),
    "pnpm": ("install", "i", "add", "update", "up", "publish", "audit", "create"),
    "yarn": ("install", "add", "up", "upgrade", "npm", "create"),
    "bun": ("install", "i", "add", "update", "create"),
    "deno": ("install", "add", "cache", "upgrade"),
    "cargo": ("add", "install", "fetch", "update", "search", "publish"),
    "go": ("get", "install", "mod download", "mod tidy"),
    "gem": ("install", "update", "fetch", "push"),
    "bundle": ("install", "update", "add"),
    "composer": ("install", "require", "update", "create-project"),
    "dotnet": ("restore", "add", "tool install", "tool restore", "nuget push"),
    "nuget": ("install", "restore", "push"),
    "swift": ("package resolve", "package update"),
    "pod": ("install", "update"),
    "mix": ("deps.get", "deps.update", "hex.publish"),
    "dart": ("pub get", "pub add", "pub upgrade", "pub publish"),
    "flutter": ("pub get", "pub add", "pub upgrade"),
    "mvn": ("dependency:get", "dependency:resolve", "dependency:go-offline", "deploy"),
    "opam": ("install", "update", "upgrade"),
    "cabal": ("update", "install", "fetch"),
    "conan": ("install", "download", "upload"),
    "vcpkg": ("install",),
    "cpanm": ("",),
    "luarocks": ("install", "download"),
    "ansible-galaxy": ("install", "collection install"),
    "pre-commit": ("install-hooks", "autoupdate"),
    "dvc": ("pull", "push", "fetch"),
    "ollama": ("pull", "push"),
    **dict.fromkeys(("hf", "huggingface-cli"), ("download", "upload", "login", "auth login")),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah"), ("pull", "push", "login", "search")),
    "skopeo": ("copy", "inspect", "sync", "login"),
    "helm": ("pull", "push", "repo add", "repo update", "install", "upgrade"),
    "terraform": ("init", "apply", "plan"),
    "rustup": ("update", "install", "toolchain install", "component add", "target add"),
    "pyenv": ("install",),
    "nvm": ("install",),
    "playwright": ("install",),
    "openssl": ("s_client",),
}
"""Programs that reach for the network with some of their verbs; an empty one is whatever they do."""

GIT_VERBS = frozenset(
    """clone|fetch|pull|push|ls-remote|send-email|remote update|submodule update|submodule add|lfs pull|lfs fetch
    |lfs push|svn clone|svn fetch""".replace("\n    ", "").split("|")
)
"""The verbs of git that talk to a remote."""

_AFTER_NAMES = ";&|()<>`.@"  # `.exe` and `@1.2` may come behind a name; before it, a folder


def may_reach(text: str) -> bool:
    """Whether a command line must be taken apart to know: most hold none of the words, or not where they would reach.

    That is a word anywhere for URLs and code; for the name of a program only where a word of the command line may
    begin and end, and, unless it is a client, one of its verbs as the word behind it. Behind an option or whatever
    else is no plain word that verb may come later. A backslash may be nothing, or stand between words.
    """
    if "$'" in text or '$"' in text or ("-S" in text and "env" in text):
        return True
    words, names = _words()
    plain = text.replace("'", "").replace('"', "").lower()
    edges: frozenset[int] = frozenset()
    if "\\" in plain:
        parts = re.split(r"\\\n?", plain)
        plain, edges = "".join(parts), frozenset(accumulate(map(len, parts)))
    searched, size = set(), len(plain)
    for at, start, end in words.find_matches_as_indexes(plain, overlapping=True):
        name = names[at]
        if name:  # looked at here, not in functions of their own: most of what is found ends here
            if start and start not in edges and ((before := plain[start - 1]).isalnum() or before in "_-."):
                continue
            if end < size and end not in edges and (behind := plain[end]) not in _AFTER_NAMES and not behind.isspace():
                continue
        verbs = _verbs(name)
        follows = verbs.behind.match(plain, end) if verbs else None
        if verbs is None or (follows and follows[1]):
            return True
        if follows is None and name not in searched:
            searched.add(name)  # what comes behind the first one is also behind the others
            if verbs.anywhere.search(plain, end):
                return True
    return False


class _Verbs(msgspec.Struct, frozen=True):
    """What finds the plain word behind a program, in a group of its own when it is a verb; and any verb later."""

    behind: re.Pattern[str]
    anywhere: re.Pattern[str]


@lru_cache
def _verbs(name: str) -> _Verbs | None:
    """How to find the verbs with which a program reaches for the network; None where it needs none."""
    verbs = sorted(GIT_VERBS if name == "git" else VERBS.get(name, ()))
    if "" in verbs or "-S" in verbs or not verbs:
        return None
    firsts = sorted({verb.split(" ")[0] for verb in verbs})
    whole = verbs if name == "git" else firsts  # git's second word comes at once, those of others behind options too
    behind = rf"(?:[.@]\S*)?\s+(?:({'|'.join(map(_exactly, whole))})|[a-z_])"
    return _Verbs(re.compile(behind), re.compile(rf"(?<!\S)(?:{'|'.join(firsts)})(?![\w-])"))


def _exactly(verb: str) -> str:
    first, _, second = verb.partition(" ")
    return rf"{first}\s+(?:{second}(?![\w-])|[^a-z_\s-])" if second else rf"{first}(?![\w-])"


@lru_cache(1)
def _words() -> tuple[Any, tuple[str, ...]]:
    """All words, and for each the name of the program that it is; nothing where it is none."""
    from ahocorasick_rs import AhoCorasick, Implementation  # a native library, and only a scan needs it

    programs = sorted({*CLIENTS, *VERBS, "git"})
    others = ("://", "/dev/tcp", "/dev/udp", "base64", "xxd", *CODE_WORDS)
    words = AhoCorasick([*programs, *others], implementation=Implementation.DFA)
    return words, (*programs, *("" for _ in others))
