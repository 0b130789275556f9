"""What a manager of packages or of a repository contacts, and the URLs among the words of any program."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from gate.cmdline.arguments import git_verb, operands
from gate.cmdline.managers import BARE, REPOSITORIES, VERBS, stays, valued
from gate.cmdline.reach import Reach
from gate.cmdline.url import hosts_in, named_host

if TYPE_CHECKING:
    from gate.cmdline.shell import Simple

_GIT_VALUED = "-b --branch -o --origin --depth -c --config --reference -j --jobs -u --upload-pack -P --prefix"
_OTHERS_VALUED = "-R --repository --cwd --config --username --password --config-dir -r --revision -d"
_NAMING = frozenset(
    ["clone", "fetch", "pull", "push", "ls-remote", "fetch-pack", "send-pack", "submodule add", "subtree pull",
     "subtree push", "subtree add", "svn clone", "git clone", "incoming", "outgoing", "in", "out", "branch", "get"]
)  # fmt: skip


def addresses(text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    """Every URL in the words of a program that is none of those here."""
    for url in hosts_in(text):
        from gate.cmdline.leads import routed  # most words hold none

        yield Reach(f"{url.scheme}://{url.host}", (url.host, *routed(variables, url.host)), text)


def manager(name: str, simple: "Simple", text: str, variables: Mapping[str, str]) -> Iterator[Reach]:
    """A program that reaches for the network with some of its verbs: `pip install`, `npm ci`, or `yarn` alone."""
    words = simple.arguments
    if stays(name, words):
        return
    plain = [word for word in operands(words, valued(name)) if not word.startswith("+")]  # `cargo +nightly fetch`
    if not plain and name in BARE:
        yield Reach(name, (), text)
        return
    verbs = VERBS[name]
    verb = next((verb for verb in (" ".join(plain[:2]), "".join(plain[:1]), "") if verb in verbs), None)
    if verb is None and verbs[0][0] == "-":
        verb = next((verb for verb in verbs if any(word.startswith(verb) for word in words)), None)
    if verb is None:
        yield from addresses(text, variables)
    else:
        yield Reach(f"{name} {verb}".strip(), _of_openssl(words) if name == "openssl" else (), text)


def _of_openssl(words: tuple[str, ...]) -> tuple[str, ...]:
    behind = pairwise(words)
    return tuple(named_host(value) for option, value in behind if option in ("-connect", "-host", "-proxy"))


def repository(name: str, simple: "Simple", text: str) -> Iterator[Reach]:
    """Cloning and talking to remotes, but for those that are folders of this machine."""
    if name == "git":
        words, takes = list(git_verb(simple.arguments)[1]), _GIT_VALUED
    else:
        words, takes = operands(simple.arguments, _OTHERS_VALUED), ""
    verb = next((verb for verb in (" ".join(words[:2]), "".join(words[:1])) if verb in REPOSITORIES[name]), "")
    if not verb:
        yield from _by_an_option(words, text) if name == "git" else addresses(text, {})
        return
    if verb == "remote show" and "-n" in words:
        return
    named = operands(tuple(words[len(verb.split()) :]), takes)
    remote = named[0] if named and verb in _NAMING and name not in ("svn", "cvs") else ""
    if name == "svn":
        remote = next((word for word in named if "://" in word), "")
    if not _is_folder(remote, cloned=verb.endswith("clone")):
        host = remote_host(remote) if "://" not in remote else named_host(remote)
        yield Reach(f"{name} {verb}", (host,) if host else (), text)


def _is_folder(remote: str, *, cloned: bool) -> bool:
    if remote.startswith(("/", ".", "~", "file://")) or ("/" in remote and not re.match(r"[\w+.-]+://|[^/]+:", remote)):
        return True
    return cloned and bool(remote) and remote_host(remote) is None and "://" not in remote


def _by_an_option(words: list[str], text: str) -> Iterator[Reach]:
    """Verbs of git that talk to a remote with one of their options only."""
    if words[:2] == ["remote", "add"] and {"-f", "--fetch"} & set(words):
        yield Reach("git remote add -f", tuple(url.host for url in hosts_in(text)), text)
    elif words[:2] == ["remote", "set-head"] and {"-a", "--auto"} & set(words):
        yield Reach("git remote set-head -a", (), text)
    elif words[:1] == ["archive"]:
        remote = next((word.partition("=")[2] for word in words if word.startswith("--remote=")), "")
        if remote and not _is_folder(remote, cloned=False):
            yield Reach("git archive --remote", tuple(url.host for url in hosts_in(text)), text)


def remote_host(word: str) -> str | None:
    """The host of `user@host:path` or a URL; None for a path of this machine.

    One letter before the colon is a host too, unless it is an upper-case one or a backslash follows: a Windows drive.
    """
    if "://" in word:
        return named_host(word)
    found = re.match(r"(?:[^@/:\s]+@)?(\[[^\]]+\]|[^/:\s]{2,}|[^/:\sA-Z](?=:(?!\\))):", word)
    return found[1].strip("[]").lower() if found else None
