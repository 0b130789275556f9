"""Regular expressions of JavaScript, read by its grammar and searched with the `regex` library and a time limit."""

import functools
from typing import Any

from gate.errors import CannotJudge

_LONGEST = 20_000
_LARGEST = 100_000  # parts; about 60 MB and 0.2 s when compiled


class JsPattern(str):
    """A regular expression of JavaScript, searched anywhere in a text.

    Flags stand at its start: `(?i)`, `(?m)`, `(?s)`, also together. Characters are code points, `\\u{…}` and `\\p{…}`
    mean what they do under JavaScript's flag `u`; everything else is read as without that flag.
    """

    __slots__ = ()

    def check(self) -> None:
        """CannotJudge where the pattern is not valid, too large, or uses what only JavaScript can do."""
        _compiled(str(self))

    def search(self, text: str, *, seconds: float = 1.0) -> Any:
        """The first match in `text`, or None; its groups have no names. CannotJudge as `check`, or past the limit."""
        compiled = _compiled(str(self))
        try:
            return compiled.search(text, timeout=seconds)
        except TimeoutError:
            raise CannotJudge(
                f"the pattern {str(self)[:200]!r} took longer than {seconds:g} s on this text", kind="regex_limit"
            ) from None


@functools.lru_cache(maxsize=256)  # a suite asks for the same few patterns in task after task
def _compiled(text: str) -> Any:
    """The pattern ready to search."""
    import regex  # 13 ms, and only an oracle that searches needs it

    from gate.patterns.jsescape import NotTranslated, NotValid
    from gate.patterns.jssyntax import Parser  # for the same reason

    if len(text) > _LONGEST:
        raise CannotJudge(f"the pattern has {len(text)} characters, at most {_LONGEST} are searched", kind="regex_size")
    shown = repr(text[:200])
    try:
        parser = Parser(text)
        pattern = parser.translated()
        if parser.size > _LARGEST:
            raise OverflowError
        return regex.compile(pattern)
    except (RecursionError, MemoryError, OverflowError):
        raise CannotJudge(f"the pattern {shown[:60]}… is too large to compile", kind="regex_size") from None
    except NotTranslated as error:
        raise CannotJudge(
            f"the pattern {shown} uses syntax that only JavaScript has, which is not translated: {error}",
            kind="regex_javascript",
        ) from None
    except (NotValid, regex.error) as error:
        why = error.msg if isinstance(error, regex.error) else error  # its place is that of the translation
        raise CannotJudge(
            f"the pattern {shown} is not a valid regular expression of JavaScript: {why}", kind="regex_syntax"
        ) from None
