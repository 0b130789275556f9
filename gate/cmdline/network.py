"""What reaches for the network: programs, words and URLs in a command line."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from gate.cmdline.clients import CLIENTS, may_reach
from gate.cmdline.managers import REPOSITORIES, VERBS
from gate.cmdline.netcode import calls, hosts_of, loaded
from gate.cmdline.reach import Reach
from gate.cmdline.remotes import addresses, manager, repository

if TYPE_CHECKING:
    from gate.cmdline.shell import Simple

__all__ = ["Reach", "in_command", "in_file", "reaches"]


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
    if "$" in text or "`" in text or "alias" in text or "_proxy" in text or "_PROXY" in text:
        from gate.cmdline.held import told

        meanings = told(found)
    else:
        meanings = ((simple, simple, {}) for simple in found)
    shown = [reach for simple, meant, variables in meanings for reach in _of(meant, " ".join(simple.words), variables)]
    hidden = (Reach(f"{how} into a shell", (), " ".join(text.split())) for how in decoded(found))
    return _away((*shown, *hidden))


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


def _of(simple: "Simple", text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    if simple.unread:
        yield Reach("", (), text, unread=True)
    words = simple.words if "/dev/" in text or "/inet" in text else ()
    for word in (*words, *(to.target for to in simple.redirections)):
        for device in _DEVICE.finditer(word):
            yield Reach(device[1], (device[2].lower(),), text)
    name = simple.program
    if name not in _PRINTERS:
        yield from _by(_known(name), simple, text, variables)
    bodies = (" ".join(simple.arguments),) if name in ("echo", "printf") and simple.redirections else simple.heredocs
    if bodies:
        files = _changed(simple, "writes")
        for path, body in zip(files[:1], bodies, strict=False):
            yield from in_file(path, _bytes(body))


def _by(name: str, simple: "Simple", text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    if name in CLIENTS:
        from gate.cmdline.contact import client  # as the grammar

        yield from client(name, simple, text, variables)
    elif name in REPOSITORIES:
        yield from repository(name, simple, text)
        for line in _run_by_git(simple):
            yield from reaches(line)
    elif name in VERBS:
        yield from manager(name, simple, text, variables)
    elif name not in _PRINTERS:
        yield from _other(name, simple, text, variables)


def _known(name: str) -> str:
    """The name under which the tables have a program."""
    if name in CLIENTS or name in VERBS or name in REPOSITORIES:
        return name
    return "pip" if name.startswith("pip") and re.fullmatch(r"[\d.]+", name[3:]) else name.lower()


def _run_by_git(simple: "Simple") -> Iterator[str]:
    """Command lines that git runs: `submodule foreach`, `bisect run`, `rebase --exec`."""
    words = simple.arguments
    pairs = list(pairwise(words))
    starts = [at for at, pair in enumerate(pairs) if pair in (("submodule", "foreach"), ("bisect", "run"))]
    if starts:  # of several the last one, before which there is nothing but git
        yield " ".join(words[starts[-1] + 2 :])
    if "rebase" in words:
        yield from (text for option, text in pairs if option in ("-x", "--exec"))


def _other(name: str, simple: "Simple", text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    """Any other program: the script that it is given, or else the URLs among its words."""
    scripts = _changed(simple, "mentions")
    for script in scripts:
        yield from (Reach(call.pattern, call.hosts, text) for call in calls(_bytes(script), python=name == "python"))
        for switch in loaded(name, simple.arguments):
            yield Reach(f"{name} {switch}", hosts_of(script), text)
    if not scripts:
        yield from addresses(text, variables)
        if re.search(r"[$`]", "".join(simple.words[:1])):  # it may be any program
            hosts = [found[1] for word in simple.arguments if (found := re.fullmatch(_ELSEWHERE, word))]
            yield from (Reach(simple.words[0], (host.lower(),), text) for host in hosts)


def _changed(simple: "Simple", how: str) -> list[str]:
    from gate.cmdline.effects import changes  # as the grammar

    return [target.path for target in changes(simple) if target.how == how]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_DEVICE = re.compile(r"(/dev/(?:tcp|udp)|/inet[46]?/(?:tcp|udp)/\d+)/([^/\s'\"]+)/")  # of bash, and of awk
# A word that names a host where no program says what it is: an address, `user@host`, or a name under a common domain.
_ELSEWHERE = (  # compiled where it is needed: seldom
    r"(?:[\w.+-]+@(?=[\w.-]+(?::|$)))?((?:\d{1,3}\.){3}\d{1,3}|(?<=@)[\w.-]+|(?:[\w-]+\.)+(?:com|net|org|edu|gov|io|dev"
    r"|info|example|internal))(?:[:/?#]\S*)?"
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
