"""What a client contacts: the hosts that its words name, or that it does so wherever that is."""

import re
from collections.abc import Callable, Iterator, Mapping

import msgspec

from gate.cmdline.clients import CLIENTS
from gate.cmdline.leads import Line, aside, mapped, proxies, taken
from gate.cmdline.reach import Reach
from gate.cmdline.remotes import remote_host
from gate.cmdline.shell import Simple
from gate.cmdline.url import hosts_in, named_host

_TOLD = frozenset(["--version", "-V", "--help", "-h", "-help", "version", "help"])
_WEB = ("curl", "all", "request")  # the kinds that a proxy in the environment serves
_SOCKET = re.compile(
    r"(?i)(?:tcp|udp|sctp|dccp|openssl|ssl|dtls|socks\w*|proxy(?:-connect)?)[46]?(?:-connect|-sendto|-datagram)?"
    r":(\[[^\]]*\]|[^:,]+)"
)


class _Call(msgspec.Struct, frozen=True):
    """A client's arguments, taken apart and as words, and the whole command as text."""

    line: Line
    words: tuple[str, ...]
    text: str


def client(name: str, simple: Simple, text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    """A program that does nothing else: all that it is pointed at must be this machine for it to stay here."""
    words = simple.arguments
    if words and all(word in _TOLD for word in words):
        return
    known = CLIENTS[name]
    if {"-outfile", "-computername"} & known.valued:  # PowerShell does not mind the case of options
        words = tuple(word.lower() if word[:1] == "-" else word for word in words)
    line = taken(words, known.valued)
    hosts = _HOSTS[known.kind](_Call(line, words, text))
    if hosts is None:
        return
    led = (*aside(known, line), *proxies(known, line, variables if known.kind in _WEB else {}, hosts))
    if known.kind != "host":
        hosts = (*hosts, *led)
    yield Reach(name, tuple(dict.fromkeys(hosts)), text)


def _all(call: _Call) -> tuple[str, ...]:
    return tuple(map(named_host, call.line.operands))


def _curl(call: _Call) -> tuple[str, ...]:
    kept, instead = mapped(call.line, call.line.operands)
    return (*map(named_host, kept), *instead)


def _request(call: _Call) -> tuple[str, ...]:
    """httpie: a method or none, the address, and what is sent; `:8000` is a port of this machine."""
    pointed = (
        call.line.operands[1:] if re.fullmatch(r"[A-Za-z]+", "".join(call.line.operands[:1])) else call.line.operands
    )
    pointed = pointed or call.line.operands
    return tuple("localhost" if re.match(r":(?!:)|/", word) else named_host(word) for word in pointed[:1])


def _first(call: _Call) -> tuple[str, ...]:
    return tuple(map(named_host, call.line.operands[:1]))


def _listen(call: _Call) -> tuple[str, ...] | None:
    listens = any(re.fullmatch(r"-[a-z46]*l[a-z46]*|--listen", word) for word in call.words)
    return None if listens else _first(call)


def _copy(call: _Call) -> tuple[str, ...] | None:
    """`host:path` among paths; copies from a folder to a folder contact nobody, whatever their options say."""
    return tuple(host for word in call.line.operands if (host := remote_host(word)) is not None) or None


def _host(call: _Call) -> tuple[str, ...] | None:
    """What options and URLs name, without which it is this machine."""
    said = (found[1] for found in re.finditer(r"\bhost=([^\s;&]+)", call.text))
    named = (value for name, value in call.line.options if not value.startswith(("/", ".", "-")) and value)
    return (
        *(named_host(value.partition(",")[0]) for value in named),
        *map(named_host, said),
        *_urls(call.text),
    ) or None


def _urls(text: str) -> tuple[str, ...]:
    return tuple(url.host for url in hosts_in(text))


def _lookup(call: _Call) -> tuple[str, ...] | None:
    kind, *names = call.line.operands or ("",)
    return tuple(map(named_host, names)) or None if re.fullmatch(r"a?hosts(?:v[46])?", kind) else None


def _mail(call: _Call) -> tuple[str, ...] | None:
    """Who is written to at another machine; a name alone is an account of this one."""
    return tuple(word.rpartition("@")[2].lower() for word in call.line.operands if re.search(r"[@$`]", word)) or None


def _sockets(call: _Call) -> tuple[str, ...] | None:
    found = (address for word in call.line.operands if (address := _SOCKET.match(word)))
    hosts = tuple(address[1].strip("[]").lower() for address in found)
    return hosts or (() if any(re.match(r"[$`]", word) for word in call.line.operands) else None)


_HOSTS: dict[str, Callable[[_Call], tuple[str, ...] | None]] = {
    "addresses": _sockets,
    "all": _all,
    "any": lambda _: (),
    "copy": _copy,
    "curl": _curl,
    "first": _first,
    "host": _host,
    "listen": _listen,
    "lookup": _lookup,
    "mail": _mail,
    "request": _request,
}
"""The hosts that a client of each kind is pointed at; none where it may be any, None where it contacts nobody."""
