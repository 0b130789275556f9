"""Calls that reach for the network in written code, by the names of the libraries that make them."""

import functools
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from gate.cmdline.url import hosts_in, is_loopback


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
        curl|wget|ssh|scp|nc|ncat|telnet|git['",\s]+(?:clone|fetch|pull|push)|pip3?['",\s]+install|npm['",\s]+(?:install|ci)
      )\b
    )"""
_COMMENT = re.compile(rb"\s*(?:#|//|\*|--|;)")
_DEFINITION = re.compile(rb"(?:def|function|func|fn|async)\s+$")
_REACH = 300  # bytes behind a line's end that a call may go on
_QUOTED = re.compile(r"['\"]([\w.:]+)['\"]")

CODE_WORDS = (
    *("requests", "httpx", "aiohttp", "urllib", "urlopen(", "urlretrieve(", "urlopen (", "http.client", "ftplib"),
    *("smtplib", "telnetlib", "paramiko", "socket", "webbrowser", "fetch(", "axios", "xmlhttprequest", "eventsource"),
    *("http.get(", "http.request(", "http.post(", "http.head(", "http.postform(", "http.newrequest(", "https.get("),
    *("https.request(", "net.dial", "net.connect(", "net.createconnection(", "reqwest::", "ureq::", "tcpstream::"),
    *("net::http", "uri.open", "faraday.", "httparty.", "httpclient", "curl_init(", "file_get_contents(", "os.system("),
    *("popen(", "subprocess.", "check_output(", "check_call(", "exec(", "execsync(", "execfile(", "execfilesync("),
    *("spawn(", "spawnsync("),
)
"""Words in lower case of which every text with such a call has at least one."""


def calls(data: bytes, *, python: bool = True) -> Iterator[Call]:
    """Every call in a program's text, comment lines left out; in Python, `fetch(` is a function of its own."""
    for start, end in _lines_to_look_at(data):
        line = data[start:end]
        if _COMMENT.match(line):
            continue
        for found in _call().finditer(data, start, min(end + _REACH, len(data))):
            if found.start() > end:
                break
            if _DEFINITION.search(data[start : found.start()]) or (python and found["fetch"]):
                continue
            rest = data[found.start() : max(end, found.end())].decode("utf-8", "replace")
            yield Call(
                pattern=re.sub(r"\s+", " ", found.group().decode("utf-8", "replace")),
                hosts=_hosts(rest),
                line=data.count(b"\n", 0, start) + 1,
                text=line.decode("utf-8", "replace").strip(),
            )


@functools.cache
def _call() -> re.Pattern[bytes]:
    return re.compile(_CALL.encode(), re.VERBOSE)  # which takes some milliseconds


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

    return BytesAhoCorasick([word.encode() for word in CODE_WORDS], implementation=Implementation.DFA)


def _hosts(passage: str) -> tuple[str, ...]:
    """The hosts that the rest of the line names: in URLs, else this machine's name in quotes."""
    urls = tuple(url.host for url in hosts_in(passage))
    return urls or tuple(host for host in _QUOTED.findall(passage) if is_loopback(host))
