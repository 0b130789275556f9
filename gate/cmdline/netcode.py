"""Calls that reach for the network in written code, by the names of the libraries that make them."""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from gate.cmdline.url import hosts_in, is_loopback, named_host


class Call(msgspec.Struct, frozen=True):
    """One call: its name as written, the hosts that its arguments name, its line (from 1) and the text of that line."""

    pattern: str
    hosts: tuple[str, ...]
    line: int
    text: str


_MODULES = (
    r"(?:requests|httpx|aiohttp|urllib3|urllib2|urllib\.request|http\.client|ftplib|smtplib|telnetlib|paramiko|socket)"
)
_VERBS = r"(?:get|post|put|patch|delete|head|options|request)"
_CALL = rf"""(?<![\w.$])(?:
      requests\.(?:{_VERBS}|[Ss]ession)\s*\(
    | httpx\.(?:{_VERBS}|stream|Client|AsyncClient)\s*\(
    | aiohttp\.(?:ClientSession|request)\s*\(
    | urllib[23]?\.(?:request\.)?(?:urlopen|urlretrieve|Request|PoolManager|request)\s*\( | url(?:open|retrieve)\s*\(
    | http\.client\.HTTPS?Connection | (?:ftplib|smtplib|telnetlib)\.[A-Z]\w+ | paramiko\.[A-Z]\w+
    | socket\.(?:socket|create_connection|getaddrinfo|gethostbyname)\s*\(
    | webbrowser\.(?:open\w*|get)\s*\(
    | from\s+{_MODULES}\s+import\b | from\s+urllib\s+import\s+request\b | import\s+{_MODULES}\s+as\b
    | (?P<fetch>(?:(?:window|globalThis|global|self)\.)?fetch\()
    | axios(?:\.{_VERBS})?\( | new\s+(?:XMLHttpRequest|WebSocket|EventSource)\b
    | https?\.(?:get|request|Get|Post|Head|PostForm|NewRequest)\(
    | net\.(?:Dial\w*|connect|createConnection)\( | reqwest::\w+ | ureq::\w+ | TcpStream::connect
    | Net::HTTP\b | URI\.open\b | Faraday\.\w+ | HTTParty\.\w+
    | HttpClient\.newHttpClient | new\s+HttpClient\b | curl_init\( | file_get_contents\(\s*['"]https?:
    | (?:os\.(?:system|popen)|subprocess\.\w+|check_output|check_call|exec(?:File)?(?:Sync)?|spawn(?:Sync)?|popen)\(
      \s*\[?\s*[frbFRB]?['"](?:[^'"\n]*[\s/;&|])?(?:
        curl|wget|aria2c|ssh|scp|sftp|nc|ncat|telnet|ping|dig|nslookup|git['",\s]+(?:clone|fetch|pull|push|ls-remote)
        |pip3?['",\s]+(?:install|download)|npm['",\s]+(?:install|ci)|(?:pnpm|yarn)['",\s]+(?:install|add)
      )\b
    )"""
_SELDOM = rf"""(?<![\w.$])(?:
      asyncio\.open_connection\s*\( | (?:imaplib|poplib|nntplib)\.[A-Z]\w+ | xmlrpc\.client\.ServerProxy\s*\(
    | pycurl\.Curl\s*\( | httplib2\.Http\s*\( | websockets\.connect\s*\(
    | (?:__import__|import_module)\(\s*['"]{_MODULES}['"]
    | sys\.executable\s*,\s*['"]-m['"]\s*,\s*['"]pip['"]\s*,\s*['"](?:install|download)\b
    | require\(\s*['"](?:node:)?(?:https?|net|tls|dns|dgram|undici)(?:/promises)?['"]\s*\)\s*\.\s*
      (?:get|request|connect|createConnection|lookup|resolve\w*|createSocket|fetch)\(
    | (?:tls|http2)\.connect\( | dns\.(?:lookup|resolve\w*|promises)\b | dgram\.createSocket\( | undici\.\w+\(
    | RestClient\.\w+ | (?:TCP|UDP)Socket\.(?:new|open)\b | require\s*\(?\s*['"](?:open-uri|socket\.http)['"]
    | LWP::Simple\b | (?:LWP::UserAgent|HTTP::Tiny|IO::Socket(?:::(?:INET6?|IP|SSL))?|Mojo::UserAgent)\s*->\s*\w+
    | (?:WWW::\w+|Net::(?:FTP|SMTP|SSH2?|Telnet|DNS|Ping|POP3|IMAP)(?:::\w+)*)(?:\s*->\s*|\.)\w+
    | p?fsockopen\( | stream_socket_client\( | (?:get_headers|fopen|readfile)\(\s*['"](?:https?|ftp): | dns_get_record\(
    | import\(\s*['"](?:node:)?(?:https?|net|tls|undici)['"]\s*\)[^\n]{{0,80}}?\.(?:get|request|connect|fetch)\(
    | download\.file\( | install\.packages\(
    | Net\.(?:WebClient|Sockets\.TcpClient|Sockets\.UdpClient)\b | URLSession\.shared\b
    ) | (?<=\.)url(?:open|retrieve)\s*\(
    | \b(?:run|call|Popen|getoutput|getstatusoutput|system|shell_exec|passthru)\(
      \s*\[?\s*[frbFRB]?['"](?:[^'"\n]*[\s/;&|])?(?:curl|wget)\b"""
_COMMENT = re.compile(rb"\s*(?:#|//|\*|--|;)")
_DEFINITION = re.compile(rb"(?:def|function|func|fn|async)\s+$")
_REACH = 300  # bytes behind a line's end that a call may go on
_QUOTED = re.compile(r"['\"]([\w.:]+|\[[\w:]+\](?::\d+)?)['\"]")
_LIBRARIES = {  # compiled where they are needed: seldom
    "perl": r"-[mM](?:LWP|HTTP::Tiny|IO::Socket(?!::UNIX)|Net::|WWW::|Mojo::UserAgent|Socket)[\w:]*.*",
    "ruby": r"-r(?:open-uri|net/\w+|socket|httparty|faraday|rest-client|excon)",
}
_SELDOM_WORDS = (
    *(".urlopen(", ".urlretrieve(", "open_connection", "imaplib", "poplib", "nntplib", "xmlrpc", "pycurl", "httplib2"),
    *("socket", "__import__(", "import_module(", "sys.executable", "undici", "dgram", "tls.connect(", "http2.connect("),
    *("dns.lookup", "dns.resolve", "dns.promises", "restclient.", "open-uri", "lwp::", "http::tiny", "mojo::useragent"),
    *("www::", "net::", "fsockopen(", "get_headers(", "dns_get_record(", "download.file(", "install.packages("),
    *("net.webclient", "net.sockets.", "urlsession", "curl ", "wget ", "'curl", '"curl', "'wget", '"wget'),
)
CODE_WORDS = (
    *("requests", "httpx", "aiohttp", "urllib", "urlopen(", "urlretrieve(", "urlopen (", "http.client", "ftplib"),
    *("smtplib", "telnetlib", "paramiko", "socket", "webbrowser", "fetch(", "axios", "xmlhttprequest", "eventsource"),
    *("http.get(", "http.request(", "http.post(", "http.head(", "http.postform(", "http.newrequest(", "https.get("),
    *("https.request(", "net.dial", "net.connect(", "net.createconnection(", "reqwest::", "ureq::", "tcpstream::"),
    *("net::http", "uri.open", "faraday.", "httparty.", "httpclient", "curl_init(", "file_get_contents(", "os.system("),
    *("popen(", "subprocess.", "check_output(", "check_call(", "exec(", "execsync(", "execfile(", "execfilesync("),
    *("spawn(", "spawnsync("),
    *(
        word
        for word in _SELDOM_WORDS
        if word not in ("socket", "__import__(", "import_module(", ".urlopen(", ".urlretrieve(")
    ),
)
"""Words in lower case of which every text with such a call has at least one, or one of those behind a quote."""

QUOTED_WORDS = ("require(http", "require(node:", "require(net", "require(tls", "require(dns", "fopen(http", "fopen(ftp",
                "readfile(http", "import(node:", "import(http", "import(net", "import(tls")  # fmt: skip
"""Such words without the quote that stands behind the parenthesis."""

SWITCHES = ("-rnet/", "-rhttparty", "-rfaraday", "-rrest-client", "-rexcon")
"""How a network library is loaded in a command line, where that holds none of the words."""

_QUOTED_BYTES = tuple(word.replace("(", f"({quote}").encode() for word in QUOTED_WORDS for quote in "'\"")
_SELDOM_BYTES = (*(word.encode() for word in _SELDOM_WORDS), *_QUOTED_BYTES)


def calls(data: bytes, *, python: bool = True) -> Iterator[Call]:
    """Every call in a program's text, comment lines left out; in Python, `fetch(` is a function of its own."""
    for start, end in _lines_to_look_at(data):
        line = data[start:end]
        if _COMMENT.match(line):
            continue
        lower = line.lower()
        seldom = any(word in lower for word in _SELDOM_BYTES)
        patterns = (_call(_CALL), _call(_SELDOM)) if seldom else (_call(_CALL),)
        every = (found for one in patterns for found in one.finditer(data, start, min(end + _REACH, len(data))))
        last = -1
        for found in sorted(every, key=lambda found: found.start()) if seldom else every:
            if found.start() > end:
                break
            if found.start() < last:
                continue  # `request.urlopen(` within `urllib.request.urlopen(`
            last = found.end()
            fetches = python and found.groupdict().get("fetch")
            if fetches or _DEFINITION.search(data[start : found.start()]):
                continue
            rest = data[found.start() : max(end, found.end())].decode("utf-8", "replace")
            yield Call(
                pattern=re.sub(r"\s+", " ", found.group().decode("utf-8", "replace")),
                hosts=hosts_of(rest),
                line=data.count(b"\n", 0, start) + 1,
                text=line.decode("utf-8", "replace").strip(),
            )


def loaded(program: str, words: Iterable[str]) -> Iterator[str]:
    """The switches with which an interpreter loads a network library: `perl -MLWP::Simple`, `ruby -ropen-uri`."""
    library = _LIBRARIES.get(program)
    return (word for word in words if library and re.fullmatch(library, word))


@functools.cache
def _call(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.VERBOSE)  # which takes some milliseconds


def _lines_to_look_at(data: bytes) -> Iterator[tuple[int, int]]:
    """Where the lines that hold one of the words begin and end: most files have none, and the others few."""
    last = -1
    for _, at, _ in _words().find_matches_as_indexes(data.lower()):
        if at >= last:
            start = data.rfind(b"\n", 0, at) + 1
            last = data.find(b"\n", at)
            last = last if last >= 0 else len(data)
            yield start, last


@functools.lru_cache(1)
def _words() -> Any:
    from ahocorasick_rs import BytesAhoCorasick, Implementation  # a native library, and only a scan needs it

    words = (*(word.encode() for word in CODE_WORDS), *_QUOTED_BYTES)
    return BytesAhoCorasick(words, implementation=Implementation.DFA)


def hosts_of(passage: str) -> tuple[str, ...]:
    """The hosts that the rest of the line names: in URLs, else this machine's name in quotes."""
    urls = tuple(url.host for url in hosts_in(passage))
    return urls or tuple(host for word in _QUOTED.findall(passage) if is_loopback(host := named_host(word)))
