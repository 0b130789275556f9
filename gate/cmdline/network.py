"""What reaches for the network: programs, words and URLs in a command line."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from gate.cmdline.arguments import git_verb, operands
from gate.cmdline.clients import CLIENTS, GIT_VERBS, VERBS, may_reach
from gate.cmdline.netcode import calls
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
    from gate.cmdline.decoded import decoded
    from gate.cmdline.shell import commands  # the grammar of a shell, which most command lines do not need

    found = commands(text)
    hidden = (Reach(f"{how} into a shell", (), " ".join(text.split())) for how in decoded(found))
    return _away((*(reach for simple in found for reach in _of(simple)), *hidden))


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
    name = name if name in CLIENTS or name in VERBS else name.lower()
    if name in CLIENTS:
        yield from _client(name, simple, text)
    elif name == "git":
        yield from _git(simple, text)
    elif name in VERBS:
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
        yield from _addresses(text)


def _addresses(text: str) -> Iterator[Reach]:
    return (Reach(f"{url.scheme}://{url.host}", (url.host,), text) for url in hosts_in(text))


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
    kind, valued = CLIENTS[name]
    if kind == "copy":
        remote = [host for word in operands(words, valued) if (host := _remote_host(word)) is not None]
        if remote:
            yield Reach(name, tuple(remote), text)
        return
    if kind == "host":
        said = (found[1] for found in re.finditer(r"\bhost=([^\s;&]+)", text))
        hosts = [*_hosts(words, valued.split()), *map(named_host, said), *(url.host for url in hosts_in(text))]
        if hosts:
            yield Reach(name, tuple(dict.fromkeys(hosts)), text)
        return
    if kind == "listen" and any(re.fullmatch(r"-[a-z46]*l[a-z46]*|--listen", word) for word in words):
        return
    pointed = operands(words, valued)[: {"all": None, "any": 0}.get(kind, 1)]
    yield Reach(name, tuple(map(named_host, pointed)), text)


def _hosts(words: tuple[str, ...], options: list[str]) -> Iterator[str]:
    """The hosts that options name, in the word behind them or in the same; a folder of sockets is none."""
    for option, behind in zip(words, (*words[1:], ""), strict=True):
        long, _, value = option.partition("=")
        host = (
            behind if option in options else value if long in options else option[2:] if option[:2] in options else ""
        )
        if host and not host.startswith(("/", ".", "-")):
            yield named_host(host.partition(",")[0])


def _verb(name: str, simple: "Simple", text: str) -> Iterator[Reach]:
    """A program that reaches for the network with some of its verbs: `pip install`, `npm ci`."""
    words = simple.arguments
    if {"--offline", "--no-index", "--help", "-h"} & set(words):
        return
    plain = operands(words, "-C --prefix --directory --project --manifest-path -n --name -p -t --root")
    for verb in VERBS[name]:
        wanted = verb.split()
        if plain[: len(wanted)] == wanted or (verb == "-S" and any(re.match("-S|--sync", word) for word in words)):
            yield Reach(f"{name} {verb}".strip(), (), text)
            return
    yield from _addresses(text)


def _git(simple: "Simple", text: str) -> Iterator[Reach]:
    """Cloning and talking to remotes, but for those that are folders of this machine."""
    words = git_verb(simple.arguments)[1]
    verb = " ".join(words[:2]) if words[:1] in (("submodule",), ("remote",), ("lfs",), ("svn",)) else "".join(words[:1])
    if verb not in GIT_VERBS:
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
