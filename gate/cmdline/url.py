"""Addresses in text: which hosts they name, and which of those are this machine."""

import re
from collections.abc import Iterator

import msgspec

_SCHEMES = (
    r"https?|ftps?|sftp|ssh|git|wss?|rsync|git\+https?|git\+ssh|postgres(?:ql)?|mysql|mariadb|rediss?|mongodb(?:\+srv)?"
    r"|amqps?|ldaps?|smtps?|imaps?|pop3s?|mqtts?|nats|clickhouse|svn(?:\+ssh)?|s3|gs|nfs|smb|tcp|udp|socks[45]?[ah]?"
)
_URL = re.compile(rf"(?i)\b({_SCHEMES})://([^\s/'\"`<>|\\)}}\],;?#]+)")
_LOOPBACK = re.compile(r"localhost|.*\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1|::|0:0:0:0:0:0:0:[01]")


class Url(msgspec.Struct, frozen=True):
    """The two parts of an address that matter here, in lower case."""

    scheme: str
    host: str


def hosts_in(text: str) -> Iterator[Url]:
    """Every URL with a host in a text."""
    for found in _URL.finditer(text):
        yield Url(found[1].lower(), _host(found[2]))


def named_host(word: str) -> str:
    """The host of an address as programs take it: a URL, `user@host:port/path`, or a name alone."""
    return _host(re.split(r"[/?#]", word.partition("://")[2] or word, maxsplit=1)[0])


def is_loopback(host: str) -> bool:
    """Whether the host is this machine by its name or its number."""
    return _LOOPBACK.fullmatch(host) is not None


def _host(authority: str) -> str:
    host = authority.rpartition("@")[2].lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".") if host.count(":") < 2 else host
