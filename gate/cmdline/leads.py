"""Where a client is led beside the addresses that it is given: by proxies and by options that name another host."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from gate.cmdline.clients import Client
from gate.cmdline.url import named_host

_PROXIES = re.compile(r"(?:https?|ftp|all)_proxy", re.IGNORECASE)
_COLON = re.compile(r":(?![^\[]*\])")
_SSH_OPTION = re.compile(r"(?i)(?:proxyjump|hostname|proxycommand|localforward|remoteforward)\s*[= ]\s*(.*)")


class Line(msgspec.Struct, frozen=True):
    """A client's arguments: its operands, and its options with their values."""

    operands: tuple[str, ...]
    options: tuple[tuple[str, str], ...]

    def values(self, names: Iterable[str]) -> tuple[str, ...]:
        """The values of these options."""
        return tuple(value for name, value in self.options if name in names)


def taken(words: Sequence[str], valued: frozenset[str]) -> Line:
    """Arguments taken apart as `getopt` does: `-o x`, `-ox`, `-sSox`, `--out x`, `--out=x`."""
    operands: list[str] = []
    options: list[tuple[str, str]] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands += rest
        elif word[:1] != "-" or word == "-":
            operands.append(word)
        elif word in valued:
            options.append((word, next(rest, "")))
        elif word.startswith("--"):
            name, said, value = word.partition("=")
            options += [(name, value)] if said else []
        else:
            at = next((at for at in range(1, len(word)) if f"-{word[at]}" in valued), 0)
            if at:
                options.append((f"-{word[at]}", word[at + 1 :] or next(rest, "")))
    return Line(tuple(operands), tuple(options))


def aside(client: Client, line: Line) -> Iterator[str]:
    """The hosts that options name beside the operands, proxies left out."""
    for value in line.values(client.leads):
        yield from _of_ssh(value) if client.kind in ("first", "copy") else [named_host(value)]


def proxies(client: Client, line: Line, variables: Mapping[str, str], hosts: Sequence[str]) -> tuple[str, ...]:
    """The proxies through which a client reaches these hosts, by its options or by variables of its environment."""
    given = line.values(client.routes)
    said = [proxy for value in given if (proxy := _proxy(value)) is not None]
    spares = [*line.values(["--noproxy"]), *_spares(variables)]
    if hosts and all(_spared(host, spares) for host in hosts):
        return ()
    return tuple(named_host(proxy) for proxy in (said or through(variables)) if proxy.strip())


def _proxy(value: str) -> str | None:
    """The proxy in `host:port`, httpie's `http:http://host`, wget's `http_proxy=host`; None where it sets another."""
    name, said, behind = value.partition("=")
    if said and re.fullmatch(r"\s*\w+\s*", name):
        return behind.strip() if _PROXIES.fullmatch(name.strip()) else None
    return re.sub(r"^(?:https?|all):(?!//)", "", value)


def through(variables: Mapping[str, str]) -> tuple[str, ...]:
    """The proxies that variables of the environment name."""
    return tuple(value for name, value in variables.items() if value.strip() and _PROXIES.fullmatch(name))


def routed(variables: Mapping[str, str], host: str) -> tuple[str, ...]:
    """The hosts of the proxies through which any other program reaches this host."""
    proxies = through(variables)
    return () if not proxies or _spared(host, _spares(variables)) else tuple(map(named_host, proxies))


def _spares(variables: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(value for name, value in variables.items() if name.lower() == "no_proxy")


def _spared(host: str, lists: Iterable[str]) -> bool:
    """Whether one of the lists of hosts that need no proxy has this one."""
    for entry in re.split(r"[\s,]+", ",".join(lists)):
        name = entry.lstrip(".").lower()
        if name and (name == "*" or host == name or host.endswith(f".{name}")):
            return True
    return False


def mapped(line: Line, urls: Sequence[str]) -> tuple[list[str], list[str]]:
    """What curl's `--resolve` and `--connect-to` make of addresses: those that stay as given, and the hosts instead."""
    led: list[tuple[str, str, list[str]]] = []
    for value in line.values(["--resolve"]):
        host, port, to = [*value.lstrip("+").split(":", 2), "", ""][:3]
        led.append((host.lower(), port, [address.strip("[] ") for address in to.split(",") if address]))
    for value in line.values(["--connect-to"]):
        host, port, to = [*(part.strip("[]").lower() for part in _COLON.split(value)), "", "", ""][:3]
        led.append((host, port, [to] if to else []))
    kept = [url for url in urls if not any(to and _is_led(url, host, port) for host, port, to in led)]
    return kept, [host for _, _, to in led for host in to]


def _is_led(url: str, host: str, port: str) -> bool:
    found = re.search(r":(\d+)(?:[/?#]|$)", url.partition("://")[2] or url)
    own = found[1] if found else "443" if url.startswith("https:") else "80"
    return host in ("", "*", named_host(url)) and port in ("", "*", own)


def _of_ssh(value: str) -> Iterator[str]:
    """`-J a,b`, `-W host:port`, `-L port:host:port`, `-o ProxyJump=a`; other values of `-o` name none."""
    option = _SSH_OPTION.fullmatch(value)
    if option is None and re.match(r"[A-Za-z]+\s*[= ]", value):
        return
    for part in filter(None, (option[1] if option else value).removesuffix("none").split(",")):
        forward = re.fullmatch(r"(?:[^:]*:)?\d+:(\[[^\]]*\]|[^:]+):\d+", part)
        yield forward[1].strip("[]") if forward else named_host(part)
