"""Regular expressions of manifests, searched for within a time limit."""

import functools
from collections.abc import Callable
from typing import Any

from gate.errors import CannotJudge
from gate.patterns.watch import search


class Pattern(str):
    """A regular expression of Python's dialect as the `regex` library reads it; `^` and `$` match at every line."""

    __slots__ = ()

    def search(self, text: str, *, seconds: float = 1.0) -> Any:
        """The first match in `text`, or None. CannotJudge for a bad pattern or a search past its time limit."""
        refuse_long(self)
        try:
            return _search(str(self))(text, seconds)
        except (RecursionError, MemoryError, OverflowError):
            raise too_large(self) from None
        except TimeoutError:
            raise too_slow(self, seconds) from None


LARGEST = 100_000
"""Parts of a pattern; about 60 MB and 0.2 s when compiled."""

_LONGEST = 20_000
_PLAIN = r"\^?(?:[ \w!\"#%&',/:;<=>@`~-]|\\[^\w\s\x00-\x1f\x7f])+"  # one text, or one at the start of a line
_CALL = r"\(\?(?:R|[+-]?\d+|&\w*|P>\w*)\)"
_PART = (
    r"(?P<escape>\\(?:[NpPgk][{<][^}>]*[}>]|.|$))|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\()|(?P<close>\))"
    r"|\{(?P<least>\d+)(?:,\d*)?\}|(?P<most>\{,\d*\})|(?P<brace>\{)|(?P<other>.)"
)


def shown(pattern: str) -> str:
    """A pattern as a message shows it, cut."""
    return repr(pattern[:200])


def refuse_long(pattern: str) -> None:
    """CannotJudge where a pattern has more characters than are read."""
    if len(pattern) > _LONGEST:
        raise CannotJudge(
            f"the pattern has {len(pattern)} characters, at most {_LONGEST} are searched", kind="regex_size"
        )


def too_large(pattern: str) -> CannotJudge:
    """The error that a pattern would take too much memory."""
    return CannotJudge(f"the pattern {shown(pattern)[:60]}… is too large to compile", kind="regex_size")


def too_slow(pattern: str, seconds: float) -> CannotJudge:
    """The error that a search took longer than it may."""
    return CannotJudge(f"the pattern {shown(pattern)} took longer than {seconds:g} s on this text", kind="regex_limit")


@functools.lru_cache(maxsize=64)  # a suite asks for the same few patterns in task after task
def _search(text: str) -> Callable[[str, float], Any]:
    """What searches for the pattern. CannotJudge where it is not valid; OverflowError where it is too large."""
    import re

    if text.isascii() and re.fullmatch(_PLAIN, text, re.ASCII):  # as most are: no such search takes long
        plain = re.compile(text, re.MULTILINE).search
        return lambda text, _: plain(text)
    compiled = _compiled(text)
    return functools.partial(search, compiled)


def _refuse_call(pattern: str, at: int) -> None:
    """CannotJudge for a group that calls another, or the whole: no time limit ends what memory that takes."""
    import re

    call = re.compile(_CALL).match(pattern, at)
    if call:
        raise CannotJudge(
            f"the pattern {shown(pattern)} is not valid: `{call[0]}` calls a group, which is not taken",
            kind="regex_syntax",
        )


def _compiled(text: str) -> Any:
    import regex  # 13 ms, and only what may take long needs it

    pattern, size = _as_python_reads(text)
    if size > LARGEST:
        raise OverflowError
    try:
        return regex.compile(pattern, regex.MULTILINE)
    except regex.error as error:
        raise CannotJudge(f"the pattern {shown(text)} is not valid: {error}", kind="regex_syntax") from None


def _as_python_reads(pattern: str) -> tuple[str, int]:
    """The pattern with every `{` that Python takes literally escaped, and how many parts it has when written out.

    `regex` would take `x{e}` for "x, or anything": a fuzzy match. And it copies what is repeated at least n times n
    times, so that four short `{99}` inside each other fill the memory: there is no limit on the time of compiling.
    """
    import re

    pieces, sizes, last = [], [0], 0
    for part in re.finditer(_PART, pattern, re.DOTALL):
        kind, text = part.lastgroup, part.group()
        pieces.append("\\{" if kind == "brace" else text)
        if kind == "open":
            _refuse_call(pattern, part.start())
            sizes.append(0)
            last = 0
        elif kind == "close" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif kind == "least":
            more = last * (min(int(text[1:-1].split(",")[0][:9]), 10**9) - 1)
            sizes[-1] += max(0, more)
            last += max(0, more)
        elif kind != "most":
            last = 1
            sizes[-1] += 1
    return "".join(pieces), sum(sizes)
