"""Programs that reach for the network, and a quick look whether a command line may call one."""

import re
from functools import lru_cache
from itertools import accumulate
from typing import Any

import msgspec

from gate.cmdline.managers import BARE, REPOSITORIES, VERBS
from gate.cmdline.netcode import CODE_WORDS, QUOTED_WORDS, SWITCHES
from gate.cmdline.wrapper import WRAPPERS, WRAPPERS_WITH_VERB


class Client(msgspec.Struct, frozen=True):
    """How a client names the hosts that it talks to.

    `kind` says which words after the program do: all, the first one, those of the form `host:path`, and so on.
    `valued` are the options that take a value; of those, `leads` name another host, and `routes` a proxy.
    """

    kind: str
    valued: frozenset[str] = frozenset()
    leads: frozenset[str] = frozenset()
    routes: frozenset[str] = frozenset()


def _client(kind: str, valued: str = "", *, leads: str = "", routes: str = "") -> Client:
    """Options by their names; letters alone stand for the short ones."""
    groups = [
        frozenset(
            option for word in text.split() for option in ([word] if word[0] == "-" else [f"-{sign}" for sign in word])
        )
        for text in (valued, leads, routes)
    ]
    return Client(kind, groups[0] | groups[1] | groups[2], groups[1], groups[2])


_CURL = _client(
    "curl",
    "AbcCdDeEFHmoPQrtTuUwXyYz --abstract-unix-socket --alt-svc --aws-sigv4 --cacert --capath --cert --cert-type "
    "--ciphers --connect-timeout --continue-at --cookie --cookie-jar --create-file-mode --crlfile --curves --data "
    "--data-ascii --data-binary --data-raw --data-urlencode --delegation --dns-interface --dump-header --engine "
    "--etag-compare --etag-save --expect100-timeout --form --form-string --ftp-method --ftp-port --header --hsts "
    "--interface --ip-tos --json --keepalive-time --key --key-type --libcurl --limit-rate --local-port "
    "--login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs --max-time --netrc-file "
    "--noproxy --oauth2-bearer --output --output-dir --parallel-max --pass --pinnedpubkey --proto --proto-default "
    "--proto-redir --proxy-cacert --proxy-cert --proxy-ciphers --proxy-header --proxy-key --proxy-pass --proxy-user "
    "--pubkey --quote --random-file --range --rate --referer --request --request-target --retry --retry-delay "
    "--retry-max-time --sasl-authzid --service-name --speed-limit --speed-time --stderr --telnet-option --time-cond "
    "--tls-max --tls13-ciphers --tlspassword --tlsuser --trace --trace-ascii --trace-config --unix-socket "
    "--upload-file --url-query --user --user-agent --variable --write-out --resolve --connect-to",
    leads="-K --config --url --expand-url --doh-url --dns-servers --ipfs-gateway",
    routes="-x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname",
)
_WGET = _client(
    "all",
    "aoBtOTwQPUlARDIX --output-document --output-file --append-output --base --tries --timeout --wait --waitretry "
    "--quota --bind-address --limit-rate --dns-timeout --connect-timeout --read-timeout --user --password "
    "--http-user --http-password --header --post-data --post-file --method --body-data --body-file --referer "
    "--user-agent --load-cookies --save-cookies --directory-prefix --accept --reject --domains --exclude-domains "
    "--level --certificate --private-key --ca-certificate --ca-directory --proxy-user --proxy-password "
    "--default-page --cut-dirs --max-redirect --prefer-family --restrict-file-names --progress --include-directories "
    "--exclude-directories --accept-regex --reject-regex",
    leads="-i --input-file --config",
    routes="-e --execute",
)
_HTTPIE = _client(
    "request",
    "oaApsP --output --auth --auth-type --print --style --session --session-read-only --timeout --max-redirects "
    "--verify --cert --cert-key --ssl --ciphers --pretty --format-options --history-print --default-scheme --raw "
    "--response-charset --boundary",
    routes="--proxy",
)
_CMDLET = _client(
    "all",
    "-method -outfile -body -infile -headers -contenttype -timeoutsec -credential -sessionvariable -websession "
    "-useragent -form -maximumredirection",
    leads="-uri",
    routes="-proxy",
)
_SSH = _client("first", "bBcDEeFIilmOopPQRSw --ssh", leads="JLWo")
_NC = _client("listen", "egGiImMOopPqsTVwXc --proxy-type --proxy-auth --exec --sh-exec", routes="-x --proxy")
_ANY = _client("any")
_HOST = _client("host", leads="-h --host")
CLIENTS: dict[str, Client] = {
    "curl": _CURL,
    **dict.fromkeys(("wget", "wget2"), _WGET),
    "aria2c": _client(
        "all", "doisxkjlt --dir --out", leads="-i --input-file", routes="--all-proxy --http-proxy --https-proxy"
    ),
    **dict.fromkeys(("http", "https", "xh", "xhs", "curlie"), _HTTPIE),
    **dict.fromkeys(("lynx", "w3m", "links", "elinks", "axel", "websocat"), _client("all", "-o --output")),
    **dict.fromkeys(("iwr", "irm", "invoke-webrequest", "invoke-restmethod"), _CMDLET),
    **dict.fromkeys(("ssh", "sftp", "mosh", "ssh-copy-id"), _SSH),
    "autossh": _client("first", "bBcDEeFIilmMOopPQRSw", leads="JLWo"),
    **dict.fromkeys(("ftp", "ncftp", "telnet", "tftp", "lftp", "ftplib", "telnetlib"), _client("first", "bceElopPu")),
    **dict.fromkeys(("nc", "ncat", "netcat"), _NC),
    **dict.fromkeys(
        ("ping", "ping6", "traceroute", "traceroute6", "tracepath", "mtr", "arping", "ntpdate", "ssh-keyscan"),
        _client("first", "ciIlmMnpQsStTwW"),
    ),
    **dict.fromkeys(("test-connection", "test-netconnection"), _client("first", leads="-computername")),
    "whois": _client("first", "p", leads="-h --host"),
    **dict.fromkeys(("dig", "nslookup", "host", "drill", "kdig"), _ANY),
    "getent": _client("lookup", "s"),
    "scp": _client("copy", "cDFilPSX", leads="Jo"),
    "rsync": _client("copy", "BefMT --rsh --filter --exclude --include --exclude-from --include-from --files-from "
                     "--chown --chmod --usermap --groupmap --out-format --log-file --log-file-format --backup-dir "
                     "--suffix --temp-dir --compare-dest --copy-dest --link-dest --port --password-file --rsync-path "
                     "--block-size --bwlimit --timeout --contimeout --address --partial-dir --max-size --min-size"),
    "sshfs": _client("copy", "CFop"),
    **dict.fromkeys(("mail", "mailx", "s-nail", "mutt", "neomutt"), _client("mail", "s")),
    **dict.fromkeys(("sendmail", "ssmtp", "msmtp", "swaks", "sendemail"), _ANY),
    "socat": _client("addresses", "bdhlLsStTy"),
    **dict.fromkeys(("gh", "glab", "aws", "gcloud", "gsutil", "az", "kubectl", "doctl", "heroku"), _ANY),
    **dict.fromkeys(("vercel", "netlify", "flyctl", "fly", "wrangler", "s3cmd", "rclone", "ngrok"), _ANY),
    **dict.fromkeys(("nmap", "twine", "start-bitstransfer", "yt-dlp", "youtube-dl", "gdown", "cloudflared"), _ANY),
    **dict.fromkeys(("grpcurl", "s5cmd", "azcopy", "smbclient", "rpcinfo", "showmount", "eksctl"), _ANY),
    "resolve-dnsname": _ANY,
    **dict.fromkeys(
        (
            *("psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "mysql", "mysqldump", "mysqladmin"),
            *("mariadb", "mariadb-dump", "redis-cli", "mongodump", "mongoexport", "clickhouse-client", "ldapsearch"),
        ),
        _HOST,
    ),
    **dict.fromkeys(("mongosh", "mongo"), _client("host", leads="--host")),
    "sqlcmd": _client("host", leads="-S --server"),
}  # fmt: skip
"""Programs that do nothing else. Of the kind `host` only options and URLs name one, and else it is this machine."""

_CUT = re.compile(r"[;&|()}`\n!]|(?<!\w)\{")
_ASSIGNED = re.compile(r"[a-z_]\w*(?:\[[^\]]*\])?\+?=")
_KEYWORDS = frozenset(["then", "do", "else", "elif", "if", "while", "until", "time"])
_WITH_A_WORD = WRAPPERS_WITH_VERB | frozenset(["flock", "faketime", "taskset", "timeout", "gtimeout"])
_AFTER_NAMES = ";&|()<>`.@$"  # `.exe` and `@1.2` may come behind a name; before it, a folder


def may_reach(text: str) -> bool:
    """Whether a command line must be taken apart to know: most hold none of the words, or not where they would reach.

    That is a word anywhere for URLs and code; for the name of a program only where a word of the command line may
    begin and end, and, unless it is a client, one of its verbs as the word behind it. Behind an option or whatever
    else is no plain word that verb may come later. A backslash may be nothing, or stand between words.
    """
    expands = "$" in text
    if (expands and ("$'" in text or '$"' in text)) or ("-S" in text and "env" in text):
        return True
    words, names = _words()
    plain = text.replace("'", "").replace('"', "").lower()
    edges: frozenset[int] = frozenset()
    if "\\" in plain:
        parts = re.split(r"\\\n?", plain)
        plain, edges = "".join(parts), frozenset(accumulate(map(len, parts)))
    if (expands or "`" in text) and _may_be_held(plain):
        return True
    searched, size = set(), len(plain)
    for at, start, end in words.find_matches_as_indexes(plain, overlapping=True):
        name = names[at]
        if name:  # looked at here, not in functions of their own: most of what is found ends here
            stands = start == 0 or start in edges or not ((before := plain[start - 1]).isalnum() or before in "_-.")
            if not stands and plain[start - 2 : start] != "-m":  # a module of Python may stand behind its switch
                continue
            if end < size and end not in edges and (behind := plain[end]) not in _AFTER_NAMES and not behind.isspace():
                continue
        verbs = _verbs(name)
        follows = verbs.behind.match(plain, end) if verbs else None
        if verbs is None or (follows and follows[1]):
            return True
        if follows is None and name not in searched:
            if name in BARE:
                return True
            searched.add(name)  # what comes behind the first one is also behind the others
            if verbs.anywhere.search(plain, end):
                return True
    return False


def _may_be_held(plain: str) -> bool:
    """Whether a variable or another command may give the name of a program, whatever stands before it."""
    for part in _CUT.split(plain.replace("`", "$`") if "`" in plain else plain):
        if "$" not in part:
            continue
        head = part[: part.index("$")]
        words = head.split()
        while words and words[0] in _KEYWORDS:
            del words[0]
        if not words or "<" in words[0] or ">" in words[0]:
            return True
        if len(words) == 1 and not head[-1].isspace():  # the expansion is in the first word, which may be `x=$y`
            if not _ASSIGNED.match(words[0]) or part.count("$") > 1:
                return True
        elif "=" in words[0] or _may_run(words if head[-1].isspace() else words[:-1]):
            return True
    return False


def _may_run(words: list[str]) -> bool:
    """Whether a program that may run another one has not named that one yet: its own options and words come first."""
    name = words[0].rpartition("/")[2]
    if name not in WRAPPERS or name in ("su", "script"):
        return name in WRAPPERS
    if name == "find":
        return any(word.startswith(("-exec", "-ok")) for word in words)
    spare, valued = name in _WITH_A_WORD, False
    for word in words[1:]:
        if word.rpartition("/")[2] in WRAPPERS:
            spare = word.rpartition("/")[2] in _WITH_A_WORD
        elif not (word[0] == "-" or "=" in word or valued):
            if not spare and not word[0].isdigit():
                return False
            spare = False
        valued = word[0] == "-"
    return True


class _Verbs(msgspec.Struct, frozen=True):
    """What finds the plain word behind a program, in a group of its own when it is a verb; and any verb later."""

    behind: re.Pattern[str]
    anywhere: re.Pattern[str]


@lru_cache
def _verbs(name: str) -> _Verbs | None:
    """How to find the verbs with which a program reaches for the network; None where it needs none."""
    verbs = sorted(REPOSITORIES.get(name, VERBS.get(name, ())))
    if not verbs or any(verb[:1] in ("", "-") for verb in verbs):
        return None
    firsts = sorted({verb.split(" ")[0] for verb in verbs})
    whole = (
        verbs if name in REPOSITORIES else firsts
    )  # git's second word comes at once, those of others behind options too
    space = r"[ \t]" if name in BARE else r"\s"  # what stands on the next line is no verb of these
    behind = rf"(?:[.@][^\s;&|()<>`]*)?{space}+(?:({'|'.join(map(_exactly, whole))})|[a-z_])"
    return _Verbs(re.compile(behind), re.compile(rf"(?<!\S)(?:{'|'.join(firsts)})(?![\w-])"))


def _exactly(verb: str) -> str:
    first, _, second = verb.partition(" ")
    return rf"{first}\s+(?:{second}(?![\w-])|[^a-z_\s-])" if second else rf"{first}(?![\w-])"


@lru_cache(1)
def _words() -> tuple[Any, tuple[str, ...]]:
    """All words, and for each the name of the program that it is; nothing where it is none."""
    from ahocorasick_rs import AhoCorasick, Implementation  # a native library, and only a scan needs it

    programs = sorted({*CLIENTS, *VERBS, *REPOSITORIES})
    others = ("://", "/dev/tcp", "/dev/udp", "/inet", "base64", "xxd", *CODE_WORDS, *QUOTED_WORDS, *SWITCHES)
    words = AhoCorasick([*programs, *others], implementation=Implementation.DFA)
    return words, (*programs, *("" for _ in others))
