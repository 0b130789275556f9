"""Secrets taken out of a report before it is written anywhere.

The gate gives no secret to what it runs, but a recording may hold one that the agent had, and a finding may quote it.
GitHub masks what it knows in a job's log and summary, and in nothing else: not in files, check runs or comments.
"""

import operator
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from gate import escape
from gate.report import Report

SHOWN = "***"
"""What stands for a secret."""

_SHORTEST = 12  # characters; a shorter value of a variable may be any word
_NAMES = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL", re.IGNORECASE)
_LARGE = 200_000  # bytes
_KEPT = ("path", "line", "end_line", "seconds", "extent")
T = TypeVar("T", bound=msgspec.Struct)

# What a secret looks like, by the text that each has in it. To look for that, and for one shape at a time with its
# text in front, takes far less time than one expression of all.
_SHAPES = {
    **{f"gh{kind}_": rf"\bgh{kind}_[A-Za-z0-9]{{36,255}}" for kind in "pousr"},  # GitHub
    "github_pat_": r"\bgithub_pat_[A-Za-z0-9_]{22,255}",
    "glpat-": r"\bglpat-[\w-]{20,255}",  # GitLab
    "AKIA": r"\bAKIA[0-9A-Z]{16}\b",  # AWS
    "ASIA": r"\bASIA[0-9A-Z]{16}\b",
    "AIza": r"\bAIza[\w-]{35}",  # Google
    "xox": r"\bxox[abeoprs]-[\w-]{10,255}",  # Slack
    "sk-": r"\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9]{2,8}(?:-[\w-]{32,255}|[A-Za-z0-9]{18,255})",  # models' APIs
    "npm_": r"\bnpm_[A-Za-z0-9]{36}",
    "pypi-": r"\bpypi-[\w-]{50,255}",
    "hf_": r"\bhf_[A-Za-z0-9]{30,255}",
    "eyJ": r"\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}",  # JSON web tokens
    "-----BEGIN ": r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?",
    "://": r"(://)[^\s/:@]{0,200}:[^\s/@]{3,200}(?=@)",  # a password in an address
    "earer ": r"(earer )[\w.~+/-]{20,2000}=*",
    "asic ": r"(asic )[A-Za-z0-9+/]{20,2000}=*",
}
_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")
"""What begins a terminal sequence beside ESC, in UTF-8."""

_shape = cache(lambda sign: re.compile(_SHAPES[sign]))
_loose = cache(lambda sign: re.compile(_SHAPES[sign].removeprefix(r"\b")))
"""The same in JSON, where what stands before may be the letter of an escape."""


def secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Values of the environment that are secrets by their variables' names, the longest first."""
    found = {value.strip() for name, value in environ.items() if _NAMES.search(name)}
    return tuple(sorted((value for value in found if len(value) >= _SHORTEST), key=lambda value: (-len(value), value)))


def redacted(report: Report, known: Sequence[str] = ()) -> Report:
    """The report without what is `known` to be a secret or has the shape of one; the same where it has none."""
    return report if _is_clean(report, known) else _cleaned(report, known)


def _is_clean(report: Report, known: Sequence[str]) -> bool:
    """Whether one look at the whole tells that no part of it can hold a secret; nearly no report does."""
    if not all(secret.isascii() and secret.isprintable() and not {'"', "\\"} & {*secret} for secret in known):
        return False
    try:
        data = msgspec.json.encode(report)
    except UnicodeEncodeError:  # a file name that is not UTF-8, somewhere
        return False
    if b"\\u001b" in data or _CONTROLS.search(data):
        return False
    text = data.decode()
    return not (any(secret in text for secret in known) or any(_loose(sign).search(text) for sign in _signs(data)))


def _signs(data: bytes) -> set[str]:
    """The texts in it that secrets have."""
    signs = list(_SHAPES)
    if len(data) < _LARGE:
        return {sign for sign in signs if sign.encode() in data}
    from ahocorasick_rs import BytesAhoCorasick  # one pass instead of many, and only a large report is worth it

    matcher = BytesAhoCorasick([sign.encode() for sign in signs])
    return {signs[index] for index, _, _ in matcher.find_matches_as_indexes(data, overlapping=True)}


def _cleaned(one: T, known: Sequence[str]) -> T:
    """Nothing is made anew in which nothing was found; paths stay, or nobody could follow them."""
    changed: dict[str, Any] = {}
    for name in _fields(type(one)):
        old = new = getattr(one, name)
        if type(old) is str:
            new = _text(old, known) if len(old) >= _SHORTEST else old
        elif type(old) is tuple and old:
            several = tuple([_cleaned(each, known) for each in old])
            new = several if any(map(operator.is_not, several, old)) else old
        elif isinstance(old, msgspec.Struct):
            new = _cleaned(old, known)
        if new is not old:
            changed[name] = new
    return msgspec.structs.replace(one, **changed) if changed else one


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name not in _KEPT)


def _text(text: str, known: Sequence[str]) -> str:
    """Some surfaces leave terminal sequences out, and a secret that one stood in would be whole again there."""
    text = _masked(text, known)
    bare = escape.unsequenced(text)
    masked = text if bare is text else _masked(bare, known)
    return text if masked == bare else masked


def _masked(text: str, known: Sequence[str]) -> str:
    for secret in known:
        if secret in text:
            text = text.replace(secret, SHOWN)
    for sign in _SHAPES:
        if sign in text:
            text = _shape(sign).sub(_hide, text)
    return text


def _hide(found: re.Match[str]) -> str:
    kept = found[1] if found.re.groups else ""
    return f"{kept}{SHOWN}"
